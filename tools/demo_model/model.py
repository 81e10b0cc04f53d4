"""The language model, a Llama under the parameter names that `export_llama` reads, and how it is rounded to 4 bits."""

from dataclasses import asdict, dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torchao.quantization.granularity import PerGroup
from torchao.quantization.quant_api import IntxWeightOnlyConfig, quantize_

GROUP = 32


@dataclass(frozen=True)
class Shape:
    """The fields of `params.json`, under the exporter's names."""

    dim: int = 256
    n_layers: int = 6
    n_heads: int = 8
    n_kv_heads: int = 4
    hidden_dim: int = 704
    vocab_size: int = 2048
    norm_eps: float = 1e-5
    rope_theta: float = 10000.0

    def params(self) -> dict[str, int | float]:
        """The contents of `params.json`."""
        return asdict(self)


def rotations(shape: Shape, length: int) -> tuple[Tensor, Tensor]:
    """Cosines and sines [length, head/2] of the rotary embedding."""
    depth = shape.dim // shape.n_heads
    rates = shape.rope_theta ** (-torch.arange(0, depth, 2).float() / depth)
    angles = torch.arange(length).float()[:, None] * rates[None]
    return angles.cos(), angles.sin()


def rotate(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Turns neighbouring pairs of the last dimension of x [batch, length, heads, head]."""
    even, odd = x[..., 0::2], x[..., 1::2]
    cos, sin = cos[:, None].to(x.dtype), sin[:, None].to(x.dtype)
    return torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1).flatten(-2)


class Attention(nn.Module):
    """Causal attention with fewer heads for keys and values than for queries."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.head = shape.dim // shape.n_heads
        keys = shape.n_kv_heads * self.head
        self.wq = nn.Linear(shape.dim, shape.dim, bias=False)
        self.wk = nn.Linear(shape.dim, keys, bias=False)
        self.wv = nn.Linear(shape.dim, keys, bias=False)
        self.wo = nn.Linear(shape.dim, shape.dim, bias=False)

    def forward(self, x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
        query, key, value = (weight(x).unflatten(-1, (-1, self.head)) for weight in (self.wq, self.wk, self.wv))
        query, key = rotate(query, cos, sin), rotate(key, cos, sin)
        mixed = F.scaled_dot_product_attention(
            query.transpose(1, 2), key.transpose(1, 2), value.transpose(1, 2), is_causal=True, enable_gqa=True
        )
        return self.wo(mixed.transpose(1, 2).flatten(-2))


class FeedForward(nn.Module):
    """A gated layer."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.w1 = nn.Linear(shape.dim, shape.hidden_dim, bias=False)
        self.w2 = nn.Linear(shape.hidden_dim, shape.dim, bias=False)
        self.w3 = nn.Linear(shape.dim, shape.hidden_dim, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        return self.w2(F.silu(self.w1(x)) * self.w3(x))


class Block(nn.Module):
    """Attention and a gated layer, each on the norm of what it is added to."""

    def __init__(self, shape: Shape, dropout: float) -> None:
        super().__init__()
        self.attention = Attention(shape)
        self.feed_forward = FeedForward(shape)
        self.attention_norm = nn.RMSNorm(shape.dim, eps=shape.norm_eps)
        self.ffn_norm = nn.RMSNorm(shape.dim, eps=shape.norm_eps)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
        x = x + self.dropout(self.attention(self.attention_norm(x), cos, sin))
        return x + self.dropout(self.feed_forward(self.ffn_norm(x)))


class Model(nn.Module):
    """Ids [batch, length] to logits [batch, length, vocabulary]; the head is the embedding."""

    def __init__(self, shape: Shape, dropout: float = 0.0) -> None:
        super().__init__()
        self.shape = shape
        self.tok_embeddings = nn.Embedding(shape.vocab_size, shape.dim)
        self.layers = nn.ModuleList(Block(shape, dropout) for _ in range(shape.n_layers))
        self.norm = nn.RMSNorm(shape.dim, eps=shape.norm_eps)
        self.dropout = nn.Dropout(dropout)
        for name, weight in self.named_parameters():
            if weight.dim() == 2:
                deeper = (2 * shape.n_layers) ** 0.5 if name.endswith(("wo.weight", "w2.weight")) else 1.0
                nn.init.normal_(weight, std=0.02 / deeper)

    def forward(self, ids: Tensor) -> Tensor:
        cos, sin = rotations(self.shape, ids.shape[1])
        x = self.dropout(self.tok_embeddings(ids))
        for block in self.layers:
            x = block(x, cos, sin)
        return F.linear(self.norm(x), self.tok_embeddings.weight)


def quantize(weight: Tensor) -> Tensor:
    """The 4-bit tensor that `export_llama -qmode 4w -G 32` makes of a weight, by the same routine."""
    linear = nn.Linear(*reversed(weight.shape), bias=False, device="meta")
    linear.weight = nn.Parameter(weight.detach(), requires_grad=False)
    quantize_(linear, IntxWeightOnlyConfig(
        weight_dtype=torch.int4, granularity=PerGroup(GROUP), intx_choose_qparams_algorithm="hqq_scale_only",
    ))
    return linear.weight


def rounded(model: Model) -> dict[str, Tensor]:
    """The matrices of a model as their 4-bit values, through which gradients pass as if they were not rounded."""
    return {
        name: weight + (quantize(weight).dequantize() - weight.detach())
        for name, weight in model.named_parameters() if weight.dim() == 2
    }
