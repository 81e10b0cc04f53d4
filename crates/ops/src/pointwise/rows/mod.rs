//! The rows of the pointwise family. `build.rs` reads this folder too, to validate every expression.

mod binary;
mod chained;
mod special;
mod unary;

pub(crate) use binary::BINARY;
pub(crate) use chained::CHAINED;
pub(crate) use unary::UNARY;

/// An operator that computes each element of its result from one element of each operand.
#[derive(Clone, Copy)]
pub(crate) struct Row {
    /// What kernels call it.
    pub(crate) expression: Expression,
    /// The operator's name, and that of the portable kernel.
    pub(crate) names: &'static [(&'static str, &'static str)],
    /// Names of other rows that mean this one in one of its modes.
    pub(crate) also: &'static [&'static str],
    /// Values of the operator's string argument that mean this row; none where it has no such argument.
    pub(crate) modes: &'static [&'static str],
    /// Whether the result is a truth value whatever the operands are.
    pub(crate) truth: bool,
    /// The two numbers of an operator of one tensor, where the program leaves them out.
    pub(crate) numbers: (f64, f64),
    /// How closely the GPU follows the reference.
    pub(crate) precision: Precision,
    /// WGSL modules that the expressions call.
    #[allow(dead_code, reason = "build.rs reads it, the library does not")]
    pub(crate) uses: &'static [&'static str],
    /// The result for floats, if it has one.
    pub(crate) float: Option<Formula<f64>>,
    /// The result for integers, if it has one. Without it integers are converted to floats.
    pub(crate) int: Option<Formula<i64>>,
}

/// A result, twice. The arguments are `a`, `b` and `alpha` for two tensors, `x`, `p` and `q` for one.
///
/// In WGSL they are `f32` or `i32`. A truth value is a condition in WGSL, and 0 or 1 in Rust.
#[derive(Clone, Copy)]
pub(crate) struct Formula<T> {
    #[allow(dead_code, reason = "build.rs reads it, the library does not")]
    pub(crate) wgsl: &'static str,
    pub(crate) rust: fn(T, T, T) -> T,
}

/// How closely the GPU follows the reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Precision {
    /// To the last bit.
    Exact,
    /// A few roundings.
    Rounded,
    /// A function that the GPU approximates.
    Approximate,
}

macro_rules! expressions {
    ($($name:ident)*) => {
        /// The rows that have a kernel, by name.
        #[allow(missing_docs, reason = "a row says what it computes")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Expression {
            $($name),*
        }

        impl Expression {
            /// The names, in order.
            #[allow(dead_code, reason = "build.rs reads it, the library does not")]
            pub(crate) const NAMES: &[&str] = &[$(stringify!($name)),*];
        }
    };
}

expressions! {
    Add Sub Rsub Mul Div DivFloor DivTrunc Remainder Fmod Pow Minimum Maximum Prelu Eq Ne Lt Le Gt Ge LogicalAnd LogicalOr
    LogicalXor BitwiseAnd BitwiseOr BitwiseXor BitwiseLeftShift BitwiseRightShift Atan2 Copy
    Abs Neg Exp Expm1 Log Log2 Log10 Log1p Sqrt Rsqrt Reciprocal Square Sin Cos Tanh Sigmoid Silu Erf Gelu GeluTanh Elu
    Relu LeakyRelu Hardtanh Clamp Hardsigmoid Hardswish Hardshrink Round Floor Ceil Trunc Sign Isnan Isinf LogicalNot
    BitwiseNot Logit Tan Asin Acos Atan Sinh Cosh Asinh Acosh Atanh
}

/// The rows of one operand that other kernels apply to what they have computed, by the numbers that they know them by:
/// the first is 1, and 0 is none.
pub(crate) const ACTIVATIONS: &[Expression] = &[
    Expression::Relu,
    Expression::Clamp,
    Expression::Hardtanh,
    Expression::LeakyRelu,
    Expression::Hardsigmoid,
    Expression::Hardswish,
    Expression::Sigmoid,
    Expression::Silu,
    Expression::Tanh,
    Expression::Gelu,
    Expression::GeluTanh,
    Expression::Elu,
];

/// An operator that nothing is known of yet.
const fn row(expression: Expression, names: &'static [(&'static str, &'static str)]) -> Row {
    Row {
        expression,
        names,
        also: &[],
        modes: &[],
        truth: false,
        numbers: (0.0, 0.0),
        precision: Precision::Rounded,
        uses: &[],
        float: None,
        int: None,
    }
}

impl Row {
    const fn float(self, wgsl: &'static str, rust: fn(f64, f64, f64) -> f64) -> Row {
        Row { float: Some(Formula { wgsl, rust }), ..self }
    }

    const fn int(self, wgsl: &'static str, rust: fn(i64, i64, i64) -> i64) -> Row {
        Row { int: Some(Formula { wgsl, rust }), ..self }
    }

    const fn truth(self) -> Row {
        Row { truth: true, precision: Precision::Exact, ..self }
    }

    const fn exact(self) -> Row {
        Row { precision: Precision::Exact, ..self }
    }

    const fn approximate(self) -> Row {
        Row { precision: Precision::Approximate, ..self }
    }

    const fn uses(self, uses: &'static [&'static str]) -> Row {
        Row { uses, ..self }
    }

    const fn numbers(self, p: f64, q: f64) -> Row {
        Row { numbers: (p, q), ..self }
    }

    const fn modes(self, modes: &'static [&'static str]) -> Row {
        Row { modes, ..self }
    }

    const fn also(self, also: &'static [&'static str]) -> Row {
        Row { also, ..self }
    }
}
