"""`aten.add.Tensor` and `aten.mul.Tensor`: broadcasting, element types, and the shapes that break index arithmetic."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn
from torch.export import Dim

from lib import Case, Source, f32, fn, given, ints


class WithConstant(nn.Module):
    """Combines its input with a constant of the program."""

    def __init__(self, combine: Callable[[Tensor, Tensor], Tensor], *shape: int) -> None:
        super().__init__()
        self.combine = combine
        self.constant = nn.Parameter(torch.randn(shape))

    def forward(self, x: Tensor) -> Tensor:
        return self.combine(x, self.constant)


def i32(*shape: int) -> Source:
    return ints(*shape)


def i64(*shape: int) -> Source:
    return ints(*shape, dtype=torch.int64)


OPERANDS: dict[str, tuple[Source, Source]] = {
    "same_shape": (f32(3, 4), f32(3, 4)),
    "size_1": (f32(1), f32(1)),
    "rank_0": (f32(), f32()),
    "rank_0_left": (f32(), f32(3, 5)),
    "rank_0_right": (f32(3, 5), f32()),
    "rank_5": (f32(2, 3, 2, 3, 5), f32(2, 3, 2, 3, 5)),
    "rank_6": (f32(2, 1, 3, 2, 1, 5), f32(1, 2, 3, 1, 3, 5)),
    "rank_8": (f32(2, 1, 2, 1, 2, 1, 2, 3), f32(1, 2, 1, 2, 1, 2, 1, 3)),
    "prime_sizes": (f32(7, 11, 13), f32(7, 11, 13)),
    "odd_length": (f32(1031), f32(1031)),
    "broadcast_row": (f32(5, 7), f32(7)),
    "broadcast_row_left": (f32(7), f32(5, 7)),
    "broadcast_column": (f32(5, 7), f32(5, 1)),
    "broadcast_both": (f32(5, 1, 3), f32(1, 7, 1)),
    "broadcast_rank": (f32(3), f32(2, 1, 5, 1)),
    "empty": (f32(0, 4), f32(0, 4)),
    "empty_broadcast": (f32(3, 0), f32(1)),
    "i32": (i32(4, 9), i32(4, 9)),
    "i32_broadcast": (i32(4, 1), i32(9)),
    "i64": (i64(4, 9), i64(4, 9)),
    "i64_broadcast": (i64(2, 3, 5), i64(3, 1)),
    "i32_wraps": (given([2**31 - 1, -(2**31), 65536], torch.int32), given([2, 3, 65537], torch.int32)),
    "infinite": (given([float("inf"), float("-inf"), 3e38, -0.0]), given([2.0, 3.0, 3e38, 1.0])),
}


def family(name: str, combine: Callable[[Any, Any], Any]) -> list[Case]:
    """The cases that both operators share."""
    operator = f"aten.{name}.Tensor"
    rows, columns = Dim("rows", min=1, max=32), Dim("columns", min=1, max=24)
    return [
        *(
            Case(f"ops/{name}/{case}", fn(combine), [operands], operators=[operator])
            for case, operands in OPERANDS.items()
        ),
        Case(f"ops/{name}/scalar", fn(lambda x: combine(x, 2.5)), [(f32(3, 5),)], operators=[operator]),
        Case(f"ops/{name}/scalar_i64", fn(lambda x: combine(x, -3)), [(i64(7),)], operators=[operator]),
        Case(
            f"ops/{name}/constant_broadcast",
            lambda: WithConstant(combine, 3, 1),
            [(f32(2, 3, 5),)],
            operators=[operator],
        ),
        Case(f"ops/{name}/same_operand", fn(lambda x: combine(x, x)), [(f32(3, 5),)], operators=[operator]),
        Case(
            f"ops/{name}/dynamic",
            fn(combine),
            [(f32(r, c), f32(r, c)) for r, c in ((5, 7), (1, 24), (32, 1), (31, 23), (32, 24), (1, 1))],
            dynamic=[{0: rows, 1: columns}] * 2,
            operators=[operator],
        ),
        Case(
            f"ops/{name}/dynamic_broadcast",
            fn(combine),
            [(f32(r, 1, 3), f32(c, 1)) for r, c in ((5, 7), (2, 24), (32, 11))],
            dynamic=[{0: rows}, {0: columns}],
            operators=[operator],
        ),
    ]


CASES = [
    *family("add", lambda a, b: a + b),
    Case(
        "ops/add/alpha",
        fn(lambda a, b: torch.add(a, b, alpha=2)),
        [(f32(3, 5), f32(5))],
        operators=["aten.add.Tensor"],
    ),
    Case(
        "ops/add/alpha_fraction",
        fn(lambda a, b: torch.add(a, b, alpha=-0.75)),
        [(f32(3, 5), f32(3, 1))],
        operators=["aten.add.Tensor"],
    ),
    Case(
        "ops/add/alpha_i32",
        fn(lambda a, b: torch.add(a, b, alpha=3)),
        [(i32(3, 5), i32(5))],
        operators=["aten.add.Tensor"],
    ),
    Case(
        "ops/add/chain",
        fn(lambda a, b: (a + b) + b + a),
        [(f32(3, 5), f32(5))],
        operators=["aten.add.Tensor"],
    ),
    *family("mul", lambda a, b: a * b),
]
