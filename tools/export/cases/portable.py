"""Operators that the partitioner leaves outside the delegate, which the runtime runs on the host."""

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn

from lib import Case, Source, f32, fn, given, ints

SUM, MEAN, CONVOLUTION = "aten::sum.IntList_out", "aten::mean.out", "aten::convolution.out"
COPY, SCALAR_TENSOR = "aten::copy_", "aten::scalar_tensor.out"


def reduce(
    kernel: str, name: str, source: Source, dims: Sequence[int] | None, *, keepdim: bool = False, **options: Any
) -> Case:
    """A reduction on its own, exported without the partitioner so that its form does not depend on the shape."""
    function = torch.sum if kernel == SUM else torch.mean
    folder = "sum" if kernel == SUM else "mean"
    return Case(
        f"programs/portable/{folder}_{name}",
        fn(lambda x: function(x, dims, keepdim=keepdim, **options)),
        [(source,)],
        kernels=[kernel],
        delegated=False,
    )


def convolution(name: str, shape: tuple[int, ...], layer: Any) -> Case:
    return Case(
        f"programs/portable/convolution_{name}",
        layer,
        [(f32(*shape),)],
        kernels=[CONVOLUTION],
        atol=1e-4,
        rtol=1e-4,
    )


class Assign(nn.Module):
    """Overwrites a buffer and gives the sum of its old values."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("kept", torch.zeros(3, 2))

    def forward(self, x: Tensor) -> Tensor:
        before = self.kept.sum()
        self.kept = x * 2.0
        return before


REDUCTIONS = [
    case
    for kernel in (SUM, MEAN)
    for case in (
        reduce(kernel, "middle", f32(3, 5, 7), [1]),
        reduce(kernel, "middle_keepdim", f32(3, 5, 7), [1], keepdim=True),
        reduce(kernel, "two_dims", f32(3, 5, 7), [0, 2]),
        reduce(kernel, "two_dims_keepdim", f32(2, 3, 5, 7), [3, 1], keepdim=True),
        reduce(kernel, "negative_dims", f32(2, 3, 5, 7), [-1, -3]),
        reduce(kernel, "all_dims", f32(3, 5, 7), [0, 1, 2]),
        reduce(kernel, "no_dims", f32(3, 5), []),
        reduce(kernel, "rank_0", f32(), []),
        reduce(kernel, "empty", f32(3, 0, 2), [0]),
    )
]

CASES = [
    *REDUCTIONS,
    reduce(SUM, "over_empty", f32(3, 0, 2), [1]),
    reduce(SUM, "i64", ints(3, 5, dtype=torch.int64), [1]),
    reduce(SUM, "i64_large", given([[2**40, 1], [2**41, -3]], torch.int64), [0], keepdim=True),
    reduce(SUM, "i32_to_i64", ints(3, 5, dtype=torch.int32), [0]),
    reduce(SUM, "bool_to_i64", lambda: torch.rand(4, 6) > 0.5, [1]),
    reduce(SUM, "to_f32", ints(3, 5, dtype=torch.int64), [1], dtype=torch.float32),
    reduce(MEAN, "i64_to_f32", ints(3, 5, dtype=torch.int64), [1], dtype=torch.float32),
    Case(
        "programs/portable/sum_of_delegate",
        fn(lambda x, y: (x + y).sum()),
        [(f32(3, 5), f32(5))],
        operators=["aten.add.Tensor"],
        kernels=[SUM],
    ),
    convolution("batch_2", (2, 3, 8, 7), lambda: nn.Conv2d(3, 4, 3)),
    convolution("no_bias", (2, 3, 6, 6), lambda: nn.Conv2d(3, 2, (2, 3), bias=False)),
    convolution("stride_padding", (3, 2, 9, 7), lambda: nn.Conv2d(2, 4, 3, stride=(2, 3), padding=(1, 2))),
    convolution("dilation", (2, 2, 11, 9), lambda: nn.Conv2d(2, 3, 3, padding=1, dilation=(2, 3))),
    convolution("groups", (2, 6, 5, 5), lambda: nn.Conv2d(6, 4, 3, groups=2)),
    convolution("depthwise", (2, 5, 6, 6), lambda: nn.Conv2d(5, 5, 3, padding=1, groups=5)),
    convolution("pointwise", (4, 3, 2, 5), lambda: nn.Conv2d(3, 7, 1)),
    convolution(
        "transposed", (2, 3, 4, 5), lambda: nn.ConvTranspose2d(3, 2, 3, stride=2, padding=1, output_padding=1)
    ),
    convolution("transposed_groups", (2, 4, 3, 3), lambda: nn.ConvTranspose2d(4, 6, (2, 3), stride=(3, 2), groups=2)),
    convolution("transposed_dilation", (2, 2, 4, 4), lambda: nn.ConvTranspose2d(2, 3, 2, dilation=(2, 3))),
    Case(
        "programs/portable/copy_",
        Assign,
        [(f32(3, 2),), (f32(3, 2),), (f32(3, 2),)],
        operators=["aten.mul.Tensor"],
        kernels=[SUM, COPY],
        stateful=True,
    ),
    Case(
        "programs/portable/scalar_tensor",
        fn(lambda x: torch.scalar_tensor(2.5) + x),
        [(f32(3, 5),)],
        operators=["aten.add.Tensor"],
        kernels=[SCALAR_TENSOR],
    ),
    Case(
        "programs/portable/scalar_tensor_i64",
        fn(lambda x: torch.scalar_tensor(7, dtype=torch.int64) + x),
        [(ints(3, 5, dtype=torch.int64),)],
        operators=["aten.add.Tensor"],
        kernels=[SCALAR_TENSOR],
    ),
]
