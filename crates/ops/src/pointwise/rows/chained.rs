//! The rows that can be links of a chain, by the numbers that its kernel knows them by.

use super::Expression;

/// The rows that `pteron.chain` computes: the first is 1. Others would make every chain slower to compile, and are rare
/// where operators follow each other.
pub(crate) const CHAINED: &[Expression] = &[
    Expression::Add,
    Expression::Sub,
    Expression::Rsub,
    Expression::Mul,
    Expression::Div,
    Expression::Minimum,
    Expression::Maximum,
    Expression::Eq,
    Expression::Ne,
    Expression::Lt,
    Expression::Le,
    Expression::Gt,
    Expression::Ge,
    Expression::LogicalAnd,
    Expression::LogicalOr,
    Expression::LogicalXor,
    Expression::LogicalNot,
    Expression::Abs,
    Expression::Neg,
    Expression::Exp,
    Expression::Sqrt,
    Expression::Rsqrt,
    Expression::Reciprocal,
    Expression::Square,
    Expression::Tanh,
    Expression::Sigmoid,
    Expression::Silu,
    Expression::Gelu,
    Expression::GeluTanh,
    Expression::Relu,
    Expression::LeakyRelu,
    Expression::Hardtanh,
    Expression::Clamp,
    Expression::Hardsigmoid,
    Expression::Hardswish,
];
