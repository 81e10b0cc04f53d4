"""Operators that move elements: `view_copy`, `select_copy`, `slice_copy`, `permute_copy`."""

from typing import Any

import torch
from torch import Tensor
from torch.export import Dim

from lib import Case, Source, f32, fn, ints

VIEW, SELECT = "aten.view_copy.default", "aten.select_copy.int"
SLICE, PERMUTE = "aten.slice_copy.Tensor", "aten.permute_copy.default"


def view(name: str, source: Source, *sizes: int) -> Case:
    return Case(f"ops/view_copy/{name}", fn(lambda x: x.view(sizes)), [(source,)], operators=[VIEW])


def select(name: str, source: Source, dim: int, index: int) -> Case:
    return Case(f"ops/select_copy/{name}", fn(lambda x: x.select(dim, index)), [(source,)], operators=[SELECT])


def cut(name: str, source: Source, dim: int, start: int | None, end: int | None, step: int = 1) -> Case:
    function = lambda x: torch.ops.aten.slice_copy.Tensor(x, dim, start, end, step)  # noqa: E731
    return Case(f"ops/slice_copy/{name}", fn(function), [(source,)], operators=[SLICE])


def permute(name: str, source: Source, *dims: int) -> Case:
    return Case(f"ops/permute_copy/{name}", fn(lambda x: x.permute(dims)), [(source,)], operators=[PERMUTE])


def i64(*shape: int) -> Source:
    return ints(*shape, dtype=torch.int64)


def dynamic(operator: str, folder: str, name: str, function: Any, sizes: list[tuple[int, ...]], *dims: Any) -> Case:
    """A case with one step per shape; `dims` are the dynamic dimensions of the one input."""
    return Case(
        f"ops/{folder}/{name}",
        fn(function),
        [(f32(*shape),) for shape in sizes],
        dynamic=[dict(dims)],
        operators=[operator],
    )


def rows(low: int, high: int) -> Any:
    return Dim("rows", min=low, max=high)


def columns(low: int, high: int) -> Any:
    return Dim("columns", min=low, max=high)


def split_heads(x: Tensor) -> Tensor:
    return x.view(x.size(0), x.size(1), 4, 3)


