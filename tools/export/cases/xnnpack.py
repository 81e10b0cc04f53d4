"""Programs lowered for XNNPACK: floats, static and dynamic quantization, and layouts.

Where numbers are rounded to integers the stock runtime says what is right, since it rounds in its own way; elsewhere
eager PyTorch does.
"""

from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import torch
from executorch.backends.xnnpack import xnnpack_preprocess
from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner
from executorch.backends.xnnpack.quantizer.xnnpack_quantizer import (
    XNNPACKQuantizer,
    get_symmetric_quantization_config,
)
from executorch.backends.xnnpack.serialization.xnnpack_graph_schema import XNNGraph
from executorch.backends.xnnpack.serialization.xnnpack_graph_serialize import serialize_xnnpack_binary
from executorch.exir import to_edge, to_edge_transform_and_lower
from executorch.exir._serialize._named_data_store import NamedDataStore
from torch import Tensor, nn
from torch.export import Dim
from torch.nn import functional
from torchao.quantization import Int8DynamicActivationIntxWeightConfig, quantize_
from torchao.quantization.granularity import PerGroup
from torchao.quantization.pt2e.quantize_pt2e import convert_pt2e, prepare_pt2e

from cases.copies import f16
from cases.quantized_linear import halves
from lib import Case, Lowered, Source, Tensors, export, f32, fn
from program import Program


def lower(case: Case, module: nn.Module, inputs: Tensors) -> Lowered:
    """The usual export for XNNPACK."""
    edge = to_edge_transform_and_lower(export(case, module, inputs), partitioner=[XnnpackPartitioner(**case.options)])
    return Lowered(edge.to_executorch().buffer)


def lower_apart(case: Case, module: nn.Module, inputs: Tensors) -> Lowered:
    """The export in two steps, which takes linear layers apart before it gives any to XNNPACK."""
    edge = to_edge(export(case, module, inputs)).to_backend(XnnpackPartitioner(**case.options))
    return Lowered(edge.to_executorch().buffer)


