"""Copies and look-ups outside a delegate, which the runtime runs on the host: also in 64 bits."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn
from torch.export import Dim

from lib import Case, Source, f32, fn, given, ints


def f64(*shape: int) -> Source:
    return lambda: torch.randn(shape, dtype=torch.float64)


def i64(*shape: int) -> Source:
    return ints(*shape, dtype=torch.int64, low=-(2**40), high=2**40)


def bools(*shape: int) -> Source:
    return lambda: torch.rand(shape) > 0.5


def ids(limit: int, *shape: int) -> Source:
    return ints(*shape, dtype=torch.int64, low=0, high=limit - 1)


def host(kernels: str, name: str, function: Callable[..., Any], *sources: Source) -> Case:
    """A case whose program calls exactly these kernels. A view that is an output would be cloned; a flip prevents it."""
    return Case(
        f"programs/portable/{name}",
        fn(function),
        [sources],
        kernels=[f"aten::{kernel}" for kernel in kernels.split()],
        delegated=False,
        double=False,
        atol=0,
        rtol=0,
    )


class Table(nn.Module):
    """An embedding in 64 bits."""

    def __init__(self) -> None:
        super().__init__()
        self.table = nn.Embedding(7, 5, dtype=torch.float64)

    def forward(self, indices: Tensor) -> Tensor:
        return self.table(indices)


ops = torch.ops.aten

CASES = [
    host("cat.out", "cat", lambda a, b: torch.cat([a, b], 1), i64(2, 3), i64(2, 2)),
    host(
        "unsqueeze_copy.out unsqueeze_copy.out cat.out", "stack",
        lambda a, b: torch.stack([a, b], -1), f64(2, 3), f64(2, 3),
    ),
    host(
        "expand_copy.out flip.out", "expand_copy",
        lambda x: x.expand(2, -1, 3).flip(1), i64(4, 1),
    ),
    host("repeat.out", "repeat", lambda x: x.repeat(2, 1, 2), f64(3, 2)),
    host("flip.out", "flip", lambda x: x.flip(0, -1), i64(3, 2, 2)),
    host("permute_copy.out", "permute_copy", lambda x: ops.permute_copy.default(x, [2, 0, 1]), f64(3, 2, 4)),
    host("slice_copy.Tensor_out", "slice_copy", lambda x: ops.slice_copy.Tensor(x, 1, -3, None, 2), i64(2, 5)),
    host("select_copy.int_out", "select_copy", lambda x: ops.select_copy.int(x, -1, 1), bools(3, 4)),
    host("split_copy.Tensor_out", "split_copy", lambda x: ops.split_copy.Tensor(x, 3, 1), i64(2, 7)),
    host(
        "split_with_sizes_copy.out flip.out", "split_with_sizes_copy",
        lambda x: torch.split(x, [1, 4], -1)[1].flip(1), f64(2, 5),
    ),
    Case(
        "programs/portable/split_with_sizes_copy_dynamic",
        fn(lambda x: torch.cat(torch.split(x, [2, 3], 1)[::-1], 1)),
        [(f32(rows, 5),) for rows in (16, 7, 1)],
        kernels=["aten::split_with_sizes_copy.out", "aten::cat.out"],
        dynamic=[{0: Dim("rows", min=1, max=16)}],
        delegated=False,
        double=False,
        atol=0,
        rtol=0,
    ),
    host("unbind_copy.int_out", "unbind_copy", lambda x: ops.unbind_copy.int(x, 1), i64(2, 3)),
    host(
        "squeeze_copy.dims_out flip.out", "squeeze_copy",
        lambda x: x.squeeze((0, 1)).flip(0), i64(1, 3, 1),
    ),
    host(
        "unfold_copy.out flip.out", "unfold_copy",
        lambda x: x.unfold(0, 3, 2).flip(1), i64(7),
    ),
    host(
        "constant_pad_nd.out", "constant_pad_nd",
        lambda x: nn.functional.pad(x, [1, -1, 0, 2], value=2**40), i64(2, 3),
    ),
    host(
        "as_strided_copy.out", "as_strided_copy",
        lambda x: ops.as_strided_copy.default(x, [2, 3], [1, 4], 2), i64(3, 5),
    ),
    host("diagonal_copy.out", "diagonal_copy", lambda x: torch.diagonal(x, -1, 0, 2), f64(4, 2, 3)),
    host("gather.out", "gather", lambda x, i: torch.gather(x, -1, i), i64(2, 5), ids(5, 2, 3)),
    host("index_select.out", "index_select", lambda x, i: torch.index_select(x, 1, i), f64(2, 5), ids(5, 3)),
    host("index.Tensor_out", "index_two", lambda x, i, j: x[i, j], i64(4, 5, 2), given([[3], [-1]]), given([0, -5, 4])),
    host("index.Tensor_out", "index_apart", lambda x, i, j: x[i, :, j], f64(4, 3, 5), given([3, 0]), given([-1, 2])),
    host(
        "index_put.out", "index_put",
        lambda x, i, v: ops.index_put.default(x, [None, i], v), i64(2, 5), given([4, -5]), i64(1, 2),
    ),
    host(
        "index_put.out", "index_put_accumulate",
        lambda x, i, v: ops.index_put.default(x, [i], v, True), i64(5), given([4, 1, 4]), i64(3),
    ),
    host(
        "scatter.src_out", "scatter",
        lambda x, i, v: torch.scatter(x, 1, i, v), f64(2, 5), given([[4, 0], [1, 2]]), f64(3, 4),
    ),
    host("scatter.value_out", "scatter_value", lambda x, i: torch.scatter(x, 0, i, 2.5), f64(3, 2), ids(3, 1, 2)),
    host("scatter_add.out", "scatter_add", lambda x, i, v: torch.scatter_add(x, 0, i, v), i64(3), ids(3, 5), i64(5)),
    host(
        "slice_scatter.out", "slice_scatter",
        lambda x, v: torch.slice_scatter(x, v, 1, 1, None, 2), i64(2, 5), i64(2, 2),
    ),
    Case(
        "programs/portable/embedding",
        Table,
        [(ids(7, 2, 3),)],
        kernels=["aten::embedding.out"],
        delegated=False,
        atol=0,
        rtol=0,
    ),
]
