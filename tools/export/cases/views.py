"""Views and numbers outside a delegate: the exporter leaves a view of fixed size out of the program altogether, and
computes the sizes of others with operators on numbers."""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from executorch.backends.vulkan.serialization.vulkan_graph_schema import SymInt
from torch import Tensor, nn
from torch.export import Dim

from lib import Case, Source, Tensors, f32, fn, given
from program import Program

ROWS = Dim("rows", min=2, max=8)
FLIP = "aten::flip.out"


def host(name: str, function: Callable[..., Any], *steps: Sequence[Source], **options: Any) -> Case:
    return Case(f"programs/views/{name}", fn(function), steps, delegated=False, **options)


class Kept(nn.Module):
    """A buffer that is read through a view and then replaced."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("total", torch.zeros(6))

    def forward(self, x: Tensor) -> Tensor:
        seen = self.total.view(2, 3).flip(1)
        self.total += x
        return seen


class Branch(nn.Module):
    """A view of what either way gives."""

    def forward(self, flag: Tensor, x: Tensor) -> Tensor:
        return torch.cond(flag, lambda x: x.flip(0), lambda x: x.flip(1), (x,)).view(3, 2).flip(1)


def mixed(x: Tensor) -> Tensor:
    """A delegate gives the tensor, and another takes its view, after a kernel in between."""
    return torch.fmod((x + x).view(4, 3), 0.7) * 2.0


def numbers(x: Tensor) -> Tensor:
    rows = x.shape[0]
    return x.flip(0).view(rows * 2, 3)[: rows + 1].flip(0)


def hands_on_a_number(program: Program, _inputs: Tensors, _expected: Tensors) -> None:
    """A number must go from one delegate to the other."""
    first, second = program.method("forward").graphs
    ports = ((first, first.output_ids), (second, second.input_ids))
    assert all(any(isinstance(graph.values[id].value, SymInt) for id in ids) for graph, ids in ports)


def across(x: Tensor) -> Tensor:
    """The first delegate hands the size on to the second."""
    rows = x.shape[0]
    return torch.fmod((x + x).view(rows * 2, 3), 0.7).view(rows, 6) * 2.0


CASES = [
    host("of_input", lambda x: x.view(3, 2).flip(0), [f32(2, 3)], kernels=[FLIP]),
    host("of_result", lambda x: x.flip(0).view(6).flip(0), [f32(2, 3)], kernels=[FLIP, FLIP]),
    host("of_view", lambda x: (y := x.flip(0).view(6).unsqueeze(1).view(1, 3, 2), y.flip(1)), [f32(2, 3)], kernels=None),
    host(
        "in_turns", lambda x: x.flip(0).view(3, 2).flip(0).view(2, 3).flip(1).view(6).flip(0), [f32(2, 3)],
        kernels=[FLIP] * 4,
    ),
    host("in_list", lambda x: torch.cat([x.flip(0).view(3, 2), x.flip(1).view(3, 2)], 1), [f32(2, 3)], kernels=None),
    Case("programs/views/of_branch", Branch, [(given(flag), f32(2, 3)) for flag in (True, False)], delegated=False,
         kernels=[FLIP] * 3),
    Case("programs/views/of_state", Kept, [(f32(6),)] * 3, delegated=False, kernels=None, stateful=True),
    Case("programs/views/between_delegates", fn(mixed), [(f32(2, 6),)], kernels=None, operators=["aten.add.Tensor"]),
    Case("programs/views/across_delegates", fn(across), [(f32(8, 6),), (f32(3, 6),), (f32(2, 6),)],
         dynamic=[{0: ROWS}], kernels=["aten::fmod.Scalar_out"], verify=hands_on_a_number),
    host("dynamic", numbers, [f32(8, 6)], [f32(3, 6)], [f32(2, 6)], dynamic=[{0: ROWS}], kernels=None),
]
