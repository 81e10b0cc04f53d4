//! Comparing a device's outputs with the reference engine's.

use anyhow::{Result, ensure};
use pteron_ops::Accuracy;
use pteron_runtime::{Comparison, DType, HostTensor, Mismatch, Tolerance, Value};
use serde::Serialize;

use crate::survey::MethodSurvey;

/// How far outputs of a method may be from the reference engine's.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ErrorBound {
    /// The loosest accuracy among the operators.
    accuracy: Accuracy,
    /// Operators that round.
    rounding: usize,
}

/// The errors of the outputs that were compared.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Errors {
    pub(crate) max_abs: f64,
    pub(crate) max_rel: f64,
    /// What is wrong, if anything is.
    pub(crate) wrong: Option<String>,
}

impl ErrorBound {
    /// The bound for a method, by the operators that it is made of.
    pub(crate) fn of(method: &MethodSurvey) -> ErrorBound {
        let mut bound = ErrorBound { accuracy: Accuracy::Exact, rounding: 0 };
        for operator in &method.operators {
            // Nodes of XNNPACK's graphs are operators of the catalogue only when they are lowered.
            let accuracy = operator.accuracy.unwrap_or(Accuracy::Accumulated);
            if accuracy != Accuracy::Exact {
                bound.rounding += operator.count;
            }
            if accuracy == Accuracy::Accumulated || bound.accuracy == Accuracy::Exact {
                bound.accuracy = accuracy;
            }
        }
        bound
    }

    /// The tolerance for one output: errors add up from operator to operator, and are relative to the largest element
    /// where terms cancel.
    fn tolerance(self, expected: &HostTensor) -> Tolerance {
        let base = self.accuracy.tolerance();
        let steps = self.rounding.max(1) as f64;
        let precision = match expected.dtype() {
            DType::F16 => 1.0 / 1024.0,
            DType::BF16 => 1.0 / 128.0,
            _ => 0.0,
        };
        let largest = match self.accuracy {
            Accuracy::Accumulated => {
                expected.to_f64s().into_iter().map(f64::abs).filter(|x| x.is_finite()).fold(1.0, f64::max)
            }
            _ => 1.0,
        };
        let inexact = self.accuracy != Accuracy::Exact;
        let precision = if inexact { precision } else { 0.0 };
        Tolerance { atol: base.atol * steps * largest, rtol: base.rtol.max(precision) * steps }
    }

    /// Compares outputs in order; an output that is not there is not compared.
    pub(crate) fn compare(self, got: &[Option<Value>], expected: &[Value]) -> Result<Errors> {
        ensure!(got.len() == expected.len(), "{} outputs came back, expected {}", got.len(), expected.len());
        let mut errors = Errors::default();
        for (index, (got, expected)) in got.iter().zip(expected).enumerate() {
            match (got, expected) {
                (None, _) => {}
                (Some(Value::Tensor(got)), Value::Tensor(expected)) => {
                    match self.tolerance(expected).compare(got, expected) {
                        Ok(comparison) => errors.take(index, &comparison),
                        Err(what) => errors.wrong = Some(format!("output {index}: {what}")),
                    }
                }
                (Some(got), expected) => {
                    if format!("{got:?}") != format!("{expected:?}") {
                        errors.wrong = Some(format!("output {index} is {got:?}, expected {expected:?}"));
                    }
                }
            }
        }
        Ok(errors)
    }
}

impl Errors {
    /// Adds the comparison of one output.
    pub(crate) fn take(&mut self, index: usize, comparison: &Comparison) {
        self.max_abs = self.max_abs.max(comparison.max_abs);
        self.max_rel = self.max_rel.max(comparison.max_rel);
        if let Some(Mismatch { element, got, expected }) = comparison.worst {
            self.wrong = Some(format!("output {index}, element {element} is {got}, expected {expected}"));
        }
    }

    /// Adds the errors of another comparison.
    pub(crate) fn merge(&mut self, other: Errors) {
        self.max_abs = self.max_abs.max(other.max_abs);
        self.max_rel = self.max_rel.max(other.max_rel);
        self.wrong = self.wrong.take().or(other.wrong);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_operators_allow_nothing() {
        let exact = ErrorBound { accuracy: Accuracy::Exact, rounding: 0 };
        let value = |x: f32| Value::Tensor(HostTensor::scalar(x));
        let errors = exact.compare(&[Some(value(1.0))], &[value(1.000_000_1)]).unwrap();
        assert!(errors.wrong.is_some_and(|text| text.starts_with("output 0, element 0 is 1,")));
        assert!(exact.compare(&[None], &[value(1.0)]).unwrap().wrong.is_none());
        assert!(exact.compare(&[Some(Value::Int(1))], &[Value::Int(2)]).unwrap().wrong.is_some());
        assert!(exact.compare(&[], &[value(1.0)]).is_err());
    }

    #[test]
    fn rounding_operators_allow_a_little() {
        let rounded = ErrorBound { accuracy: Accuracy::Rounded, rounding: 1 };
        let value = |x: f32| Value::Tensor(HostTensor::scalar(x));
        assert!(rounded.compare(&[Some(value(1.0))], &[value(1.000_000_1)]).unwrap().wrong.is_none());
        assert!(rounded.compare(&[Some(value(1.0))], &[value(1.001)]).unwrap().wrong.is_some());
    }
}
