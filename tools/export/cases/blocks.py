"""Blocks of networks as the exporter leaves them to each backend: norms after convolutions, attention with masks, and
what it leaves outside delegates between them."""

import math
from collections.abc import Callable, Collection, Sequence
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


class Capitals(nn.Module):
    """A convolution and its norm under names with capitals, whose folded weights the exporter plans memory for."""

    def __init__(self) -> None:
        super().__init__()
        self.Conv, self.Norm = nn.Conv2d(8, 8, 3, padding=1, bias=False), nn.BatchNorm2d(8)

    def forward(self, x: Tensor) -> Tensor:
        return functional.relu(self.Norm(self.Conv(x)))


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


class Joins(nn.Module):
    """Layers that read all before them, branches, sums of what is joined with them, and tensors that are split before."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Conv2d(3, 4, 3, padding=1)
        self.dense = nn.ModuleList([nn.Conv2d(4 + 2 * i, 2, 3, padding=1) for i in range(3)])
        self.branches = nn.ModuleList([nn.Conv2d(10, 4, 2 * i + 1, padding=i) for i in range(3)])
        self.last = nn.Conv2d(4, 4, 3, padding=1)

    def forward(self, x: Tensor) -> Tensor:
        parts = [self.first(x)]
        for layer in self.dense:
            parts.append(functional.relu(layer(torch.cat(parts, 1))))
        everything = torch.cat(parts, 1)
        wide = torch.cat([functional.relu(branch(everything)) for branch in self.branches], 1)
        kept, low, high = wide.split(4, 1)
        low = low + self.last(high)
        return torch.tanh(torch.cat([kept, high, low, functional.max_pool2d(high, 3, 1, 1), high], 1))


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


def permuted(x: Tensor) -> Sequence[Tensor]:
    """Three heads of queries, keys and values out of rows that have all of them."""
    return x.unflatten(-1, (3, 3, -1)).permute(2, 0, 3, 1, 4).unbind(0)


def split(x: Tensor) -> Sequence[Tensor]:
    """The same in another way."""
    return [part.unflatten(-1, (3, -1)).transpose(1, 2) for part in x.split(x.shape[-1] // 3, -1)]


class Layer(nn.Module):
    """A layer of a transformer whose queries, keys and values come out of one linear layer, with norms before or after."""

    def __init__(self, divide: Callable[[Tensor], Sequence[Tensor]], *, norm_first: bool) -> None:
        super().__init__()
        self.divide, self.norm_first = divide, norm_first
        self.all, self.last, self.up, self.down = nn.Linear(24, 72), nn.Linear(24, 24), nn.Linear(24, 40), nn.Linear(40, 24)
        self.norms = nn.ModuleList(nn.LayerNorm(24) for _ in range(2))
        for parameter in self.norms.parameters():
            nn.init.normal_(parameter)

    def attend(self, x: Tensor) -> Tensor:
        result = functional.scaled_dot_product_attention(*self.divide(self.all(x)))
        return self.last(result.transpose(1, 2).flatten(2))

    def forward(self, x: Tensor) -> Tensor:
        first, second = self.norms
        if self.norm_first:
            x = x + self.attend(first(x))
            return x + self.down(functional.gelu(self.up(second(x))))
        x = first(x + self.attend(x))
        return second(x + self.down(functional.gelu(self.up(x))))


def turned(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """A rotary embedding of the halves of each vector."""
    first, second = x.chunk(2, -1)
    return x * cos + torch.cat((-second, first), -1) * sin


class TurnedHeads(nn.Module):
    """Six heads, of which three share keys and values, with a layer each for queries, keys and values; queries and keys are
    turned by angles that grow with their rows, before or after heads go outside."""

    def __init__(self, *, rows_outside: bool) -> None:
        super().__init__()
        self.rows_outside = rows_outside
        self.query, self.key, self.value = nn.Linear(24, 48), nn.Linear(24, 16, bias=False), nn.Linear(24, 16)
        self.last = nn.Linear(48, 24)

    def forward(self, x: Tensor) -> Tensor:
        batch, rows, _ = x.shape
        angles = torch.outer(torch.arange(rows, dtype=torch.float32), torch.tensor([1.0, 0.5, 0.25, 0.125])).repeat(1, 2)
        cos, sin = (table.unsqueeze(1 if self.rows_outside else 0) for table in (angles.cos(), angles.sin()))
        query, key, value = (layer(x).unflatten(-1, (-1, 8)) for layer in (self.query, self.key, self.value))
        if self.rows_outside:
            query, key = turned(query, cos, sin), turned(key, cos, sin)
        query, key, value = (part.transpose(1, 2) for part in (query, key, value))
        if not self.rows_outside:
            query, key = turned(query, cos, sin), turned(key, cos, sin)
        key, value = (part[:, :, None].expand(-1, -1, 3, -1, -1).reshape(batch, 6, rows, 8) for part in (key, value))
        result = functional.scaled_dot_product_attention(query, key, value, is_causal=True)
        return self.last(result.transpose(1, 2).flatten(2))


def gelu_by_hand(x: Tensor) -> Tensor:
    return 0.5 * x * (1.0 + torch.tanh(math.sqrt(2.0 / math.pi) * (x + 0.044715 * torch.pow(x, 3.0))))


class Perceptron(nn.Module):
    """Two layers with an activation between them that is written in parts."""

    def __init__(self) -> None:
        super().__init__()
        self.up, self.down = nn.Linear(12, 20), nn.Linear(20, 7)

    def forward(self, x: Tensor) -> Tensor:
        return self.down(gelu_by_hand(self.up(x)))


class Weighed(nn.Module):
    """Squeeze and excitation: channels weighed by what two small layers make of their means, and a convolution of the result."""

    def __init__(self, inner: Callable[[], nn.Module], outer: Callable[[], nn.Module]) -> None:
        super().__init__()
        self.weigh = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Conv2d(8, 6, 1), inner(), nn.Conv2d(6, 8, 1), outer())
        self.last = nn.Conv2d(8, 5, 1)

    def forward(self, x: Tensor) -> Tensor:
        return self.last(self.weigh(x) * x)


def hiding(batch: int, rows: int) -> Source:
    """A mask that hides later keys and, in the last batch, all keys of a row."""

    def mask() -> Tensor:
        later = torch.ones(rows, rows, dtype=torch.bool).triu(1).repeat(batch, 1, 1, 1)
        later[-1, 0, 2] = True
        return torch.zeros(batch, 1, rows, rows).masked_fill(later, -math.inf)

    return mask


def attended(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    return torch.bmm(torch.softmax(torch.bmm(query, key.transpose(1, 2)), -1), value)


BATCH, ROWS = Dim("batch", min=1, max=4), Dim("rows", min=2, max=16)
CASES = [
    *block("after_convolutions", after_convolutions, [f32(2, 3, 9, 7)]),
    *block("after_transposed", after_transposed, [f32(2, 8, 4, 3)], backends=["portable"]),
    *block("capitals", lambda: used(Capitals()), [f32(1, 8, 6, 5)], backends=["vulkan"]),
    *block("before_convolutions", lambda: used(BeforeConvolutions()), [f32(1, 3, 6, 5)]),
    *block("joins", Joins, [f32(1, 3, 8, 8)]),
    *block("joins_between_bindings", Joins, [f32(1, 3, 5, 7)]),
    *block("masked_attention", lambda: Heads(by_hand=False), [f32(2, 7, 24), hiding(2, 7)]),
    *block("attention_by_hand", lambda: Heads(by_hand=True), [f32(2, 7, 24), f32(1, 3, 7, 7)]),
    *block(
        "attention_of_batches", fn(attended), *([f32(count, 6, 8), f32(count, 5, 8), f32(count, 5, 4)] for count in (4, 3, 1)),
        dynamic=[{0: BATCH}] * 3,
    ),
    *block("permuted_heads", lambda: Layer(permuted, norm_first=True), [f32(2, 9, 24)]),
    *block("split_heads", lambda: Layer(split, norm_first=False), [f32(1, 9, 24)]),
    *block(
        "split_heads_of_any_rows", lambda: Layer(split, norm_first=True), *([f32(1, rows, 24)] for rows in (16, 9, 2)),
        dynamic=[{1: ROWS}],
    ),
    *block("encoder_layer", lambda: nn.TransformerEncoderLayer(24, 3, 40, batch_first=True), [f32(2, 9, 24)]),
    *block("turned_heads", lambda: TurnedHeads(rows_outside=False), [f32(1, 9, 24)]),
    *block("turned_heads_batch", lambda: TurnedHeads(rows_outside=True), [f32(2, 9, 24)]),
    *block("gelu_by_hand", Perceptron, [f32(9, 12)]),
    *block("weighed", lambda: Weighed(nn.ReLU, nn.Hardsigmoid), [f32(1, 8, 7, 6)]),
    *block("weighed_batch", lambda: Weighed(nn.SiLU, nn.Sigmoid), [f32(3, 8, 5, 4)]),
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
