"""Quantize, dequantize and choose parameters: the operators of `quantized_decomposed` and `torchao` by themselves."""

import torch
import torchao.quantization.quant_primitives  # noqa: F401  (registers torch.ops.torchao)
from torch import Tensor, nn
from torch.export import Dim

from lib import Case, Source, f32, fn, given, ints

D, A = torch.ops.quantized_decomposed, torch.ops.torchao


class With(nn.Module):
    """`function` of an input and constant tensors."""

    def __init__(self, function, *constants: Tensor) -> None:
        super().__init__()
        self.function, self.count = function, len(constants)
        for index, constant in enumerate(constants):
            self.register_buffer(f"constant_{index}", constant)

    def forward(self, x: Tensor) -> Tensor:
        return self.function(x, *(getattr(self, f"constant_{index}") for index in range(self.count)))


def case(operator: str, name: str, module, *inputs: Source, tolerance: float = 0, **more) -> Case:
    """One step per input. Integers are exact: steps are powers of two."""
    folder = operator.split(".")[1]
    return Case(
        f"ops/{folder}/{name}",
        module,
        [(source,) for source in inputs],
        operators=[operator],
        double=False,
        atol=tolerance,
        rtol=tolerance,
        **more,
    )


def bytes_(*shape: int, dtype: torch.dtype = torch.int8) -> Source:
    low, high = (0, 255) if dtype == torch.uint8 else (-128, 127)
    return ints(*shape, dtype=dtype, low=low, high=high)


def steps(*shape: int) -> Tensor:
    return 2.0 ** -torch.randint(3, 7, shape)


def zeros(*shape: int, dtype: torch.dtype = torch.int32) -> Tensor:
    return torch.randint(-20, 20, shape, dtype=dtype)


def per_tensor(scale: float, zero: int, low: int = -128, high: int = 127, dtype: torch.dtype = torch.int8):
    return fn(lambda x: D.quantize_per_tensor(x, scale, zero, low, high, dtype))


def constants(function, *shape: int, positive: bool = False):
    """`function` of an input, steps and zero points of one shape."""

    def module() -> nn.Module:
        scales, points = steps(*shape), zeros(*shape)
        return With(function, scales, points.abs() if positive else points)

    return module


INF = float("inf")
EDGES = given([0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 126.5, 127.5, -128.5, 300.0, -300.0, INF, -INF])
ROWS = Dim("rows", min=1, max=40)
I8, U8 = torch.int8, torch.uint8
LIMITS = (-128, 127, I8)

QUANTIZE = "quantized_decomposed.quantize_per_tensor.default"
DEQUANTIZE = "quantized_decomposed.dequantize_per_tensor.default"
QUANTIZE_CHANNEL = "quantized_decomposed.quantize_per_channel.default"
CHOOSE_TOKEN = "quantized_decomposed.choose_qparams_per_token_asymmetric.default"
CHOOSE = "torchao.choose_qparams_affine.default"


def choose(mapping: str, block: list[int], low: int, high: int, eps: float | None = None, keep: bool = False):
    return fn(lambda x: A.choose_qparams_affine(x, mapping, block, I8, low, high, eps, torch.float32, I8, keep))


CASES = [
    case(QUANTIZE, "ties", per_tensor(1.0, 0), EDGES),
    case(QUANTIZE, "uint8", per_tensor(0.03125, 100, 0, 255, U8), f32(2, 3, 7, scale=4.0)),
    case(QUANTIZE, "narrow", per_tensor(0.5, 3, -8, 7), f32(5, 3, scale=4.0)),
    case(QUANTIZE, "dynamic", per_tensor(0.0625, -5), f32(3, 5), f32(1, 5), f32(40, 5), dynamic=[{0: ROWS}]),
    case(
        DEQUANTIZE, "odd", fn(lambda q: D.dequantize_per_tensor(q, 0.3, 7, *LIMITS)), bytes_(3, 7),
        tolerance=1e-6,
    ),
    case(
        DEQUANTIZE, "uint8", fn(lambda q: D.dequantize_per_tensor(q, 0.01, 128, 0, 255, U8)),
        bytes_(2, 1, 3, 5, dtype=U8), tolerance=1e-6,
    ),
    case(
        "quantized_decomposed.quantize_per_tensor.tensor", "small",
        constants(lambda x, s, z: D.quantize_per_tensor.tensor(x, s, z, *LIMITS), 1), f32(3, 5),
    ),
    case(
        "quantized_decomposed.dequantize_per_tensor.tensor", "small",
        constants(lambda q, s, z: D.dequantize_per_tensor.tensor(q, s, z, *LIMITS), 1), bytes_(3, 5),
    ),
    case(
        QUANTIZE_CHANNEL, "middle", constants(lambda x, s, z: D.quantize_per_channel(x, s, z, 1, *LIMITS), 3),
        f32(2, 3, 5),
    ),
    case(
        QUANTIZE_CHANNEL, "first", constants(lambda x, s, z: D.quantize_per_channel(x, s, z, 0, -127, 127, I8), 7),
        f32(7, 3),
    ),
    case(
        "quantized_decomposed.dequantize_per_channel.default", "last",
        constants(lambda q, s, z: D.dequantize_per_channel(q, s, z, 2, *LIMITS), 5), bytes_(2, 3, 5),
    ),
    case(
        "quantized_decomposed.quantize_per_token.default", "rank_3",
        constants(lambda x, s, z: D.quantize_per_token(x, s, z, *LIMITS), 2, 3, 1), f32(2, 3, 5),
    ),
    case(
        "quantized_decomposed.dequantize_per_token.default", "rank_2",
        constants(lambda q, s, z: D.dequantize_per_token(q, s, z, *LIMITS, torch.float32), 3, 1), bytes_(3, 5),
    ),
    case(
        "quantized_decomposed.choose_qparams.tensor", "odd",
        fn(lambda x: D.choose_qparams.tensor(x, -128, 127, 1e-5, I8)), f32(3, 7), f32(3, 7, scale=0.0),
        tolerance=1e-6,
    ),
    case(
        CHOOSE_TOKEN, "rank_3", fn(lambda x: D.choose_qparams_per_token_asymmetric(x, I8)), f32(2, 3, 7),
        tolerance=1e-6,
    ),
    case(
        CHOOSE, "rows", choose("ASYMMETRIC", [1, 13], -128, 127), f32(5, 13), f32(1, 13), f32(40, 13),
        dynamic=[{0: ROWS}], tolerance=1e-6,
    ),
    case(CHOOSE, "symmetric_blocks", choose("SYMMETRIC", [1, 4], -8, 7, 1e-5, True), f32(3, 12), tolerance=1e-6),
    case(
        "torchao.quantize_affine.default", "blocks",
        constants(lambda x, s, z: A.quantize_affine(x, [1, 4], s, z, I8, -128, 127), 3, 3), f32(3, 12),
    ),
    case(
        "torchao.quantize_affine.default", "uint8",
        constants(lambda x, s, z: A.quantize_affine(x, [2, 3], s, z, U8), 2, 1, positive=True), f32(4, 3),
    ),
    case(
        "torchao.dequantize_affine.default", "blocks",
        constants(lambda q, s, z: A.dequantize_affine(q, [2, 1, 3], s, z, I8, -128, 127), 2, 3, 2), bytes_(4, 3, 6),
    ),
]
