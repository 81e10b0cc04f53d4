"""Writes the page that says what became of each of ExecuTorch's tests."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

INTRODUCTION = """# ExecuTorch's own tests, run through pteron

The PyPI package of ExecuTorch 1.5.1 carries the tests of its backends. `python tools/upstream/run.py` exports every program
of them with the stock exporter, as upstream does, runs it with pteron, and compares with eager PyTorch: by upstream's tolerance
(atol 0.1, rtol 0.04; 1e-3 and 0.1 in `test_vulkan_delegate.py`) and by ours (1e-3 and 1e-3, or one step of a quantized output).
Upstream does not run a graph of which nothing was delegated, nor one with operators that its portable kernels lack; here they
run like any other. A test may export several programs. What cannot be exported, or does not run in eager PyTorch, is not ours,
and counts for neither. Tests that are not in the lists have not been run.
"""


@dataclass
class Test:
    """What became of one test on one device."""

    name: str
    flow: str
    outcome: str
    calls: list[dict[str, Any]]
    error: str

    @property
    def state(self) -> str:
        """`passed`, `upstream only`, `failed`, `not exported`, or `left out` by upstream itself."""
        if self.outcome == "skipped" and not self.calls:
            return "left out"
        if self.outcome == "skipped" or any(call["result"] in ("quantize_fail", "lower_fail") for call in self.calls):
            return "not exported"
        if self.outcome != "passed":
            return "failed"
        return "passed" if all(call["close"] for call in self.calls) else "upstream only"

    @property
    def why(self) -> str:
        """What the failure says."""
        errors = [call["error"] for call in self.calls if call["error"]] or [self.error]
        return errors[-1].splitlines()[0].replace("|", "\\|")[:220] if errors[-1] else ""


def read(path: Path) -> list[Test]:
    """The last result of each test."""
    tests: dict[tuple[str, str], Test] = {}
    for line in path.read_text().splitlines():
        entry = json.loads(line)
        key = (entry["flow"], entry["test"])
        tests[key] = Test(entry["test"], entry["flow"], entry["outcome"], entry["calls"], entry["error"])
    return [tests[key] for key in sorted(tests)]


def count(tests: Iterable[Test], state: str) -> int:
    """How many tests are in a state."""
    return sum(test.state == state for test in tests)


def table(tests: list[Test]) -> list[str]:
    """The counts of each flow."""
    lines = [
        "| flow | tests | left out | not exported | run | pass by upstream's tolerance | by ours | fail |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for flow in sorted({test.flow for test in tests}):
        chosen = [test for test in tests if test.flow == flow]
        passed, loose = count(chosen, "passed"), count(chosen, "upstream only")
        failed = count(chosen, "failed")
        run = passed + loose + failed
        share = f" ({100 * passed / run:.1f} %)" if run else ""
        cells = [flow, len(chosen), count(chosen, "left out"), count(chosen, "not exported"), run]
        cells += [passed + loose, f"{passed}{share}", failed]
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return lines


def details(tests: list[Test], state: str, title: str) -> list[str]:
    """The tests in a state, with what they say."""
    chosen = [test for test in tests if test.state == state]
    if not chosen:
        return []
    lines = ["", f"### {title}", "", "| test | flow | what it says |", "|---|---|---|"]
    return lines + [f"| `{test.name}` | {test.flow} | {test.why} |" for test in chosen]


def write_page(results: Path, page: Path) -> None:
    """Writes the page of all results, with the notes that are kept beside this script."""
    lines = INTRODUCTION.splitlines()
    for path in sorted(results.glob("*.jsonl")):
        tests = read(path)
        device = "the reference engine" if path.stem == "cpu" else path.stem
        lines += ["", f"## On {device}", "", *table(tests)]
        lines += details(tests, "failed", "Failures")
        lines += details(tests, "upstream only", "Within upstream's tolerance and not within ours")
        lines += ["", f"<details><summary>Every test on {device}</summary>", ""]
        lines += ["| test | flow | programs | delegated | |", "|---|---|---|---|---|"]
        for test in tests:
            delegated = sum(call["delegated"] > 0 for call in test.calls)
            lines.append(f"| `{test.name}` | {test.flow} | {len(test.calls)} | {delegated} | {test.state} |")
        lines += ["", "</details>"]
    notes = Path(__file__).with_name("notes.md")
    if notes.is_file():
        lines += ["", *notes.read_text().splitlines()]
    page.write_text("\n".join(lines) + "\n")
