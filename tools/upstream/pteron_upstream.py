"""A pytest plugin that lets ExecuTorch's own tests run their programs through pteron, and notes what became of each.

The tests call `_load_for_executorch_from_buffer`, which several modules import under its name; it is replaced where it comes
from, before any of them is imported. Nothing else of a test changes, except that graphs of which nothing was delegated run
too, as do those with operators that ExecuTorch's portable kernels lack, and that a test which exports several programs goes on
after one that fails.

`--pteron-report FILE` appends a line of JSON for each test, and keeps programs, inputs and expected outputs in `programs` beside
it. `--pteron-first N` runs only the first tests of each file and flow, `--pteron-rest` only what the report does not have, and
`--pteron-limit S` gives up a test after so many seconds of processor time. The variable `PTERON_DEVICE` chooses the device.
"""

import copy
import functools
import gc
import json
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FunctionType, SimpleNamespace
from typing import Any

import executorch.extension.pybindings.portable_lib as original
import pytest
import torch
from kept import Kept, Run, close, tensors
from pteron import portable_lib

# Before anything imports the name.
original._load_for_executorch_from_buffer = portable_lib._load_for_executorch_from_buffer

from executorch.backends.test.harness.stages import Serialize  # noqa: E402
from executorch.backends.test.harness.tester import Tester  # noqa: E402
from executorch.backends.test.suite import runner  # noqa: E402
from executorch.backends.test.suite.flow import all_flows  # noqa: E402
from executorch.backends.test.suite.reporting import TestResult  # noqa: E402
from executorch.backends.vulkan.patterns import fusable_patterns  # noqa: E402
from executorch.backends.xnnpack.quantizer import xnnpack_quantizer_utils as patterns  # noqa: E402
from torch._export import utils as export_utils  # noqa: E402
from torch._ops import OperatorBase  # noqa: E402
from torch.fx.traceback import NodeSource  # noqa: E402
from torch.utils._pytree import tree_flatten  # noqa: E402
from torchao.quantization.pt2e.observer import HistogramObserver  # noqa: E402

OURS = {TestResult.PTE_LOAD_FAIL, TestResult.PTE_RUN_FAIL, TestResult.OUTPUT_MISMATCH_FAIL}
"""Results of a program that was exported and did not run rightly."""


class Notes:
    """What the current test did so far."""

    def __init__(self) -> None:
        self.folder: Path | None = None
        self.begin("")

    def begin(self, test: str) -> None:
        """A new test begins."""
        self.test = test
        self.quantized: Any = None
        self.calls: list[dict[str, Any]] = []
        self.forget()

    def forget(self) -> None:
        """A new program begins."""
        self.program = b""
        self.runs: list[Run] = []
        self.close = True
        self.atol = self.rtol = 0.0
        self.first_output_only = False

    def add(self, result: TestResult, delegated: int, error: Exception | None) -> None:
        """What became of a program, which is kept where it was exported."""
        kept = ""
        if self.program and self.runs and self.folder is not None:
            kept = f"{self.test}/{len(self.calls)}"
            Kept(self.program, self.runs, self.atol, self.rtol, self.first_output_only).write(self.folder / kept)
        self.calls.append(
            {
                "result": result.name.lower(),
                "delegated": delegated,
                "close": self.close and result.is_success(),
                "error": "" if error is None else f"{type(error).__name__}: {error}"[:600],
                "kept": kept,
            }
        )


NOTES = Notes()


def flow_of(item: pytest.Item) -> str:
    """The flow of a test; those of the delegate have none."""
    return str(getattr(getattr(item, "callspec", None), "params", {}).get("test_runner", "vulkan delegate"))


