"""Reductions and softmax, inside the delegate where the exporter takes them and on the host where it does not.

The exporter delegates a reduction of the last dimension, or of one or two dimensions that are kept; integers never.
"""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor
from torch.export import Dim

from lib import Case, Source, f32, fn, given, ints

NAN, INF = float("nan"), float("inf")


def reduce(
    operator: str, name: str, function: Callable[[Tensor], Any], *inputs: Source, dynamic: dict | None = None
) -> Case:
    """A delegated reduction with one step per input."""
    folder = operator.split(".")[1].lstrip("_")
    return Case(
        f"ops/{folder}/{name}",
        fn(function),
        [(source,) for source in inputs],
        operators=[operator],
        dynamic=None if dynamic is None else [dynamic],
        # Positions of equals and NaN are those of single precision, and two NaN are not close.
        double=folder not in ("argmax", "argmin") and name != "nan_inf",
    )


def host(name: str, kernels: Sequence[str], function: Callable[[Tensor], Any], source: Source) -> Case:
    """A reduction outside the delegate."""
    return Case(f"programs/portable/{name}", fn(function), [(source,)], kernels=kernels, delegated=False)


SPECIAL = given([[1.0, NAN, 3.0], [INF, -INF, 0.0], [-INF, -INF, -INF], [-0.0, 0.0, -1.0]])
TIES = given([[2.0, 5.0, 5.0, 1.0, 1.0], [0.0, -0.0, 0.0, -0.0, 0.0], [-3.0, -3.0, -4.0, -4.0, -3.0]])
ROWS = {0: Dim("rows", min=2, max=9)}

SUMS = [
    case
    for operator, function in (("aten.sum.dim_IntList", torch.sum), ("aten.mean.dim", torch.mean))
    for case in (
        reduce(operator, "last", lambda x, f=function: f(x, -1), f32(3, 5, 37)),
        reduce(operator, "first_keep", lambda x, f=function: f(x, 0, keepdim=True), f32(41, 3, 2)),
        reduce(operator, "two_keep", lambda x, f=function: f(x, [1, -1], keepdim=True), f32(2, 5, 3, 7)),
        reduce(operator, "images_keep", lambda x, f=function: f(x, [2, 3], keepdim=True), f32(1, 3, 9, 11)),
        reduce(operator, "vector", lambda x, f=function: f(x, 0), f32(1031)),
        reduce(operator, "nan_inf", lambda x, f=function: f(x, 1), SPECIAL),
        reduce(operator, "dynamic", lambda x, f=function: f(x, 0, keepdim=True), f32(5, 3), f32(9, 3), dynamic=ROWS),
    )
]

EXTREMES = [
    case
    for operator, function in (("aten.amax.default", torch.amax), ("aten.amin.default", torch.amin))
    for case in (
        reduce(operator, "middle_keep", lambda x, f=function: f(x, 1, keepdim=True), f32(3, 67, 2)),
        reduce(operator, "two_keep", lambda x, f=function: f(x, (0, 2), keepdim=True), f32(5, 3, 7)),
        reduce(operator, "nan_inf", lambda x, f=function: f(x, -1), SPECIAL),
        reduce(operator, "ones", lambda x, f=function: f(x, -1, keepdim=True), f32(1, 1, 1)),
        reduce(operator, "dynamic", lambda x, f=function: f(x, 1), f32(5, 70), f32(2, 70), dynamic=ROWS),
    )
]

POSITIONS = [
    case
    for operator, function in (("aten.argmax.default", torch.argmax), ("aten.argmin.default", torch.argmin))
    for case in (
        reduce(operator, "last", lambda x, f=function: f(x, -1), f32(2, 3, 131)),
        reduce(operator, "first_keep", lambda x, f=function: f(x, 0, keepdim=True), f32(37, 5)),
        reduce(operator, "ties", lambda x, f=function: f(x, 1, keepdim=True), TIES),
        reduce(operator, "nan_inf", lambda x, f=function: f(x, 1), SPECIAL),
        reduce(operator, "dynamic", lambda x, f=function: f(x, 1), f32(5, 70), f32(2, 70), dynamic=ROWS),
    )
]

