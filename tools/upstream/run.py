"""Runs ExecuTorch's own tests through pteron and writes `docs/upstream.md`.

    python tools/upstream/run.py                            # every flow, everything, on the reference engine
    python tools/upstream/run.py --device gpu               # the programs that were exported so far, on a GPU
    python tools/upstream/run.py --flow vulkan --only add   # tests whose file has this in its name
    python tools/upstream/run.py --rest --part 2/8          # what has not run, of the second of eight parts of the files
    python tools/upstream/run.py --flow xnnpack --first 1   # one test of each file
    python tools/upstream/run.py --replay --failed          # what failed, without exporting it again
    python tools/upstream/run.py --witness                  # only what is not right, in ExecuTorch's own runtime
    python tools/upstream/run.py --report                   # only write the page of what ran so far

Results and exported programs are kept in `target/upstream`, results in one file for each device; a test that runs again replaces
what was known of it. Where there are no results, those of the page are taken over first.
"""

import argparse
import importlib.util
import os
import subprocess
import sys
from pathlib import Path

from known import take_over
from page import DELEGATE, FLOWS, WITNESS, unexplained, write_page
from replay import replay

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
EXPORTING = "cpu"
"""The device on which tests run while they export."""
SUITE_FLOWS = [flow for flow in FLOWS if flow != DELEGATE]


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


def run(paths: list[Path], selected: list[str], kept: Path) -> bool:
    """Runs files of tests on the reference engine; says whether they could not be run."""
    report = kept / f"{EXPORTING}.jsonl"
    # The tests share fixtures of a folder above theirs, and some leave files behind.
    common = package() / "backends"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "pteron_upstream", "-p", "no:cacheprovider", "--tb=line"]
    command += ["--disable-warnings", f"--rootdir={common}", f"--confcutdir={common}", "--pteron-report", str(report)]
    found = os.pathsep.join([str(HERE), os.environ.get("PYTHONPATH", "")])
    environment = os.environ | {"PTERON_DEVICE": EXPORTING, "PYTHONPATH": found}
    ran = subprocess.run([*command, *selected, *map(str, paths)], env=environment, cwd=kept, check=False)
    # 1: tests failed; 5: nothing was chosen.
    return ran.returncode not in (0, 1, 5)


def main() -> None:
    """Runs what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--suite", action="append", choices=["operators", "models", "delegate"])
    parser.add_argument("--flow", action="append", choices=FLOWS, help="every flow unless said")
    parser.add_argument("--only", default="", help="part of the names of files, or of tests that are replayed")
    parser.add_argument("--tests", help="which tests of those files, as pytest's -k takes it")
    parser.add_argument("--part", default="1/1", help="which part of the files, and of how many")
    parser.add_argument("--first", type=int, help="only so many tests of each file and flow")
    parser.add_argument("--limit", type=float, help="give up a test after so many seconds of processor time")
    parser.add_argument("--device", default=EXPORTING, help="as pteron.load takes it; another than cpu replays")
    parser.add_argument("--rest", action="store_true", help="only tests of which nothing is known yet")
    parser.add_argument("--replay", action="store_true", help="export nothing: run what was exported before")
    parser.add_argument("--failed", action="store_true", help="replay only what is not known to be right")
    parser.add_argument("--witness", action="store_true", help="run nothing but what is not right, in ExecuTorch's runtime")
    parser.add_argument("--report", action="store_true", help="run nothing")
    options = parser.parse_args()
    kept, page = ROOT / "target/upstream", ROOT / "docs/upstream.md"
    kept.mkdir(parents=True, exist_ok=True)
    if not any(kept.glob("*.jsonl")) and page.is_file():
        take_over(page, kept)
    # What is exported and fails is told of in the notes, or below.
    status = False
    results = kept / f"{options.device}.jsonl"
    # What was known before has been witnessed before, and a network takes both runtimes seconds.
    known = len(results.read_text().splitlines()) if results.is_file() and not options.witness else 0
    if options.report or options.witness:
        pass
    elif options.replay or options.device != EXPORTING:
        exported = kept / f"{EXPORTING}.jsonl"
        replay(exported, results, options.device, options.only, options.flow or [], options.failed)
    else:
        paths = part(files(options.suite or ["operators", "models", "delegate"], options.only), options.part)
        marks = " or ".join(f"flow_{flow}" for flow in options.flow or SUITE_FLOWS if flow != DELEGATE)
        delegate = [path for path in paths if path.stem == "test_vulkan_delegate"]
        suite = [path for path in paths if path not in delegate]
        narrowed = ["--pteron-rest"] if options.rest else []
        narrowed += [] if options.first is None else ["--pteron-first", str(options.first)]
        narrowed += [] if options.limit is None else ["--pteron-limit", str(options.limit)]
        narrowed += [] if options.tests is None else ["-k", options.tests]
        for chosen, selected in ((suite, ["-m", marks]), (delegate, [])):
            if chosen and (marks or chosen is delegate):
                status |= run(chosen, [*narrowed, *selected], kept)
    if not options.report and results.is_file():
        # Loads ExecuTorch's runtime.
        from witness import witness

        report = results.with_suffix(f".{WITNESS}")
        witness(results, report, options.device, options.only, options.flow or [], known)
    write_page(kept, page)
    for line in unexplained(kept):
        print(line)
        status = True
    sys.exit(status)


if __name__ == "__main__":
    main()
