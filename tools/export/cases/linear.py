"""`aten.linear` in f32."""

from torch import nn
from torch.export import Dim

from lib import Case, f32


def linear(name: str, k: int, n: int, *inputs: tuple[int, ...], bias: bool = True, dynamic: dict | None = None) -> Case:
    """A layer from `k` to `n` features with one step per input shape."""
    return Case(
        f"ops/linear/{name}",
        lambda: nn.Linear(k, n, bias=bias),
        [(f32(*shape),) for shape in inputs],
        dynamic=None if dynamic is None else [dynamic],
        operators=["aten.linear.default"],
        atol=1e-4,
        rtol=1e-4,
    )


ROWS = Dim("rows", min=1, max=64)
CASES = [
    linear("bias", 16, 8, (4, 16)),
    linear("no_bias", 16, 8, (4, 16), bias=False),
    linear("one_row", 32, 24, (1, 32)),
    linear("one_row_no_bias", 33, 25, (1, 33), bias=False),
    linear("prime", 13, 7, (11, 13)),
    linear("prime_no_bias", 17, 31, (5, 17), bias=False),
    linear("k_1", 1, 5, (3, 1)),
    linear("n_1", 9, 1, (3, 9)),
    linear("all_1", 1, 1, (1, 1)),
    linear("rank_1", 12, 5, (12,)),
    linear("rank_3", 12, 5, (2, 3, 12)),
    linear("rank_3_one_row", 12, 5, (1, 1, 12), bias=False),
    linear("rank_4", 12, 5, (2, 3, 4, 12)),
    linear("many_rows", 24, 12, (301, 24)),
    linear("wide", 515, 6, (3, 515)),
    linear("tall", 6, 515, (3, 6)),
    linear("tile_edges", 66, 65, (67, 66)),
    linear("empty", 8, 4, (0, 8)),
    linear("dynamic", 19, 10, (7, 19), (1, 19), (64, 19), (2, 19), dynamic={0: ROWS}),
    linear("dynamic_no_bias", 16, 9, (5, 16), (1, 16), (37, 16), bias=False, dynamic={0: ROWS}),
    linear("dynamic_rank_3", 16, 12, (1, 5, 16), (1, 1, 16), (1, 64, 16), dynamic={1: ROWS}),
]
