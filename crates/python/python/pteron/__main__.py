"""The command `pteron`."""

import signal
import sys

from pteron._pteron import command


def main() -> int:
    """Runs the command with the arguments of this process, and gives its exit code."""
    # The command handles Ctrl-C itself, or ends by it; Python's handler would wait for it to come back.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return command(["pteron", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
