"""Operators that move elements into another shape: expand, repeat, flip, join, split, pad, unfold, shuffle, squeeze."""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor, nn
from torch.export import Dim

from lib import Case, Source, f32, fn, ints

CAT, EXPAND, FLIP = "aten.cat.default", "aten.expand_copy.default", "aten.flip.default"
PAD, REPEAT, SPLIT = "aten.constant_pad_nd.default", "aten.repeat.default", "aten.split_with_sizes_copy.default"
SHUFFLE, SQUEEZE = "aten.pixel_shuffle.default", "aten.squeeze_copy.dims"
UNFOLD, UNSQUEEZE = "aten.unfold_copy.default", "aten.unsqueeze_copy.default"
PRIORS, TRANSPOSE = "et_vk.grid_priors.default", "aten.permute_copy.default"


def f16(*shape: int) -> Source:
    return lambda: torch.randn(shape).half()


def bools(*shape: int) -> Source:
    return lambda: torch.rand(shape) > 0.5


def i64(*shape: int) -> Source:
    return ints(*shape, dtype=torch.int64)


def copy(operator: str, name: str, function: Callable[..., Any], *sources: Source, **options: Any) -> Case:
    """A case of one step in the folder that the operator names."""
    folder = operator.split(".")[1]
    return Case(
        f"ops/{folder}/{name}", fn(function), [sources], operators=[operator], atol=0, rtol=0, **options
    )


def resized(
    operator: str, name: str, function: Callable[..., Any], shapes: Sequence[Sequence[tuple[int, ...]]], *dims: Any
) -> Case:
    """A case with one step per set of input shapes; `dims` are the dynamic dimensions of each input."""
    folder = operator.split(".")[1]
    steps = [tuple(f32(*shape) for shape in step) for step in shapes]
    return Case(
        f"ops/{folder}/{name}", fn(function), steps, operators=[operator], dynamic=dims, atol=0, rtol=0
    )


def rows(low: int, high: int) -> Any:
    return Dim("rows", min=low, max=high)


def columns(low: int, high: int) -> Any:
    return Dim("columns", min=low, max=high)


def pad(name: str, source: Source, amounts: Sequence[int], value: float = 0.0) -> Case:
    return copy(PAD, name, lambda x: nn.functional.pad(x, amounts, value=value), source)


def split(name: str, source: Source, sizes: Sequence[int], dim: int) -> Case:
    return copy(SPLIT, name, lambda x: torch.split(x, sizes, dim), source)


class JoinConstant(nn.Module):
    """A constant in front of the input."""

    def __init__(self) -> None:
        super().__init__()
        self.token = nn.Parameter(torch.randn(1, 1, 5))

    def forward(self, x: Tensor) -> Tensor:
        return torch.cat([self.token.expand(x.size(0), -1, -1), x], 1)


def expanded_like(x: Tensor, y: Tensor) -> Tensor:
    return x.expand(y.size(0), -1) + y


def tiled_like(x: Tensor, y: Tensor) -> Tensor:
    return x.repeat(y.size(0), 1) + y


