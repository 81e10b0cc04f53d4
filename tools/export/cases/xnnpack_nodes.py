"""Nodes of XNNPACK that networks seldom have, and those of its schema that the exporter does not write."""

from collections.abc import Callable, Sequence
from typing import Any
from unittest.mock import patch

import torch
from executorch.backends.xnnpack import xnnpack_preprocess
from executorch.backends.xnnpack.serialization.xnnpack_graph_schema import (
    XNNArgMaxPooling2d,
    XNNCopy,
    XNNDatatype,
    XNNELU,
    XNNGraph,
    XNNScaledDotProductAttention,
    XNNTensorValue,
    XNode,
    XValue,
)
from executorch.backends.xnnpack.serialization.xnnpack_graph_serialize import serialize_xnnpack_binary
from torch import Tensor, nn
from torch.nn import functional

from cases.xnnpack import case, lower
from lib import Case, Lowered, Tensors, f32, fn

INTERNAL = 0xFFFFFFFF
"""The external number of a value that no caller sees."""


def lower_as(node: Callable[[XNNGraph, Sequence[int], int], Any]) -> Callable[[Case, nn.Module, Tensors], Lowered]:
    """An export whose graph of one output becomes a single node, made from the numbers of its inputs and its output."""

    def serialize(graph: XNNGraph, constants: bytearray) -> bytes:
        values = sorted((value.xvalue_union for value in graph.xvalues), key=lambda value: value.external_id)
        inputs = [value.id_out for value in values if value.flags == 1]
        (output,) = [value.id_out for value in values if value.flags == 2]
        graph.xnodes = [XNode(node(graph, inputs, output), debug_handle=0)]
        return serialize_xnnpack_binary(graph, constants)

    def lowered(case: Case, module: nn.Module, inputs: Tensors) -> Lowered:
        with patch.object(xnnpack_preprocess, "serialize_xnnpack_binary", serialize):
            return lower(case, module, inputs)

    return lowered


def arg_max_pooling(graph: XNNGraph, inputs: Sequence[int], output: int) -> XNNArgMaxPooling2d:
    """The largest of four neighbours; where it was is nobody's output."""
    indices = len(graph.xvalues)
    dims = next(value.xvalue_union.dims for value in graph.xvalues if value.xvalue_union.id_out == output)
    graph.xvalues.append(XValue(XNNTensorValue(
        datatype=XNNDatatype.xnn_datatype_qint32, num_dims=4, dims=dims, constant_buffer_idx=0, external_id=INTERNAL,
        flags=0, id_out=indices,
    )))
    return XNNArgMaxPooling2d(
        padding_top=0, padding_right=0, padding_bottom=0, padding_left=0, pooling_height=2, pooling_width=2,
        input_id=inputs[0], output_value_id=output, output_index_id=indices, flags=0,
    )


def attention(_: XNNGraph, inputs: Sequence[int], output: int) -> XNNScaledDotProductAttention:
    query, key, value, scale, mask = inputs
    return XNNScaledDotProductAttention(query, key, value, scale, mask, output, flags=0)


class Slopes(nn.Module):
    """Slopes by channel."""

    def __init__(self) -> None:
        super().__init__()
        self.prelu = nn.PReLU(3)
        nn.init.uniform_(self.prelu.weight, -0.5, 0.5)

    def forward(self, x: Tensor) -> Tensor:
        return self.prelu(x)


CASES = [
    case(
        "joined",
        fn(lambda x, y: (torch.cat([x, y], 1), torch.cat([x, y, y, x], 0))),
        f32(2, 5),
        f32(2, 5),
        operators=["XNNConcatenate2", "XNNConcatenate4"],
    ),
    case("slopes", Slopes, f32(1, 3, 4, 5), operators=["XNNPReLU"]),
    case(
        "written_copy",
        fn(torch.tanh),
        f32(3, 7),
        operators=["XNNCopy"],
        lower=lower_as(lambda _, inputs, output: XNNCopy(inputs[0], output, flags=0)),
        expect=lambda _, inputs: [inputs[0].clone()],
    ),
    case(
        "written_elu",
        fn(torch.tanh),
        f32(3, 7),
        operators=["XNNELU"],
        lower=lower_as(lambda _, inputs, output: XNNELU(0.75, inputs[0], output, flags=0)),
        expect=lambda _, inputs: [functional.elu(*inputs, alpha=0.75)],
    ),
    case(
        "written_arg_max_pooling",
        fn(lambda x: x[:, :2, :3]),
        f32(1, 4, 6, 5),
        operators=["XNNArgMaxPooling2d"],
        lower=lower_as(arg_max_pooling),
        expect=lambda _, inputs: [functional.max_pool2d(inputs[0].permute(0, 3, 1, 2), 2).permute(0, 2, 3, 1)],
    ),
    case(
        "written_attention",
        fn(lambda query, key, value, scale, mask: query + key + value + scale + mask),
        *(f32(1, 2, 4, 4) for _ in range(3)),
        f32(4, scale=0.3),
        f32(4, 4),
        operators=["XNNScaledDotProductAttention"],
        lower=lower_as(attention),
        expect=lambda _, inputs: [
            torch.softmax((inputs[0] * inputs[3]) @ inputs[1].transpose(-1, -2) + inputs[4], -1) @ inputs[2]
        ],
    ),
]