CASES = [
    view("flatten", f32(3, 4, 5), 60),
    view("infer", f32(3, 4, 5), -1, 10),
    view("rank_up", f32(24), 2, 3, 4),
    view("rank_6", f32(6, 20), 2, 3, 1, 4, 1, 5),
    view("to_rank_0", f32(1, 1)),
    view("from_rank_0", f32(), 1, 1, 1),
    view("prime", f32(7, 13), 13, 7),
    view("empty", f32(0, 6), 2, 0, 3),
    view("i32", ints(4, 6), 3, 8),
    view("i64", i64(4, 6), 8, 3),
    view("insert_ones", f32(3, 5), 1, 3, 1, 5, 1),
    Case(
        "ops/view_copy/bool",
        fn(lambda x: x.view(5, 3)),
        [(lambda: torch.rand(3, 5) > 0.5,)],
        operators=[VIEW],
    ),
    Case("ops/view_copy/twice", fn(lambda x: (x.view(6, 4) + 1.0).view(-1)), [(f32(2, 3, 4),)], operators=[VIEW]),
    dynamic(VIEW, "view_copy", "dynamic_infer", lambda x: x.view(-1, 6), [(5, 12), (1, 12), (16, 12)],
            (0, rows(1, 16))),
    dynamic(VIEW, "view_copy", "dynamic_sizes", split_heads, [(5, 7, 12), (1, 16, 12), (16, 1, 12), (13, 11, 12)],
            (0, rows(1, 16)), (1, columns(1, 16))),
    dynamic(VIEW, "view_copy", "dynamic_product", lambda x: x.view(x.size(0) * x.size(1), 3),
            [(5, 7, 3), (2, 8, 3), (8, 2, 3)], (0, rows(2, 8)), (1, columns(2, 8))),

    *(select(f"dim_{dim}", f32(3, 4, 5, 6), dim, 2) for dim in range(4)),
    *(select(f"dim_minus_{dim}", f32(3, 4, 5, 6), -dim, -dim % 3 - 1) for dim in range(1, 5)),
    select("last_of_rank_2", f32(7, 11), 0, -1),
    select("rank_1", f32(7), 0, 3),
    select("rank_5", f32(2, 3, 4, 3, 5), 2, 3),
    select("size_1", f32(1, 5), 0, 0),
    select("i32", ints(3, 5), 1, 4),
    select("i64", i64(3, 5), -1, -5),
    dynamic(SELECT, "select_copy", "dynamic_last", lambda x: x[:, -1], [(2, 7, 5), (2, 16, 5), (2, 2, 5)],
            (1, rows(2, 16))),
    dynamic(SELECT, "select_copy", "dynamic_other_dim", lambda x: x.select(2, 1), [(3, 7, 5), (3, 1, 5), (3, 16, 5)],
            (1, rows(1, 16))),

    cut("first_dim", f32(7, 5), 0, 2, 6),
    cut("last_dim", f32(7, 5), 1, 1, 4),
    cut("middle_dim", f32(3, 7, 5), 1, 2, 5),
    cut("negative_dim", f32(3, 7, 5), -2, 2, 5),
    cut("negative_start", f32(7, 5), 0, -3, None),
    cut("negative_end", f32(7, 5), 0, 1, -2),
    cut("negative_both", f32(11), 0, -9, -2),
    cut("end_past", f32(7, 5), 0, 3, 100),
    cut("start_before", f32(7, 5), 0, -100, 3),
    cut("open_start", f32(7, 5), 1, None, 3),
    cut("step_2", f32(7, 5), 0, 0, None, 2),
    cut("step_3", f32(3, 11), 1, 1, 10, 3),
    cut("step_past_end", f32(5, 3), 0, 1, None, 7),
    cut("to_empty", f32(5, 3), 0, 4, 2),
    cut("of_empty", f32(0, 3), 1, 1, 3),
    cut("rank_5", f32(2, 3, 2, 7, 3), 3, 1, 6, 2),
    cut("i32", ints(7, 5), 0, 1, 6, 2),
    cut("i64", i64(7, 5), 1, -3, -1),
    dynamic(SLICE, "slice_copy", "dynamic_start", lambda x: x[2:], [(7, 5), (4, 5), (16, 5)], (0, rows(4, 16))),
    dynamic(SLICE, "slice_copy", "dynamic_step", lambda x: x[1::2], [(8, 5), (4, 5), (16, 5), (7, 5)],
            (0, rows(4, 16))),
    dynamic(SLICE, "slice_copy", "dynamic_negative_end", lambda x: x[1:-1], [(7, 5), (4, 5), (16, 5)],
            (0, rows(4, 16))),
    dynamic(SLICE, "slice_copy", "dynamic_other_dim", lambda x: x[:, 1:4], [(7, 5), (1, 5), (16, 5)],
            (0, rows(1, 16))),
    Case(
        "ops/slice_copy/dynamic_end_of_another",
        fn(lambda x, y: x[: y.size(0)] + y),
        [(f32(16, 3), f32(count, 3)) for count in (5, 2, 15)],
        dynamic=[None, {0: rows(2, 15)}],
        operators=[SLICE, "sym_size.int"],
    ),

    permute("rank_1", f32(5), 0),
    permute("transpose", f32(5, 7), 1, 0),
    permute("rank_3", f32(3, 5, 7), 2, 0, 1),
    permute("rank_4", f32(2, 3, 4, 5), 0, 3, 1, 2),
    permute("heads", f32(1, 6, 4, 8), 0, 2, 1, 3),
    permute("negative", f32(2, 3, 4, 5), -1, 0, -2, 1),
    permute("rank_5", f32(2, 3, 4, 3, 2), 4, 2, 0, 3, 1),
    permute("rank_6", f32(2, 1, 3, 2, 1, 5), 5, 0, 3, 1, 2, 4),
    permute("prime", f32(13, 17), 1, 0),
    permute("size_1", f32(1, 1, 1), 2, 1, 0),
    permute("empty", f32(3, 0, 5), 1, 2, 0),
    permute("large", f32(67, 65), 1, 0),
    permute("i32", ints(3, 5, 2), 1, 2, 0),
    permute("i64", i64(3, 5), 1, 0),
    dynamic(PERMUTE, "permute_copy", "dynamic", lambda x: x.permute(1, 2, 0), [(5, 7, 3), (1, 16, 3), (16, 1, 3)],
            (0, rows(1, 16)), (1, columns(1, 16))),
]
