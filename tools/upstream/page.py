"""Writes the page that says what became of each of ExecuTorch's tests."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from replay import FAILURES, last_lines

INTRODUCTION = """# ExecuTorch's own tests, run through pteron

The PyPI package of ExecuTorch 1.5.1 carries the tests of its backends. `python tools/upstream/run.py` exports every program
of them with the stock exporter, as upstream does, runs it with pteron, and compares with eager PyTorch: by upstream's tolerance
(atol 0.1, rtol 0.04; 1e-3 and 0.1 in `test_vulkan_delegate.py`) and by ours (1e-3 and 1e-3, or one step of a quantized output).
Upstream does not run a graph of which nothing was delegated, nor one with operators that its portable kernels lack; here they
run like any other. Exported programs are kept, and `--device gpu` runs the same ones on a GPU. What is not right by our tolerance is run
in ExecuTorch's own runtime too, where its package has the backend.

A test may export several programs; it passes where all that were exported do. Upstream leaves some tests out itself. What its
exporter refuses, or what does not run in eager PyTorch, is not ours, and counts for neither: the errors are in the list. Nor is a program
ours whose graph reads what is not in it, read back with the exporter's own schema. Tests that are not in the lists have not been
run; `--rest` runs them. There are 23 kinds of networks, most with shapes that are fixed and with shapes that vary.
"""
BESIDE = """The package of ExecuTorch can run what its exporter made for XNNPACK and for portable kernels. These are the programs of
those flows that are not right by our tolerance: the largest distance between two elements, for each program of a test.
"""
DELEGATE = "vulkan delegate"
FLOWS = [
    "vulkan",
    DELEGATE,
    "vulkan_static_int8_per_channel",
    "webgpu",
    "portable",
    "xnnpack",
    "xnnpack_static_int8_per_channel",
    "xnnpack_static_int8_per_tensor",
    "xnnpack_dynamic_int8_per_channel",
]
"""What upstream's package can export here: a network for each backend, or none."""
WITNESS = "witness"
"""How files end that have what ExecuTorch's own runtime makes of programs that are not right on a device."""
REFERENCE = "the reference engine"
FAILED = "Failures"
BROKEN = "Programs that the exporter wrote broken"
UPSTREAM_ONLY = "Within upstream's tolerance and not within ours"
WITNESSED = "In ExecuTorch's own runtime"
EVERY = "Every test"
REFUSED = "What the exporter refused"
STATES = {"passed": "yes", "broken": "exported broken", "upstream only": "upstream's tolerance only", "failed": "no"}


@dataclass
class Test:
    """What became of one test on one device."""

    name: str
    flow: str
    outcome: str
    calls: list[dict[str, Any]]
    error: str
    broken: str = ""
    """What the exporter left out of every program that failed."""

    @property
    def exported(self) -> list[dict[str, Any]]:
        """The programs that were exported."""
        return [call for call in self.calls if call["result"] == "success" or call["result"] in FAILURES]

    @property
    def state(self) -> str:
        """`passed`, `upstream only`, `failed`, `broken` or `not exported` by the exporter, or `left out` by upstream itself."""
        if not self.calls:
            return "not exported" if self.outcome == "failed" else "left out"
        if not self.exported:
            return "not exported"
        if any(call["result"] in FAILURES for call in self.exported):
            return "broken" if self.broken else "failed"
        return "passed" if all(call["close"] for call in self.exported) else "upstream only"

    @property
    def why(self) -> str:
        """What the first error says."""
        if self.broken:
            return self.broken
        failures = [call["error"] for call in self.exported if call["error"]]
        errors = failures or [call["error"] for call in self.calls if call["error"]] or [self.error]
        return errors[0].splitlines()[0].replace("|", "\\|")[:200] if errors[0] else ""


def read(path: Path) -> dict[tuple[str, str], Test]:
    """The last result of each test, by flow and name."""
    lines = sorted(last_lines(path), key=lambda line: (line["flow"], line["test"]))
    fields = ("test", "flow", "outcome", "calls", "error")
    tests = {(line["flow"], line["test"]): Test(*(line[field] for field in fields)) for line in lines}
    for key, calls in witnesses(path.parent, path.stem).items():
        reasons = [call.get("broken", "") for call in calls]
        if key in tests and reasons and all(reasons):
            tests[key].broken = reasons[0]
    return tests


