"""Pooling and resampling of images.

The exporter delegates sampling at points only with bilinear interpolation, border padding and aligned corners.
"""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor
from torch.export import Dim
from torch.nn import functional as F

from lib import Case, Source, f32, fn, given

AVERAGE, MAXIMUM = "aten.avg_pool2d.default", "aten.max_pool2d_with_indices.default"
BILINEAR, NEAREST = "aten.upsample_bilinear2d.vec", "aten.upsample_nearest2d.vec"
SAMPLE = "aten.grid_sampler_2d.default"
FOLDERS = {
    AVERAGE: "avg_pool2d",
    MAXIMUM: "max_pool2d",
    BILINEAR: "upsample_bilinear2d",
    NEAREST: "upsample_nearest2d",
    SAMPLE: "grid_sampler_2d",
}
NAN, INF = float("nan"), float("inf")


def image(
    operator: str,
    name: str,
    function: Callable[..., Any],
    *steps: Sequence[Source],
    dynamic: Sequence[Any] | None = None,
) -> Case:
    """A delegated operator on images."""
    return Case(
        f"ops/{FOLDERS[operator]}/{name}",
        fn(function),
        steps,
        operators=[operator],
        dynamic=dynamic,
        # Coordinates are single precision in every engine, and two NaN are not close.
        double=operator not in (BILINEAR, NEAREST, SAMPLE) and name != "nan_inf",
    )


def host(name: str, kernel: str, function: Callable[..., Any], *inputs: Source) -> Case:
    """An operator on images outside the delegate."""
    return Case(
        f"programs/portable/{name}", fn(function), [inputs], kernels=[kernel], delegated=False, double=False
    )


def both(x: Tensor, *arguments: Any, **options: Any) -> Any:
    return F.max_pool2d(x, *arguments, return_indices=True, **options)


def grid(*shape: int, reach: float = 1.4) -> Source:
    """Points, some outside the image."""
    return lambda: (torch.rand(*shape, 2) * 2.0 - 1.0) * reach


SPECIAL = given([[[[1.0, NAN, 3.0, 2.0], [5.0, NAN, -INF, -INF], [INF, 0.0, -INF, -INF], [-1.0, -2.0, 7.0, 7.0]]]])
HEIGHT = [{2: Dim("height", min=5, max=12)}]

