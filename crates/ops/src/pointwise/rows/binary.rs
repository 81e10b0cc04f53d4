//! Operators of two operands that broadcast: `a`, `b` and, for sums, `alpha`.

use super::special::{float_floor_div, floor_div, int_pow, left_shift, remainder, right_shift, trunc_div};
use super::{Expression, Row, row};

/// Every operator of two operands.
pub(crate) const BINARY: &[Row] = &[
    row(Expression::Add, &[("aten.add.Tensor", "aten::add.out"), ("aten.add.Scalar", "aten::add.Scalar_out")])
        .float("a + alpha * b", |a, b, alpha| a + alpha * b)
        .int("a + alpha * b", |a, b, alpha| a.wrapping_add(alpha.wrapping_mul(b))),
    row(Expression::Sub, &[("aten.sub.Tensor", "aten::sub.out"), ("aten.sub.Scalar", "aten::sub.Scalar_out")])
        .float("a - alpha * b", |a, b, alpha| a - alpha * b)
        .int("a - alpha * b", |a, b, alpha| a.wrapping_sub(alpha.wrapping_mul(b))),
    row(Expression::Rsub, &[("aten.rsub.Scalar", "aten::rsub.Scalar_out")])
        .float("b - alpha * a", |a, b, alpha| b - alpha * a)
        .int("b - alpha * a", |a, b, alpha| b.wrapping_sub(alpha.wrapping_mul(a))),
    row(Expression::Mul, &[("aten.mul.Tensor", "aten::mul.out"), ("aten.mul.Scalar", "aten::mul.Scalar_out")])
        .float("a * b", |a, b, _| a * b)
        .int("a * b", |a, b, _| a.wrapping_mul(b)),
    row(
        Expression::Div,
        &[
            ("aten.div.Tensor", "aten::div.out"),
            ("aten.div.Tensor_mode", "aten::div.out_mode"),
            ("aten.div.Scalar", "aten::div.Scalar_out"),
            ("aten.div.Scalar_mode", "aten::div.Scalar_mode_out"),
        ],
    )
    .modes(&[""])
    .float("a / b", |a, b, _| a / b),
    row(Expression::DivFloor, &[("aten.floor_divide.default", "aten::floor_divide.out")])
        .also(&["aten.div.Tensor_mode", "aten.div.Scalar_mode"])
        .modes(&["floor", ""])
        .uses(&["division"])
        .float("floor_div(a, b)", |a, b, _| float_floor_div(a, b))
        .int("int_floor_div(a, b)", |a, b, _| floor_div(a, b)),
    row(Expression::DivTrunc, &[])
        .also(&["aten.div.Tensor_mode", "aten.div.Scalar_mode"])
        .modes(&["trunc"])
        .uses(&["division"])
        .float("trunc_div(a, b)", |a, b, _| (a / b).trunc())
        .int("int_trunc_div(a, b)", |a, b, _| trunc_div(a, b)),
    row(
        Expression::Remainder,
        &[
            ("aten.remainder.Tensor", "aten::remainder.Tensor_out"),
            ("aten.remainder.Scalar", "aten::remainder.Scalar_out"),
        ],
    )
    .exact()
    .uses(&["division"])
    .float("floor_remainder(a, b)", |a, b, _| remainder(a, b))
    .int("a - int_floor_div(a, b) * b", |a, b, _| a.wrapping_sub(floor_div(a, b).wrapping_mul(b))),
    row(
        Expression::Fmod,
        &[("aten.fmod.Tensor", "aten::fmod.Tensor_out"), ("aten.fmod.Scalar", "aten::fmod.Scalar_out")],
    )
    .exact()
    .uses(&["division"])
    .float("trunc_remainder(a, b)", |a, b, _| a % b)
    .int("a - int_trunc_div(a, b) * b", |a, b, _| a.wrapping_sub(trunc_div(a, b).wrapping_mul(b))),
    row(
        Expression::Pow,
        &[
            ("aten.pow.Tensor_Tensor", "aten::pow.Tensor_Tensor_out"),
            ("aten.pow.Tensor_Scalar", "aten::pow.Tensor_Scalar_out"),
            ("aten.pow.Scalar", "aten::pow.Scalar_out"),
        ],
    )
    .approximate()
    .uses(&["power"])
    .float("power(a, b)", |a, b, _| a.powf(b))
    .int("int_power(a, b)", |a, b, _| int_pow(a, b)),
    row(Expression::Atan2, &[("aten.atan2.default", "aten::atan2.out")])
        .approximate()
        .uses(&["arcs"])
        .float("arc_tangent_of(a, b)", |a, b, _| a.atan2(b)),
    row(Expression::Minimum, &[("aten.minimum.default", "aten::minimum.out")])
        .exact()
        .uses(&["nan"])
        .float("select(select(b, a, a < b), a + b, is_nan(a) || is_nan(b))", |a, b, _| {
            if a.is_nan() || b.is_nan() { f64::NAN } else { a.min(b) }
        })
        .int("min(a, b)", |a, b, _| a.min(b)),
    row(Expression::Maximum, &[("aten.maximum.default", "aten::maximum.out")])
        .exact()
        .uses(&["nan"])
        .float("select(select(b, a, a > b), a + b, is_nan(a) || is_nan(b))", |a, b, _| {
            if a.is_nan() || b.is_nan() { f64::NAN } else { a.max(b) }
        })
        .int("max(a, b)", |a, b, _| a.max(b)),
    row(Expression::Prelu, &[("aten._prelu_kernel.default", "aten::_prelu_kernel.out")])
        .float("select(a * b, a, a > 0.0)", |a, b, _| if a > 0.0 { a } else { a * b }),
    row(Expression::Eq, &[("aten.eq.Tensor", "aten::eq.Tensor_out"), ("aten.eq.Scalar", "aten::eq.Scalar_out")])
        .truth()
        .float("a == b", |a, b, _| f64::from(a == b))
        .int("a == b", |a, b, _| i64::from(a == b)),
    // A comparison with NaN is false on every device, so this one is the negation of another.
    row(Expression::Ne, &[("aten.ne.Tensor", "aten::ne.Tensor_out"), ("aten.ne.Scalar", "aten::ne.Scalar_out")])
        .truth()
        .float("!(a == b)", |a, b, _| f64::from(a != b))
        .int("a != b", |a, b, _| i64::from(a != b)),
    row(Expression::Lt, &[("aten.lt.Tensor", "aten::lt.Tensor_out"), ("aten.lt.Scalar", "aten::lt.Scalar_out")])
        .truth()
        .float("a < b", |a, b, _| f64::from(a < b))
        .int("a < b", |a, b, _| i64::from(a < b)),
    row(Expression::Le, &[("aten.le.Tensor", "aten::le.Tensor_out"), ("aten.le.Scalar", "aten::le.Scalar_out")])
        .truth()
        .float("a <= b", |a, b, _| f64::from(a <= b))
        .int("a <= b", |a, b, _| i64::from(a <= b)),
    row(Expression::Gt, &[("aten.gt.Tensor", "aten::gt.Tensor_out"), ("aten.gt.Scalar", "aten::gt.Scalar_out")])
        .truth()
        .float("a > b", |a, b, _| f64::from(a > b))
        .int("a > b", |a, b, _| i64::from(a > b)),
    row(Expression::Ge, &[("aten.ge.Tensor", "aten::ge.Tensor_out"), ("aten.ge.Scalar", "aten::ge.Scalar_out")])
        .truth()
        .float("a >= b", |a, b, _| f64::from(a >= b))
        .int("a >= b", |a, b, _| i64::from(a >= b)),
    row(Expression::LogicalAnd, &[("aten.logical_and.default", "aten::logical_and.out")])
        .truth()
        .float("!(a == 0.0) && !(b == 0.0)", |a, b, _| f64::from(a != 0.0 && b != 0.0))
        .int("a != 0 && b != 0", |a, b, _| i64::from(a != 0 && b != 0)),
    row(Expression::LogicalOr, &[("aten.logical_or.default", "aten::logical_or.out")])
        .truth()
        .float("!(a == 0.0) || !(b == 0.0)", |a, b, _| f64::from(a != 0.0 || b != 0.0))
        .int("a != 0 || b != 0", |a, b, _| i64::from(a != 0 || b != 0)),
    row(Expression::LogicalXor, &[("aten.logical_xor.default", "aten::logical_xor.out")])
        .truth()
        .float("(a == 0.0) != (b == 0.0)", |a, b, _| f64::from((a != 0.0) != (b != 0.0)))
        .int("(a != 0) != (b != 0)", |a, b, _| i64::from((a != 0) != (b != 0))),
    row(
        Expression::BitwiseAnd,
        &[
            ("aten.bitwise_and.Tensor", "aten::bitwise_and.Tensor_out"),
            ("aten.bitwise_and.Scalar", "aten::bitwise_and.Scalar_out"),
        ],
    )
    .exact()
    .int("a & b", |a, b, _| a & b),
    row(
        Expression::BitwiseOr,
        &[
            ("aten.bitwise_or.Tensor", "aten::bitwise_or.Tensor_out"),
            ("aten.bitwise_or.Scalar", "aten::bitwise_or.Scalar_out"),
        ],
    )
    .exact()
    .int("a | b", |a, b, _| a | b),
    row(
        Expression::BitwiseXor,
        &[
            ("aten.bitwise_xor.Tensor", "aten::bitwise_xor.Tensor_out"),
            ("aten.bitwise_xor.Scalar", "aten::bitwise_xor.Scalar_out"),
        ],
    )
    .exact()
    .int("a ^ b", |a, b, _| a ^ b),
    row(
        Expression::BitwiseLeftShift,
        &[
            ("aten.bitwise_left_shift.Tensor", "aten::bitwise_left_shift.Tensor_out"),
            ("aten.bitwise_left_shift.Tensor_Scalar", "aten::bitwise_left_shift.Tensor_Scalar_out"),
            ("aten.__lshift__.Tensor", "aten::__lshift__.Tensor_out"),
            ("aten.__lshift__.Scalar", "aten::__lshift__.Scalar_out"),
        ],
    )
    .exact()
    .int("select(a << u32(b & 31), 0, b < 0 || b > 31)", |a, b, _| left_shift(a, b)),
    row(
        Expression::BitwiseRightShift,
        &[
            ("aten.bitwise_right_shift.Tensor", "aten::bitwise_right_shift.Tensor_out"),
            ("aten.bitwise_right_shift.Tensor_Scalar", "aten::bitwise_right_shift.Tensor_Scalar_out"),
            ("aten.__rshift__.Tensor", "aten::__rshift__.Tensor_out"),
            ("aten.__rshift__.Scalar", "aten::__rshift__.Scalar_out"),
        ],
    )
    .exact()
    .int("a >> select(u32(b), 31u, b < 0 || b > 31)", |a, b, _| right_shift(a, b)),
    // The contents of `b` in the shape of `a`: what copies that are no views are made of.
    row(Expression::Copy, &[]).exact().float("b", |_, b, _| b).int("b", |_, b, _| b),
];
