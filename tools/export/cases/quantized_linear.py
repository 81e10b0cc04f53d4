"""Linear layers with quantized weights: `linear_q4gsw`, `linear_qcs4w`, `_weight_int8pack_mm`, `linear_dq8ca_q4gsw`,
`linear_q8ta_q8csw`, `q8ta_linear` and `q8ta_linear_gemv`.

Each module is the graph that a quantizer leaves behind: integers, scales, and a dequantize before a float layer. The
exporter packs the weight and fuses it into our operator, so the eager module is the expected value, independent of any
packing. Steps are powers of two where a result is rounded to integers: every sum is then exact, and ties are real ones.
"""

import torch
import torchao.quantization.quant_primitives  # noqa: F401  (registers torch.ops.torchao)
from torch import Tensor, nn
from torch.export import Dim
from torch.nn.functional import linear
from torchao.quantization import Int8DynamicActivationIntxWeightConfig, IntxWeightOnlyConfig, quantize_
from torchao.quantization.granularity import PerGroup
from torchao.utils import unwrap_tensor_subclass

from cases.copies import f16
from lib import Case, Source, f32

DECOMPOSED = torch.ops.quantized_decomposed


class Grouped(nn.Module):
    """A 4-bit weight with one scale per output and group of inputs."""

    def __init__(self, k: int, n: int, group: int, *, bias: bool = False) -> None:
        super().__init__()
        self.group = group
        self.register_buffer("weight", torch.randint(-8, 8, (n, k), dtype=torch.int8))
        self.register_buffer("scales", torch.rand(n, k // group) * 0.1 + 0.01)
        self.register_buffer("zeros", torch.zeros(n, k // group, dtype=torch.int32))
        self.register_buffer("bias", torch.randn(n) if bias else None)

    def dequantized(self) -> Tensor:
        return torch.ops.torchao.dequantize_affine(
            self.weight, [1, self.group], self.scales, self.zeros, torch.int8, -8, 7
        )

    def forward(self, x: Tensor) -> Tensor:
        return linear(x, self.dequantized(), self.bias)


class DynamicInput(Grouped):
    """The same, on an input that is rounded to 8 bits row by row."""

    def forward(self, x: Tensor) -> Tensor:
        block = [1] * (x.dim() - 1) + [x.shape[-1]]
        scale, zero = torch.ops.torchao.choose_qparams_affine(
            x, "ASYMMETRIC", block, torch.int8, -128, 127, None, torch.float32, torch.int8
        )
        q = torch.ops.torchao.quantize_affine(x, block, scale, zero, torch.int8, -128, 127)
        x = torch.ops.torchao.dequantize_affine(q, block, scale, zero, torch.int8, -128, 127)
        return linear(x, self.dequantized(), self.bias)


class PerChannel(nn.Module):
    """A weight of `bits` bits with one scale per output."""

    def __init__(self, k: int, n: int, bits: int, *, bias: bool = False) -> None:
        super().__init__()
        least = -(2 ** (bits - 1))
        self.register_buffer("weight", torch.randint(least, -least, (n, k), dtype=torch.int8))
        self.weight[0, 0] = least
        self.register_buffer("scales", 2.0 ** -torch.randint(4, 8, (n,)))
        self.register_buffer("zeros", torch.zeros(n, dtype=torch.int64))
        self.register_buffer("bias", torch.randint(-64, 64, (n,)) / 64.0 if bias else None)

    def dequantized(self) -> Tensor:
        return DECOMPOSED.dequantize_per_channel(self.weight, self.scales, self.zeros, 0, -128, 127, torch.int8)

    def forward(self, x: Tensor) -> Tensor:
        return linear(x, self.dequantized(), self.bias)


class StaticInput(PerChannel):
    """An 8-bit weight on an 8-bit input; the result is a float, or 8 bits too."""

    def __init__(
        self, k: int, n: int, *, bias: bool = False, quantized: bool = False, relu: bool = False, scale: float = 2**-5
    ) -> None:
        super().__init__(k, n, 8, bias=bias)
        self.quantized, self.relu, self.scale = quantized, relu, scale

    def forward(self, x: Tensor) -> Tensor:
        q = DECOMPOSED.quantize_per_tensor(x, self.scale, -3, -128, 127, torch.int8)
        x = DECOMPOSED.dequantize_per_tensor(q, self.scale, -3, -128, 127, torch.int8)
        y = linear(x, self.dequantized(), self.bias)
        if self.relu:
            y = torch.relu(y)
        if self.quantized:
            q = DECOMPOSED.quantize_per_tensor(y, self.scale * 8, 7, -128, 127, torch.int8)
            y = DECOMPOSED.dequantize_per_tensor(q, self.scale * 8, 7, -128, 127, torch.int8)
        return y


def halves(*, dynamic: bool) -> nn.Module:
    """A layer in 16-bit floats with a bias, as torchao makes it: the exporter declares its result in 32 bits."""
    model = nn.Sequential(nn.Linear(64, 12)).half()
    if dynamic:
        quantize_(model, Int8DynamicActivationIntxWeightConfig(weight_dtype=torch.int4, weight_granularity=PerGroup(32)))
    else:
        quantize_(model, IntxWeightOnlyConfig(weight_dtype=torch.int4, granularity=PerGroup(32)))
    return unwrap_tensor_subclass(model)


def case(operator: str, name: str, module, *inputs: tuple[int, ...] | Source, tolerance: float = 1e-4, **more) -> Case:
    """One step per input shape."""
    namespace = "aten" if operator.startswith("_") else "et_vk"
    return Case(
        f"ops/{operator.removeprefix('_')}/{name}",
        module,
        [(f32(*shape) if isinstance(shape, tuple) else shape,) for shape in inputs],
        operators=[f"{namespace}.{operator}.default"],
        double=False,
        atol=tolerance,
        rtol=tolerance,
        **more,
    )


ROWS = Dim("rows", min=1, max=70)
Q4, DQ8, INT8 = "linear_q4gsw", "linear_dq8ca_q4gsw", "_weight_int8pack_mm"
CASES = [
    case(Q4, "one_row", lambda: Grouped(64, 24, 32), (1, 64)),
    case(Q4, "vector", lambda: Grouped(128, 12, 16, bias=True), (2, 128)),
    case(Q4, "padded", lambda: Grouped(12, 8, 4, bias=True), (3, 12)),
    case(Q4, "padded_many_rows", lambda: Grouped(20, 12, 10, bias=True), (67, 20)),
    case(Q4, "group_whole_row", lambda: Grouped(36, 4, 36), (4, 36)),
    case(Q4, "group_3", lambda: Grouped(24, 8, 3), (5, 24)),
    case(Q4, "rank_3", lambda: Grouped(32, 8, 8, bias=True), (2, 3, 32)),
    case(Q4, "tile_edges", lambda: Grouped(72, 68, 24), (65, 72)),
    case(Q4, "dynamic", lambda: Grouped(32, 20, 16), (7, 32), (1, 32), (70, 32), (4, 32), (5, 32), dynamic=[{0: ROWS}]),
    case(
        Q4, "f16", lambda: Grouped(32, 8, 16, bias=True), (3, 32),
        options={"force_fp16": True}, needs=["f16"], tolerance=1e-2,
    ),
    case(Q4, "half_bias", lambda: halves(dynamic=False), f16(2, 64), needs=["f16"], tolerance=1e-2),
    case(Q4, "half_bias_many_rows", lambda: halves(dynamic=False), f16(70, 64), needs=["f16"], tolerance=1e-2),
    case("linear_qcs4w", "one_row", lambda: PerChannel(32, 9, 4), (1, 32)),
    case("linear_qcs4w", "many_rows", lambda: PerChannel(14, 7, 4), (67, 14)),
    case("linear_qcs4w", "bias_rank_3", lambda: PerChannel(20, 5, 4, bias=True), (2, 2, 20)),
    case("linear_qcs4w", "dynamic", lambda: PerChannel(16, 6, 4), (5, 16), (1, 16), (66, 16), dynamic=[{0: ROWS}]),
    case(INT8, "one_row", lambda: PerChannel(32, 9, 8), (1, 32)),
    case(INT8, "odd_bias", lambda: PerChannel(13, 7, 8, bias=True), (6, 13)),
    case(INT8, "dynamic", lambda: PerChannel(18, 6, 8), (5, 18), (1, 18), (66, 18), dynamic=[{0: ROWS}]),
    case(DQ8, "one_row", lambda: DynamicInput(32, 8, 8), (1, 32)),
    case(DQ8, "padded_bias", lambda: DynamicInput(12, 8, 4, bias=True), (6, 12)),
    case(DQ8, "dynamic", lambda: DynamicInput(64, 12, 32), (5, 64), (1, 64), (66, 64), dynamic=[{0: ROWS}]),
    case(DQ8, "half_bias", lambda: halves(dynamic=True), f16(7, 64), needs=["f16"], tolerance=1e-2),
    case("linear_q8ta_q8csw", "bias", lambda: StaticInput(16, 8, bias=True), (3, 16)),
    case("linear_q8ta_q8csw", "one_row", lambda: StaticInput(12, 8, bias=True), (1, 12)),
    case("linear_q8ta_q8csw", "no_bias", lambda: StaticInput(16, 8), (5, 16)),
    case("q8ta_linear", "bias_relu", lambda: StaticInput(16, 8, bias=True, quantized=True, relu=True), (5, 16)),
    case("q8ta_linear", "prime", lambda: StaticInput(28, 12, quantized=True), (7, 28)),
    case("q8ta_linear", "rank_3", lambda: StaticInput(8, 4, quantized=True), (2, 3, 8)),
    case("q8ta_linear_gemv", "bias", lambda: StaticInput(20, 12, bias=True, quantized=True), (1, 20)),
]
