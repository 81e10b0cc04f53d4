"""Makes `fixtures/formulas`: operators with expected values from numpy, for which no program is exported.

    python tools/formulas/make.py [--only PATTERN] [--check]
"""

import argparse
import fnmatch
import importlib
import sys
import tempfile
from pathlib import Path

from lib import Case, write

HERE = Path(__file__).resolve().parent
FIXTURES = HERE.parent.parent / "fixtures" / "formulas"


def cases() -> list[Case]:
    """Every case, in the order of the files and of the entries in them."""
    names = sorted(path.stem for path in (HERE / "cases").glob("*.py"))
    found = [case for name in names for case in importlib.import_module(f"cases.{name}").CASES]
    paths = [case.path for case in found]
    assert len(set(paths)) == len(paths), sorted(path for path in paths if paths.count(path) > 1)
    return found


def differences(path: str, made: Path) -> list[str]:
    """The files of a case that differ from the committed ones."""
    pairs = [(FIXTURES / path / file.name, file) for file in sorted((made / path).iterdir())]
    return [str(old) for old, new in pairs if not old.is_file() or old.read_bytes() != new.read_bytes()]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="*", help="shell pattern on the case path, such as 'adamw_step/*'")
    parser.add_argument("--check", action="store_true", help="compare with the committed files; write nothing")
    arguments = parser.parse_args()
    chosen = [case for case in cases() if fnmatch.fnmatch(case.path, arguments.only)]
    if not chosen:
        parser.error(f"no case matches {arguments.only}")
    wrong = []
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch) if arguments.check else FIXTURES
        for case in chosen:
            write(case, root)
            print(case.path)
            if arguments.check:
                wrong += differences(case.path, root)
    for path in wrong:
        print(f"{path} differs", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
