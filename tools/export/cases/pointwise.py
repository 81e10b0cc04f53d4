"""Element-by-element operators: arithmetic, comparisons, curves, conversions, fills, and the choice between two.

Most cases apply one operator to several sets of operands: output i belongs to set i.
"""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor
from torch.export import Dim
from torch.nn import functional as F

from lib import Case, Source, f32, fn, given, ints

INF, NAN = float("inf"), float("nan")
ROWS = Dim("rows", min=1, max=16)
EDGES = given([[0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 1.5, NAN], [INF, -INF, 1e-30, 3e38, -3.0, 7.25, -0.125, 2.5]])
OTHERS = given([[0.0, 1.0, 1.0, NAN, -0.5, -2.5, 3.0, NAN], [INF, INF, -1e-30, 2.0, -3.0, -INF, -0.125, 0.0]])
FINITE = given([[0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 1.5, NAN], [9.0, -9.0, 1e-30, 30.0, -3.0, 7.25, -0.125, 2.5]])
"""For operators that PyTorch itself gives different answers for at infinity."""


def i32(*shape: int) -> Source:
    return ints(*shape, low=-9, high=9)


def i64(*shape: int) -> Source:
    return ints(*shape, dtype=torch.int64, low=-9, high=9)


def nonzero(*shape: int, dtype: torch.dtype = torch.int32) -> Source:
    """Integers without zero."""
    return lambda: torch.randint(1, 6, shape, dtype=dtype) * (torch.randint(0, 2, shape, dtype=dtype) * 2 - 1)


def positive(*shape: int) -> Source:
    return lambda: torch.rand(shape) * 8 + 0.01


def whole(*shape: int) -> Source:
    return lambda: torch.randint(-3, 5, shape).float()


def bools(*shape: int) -> Source:
    return lambda: torch.rand(shape) > 0.5


def f16(*shape: int) -> Source:
    return lambda: torch.randn(shape).half()


def case(path: str, operator: str, function: Callable[..., Any], *operands: Sequence[Source], **options: Any) -> Case:
    """One operator on several sets of operands."""
    arity = len(operands[0])

    def apply(*inputs: Any) -> Any:
        return tuple(function(*inputs[at : at + arity]) for at in range(0, len(inputs), arity))

    sources = [source for sets in operands for source in sets]
    return Case(f"ops/{path}", fn(apply), [sources], operators=[operator], **options)


def dynamic(path: str, operator: str, function: Callable[..., Any], sources: Callable[[int], Sequence[Source]]) -> Case:
    """Three row counts of a function whose every input has rows."""
    count = len(sources(1))
    steps = [sources(rows) for rows in (7, 1, 16)]
    return Case(f"ops/{path}", fn(function), steps, dynamic=[{0: ROWS}] * count, operators=[operator])


ADD, SUB, DIV, DIV_MODE, MUL = (f"aten.{name}" for name in ("add.Tensor", "sub.Tensor", "div.Tensor", "div.Tensor_mode",
                                                            "mul.Tensor"))
