//! Operators of one operand `x` and up to two numbers, `p` and `q`.

use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_SQRT_PI};

use super::special::erf;
use super::{Expression, Row, row};

/// Every operator of one operand.
///
/// A bound is applied with `select`, so that NaN, which compares false, passes through.
pub(crate) const UNARY: &[Row] = &[
    row(Expression::Abs, &[("aten.abs.default", "aten::abs.out")])
        .exact()
        .float("abs(x)", |x, _, _| x.abs())
        .int("abs(x)", |x, _, _| x.wrapping_abs()),
    row(Expression::Neg, &[("aten.neg.default", "aten::neg.out")])
        .exact()
        .float("-x", |x, _, _| -x)
        .int("0 - x", |x, _, _| x.wrapping_neg()),
    row(Expression::Exp, &[("aten.exp.default", "aten::exp.out")])
        .approximate()
        .uses(&["exponential"])
        .float("exponential(x)", |x, _, _| x.exp()),
    row(Expression::Expm1, &[("aten.expm1.default", "aten::expm1.out")])
        .approximate()
        .uses(&["exponential"])
        .float("exponential_minus_1(x)", |x, _, _| x.exp_m1()),
    row(Expression::Log, &[("aten.log.default", "aten::log.out")])
        .approximate()
        .uses(&["logarithm"])
        .float("logarithm(x)", |x, _, _| x.ln()),
    row(Expression::Log2, &[("aten.log2.default", "aten::log2.out")])
        .approximate()
        .uses(&["logarithm"])
        .float("logarithm(x) * 1.4426950409", |x, _, _| x.log2()),
    row(Expression::Log10, &[("aten.log10.default", "aten::log10.out")])
        .approximate()
        .uses(&["logarithm"])
        .float("logarithm(x) * 0.4342944819", |x, _, _| x.log10()),
    row(Expression::Log1p, &[("aten.log1p.default", "aten::log1p.out")])
        .approximate()
        .uses(&["exponential"])
        .float("log_of_1_plus(x)", |x, _, _| x.ln_1p()),
    row(Expression::Sqrt, &[("aten.sqrt.default", "aten::sqrt.out")]).float("sqrt(x)", |x, _, _| x.sqrt()),
    row(Expression::Rsqrt, &[("aten.rsqrt.default", "aten::rsqrt.out")])
        .float("inverseSqrt(x)", |x, _, _| 1.0 / x.sqrt()),
    row(Expression::Reciprocal, &[("aten.reciprocal.default", "aten::reciprocal.out")])
        .float("1.0 / x", |x, _, _| 1.0 / x),
    row(Expression::Square, &[("aten.square.default", "aten::square.out")])
        .float("x * x", |x, _, _| x * x)
        .int("x * x", |x, _, _| x.wrapping_mul(x)),
    row(Expression::Sin, &[("aten.sin.default", "aten::sin.out")])
        .approximate()
        .uses(&["trigonometry"])
        .float("sine(x)", |x, _, _| x.sin()),
    row(Expression::Cos, &[("aten.cos.default", "aten::cos.out")])
        .approximate()
        .uses(&["trigonometry"])
        .float("cosine(x)", |x, _, _| x.cos()),
    row(Expression::Tanh, &[("aten.tanh.default", "aten::tanh.out")])
        .approximate()
        .uses(&["exponential"])
        .float("hyperbolic_tangent(x)", |x, _, _| x.tanh()),
    row(Expression::Sigmoid, &[("aten.sigmoid.default", "aten::sigmoid.out")])
        .approximate()
        .uses(&["exponential"])
        .float("1.0 / (1.0 + exponential(-x))", |x, _, _| 1.0 / (1.0 + (-x).exp())),
    row(Expression::Silu, &[("aten.silu.default", "aten::silu.out")])
        .approximate()
        .uses(&["exponential"])
        .float("x / (1.0 + exponential(-x))", |x, _, _| x / (1.0 + (-x).exp())),
    row(Expression::Erf, &[("aten.erf.default", "aten::erf.out")])
        .approximate()
        .uses(&["error_function"])
        .float("error_function(x)", |x, _, _| erf(x)),
    row(Expression::Gelu, &[("aten.gelu.default", "aten::gelu.out")])
        .modes(&["none", ""])
        .approximate()
        .uses(&["error_function"])
        .float("0.5 * x * (1.0 + error_function(x * 0.7071067812))", |x, _, _| {
            0.5 * x * (1.0 + erf(x * FRAC_1_SQRT_2))
        }),
    row(Expression::GeluTanh, &[])
        .also(&["aten.gelu.default"])
        .modes(&["tanh"])
        .approximate()
        .uses(&["exponential"])
        .float("0.5 * x * (1.0 + hyperbolic_tangent(0.7978845608 * (x + 0.044715 * x * x * x)))", |x, _, _| {
            0.5 * x * (1.0 + (FRAC_2_SQRT_PI * FRAC_1_SQRT_2 * (x + 0.044_715 * x * x * x)).tanh())
        }),
    row(Expression::Elu, &[("aten.elu.default", "aten::elu.out")])
        .numbers(1.0, 1.0)
        .approximate()
        .uses(&["exponential"])
        .float("q * select(x, p * exponential_minus_1(x), x < 0.0)", |x, p, q| {
            q * if x < 0.0 { p * x.exp_m1() } else { x }
        }),
    row(Expression::Relu, &[("aten.relu.default", "aten::relu.out")])
        .exact()
        .uses(&["nan"])
        .float("select(max(x, 0.0), x, is_nan(x))", |x, _, _| if x < 0.0 { 0.0 } else { x })
        .int("max(x, 0)", |x, _, _| x.max(0)),
    row(Expression::LeakyRelu, &[("aten.leaky_relu.default", "aten::leaky_relu.out")])
        .numbers(0.01, 0.0)
        .float("select(x * p, x, x > 0.0)", |x, p, _| if x > 0.0 { x } else { x * p }),
    row(Expression::Hardtanh, &[("aten.hardtanh.default", "aten::hardtanh.out")])
        .numbers(-1.0, 1.0)
        .exact()
        .uses(&["bounds"])
        .float("bounded(x, p, q)", bounded)
        .int("min(max(x, p), q)", |x, p, q| x.max(p).min(q)),
    row(Expression::Clamp, &[("aten.clamp.default", "aten::clamp.out")])
        .numbers(f64::NEG_INFINITY, f64::INFINITY)
        .exact()
        .uses(&["bounds"])
        .float("bounded(x, p, q)", bounded)
        .int("min(max(x, p), q)", |x, p, q| x.max(p).min(q)),
    row(Expression::Hardsigmoid, &[("aten.hardsigmoid.default", "aten::hardsigmoid.out")])
        .uses(&["bounds"])
        .float("bounded(x + 3.0, 0.0, 6.0) / 6.0", |x, _, _| bounded(x + 3.0, 0.0, 6.0) / 6.0),
    row(Expression::Hardswish, &[("aten.hardswish.default", "aten::hardswish.out")])
        .uses(&["bounds"])
        .float("x * bounded(x + 3.0, 0.0, 6.0) / 6.0", |x, _, _| x * bounded(x + 3.0, 0.0, 6.0) / 6.0),
    row(Expression::Hardshrink, &[("aten.hardshrink.default", "aten::hardshrink.out")])
        .numbers(0.5, 0.0)
        .exact()
        .float("select(x, 0.0, x >= -p && x <= p)", |x, p, _| if x >= -p && x <= p { 0.0 } else { x }),
    row(Expression::Round, &[("aten.round.default", "aten::round.out")])
        .exact()
        .float("round(x)", |x, _, _| x.round_ties_even())
        .int("x", |x, _, _| x),
    row(Expression::Floor, &[("aten.floor.default", "aten::floor.out")])
        .exact()
        .float("floor(x)", |x, _, _| x.floor())
        .int("x", |x, _, _| x),
    row(Expression::Ceil, &[("aten.ceil.default", "aten::ceil.out")])
        .exact()
        .float("ceil(x)", |x, _, _| x.ceil())
        .int("x", |x, _, _| x),
    row(Expression::Trunc, &[("aten.trunc.default", "aten::trunc.out")])
        .exact()
        .float("trunc(x)", |x, _, _| x.trunc())
        .int("x", |x, _, _| x),
    row(Expression::Sign, &[("aten.sign.default", "aten::sign.out")])
        .exact()
        .float("select(0.0, 1.0, x > 0.0) - select(0.0, 1.0, x < 0.0)", |x, _, _| {
            f64::from(x > 0.0) - f64::from(x < 0.0)
        })
        .int("sign(x)", |x, _, _| x.signum()),
    row(Expression::Isnan, &[("aten.isnan.default", "aten::isnan.out")])
        .truth()
        .uses(&["nan"])
        .float("is_nan(x)", |x, _, _| f64::from(x.is_nan()))
        .int("x != x", |_, _, _| 0),
    row(Expression::Isinf, &[("aten.isinf.default", "aten::isinf.out")])
        .truth()
        .uses(&["nan"])
        .float("is_infinite(x)", |x, _, _| f64::from(x.is_infinite()))
        .int("x != x", |_, _, _| 0),
    row(Expression::LogicalNot, &[("aten.logical_not.default", "aten::logical_not.out")])
        .truth()
        .float("x == 0.0", |x, _, _| f64::from(x == 0.0))
        .int("x == 0", |x, _, _| i64::from(x == 0)),
    row(Expression::BitwiseNot, &[("aten.bitwise_not.default", "aten::bitwise_not.out")])
        .exact()
        .int("~x", |x, _, _| !x),
    // Without a bound, which is a number from 0 to 1, it is negative.
    row(Expression::Logit, &[("aten.logit.default", "aten::logit.out")])
        .numbers(-1.0, 0.0)
        .approximate()
        .uses(&["log_odds"])
        .float("log_odds(x, p)", |x, p, _| {
            let x = if p < 0.0 { x } else { bounded(x, p, 1.0 - p) };
            (x / (1.0 - x)).ln()
        }),
    row(Expression::Tan, &[("aten.tan.default", "aten::tan.out")])
        .approximate()
        .uses(&["trigonometry"])
        .float("sine(x) / cosine(x)", |x, _, _| x.tan()),
    row(Expression::Asin, &[("aten.asin.default", "aten::asin.out")])
        .approximate()
        .uses(&["arcs"])
        .float("arc_sine(x)", |x, _, _| x.asin()),
    row(Expression::Acos, &[("aten.acos.default", "aten::acos.out")])
        .approximate()
        .uses(&["arcs"])
        .float("arc_cosine(x)", |x, _, _| x.acos()),
    row(Expression::Atan, &[("aten.atan.default", "aten::atan.out")])
        .approximate()
        .uses(&["arcs"])
        .float("arc_tangent(x)", |x, _, _| x.atan()),
    row(Expression::Sinh, &[("aten.sinh.default", "aten::sinh.out")])
        .approximate()
        .uses(&["hyperbolic"])
        .float("hyperbolic_sine(x)", |x, _, _| x.sinh()),
    row(Expression::Cosh, &[("aten.cosh.default", "aten::cosh.out")])
        .approximate()
        .uses(&["hyperbolic"])
        .float("hyperbolic_cosine(x)", |x, _, _| x.cosh()),
    row(Expression::Asinh, &[("aten.asinh.default", "aten::asinh.out")])
        .approximate()
        .uses(&["hyperbolic"])
        .float("inverse_hyperbolic_sine(x)", |x, _, _| x.asinh()),
    row(Expression::Acosh, &[("aten.acosh.default", "aten::acosh.out")])
        .approximate()
        .uses(&["hyperbolic"])
        .float("inverse_hyperbolic_cosine(x)", |x, _, _| x.acosh()),
    row(Expression::Atanh, &[("aten.atanh.default", "aten::atanh.out")])
        .approximate()
        .uses(&["hyperbolic"])
        .float("inverse_hyperbolic_tangent(x)", |x, _, _| x.atanh()),
];

/// `x` within bounds, of which the upper one wins where they cross.
fn bounded(x: f64, low: f64, high: f64) -> f64 {
    let raised = if x < low { low } else { x };
    if raised > high { high } else { raised }
}
