"""Makes the pictures of the README: what a terminal shows when `pteron` runs in it, as SVG.

    cargo build --release -p pteron-cli
    python tools/pictures/make.py target/smollm2

The folder holds the model to look at and to talk with, as `tools/export/smollm2.py` makes it. The commands really run, in a
terminal of their own; each picture shows the command and all that came on the screen.
"""

import argparse
import os
import pty
import select
import shlex
import shutil
import sys
import time
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

import pyte

ROOT = Path(__file__).resolve().parent.parent.parent
OUT = ROOT / "docs" / "images"

# Sizes of a character and of the space around the text, in pixels.
WIDTH, HEIGHT, FONT, MARGIN = 7.8, 18, 13, 16

STYLE = """
  .paper { fill: #f6f8fa; stroke: #d0d7de }
  text { fill: #1f2328; font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; white-space: pre }
  .typed { fill: #0550ae; font-weight: 600 }
  @media (prefers-color-scheme: dark) {
    .paper { fill: #151b23; stroke: #3d444d }
    text { fill: #d1d7e0 }
    .typed { fill: #79c0ff }
  }
"""


@dataclass(frozen=True)
class Picture:
    """A command, what is typed into it, and what the picture of it says to those who cannot see it."""

    name: str
    command: str
    description: str
    lines: list[str] = field(default_factory=list)
    columns: int = 100


PICTURES = [
    Picture(
        "inspect",
        "pteron inspect model.pte | head -36",
        "pteron inspect shows the methods of a program, its inputs and outputs, its operators and that each is supported, "
        "its largest constants, and the memory that it takes.",
        columns=124,
    ),
    Picture(
        "chat",
        # How fast an answer came goes to standard error, and says nothing without the machine that it came from.
        "pteron chat model.pte --temperature 0 2> /dev/null",
        "pteron chat answers questions of a user, one after the other.",
        ["What is the capital of France?", "What is it known for, in one sentence?", "/exit"],
        columns=102,
    ),
]


def show(picture: Picture, folder: Path, program: Path, patience: float) -> list[str]:
    """Runs a command in a terminal, types its lines when it asks for them, and gives the lines on the screen."""
    screen = pyte.Screen(picture.columns, 200)
    stream = pyte.ByteStream(screen)
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(folder)
        path = f"{program.parent}{os.pathsep}{os.environ['PATH']}"
        # Nothing of the user's own comes into the picture: no history, no settings.
        environment = {"PATH": path, "TERM": "xterm", "LANG": "C.UTF-8", "HOME": "/nonexistent"}
        os.execve("/bin/sh", ["sh", "-c", f"stty cols {picture.columns} rows 200; {picture.command}"], environment)
    waiting = list(picture.lines)
    deadline = time.monotonic() + patience
    while True:
        if time.monotonic() > deadline:
            raise TimeoutError(f"{picture.command} takes more than {patience} s")
        if not select.select([terminal], [], [], 0.2)[0]:
            # The cursor stands behind a prompt: it is our turn.
            if waiting and screen.display[screen.cursor.y].rstrip() == ">" and screen.cursor.x == 2:
                os.write(terminal, f"{waiting.pop(0)}\r".encode())
            continue
        try:
            data = os.read(terminal, 65536)
        except OSError:
            break
        if not data:
            break
        stream.feed(data)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status != 0 or waiting:
        raise RuntimeError(f"{picture.command} ended with {status}, and {len(waiting)} lines were not asked for")
    lines = [line.rstrip() for line in screen.display]
    while lines and not lines[-1]:
        lines.pop()
    return [f"$ {picture.command}", *lines]


def svg(picture: Picture, lines: list[str]) -> str:
    """The lines as a picture. Each has its length set, so that columns line up in every font."""
    columns = max(len(line) for line in lines)
    width, height = round(columns * WIDTH + 2 * MARGIN), len(lines) * HEIGHT + 2 * MARGIN
    rows = []
    for number, line in enumerate(lines):
        text = line.lstrip(" ")
        if not text:
            continue
        x, y = MARGIN + (len(line) - len(text)) * WIDTH, MARGIN + number * HEIGHT + FONT
        typed = ' class="typed"' if text.startswith(("$ ", "> ")) else ""
        rows.append(
            f'<text{typed} x="{x:g}" y="{y:g}" textLength="{len(text) * WIDTH:g}" xml:space="preserve">{escape(text)}</text>'
        )
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" role="img">',
        f"<title>{escape(picture.description)}</title>",
        f"<style>{STYLE}</style>",
        f'<rect class="paper" x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="6"/>',
        *rows,
        "</svg>\n",
    ])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where model.pte and its tokenizer lie")
    parser.add_argument("--program", type=Path, default=ROOT / "target" / "release" / "pteron", help="the command to run")
    parser.add_argument("--only", help="the name of one picture")
    parser.add_argument("--patience", type=float, default=600, help="the most seconds that a command may take")
    arguments = parser.parse_args()
    program = arguments.program.resolve()
    if shutil.which(program) is None:
        parser.error(f"there is no {shlex.quote(str(program))}; build it, or name it with --program")
    OUT.mkdir(parents=True, exist_ok=True)
    for picture in PICTURES:
        if arguments.only in (None, picture.name):
            lines = show(picture, arguments.folder.resolve(), program, arguments.patience)
            path = OUT / f"{picture.name}.svg"
            path.write_text(svg(picture, lines))
            print(f"{path}: {len(lines)} lines, {path.stat().st_size} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
