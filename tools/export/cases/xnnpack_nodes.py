"""Nodes of XNNPACK that networks seldom have, and those of its schema that the exporter does not write."""

from collections.abc import Callable, Sequence
from typing import Any
from unittest.mock import patch

import torch
from executorch.backends.xnnpack import xnnpack_preprocess
from executorch.backends.xnnpack.serialization.xnnpack_graph_schema import (
    PerTensorQuant,
    XNNArgMaxPooling2d,
    XNNCopy,
    XNNDatatype,
    XNNELU,
    XNNGraph,
    XNNQuantizedTensorValue,
    XNNScaledDotProductAttention,
    XNNStaticConstantPad,
    XNNStaticReshape,
    XNNStaticTranspose,
    XNNTensorValue,
    XNode,
    XValue,
)
from executorch.backends.xnnpack.serialization.xnnpack_graph_serialize import serialize_xnnpack_binary
from torch import Tensor, nn
from torch.export import Dim
from torch.nn import functional

from cases.xnnpack import case, lower
from lib import Case, Lowered, Tensors, f32, fn

INTERNAL = 0xFFFFFFFF
"""The external number of a value that no caller sees."""


def lower_without_last(case: Case, module: nn.Module, inputs: Tensors) -> Lowered:
    """An export whose graph has lost the last of its outputs, which the call still names."""

    def serialize(graph: XNNGraph, constants: bytearray) -> bytes:
        last = max((value.xvalue_union for value in graph.xvalues), key=lambda value: (value.flags == 2, value.external_id))
        last.flags, last.external_id = 0, INTERNAL
        graph.output_ids.remove(last.id_out)
        return serialize_xnnpack_binary(graph, constants)

    with patch.object(xnnpack_preprocess, "serialize_xnnpack_binary", serialize):
        return lower(case, module, inputs)


def lower_with_larger_bound(case: Case, module: nn.Module, inputs: Tensors) -> Lowered:
    """An export in which the first tensor that is given another shape may be longer than any that it meets."""

    def serialize(graph: XNNGraph, constants: bytearray) -> bytes:
        reshaped = next(node.xnode_union.output_id for node in graph.xnodes if isinstance(node.xnode_union, XNNStaticReshape))
        next(value.xvalue_union for value in graph.xvalues if value.xvalue_union.id_out == reshaped).dims[0] += 3
        return serialize_xnnpack_binary(graph, constants)

    with patch.object(xnnpack_preprocess, "serialize_xnnpack_binary", serialize):
        return lower(case, module, inputs)


def lower_as(node: Callable[[XNNGraph, Sequence[int], int], Any]) -> Callable[[Case, nn.Module, Tensors], Lowered]:
    """An export whose graph of one output becomes a node, or some, made from the numbers of its inputs and its output."""

    def serialize(graph: XNNGraph, constants: bytearray) -> bytes:
        values = sorted((value.xvalue_union for value in graph.xvalues), key=lambda value: value.external_id)
        inputs = [value.id_out for value in values if value.flags == 1]
        (output,) = [value.id_out for value in values if value.flags == 2]
        made = node(graph, inputs, output)
        graph.xnodes = [XNode(each, debug_handle=0) for each in (made if isinstance(made, list) else [made])]
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


SCALE, ZERO_POINT = 0.05, 3
"""The steps of the tensor between two nodes that move."""


def rounded_between(graph: XNNGraph, inputs: Sequence[int], output: int) -> list[Any]:
    """Floats that are padded into a quantized tensor, and transposed into floats again."""
    between = len(graph.xvalues)
    graph.xvalues.append(XValue(XNNQuantizedTensorValue(
        tensor_value=XNNTensorValue(
            datatype=XNNDatatype.xnn_datatype_qint8, num_dims=2, dims=[3, 8], constant_buffer_idx=0, external_id=INTERNAL,
            flags=0, id_out=between,
        ),
        quant_params=PerTensorQuant(scale=SCALE, zero_point=ZERO_POINT),
    )))
    padding = XNNStaticConstantPad([0, 1], [0, 2], 0.5, inputs[0], between, flags=0)
    return [padding, XNNStaticTranspose(2, [1, 0], between, output, flags=0)]


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
    case(
        # The exporter bounds sizes one by one: in Swin v2 it finds other bounds for two that are equal in every call.
        "bounds_apart",
        fn(lambda x: x.view(-1, 2, 3) + torch.tanh(x).view(-1, 2, 3)),
        steps=[(f32(4, 6),), (f32(9, 6),), (f32(1, 6),)],
        dynamic=({0: Dim("rows", max=9)},),
        operators=["XNNStaticReshape", "XNNTanh", "XNNAdd"],
        lower=lower_with_larger_bound,
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
        # As the exporter writes Swin v2 where it is quantized; the stock runtime does not take it.
        "written_rounding_moves",
        fn(lambda x: functional.pad(x, (1, 2)).t() * 2),
        f32(3, 5, scale=4.0),
        operators=["XNNStaticConstantPad", "XNNStaticTranspose"],
        lower=lower_as(rounded_between),
        expect=lambda _, inputs: [
            torch.fake_quantize_per_tensor_affine(
                functional.pad(inputs[0], (1, 2), value=0.5).float(), SCALE, ZERO_POINT, -128, 127
            ).t().contiguous()
        ],
        double=False,
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
    Case(
        # The exporter writes such graphs where Swin v2 is quantized.
        "formats/rejected/lost_result",
        fn(lambda x: (torch.tanh(x), torch.relu(x))),
        [(f32(3, 7),)],
        lower=lower_without_last,
        kernels=None,
        extra={"rejected": "the graph has no tensor for the last result of its call"},
    ),
    Case(
        "formats/rejected/no_result",
        fn(torch.tanh),
        [(f32(3, 7),)],
        lower=lower_without_last,
        kernels=None,
        extra={"rejected": "the graph has no tensor for the only result of its call"},
    ),
]
