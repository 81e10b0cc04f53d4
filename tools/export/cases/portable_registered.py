"""Operators of the portable library that no other case has, and those that the exporter emits without a kernel for them."""

import math
from collections.abc import Callable, Sequence
from typing import Any

import torch
from functorch.experimental import control_flow
from torch import Tensor
from torch.nn import functional as F

from cases.portable_kept import keeping
from lib import Case, Source, f32, fn, given, ints

ops = torch.ops.aten
NAN = math.nan


def called(
    name: str, function: Callable[..., Any], sources: Sequence[Source], *steps: Sequence[Source], **options: Any
) -> Case:
    """A case outside any delegate, with whatever kernels the exporter calls for it."""
    kept = options.pop("kept", ())
    return Case(
        f"programs/portable/{name}",
        fn(function),
        [tuple(sources), *(tuple(step) for step in steps)],
        kernels=None,
        delegated=False,
        lower=keeping(*kept, checked=False),
        **options,
    )


def f64(*shape: int) -> Source:
    return lambda: torch.randn(shape, dtype=torch.float64)


def f16(*shape: int) -> Source:
    return lambda: torch.randn(shape).half()


def mask(*shape: int) -> Source:
    return lambda: torch.rand(shape) > 0.5


def i64(*shape: int, low: int = -9, high: int = 9) -> Source:
    return ints(*shape, dtype=torch.int64, low=low, high=high)


def convolution_backward(gradient: Tensor, x: Tensor, weight: Tensor) -> Any:
    return ops.convolution_backward.default(
        gradient, x, weight, [4], [2, 1], [1, 0], [1, 2], False, [0, 0], 2, [True, True, True]
    )


def pool_backward(gradient: Tensor, x: Tensor) -> Tensor:
    _, indices = ops.max_pool2d_with_indices.default(x, [2, 2], [1, 1])
    return ops.max_pool2d_with_indices_backward.default(gradient, x, [2, 2], [1, 1], [0, 0], [1, 1], False, indices)



def bags(mode: str, **options: Any) -> Case:
    """Rows of a table by bags of indices, one of which is empty."""
    return called(
        f"embedding_bag_{mode}",
        lambda table, indices, offsets: F.embedding_bag(indices, table, offsets, mode=mode, **options),
        [f32(11, 3), i64(8, low=0, high=10), given([0, 3, 3, 7])],
    )


