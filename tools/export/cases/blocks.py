"""Blocks of networks as the exporter leaves them to each backend: norms after convolutions, attention with masks, and
what it leaves outside delegates between them."""

import math
from collections.abc import Callable, Collection
from typing import Any

import torch
from executorch.backends.vulkan.partitioner.vulkan_partitioner import VulkanPartitioner
from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner
from executorch.exir import to_edge_transform_and_lower
from torch import Tensor, nn
from torch.export import Dim
from torch.nn import functional

from lib import Case, Lowered, Source, Tensors, export, f32, fn

BACKENDS: dict[str, Callable[[], list[Any]]] = {
    "vulkan": lambda: [VulkanPartitioner({})],
    "xnnpack": lambda: [XnnpackPartitioner()],
    "portable": list,
}


def block(
    name: str,
    module: Callable[[], nn.Module],
    *steps: list[Source],
    dynamic: Any = None,
    backends: Collection[str] = tuple(BACKENDS),
) -> list[Case]:
    """The same module for every backend."""

    def lower(partitioner: Callable[[], list[Any]]) -> Callable[[Case, nn.Module, Tensors], Lowered]:
        def lowered(case: Case, module: nn.Module, inputs: Tensors) -> Lowered:
            edge = to_edge_transform_and_lower(export(case, module, inputs), partitioner=partitioner())
            return Lowered(edge.to_executorch().buffer)

        return lowered

    return [
        Case(
            f"programs/blocks/{name}_{backend}",
            module,
            steps,
            kernels=None,
            dynamic=dynamic,
            lower=lower(BACKENDS[backend]),
            atol=1e-4,
            rtol=1e-4,
        )
        for backend in backends
    ]


def used(module: nn.Module) -> nn.Module:
    """Gives every norm statistics and parameters as training leaves them."""
    for norm in module.modules():
        if isinstance(norm, nn.BatchNorm2d):
            for parameter in norm.parameters():
                nn.init.normal_(parameter)
            nn.init.normal_(norm.running_mean)
            nn.init.uniform_(norm.running_var, 0.1, 3)
    return module


def after_convolutions() -> nn.Module:
    """Norms after convolutions of every kind."""
    return used(
        nn.Sequential(
            nn.Conv2d(3, 8, 3, padding=1, bias=False), nn.BatchNorm2d(8), nn.ReLU(),
            nn.Conv2d(8, 8, 3, stride=2, groups=8), nn.BatchNorm2d(8), nn.Hardswish(),
            nn.Conv2d(8, 5, 1), nn.BatchNorm2d(5, eps=1e-2),
        )
    )


def after_transposed() -> nn.Module:
    """Norms after transposed convolutions of several groups, which the passes of both partitioners refuse."""
    return used(
        nn.Sequential(
            nn.ConvTranspose2d(8, 12, 3, stride=2, groups=4), nn.BatchNorm2d(12), nn.SiLU(),
            nn.ConvTranspose2d(12, 6, 2), nn.BatchNorm2d(6, affine=False),
        )
    )


class BeforeConvolutions(nn.Module):
    """Norms of what is put together, and of what others read too."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = nn.Conv2d(3, 4, 3, padding=1), nn.Conv2d(7, 4, 3, padding=1)
        self.norms = nn.ModuleList([nn.BatchNorm2d(7), nn.BatchNorm2d(4)])

    def forward(self, x: Tensor) -> Tensor:
        both = torch.cat([x, self.first(x)], 1)
        new = self.second(functional.relu(self.norms[0](both)))
        return torch.cat([new, functional.relu(self.norms[1](new))], 1)


class Heads(nn.Module):
    """Multi-head attention of `functional.scaled_dot_product_attention`, or as it is written by hand."""

    def __init__(self, *, by_hand: bool) -> None:
        super().__init__()
        self.by_hand = by_hand
        self.query, self.key, self.value, self.last = (nn.Linear(24, 24) for _ in range(4))

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        batch, rows, width = x.shape
        query, key, value = (
            layer(x).view(batch, rows, 3, width // 3).transpose(1, 2) for layer in (self.query, self.key, self.value)
        )
        if self.by_hand:
            scores = query @ key.transpose(-1, -2) / math.sqrt(width // 3) + mask
            result = torch.softmax(scores, -1) @ value
        else:
            result = functional.scaled_dot_product_attention(query, key, value, mask)
        return self.last(result.transpose(1, 2).reshape(batch, rows, width))


def hiding(batch: int, rows: int) -> Source:
    """A mask that hides later keys and, in the last batch, all keys of a row."""

    def mask() -> Tensor:
        later = torch.ones(rows, rows, dtype=torch.bool).triu(1).repeat(batch, 1, 1, 1)
        later[-1, 0, 2] = True
        return torch.zeros(batch, 1, rows, rows).masked_fill(later, -math.inf)

    return mask


def attended(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    return torch.bmm(torch.softmax(torch.bmm(query, key.transpose(1, 2)), -1), value)


BATCH = Dim("batch", min=1, max=4)
CASES = [
    *block("after_convolutions", after_convolutions, [f32(2, 3, 9, 7)]),
    *block("after_transposed", after_transposed, [f32(2, 8, 4, 3)], backends=["portable"]),
    *block("before_convolutions", lambda: used(BeforeConvolutions()), [f32(1, 3, 6, 5)]),
    *block("masked_attention", lambda: Heads(by_hand=False), [f32(2, 7, 24), hiding(2, 7)]),
    *block("attention_by_hand", lambda: Heads(by_hand=True), [f32(2, 7, 24), f32(1, 3, 7, 7)]),
    *block(
        "attention_of_batches", fn(attended), *([f32(count, 6, 8), f32(count, 5, 8), f32(count, 5, 4)] for count in (4, 3, 1)),
        dynamic=[{0: BATCH}] * 3,
    ),
    *block(
        "instance_norm", lambda: nn.Sequential(nn.Conv2d(3, 4, 3), nn.InstanceNorm2d(4, affine=True), nn.ReLU()),
        [f32(2, 3, 7, 9)],
    ),
    *block(
        "moves", fn(lambda x: functional.pad(torch.roll(x, (2, -1), (2, 3)) * 2, (2, 1, 1, 3), "reflect") + 1),
        [f32(1, 2, 5, 6)],
    ),
    *block("pools", fn(lambda x: functional.adaptive_avg_pool2d(functional.relu(x), (3, 4)) * 2), [f32(1, 2, 7, 5)]),
]