def title(device: str, report: dict[tuple[str, str], Test]) -> str:
    """The device by its own name, where programs have said it."""
    if device == "cpu":
        return REFERENCE
    return next((call["on"] for test in report.values() for call in test.calls if "on" in call), device)


def count(tests: Iterable[Test], *states: str) -> int:
    """How many tests are in one of some states."""
    return sum(test.state in states for test in tests)


def summary(tests: list[Test], witnessed: dict[tuple[str, str], list[dict[str, Any]]]) -> list[str]:
    """The counts of each flow and of all."""
    lines = [
        "| flow | tests | left out | not exported | exported broken | run | pass by upstream's tolerance | by ours "
        "| by ours, or as ExecuTorch's runtime | fail |",
        "|---" * 10 + "|",
    ]
    flows = sorted({test.flow for test in tests})
    for flow in [*flows, "all"]:
        chosen = [test for test in tests if flow in (test.flow, "all")]
        passed, run = count(chosen, "passed"), count(chosen, "passed", "upstream only", "failed")
        wrong = [test for test in chosen if test.state in ("upstream only", "failed")]
        agreeing = sum(agrees(witnessed.get((test.flow, test.name))) for test in wrong)
        shares = [f"{number} ({100 * number / run:.1f} %)" if run else "0" for number in (passed, passed + agreeing)]
        cells = [flow, len(chosen), count(chosen, "left out"), count(chosen, "not exported"), count(chosen, "broken"), run]
        cells += [count(chosen, "passed", "upstream only"), *shares, count(chosen, "failed")]
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return lines


def reach(tests: Iterable[Test]) -> list[str]:
    """How much of upstream's suites each flow has been through."""
    tests = list(tests)
    lines = ["", "## How far it has come", "", "| flow | operators, of 467 | networks, of 42 | delegate, of 101 |", "|---|---|---|---|"]
    for flow in FLOWS:
        names = [test.name for test in tests if test.flow == flow]
        networks = [name for name in names if name.startswith(("test_torchvision", "test_torchaudio"))]
        delegate = [name for name in names if name.startswith("test_vulkan_delegate")]
        operators = sum(not name.startswith(("test_torch", "test_vulkan_delegate")) for name in names)
        cells = ["", "", len(delegate)] if flow == DELEGATE else [operators, len(networks), ""]
        lines.append(f"| {flow} | {' | '.join(map(str, cells))} |")
    return lines


def details(tests: list[Test], state: str, title: str) -> list[str]:
    """The tests in a state, with what they say."""
    chosen = [test for test in tests if test.state == state]
    if not chosen:
        return []
    lines = ["", f"### {title}", "", "| test | what it says |", "|---|---|"]
    return lines + [f"| `{test.name}` | {test.why} |" for test in chosen]


def witnesses(results: Path, device: str) -> dict[tuple[str, str], list[dict[str, Any]]]:
    """What ExecuTorch's own runtime makes of programs that are not right by our tolerance on a device, by flow and test."""
    path = results / f"{device}.{WITNESS}"
    lines = last_lines(path) if path.is_file() else []
    return {(line["flow"], line["test"]): line["calls"] for line in lines}


def agrees(calls: list[dict[str, Any]] | None) -> bool:
    """Whether programs that are not right are as ExecuTorch's own runtime has them, by our tolerance."""
    return bool(calls) and all(call.get("agree") for call in calls or [])