def name_of(item: pytest.Item) -> str:
    """A test's name with its file and without the folder."""
    return item.nodeid.rsplit("/", 1)[-1]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the options of the report."""
    parser.addoption("--pteron-report", type=Path, help="append a line of JSON for each test to this file")
    parser.addoption("--pteron-first", type=int, help="only so many tests of each file and flow")
    parser.addoption("--pteron-rest", action="store_true", help="only tests that are not in the report")
    parser.addoption("--pteron-limit", type=float, help="give up a test after so many seconds of processor time")


def pytest_configure(config: pytest.Config) -> None:
    """Knows the mark that upstream's tests carry, and where programs are kept."""
    config.addinivalue_line("markers", "timeout: upstream's limit of a test, which this plugin does not keep")
    report = config.getoption("--pteron-report")
    NOTES.folder = None if report is None else report.with_name("programs")


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makeitem(name: str, obj: Any) -> None:
    """Lets the tests of the delegate tell of their programs."""
    if name == "TestVulkanBackend" and isinstance(obj, type):
        # A graph of which nothing was delegated is a program like any other.
        obj.check_vk_delegation = lambda self, et_program: None
        module = sys.modules[obj.__module__]
        module.convert_pt2e = quantizing(module.convert_pt2e)
        obj.run_delegated_model_and_check_output = checking(obj.run_delegated_model_and_check_output)
        # These were left out for the sake of another driver.
        for member, test in list(vars(obj).items()):
            if member.startswith("test_") and hasattr(test, "__wrapped__"):
                setattr(obj, member, test.__wrapped__)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out what is known, and what is more than was asked for."""
    if (most := config.getoption("--pteron-first")) is not None:
        seen: Counter[tuple[str, Path]] = Counter()
        chosen = []
        for item in items:
            seen[flow_of(item), item.path] += 1
            if seen[flow_of(item), item.path] <= most:
                chosen.append(item)
        items[:] = chosen
    report = config.getoption("--pteron-report")
    if config.getoption("--pteron-rest") and report is not None and report.is_file():
        lines = map(json.loads, report.read_text().splitlines())
        known = {(line["flow"], line["test"]) for line in lines}
        items[:] = [item for item in items if (flow_of(item), name_of(item)) not in known]


def noting(run_test: Callable[..., Any]) -> Callable[..., Any]:
    """Upstream's function for one program, which also notes what became of it, and goes on where it failed."""

    @functools.wraps(run_test)
    def run(*arguments: Any, **options: Any) -> Any:
        NOTES.forget()
        summary = run_test(*arguments, **options)
        NOTES.add(summary.result, sum((summary.delegated_op_counts or {}).values()), summary.error)
        summary.result = TestResult.SUCCESS
        return summary

    return run


def measuring(compare: Callable[..., Any]) -> Callable[..., Any]:
    """Upstream's run and comparison of a program, which notes the tolerance."""

    @functools.wraps(compare)
    def run(self: Any, *arguments: Any, atol: float = 1e-3, rtol: float = 1e-3, **options: Any) -> Any:
        NOTES.atol, NOTES.rtol = atol, rtol
        return compare(self, *arguments, atol=atol, rtol=rtol, **options)

    return run


def expecting(reference: Callable[..., Any]) -> Callable[..., Any]:
    """Upstream's call of eager PyTorch, which notes what came out."""

    @functools.wraps(reference)
    def run(program: Any, inputs: Any) -> Any:
        outputs, step = reference(program, inputs)
        expected = [tensor.detach().clone() for tensor in tensors(outputs)]
        NOTES.runs.append(Run([], expected, None if step is None else float(step)))
        return outputs, step

    return run


def serialized(run_artifact: Callable[..., Any]) -> Callable[..., Any]:
    """Upstream's call of a program, which notes what goes in and whether what comes out is close by our tolerance."""

    @functools.wraps(run_artifact)
    def run(self: Any, inputs: Any) -> Any:
        NOTES.program = self.buffer
        NOTES.runs[-1].inputs = copied(inputs)
        outputs = run_artifact(self, inputs)
        NOTES.close = NOTES.close and close(tensors(outputs), NOTES.runs[-1])
        return outputs

    return run


