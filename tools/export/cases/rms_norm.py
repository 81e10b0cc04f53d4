"""`et_vk.rms_norm`, as the exporter fuses it.

`torch.nn.RMSNorm` does not become this operator: its epsilon is added by a portable `aten::add.Scalar_out` between two
delegates.
"""

import torch
from torch import Tensor, nn
from torch.export import Dim

from lib import Case, Source, f32, given


class Norm(nn.Module):
    """RMS norm written out, the form that the exporter's fusion looks for."""

    def __init__(self, width: int, eps: float) -> None:
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.rand(width) + 0.5)

    def forward(self, x: Tensor) -> Tensor:
        return x * torch.rsqrt((x * x).mean(-1, keepdim=True) + self.eps) * self.weight


def norm(name: str, width: int, *inputs: Source, eps: float = 1e-5, dynamic: dict | None = None) -> Case:
    """A norm over the last `width` values with one step per input."""
    return Case(
        f"ops/rms_norm/{name}",
        lambda: Norm(width, eps),
        [(source,) for source in inputs],
        dynamic=None if dynamic is None else [dynamic],
        operators=["et_vk.rms_norm.default"],
        atol=1e-5,
        rtol=1e-4,
    )


CASES = [
    norm("rank_1", 12, f32(12)),
    norm("rank_2", 12, f32(5, 12)),
    norm("rank_3", 12, f32(2, 3, 12)),
    norm("rank_4", 12, f32(2, 3, 4, 12)),
    norm("width_1", 1, f32(7, 1)),
    norm("width_prime", 31, f32(3, 31)),
    norm("width_257", 257, f32(2, 257)),
    norm("width_2048", 2048, f32(2, 2048)),
    norm("large_values", 64, f32(3, 64, scale=1e8)),
    norm("small_values", 64, f32(3, 64, scale=1e-8)),
    norm("zeros", 16, given([[0.0] * 16, [1.0] * 16])),
    norm("tiny_eps", 48, f32(3, 48, scale=1e-3), eps=1e-12),
    norm("large_eps", 48, f32(3, 48), eps=1.0),
    norm("many_rows", 8, f32(300, 8)),
    norm("dynamic", 24, f32(1, 7, 24), f32(1, 1, 24), f32(1, 32, 24), dynamic={1: Dim("rows", min=1, max=32)}),
]
