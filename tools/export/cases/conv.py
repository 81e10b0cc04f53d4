"""Convolutions: `aten.convolution` and `et_vk.conv_with_clamp`."""

from collections.abc import Callable
from typing import Any

from torch import nn
from torch.export import Dim

from lib import Case, f32

CONVOLUTION, CLAMPED = "aten.convolution.default", "et_vk.conv_with_clamp.default"


def convolution(path: str, layer: Callable[[], nn.Module], *shapes: tuple[int, ...], **options: Any) -> Case:
    """A layer with one step per input shape."""
    defaults: dict[str, Any] = {"operators": [CONVOLUTION], "atol": 1e-4, "rtol": 1e-4}
    return Case(f"ops/{path}", layer, [(f32(*shape),) for shape in shapes], **(defaults | options))


def clamped(name: str, layer: Callable[[], nn.Module], activation: nn.Module, shape: tuple[int, ...]) -> Case:
    """A layer whose activation the exporter fuses into it."""
    return convolution(
        f"conv_with_clamp/{name}", lambda: nn.Sequential(layer(), activation), shape, operators=[CLAMPED]
    )


HEIGHT, LENGTH = Dim("height", min=5, max=24), Dim("length", min=5, max=40)
CASES = [
    convolution("conv1d/plain", lambda: nn.Conv1d(3, 5, 3), (1, 3, 17)),
    convolution("conv1d/no_bias", lambda: nn.Conv1d(3, 10, 4, bias=False), (1, 3, 17)),
    convolution("conv1d/batch", lambda: nn.Conv1d(4, 9, 3, padding=1), (3, 4, 11)),
    convolution("conv1d/strided", lambda: nn.Conv1d(2, 12, 5, stride=3, padding=2), (1, 2, 31)),
    convolution("conv1d/dilated", lambda: nn.Conv1d(3, 4, 3, dilation=3, padding=3), (2, 3, 13)),
    convolution("conv1d/grouped", lambda: nn.Conv1d(6, 18, 3, groups=2), (1, 6, 12)),
    convolution("conv1d/depthwise", lambda: nn.Conv1d(7, 7, 5, padding=2, groups=7), (2, 7, 9)),
    convolution("conv1d/multiplier", lambda: nn.Conv1d(3, 6, 3, groups=3), (1, 3, 9)),
    convolution("conv1d/pointwise", lambda: nn.Conv1d(5, 9, 1), (2, 5, 7)),
    convolution("conv1d/same", lambda: nn.Conv1d(4, 8, 5, padding="same"), (1, 4, 10)),
    convolution("conv1d/dynamic", lambda: nn.Conv1d(3, 8, 3, padding=1), (1, 3, 12), (1, 3, 40), (1, 3, 5),
                dynamic=[{2: LENGTH}]),
    convolution("conv2d/plain", lambda: nn.Conv2d(3, 5, 3), (1, 3, 9, 7)),
    convolution("conv2d/prime", lambda: nn.Conv2d(5, 11, (2, 3), padding=(0, 1), bias=False), (1, 5, 11, 7)),
    convolution("conv2d/strided", lambda: nn.Conv2d(3, 16, 3, stride=2, padding=1), (1, 3, 15, 13)),
    convolution("conv2d/uneven", lambda: nn.Conv2d(2, 9, (3, 5), stride=(2, 1), padding=(2, 1), dilation=(1, 2)),
                (1, 2, 9, 12)),
    convolution("conv2d/patches", lambda: nn.Conv2d(3, 24, 4, stride=4), (1, 3, 16, 12)),
    convolution("conv2d/pointwise", lambda: nn.Conv2d(6, 10, 1), (1, 6, 5, 7)),
    convolution("conv2d/pointwise_strided", lambda: nn.Conv2d(6, 10, 1, stride=2), (1, 6, 5, 7)),
    convolution("conv2d/pointwise_padded", lambda: nn.Conv2d(4, 9, 1, padding=1, bias=False), (1, 4, 5, 7)),
    convolution("conv2d/one_place", lambda: nn.Conv2d(16, 12, 1), (1, 16, 1, 1)),
    convolution("conv2d/whole_image", lambda: nn.Conv2d(4, 10, 5), (1, 4, 5, 5)),
    convolution("conv2d/depthwise", lambda: nn.Conv2d(6, 6, 3, padding=1, groups=6), (1, 6, 8, 7)),
    convolution("conv2d/depthwise_strided", lambda: nn.Conv2d(5, 5, 5, stride=2, padding=2, groups=5, bias=False),
                (1, 5, 11, 9)),
    convolution("conv2d/depthwise_dilated", lambda: nn.Conv2d(4, 4, 3, dilation=2, padding=2, groups=4), (1, 4, 9, 9)),
    convolution("conv2d/depthwise_multiplier", lambda: nn.Conv2d(4, 8, 3, groups=4), (1, 4, 6, 6)),
    convolution("conv2d/grouped", lambda: nn.Conv2d(8, 6, 3, padding=1, groups=2), (1, 8, 6, 6)),
    convolution("conv2d/grouped_tiles", lambda: nn.Conv2d(4, 20, 3, padding=1, groups=2, bias=False), (1, 4, 9, 9)),
    convolution("conv2d/tile_edges", lambda: nn.Conv2d(4, 66, 3, padding=1), (1, 4, 9, 8)),
    convolution("conv2d/dynamic", lambda: nn.Conv2d(3, 8, 3, stride=2, padding=1), (1, 3, 9, 12), (1, 3, 21, 5),
                (1, 3, 6, 40), dynamic=[{2: HEIGHT, 3: LENGTH}]),
    convolution("conv2d/dynamic_depthwise", lambda: nn.Conv2d(3, 3, 3, groups=3), (1, 3, 9, 12), (1, 3, 21, 5),
                dynamic=[{2: HEIGHT, 3: LENGTH}]),
    convolution("conv2d/dynamic_pointwise", lambda: nn.Conv2d(8, 6, 1), (1, 8, 9, 12), (1, 8, 5, 5),
                dynamic=[{2: HEIGHT, 3: LENGTH}]),
    convolution("conv2d/unbatched", lambda: nn.Conv2d(3, 4, 3), (3, 7, 6)),
    convolution("conv2d/f16", lambda: nn.Conv2d(3, 9, 3, padding=1), (1, 3, 8, 8),
                options={"force_fp16": True}, needs=["f16"], atol=1e-2, rtol=1e-2),
    convolution("conv_transpose2d/plain", lambda: nn.ConvTranspose2d(3, 5, 3), (1, 3, 5, 4)),
    convolution("conv_transpose2d/strided", lambda: nn.ConvTranspose2d(4, 9, 2, stride=2), (1, 4, 5, 6)),
    convolution("conv_transpose2d/output_padding",
                lambda: nn.ConvTranspose2d(3, 4, 3, stride=(2, 3), padding=1, output_padding=(1, 2)), (1, 3, 4, 5)),
    convolution("conv_transpose2d/grouped", lambda: nn.ConvTranspose2d(6, 4, 3, stride=2, groups=2), (1, 6, 4, 5)),
    convolution("conv_transpose2d/dilated", lambda: nn.ConvTranspose2d(3, 9, 3, padding=1, dilation=(2, 1)),
                (1, 3, 4, 5)),
    convolution("conv_transpose2d/no_bias", lambda: nn.ConvTranspose2d(2, 12, 4, stride=2, padding=1, bias=False),
                (1, 2, 7, 5)),
    clamped("relu", lambda: nn.Conv2d(3, 10, 3, padding=1), nn.ReLU(), (1, 3, 7, 8)),
    clamped("relu_no_bias", lambda: nn.Conv2d(3, 4, 3, bias=False), nn.ReLU(), (1, 3, 7, 8)),
    clamped("relu6", lambda: nn.Conv2d(3, 9, 3), nn.ReLU6(), (1, 3, 7, 8)),
    clamped("hardtanh", lambda: nn.Conv2d(3, 9, 3, stride=2), nn.Hardtanh(-0.25, 0.5), (1, 3, 9, 8)),
    clamped("depthwise", lambda: nn.Conv2d(5, 5, 3, groups=5), nn.ReLU6(), (1, 5, 7, 8)),
    clamped("pointwise", lambda: nn.Conv2d(5, 12, 1), nn.ReLU(), (1, 5, 7, 8)),
    clamped("conv1d", lambda: nn.Conv1d(5, 12, 3), nn.ReLU(), (2, 5, 17)),
]
