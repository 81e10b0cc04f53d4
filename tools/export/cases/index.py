"""Operators that look elements up by index: `embedding`, `gather`, `index_select`, `index`, and quantized embeddings."""

from collections.abc import Callable
from typing import Any

import executorch.exir.passes._quant_patterns_and_replacements  # noqa: F401  (registers quantized embeddings)
import torch
from torch import Tensor, nn
from torch.export import Dim

from lib import Case, Source, f32, fn, given, ints

EMBEDDING, GATHER = "aten.embedding.default", "aten.gather.default"
SELECT, INDEX = "aten.index_select.default", "aten.index.Tensor"
QUANTIZED = "quantized_decomposed::embedding"
FOUR_BIT = f"{QUANTIZED}_4bit.dtype_out"


class Table(nn.Module):
    """An embedding of the type asked for."""

    def __init__(self, rows: int, columns: int, dtype: torch.dtype = torch.float32, **options: Any) -> None:
        super().__init__()
        self.table = nn.Embedding(rows, columns, dtype=dtype, **options)

    def forward(self, ids: Tensor) -> Tensor:
        return self.table(ids)


class FourBit(nn.Module):
    """A 4-bit table with zero points. The partitioner cannot judge them; without them, it takes another operator."""

    def __init__(self, rows: int, columns: int, groups: int) -> None:
        super().__init__()
        self.register_buffer("weight", torch.randint(0, 256, (rows, columns // 2), dtype=torch.uint8))
        self.register_buffer("scales", torch.rand(rows, groups) + 0.01)
        self.register_buffer("zero_points", torch.randint(-4, 5, (rows, groups)).float())

    def forward(self, ids: Tensor) -> Tensor:
        return torch.ops.quantized_decomposed.embedding_4bit.dtype(
            self.weight, self.scales, self.zero_points, -8, 7, ids, dtype=torch.float32
        )


class Codes(nn.Module):
    """A table of bytes, or of several codes to a byte. Without zero points codes of 4 bits would be delegated."""

    def __init__(
        self, bits: int, rows: int, columns: int, groups: int, zeros: bool = True, signed: bool = False
    ) -> None:
        super().__init__()
        self.bits, self.signed = bits, signed
        low, high, dtype = (-128, 128, torch.int8) if signed else (0, 256, torch.uint8)
        self.register_buffer("weight", torch.randint(low, high, (rows, columns * bits // 8), dtype=dtype))
        shape = (rows, groups) if groups > 1 else (rows,)
        self.register_buffer("scales", torch.rand(shape) + 0.01)
        self.register_buffer("zero_points", torch.randint(-4, 5, shape).float() if zeros else None)

    def forward(self, ids: Tensor) -> Tensor:
        table = (self.weight, self.scales, self.zero_points)
        half = 1 << (self.bits - 1)
        low, high = (0, 255) if self.bits == 8 and not self.signed else (-half, half - 1)
        name = {2: "embedding_2bit", 8: "embedding_byte"}[self.bits]
        return getattr(torch.ops.quantized_decomposed, name).default(*table, low, high, ids)


class TypedCodes(Codes):
    """The overload that is told the output's type, which is what quantizing a model gives."""

    def forward(self, ids: Tensor) -> Tensor:
        table = (self.weight, self.scales, self.zero_points)
        half = 1 << (self.bits - 1)
        name = {2: "embedding_2bit", 8: "embedding_byte"}[self.bits]
        operator = getattr(torch.ops.quantized_decomposed, name).dtype
        return operator(*table, -half, half - 1, ids, dtype=torch.float32)


class ConstantIndices(nn.Module):
    """Indices from the file, which only the device sees."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("ids", torch.tensor([4, 0, 2, 2]))

    def forward(self, x: Tensor) -> Tensor:
        return torch.index_select(x, 1, self.ids)


class Sums(nn.Module):
    """Indices that the program computes."""

    def __init__(self) -> None:
        super().__init__()
        self.table = nn.Embedding(9, 5)

    def forward(self, a: Tensor, b: Tensor) -> Tensor:
        return self.table(a + b)


def bools(*shape: int) -> Source:
    return lambda: torch.rand(shape) > 0.5


def ids(limit: int, *shape: int, dtype: torch.dtype = torch.int64) -> Source:
    return ints(*shape, dtype=dtype, low=0, high=limit - 1)


def exact(path: str, operator: str, module: Callable[[], nn.Module], *sources: Source, **options: Any) -> Case:
    return Case(path, module, [sources], operators=[operator], atol=0, rtol=0, **options)


def embedding(name: str, rows: int, columns: int, source: Source, **options: Any) -> Case:
    return exact(f"ops/embedding/{name}", EMBEDDING, lambda: Table(rows, columns, **options), source)


def gather(name: str, source: Source, dim: int, indices: Source) -> Case:
    return exact(f"ops/gather/{name}", GATHER, fn(lambda x, i: torch.gather(x, dim, i)), source, indices)


def select(name: str, source: Source, dim: int, indices: Source) -> Case:
    return exact(f"ops/index_select/{name}", SELECT, fn(lambda x, i: torch.index_select(x, dim, i)), source, indices)


def index(name: str, function: Callable[..., Any], *sources: Source) -> Case:
    return exact(f"ops/index/{name}", INDEX, fn(function), *sources)


def count(low: int, high: int) -> Any:
    return Dim("count", min=low, max=high)


CASES = [
    embedding("odd_columns", 11, 7, ids(11, 5)),
    embedding("wide_columns", 11, 64, ids(11, 3, 4)),
    embedding("ids_int32", 11, 8, ids(11, 5, dtype=torch.int32)),
    embedding("ids_rank_0", 11, 8, given(10)),
    embedding("ids_rank_3", 11, 5, ids(11, 2, 3, 2)),
    embedding("no_ids", 11, 8, given([], torch.int64)),
    embedding("one_row", 1, 3, given([0, 0])),
    embedding("padding", 7, 6, given([0, 2, 6, 2]), padding_idx=2),
    exact(
        "ops/embedding/f16", EMBEDDING, lambda: Table(11, 8, torch.float16), ids(11, 5), double=False, needs=["f16"]
    ),
    Case(
        "ops/embedding/dynamic",
        lambda: Table(31, 12),
        [(ids(31, rows, 3),) for rows in (7, 1, 16)],
        operators=[EMBEDDING],
        dynamic=[{0: count(1, 16)}],
        atol=0,
        rtol=0,
    ),
    exact("ops/embedding/computed_ids", EMBEDDING, Sums, ids(5, 2, 3), ids(5, 3)),

    gather("rows", f32(5, 3), 0, ids(5, 4, 3)),
    gather("negative_dim", f32(3, 5, 7), -1, ids(7, 3, 5, 2)),
    gather("smaller", f32(3, 5, 7), 1, ids(5, 2, 9, 4)),
    gather("vector", f32(13), 0, ids(13, 6)),
    gather("rank_5", f32(2, 3, 2, 3, 4), 3, ids(3, 2, 3, 2, 5, 4)),
    gather("empty", f32(3, 5), 1, given([[], [], []], torch.int64)),
    gather("i64", ints(3, 5, dtype=torch.int64), 1, ids(5, 3, 2)),
    gather("bool", bools(3, 5), 1, ids(5, 3, 7)),
    Case(
        "ops/gather/dynamic",
        fn(lambda x, i: torch.gather(x, 1, i)),
        [(f32(rows, 5), ids(5, rows, 3)) for rows in (7, 2, 16)],
        operators=[GATHER],
        dynamic=[{0: count(2, 16)}, {0: count(2, 16)}],
        atol=0,
        rtol=0,
    ),

    select("negative_dim", f32(3, 5, 7), -2, given([4, 0, 0, 2])),
    select("rank_4", f32(2, 3, 5, 4), 1, given([2, 0])),
    select("none", f32(3, 5), 0, given([], torch.int64)),
    select("ids_int32", f32(3, 5), 1, given([4, 1], torch.int32)),
    select("i32", ints(3, 5), 1, given([4, 4, 1])),
    select("bool", bools(5, 3), 0, given([4, 1, 1])),
    exact("ops/index_select/constant_indices", SELECT, ConstantIndices, f32(3, 5)),

    index("rows", lambda x, i: x[i], f32(5, 3), given([4, 0, -1, 2])),
    index("middle", lambda x, i: x[:, i], f32(3, 5, 7), given([4, -5, 1])),
    index("last", lambda x, i: x[..., i], f32(3, 2, 5), given([0, -1])),
    index("vector", lambda x, i: x[i], f32(7), given([6, 6, -7])),
    index("i64", lambda x, i: x[i], ints(7, 2, dtype=torch.int64), given([6, 3])),
    index("ids_int32", lambda x, i: x[i], f32(7, 2), given([6, 3], torch.int32)),
    Case(
        "ops/index/dynamic",
        fn(lambda x, i: x[i]),
        [(f32(9, 3), ints(rows, dtype=torch.int64, low=-9, high=8)) for rows in (5, 2, 16)],
        operators=[INDEX],
        dynamic=[None, {0: count(2, 16)}],
        atol=0,
        rtol=0,
    ),

    *(
        Case(
            f"programs/portable/embedding_4bit_{name}",
            lambda rows=rows, columns=columns, groups=groups: FourBit(rows, columns, groups),
            [(ids(rows, *shape),)],
            kernels=[FOUR_BIT],
            delegated=False,
            double=False,
            atol=0,
            rtol=1e-6,
        )
        for name, rows, columns, groups, shape in [
            ("groups", 9, 32, 4, (5,)),
            ("odd_groups", 7, 18, 3, (2, 3)),
            ("whole_rows", 5, 10, 1, (4,)),
        ]
    ),

    *(
        Case(
            f"programs/portable/embedding_{name}",
            module,
            [(ids(rows, *shape),)],
            kernels=[f"{QUANTIZED}_{kernel}"],
            delegated=False,
            double=False,
            atol=0,
            rtol=1e-6,
        )
        for name, kernel, rows, shape, module in [
            ("byte_groups", "byte.dtype_out", 9, (5,), lambda: TypedCodes(8, 9, 12, 3, signed=True)),
            ("byte_whole_rows", "byte.dtype_out", 7, (2, 3), lambda: TypedCodes(8, 7, 5, 1, zeros=False, signed=True)),
            ("byte_unsigned", "byte.out", 5, (4,), lambda: Codes(8, 5, 6, 2)),
            ("2bit_groups", "2bit.dtype_out", 6, (5,), lambda: TypedCodes(2, 6, 24, 3)),
            ("2bit_whole_rows", "2bit.out", 5, (3, 2), lambda: Codes(2, 5, 12, 1, zeros=False)),
        ]
    ),
]
