"""How far a long load has come, in a line that a terminal or a notebook shows."""

import sys


class Line:
    """A line of text on standard error that is written over, where somebody looks at it."""

    def __init__(self) -> None:
        self.visible = sys.stderr is not None and (sys.stderr.isatty() or "ipykernel" in sys.modules)
        self.width = 0

    def show(self, done: int, of: int) -> None:
        """Writes how much is done."""
        if self.visible:
            share = 100 * done // max(of, 1)
            text = f"loading {share:3d} % of {of / 1e6:.0f} MB"
            sys.stderr.write("\r" + text.ljust(self.width))
            sys.stderr.flush()
            self.width = len(text)

    def clear(self) -> None:
        """Takes the line away."""
        if self.visible and self.width:
            sys.stderr.write("\r" + " " * self.width + "\r")
            sys.stderr.flush()
            self.width = 0
