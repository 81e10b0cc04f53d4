"""What a fixture is, how it is exported with the stock exporter, and how it is written to disk.

A case is one `Case` entry of a module in `cases/`. Its inputs and weights are drawn after seeding with the case's
path, so a case never depends on the ones before it. Expected values come from eager PyTorch in double precision, cast
down to the program's types; the runtime under test has no part in them.
"""

import copy
import functools
import json
import logging
import warnings
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import executorch.backends.vulkan.custom_ops_lib  # noqa: F401  (registers torch.ops.et_vk)
import torch
from executorch.backends.vulkan.partitioner.vulkan_partitioner import VulkanPartitioner
from executorch.backends.vulkan.patterns import fusable_patterns
from executorch.exir import (
    EdgeProgramManager,
    ExecutorchBackendConfig,
    to_edge_transform_and_lower,
)
from executorch.extension.pybindings.portable_lib import _load_for_executorch_from_buffer
from safetensors.torch import save_file
from torch import Tensor, nn

from program import Program

# The exporter means to build its pattern graphs once, but registers the function without the cache around it; they take
# most of an export's time.
for pattern in fusable_patterns.values():
    if pattern.get_graphs_fn is not None:
        pattern.get_graphs_fn = functools.cache(pattern.get_graphs_fn)

# The partitioner sets the root logger to INFO when it is imported, and warns when a case has nothing for it.
logging.getLogger().setLevel(logging.ERROR)
warnings.filterwarnings("ignore", module="executorch.exir.emit")

Tensors = tuple[Tensor, ...]
Plain = int | float | bool | None
"""An input that is no tensor. The program keeps the value that it was exported with; of a string it would keep nothing."""
Inputs = tuple[Tensor | Plain, ...]
Source = Callable[[], Tensor | Plain]
"""Draws one input after the case's seed is set."""

KINDS = {int: "int", float: "float", bool: "bool", type(None): "null"}
"""What `case.json` calls the types of plain inputs."""


class Fn(nn.Module):
    """A module without state that applies `function` to its inputs."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__()
        self.function = function

    def forward(self, *inputs: Tensor) -> Any:
        return self.function(*inputs)


def fn(function: Callable[..., Any]) -> Callable[[], nn.Module]:
    """The module of a case that is a plain function of its inputs."""
    return lambda: Fn(function)


def f32(*shape: int, scale: float = 1.0) -> Source:
    """Normal values of standard deviation `scale`."""
    return lambda: torch.randn(shape) * scale


def ints(*shape: int, dtype: torch.dtype = torch.int32, low: int = -1000, high: int = 1000) -> Source:
    """Integers from `low` to `high`, both included."""
    return lambda: torch.randint(low, high + 1, shape, dtype=dtype)


def given(values: Any, dtype: torch.dtype | None = None) -> Source:
    """The values themselves."""
    return lambda: torch.tensor(values, dtype=dtype)


def plain(value: Plain) -> Source:
    """The value as it is, which is no tensor."""
    return lambda: value


@dataclass(frozen=True)
class Lowered:
    """An exported program and the files that go beside it."""

    program: bytes
    files: dict[str, bytes] = field(default_factory=dict)


@dataclass(frozen=True)
class Case:
    """One fixture folder: a program, its inputs step by step, and what it must give."""

    path: str
    """Folder under `fixtures/`, such as `ops/add/alpha`; also the seed."""
    module: Callable[[], nn.Module]
    steps: Sequence[Sequence[Source]]
    operators: Sequence[str] = ()
    """Operators that the method's delegates must hold."""
    kernels: Sequence[str] | None = ()
    """Portable operators that must run outside the delegates: exactly these, in this order; any where it is `None`."""
    instructions: Sequence[str] | None = None
    """The kinds of the method's instructions, where the case is about them."""
    dynamic: Sequence[Any] | None = None
    """Dynamic shapes as `torch.export` takes them: one entry per input."""
    example: int = 0
    """The step that the program is exported with."""
    options: dict[str, Any] = field(default_factory=dict)
    """Compile options of the partitioner."""
    delegated: bool = True
    """Whether the partitioner takes part in the export."""
    lower: "Callable[[Case, nn.Module, Inputs], Lowered] | None" = None
    """Replaces the usual export."""
    expect: Callable[[nn.Module, Inputs], Sequence[Tensor]] | None = None
    """Replaces the eager call, where the program's outputs are not the module's results."""
    verify: Callable[[Program, Inputs, Tensors], None] | None = None
    """Asserts, for every step, the expected values in a second, independent way."""
    double: bool = True
    """Whether the expected values are computed in double precision."""
    stock: bool = False
    """Whether the expected values are the stock runtime's, where it rounds in a way of its own."""
    method: str = "forward"
    atol: float = 1e-5
    rtol: float = 1e-5
    scaled: bool = False
    """Whether `atol` is a fraction of the largest expected value, for results of a size that is not known beforehand."""
    stateful: bool = False
    needs: Sequence[str] = ()
    extra: dict[str, Any] = field(default_factory=dict)
    """More fields of `case.json`."""


@dataclass(frozen=True)
class Written:
    """What the summary says about a case."""

    path: str
    operators: list[str]
    kernels: list[str]
    size: int


def export(case: Case, module: nn.Module, inputs: Inputs) -> torch.export.ExportedProgram:
    """Export `module` for inputs like these."""
    dynamic: Any = case.dynamic
    if dynamic is not None:
        # A variadic forward takes its inputs as one argument.
        dynamic = (tuple(dynamic),) if isinstance(module, Fn) else tuple(dynamic)
    return torch.export.export(module, inputs, dynamic_shapes=dynamic, strict=False)