def checking(check: Callable[..., None]) -> Callable[..., None]:
    """The delegate tests' run and comparison of a program, which notes everything and goes on where it failed."""

    @functools.wraps(check)
    def check_and_note(self: Any, et_program: Any, model: Any, sample_inputs: Any, atol: float = 1e-3, rtol: float = 1e-1,
            test_inputs: Any = None, first_output_only: bool = False) -> None:  # fmt: skip
        NOTES.forget()
        NOTES.program, NOTES.atol, NOTES.rtol = et_program.buffer, atol, rtol
        NOTES.first_output_only = first_output_only
        for inputs in [sample_inputs, *(test_inputs or [])]:
            given, expected = copied(inputs), [tensor.detach().clone() for tensor in tensors(model(*inputs))]
            run = Run(given, expected[:1] if first_output_only else expected)
            if NOTES.quantized is not None:
                run.quantized, run.step = tensors(NOTES.quantized(*inputs)), last_step(NOTES.quantized)
            NOTES.runs.append(run)
        delegated = len(et_program.executorch_program.execution_plan[0].delegates)
        try:
            check(self, et_program, model, sample_inputs, atol, rtol, test_inputs, first_output_only)
            module = portable_lib._load_for_executorch_from_buffer(et_program.buffer)
            for call in NOTES.runs:
                outputs = tensors(module.run_method("forward", tuple(call.inputs)))
                NOTES.close = NOTES.close and close(outputs[:1] if first_output_only else outputs, call)
            NOTES.add(TestResult.SUCCESS, delegated, None)
        except AssertionError as error:
            NOTES.add(TestResult.OUTPUT_MISMATCH_FAIL, delegated, error)
        except Exception as error:  # noqa: BLE001: whatever fails is what is asked
            NOTES.add(TestResult.PTE_RUN_FAIL, delegated, error)

    return check_and_note


def quantizing(convert: Callable[..., Any]) -> Callable[..., Any]:
    """The last step of a quantization, which notes the network that it gives."""

    @functools.wraps(convert)
    def run(*arguments: Any, **options: Any) -> Any:
        NOTES.quantized = convert(*arguments, **options)
        return NOTES.quantized

    return run


def last_step(network: Any) -> float | None:
    """The step of a network's output, where it is quantized."""
    [returned] = [node.args[0] for node in network.graph.nodes if node.op == "output"]
    for node in returned if isinstance(returned, (list, tuple)) else [returned]:
        if node.target == torch.ops.quantized_decomposed.dequantize_per_tensor.default:
            return float(node.args[1])
    return None


def copied(inputs: Any) -> list[Any]:
    """Inputs in order, as they are before the call."""
    return [value.detach().clone() if isinstance(value, torch.Tensor) else value for value in tree_flatten(inputs)[0]]


