"""Programs of several backends, and of several methods that are called one after the other."""

from collections.abc import Callable
from typing import Any

import torch
from executorch.backends.vulkan.partitioner.vulkan_partitioner import VulkanPartitioner
from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner
from executorch.exir import to_edge_transform_and_lower
from torch import Tensor, nn
from torch.export import Dim
from torch.nn import functional

from cases.attention import Turned, at, plain
from lib import Case, Lowered, Source, Tensors, export, f32, ints


class Mixed(nn.Module):
    """A convolution and a layer, a mean and a norm, and a sort that no backend takes."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Conv2d(3, 4, 3, padding=1)
        self.norm = nn.LayerNorm(12)
        self.last = nn.Linear(12, 5)

    def forward(self, x: Tensor) -> Tensor:
        mean = functional.relu(self.first(x)).mean(-1).flatten(1)
        return torch.tanh(self.last(self.norm(mean).sort(-1).values))


def lower_mixed(case: Case, module: nn.Module, inputs: Tensors) -> Lowered:
    """XNNPACK is asked first, and what it leaves is for Vulkan."""
    partitioner = [XnnpackPartitioner(), VulkanPartitioner({})]
    edge = to_edge_transform_and_lower(export(case, module, inputs), partitioner=partitioner)
    return Lowered(edge.to_executorch().buffer)


class WrittenTurn(Turned):
    """Layers as `export_llama` leaves them to XNNPACK: the turn in its parts, caches and attention as operators outside."""

    def forward(self, query: Tensor, key: Tensor, value: Tensor, position: Tensor) -> Tensor:
        start, rows = position[-1].item(), key.size(1)
        torch._check(start >= 0)
        torch._check(start + rows <= self.cos.size(0))
        tables = self.cos.narrow(0, start, rows), self.sin.narrow(0, start, rows)
        for layer in self.layers:
            turned_query, turned_key = (written_turn(x, *tables) for x in (query, key))
            query = query + layer(turned_query, turned_key, value, position)
            key = key + value
        return query


def written_turn(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Elements 2i and 2i + 1 turned together."""
    even, odd = x.reshape(*x.shape[:-1], -1, 2).unbind(-1)
    cos, sin = (table.view(1, x.size(1), 1, even.size(-1)) for table in (cos, sin))
    return torch.stack([even * cos - odd * sin, even * sin + odd * cos], -1).flatten(3)


def lower_xnnpack(case: Case, module: nn.Module, inputs: Tensors) -> Lowered:
    edge = to_edge_transform_and_lower(export(case, module, inputs), partitioner=[XnnpackPartitioner()])
    return Lowered(edge.to_executorch().buffer)


class Parts(nn.Module):
    """Methods over shared weights, as models of pictures or speech and text have them."""

    def __init__(self, width: int = 16, vocabulary: int = 23) -> None:
        super().__init__()
        self.patches = nn.Conv2d(3, width, 4, stride=4)
        self.spectrum = nn.Conv1d(8, width, 3, stride=2, padding=1)
        self.words = nn.Embedding(vocabulary, width)
        self.norm = nn.LayerNorm(width)
        self.query = nn.Linear(width, width)
        self.both = nn.Linear(width, 2 * width)
        self.head = nn.Linear(width, vocabulary)

    def vision_encoder(self, image: Tensor) -> Tensor:
        return self.norm(self.patches(image).flatten(2).transpose(1, 2))

    def audio_encoder(self, spectrum: Tensor) -> Tensor:
        return self.norm(functional.gelu(self.spectrum(spectrum)).transpose(1, 2))

    def token_embedding(self, tokens: Tensor) -> Tensor:
        return self.words(tokens)

    def text_decoder(self, words: Tensor, seen: Tensor) -> Tensor:
        key, value = self.both(seen).chunk(2, dim=-1)
        weights = torch.softmax(self.query(words) @ key.transpose(-1, -2) * 0.25, dim=-1)
        return self.head(self.norm(words + weights @ value))


class Bound(nn.Module):
    """One method of a module as a `forward`."""

    def __init__(self, module: nn.Module, method: str) -> None:
        super().__init__()
        self.module, self.method = module, method

    def forward(self, *inputs: Tensor) -> Tensor:
        return getattr(self.module, self.method)(*inputs)


ROWS = Dim("rows", min=1, max=5)
COUNT = Dim("count", min=2, max=8)
METHODS: dict[str, tuple[list[Source], Any]] = {
    "vision_encoder": ([f32(1, 3, 8, 12)], None),
    "audio_encoder": ([f32(1, 8, 12)], None),
    "token_embedding": ([ints(1, 8, dtype=torch.int64, low=0, high=22)], (({1: COUNT},),)),
    "text_decoder": ([f32(1, 8, 16), f32(1, 6, 16)], (({1: COUNT}, None),)),
}
"""The methods with inputs to export them with, and which sizes change."""


def lower_parts(partitioner: Callable[[], Any]) -> Callable[[Case, nn.Module, Tensors], Lowered]:
    """All methods in one program."""

    def lowered(case: Case, module: nn.Module, _inputs: Tensors) -> Lowered:
        methods = {
            name: torch.export.export(
                Bound(module, name), tuple(source() for source in sources), dynamic_shapes=dynamic, strict=False
            )
            for name, (sources, dynamic) in METHODS.items()
        }
        edge = to_edge_transform_and_lower(methods, partitioner={name: [partitioner()] for name in methods})
        return Lowered(edge.to_executorch().buffer)

    return lowered


STEPS: dict[str, list[list[Source]]] = {
    "vision_encoder": [[f32(1, 3, 8, 12)]],
    "audio_encoder": [[f32(1, 8, 12)]],
    "token_embedding": [[ints(1, count, dtype=torch.int64, low=0, high=22)] for count in (5, 2)],
    "text_decoder": [[f32(1, count, 16), f32(1, 6, 16)] for count in (5, 8, 2)],
}
CASES = [
    Case(
        "programs/composed/mixed",
        Mixed,
        [(f32(1, 3, 3, 7),)],
        operators=["XNNConv2d", "XNNFullyConnected", "aten.mean.dim", "aten.native_layer_norm.default"],
        kernels=None,
        lower=lower_mixed,
        atol=1e-4,
        rtol=1e-4,
    ),
    Case(
        "programs/composed/cached_attention",
        lambda: WrittenTurn(12, 2, 8),
        [
            (f32(1, rows, 4, 8), f32(1, rows, 2, 8), f32(1, rows, 2, 8), at(start))
            for rows, start in ((5, 0), (1, 5), (3, 6), (1, 9))
        ],
        operators=["XNNMultiply", "XNNConcatenate2"],
        kernels=None,
        dynamic=[{1: ROWS}, {1: ROWS}, {1: ROWS}, None],
        lower=lower_xnnpack,
        expect=plain,
        stateful=True,
    ),
    *(
        Case(
            f"programs/composed/{method}_{backend}",
            Parts,
            STEPS[method],
            kernels=None,
            lower=lower_parts(partitioner),
            expect=lambda module, inputs, method=method: [getattr(module, method)(*inputs)],
            method=method,
            atol=1e-4,
            rtol=1e-4,
        )
        for backend, partitioner in (("vulkan", lambda: VulkanPartitioner({})), ("xnnpack", XnnpackPartitioner))
        for method in METHODS
    ),
]