def lower_inline(case: Case, module: nn.Module, inputs: Tensors) -> Lowered:
    """The same with constants in the delegate's data, where writers of before there was named data put them."""
    found: dict[str, bytes] = {}

    class Store(NamedDataStore):
        def add_named_data(self, key: str, data: bytes, *_: Any, **__: Any) -> None:
            found[key] = data

    def serialize(graph: XNNGraph, constants: bytearray) -> bytes:
        for place in graph.constant_data:
            if place.named_key:
                place.offset = len(constants)
                constants += found[place.named_key].ljust(-(-place.size // 16) * 16, b"\0")
            # An empty name would count as one.
            place.named_key = None
        return serialize_xnnpack_binary(graph, constants)

    with (
        patch.object(xnnpack_preprocess, "NamedDataStore", Store),
        patch.object(xnnpack_preprocess, "serialize_xnnpack_binary", serialize),
    ):
        return lower(case, module, inputs)


def quantized(module: Callable[[], nn.Module], sources: list[Source], **options: Any) -> Callable[[], nn.Module]:
    """The module after XNNPACK's quantizer: integers between nodes that round, calibrated on drawn inputs."""

    def make() -> nn.Module:
        inputs = tuple(source() for source in sources)
        quantizer = XNNPACKQuantizer().set_global(get_symmetric_quantization_config(**options))
        prepared = prepare_pt2e(torch.export.export(module().eval(), inputs).module(), quantizer)
        for _ in range(4):
            prepared(*(source() for source in sources))
        # A converted module has no other mode than the one it was exported in.
        converted = convert_pt2e(prepared)
        converted.eval = lambda: converted
        return converted

    return make


def grouped() -> nn.Module:
    """Two layers with 4-bit weights in groups, on inputs that are rounded row by row."""
    module = nn.Sequential(nn.Linear(64, 24), nn.ReLU(), nn.Linear(24, 32, bias=False), nn.Linear(32, 7)).eval()
    config = Int8DynamicActivationIntxWeightConfig(weight_dtype=torch.int4, weight_granularity=PerGroup(32))
    quantize_(module, config, lambda layer, _: isinstance(layer, nn.Linear) and layer.in_features % 32 == 0)
    return module


class Network(nn.Module):
    """A small convolutional network."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Conv2d(3, 8, 3, stride=2, padding=1)
        self.depthwise = nn.Conv2d(8, 8, 3, padding=1, groups=8)
        self.pointwise = nn.Conv2d(8, 12, 1, bias=False)
        self.head = nn.Linear(12, 5)

    def forward(self, x: Tensor) -> Tensor:
        x = functional.relu(self.stem(x))
        x = functional.max_pool2d(functional.hardswish(self.depthwise(x)), 2)
        x = functional.relu6(self.pointwise(x))
        return self.head(functional.adaptive_avg_pool2d(x, 1).flatten(1)).softmax(-1)


class Residual(nn.Module):
    """Convolutions with a sum of two branches, and a layer at the end."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Conv2d(3, 8, 3, padding=1)
        self.second = nn.Conv2d(8, 8, 3, padding=1, groups=8)
        self.head = nn.Linear(8, 5)

    def forward(self, x: Tensor) -> Tensor:
        x = functional.relu(self.first(x))
        x = x + self.second(x)
        return self.head(functional.adaptive_avg_pool2d(x, 1).flatten(1))


class ChannelsLast(nn.Module):
    """Images with the channels innermost at the borders of delegates: between two, and as results of one pixel and many."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Conv2d(3, 4, 3, padding=1)
        self.second = nn.Conv2d(4, 4, 3, padding=1)

    def forward(self, x: Tensor) -> tuple[Tensor, ...]:
        x = torch.sin(self.first(x.to(memory_format=torch.channels_last)))
        x = torch.asinh(x)
        return self.second(x), functional.adaptive_avg_pool2d(self.second(x), 1)


class Upsampled(nn.Module):
    """Images that grow, are padded, sliced and joined."""

    def __init__(self) -> None:
        super().__init__()
        self.grow = nn.ConvTranspose2d(4, 3, 3, stride=2, padding=1, output_padding=1)

    def forward(self, x: Tensor) -> Tensor:
        large = functional.interpolate(x, size=(10, 8), mode="bilinear", align_corners=True)
        grown = functional.leaky_relu(self.grow(x), 0.1)
        padded = functional.pad(functional.avg_pool2d(large, 2), (2, 2, 3, 2), value=0.5)
        return torch.cat([grown, large[:, 1:3], padded], 1)


def functions(x: Tensor, y: Tensor, small: Tensor) -> tuple[Tensor, ...]:
    """Functions of one and two tensors."""
    joined = torch.cat([x.abs().sqrt(), y.square(), x.neg(), y.floor(), x.ceil()], 1)
    bounded = torch.maximum(torch.minimum(x, y), small).clamp(-0.5, 1.5)
    smooth = torch.tanh(x) * torch.sigmoid(y) - functional.gelu(x) / (y.abs() + small.exp())
    turned = torch.rsqrt(x.abs() + small.exp()) + torch.log(y.abs() + small.exp())
    return joined, bounded, smooth, torch.sin(turned) + torch.cos(turned), torch.cat([x, y, small.expand_as(x)], 0)


def layouts(x: Tensor, y: Tensor) -> tuple[Tensor, ...]:
    """Products and other sizes and orders of dimensions."""
    scores = torch.bmm(x, y.transpose(1, 2)).softmax(-1)
    turned = torch.bmm(scores, y).permute(1, 0, 2)
    return turned.reshape(turned.shape[0], -1), turned[1:3, :, 2:]


def case(name: str, module: Callable[[], nn.Module], *sources: Source, **more: Any) -> Case:
    """A case of this file, with what all have in common."""
    fields: dict[str, Any] = {"lower": lower, "kernels": None, "atol": 1e-4, "rtol": 1e-4}
    return Case(f"xnnpack/{name}", module, **(fields | {"steps": [sources]} | more))


def has_no_names(program: Program, _: Tensors, __: Tensors) -> None:
    """Asserts that no constant has a name."""
    (graph,) = program.method("forward").xnnpack_graphs
    assert len(graph["constant_data"]) > 1 and all("named_key" not in place for place in graph["constant_data"])


IMAGE = f32(1, 3, 16, 12)
ROUNDED: dict[str, Any] = {"stock": True, "double": False, "rtol": 0.0}
"""Cases whose results depend on how numbers are rounded."""

CASES = [
    case(
        "network",
        Network,
        IMAGE,
        operators=[
            "XNNStaticTranspose",
            "XNNConv2d",
            "XNNDepthwiseConv2d",
            "XNNHardswish",
            "XNNMaxPooling2d",
            "XNNGlobalAvgPooling2d",
            "XNNFullyConnected",
            "XNNSoftmax",
        ],
    ),
    case(
        "upsampled",
        Upsampled,
        f32(1, 4, 5, 4),
        operators=[
            "XNNConvTranspose2d",
            "XNNStaticResizeBilinear2D",
            "XNNLeakyReLU",
            "XNNAvgPooling2d",
            "XNNStaticConstantPad",
            "XNNStaticSlice",
            "XNNConcatenate3",
        ],
    ),
    case(
        "functions",
        fn(functions),
        f32(2, 5),
        f32(2, 5),
        f32(1, 5, scale=0.1),
        operators=["XNNConcatenate5", "XNNConcatenate3", "XNNClamp", "XNNReciprocalSquareRoot", "XNNGelu"],
    ),
    case(
        "layouts",
        fn(layouts),
        f32(2, 3, 4),
        f32(2, 5, 4),
        operators=["XNNBatchMatrixMultiply", "XNNStaticTranspose", "XNNStaticReshape", "XNNStaticSlice"],
    ),
    case(
        "dynamic_batch",
        lambda: nn.Sequential(nn.Linear(6, 8), nn.Sigmoid(), nn.Linear(8, 3)),
        steps=[(f32(4, 6),), (f32(9, 6),), (f32(1, 6),)],
        dynamic=({0: Dim("batch", max=9)},),
        operators=["XNNFullyConnected", "XNNSigmoid"],
    ),
    case(
        "half",
        lambda: nn.Sequential(nn.Conv2d(3, 4, 3), nn.ReLU(), nn.Flatten(), nn.Linear(16, 3)).half(),
        lambda: torch.randn(1, 3, 4, 4).half(),
        operators=["XNNConv2d", "XNNFullyConnected"],
        double=False,
        atol=1e-2,
        rtol=1e-2,
    ),
    case(
        "brain_half",
        lambda: nn.Linear(16, 5).bfloat16(),
        lambda: torch.randn(3, 16).bfloat16(),
        operators=["XNNFullyConnected"],
        options={"enable_bf16": True},
        double=False,
        atol=5e-2,
        rtol=1e-2,
    ),
    case(
        "channels_last",
        ChannelsLast,
        f32(1, 3, 8, 6),
        operators=["XNNConv2d", "XNNGlobalAvgPooling2d"],
    ),
    case(
        # Sizes that only views outside need are arguments of the delegates' calls.
        "sizes_as_arguments",
        lambda: nn.Sequential(nn.LayerNorm(4), nn.Linear(4, 5), nn.ReLU(), nn.Linear(5, 4)),
        steps=[(f32(2, 7, 4),), (f32(2, 9, 4),), (f32(2, 2, 4),)],
        dynamic=({1: Dim("rows", max=9)},),
        operators=["XNNStaticTranspose", "XNNClamp", "XNNFullyConnected"],
        lower=lower_apart,
    ),
    case(
        # Scales of groups are brain floats, and layers compute in 16-bit floats.
        "half_8da4w",
        lambda: halves(dynamic=True),
        f16(4, 64),
        operators=["XNNFullyConnected"],
        needs=["f16"],
        double=False,
        atol=1e-2,
        rtol=1e-2,
    ),
    case(
        "int8_per_channel",
        quantized(Residual, [f32(1, 3, 8, 6)], is_per_channel=True),
        f32(1, 3, 8, 6),
        operators=["XNNConvert", "XNNConv2d", "XNNDepthwiseConv2d", "XNNAdd", "XNNFullyConnected"],
        atol=0.02,
        **ROUNDED,
    ),
    case(
        "int8_per_tensor",
        quantized(lambda: nn.Sequential(nn.Linear(12, 8), nn.ReLU(), nn.Linear(8, 4)), [f32(3, 12)]),
        f32(3, 12),
        operators=["XNNConvert", "XNNFullyConnected"],
        atol=0.02,
        **ROUNDED,
    ),
    case(
        "int8_per_token",
        quantized(lambda: nn.Linear(16, 6), [f32(3, 16)], is_per_channel=True, is_dynamic=True),
        f32(3, 16),
        operators=["XNNConvert", "XNNFullyConnected"],
        atol=1e-5,
        **ROUNDED,
    ),
    case(
        "int8_per_image",
        quantized(lambda: nn.Conv2d(3, 4, 3, padding=1), [f32(2, 3, 5, 4)], is_per_channel=True, is_dynamic=True),
        f32(2, 3, 5, 4),
        operators=["XNNConvert", "XNNConv2d"],
        atol=1e-5,
        **ROUNDED,
    ),
    case(
        # The stock runtime makes a layer of it, which rounds each point by itself.
        "int8_per_point",
        quantized(lambda: nn.Conv2d(3, 4, 1), [f32(2, 3, 5, 4)], is_per_channel=True, is_dynamic=True),
        f32(2, 3, 5, 4),
        operators=["XNNConvert", "XNNConv2d"],
        atol=1e-5,
        **ROUNDED,
    ),
    case(
        # With an odd number of inputs the stock runtime is wrong from the second row on.
        "int4_per_channel",
        quantized(
            lambda: nn.Linear(15, 6), [f32(1, 15)], is_per_channel=True, is_dynamic=True, weight_qmin=-8, weight_qmax=7
        ),
        f32(1, 15),
        operators=["XNNConvert", "XNNFullyConnected"],
        atol=1e-5,
        **ROUNDED,
    ),
    case(
        "int4_per_group",
        grouped,
        f32(3, 64),
        operators=["XNNConvert", "XNNFullyConnected"],
        atol=1e-5,
        **ROUNDED,
    ),
    case(
        "inline_constants",
        quantized(lambda: nn.Linear(9, 4), [f32(3, 9)], is_per_channel=True),
        f32(3, 9),
        operators=["XNNConvert", "XNNFullyConnected"],
        lower=lower_inline,
        verify=has_no_names,
        atol=0.02,
        **ROUNDED,
    ),
]
