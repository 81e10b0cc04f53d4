"""Products of matrices: `aten.mm`, `aten.bmm`, `aten.addmm` and `et_vk.linear_dW`."""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor
from torch.export import Dim

from lib import Case, Source, f32, fn, given

Shapes = Sequence[tuple[int, ...]]


def product(
    path: str, function: Callable[..., Tensor], *steps: Shapes, operator: str = "", dynamic: Any = None, **options: Any
) -> Case:
    """A function of matrices with one step per list of input shapes."""
    name = path.split("/")[0]
    return Case(
        f"ops/{path}",
        fn(function),
        [tuple(f32(*shape) for shape in shapes) for shapes in steps],
        dynamic=dynamic,
        operators=[operator or f"aten.{name}.default"],
        **({"atol": 1e-4, "rtol": 1e-4} | options),
    )


def mixed(*shape: int) -> Source:
    """Normal values with an infinity and a NaN among them."""

    def draw() -> Tensor:
        values = torch.randn(shape)
        values.view(-1)[1] = float("inf")
        values.view(-1)[-1] = float("nan")
        return values

    return draw


def gradient(gradient: Tensor, x: Tensor) -> Tensor:
    return torch.ops.et_vk.linear_dW(gradient, x)


ROWS, DEPTH = Dim("rows", min=1, max=70), Dim("depth", min=2, max=40)
HALF: dict[str, Any] = {"options": {"force_fp16": True}, "needs": ["f16"], "atol": 2e-2, "rtol": 1e-2}
CASES = [
    product("mm/prime", torch.mm, [(7, 13), (13, 11)]),
    product("mm/wide", torch.mm, [(8, 16), (16, 12)]),
    product("mm/one_row", torch.mm, [(1, 37), (37, 5)]),
    product("mm/one_column", torch.mm, [(9, 36), (36, 1)]),
    product("mm/depth_1", torch.mm, [(3, 1), (1, 5)]),
    product("mm/tile_edges", torch.mm, [(65, 33), (33, 66)]),
    product("mm/dynamic", torch.mm, [(5, 9), (9, 6)], [(70, 40), (40, 6)], [(1, 2), (2, 6)],
            dynamic=[{0: ROWS, 1: DEPTH}, {0: DEPTH}]),
    product("mm/f16", torch.mm, [(6, 20), (20, 8)], **HALF),
    Case("ops/mm/not_finite", fn(torch.mm), [(mixed(5, 6), f32(6, 4))], operators=["aten.mm.default"], double=False,
         atol=1e-4, rtol=1e-4),
    product("bmm/prime", torch.bmm, [(3, 7, 5), (3, 5, 11)]),
    product("bmm/one_batch", torch.bmm, [(1, 6, 10), (1, 10, 3)], operator="aten.bmm.default"),
    product("bmm/one_row", torch.bmm, [(4, 1, 24), (4, 24, 8)]),
    product("bmm/one_column", torch.bmm, [(2, 9, 12), (2, 12, 1)]),
    product("bmm/matmul_rank_4", torch.matmul, [(2, 3, 5, 4), (2, 3, 4, 6)], operator="aten.bmm.default"),
    product("bmm/dynamic", torch.bmm, [(2, 5, 9), (2, 9, 6)], [(2, 66, 9), (2, 9, 6)],
            dynamic=[{1: ROWS}, None]),
    product("bmm/f16", torch.bmm, [(2, 6, 20), (2, 20, 7)], **HALF),
    product("addmm/vector", torch.addmm, [(11,), (7, 13), (13, 11)]),
    product("addmm/matrix", torch.addmm, [(7, 11), (7, 13), (13, 11)]),
    product("addmm/number", torch.addmm, [(), (7, 12), (12, 8)]),
    product("addmm/column", torch.addmm, [(7, 1), (7, 13), (13, 11)]),
    product("addmm/one_row", torch.addmm, [(9,), (1, 30), (30, 9)]),
    product("addmm/factors", lambda b, x, y: torch.addmm(b, x, y, beta=0.5, alpha=-2.0), [(6,), (5, 8), (8, 6)]),
    product("addmm/factors_whole", lambda b, x, y: torch.addmm(b, x, y, beta=2, alpha=3), [(6,), (5, 8), (8, 6)]),
    Case("ops/addmm/beta_0", fn(lambda b, x, y: torch.addmm(b, x, y, beta=0)),
         [(given([float("nan"), 1.0, 2.0]), f32(5, 8), f32(8, 3))], operators=["aten.addmm.default"], atol=1e-4,
         rtol=1e-4),
    product("addmm/dynamic", torch.addmm, [(6,), (5, 9), (9, 6)], [(6,), (1, 9), (9, 6)], [(6,), (70, 9), (9, 6)],
            dynamic=[None, {0: ROWS}, None]),
    product("linear_dW/prime", gradient, [(13, 7), (13, 5)], operator="et_vk.linear_dW.default"),
    product("linear_dW/wide", gradient, [(12, 8), (12, 16)], operator="et_vk.linear_dW.default"),
    product("linear_dW/rank_3", gradient, [(2, 9, 6), (2, 9, 10)], operator="et_vk.linear_dW.default"),
    product("linear_dW/one_row", gradient, [(1, 6), (1, 10)], operator="et_vk.linear_dW.default"),
    product("linear_dW/tile_edges", gradient, [(35, 66), (35, 65)], operator="et_vk.linear_dW.default"),
]