SOFTMAXES = [
    case
    for operator, function in (
        ("aten._softmax.default", torch.softmax),
        ("aten._log_softmax.default", torch.log_softmax),
    )
    for case in (
        reduce(operator, "last", lambda x, f=function: f(x, -1), f32(2, 3, 97, scale=4.0)),
        reduce(operator, "first", lambda x, f=function: f(x, 0), f32(43, 3, 2)),
        reduce(operator, "middle", lambda x, f=function: f(x, -2), f32(1, 2, 5, 3)),
        reduce(operator, "size_1", lambda x, f=function: f(x, 1), f32(4, 1)),
        reduce(operator, "wide", lambda x, f=function: f(x, -1), f32(1, 1500, scale=30.0)),
        reduce(operator, "nan_inf", lambda x, f=function: f(x, -1), SPECIAL),
        reduce(operator, "dynamic", lambda x, f=function: f(x, -1), f32(5, 40), f32(2, 40), dynamic=ROWS),
    )
]

HOST = [
    host("cumsum", ["aten::cumsum.out"], lambda x: x.cumsum(1), f32(3, 17, 2)),
    host("cumsum_i64", ["aten::cumsum.out"], lambda x: x.cumsum(-1), ints(2, 5, dtype=torch.int64)),
    host("cumsum_widens", ["aten::cumsum.out"], lambda x: x.cumsum(0), ints(7, dtype=torch.int32)),
    host("topk", ["aten::topk.values"], lambda x: tuple(x.topk(4, dim=1)), f32(3, 9, 2)),
    host("topk_least", ["aten::topk.values"], lambda x: tuple(x.topk(3, largest=False)), ints(2, 7, dtype=torch.int64)),
    host("topk_none", ["aten::topk.values"], lambda x: tuple(x.topk(0)), f32(2, 3)),
    host("amax_dims", ["aten::amax.out"], lambda x: x.amax((0, 2)), f32(3, 5, 7)),
    host("amin_i64", ["aten::amin.out"], lambda x: x.amin(1), ints(3, 5, dtype=torch.int64)),
    host("argmax_flat", ["aten::argmax.out"], lambda x: x.argmax(), f32(3, 5, 7)),
    host("argmin_i64", ["aten::argmin.out"], lambda x: x.argmin(0), ints(9, 5, dtype=torch.int64)),
    host("softmax", ["aten::_softmax.out"], lambda x: x.softmax(1), f32(3, 5, 7)),
    host("log_softmax", ["aten::_log_softmax.out"], lambda x: x.log_softmax(0), f32(3, 5)),
    host("any", ["aten::any.out"], lambda x: x.any(1), lambda: torch.rand(6, 3) > 0.7),
    host("any_all", ["aten::any.all_out"], lambda x: x.any(), lambda: torch.rand(6, 3) > 0.7),
    host("any_dims", ["aten::any.dims_out"], lambda x: torch.any(x, (0, 2)), lambda: torch.rand(2, 6, 2) > 0.7),
    host("prod", ["aten::prod.int_out"], lambda x: x.prod(1), f32(3, 5)),
    host("prod_all_i64", ["aten::prod.out"], lambda x: x.prod(), ints(2, 3, dtype=torch.int64, low=1, high=9)),
    host("var", ["aten::var.correction_out"], lambda x: x.var(1), f32(3, 5, 7)),
    host("var_biased", ["aten::var.correction_out"], lambda x: x.var((0, 2), correction=0, keepdim=True), f32(3, 5, 7)),
    host("max_dim", ["aten::max.dim_max"], lambda x: tuple(torch.max(x, 1)), TIES),
    host("min_dim_keep", ["aten::min.dim_min"], lambda x: tuple(torch.min(x, 0, keepdim=True)), TIES),
    host("max_all", ["aten::max.unary_out"], lambda x: x.max(), f32(3, 5)),
]

CASES = [*SUMS, *EXTREMES, *POSITIONS, *SOFTMAXES, *HOST]