def beside(tests: list[Test], witnessed: dict[tuple[str, str], list[dict[str, Any]]]) -> list[str]:
    """The table of programs that are not right by our tolerance and of what ExecuTorch's own runtime makes of them."""
    wrong = [(test.flow, test.name) for test in tests if test.state in ("failed", "upstream only")]
    chosen = [key for key in wrong if key in witnessed]
    if not chosen:
        return []
    lines = ["", f"### {WITNESSED}", "", *BESIDE.splitlines(), ""]
    lines += ["| test | its runtime off PyTorch | pteron off PyTorch | pteron off its runtime | within our tolerance of it |"]
    lines += ["|---" * 5 + "|"]
    for key in chosen:
        for call in witnessed[key]:
            figures = [f"{call[name]:.2g}" if name in call else "" for name in ("theirs", "ours", "between")]
            agree = call["error"].splitlines()[0] if call["error"] else "yes" if call["agree"] else "no"
            lines.append(f"| `{key[1]}` | {' | '.join(figures)} | {agree} |")
    return lines


def listing(reports: dict[str, dict[tuple[str, str], Test]], flow: str) -> list[str]:
    """Every test of a flow: what was exported and delegated, and what became of it on each device."""
    names = sorted({name for report in reports.values() for of, name in report if of == flow})
    devices = [title(device, report) for device, report in reports.items()]
    lines = ["", f"<details><summary>{flow}: {len(names)} tests</summary>", ""]
    lines += [f"| test | programs | exported | delegated | {' | '.join(f'right on {device}' for device in devices)} |"]
    lines += ["|---" * (4 + len(devices)) + "|"]
    for name in names:
        found = [report.get((flow, name)) for report in reports.values()]
        first = next(test for test in found if test is not None)
        delegated = sum(call["delegated"] > 0 for call in first.exported)
        states = ["not run" if test is None else STATES.get(test.state, test.state) for test in found]
        cells = [f"`{name}`", len(first.calls), len(first.exported), delegated, *states]
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return [*lines, "", "</details>"]


def unexplained(results: Path) -> list[str]:
    """The tests that are not right by our tolerance on some device, nor as ExecuTorch's own runtime has them, and of which the notes
    say nothing."""
    # The first section tells of failures.
    told = notes().partition("\n## ")[0]
    found = []
    for path in sorted(results.glob("*.jsonl")):
        witnessed = witnesses(results, path.stem)
        for key, test in read(path).items():
            name = test.name.rsplit("::", 1)[-1].split("[")[0]
            explained = f"`{name}`" in told or agrees(witnessed.get(key))
            if test.state in ("failed", "upstream only") and not explained:
                found.append(f"{path.stem}: {test.flow}: {test.name}: {test.why}")
    return found


def notes() -> str:
    """What is known of tests that fail."""
    path = Path(__file__).with_name("notes.md")
    return path.read_text() if path.is_file() else ""


def write_page(results: Path, page: Path) -> None:
    """Writes the page of all results, with the notes that are kept beside this script."""
    reports = {path.stem: read(path) for path in sorted(results.glob("*.jsonl"))}
    lines = [*INTRODUCTION.splitlines(), *reach(reports.get("cpu", {}).values())]
    for device, report in reports.items():
        tests, witnessed = list(report.values()), witnesses(results, device)
        lines += ["", f"## On {title(device, report)}", "", *summary(tests, witnessed)]
        lines += details(tests, "failed", FAILED)
        lines += details(tests, "broken", BROKEN)
        lines += details(tests, "upstream only", UPSTREAM_ONLY)
        lines += beside(tests, witnessed)
    if told := notes():
        lines += ["", *told.splitlines()]
    lines += ["", f"## {EVERY}"]
    for flow in sorted({flow for report in reports.values() for flow, _ in report}):
        lines += listing(reports, flow)
    of_exporter = reports.get("cpu", {}).values()
    exporting = [test for test in of_exporter if test.state == "not exported" or len(test.exported) < len(test.calls)]
    if exporting:
        lines += ["", f"## {REFUSED}", "", "| test | programs | refused | what it says |", "|---|---|---|---|"]
    for test in exporting:
        refused = [call for call in test.calls if call not in test.exported]
        error = refused[0]["error"] if refused else test.error
        text = (error.splitlines() or [""])[0].replace("|", "\\|")[:200]
        lines.append(f"| `{test.name}` | {len(test.calls)} | {len(refused)} | {text} |")
    page.write_text("\n".join(lines) + "\n")
