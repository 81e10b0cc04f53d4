//! Functions of one number that kernels apply to what they have computed.

use std::fmt;
use std::str::FromStr;

use super::rows::{ACTIVATIONS, Expression, Row, UNARY};
use crate::error::OpError;
use crate::plan::word;

/// A row of the pointwise table with its numbers, or nothing at all.
///
/// Its text, as in `Clamp(0, 4018000000000000)` with the bits of its numbers, is how it stands among the arguments of an
/// operator.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Activation {
    /// The row's number for kernels; 0 is none.
    kind: usize,
    numbers: [f64; 2],
}

impl Activation {
    /// The activation that leaves everything as it is.
    pub const NONE: Activation = Activation { kind: 0, numbers: [0.0; 2] };

    /// Keeps values within bounds; NaN stays NaN.
    pub fn clamp(low: f64, high: f64) -> Activation {
        if low == f64::NEG_INFINITY && high == f64::INFINITY {
            return Activation::NONE;
        }
        Activation::new(Expression::Clamp, [Some(low), Some(high)]).unwrap_or_default()
    }

    /// What an operator of one tensor computes, where kernels can apply it: its name, its string argument, and the numbers
    /// that follow the tensor, with what it takes for those that are absent.
    pub fn of(operator: &str, mode: Option<&str>, numbers: [Option<f64>; 2]) -> Option<Activation> {
        let named = |row: &&Row| row.names.iter().any(|names| names.0 == operator) || row.also.contains(&operator);
        let meant = |row: &&Row| match mode {
            Some(mode) => row.modes.contains(&mode),
            None => row.also.is_empty(),
        };
        let row = UNARY.iter().filter(named).find(meant)?;
        Activation::new(row.expression, numbers)
    }

    /// Whether it leaves everything as it is.
    pub fn is_none(&self) -> bool {
        self.kind == 0
    }

    /// Its value, in plain Rust.
    pub(crate) fn apply(&self, x: f64) -> f64 {
        let formula = self.row().and_then(|row| row.float);
        formula.map_or(x, |formula| (formula.rust)(x, self.numbers[0], self.numbers[1]))
    }

    /// Its number and its two numbers as kernels read them.
    pub(crate) fn words(&self) -> (u32, [f32; 2]) {
        #[expect(clippy::cast_possible_truncation, reason = "kernels compute in f32")]
        let numbers = self.numbers.map(|number| number as f32);
        (word(self.kind), numbers)
    }

    fn new(expression: Expression, numbers: [Option<f64>; 2]) -> Option<Activation> {
        let kind = 1 + ACTIVATIONS.iter().position(|&known| known == expression)?;
        let defaults = Activation { kind, numbers: [0.0; 2] }.row()?.numbers;
        Some(Activation { kind, numbers: [numbers[0].unwrap_or(defaults.0), numbers[1].unwrap_or(defaults.1)] })
    }

    fn row(&self) -> Option<&'static Row> {
        let expression = ACTIVATIONS.get(self.kind.checked_sub(1)?)?;
        UNARY.iter().find(|row| row.expression == *expression)
    }
}

/// Its name and the bits of its numbers, which are read back as they were, and without a parser of decimals.
impl fmt::Display for Activation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [p, q] = self.numbers.map(f64::to_bits);
        match self.row().map(|row| row.expression) {
            Some(expression) => write!(f, "{expression:?}({p:x}, {q:x})"),
            None => Ok(()),
        }
    }
}

impl FromStr for Activation {
    type Err = OpError;

    fn from_str(text: &str) -> Result<Activation, OpError> {
        if text.is_empty() {
            return Ok(Activation::NONE);
        }
        let parse = || {
            let (name, numbers) = text.strip_suffix(')')?.split_once('(')?;
            let (p, q) = numbers.split_once(", ")?;
            let expression = ACTIVATIONS.iter().find(|expression| format!("{expression:?}") == name)?;
            let number = |bits| u64::from_str_radix(bits, 16).ok().map(f64::from_bits);
            Activation::new(*expression, [Some(number(p)?), Some(number(q)?)])
        };
        parse().ok_or_else(|| OpError::Unsupported(format!("{text:?} is no activation")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_are_found_by_name_and_mode() {
        let of = |name, mode, p, q| Activation::of(name, mode, [p, q]).map(|activation| activation.to_string());
        assert_eq!(of("aten.relu.default", None, None, None).as_deref(), Some("Relu(0, 0)"));
        assert_eq!(of("aten.gelu.default", Some("none"), None, None).as_deref(), Some("Gelu(0, 0)"));
        assert_eq!(of("aten.gelu.default", Some("tanh"), None, None).as_deref(), Some("GeluTanh(0, 0)"));
        assert_eq!(of("aten.leaky_relu.default", None, None, None).as_deref(), Some("LeakyRelu(3f847ae147ae147b, 0)"));
        assert_eq!(of("aten.clamp.default", None, Some(0.0), None).as_deref(), Some("Clamp(0, 7ff0000000000000)"));
        assert_eq!(of("aten.sin.default", None, None, None), None, "no kernel applies it");
        assert_eq!(of("aten.gelu.default", Some("cubic"), None, None), None);
    }

    #[test]
    fn texts_are_read_as_they_were_written() {
        for activation in [Activation::NONE, Activation::clamp(-0.1, f64::INFINITY), Activation::clamp(1e-300, 6.0)] {
            assert_eq!(activation.to_string().parse(), Ok(activation));
        }
        for wrong in ["Relu", "Sin(0, 0)", "Relu(0)", "Relu(a.5, 0)", "Relu(0, 0"] {
            assert!(wrong.parse::<Activation>().is_err(), "{wrong}");
        }
        assert!(Activation::clamp(f64::NEG_INFINITY, f64::INFINITY).is_none());
    }

    #[test]
    fn values_are_those_of_the_row() {
        let hardswish = Activation::of("aten.hardswish.default", None, [None, None]).unwrap();
        assert_eq!(hardswish.apply(-4.0), 0.0);
        assert_eq!(hardswish.apply(3.0), 3.0);
        assert_eq!(Activation::clamp(0.0, 6.0).apply(7.0), 6.0);
        assert!(Activation::clamp(0.0, 6.0).apply(f64::NAN).is_nan());
        assert_eq!(Activation::NONE.apply(-2.5), -2.5);
    }
}