POW, POW_SCALAR, CLAMP = "aten.pow.Tensor_Tensor", "aten.pow.Tensor_Scalar", "aten.clamp.default"
ARITHMETIC = [
    case("sub/shapes", SUB, torch.sub, (f32(3, 4), f32(3, 4)), (f32(5, 1, 3), f32(1, 7, 1)),
         (f32(2, 1, 2, 1, 2, 1, 2, 3), f32(1, 2, 1, 2, 1, 2, 1, 3)), (f32(), f32(3, 5)), (f32(1031), f32(1031))),
    case("sub/types", SUB, torch.sub, (i32(4, 9), i32(4, 9)), (i64(2, 3, 5), i64(3, 1)), (f16(3, 7), f16(7)),
         needs=["f16"], rtol=1e-3),
    case("sub/empty", SUB, torch.sub, (f32(0, 4), f32(4))),
    case("sub/alpha", SUB, lambda a, b: torch.sub(a, b, alpha=-1.5), (f32(3, 5), f32(5))),
    case("sub/alpha_integers", SUB, lambda a, b: torch.sub(a, b, alpha=3), (i32(3, 5), i32(5)), (i64(8), i64(8))),
    case("sub/from_scalar", SUB, lambda x: 2.5 - x, (f32(3, 5),)),
    dynamic("sub/dynamic", SUB, torch.sub, lambda rows: (f32(rows, 3), f32(rows, 1))),
    case("div/shapes", DIV, torch.div, (f32(3, 4), positive(3, 4)), (f32(5, 1, 3), positive(1, 7, 1)), (EDGES, OTHERS)),
    case("div/integers", DIV, torch.div, (i32(4, 9), nonzero(4, 9)), (i64(7, 3), nonzero(3, dtype=torch.int64))),
    case("div/scalar", DIV, lambda x: x / 3.0, (f32(3, 5),)),
    case("div/mode_none", DIV_MODE, lambda a, b: torch.div(a, b, rounding_mode=None), (f32(3, 5), positive(5))),
    *(
        case(f"div/{mode}", DIV_MODE, lambda a, b, mode=mode: torch.div(a, b, rounding_mode=mode),
             (f32(7, 5, scale=9), positive(7, 1)), (i32(4, 9), nonzero(4, 9)),
             (i64(4, 1), nonzero(9, dtype=torch.int64)),
             (given([[6.0, -6.0, 9.0, -9.0, 1e6, -7.0]]), given([[3.0], [-3.0], [0.5], [7.0]])))
        for mode in ("floor", "trunc")
    ),
    case("pow/shapes", POW, torch.pow, (positive(3, 5), f32(3, 5)), (f32(3, 5), whole(5)), (positive(5, 1), f32(7))),
    case("pow/edges", POW, torch.pow, (EDGES, OTHERS)),
    *(
        case(f"pow_scalar/{name}", POW_SCALAR, lambda x, exponent=exponent: torch.pow(x, exponent),
             (positive(3, 7),), (positive(2, 1, 3, 1, 4),))
        for name, exponent in (("square", 2), ("root", 0.5), ("inverse", -1.0), ("odd", 2.7))
    ),
    case("pow_scalar/edges", POW_SCALAR, lambda x: x**3.0, (EDGES,)),
    case("minimum/shapes", "aten.minimum.default", torch.minimum, (f32(5, 1, 3), f32(1, 7, 1)), (EDGES, OTHERS),
         (i32(4, 9), i32(4, 9)), (i64(4, 1), i64(9))),
]

COMPARISONS = [
    *(
        case(f"{name}/shapes", f"aten.{name}.Tensor", getattr(torch, name), (EDGES, OTHERS), (i32(4, 9), i32(4, 9)),
             (i64(5, 1), i64(7)), (i32(3, 7), i32(3, 7)), (f32(2, 1, 3, 1, 5), f32(1, 2, 1, 2, 5)))
        for name in ("eq", "lt", "le", "gt", "ge")
    ),
    *(
        case(f"{name}/scalar_{kind}", f"aten.{name}.Scalar",
             lambda x, name=name, number=number: getattr(torch, name)(x, number), *operands)
        for name in ("eq", "ne", "lt", "le", "gt", "ge")
        for kind, number, operands in (
            ("fraction", 0.5, [(EDGES,)]),
            ("whole", 2, [(i32(7, 9),), (i64(13),), (f32(8),)]),
        )
    ),
    case("eq/empty", "aten.eq.Tensor", torch.eq, (f32(0, 3), f32(3))),
    dynamic("gt/dynamic", "aten.gt.Tensor", torch.gt, lambda rows: (i64(rows, 3), i64(rows, 1))),
]

LOGIC = [
    *(
        case(f"{name}/shapes", f"aten.{name}.{overload}", getattr(torch, name), (bools(4, 8), bools(4, 8)),
             (bools(3, 7), bools(3, 7)), (bools(5, 1, 3), bools(1, 7, 1)),
             (bools(2, 1, 2, 1, 2, 3), bools(2, 1, 2, 1, 3)))
        for name, overload in (("logical_and", "default"), ("logical_or", "default"), ("bitwise_and", "Tensor"),
                               ("bitwise_or", "Tensor"))
    ),
    *(
        case(f"{name}/shapes", f"aten.{name}.default", getattr(torch, name), (bools(4, 8),), (bools(3, 7),), (bools(),),
             (bools(2, 1, 3, 2, 3),))
        for name in ("logical_not", "bitwise_not")
    ),
    dynamic("logical_and/dynamic", "aten.logical_and.default", torch.logical_and,
            lambda rows: (bools(rows, 3), bools(rows, 1))),
]

