"""Attention: key-value caches, scaled dot products and rotary embeddings.

The operators on caches have no eager form in double precision, so the expected values are written out with plain
PyTorch operators beside each module.
"""

import math
from typing import Any

import torch
from executorch.examples.models.llama.rope import hf_apply_rotary_emb
from executorch.extension.llm.custom_ops import custom_ops  # noqa: F401  (registers torch.ops.llama)
from torch import Tensor, nn
from torch.export import Dim
from torch.nn import functional

from lib import Case, Source, Tensors, f32, fn, given

WITH_CACHE = "sdpa_with_kv_cache.default"
UPDATE = "update_cache.default"
SYMBOL = "et_vk.select_as_symint.default"
TURNED = [SYMBOL, "aten.slice_copy.Tensor", "et_vk.apply_rotary_emb.default", WITH_CACHE]
COPY = "aten::copy_"


def attend(query: Tensor, keys: Tensor, values: Tensor, start: int, mask: Tensor | None, causal: bool) -> Tensor:
    """Queries [B, S, Hq, D] over caches [B, C, Hkv, D] that hold `start + S` rows."""
    rows, count = query.size(1), keys.size(1) if mask is not None else start + query.size(1)
    group = query.size(2) // keys.size(2)
    query, keys, values = (x.transpose(1, 2) for x in (query, keys[:, :count], values[:, :count]))
    keys, values = keys.repeat_interleave(group, 1), values.repeat_interleave(group, 1)
    scores = query @ keys.transpose(-1, -2) / math.sqrt(query.size(-1))
    if causal:
        future = torch.arange(count)[None] > start + torch.arange(rows)[:, None]
        scores = scores.masked_fill(future, -math.inf)
    if mask is not None:
        scores = scores + mask
    return (scores.softmax(-1) @ values).transpose(1, 2)


class State(nn.Module):
    """Caches that the module owns."""

    def __init__(self, context: int, heads: int, size: int, initial: Any = torch.zeros) -> None:
        super().__init__()
        self.register_buffer("keys", initial(1, context, heads, size))
        self.register_buffer("values", initial(1, context, heads, size))

    def forward(self, query: Tensor, key: Tensor, value: Tensor, position: Tensor) -> Tensor:
        start = position[0].item()
        return torch.ops.llama.sdpa_with_kv_cache(
            query, key, value, self.keys, self.values, start, query.size(1), None, 0.0, True
        )

    def plain(self, query: Tensor, key: Tensor, value: Tensor, position: Tensor) -> Tensor:
        start = int(position[0])
        self.keys[:, start : start + key.size(1)] = key
        self.values[:, start : start + key.size(1)] = value
        return attend(query, self.keys, self.values, start, None, True)


class Fused(State):
    """What a Llama export writes; the exporter fuses the three into one operator."""

    def forward(self, query: Tensor, key: Tensor, value: Tensor, position: Tensor) -> Tensor:
        start = position[0].item()
        torch._check(start >= 0)
        torch._check(start + key.size(1) <= self.keys.size(1))
        torch._check(start < self.keys.size(1))
        torch.ops.llama.update_cache(key, self.keys, start)
        torch.ops.llama.update_cache(value, self.values, start)
        return torch.ops.llama.custom_sdpa(query, self.keys, self.values, start, None, 0.0, True)


