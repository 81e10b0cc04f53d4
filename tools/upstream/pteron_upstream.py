"""A pytest plugin that lets ExecuTorch's own tests run their programs through pteron, and notes what became of each.

The tests call `_load_for_executorch_from_buffer`, which several modules import under its name; it is replaced where it comes
from, before any of them is imported. Nothing else of a test changes, except that graphs of which nothing was delegated run
too, as do those with operators that ExecuTorch's portable kernels lack: they are programs like any other.

`--pteron-report FILE` appends a line of JSON for each test. The variable `PTERON_DEVICE` chooses the device.
"""

import functools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import executorch.extension.pybindings.portable_lib as original
import pytest
import torch
from pteron import portable_lib

# Before anything imports the name.
original._load_for_executorch_from_buffer = portable_lib._load_for_executorch_from_buffer

from executorch.backends.test.harness.tester import Tester  # noqa: E402
from executorch.backends.test.suite import runner  # noqa: E402
from executorch.backends.test.suite.flow import all_flows  # noqa: E402
from executorch.backends.vulkan.patterns import fusable_patterns  # noqa: E402

ATOL = RTOL = 1e-3
"""Our tolerance of floats, against upstream's 0.1 and 0.04."""


class Notes:
    """What the current test did so far."""

    def __init__(self) -> None:
        self.calls: list[dict[str, Any]] = []
        self.close = True

    def begin(self) -> None:
        """A new test begins."""
        self.calls, self.close = [], True


NOTES = Notes()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the option for the report."""
    parser.addoption("--pteron-report", type=Path, help="append a line of JSON for each test to this file")


def pytest_configure(config: pytest.Config) -> None:
    """Knows the mark that upstream's tests carry."""
    config.addinivalue_line("markers", "timeout: upstream's limit of a test, which this plugin does not keep")


def noting(run_test: Callable[..., Any]) -> Callable[..., Any]:
    """Upstream's function for one program, which also notes what became of it."""

    @functools.wraps(run_test)
    def run(*arguments: Any, **options: Any) -> Any:
        NOTES.close = True
        summary = run_test(*arguments, **options)
        delegated = sum((summary.delegated_op_counts or {}).values())
        NOTES.calls.append(
            {
                "result": summary.result.name.lower(),
                "delegated": delegated,
                "close": NOTES.close and summary.result.is_success(),
                "error": "" if summary.error is None else f"{type(summary.error).__name__}: {summary.error}"[:600],
            }
        )
        return summary

    return run


def comparing(compare: Callable[..., None]) -> Callable[..., None]:
    """Upstream's comparison, which also compares by our tolerance: one step of a quantized output, else 1e-3."""

    @functools.wraps(compare)
    def both(reference: Any, outputs: Any, quantization_scale: float | None = None, *rest: Any, **options: Any) -> None:
        expected = (reference,) if isinstance(reference, torch.Tensor) else tuple(
            reference.values() if isinstance(reference, dict) else reference
        )
        given = (outputs,) if isinstance(outputs, torch.Tensor) else tuple(outputs)
        atol = max(ATOL, 1.01 * (quantization_scale or 0.0))
        for ours, theirs in zip(given, expected, strict=True):
            same = ours.shape == theirs.shape and torch.allclose(
                ours.double(), theirs.detach().double(), atol=atol, rtol=RTOL, equal_nan=True
            )
            NOTES.close = NOTES.close and same
        compare(reference, outputs, quantization_scale, *rest, **options)

    return both


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Any:
    """Appends what became of a test to the report."""
    if call.when == "setup":
        NOTES.begin()
    outcome = yield
    report = outcome.get_result()
    path = item.config.getoption("--pteron-report")
    if path is None or (report.when != "call" and report.passed) or report.when == "teardown":
        return
    parameters = getattr(getattr(item, "callspec", None), "params", {})
    entry = {
        "test": item.nodeid.rsplit("/", 1)[-1],
        "flow": str(parameters.get("test_runner", "vulkan delegate")),
        "outcome": report.outcome,
        "seconds": round(report.duration, 2),
        "calls": NOTES.calls,
        "error": "" if report.passed else str(report.longreprtext).strip().splitlines()[-1][:600],
    }
    with path.open("a") as lines:
        lines.write(json.dumps(entry) + "\n")


def install() -> None:
    """Makes upstream run every program and tell of it, and makes its exporter build its patterns once."""
    for flow in all_flows().values():
        flow.is_delegated = False
        # These were left out for the sake of another driver.
        flow.skip_patterns = [pattern for pattern in flow.skip_patterns if pattern not in ("float16", "float64")]
    runner.UNSUPPORTED_PORTABLE_OPS = set()
    runner._graph_has_unsupported_patterns = lambda program: False
    # The exporter registers the function without the cache around it; the graphs take most of an export's time.
    for pattern in fusable_patterns.values():
        if pattern.get_graphs_fn is not None:
            pattern.get_graphs_fn = functools.cache(pattern.get_graphs_fn)
    runner.run_test = noting(runner.run_test)
    Tester._compare_outputs = staticmethod(comparing(Tester._compare_outputs))


# The tests import these names when they are collected.
install()
