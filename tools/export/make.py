"""Makes the committed fixtures, or checks that they are still what the scripts make.

    python tools/export/make.py [--only PATTERN] [--check]
"""

import argparse
import fnmatch
import importlib
import shutil
import sys
import tempfile
import time
from pathlib import Path

from lib import Case, Written, write

HERE = Path(__file__).resolve().parent
FIXTURES = HERE.parent.parent / "fixtures"


def cases() -> list[Case]:
    """Every case, in the order of the files and of the entries in them."""
    names = sorted(path.stem for path in (HERE / "cases").glob("*.py"))
    found = [case for name in names for case in importlib.import_module(f"cases.{name}").CASES]
    paths = [case.path for case in found]
    assert len(set(paths)) == len(paths), sorted(path for path in paths if paths.count(path) > 1)
    return found


def differences(path: str, made: Path) -> list[str]:
    """The files of a case that differ from the committed ones."""
    old, new = FIXTURES / path, made / path
    names = {file.name for folder in (old, new) if folder.is_dir() for file in folder.iterdir()}
    return [f"{path}/{name} differs" for name in sorted(names) if not _same(old / name, new / name)]


def _same(old: Path, new: Path) -> bool:
    return old.is_file() and new.is_file() and old.read_bytes() == new.read_bytes()


def strays(known: list[Case]) -> list[Path]:
    """Case folders under `fixtures/` that no case makes."""
    folders = {FIXTURES / case.path for case in known}
    return sorted(file.parent for file in FIXTURES.rglob("case.json") if file.parent not in folders)


def table(rows: list[Written]) -> str:
    """The summary: case, operators in the delegates, portable operators, bytes."""
    width = max(len(row.path) for row in rows)
    lines = []
    for row in rows:
        operators = list(dict.fromkeys(row.operators)) + [f"[{kernel}]" for kernel in dict.fromkeys(row.kernels)]
        lines.append(f"{row.path:{width}}  {row.size:>8}  {' '.join(operators)}")
    lines.append(f"{len(rows)} cases, {sum(row.size for row in rows)} bytes")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="*", help="shell pattern on the case path, such as 'ops/add/*'")
    parser.add_argument("--check", action="store_true", help="compare with the committed files; write nothing")
    parser.add_argument("--keep-going", action="store_true", help="report a case that fails and go on")
    arguments = parser.parse_args()

    known = cases()
    chosen = [case for case in known if fnmatch.fnmatch(case.path, arguments.only)]
    if not chosen:
        parser.error(f"no case matches {arguments.only}")
    rows, problems = [], []
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch) if arguments.check else FIXTURES
        for case in chosen:
            started = time.monotonic()
            try:
                rows.append(write(case, root))
            except Exception as error:
                if not arguments.keep_going:
                    raise
                problems.append(f"{case.path}: {type(error).__name__}: {error}")
                continue
            print(f"{case.path} ({time.monotonic() - started:.1f} s)", file=sys.stderr, flush=True)
            if arguments.check:
                problems += differences(case.path, root)
    # A run of some cases leaves alone what others may be making.
    for folder in strays(known) if len(chosen) == len(known) else []:
        if arguments.check:
            problems.append(f"{folder.relative_to(FIXTURES)} is made by no case")
        else:
            shutil.rmtree(folder)
    if rows:
        print(table(rows))
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