class Turned(nn.Module):
    """Two layers of a Llama: both turn queries and keys by the same rows of the tables, and have caches of their own."""

    def __init__(self, context: int, heads: int, size: int) -> None:
        super().__init__()
        angles = torch.randn(2 * context, size // 2)
        self.register_buffer("cos", angles.cos())
        self.register_buffer("sin", angles.sin())
        self.layers = nn.ModuleList(Fused(context, heads, size) for _ in range(2))

    def forward(self, query: Tensor, key: Tensor, value: Tensor, position: Tensor) -> Tensor:
        start, rows = position[-1].item(), key.size(1)
        torch._check(start >= 0)
        torch._check(start + rows <= self.cos.size(0))
        cos, sin = self.cos.narrow(0, start, rows), self.sin.narrow(0, start, rows)
        for layer in self.layers:
            turned_query, turned_key = torch.ops.et_vk.apply_rotary_emb(query, key, cos, sin)
            query = query + layer(turned_query, turned_key, value, position)
            key = key + value
        return query

    def plain(self, query: Tensor, key: Tensor, value: Tensor, position: Tensor) -> Tensor:
        rows = slice(int(position[0]), int(position[0]) + key.size(1))
        cos, sin = self.cos[rows, None], self.sin[rows, None]
        for layer in self.layers:
            turned_query, turned_key = (turn_pairs(x, cos, sin) for x in (query, key))
            query = query + layer.plain(turned_query, turned_key, value, position)
            key = key + value
        return query


def turn_pairs(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Elements 2i and 2i + 1 turned together."""
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack((even * cos - odd * sin, odd * cos + even * sin), -1).flatten(-2)


class Half(State):
    """Keys and values as f16 caches hold them."""

    def plain(self, query: Tensor, key: Tensor, value: Tensor, position: Tensor) -> Tensor:
        query, key, value = (x.half().to(x.dtype) for x in (query, key, value))
        return super().plain(query, key, value, position)


class Given(nn.Module):
    """Caches that the caller gives; the operator changes them, and the program returns them first."""

    def __init__(self, start: int, *, causal: bool = True, scale: float | None = None) -> None:
        super().__init__()
        self.start, self.causal, self.scale = start, causal, scale

    def forward(self, query: Tensor, key: Tensor, value: Tensor, keys: Tensor, values: Tensor, *mask: Tensor) -> Tensor:
        return torch.ops.llama.sdpa_with_kv_cache(
            query, key, value, keys, values, self.start, query.size(1), *(mask or (None,)), 0.0, self.causal, self.scale
        )

    def plain(self, query: Tensor, key: Tensor, value: Tensor, keys: Tensor, values: Tensor, *mask: Tensor) -> Tensors:
        keys[:, self.start : self.start + key.size(1)] = key
        values[:, self.start : self.start + key.size(1)] = value
        factor = 1.0 if self.scale is None else self.scale * math.sqrt(query.size(-1))
        return keys, values, attend(query * factor, keys, values, self.start, *(mask or (None,)), self.causal)


class Update(nn.Module):
    """Rows written into a cache that the caller gives."""

    def __init__(self, start: int | None = None) -> None:
        super().__init__()
        self.start = start

    def at(self, position: tuple[Tensor, ...]) -> Any:
        return self.start if self.start is not None else position[0][0].item()

    def forward(self, value: Tensor, cache: Tensor, *position: Tensor) -> Tensor:
        start = self.at(position)
        if self.start is None:
            torch._check(start >= 0)
            torch._check(start + value.size(1) <= cache.size(1))
            torch._check(start < cache.size(1))
        return torch.ops.llama.update_cache(value, cache, start)

    def plain(self, value: Tensor, cache: Tensor, *position: Tensor) -> Tensors:
        start = self.at(position)
        cache[:, start : start + value.size(1)] = value
        return (cache,)


class HalfTurn(nn.Module):
    """Rotate-half over the rows of a table from a position on; the exporter folds the position into the operator."""

    def __init__(self, rows: int, turned: int) -> None:
        super().__init__()
        angles = torch.randn(rows, turned)
        self.register_buffer("cos", angles.cos())
        self.register_buffer("sin", angles.sin())

    def forward(self, query: Tensor, key: Tensor, position: Tensor) -> Tensors:
        start, rows = position[0].item(), query.size(1)
        torch._check(start >= 0)
        torch._check(start + rows <= self.cos.size(0))
        cos, sin = self.cos.narrow(0, start, rows), self.sin.narrow(0, start, rows)
        return hf_apply_rotary_emb(query, key, cos, sin)


def turned_by_head(query: Tensor, key: Tensor, cos: Tensor, sin: Tensor) -> tuple[Tensor, Tensor]:
    """Queries and keys `[batch, head, row, element]` as `transformers` turns them: by tables `[batch, row, column]`."""
    return hf_apply_rotary_emb(query, key, cos, sin)


def delta_rule(
    query: Tensor, key: Tensor, value: Tensor, decay: Tensor, beta: Tensor, state: Tensor
) -> tuple[Tensor, Tensor]:
    """`llama.gated_delta_rule` token by token."""
    if decay.dim() == 3:
        decay = decay.unsqueeze(-1)
    reads = []
    for token in range(key.size(2)):
        state = state * decay[:, :, token].unsqueeze(-1)
        predicted = torch.einsum("bhkv,bhk->bhv", state, key[:, :, token])
        missed = (value[:, :, token] - predicted) * beta[:, :, token].unsqueeze(-1)
        state = state + torch.einsum("bhk,bhv->bhkv", key[:, :, token], missed)
        every = state.repeat_interleave(query.size(1) // key.size(1), dim=1)
        reads.append(torch.einsum("bhkv,bhk->bhv", every, query[:, :, token]))
    return torch.stack(reads, dim=2), state


def unit(*shape: int) -> Source:
    """Vectors of length 1."""
    return lambda: torch.nn.functional.normalize(torch.randn(shape), dim=-1)


def between(*shape: int) -> Source:
    """Numbers from 0.2 to 1."""
    return lambda: torch.rand(shape) * 0.8 + 0.2


def plain(module: Any, inputs: Tensors) -> Any:
    return module.plain(*inputs)


def at(position: int) -> Source:
    return given([position], torch.int64)


def state(
    name: str, module: Any, heads: tuple[int, int], size: int, *calls: tuple[int, int],
    folder: str = "ops/sdpa_with_kv_cache", **options: Any,
) -> Case:
    """Caches in the delegate; one step per pair of row count and position, on one loaded program."""
    queries, keys = heads
    steps = [
        (f32(1, rows, queries, size), f32(1, rows, keys, size), f32(1, rows, keys, size), at(position))
        for rows, position in calls
    ]
    if len({rows for rows, _ in calls}) > 1:
        rows = {1: Dim("rows", min=1, max=max(rows for rows, _ in calls))}
        options["dynamic"] = [rows, rows, rows, None]
    settings: dict[str, Any] = {"expect": plain, "operators": [SYMBOL, WITH_CACHE], "stateful": True}
    return Case(f"{folder}/{name}", module, steps, **(settings | options))


def caches(
    name: str, heads: tuple[int, int], size: int, context: int, rows: int, start: int,
    *, batch: int = 1, spread: float = 1.0, masked: bool = False, **options: Any,
) -> Case:
    """Caches as inputs, at a position that is in the program."""
    queries, keys = heads
    new, old = (batch, rows, keys, size), (batch, context, keys, size)
    step = [f32(batch, rows, queries, size, scale=spread), f32(*new, scale=spread), f32(*new), f32(*old), f32(*old)]
    if masked:
        step.append(lambda: torch.randn(rows, context).masked_fill(torch.rand(rows, context) < 0.3, -math.inf))
    return Case(
        f"ops/sdpa_with_kv_cache/{name}",
        lambda: Given(start, **options),
        [step],
        operators=[WITH_CACHE],
        kernels=[COPY, COPY],
        expect=plain,
    )


def update(name: str, shape: tuple[int, ...], context: int, *starts: int, symbolic: bool = False) -> Case:
    batch, _, heads, size = shape
    position = [[at(start)] if symbolic else [] for start in starts]
    return Case(
        f"ops/update_cache/{name}",
        lambda: Update(None if symbolic else starts[0]),
        [(f32(*shape), f32(batch, context, heads, size), *extra) for extra in position],
        operators=[UPDATE],
        kernels=[COPY],
        expect=plain,
        atol=0,
        rtol=0,
    )


def sdpa(name: str, function: Any, *steps: tuple[Source, ...], **options: Any) -> Case:
    return Case(f"ops/sdpa/{name}", fn(function), steps, operators=["et_vk.sdpa.default"], **options)


def attention(*tensors: Tensor, scale: float | None = None) -> Tensor:
    query, key, value, *mask = tensors
    return torch.ops.et_vk.sdpa(query, key, value, *(mask or (None,)), scale)


def holes(*shape: int) -> Source:
    """A mask with some −∞, and every first column open."""

    def draw() -> Tensor:
        closed = torch.rand(shape) < 0.4
        closed[..., 0] = False
        return torch.randn(shape).masked_fill(closed, -math.inf)

    return draw


def rotary(name: str, function: Any, *steps: tuple[Source, ...], **options: Any) -> Case:
    operator, case = name.split("/")
    return Case(f"ops/{name}", fn(function), steps, operators=[f"et_vk.{operator}.default"], **options)


def turned(
    rows: int, heads: tuple[int, int], size: int, *, batch: int = 1, table: int | None = None
) -> tuple[Source, ...]:
    """Queries, keys and tables of cosines and sines."""
    columns = size // 2 if table is None else table
    query, key = ((batch, rows, count, size) for count in heads)
    return f32(*query), f32(*key), f32(rows, columns), f32(rows, columns)


def halves(name: str, heads: tuple[int, int], size: int, turned_size: int, *calls: tuple[int, int]) -> Case:
    return Case(
        f"ops/apply_rotary_emb_hf/{name}",
        lambda: HalfTurn(24, turned_size),
        [(f32(2, rows, heads[0], size), f32(2, rows, heads[1], size), at(start)) for rows, start in calls],
        operators=[SYMBOL, "et_vk.apply_rotary_emb_hf.default"],
    )


TOKENS = Dim("tokens", min=1, max=12)

CASES = [
    state("decode", lambda: State(16, 2, 8), (6, 2), 8, *((1, p) for p in range(5))),
    state("initial_state", lambda: State(12, 3, 5, torch.randn), (3, 3), 5, (1, 4), (1, 5), (1, 2)),
    state("prefill_and_decode", lambda: Fused(160, 2, 8), (4, 2), 8,
          (40, 0), (1, 40), (70, 41), (1, 111), (3, 112), (1, 130), (1, 159)),
    state("one_head_odd_size", lambda: Fused(70, 1, 7), (7, 1), 7, (9, 0), (1, 9), (33, 10), (1, 43), (2, 68)),
    state("f16", lambda: Half(96, 2, 16), (4, 2), 16, (1, 0), (1, 1), (1, 2),
          options={"force_fp16": True}, needs=["f16"], atol=4e-3, rtol=4e-3),
    state("turned", lambda: Turned(160, 2, 16), (4, 2), 16,
          (40, 0), (1, 40), (1, 41), (70, 42), (1, 112), (1, 113), (3, 114), (1, 159),
          folder="programs/attention", operators=TURNED),
    # A mask that the program makes in floats of 32 bits, for delegates that compute in 16.
    Case("programs/attention/half_causal_dynamic", fn(lambda x: functional.scaled_dot_product_attention(x, x, x, is_causal=True)),
         [(f32(1, 1, 3, 4),), (f32(1, 1, 8, 4),)], dynamic=({2: Dim("rows", min=2, max=8)},), kernels=None,
         options={"force_fp16": True}, needs=["f16"], atol=4e-3, rtol=4e-3),
    caches("given_prefill", (4, 2), 12, 20, 11, 0),
    caches("given_offset", (4, 4), 12, 40, 13, 27),
    caches("given_batch", (4, 2), 6, 9, 2, 5, batch=2),
    caches("given_wide_head", (2, 1), 136, 24, 10, 3),
    caches("given_not_causal", (4, 2), 12, 20, 5, 3, causal=False),
    caches("given_scale", (2, 2), 8, 12, 3, 4, scale=0.5),
    caches("given_large_scores", (2, 2), 32, 24, 12, 6, spread=8.0),
    caches("given_mask", (4, 2), 8, 10, 3, 2, masked=True, causal=False),
    update("start", (1, 3, 2, 4), 8, 0),
    update("end", (1, 3, 2, 4), 8, 5),
    update("batch", (3, 2, 2, 5), 7, 4),
    update("position", (1, 2, 3, 5), 11, 0, 9, 4, symbolic=True),
    sdpa("plain", attention, (f32(1, 3, 5, 8), f32(1, 3, 5, 8), f32(1, 3, 5, 8))),
    sdpa("batch_odd", attention, (f32(2, 3, 13, 7), f32(2, 3, 17, 7), f32(2, 3, 17, 7))),
    sdpa("long_keys_one_query", attention, (f32(1, 2, 1, 16), f32(1, 2, 190, 16), f32(1, 2, 190, 16))),
    sdpa("mask", attention, (f32(1, 2, 11, 8), f32(1, 2, 37, 8), f32(1, 2, 37, 8), holes(1, 2, 11, 37))),
    sdpa("mask_broadcast", attention, (f32(2, 2, 4, 8), f32(2, 2, 9, 8), f32(2, 2, 9, 8), holes(1, 1, 4, 9))),
    sdpa("scale", lambda *x: attention(*x, scale=0.25), (f32(1, 2, 6, 8), f32(1, 2, 6, 8), f32(1, 2, 6, 8))),
    sdpa(
        "dynamic", attention,
        *((f32(1, 2, rows, 8), f32(1, 2, rows, 8), f32(1, 2, rows, 8)) for rows in (5, 12, 1, 9)),
        dynamic=[{2: TOKENS}] * 3,
    ),
    rotary("apply_rotary_emb/plain", torch.ops.et_vk.apply_rotary_emb, turned(3, (4, 2), 8)),
    rotary("apply_rotary_emb/batch_odd", torch.ops.et_vk.apply_rotary_emb, turned(5, (3, 1), 14, batch=2)),
    rotary(
        "apply_rotary_emb/dynamic", torch.ops.et_vk.apply_rotary_emb,
        *(turned(rows, (2, 1), 6) for rows in (7, 1, 12, 3)),
        dynamic=[{1: TOKENS}, {1: TOKENS}, {0: TOKENS}, {0: TOKENS}],
    ),
    rotary(
        "apply_rotary_emb_hf/from_start", lambda *x: torch.ops.et_vk.apply_rotary_emb_hf(*x, 0),
        turned(5, (4, 2), 8, table=8),
    ),
    *(
        rotary(f"apply_rotary_emb_hf/{name}", turned_by_head,
               (f32(batch, 4, 5, 8), f32(batch, heads, 5, 8), f32(tables, 5, size), f32(tables, 5, size)))
        for name, batch, heads, tables, size in [
            ("by_head", 1, 2, 1, 8),
            ("by_head_batches", 3, 4, 3, 8),
            ("by_head_one_table", 2, 1, 1, 8),
            ("by_head_part", 2, 4, 2, 6),
        ]
    ),
    halves("positions", (3, 2), 10, 10, (2, 0), (2, 22), (2, 7)),
    halves("part_of_the_head", (2, 1), 11, 6, (3, 4), (3, 21)),
    rotary("apply_rotary_emb_interleaved/angles_rank_4", torch.ops.et_vk.apply_rotary_emb_interleaved,
           (f32(2, 5, 6), f32(1, 5, 3, 2)), double=False),
    rotary("apply_rotary_emb_interleaved/one_pair", torch.ops.et_vk.apply_rotary_emb_interleaved,
           (f32(3, 7, 2), f32(7, 2)), double=False),

    *(
        Case(
            f"programs/portable/gated_delta_rule_{name}",
            fn(operator),
            [(unit(batch, heads[0], tokens, 6), unit(batch, heads[1], tokens, 6), f32(batch, heads[1], tokens, 5),
              between(batch, heads[1], tokens, *channels), between(batch, heads[1], tokens), f32(batch, heads[1], 6, 5))],
            kernels=[f"llama::{kernel}.out"],
            delegated=False,
            expect=lambda _, inputs: delta_rule(*inputs),
        )
        for name, kernel, operator, batch, heads, tokens, channels in [
            ("decode", "gated_delta_rule", torch.ops.llama.gated_delta_rule, 1, (4, 2), 1, ()),
            ("prefill", "gated_delta_rule", torch.ops.llama.gated_delta_rule, 2, (3, 3), 7, ()),
            ("channels", "gated_delta_rule", torch.ops.llama.gated_delta_rule, 2, (4, 1), 5, (6,)),
            ("former_name", "channelwise_gated_delta_rule", torch.ops.llama.channelwise_gated_delta_rule,
             1, (2, 2), 4, (6,)),
        ]
    ),
]
