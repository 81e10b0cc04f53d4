"""`et_vk.embedding_q4gsw`: rows of a 4-bit table with one scale per group of columns.

The expected values come from the exporter's eager operator, and are checked against the bytes in the exported file:
the table is unpacked by hand with numpy, in the nibble order that the graph's flag names, and the rows gathered.
"""

import executorch.exir.passes._quant_patterns_and_replacements  # noqa: F401  (registers embedding_4bit)
import numpy as np
import torch
from executorch.backends.vulkan.serialization.vulkan_graph_schema import Bool, Int
from torch import Tensor, nn
from torch.export import Dim

from lib import Case, Source, Tensors, given, ints
from program import Program

OPERATOR = "et_vk.embedding_q4gsw.default"


class Table(nn.Module):
    """A call of the operator itself, so that the nibble order is the one asked for."""

    def __init__(self, rows: int, width: int, group: int, *, linear: bool = False) -> None:
        super().__init__()
        self.group, self.linear = group, linear
        self.register_buffer("weight", torch.randint(0, 256, (rows, width // 2), dtype=torch.uint8))
        self.register_buffer("scales", torch.rand(rows, width // group) + 0.01)

    def forward(self, ids: Tensor) -> Tensor:
        return torch.ops.et_vk.embedding_q4gsw(self.weight, self.scales, self.group, ids, self.linear)


class HalfTable(Table):
    """A table whose scales and products are f16 numbers: what `force_fp16` stores and computes."""

    def __init__(self, rows: int, width: int, group: int, *, linear: bool = False) -> None:
        super().__init__(rows, width, group, linear=linear)
        self.scales = self.scales.half().float()


class LlamaTable(Table):
    """The operator that quantized Llama embeddings hold; the exporter repacks it into ours with the flag set."""

    def forward(self, ids: Tensor) -> Tensor:
        return torch.ops.quantized_decomposed.embedding_4bit.dtype(
            self.weight, self.scales, None, -8, 7, ids, dtype=torch.float32
        )


def unpacked(program: Program, linear: bool | None) -> np.ndarray:
    """The whole table as f32, from the bytes of the file."""
    (graph,) = program.method("forward").graphs
    (call,) = [call for call in graph.chain if call.name == OPERATOR]
    weight, scales = (program.constant(graph, value) for value in call.args[:2])
    group, flag = (graph.values[value].value for value in (call.args[2], call.args[4]))
    assert isinstance(group, Int) and isinstance(flag, Bool)
    assert linear is None or flag.bool_val == linear, "the exporter changed the nibble order"

    rows, width = weight.shape[0], weight.shape[1] * 2
    low, high = (weight & 15).astype(np.int32) - 8, (weight >> 4).astype(np.int32) - 8
    codes = np.empty((rows, width), np.int32)
    codes[:, 0::2], codes[:, 1::2] = (low, high) if flag.bool_val else (high, low)
    assert scales.shape == (rows, width // group.int_val)
    return codes.astype(np.float32) * np.repeat(scales.astype(np.float32), group.int_val, axis=1)


def checked(linear: bool | None):
    """The second way: gather from the unpacked bytes, equal to the last bit."""

    def verify(program: Program, inputs: Tensors, expected: Tensors) -> None:
        rows = unpacked(program, linear)[inputs[-1].numpy()]
        np.testing.assert_array_equal(rows, expected[0].numpy())

    return verify


def table(
    name: str, rows: int, width: int, group: int, *ids: Source, linear: bool = False, dynamic: int | None = None
) -> Case:
    """A case with one step per id tensor; `dynamic` is the most ids that the program takes."""
    return Case(
        f"ops/embedding_q4gsw/{name}",
        lambda: Table(rows, width, group, linear=linear),
        [(source,) for source in ids],
        operators=[OPERATOR],
        dynamic=None if dynamic is None else [{0: Dim("count", min=0, max=dynamic)}],
        double=False,
        verify=checked(linear),
        atol=0,
        rtol=1e-6,
    )


def random_ids(rows: int, *shape: int, dtype: torch.dtype = torch.int64) -> Source:
    return ints(*shape, dtype=dtype, low=0, high=rows - 1)


CASES = [
    table("small", 8, 32, 8, given([0, 3, 7])),
    table("small_linear", 8, 32, 8, given([0, 3, 7]), linear=True),
    table("first_last_repeated", 11, 64, 32, given([0, 10, 10, 0, 5, 5, 5, 10])),
    table("one_row_table", 1, 16, 8, given([0, 0])),
    table("group_whole_row", 9, 48, 48, given([8, 0, 4])),
    table("group_2", 5, 6, 2, given([4, 0, 2])),
    table("group_16", 13, 80, 16, random_ids(13, 6)),
    table("group_16_linear", 13, 80, 16, random_ids(13, 6), linear=True),
    table("group_24", 7, 72, 24, random_ids(7, 5)),
    table("group_32_odd_count", 7, 96, 32, random_ids(7, 5)),
    table("group_64", 6, 192, 64, random_ids(6, 4)),
    table("group_128_linear", 6, 384, 128, random_ids(6, 4), linear=True),
    table("group_odd", 7, 30, 15, random_ids(7, 5)),
    table("group_odd_linear", 7, 30, 15, random_ids(7, 5), linear=True),
    table("width_24_group_8", 7, 24, 8, random_ids(7, 5)),
    table("width_40_group_20", 7, 40, 20, random_ids(7, 5)),
    table("width_2", 7, 2, 2, random_ids(7, 5)),
    table("ids_rank_0", 8, 32, 16, given(6)),
    table("ids_rank_2", 17, 32, 16, random_ids(17, 3, 5)),
    table("ids_rank_3", 17, 32, 16, random_ids(17, 2, 3, 4)),
    table("ids_int32", 17, 32, 16, random_ids(17, 7, dtype=torch.int32)),
    table("ids_int32_linear", 17, 32, 16, random_ids(17, 2, 4, dtype=torch.int32), linear=True),
    table("no_ids", 8, 32, 16, given([], torch.int64)),
    table(
        "dynamic", 31, 32, 8,
        *(random_ids(31, count) for count in (13, 1, 64, 0, 2, 64)),
        dynamic=64,
    ),
    table(
        "dynamic_linear", 31, 48, 16,
        *(random_ids(31, count, dtype=torch.int32) for count in (7, 1, 37, 3)),
        linear=True, dynamic=37,
    ),
    table("llama_1b_row", 64, 2048, 64, given([0, 63, 17])),
    table("llama_1b_row_group_32_linear", 64, 2048, 32, given([63, 0, 42]), linear=True),
    Case(
        "ops/embedding_q4gsw/from_embedding_4bit",
        lambda: LlamaTable(19, 64, 32),
        [(random_ids(19, 1, 6),), (random_ids(19, 1, 1),), (random_ids(19, 1, 16),)],
        operators=[OPERATOR],
        dynamic=[{1: Dim("tokens", min=1, max=16)}],
        double=False,
        verify=checked(True),
        atol=0,
        rtol=1e-6,
    ),
    *(
        Case(
            f"ops/embedding_q4gsw/f16{'_linear' if linear else ''}",
            lambda linear=linear: HalfTable(23, 64, 32, linear=linear),
            [(random_ids(23, 9),)],
            operators=[OPERATOR],
            options={"force_fp16": True},
            double=False,
            verify=checked(linear),
            needs=["f16"],
            atol=0,
            rtol=1e-3,
        )
        for linear in (False, True)
    ),
    Case(
        "demo/embedding",
        lambda: Table(512, 2048, 64, linear=True),
        [(given([0, 511, 128, 128, 7]),)],
        operators=[OPERATOR],
        dynamic=[{0: Dim("count", min=1, max=64)}],
        double=False,
        verify=checked(True),
        atol=0,
        rtol=1e-6,
    ),
]