CASES = [
    image(AVERAGE, "plain", lambda x: F.avg_pool2d(x, 3), [f32(1, 2, 9, 7)]),
    image(AVERAGE, "ceil", lambda x: F.avg_pool2d(x, 3, 2, 1, ceil_mode=True), [f32(2, 3, 8, 7)]),
    image(
        AVERAGE, "ceil_no_padding",
        lambda x: F.avg_pool2d(x, (2, 3), (3, 2), (1, 0), ceil_mode=True, count_include_pad=False), [f32(1, 3, 7, 8)],
    ),
    image(AVERAGE, "divisor", lambda x: F.avg_pool2d(x, 2, 1, divisor_override=3), [f32(1, 2, 5, 5)]),
    image(AVERAGE, "whole", lambda x: F.avg_pool2d(x, (31, 37)), [f32(1, 2, 31, 37)]),
    image(AVERAGE, "rank_3", lambda x: F.avg_pool2d(x, 2, 2, 1), [f32(3, 5, 6)]),
    image(
        AVERAGE, "dynamic", lambda x: F.avg_pool2d(x, 3, 1, 1), [f32(1, 2, 6, 5)], [f32(1, 2, 11, 5)], dynamic=HEIGHT
    ),
    image(MAXIMUM, "plain", lambda x: F.max_pool2d(x, 2), [f32(1, 3, 9, 7)]),
    image(MAXIMUM, "indices", lambda x: both(x, 3, 2, 1), [f32(2, 3, 8, 7)]),
    image(MAXIMUM, "dilation", lambda x: both(x, (2, 3), (1, 2), (0, 1), (3, 2)), [f32(1, 2, 9, 11)]),
    image(MAXIMUM, "ceil", lambda x: both(x, 3, 2, 1, ceil_mode=True), [f32(1, 2, 8, 6)]),
    image(MAXIMUM, "nan_inf", lambda x: both(x, 2, 1), [SPECIAL]),
    image(MAXIMUM, "rank_3", lambda x: both(x, 2, 3), [f32(3, 8, 7)]),
    image(MAXIMUM, "dynamic", lambda x: both(x, 3, 2), [f32(1, 2, 6, 5)], [f32(1, 2, 11, 5)], dynamic=HEIGHT),
    image(
        BILINEAR, "size", lambda x: F.interpolate(x, (7, 11), mode="bilinear", align_corners=False), [f32(1, 2, 5, 4)]
    ),
    image(
        BILINEAR, "size_aligned", lambda x: F.interpolate(x, (7, 11), mode="bilinear", align_corners=True),
        [f32(1, 2, 5, 4)],
    ),
    image(
        BILINEAR, "factors", lambda x: F.interpolate(x, scale_factor=(2.3, 1.7), mode="bilinear"), [f32(2, 1, 5, 6)]
    ),
    image(BILINEAR, "smaller", lambda x: F.interpolate(x, scale_factor=0.4, mode="bilinear"), [f32(1, 2, 11, 13)]),
    image(
        BILINEAR, "to_one", lambda x: F.interpolate(x, (1, 1), mode="bilinear", align_corners=True), [f32(1, 2, 5, 6)]
    ),
    image(BILINEAR, "from_one", lambda x: F.interpolate(x, (3, 4), mode="bilinear"), [f32(1, 2, 1, 1)]),
    image(NEAREST, "size", lambda x: F.interpolate(x, (7, 11)), [f32(1, 2, 5, 4)]),
    image(NEAREST, "factors", lambda x: F.interpolate(x, scale_factor=(2.3, 1.7)), [f32(2, 1, 5, 6)]),
    image(NEAREST, "smaller", lambda x: F.interpolate(x, scale_factor=0.4), [f32(1, 2, 11, 13)]),
    image(NEAREST, "factor_to_same_size", lambda x: F.interpolate(x, scale_factor=1.2), [f32(1, 2, 3, 4)]),
    image(NEAREST, "double", lambda x: F.interpolate(x, scale_factor=2), [f32(1, 2, 3, 5)]),
    image(
        SAMPLE, "border",
        lambda x, g: F.grid_sample(x, g, padding_mode="border", align_corners=True), [f32(1, 3, 5, 7), grid(1, 4, 6)],
    ),
    image(
        SAMPLE, "batch",
        lambda x, g: F.grid_sample(x, g, padding_mode="border", align_corners=True), [f32(2, 2, 3, 8), grid(2, 5, 3)],
    ),
    image(
        SAMPLE, "one_pixel",
        lambda x, g: F.grid_sample(x, g, padding_mode="border", align_corners=True), [f32(1, 2, 1, 1), grid(1, 2, 3)],
    ),
    host("avg_pool2d", "aten::avg_pool2d.out", lambda x: F.avg_pool2d(x, 3, 2, 1), f32(1, 2, 7, 7)),
    host("max_pool2d", "aten::max_pool2d_with_indices.out", lambda x: both(x, 3, 2, 1), f32(1, 2, 7, 7)),
    host(
        "adaptive_avg_pool2d", "aten::_adaptive_avg_pool2d.out",
        lambda x: F.adaptive_avg_pool2d(x, (3, 4)), f32(1, 2, 7, 9),
    ),
    host(
        "upsample_bilinear2d", "aten::upsample_bilinear2d.vec_out",
        lambda x: F.interpolate(x, (7, 11), mode="bilinear"), f32(1, 2, 5, 4),
    ),
    host(
        "upsample_nearest2d", "aten::upsample_nearest2d.vec_out", lambda x: F.interpolate(x, (7, 11)), f32(1, 2, 5, 4)
    ),
    *(
        host(
            f"grid_sampler_2d_{mode}_{padding}{'_aligned' if align else ''}", "aten::grid_sampler_2d.out",
            lambda x, g, mode=mode, padding=padding, align=align: F.grid_sample(x, g, mode, padding, align),
            f32(1, 2, 5, 7), grid(1, 3, 5, reach=2.5),
        )
        for mode in ("bilinear", "nearest", "bicubic")
        for padding, align in (("zeros", False), ("border", False), ("reflection", False), ("reflection", True))
    ),
]
