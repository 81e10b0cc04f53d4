"""Runs ExecuTorch's own tests through pteron and writes `docs/upstream.md`.

    python tools/upstream/run.py                            # every flow, everything
    python tools/upstream/run.py --flow vulkan --only add   # tests whose file has this in its name
    python tools/upstream/run.py --part 2/8                 # the second of eight parts of the files
    python tools/upstream/run.py --report                   # only write the page of what ran so far

Results are kept in `target/upstream`, one file for each device; a test that runs again replaces what was known of it.
"""

import argparse
import importlib.util
import os
import subprocess
import sys
from pathlib import Path

from page import write_page

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
FLOWS = ["vulkan", "vulkan_static_int8_per_channel"]


def package() -> Path:
    """Where the tests are: the installed package of ExecuTorch."""
    spec = importlib.util.find_spec("executorch")
    if spec is None or not spec.submodule_search_locations:
        sys.exit("executorch is not installed: pip install -r tools/upstream/requirements.txt")
    return Path(next(iter(spec.submodule_search_locations)))


def files(suites: list[str], only: str) -> list[Path]:
    """The files of the chosen suites, in order."""
    tests = package() / "backends/test/suite"
    found: list[Path] = []
    for suite in suites:
        if suite == "delegate":
            found.append(package() / "backends/vulkan/test/test_vulkan_delegate.py")
        else:
            found += sorted((tests / suite).glob("test_*.py"))
    return [path for path in found if only in path.stem]


def part(paths: list[Path], which: str) -> list[Path]:
    """One part of the files: `2/8` is the second of eight."""
    number, of = map(int, which.split("/"))
    return paths[number - 1 :: of]


def main() -> None:
    """Runs what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--suite", action="append", choices=["operators", "models", "delegate"])
    parser.add_argument("--flow", action="append", help="vulkan and vulkan_static_int8_per_channel unless said")
    parser.add_argument("--only", default="", help="part of the names of files")
    parser.add_argument("--part", default="1/1", help="which part of the files, and of how many")
    parser.add_argument("--device", default="cpu", help="as pteron.load takes it")
    parser.add_argument("--report", action="store_true", help="run nothing")
    options = parser.parse_args()
    kept = ROOT / "target/upstream"
    kept.mkdir(parents=True, exist_ok=True)
    status = 0
    if not options.report:
        paths = part(files(options.suite or ["operators", "models", "delegate"], options.only), options.part)
        marks = " or ".join(f"flow_{flow}" for flow in options.flow or FLOWS)
        for path in paths:
            selected = [] if path.stem == "test_vulkan_delegate" else ["-m", marks]
            report = kept / f"{options.device}.jsonl"
            command = [sys.executable, "-m", "pytest", "-q", "-p", "pteron_upstream", "-p", "no:cacheprovider"]
            command += ["--tb=line", "--pteron-report", str(report), *selected, str(path)]
            found = os.pathsep.join([str(HERE), os.environ.get("PYTHONPATH", "")])
            environment = os.environ | {"PTERON_DEVICE": options.device, "PYTHONPATH": found}
            # A folder of its own for each file: some tests leave files behind.
            status |= subprocess.run(command, env=environment, cwd=kept, check=False).returncode not in (0, 5)
    write_page(kept, ROOT / "docs/upstream.md")
    sys.exit(status)


if __name__ == "__main__":
    main()
