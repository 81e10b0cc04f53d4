"""Arithmetic between numbers outside a delegate: sizes, elements, and what is computed from them."""

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.export import Dim

from cases.portable_kept import keeping
from lib import Case, f32, fn, given

# The exporter emits the largest and the smallest of two sizes, a negation of truth, and a size as a float, but its check of
# its own graph refuses them.
UNCHECKED = keeping(checked=False)
SIZE, FULL = "aten::sym_size.int", "aten::full.out"


def sized(name: str, kernels: str, size: Callable[[Any], Any]) -> Case:
    """A tensor of a size that is computed from the input's."""
    return Case(
        f"programs/numbers/{name}",
        fn(lambda x: torch.full((size(x.shape[0]),), 2.0)),
        [(f32(7),), (f32(4),), (f32(11),)],
        kernels=[SIZE, *(f"executorch_prim::{kernel}.Scalar" for kernel in kernels.split()), FULL],
        dynamic=[{0: Dim("n", min=3, max=12)}],
        delegated=False,
        lower=UNCHECKED,
    )


def decided(name: str, kernels: str, holds: Callable[[Any], Any]) -> Case:
    """A branch that is chosen by the input's size."""
    return Case(
        f"programs/numbers/{name}",
        fn(lambda x: torch.cond(holds(x.shape[0]), lambda x: x * 2.0, lambda x: x * 3.0, (x,))),
        [(f32(4),), (f32(5),), (f32(6),)],
        kernels=[SIZE, *(f"executorch_prim::{kernel}.Scalar" for kernel in kernels.split()), *["aten::mul.out"] * 2],
        dynamic=[{0: Dim("n", min=3, max=12)}],
        delegated=False,
        lower=UNCHECKED,
    )


def scaled(x: Tensor) -> tuple[Tensor, ...]:
    size = x.shape[0]
    return x * torch.sym_float(size), x * (size / 3), x * (-size), x * (size % 3)


CASES = [
    sized("ceil", "truediv ceil add", lambda n: math.ceil(n / 2) + 3),
    sized("floordiv", "floordiv add", lambda n: n // 2 + 3),
    sized("mod", "mod add", lambda n: n % 3 + 3),
    sized("neg", "neg add", lambda n: 20 + (-n)),
    sized("round", "truediv round add", lambda n: round(n / 2) + 3),
    sized("sub", "sub", lambda n: 20 - n),
    sized("trunc", "truediv trunc add", lambda n: math.trunc(n / 2) + 3),
    sized("max", "sym_max", lambda n: torch.sym_max(n, 5)),
    sized("min", "sym_min", lambda n: torch.sym_min(n, 5)),
    decided("eq", "eq", lambda n: n == 5),
    decided("ge", "ge", lambda n: n >= 5),
    decided("gt", "gt", lambda n: n > 5),
    decided("le", "le", lambda n: n <= 5),
    decided("lt", "lt", lambda n: n < 5),
    decided("not", "gt sym_not", lambda n: torch.sym_not(n > 5)),
    Case(
        "programs/numbers/scaled",
        fn(scaled),
        [(f32(7),), (f32(4),)],
        kernels=None,
        dynamic=[{0: Dim("n", min=3, max=12)}],
        delegated=False,
        lower=UNCHECKED,
    ),
    Case(
        "programs/numbers/element",
        fn(lambda x, factor: x * factor.item()),
        [(f32(7), given(3)), (f32(7), given(-5))],
        kernels=None,
        delegated=False,
    ),
]