CASES = [
    called("adaptive_avg_pool3d", lambda x: F.adaptive_avg_pool3d(x, (2, 3, 4)), [f32(1, 2, 5, 7, 9)]),
    called("adaptive_max_pool2d", lambda x: F.adaptive_max_pool2d(x, (3, 4), return_indices=True), [f32(2, 3, 7, 9)]),
    called("adaptive_max_pool3d", lambda x: F.adaptive_max_pool3d(x, (2, 3, 4), return_indices=True), [f32(1, 2, 5, 7, 9)]),
    bags("sum"),
    bags("mean", padding_idx=2),
    bags("max"),
    called("embedding_bag_trained", lambda table, indices, offsets: ops._embedding_bag.default(table, indices, offsets, False, 2)[0],
           [f32(11, 3), i64(8, low=0, high=10), given([0, 3, 4])]),
    called("cat_mixed_types", lambda a, b, c: (torch.cat([a, b, c > 0], 1), torch.stack([b, a[:, :2]])),
           [f32(3, 5), i64(3, 2), f32(3, 1)]),
    called("slice_scatter_mixed_types", lambda x, v: torch.slice_scatter(x, v, 1, 1, None, 2), [f32(2, 5), i64(2, 2)]),
    *(
        called(
            f"scatter_reduce_{reduce}{'' if whole else '_alone'}",
            lambda x, index, source, y, more, reduce=reduce, whole=whole: (
                torch.scatter_reduce(x, 0, index, source, reduce, include_self=whole),
                torch.scatter_reduce(y, 0, index[:, 0], more, reduce, include_self=whole),
            ),
            [f32(4, 3), i64(5, 2, low=0, high=3), f32(6, 3), i64(6), i64(5)],
        )
        for reduce in ("sum", "prod", "mean", "amax", "amin")
        for whole in (True, False)
    ),
    called("median", lambda x: torch.median(x), [f32(3, 4)]),
    called("median_dim", lambda x: tuple(torch.median(x, 1, keepdim=True)), [f32(3, 6, 2)]),
    called("nanmedian", lambda x: torch.nanmedian(x), [given([[1.0, NAN, 3.0], [2.0, NAN, 0.5]])]),
    called("nanmedian_dim", lambda x: tuple(torch.nanmedian(x, 0)), [given([[1.0, NAN, 3.0], [2.0, 4.0, 0.5], [2.5, NAN, 9.0]])]),
    called("round_decimals", lambda x: (torch.round(x, decimals=2), torch.round(100 * x, decimals=-1)), [f32(4, 5)]),
    called("sort_f32", lambda x: tuple(torch.sort(x, 1, True)), [f32(3, 5)]),
    called("sort_i64", lambda x: tuple(torch.sort(x, 0)), [i64(7, 3)]),
    called("sort_stable", lambda x: tuple(torch.sort(x, stable=True, dim=-1)), [i64(2, 40, low=0, high=3)]),
    called("argsort_f16", lambda x: torch.argsort(x, dim=1, stable=True), [f16(2, 9)]),
    called("cumprod_f32", lambda x: torch.cumprod(x, 1), [f32(2, 6, 3)]),
    called("cumprod_i64", lambda x: torch.cumprod(x, 0), [i64(5, 2, low=-3, high=3)]),
    called("bucketize_f32", lambda x, b: (torch.bucketize(x, b), torch.bucketize(x, b, right=True)),
           [f32(3, 4), given([-1.0, 0.0, 0.0, 0.5])]),
    called("bucketize_i64", lambda x, b: torch.bucketize(x, b, out_int32=True, right=True), [i64(11), given([-4, 0, 2, 2, 7])]),
    *(
        called(f"cdist_{name}", lambda x, y, p=p: ops._cdist_forward.default(x, y, p, None), [f32(2, 3, 5), f32(2, 4, 5)])
        for name, p in (("0", 0.0), ("1", 1.0), ("2", 2.0), ("3", 3.0), ("inf", math.inf))
    ),
    called("cdist_f64", lambda x, y: ops._cdist_forward.default(x, y, 2.0, 2), [f64(3, 5), f64(4, 5)]),
    called("pdist", lambda x: ops._pdist_forward.default(x, 1.5), [f32(4, 3)]),
    called("masked_scatter", lambda x, m, y: x.masked_scatter(m, y), [f32(3, 4), mask(4), f32(12)],
           kept=[ops.masked_scatter.default]),
    called("masked_select", lambda x, m: torch.masked_select(x, m), [f32(3, 4), mask(3, 4)],
           kept=[ops.masked_select.default]),
    called("masked_select_i64", lambda x, m: torch.masked_select(x, m), [i64(2, 5), mask(2, 1)],
           kept=[ops.masked_select.default]),
    called("repeat_interleave", lambda r: torch.repeat_interleave(r, output_size=5), [given([2, 0, 3])]),
    called("var_mean", lambda x: (*torch.var_mean(x, [1], correction=1), *torch.var_mean(x, correction=0)), [f32(3, 4, 2)],
           kept=[ops.var_mean.correction]),
    called("shifts_i64", lambda x, n: (x << n, x >> n, x << 2, x >> 1), [i64(3, 4), i64(4, low=0, high=5)]),
    called("shifts_u8", lambda x: (torch.bitwise_left_shift(x, 3), torch.bitwise_right_shift(x, 2)),
           [ints(5, dtype=torch.uint8, low=0, high=255)]),
    called("max_pool3d", lambda x: torch.nn.functional.max_pool3d(x, (2, 3, 2), (1, 2, 2), (1, 1, 0), return_indices=True),
           [f32(2, 3, 5, 6, 4)]),
    called("avg_pool3d", lambda x: torch.nn.functional.avg_pool3d(x, (2, 3, 2), (1, 2, 2), (1, 1, 0), ceil_mode=True),
           [f32(2, 3, 5, 6, 4)]),
    called("avg_pool3d_covered", lambda x: torch.nn.functional.avg_pool3d(x, 3, 2, 1, count_include_pad=False),
           [f32(3, 5, 6, 4)]),
    *(
        called(f"bilinear_aa_{name}",
               lambda x, size=size, align=align: ops._upsample_bilinear2d_aa.default(x, size, align, None, None), [f32(1, 2, 9, 11)],
               kept=[ops._upsample_bilinear2d_aa.default], double=False)
        for name, size, align in (("smaller", [4, 5], False), ("larger", [13, 16], False), ("corners", [5, 20], True))
    ),
    called("rfft", lambda x: torch.view_as_real(torch.fft.rfft(x)), [f32(3, 12)]),
    called("rfft_prime", lambda x: torch.view_as_real(torch.fft.rfft(x, norm="ortho")), [f64(2, 13)]),
    called("rfft2", lambda x: torch.view_as_real(torch.fft.rfft2(x)), [f32(2, 6, 10)]),
    called("irfft", lambda x, y: torch.fft.irfft(torch.fft.rfft(x) * torch.fft.rfft(y), 10), [f32(3, 10), f32(3, 10)]),
    called("irfft_odd", lambda x: torch.fft.irfft(torch.fft.rfft(x), 9), [f32(3, 9)]),
    called("fft", lambda x: torch.view_as_real(torch.fft.ifft(torch.fft.rfft(x), norm="ortho")), [f32(3, 12)]),
    called("map", lambda xs, y: control_flow.map(lambda x, y: (x * y).sin(), xs, y), [f32(4, 3), f32(3)]),
    called("spectrum", lambda x: torch.fft.rfft(x).abs(), [f32(3, 16)]),
    called("conjugate", lambda x: torch.view_as_real(ops._conj_physical.default(torch.fft.rfft(x) + 1.0)), [f32(8)]),
    called("rand", lambda x: torch.rand(3, 4) * 0.0 + x, [f32(3, 4)]),
    called("randn", lambda x: torch.randn(3, 4) * 0.0 + x, [f32(3, 4)]),
    # Any draw is right; the command's tests look at what follows from a seed.
    called("randn_shown", lambda x: torch.randn(3, 4) + x, [f32(3, 4)], atol=50.0),
    called("randperm", lambda x: torch.sort(torch.randperm(9))[0] + x, [i64(9)]),
    called("native_dropout", lambda x: ops.native_dropout.default(x, 0.5, False), [f32(3, 4)],
           kept=[ops.native_dropout.default]),
    called("convolution_backward", convolution_backward, [f32(2, 4, 4, 5), f32(2, 6, 7, 9), f32(4, 3, 2, 3)],
           kept=[ops.convolution_backward.default], atol=1e-4, rtol=1e-4),
    called("max_pool2d_backward", pool_backward, [f32(2, 3, 4, 5), f32(2, 3, 5, 6)],
           kept=[ops.max_pool2d_with_indices_backward.default]),
    called("empty_dim_order", lambda x: torch.empty([3, 4]).fill_(1.5) + x, [f32(3, 4)]),
]
