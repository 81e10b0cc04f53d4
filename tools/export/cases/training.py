"""The operators of training. `adamw_step` cannot be exported: its schema returns what it changes."""

import torch
from torch import Tensor, nn

from lib import Case, f32, fn, given, ints


class Backward(nn.Module):
    """The gradient through a 4-bit weight."""

    def __init__(self, n: int, k: int, group: int) -> None:
        super().__init__()
        self.group = group
        self.register_buffer("weight", torch.randint(0, 256, (n, k // 2), dtype=torch.uint8))
        self.register_buffer("scales", torch.rand(k // group, n) * 0.1 + 0.01)

    def forward(self, gradient: Tensor) -> Tensor:
        return torch.ops.et_vk.linear_q4gsw_backward(gradient, self.weight, self.scales, self.group)


def cross_entropy(name: str, *inputs) -> Case:
    return Case(
        f"ops/fused_ce/{name}",
        fn(lambda logits, labels: torch.ops.et_vk.fused_ce(logits, labels, 3.0)),
        [inputs],
        operators=["et_vk.fused_ce.default"],
        atol=1e-5,
        rtol=1e-5,
    )


CASES = [
    cross_entropy("masked", f32(4, 7), given([1, -100, 6, 0])),
    cross_entropy("one_row", f32(1, 300, scale=5.0), given([299])),
    cross_entropy("all_masked", f32(2, 3), given([-1, -1])),
    cross_entropy("int32_labels", f32(5, 13), ints(5, dtype=torch.int32, low=-2, high=12)),
]