CASES = [
    copy(EXPAND, "column", lambda x: x.expand(3, 5), f32(3, 1)),
    copy(EXPAND, "keep", lambda x: x.expand(-1, 4, -1), f32(3, 1, 5)),
    copy(EXPAND, "new_dims", lambda x: x.expand(2, 7, -1, 3), f32(5, 1)),
    copy(EXPAND, "rank_0", lambda x: x.expand(2, 3), f32()),
    copy(EXPAND, "to_empty", lambda x: x.expand(3, 0), f32(3, 1)),
    copy(EXPAND, "rank_6", lambda x: x.expand(2, 3, 2, 2, 3, 4), f32(2, 1, 2, 1, 3, 4)),
    copy(EXPAND, "bool", lambda x: x.expand(3, 7), bools(7)),
    copy(EXPAND, "i64", lambda x: x.expand(3, 7), i64(3, 1)),
    copy(EXPAND, "f16", lambda x: x.expand(3, 7), f16(7), needs=["f16"]),
    resized(EXPAND, "dynamic", expanded_like, [[(1, 5), (7, 5)], [(1, 5), (2, 5)], [(1, 5), (16, 5)]],
            None, {0: rows(2, 16)}),

    copy(REPEAT, "rows", lambda x: x.repeat(3, 1), f32(2, 5)),
    copy(REPEAT, "both", lambda x: x.repeat(2, 3), f32(3, 5)),
    copy(REPEAT, "new_dims", lambda x: x.repeat(2, 3, 1, 2), f32(3, 5)),
    copy(REPEAT, "rank_0", lambda x: x.repeat(2, 3), f32()),
    copy(REPEAT, "once", lambda x: x.repeat(1, 1) + 1.0, f32(3, 5)),
    copy(REPEAT, "zero_times", lambda x: x.repeat(0, 2), f32(3, 5)),
    copy(REPEAT, "bool", lambda x: x.repeat(2, 3), bools(3, 3)),
    copy(REPEAT, "i64", lambda x: x.repeat(2, 3), i64(3, 3)),
    resized(REPEAT, "dynamic", tiled_like, [[(5,), (7, 5)], [(5,), (2, 5)], [(5,), (16, 5)]],
            None, {0: rows(2, 16)}),

    copy(FLIP, "negative_dims", lambda x: x.flip(-1, -3), f32(3, 5, 7)),
    copy(FLIP, "all", lambda x: x.flip(0, 1, 2, 3), f32(2, 3, 5, 7)),
    copy(FLIP, "none", lambda x: x.flip([]) + 1.0, f32(3, 5)),
    copy(FLIP, "size_1", lambda x: x.flip(0, 1), f32(1, 7)),
    copy(FLIP, "vector", lambda x: x.flip(0), f32(13)),
    copy(FLIP, "i32", lambda x: x.flip(1), ints(3, 5)),
    copy(FLIP, "bool", lambda x: x.flip(1), bools(3, 5)),
    copy(FLIP, "f16", lambda x: x.flip(0), f16(5, 8), needs=["f16"]),

    copy(CAT, "last_dim", lambda a, b: torch.cat([a, b], -1), f32(3, 5), f32(3, 2)),
    copy(CAT, "one", lambda a: torch.cat([a]) + 1.0, f32(3, 5)),
    copy(CAT, "same_twice", lambda a: torch.cat([a, a, a], 1), f32(2, 3)),
    copy(CAT, "empty_part", lambda a, b: torch.cat([a, b], 0), f32(0, 3), f32(2, 3)),
    copy(CAT, "five", lambda *parts: torch.cat(parts, 1), *(f32(2, size, 3) for size in (1, 4, 2, 3, 1))),
    copy(CAT, "eleven", lambda *parts: torch.cat(parts, 0), *(f32(size, 3) for size in (1, 2, 3) * 3 + (5, 1))),
    copy(CAT, "i32", lambda a, b: torch.cat([a, b], 1), ints(3, 5), ints(3, 2)),
    copy(CAT, "i64", lambda a, b: torch.cat([a, b], 0), i64(3, 5), i64(1, 5)),
    copy(CAT, "f16", lambda a, b: torch.cat([a, b], 1), f16(3, 5), f16(3, 2), needs=["f16"]),
    copy(CAT, "mixed_types", lambda a, b, c: torch.cat([a, b, c], 1), f32(3, 5), i64(3, 2), ints(3, 4)),
    copy(CAT, "stack", lambda a, b: torch.stack([a, b], 1), f32(3, 5), f32(3, 5)),
    Case("ops/cat/constant", JoinConstant, [(f32(2, 3, 5),)], operators=[CAT], atol=0, rtol=0),
    resized(CAT, "dynamic", lambda a, b: torch.cat([a, b], 0),
            [[(7, 5), (3, 5)], [(2, 5), (11, 5)], [(16, 5), (16, 5)]], {0: rows(2, 16)}, {0: columns(2, 16)}),

    split("first_dim", f32(7, 5), [1, 4, 2], 0),
    split("negative_dim", f32(2, 3, 7), [3, 4], -1),
    split("empty_piece", f32(3, 5), [2, 0, 3], 1),
    split("i64", i64(3, 7), [2, 5], 1),
    split("bool", bools(3, 7), [2, 5], 1),
    copy(SPLIT, "chunk", lambda x: torch.chunk(x, 3, 1), f32(2, 7)),
    copy(SPLIT, "even", lambda x: torch.split(x, 3), f32(7, 2)),
    copy(SPLIT, "one_used", lambda x: torch.split(x, [2, 5], 1)[1], f32(3, 7)),
    resized(SPLIT, "dynamic_other_dim", lambda x: torch.split(x, [2, 3], 1),
            [[(7, 5)], [(1, 5)], [(5, 5)]], {0: rows(1, 16)}),

    pad("last", f32(3, 5), [1, 2]),
    pad("four_dims", f32(2, 3, 4, 5), [1, 0, 0, 2, 3, 1, 0, 1], 2.5),
    pad("negative", f32(5, 7), [-2, 1, 1, -3]),
    pad("cut_to_empty", f32(3, 4), [-2, -2]),
    pad("of_empty", f32(0, 3), [1, 1, 2, 0], -1.0),
    pad("i32", ints(3, 5), [2, 1], 7),
    pad("bool", bools(3, 5), [2, 1, 1, 0], True),
    resized(PAD, "dynamic", lambda x: nn.functional.pad(x, [1, 2, 3, 0]),
            [[(7, 5)], [(1, 5)], [(16, 5)]], {0: rows(1, 16)}),

    copy(UNFOLD, "overlapping", lambda x: x.unfold(1, 3, 1), f32(3, 7)),
    copy(UNFOLD, "gaps", lambda x: x.unfold(0, 2, 3), f32(11, 3)),
    copy(UNFOLD, "negative_dim", lambda x: x.unfold(-2, 4, 2), f32(2, 9, 3)),
    copy(UNFOLD, "whole", lambda x: x.unfold(1, 5, 1), f32(3, 5)),
    copy(UNFOLD, "f16", lambda x: x.unfold(1, 4, 4), f16(3, 12), needs=["f16"]),
    resized(UNFOLD, "dynamic", lambda x: x.unfold(1, 3, 2), [[(7, 5)], [(1, 5)], [(16, 5)]], {0: rows(1, 16)}),

    copy(SHUFFLE, "by_3", lambda x: nn.functional.pixel_shuffle(x, 3), f32(2, 18, 2, 5)),
    copy(SHUFFLE, "by_1", lambda x: nn.functional.pixel_shuffle(x, 1) + 1.0, f32(1, 3, 2, 5)),
    copy(SHUFFLE, "rank_3", lambda x: nn.functional.pixel_shuffle(x, 2), f32(4, 3, 5)),
    copy(SHUFFLE, "f16", lambda x: nn.functional.pixel_shuffle(x, 2), f16(1, 8, 3, 3), needs=["f16"]),
    resized(SHUFFLE, "dynamic", lambda x: nn.functional.pixel_shuffle(x, 2),
            [[(1, 8, 3, 5)], [(1, 8, 7, 2)], [(1, 8, 2, 8)]], {2: rows(2, 8), 3: columns(2, 8)}),
    Case(
        "programs/pixel_unshuffle",
        fn(lambda x: nn.functional.pixel_unshuffle(x, 2)),
        [(f32(2, 3, 4, 6),)],
        operators=["aten.view_copy.default", TRANSPOSE],
    ),

    copy(SQUEEZE, "one", lambda x: x.squeeze(1), f32(3, 1, 5)),
    copy(SQUEEZE, "negative", lambda x: x.squeeze(-3), f32(3, 1, 5, 7)),
    copy(SQUEEZE, "several", lambda x: x.squeeze((0, 2, -1)), f32(1, 3, 1, 5, 1)),
    copy(SQUEEZE, "not_1", lambda x: x.squeeze((0, 1)) + 1.0, f32(3, 1, 5)),
    copy(SQUEEZE, "all", lambda x: x.squeeze(), f32(1, 3, 1)),
    copy(SQUEEZE, "to_rank_0", lambda x: x.squeeze((0, 1)), f32(1, 1)),
    copy(SQUEEZE, "bool", lambda x: x.squeeze(0), bools(1, 7)),
    resized(SQUEEZE, "dynamic", lambda x: x.squeeze(1), [[(7, 1, 5)], [(2, 1, 5)], [(16, 1, 5)]], {0: rows(2, 16)}),

    copy(UNSQUEEZE, "first", lambda x: x.unsqueeze(0), f32(3, 5)),
    copy(UNSQUEEZE, "end", lambda x: x.unsqueeze(2), f32(3, 5)),
    copy(UNSQUEEZE, "negative", lambda x: x.unsqueeze(-2), f32(3, 5)),
    copy(UNSQUEEZE, "rank_0", lambda x: x.unsqueeze(-1), f32()),
    copy(UNSQUEEZE, "i64", lambda x: x.unsqueeze(1), i64(3, 5)),
    resized(UNSQUEEZE, "dynamic", lambda x: x.unsqueeze(1), [[(7, 5)], [(2, 5)], [(16, 5)]], {0: rows(2, 16)}),

    copy(TRANSPOSE, "t", lambda x: x.t(), f32(3, 5)),
    copy(TRANSPOSE, "swap", lambda x: x.transpose(-1, 0), f32(3, 5, 7)),
    copy(TRANSPOSE, "bool", lambda x: x.transpose(0, 1), bools(3, 5)),
    copy(TRANSPOSE, "f16", lambda x: x.permute(1, 0, 2), f16(3, 5, 4), needs=["f16"]),
    copy(TRANSPOSE, "only_ones_move", lambda x: x.permute(0, 2, 1, 3), f32(1, 1, 3, 5)),

    copy(PRIORS, "fractions", lambda x: torch.ops.et_vk.grid_priors(x, 8, 0.25), f32(1, 2, 3, 5)),
    copy(PRIORS, "one_column", lambda x: torch.ops.et_vk.grid_priors(x, 32, 0.5), f32(1, 1, 7, 1)),
]
