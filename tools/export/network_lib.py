"""What whole networks have in common: random weights that hide nothing, tolerances, and inputs."""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from lib import Case, Source, ints

# The fused encoder layer has no lowering; the written-out one does.
torch.backends.mha.set_fastpath_enabled(False)


def encoder(width: int, heads: int, layers: int, *, norm_first: bool) -> nn.TransformerEncoder:
    layer = nn.TransformerEncoderLayer(
        width, heads, 4 * width, dropout=0.0, activation=F.gelu, batch_first=True, norm_first=norm_first
    )
    return nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)


def settle(module: nn.Module) -> nn.Module:
    """Gives batch norms statistics that are not the identity, and every parameter that starts constant some variety: a
    head of zeros or a layer scale of a millionth would hide what comes before it."""
    for part in module.modules():
        if isinstance(part, nn.BatchNorm2d):
            nn.init.normal_(part.running_mean, std=0.1)
            nn.init.uniform_(part.running_var, 0.5, 1.5)
    with torch.no_grad():
        for parameter in module.parameters():
            if parameter.min() == parameter.max():
                parameter += torch.randn_like(parameter) * 0.2
    return module


def network(name: str, module: Callable[[], nn.Module], *inputs: Source, **options: Any) -> Case:
    defaults = {"kernels": None, "atol": 1e-4, "rtol": 1e-3, "scaled": True, "steps": [inputs]}
    return Case(name, lambda: settle(module()), **(defaults | options))


def words(count: int, vocabulary: int) -> Source:
    return ints(1, count, dtype=torch.int64, low=0, high=vocabulary - 1)


def mask(count: int, kept: int) -> Source:
    return lambda: (torch.arange(count) < kept).to(torch.int64)[None]


class Named(nn.Module):
    """A model that takes its inputs by name and gives an object, as one that takes and gives tensors in order."""

    def __init__(self, model: nn.Module, inputs: Sequence[str], outputs: Sequence[str], **options: Any) -> None:
        super().__init__()
        self.model, self.inputs, self.outputs, self.options = model, inputs, outputs, options

    def forward(self, *values: Tensor) -> tuple[Tensor, ...]:
        found = self.model(**dict(zip(self.inputs, values, strict=True)), **self.options)
        return tuple(getattr(found, name) for name in self.outputs)
