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


def run(paths: list[Path], selected: list[str], device: str, kept: Path) -> bool:
    """Runs files of tests; says whether something failed."""
    report = kept / f"{device}.jsonl"
    # The tests share fixtures of a folder above theirs, and some leave files behind.
    common = package() / "backends"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "pteron_upstream", "-p", "no:cacheprovider", "--tb=line"]
    command += ["--disable-warnings", f"--rootdir={common}", f"--confcutdir={common}", "--pteron-report", str(report)]
    found = os.pathsep.join([str(HERE), os.environ.get("PYTHONPATH", "")])
    environment = os.environ | {"PTERON_DEVICE": device, "PYTHONPATH": found}
    ran = subprocess.run([*command, *selected, *map(str, paths)], env=environment, cwd=kept, check=False)
    # 5: nothing was chosen.
    return ran.returncode not in (0, 5)


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
    status = False
    if not options.report:
        paths = part(files(options.suite or ["operators", "models", "delegate"], options.only), options.part)
        marks = " or ".join(f"flow_{flow}" for flow in options.flow or FLOWS)
        delegate = [path for path in paths if path.stem == "test_vulkan_delegate"]
        suite = [path for path in paths if path not in delegate]
        for chosen, selected in ((suite, ["-m", marks]), (delegate, [])):
            if chosen:
                status |= run(chosen, selected, options.device, kept)
    write_page(kept, ROOT / "docs/upstream.md")
    sys.exit(status)


if __name__ == "__main__":
    main()