def to_edge(case: Case, exported: Any, **options: Any) -> EdgeProgramManager:
    """Lower an exported program, or a dict of them, as a user of the stock exporter does."""
    partitioner = [VulkanPartitioner(dict(case.options))] if case.delegated else []
    return to_edge_transform_and_lower(exported, partitioner=partitioner, **options)


def lower(case: Case, module: nn.Module, inputs: Inputs) -> Lowered:
    """The usual export: one method, everything in one file."""
    edge = to_edge(case, export(case, module, inputs))
    return Lowered(edge.to_executorch(ExecutorchBackendConfig()).buffer)


def write(case: Case, root: Path) -> Written:
    """Make the case and write its folder under `root`."""
    torch.manual_seed(zlib.crc32(case.path.encode()))
    module = case.module().eval()
    steps: list[Inputs] = [tuple(source() for source in step) for step in case.steps]
    expected = [] if case.stock else _expected(case, module, steps)
    if case.scaled:
        case = replace(case, atol=case.atol * min(float(wanted.abs().max()) for step in expected for wanted in step))
    inputs = _cloned(steps[case.example])
    lowered = (case.lower or lower)(case, copy.deepcopy(module), inputs)

    if case.stock:
        expected = [_stock_runtime(lowered.program, case.method, step) for step in steps]

    program = Program.read(lowered.program)
    method = program.method(case.method)
    missing = set(case.operators) - set(method.operators)
    assert not missing, f"{case.path}: {missing} not in {method.operators}"
    if case.kernels is not None:
        assert method.kernels == list(case.kernels), f"{case.path}: kernels are {method.kernels}"
    if case.instructions is not None:
        assert method.instructions == list(case.instructions), f"{case.path}: {method.instructions}"

    folder = root / case.path
    folder.mkdir(parents=True, exist_ok=True)
    for stale in folder.iterdir():
        stale.unlink()
    (folder / "model.pte").write_bytes(lowered.program)
    for name, data in lowered.files.items():
        (folder / name).write_bytes(data)

    entries = []
    for index, (step, wanted) in enumerate(zip(steps, expected, strict=True)):
        if case.verify is not None:
            case.verify(program, step, wanted)
        entry = {"inputs_file": f"step{index}.inputs.safetensors", "expected_file": f"step{index}.expected.safetensors"}
        _save(folder / entry["inputs_file"], step)
        _save(folder / entry["expected_file"], wanted)
        if not all(isinstance(value, Tensor) for value in step):
            entry["inputs"] = [_described(value) for value in step]
        entries.append(entry)
    _write_json(folder / "case.json", case, entries)
    size = sum(file.stat().st_size for file in folder.iterdir())
    return Written(case.path, method.operators, method.kernels, size)


def _expected(case: Case, module: nn.Module, steps: list[Inputs]) -> list[Tensors]:
    """Run every step in eager mode, in single and double precision, and cast the latter down."""
    call = case.expect or (lambda module, inputs: module(*inputs))
    single, double = copy.deepcopy(module), copy.deepcopy(module).double()
    results = []
    with torch.no_grad():
        for step in steps:
            rounded = _tuple(call(single, _cloned(step)))
            if not case.double:
                results.append(rounded)
                continue
            precise = _tuple(call(double, tuple(_widened(value) for value in _cloned(step))))
            results.append(tuple(wide.to(like.dtype) for wide, like in zip(precise, rounded, strict=True)))
            for like, result in zip(rounded, results[-1], strict=True):
                torch.testing.assert_close(like, result, atol=case.atol, rtol=case.rtol, equal_nan=True)
    return results


def _stock_runtime(program: bytes, method: str, inputs: Inputs) -> Tensors:
    """What the stock runtime makes of one call; a runtime that has run other sizes can be wrong, so it is a fresh one."""
    return tuple(_load_for_executorch_from_buffer(program).run_method(method, inputs))


def _tuple(outputs: Any) -> Tensors:
    return (outputs,) if isinstance(outputs, Tensor) else tuple(outputs)


def _cloned(inputs: Inputs) -> Inputs:
    return tuple(value.clone() if isinstance(value, Tensor) else value for value in inputs)


def _widened(value: Tensor | Plain) -> Tensor | Plain:
    return value.double() if isinstance(value, Tensor) and value.is_floating_point() else value


def _save(path: Path, values: Inputs) -> None:
    """The tensors among the values, by their numbers."""
    tensors = {str(index): value for index, value in enumerate(values) if isinstance(value, Tensor)}
    save_file({name: tensor.detach().clone().contiguous() for name, tensor in tensors.items()}, path)


def _described(value: Tensor | Plain) -> dict[str, Any]:
    """An input as `case.json` has it: what is no tensor with its value."""
    if isinstance(value, Tensor):
        return {"dtype": str(value.dtype).removeprefix("torch."), "shape": list(value.shape)}
    return {"kind": KINDS[type(value)], "value": value}


def _write_json(path: Path, case: Case, steps: list[dict[str, Any]]) -> None:
    *_, operator, name = ("", *case.path.split("/"))
    content: dict[str, Any] = {
        "op": operator,
        "case": name,
        "method": case.method,
        "atol": case.atol,
        "rtol": case.rtol,
        "steps": steps,
    }
    if case.stateful:
        content["stateful"] = True
    if case.stock:
        content["source"] = "runtime"
    if case.needs:
        content["needs"] = list(case.needs)
    path.write_text(json.dumps(content | case.extra, indent=1) + "\n")