CURVES: dict[str, Callable[..., Any]] = {
    "abs": torch.abs,
    "neg": torch.neg,
    "exp": torch.exp,
    "sin": torch.sin,
    "cos": torch.cos,
    "tanh": torch.tanh,
    "sigmoid": torch.sigmoid,
    "relu": torch.relu,
    "round": torch.round,
    "sqrt": torch.sqrt,
    "rsqrt": torch.rsqrt,
    "log10": torch.log10,
    "hardswish": F.hardswish,
    "hardtanh": F.hardtanh,
    "leaky_relu": F.leaky_relu,
    "gelu": F.gelu,
}


def curve(name: str, function: Callable[..., Any], path: str) -> Case:
    source = positive if name in ("sqrt", "rsqrt", "log10") else f32
    edges = FINITE if name in ("gelu", "sin", "cos", "hardswish") else EDGES
    return case(path, f"aten.{name}.default", function, (source(4, 8),), (source(3, 7, 13),), (source(),), (edges,))


UNARY = [
    *(curve(name, function, f"{name}/shapes") for name, function in CURVES.items()),
    curve("gelu", lambda x: F.gelu(x, approximate="tanh"), "gelu/tanh"),
    case("relu/empty", "aten.relu.default", torch.relu, (f32(0, 3),)),
    case("exp/far", "aten.exp.default", torch.exp, (given([-104.0, -88.0, -50.0, 50.0, 88.0, 89.0]),)),
    case("sin/far", "aten.sin.default", torch.sin, (f32(3, 7, scale=1000.0),)),
    case("sin/very_far", "aten.sin.default", torch.sin, (f32(3, 7, scale=1e6),)),
    case("cos/very_far", "aten.cos.default", torch.cos, (f32(3, 7, scale=1e30),)),
    case("cos/far", "aten.cos.default", torch.cos, (f32(3, 7, scale=1000.0),)),
    case("round/ties", "aten.round.default", torch.round, (given([0.5, 1.5, 2.5, -0.5, -1.5, 8388609.0, 2.4]),)),
    case("leaky_relu/slope", "aten.leaky_relu.default", lambda x: F.leaky_relu(x, 0.3), (f32(3, 7),)),
    # The exporter takes this one apart.
    case("hardshrink/width", "aten.le.Scalar", lambda x: F.hardshrink(x, 0.1), (f32(3, 7),), (EDGES,),
         kernels=["aten::scalar_tensor.out"] * 2),
    case("hardtanh/bounds", "aten.hardtanh.default", lambda x: F.hardtanh(x, -0.25, 1.75), (f32(3, 7),)),
    case("sigmoid/f16", "aten.sigmoid.default", torch.sigmoid, (f16(4, 8),), (f16(3, 7),), needs=["f16"], rtol=1e-3),
    case("clamp/both", CLAMP, lambda x: torch.clamp(x, -0.5, 0.75), (f32(3, 7),), (EDGES,)),
    case("clamp/low", CLAMP, lambda x: torch.clamp(x, min=0), (f32(4, 8),), (i32(3, 7),)),
    case("clamp/high", CLAMP, lambda x: torch.clamp(x, max=1), (f32(3, 7),), (i64(7),)),
    case("clamp/crossed", CLAMP, lambda x: torch.clamp(x, 1.0, -1.0), (f32(3, 7),)),
    case("clamp/integers", CLAMP, lambda x: torch.clamp(x, -3, 4), (i32(3, 7),), (i64(8),)),
    dynamic("sigmoid/dynamic", "aten.sigmoid.default", torch.sigmoid, lambda rows: (f32(rows, 3),)),
]

