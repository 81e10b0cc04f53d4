//! Tolerances: how close a tensor must be to the one expected.

use crate::{DType, HostTensor};

/// How far a result may be from the expected value: `|got − expected| ≤ atol + rtol·|expected|`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// Absolute part.
    pub atol: f64,
    /// Part relative to the expected value.
    pub rtol: f64,
}

/// The outcome of comparing two tensors element by element.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The largest absolute difference; infinite where only one side is NaN or infinite.
    pub max_abs: f64,
    /// The largest difference relative to the expected value, over elements that are not expected to be zero.
    pub max_rel: f64,
    /// The element furthest outside the tolerance.
    pub worst: Option<Mismatch>,
}

/// An element outside the tolerance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mismatch {
    /// Its number, counted along the last dimension first.
    pub element: usize,
    /// What it is.
    pub got: f64,
    /// What it should be.
    pub expected: f64,
}

impl Comparison {
    /// Whether every element was within the tolerance.
    pub fn passed(&self) -> bool {
        self.worst.is_none()
    }
}

impl Tolerance {
    /// Equal to the last bit, or both NaN.
    pub const EXACT: Tolerance = Tolerance { atol: 0.0, rtol: 0.0 };

    /// Compares two tensors of one type and shape; an error says how they differ in kind.
    ///
    /// Two NaNs are equal, and so are two infinities of one sign. Integers are compared exactly as integers.
    pub fn compare(&self, got: &HostTensor, expected: &HostTensor) -> Result<Comparison, String> {
        if got.dtype() != expected.dtype() {
            return Err(format!("element type is {}, expected {}", got.dtype(), expected.dtype()));
        }
        if got.shape() != expected.shape() {
            return Err(format!("shape is {}, expected {}", got.shape(), expected.shape()));
        }
        if got.dtype() == DType::I64 {
            // The difference of two 64-bit integers is taken before they lose bits as floats.
            let pairs = got.to_i64s().into_iter().zip(expected.to_i64s());
            return Ok(
                self.judge(pairs.map(|(got, expected)| (got.abs_diff(expected) as f64, got as f64, expected as f64)))
            );
        }
        let [got, expected] = [got, expected].map(HostTensor::as_real);
        let (got, expected) = (got.map_err(|e| e.to_string())?, expected.map_err(|e| e.to_string())?);
        let pairs = got.to_f64s().into_iter().zip(expected.to_f64s());
        Ok(self.judge(pairs.map(|(got, expected)| {
            let same = got == expected || (got.is_nan() && expected.is_nan());
            let difference = if same { 0.0 } else { (got - expected).abs() };
            (if difference.is_nan() { f64::INFINITY } else { difference }, got, expected)
        })))
    }

    /// Gathers elements given as difference, got, expected.
    fn judge(&self, elements: impl Iterator<Item = (f64, f64, f64)>) -> Comparison {
        let mut result = Comparison { max_abs: 0.0, max_rel: 0.0, worst: None };
        let mut worst_excess = 0.0;
        for (element, (difference, got, expected)) in elements.enumerate() {
            result.max_abs = result.max_abs.max(difference);
            if expected != 0.0 && expected.is_finite() {
                result.max_rel = result.max_rel.max(difference / expected.abs());
            }
            let allowed = if expected.is_finite() { self.atol + self.rtol * expected.abs() } else { 0.0 };
            let excess = difference - allowed;
            if excess > worst_excess {
                worst_excess = excess;
                result.worst = Some(Mismatch { element, got, expected });
            }
        }
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn f32s(values: &[f32]) -> HostTensor {
        HostTensor::from_slice(values, &[values.len()]).unwrap()
    }

    #[test]
    fn nan_and_infinity_match_only_themselves() {
        let tolerance = Tolerance { atol: 1.0, rtol: 1.0 };
        let special = f32s(&[f32::NAN, f32::INFINITY, f32::NEG_INFINITY]);
        assert!(tolerance.compare(&special, &special).unwrap().passed());
        for wrong in [[0.0, f32::INFINITY, f32::NEG_INFINITY], [f32::NAN, 3e38, f32::NEG_INFINITY], [f32::NAN; 3]] {
            assert!(!tolerance.compare(&f32s(&wrong), &special).unwrap().passed());
        }
        assert!(!tolerance.compare(&f32s(&[f32::NAN]), &f32s(&[0.0])).unwrap().passed());
    }

    #[test]
    fn tolerance_is_absolute_plus_relative() {
        let tolerance = Tolerance { atol: 0.5, rtol: 0.25 };
        assert!(tolerance.compare(&f32s(&[5.5]), &f32s(&[4.0])).unwrap().passed());
        let comparison = tolerance.compare(&f32s(&[0.0, 5.75]), &f32s(&[0.0, 4.0])).unwrap();
        assert_eq!(comparison.worst, Some(Mismatch { element: 1, got: 5.75, expected: 4.0 }));
        assert_eq!(comparison.max_abs, 1.75);
    }

    #[test]
    fn large_integers_differ_by_one() {
        let a = HostTensor::from_slice(&[i64::MAX], &[1]).unwrap();
        let b = HostTensor::from_slice(&[i64::MAX - 1], &[1]).unwrap();
        assert!(Tolerance::EXACT.compare(&a, &a).unwrap().passed());
        assert!(!Tolerance { atol: 0.5, rtol: 0.0 }.compare(&a, &b).unwrap().passed());
        assert!(Tolerance::EXACT.compare(&a, &f32s(&[1.0])).is_err());
    }
}
