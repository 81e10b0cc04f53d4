"""Operators on shape numbers: `sym_size.int`, `et_vk.select_as_symint` and the arithmetic between them."""

from typing import Any
from unittest import mock

import torch
from executorch.backends.vulkan.serialization import vulkan_graph_schema as schema
from executorch.backends.vulkan.serialization.vulkan_graph_builder import VkGraphBuilder
from torch import Tensor, nn
from torch.export import Dim

from lib import Case, Inputs, Lowered, Source, f32, fn, given, lower

ROWS = Dim("rows", min=2, max=16)
SLICE = "aten.slice_copy.Tensor"


class Window(nn.Module):
    """Rows `position..position + count` of a table, as a rotary embedding reads them."""

    def __init__(self, reach: Any) -> None:
        super().__init__()
        self.reach = reach
        self.table = nn.Parameter(torch.randn(24, 6))

    def forward(self, x: Tensor, position: Tensor) -> Tensor:
        start = position[0].item()
        torch._check(start >= 0)
        return self.reach(self.table, start, x)


def from_start(table: Tensor, start: Any, x: Tensor) -> Tensor:
    torch._check(start + x.size(0) <= table.size(0))
    return table.narrow(0, start, x.size(0)) + x


def from_half_start(table: Tensor, start: Any, x: Tensor) -> Tensor:
    torch._check(start // 2 >= 0)
    torch._check(start // 2 + x.size(0) <= table.size(0))
    return table.narrow(0, start // 2, x.size(0)) * x


def at(position: int) -> Source:
    return given([position], torch.int64)


def sizes(
    name: str, function: Any, operators: list[str], *shapes: tuple[int, ...], low: int = 2, multiple: int = 1
) -> Case:
    """A function of one tensor whose first dimension is a dynamic multiple of `multiple`."""
    rows = multiple * Dim("rows", min=low // multiple, max=16 // multiple)
    return Case(
        f"ops/{name}",
        fn(function),
        [(f32(*shape),) for shape in shapes],
        dynamic=[{0: rows}],
        operators=operators,
    )


def window(name: str, reach: Any, operators: list[str], *calls: tuple[int, int]) -> Case:
    """A `Window` with one step per pair of row count and position."""
    return Case(
        f"ops/{name}",
        lambda: Window(reach),
        [(f32(count, 6), at(position)) for count, position in calls],
        dynamic=[{0: ROWS}, None],
        operators=["et_vk.select_as_symint.default", *operators],
    )


def with_assertions(case: Case, module: nn.Module, inputs: Inputs) -> Lowered:
    """The usual export, with what the exporter asserts about a number left in the graph: comparisons of it, and the
    operators that fail where they do not hold. The exporter removes them last of all, after it has partitioned them."""
    build = VkGraphBuilder.build_graph

    def build_graph(builder: VkGraphBuilder) -> schema.VkGraph:
        graph = build(builder)
        place, start = next(
            (place, call.args[-1])
            for place, call in enumerate(graph.chain)
            if call.name == "et_vk.select_as_symint.default"
        )

        def value(content: Any) -> int:
            graph.values.append(schema.VkValue(content))
            return len(graph.values) - 1

        text, nothing, limit = value(schema.String("it holds")), value(schema.Null()), value(schema.Int(3))
        calls = []
        for name in ("eq", "ge", "gt", "le", "lt"):
            truth = value(schema.SymInt(0))
            calls.append(schema.OperatorCall(900, name, [start, limit, truth]))
            calls.append(schema.OperatorCall(901, "aten._assert_scalar.default", [truth, text, nothing]))
        name = "aten.sym_constrain_range_for_size.default"
        calls.append(schema.OperatorCall(902, name, [start, nothing, limit, nothing]))
        graph.chain[place + 1 : place + 1] = calls
        return graph

    with mock.patch.object(VkGraphBuilder, "build_graph", build_graph):
        return lower(case, module, inputs)


CASES = [
    Case(
        "ops/assert_scalar/of_a_start",
        lambda: Window(from_start),
        [(f32(count, 6), at(position)) for count, position in ((5, 3), (2, 0), (16, 8))],
        dynamic=[{0: ROWS}, None],
        operators=["aten._assert_scalar.default", "aten.sym_constrain_range_for_size.default", "ge", SLICE],
        lower=with_assertions,
    ),
    Case(
        "ops/sym_size/slice_end",
        fn(lambda x, y: x[:, : y.size(0)] * 2.0),
        [(f32(3, 17), f32(count)) for count in (5, 2, 16)],
        dynamic=[None, {0: ROWS}],
        operators=["sym_size.int", SLICE],
    ),
    sizes("sym_size/view", lambda x: x.view(x.size(0), 2, 3) + 1.0, ["sym_size.int"], (5, 6), (2, 6), (16, 6)),
    window("select_as_symint/start", from_start, ["add", SLICE], (5, 3), (2, 0), (16, 8), (5, 11)),
    window("sym_add/start_and_count", from_start, ["add", "sym_size.int"], (7, 1), (3, 20), (16, 0)),
    Case(
        "ops/sym_mul/slice_end",
        fn(lambda x, y: x[: y.size(0) * 2] * 2.0),
        [(f32(33, 3), f32(count)) for count in (5, 2, 16)],
        dynamic=[None, {0: ROWS}],
        operators=["sym_size.int", "mul", SLICE],
    ),
    sizes("sym_mul/view", lambda x: x.view(x.size(0) * 3, 2) + 1.0, ["mul"], (5, 6), (2, 6), (16, 6)),
    sizes("sym_sub/drop_last", lambda x: x[: x.size(0) - 1] + 1.0, ["sub", SLICE], (5, 3), (3, 3), (16, 3), low=3),
    Case(
        "ops/sym_sub/two_sizes",
        fn(lambda x, y: x[: x.size(0) - y.size(0)] + 1.0),
        [(f32(longer, 3), f32(shorter)) for longer, shorter in ((20, 5), (24, 8), (17, 2), (17, 8))],
        dynamic=[{0: Dim("longer", min=17, max=24)}, {0: Dim("shorter", min=2, max=8)}],
        operators=["sym_size.int", "sub", SLICE],
    ),
    sizes("sym_floordiv/view", lambda x: x.view(x.size(0) // 2, 2, 3) + 1.0, ["floordiv"],
          (6, 3), (4, 3), (16, 3), low=4, multiple=2),
    sizes("sym_floordiv/first_half", lambda x: x[: x.size(0) // 2] + 1.0, ["floordiv", SLICE],
          (8, 3), (4, 3), (16, 3), (6, 3), low=4, multiple=2),
    window("sym_floordiv/start_halved", from_half_start, ["floordiv", SLICE], (5, 3), (2, 44), (16, 9), (3, 0)),
]