TO = "dim_order_ops._to_dim_order_copy.default"
CONVERSIONS = [
    case("to_copy/to_i32", TO, lambda x: x.to(torch.int32), (f32(3, 7, scale=9),), (bools(3, 7),)),
    case("to_copy/to_i64", TO, lambda x: x.to(torch.int64), (i32(5, 3),), (f32(5, 3, scale=9),), (bools(5),)),
    case("to_copy/to_f32", TO, lambda x: x.to(torch.float32), (i32(3, 7),), (i64(3, 7),), (bools(3, 7),), (f16(3, 7),),
         needs=["f16"]),
    case("to_copy/to_f16", TO, lambda x: x.to(torch.float16), (f32(3, 7),), (i32(3, 7),), (bools(5),), needs=["f16"],
         rtol=1e-3),
    case("to_copy/to_bool", TO, lambda x: x.to(torch.bool), (given([[0.0, -0.0, 0.3], [NAN, -2.0, INF]]),),
         (i32(3, 7),)),
    case("to_copy/of_comparison", TO, lambda x: (x > 0.25).float() * x, (f32(3, 7),)),
    case("clone/before_mul", MUL, lambda x: x.clone() * 2.0, (f32(3, 7),)),
    dynamic("to_copy/dynamic", TO, lambda x: x.to(torch.float32), lambda rows: (i64(rows, 3),)),
]

SELF, SCALAR = "aten.where.self", "aten::scalar_tensor.out"
WHERE = [
    case("where/shapes", SELF, torch.where, (bools(4, 8), f32(4, 8), f32(4, 8)), (bools(3, 7), f32(3, 7), f32(3, 7)),
         (bools(5, 1, 1), f32(1, 7, 1), f32(1, 1, 3)), (bools(7), f32(5, 7), f32(5, 7)),
         (bools(2, 3, 1, 5), f32(5), f32(3, 4, 1)), (given([[True, False] * 4] * 2), EDGES, OTHERS)),
    case("where/scalar", SELF, lambda c, x: torch.where(c, x, -INF), (bools(5, 5), f32(5, 5)), kernels=[SCALAR]),
    case("where/masked_fill", SELF, lambda c, x: x.masked_fill(c, -INF), (bools(5, 1), f32(5, 7)), kernels=[SCALAR]),
    dynamic("where/dynamic", SELF, torch.where, lambda rows: (bools(rows, 3), f32(rows, 1), f32(rows, 3))),
]

FULL, FULL_LIKE, RANGE = "aten.full.default", "aten.full_like.default", "aten.arange.start_step"
FILLS = [
    case("full/f32", FULL, lambda x: torch.full((3, 5), 2.5) + torch.full((3, 5), -1e30) * x, (positive(5),)),
    case("full/rank_0_i32", FULL, lambda x: torch.full((), 7, dtype=torch.int32) + x, (i32(5),)),
    case("full/bool", FULL, lambda x: torch.full((3, 5), True) & x, (bools(5),)),
    dynamic("full/dynamic", FULL, lambda x: torch.full((x.size(0), 3), -3.0) + x, lambda rows: (f32(rows, 3),)),
    Case(
        "ops/full/symbolic_value",
        fn(lambda x: torch.full((3,), x.size(0), dtype=torch.float32) * x),
        [(f32(rows, 3),) for rows in (7, 1, 16)],
        dynamic=[{0: ROWS}],
        operators=[FULL, "sym_size.int"],
    ),
    case("full_like/f32", FULL_LIKE, lambda x: torch.full_like(x, 0.25) * x, (f32(3, 7),)),
    case("full_like/i32", FULL_LIKE, lambda x: torch.full_like(x, 3) * x, (i32(3, 7),)),
    case("full_like/bool", FULL_LIKE, lambda x: torch.full_like(x, True, dtype=torch.bool), (f32(3, 7),)),
    dynamic("full_like/dynamic", FULL_LIKE, lambda x: torch.full_like(x, 2.0) + x, lambda rows: (f32(rows, 3),)),
    case("zeros/f32", FULL, lambda x: torch.zeros(3, 5) + x, (f32(5),)),
    case("ones_like/f32", FULL_LIKE, lambda x: torch.ones_like(x) - torch.zeros_like(x) - x, (f32(3, 7),)),
    case("arange/i64", RANGE, lambda x: torch.arange(7) + x, (i64(7),)),
    case("arange/f32_step", RANGE, lambda x: torch.arange(-2.0, 1.5, 0.5) + x, (f32(7),)),
    case("arange/downwards", RANGE, lambda x: torch.arange(9, 0, -2) + x, (i64(5),)),
    dynamic("arange/dynamic", RANGE, lambda x: torch.arange(x.size(0)) + x, lambda rows: (i64(rows),)),
]