@contextmanager
def limited(seconds: float | None) -> Iterator[None]:
    """Interrupts what takes more processor time than it may; upstream then says at which stage a program was."""

    def give_up(*_: Any) -> None:
        raise TimeoutError(f"not done after {seconds:g} s of processor time")

    if seconds is None:
        yield
        return
    signal.signal(signal.SIGPROF, give_up)
    signal.setitimer(signal.ITIMER_PROF, seconds, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Any:
    """A test of which a program failed has failed."""
    NOTES.begin(f"{flow_of(item)}/{name_of(item)}")
    with limited(item.config.getoption("--pteron-limit")):
        result = yield
    failed = [call for call in NOTES.calls if TestResult[call["result"].upper()] in OURS]
    if failed:
        pytest.fail(failed[0]["error"], pytrace=False)
    if NOTES.calls and all(call["result"] != "success" for call in NOTES.calls):
        pytest.skip(NOTES.calls[0]["error"])
    return result


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Any:
    """Appends what became of a test to the report."""
    if call.when == "setup":
        NOTES.begin("")
    report = yield
    path = item.config.getoption("--pteron-report")
    if path is not None and report.when != "teardown" and not (report.when == "setup" and report.passed):
        entry = {
            "test": name_of(item),
            "flow": flow_of(item),
            "outcome": report.outcome,
            "seconds": round(report.duration, 2),
            "calls": NOTES.calls,
            "error": "" if report.passed else str(report.longreprtext).strip().splitlines()[-1][:600],
        }
        with path.open("a") as lines:
            lines.write(json.dumps(entry) + "\n")
    return report


def once_for_each(collect: Callable[[Any], set[Any]]) -> Callable[[Any], set[Any]]:
    """PyTorch's search of a namespace for composite operators, which is done again only where namespaces were added."""
    known: dict[tuple[str, int], set[Any]] = {}

    @functools.wraps(collect)
    def search(namespace: Any) -> set[Any]:
        key = (namespace.name, len(torch.ops._dir))
        if key not in known:
            known[key] = collect(namespace)
        return known[key]

    return search


def exported_once(export: Callable[..., torch.fx.GraphModule]) -> Callable[..., torch.fx.GraphModule]:
    """The quantizer's export of a pattern that it looks for, which is done once for each pattern."""
    known: dict[tuple[Any, ...], torch.fx.GraphModule] = {}

    @functools.wraps(export)
    def pattern_of(pattern: Any, inputs: Any, *options: Any) -> torch.fx.GraphModule:
        # The pattern is a function that knows its kind by what it closes over.
        key = (pattern.fn.__code__, *(cell.cell_contents for cell in pattern.fn.__closure__ or ()), *options)
        if key not in known:
            known[key] = export(pattern, inputs, *options)
        return copy.deepcopy(known[key])

    return pattern_of


def quick(py_impl: Callable[..., Any]) -> Callable[..., Any]:
    """PyTorch's registration of a kernel in Python, which spares the types that it writes out each time."""

    @functools.wraps(py_impl)
    def register(self: Any, key: Any) -> Callable[[Any], Any]:
        known = isinstance(key, torch._C.DispatchKey) and key != torch._C.DispatchKey.Python and key not in self.py_kernels
        if not known:
            return py_impl(self, key)

        def take(kernel: Any) -> Any:
            self.py_kernels[key] = kernel
            self._dispatch_cache.clear()
            return kernel

        return take

    return register


def searched_in_numbers(search: Callable[..., Any]) -> Callable[..., Any]:
    """The quantizer's search of a histogram for a range, which steps through numbers rather than through tensors.

    NumPy's compare with the search's own numbers as tensors do: in `float32`.
    """
    sums = SimpleNamespace(sum=torch.sum, cumsum=lambda values, dim: list(torch.cumsum(values, dim).numpy()))
    return FunctionType(search.__code__, {**search.__globals__, "torch": sums})


def hasten() -> None:
    """Lets the exporter do once what it does for each program, and spares it what is slow; its results are the same."""
    # The exporter registers the function without the cache around it.
    for pattern in fusable_patterns.values():
        if pattern.get_graphs_fn is not None:
            pattern.get_graphs_fn = functools.cache(pattern.get_graphs_fn)
    OperatorBase.py_impl = quick(OperatorBase.py_impl)
    export_utils._collect_all_valid_cia_ops_for_namespace = once_for_each(
        export_utils._collect_all_valid_cia_ops_for_namespace
    )
    patterns._get_aten_graph_module_for_pattern = exported_once(patterns._get_aten_graph_module_for_pattern)
    # Where a node comes from does not change; every pass would copy all of it for every node.
    NodeSource.__deepcopy__ = lambda self, memo: self
    HistogramObserver._non_linear_param_search = searched_in_numbers(HistogramObserver._non_linear_param_search)
    # What is imported stays, so nobody need look through it for garbage again and again.
    gc.freeze()
    gc.set_threshold(100_000, 10, 10)


def install() -> None:
    """Makes upstream run every program and tell of it."""
    for flow in all_flows().values():
        flow.is_delegated = False
        # These were left out for the sake of another driver.
        flow.skip_patterns = [pattern for pattern in flow.skip_patterns if pattern not in ("float16", "float64")]
    runner.UNSUPPORTED_PORTABLE_OPS = set()
    runner._graph_has_unsupported_patterns = lambda program: False
    runner.run_test = noting(runner.run_test)
    Serialize.run_artifact = serialized(Serialize.run_artifact)
    Tester.run_method_and_compare_outputs = measuring(Tester.run_method_and_compare_outputs)
    Tester._calculate_reference_output = staticmethod(expecting(Tester._calculate_reference_output))


# The tests import these names when they are collected.
hasten()
install()