def host_floats(a: Tensor, b: Tensor) -> Sequence[Tensor]:
    """Operators that the partitioner does not take, on floats."""
    return (
        torch.maximum(a, b), torch.remainder(a, b), torch.fmod(a, b), torch.atan2(a, b), torch.logical_xor(a, b),
        torch.expm1(a), torch.log1p(a.abs()), torch.sign(a), torch.isnan(a / b), torch.erf(a), torch.floor(a),
        torch.ceil(a), torch.trunc(a), torch.reciprocal(b), torch.sinh(a), torch.asinh(b), torch.ne(a, b),
    )


def host_integers(a: Tensor, b: Tensor) -> Sequence[Tensor]:
    """The same on 64-bit integers, which stay as they are on the host."""
    return (
        a + b, a * b, torch.sub(a, b, alpha=3), torch.maximum(a, b), torch.bitwise_xor(a, b), torch.bitwise_not(a),
        torch.floor_divide(a, b), torch.remainder(a, b), a / b, torch.gt(a, b), torch.sqrt(a.abs()),
    )


FLOAT_KERNELS = [
    f"aten::{name}"
    for name in (
        "maximum.out", "remainder.Tensor_out", "fmod.Tensor_out", "atan2.out", "logical_xor.out", "expm1.out",
        "abs.out", "log1p.out", "sign.out", "div.out", "isnan.out", "erf.out", "floor.out", "ceil.out", "trunc.out",
        "reciprocal.out", "sinh.out", "asinh.out", "ne.Tensor_out",
    )
]
CONVERT = "dim_order_ops::_to_dim_order_copy.out"
INTEGER_KERNELS = [
    *(f"aten::{name}" for name in (
        "add.out", "mul.out", "sub.out", "maximum.out", "bitwise_xor.Tensor_out", "bitwise_not.out", "div.out_mode",
        "remainder.Tensor_out",
    )),
    CONVERT, CONVERT, "aten::div.out", "aten::gt.Tensor_out", "aten::abs.out", "aten::sqrt.out",
]
HOST = [
    Case("programs/portable/clamp_tensors", fn(lambda x, low, high: (torch.clamp(x, low, high), torch.clamp(x, max=high))),
         [(f32(3, 7), f32(3, 1), f32(7))], kernels=["aten::clamp.Tensor_out"] * 2, delegated=False),
    Case("programs/portable/nonzero", fn(torch.nonzero), [(given([[0, 3, 0], [-1, 0, 2]]),)],
         kernels=["aten::nonzero.out"], delegated=False),
    Case("programs/portable/pointwise_floats", fn(host_floats), [(f32(3, 7), positive(7))], kernels=FLOAT_KERNELS,
         delegated=False),
    Case("programs/portable/pointwise_doubles", fn(host_floats),
         [(lambda: torch.randn(3, 7, dtype=torch.float64), lambda: torch.rand(7, dtype=torch.float64) + 0.1)],
         kernels=FLOAT_KERNELS, delegated=False, atol=1e-14, rtol=1e-14),
    Case("programs/portable/pointwise_integers", fn(host_integers),
         [(ints(3, 7, dtype=torch.int64, low=-(2**40), high=2**40), nonzero(7, dtype=torch.int64))],
         kernels=INTEGER_KERNELS, delegated=False),
]

CASES = [*ARITHMETIC, *COMPARISONS, *LOGIC, *UNARY, *CONVERSIONS, *WHERE, *FILLS, *HOST]
