//! Symbolic integers: values that the host computes anew for each call.
//!
//! A plan may depend on one in two ways. It may *observe* it, through a shape; then the observation becomes part of the
//! plan's key. Or it may pass it on as a [`Scalar`], which is evaluated each call and travels in a uniform.

use crate::args::{Args, Described, dim_of};
use crate::error::{OpError, Result};

/// The number of a symbolic integer within its graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SymId(pub u32);

/// An integer argument: known when the program is loaded, or symbolic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntArg {
    /// A constant.
    Known(i64),
    /// Computed each call.
    Sym(SymId),
}

/// A per-call value of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    /// The integer itself.
    Int(IntArg),
    /// The integer as the start of a slice of a dimension of `size`: negative counts from the end, then clamped.
    SliceStart {
        /// The start as given.
        start: IntArg,
        /// Size of the dimension.
        size: usize,
    },
}

/// What a plan has read of symbolic integers. A plan is valid for a call when every observation still holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Observation {
    /// The value itself.
    Value(SymId),
    /// The number of elements that a slice selects.
    SliceLength {
        /// First element.
        start: IntArg,
        /// One past the last element.
        end: IntArg,
        /// Distance between elements, at least 1.
        step: i64,
        /// Size of the dimension.
        size: usize,
    },
    /// The end of a range of rows, rounded up: see [`RowRange::bucket`].
    Bucket(RowRange),
}

/// Rows `start..start + rows` of a tensor, where the start may be known only at the call.
///
/// They must lie within the tensor: a plan notes that, and each call is checked before any GPU work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowRange {
    /// What has the rows, for the error.
    pub what: &'static str,
    /// The first row.
    pub start: IntArg,
    /// The number of rows.
    pub rows: usize,
    /// The rows that there are.
    pub limit: usize,
}

/// How a symbolic integer is computed.
#[derive(Clone, Copy, Debug)]
pub enum SymOp {
    /// The size of a dimension: arguments tensor, dim.
    Size,
    /// An element of an integer graph input, read on the host: arguments tensor, dim, index.
    Element,
    /// A function of two integers; nothing where it is not defined.
    Binary(fn(i64, i64) -> Option<i64>),
}

/// How a symbolic integer is computed once the shapes of its arguments are known.
#[derive(Clone, Copy, Debug)]
pub enum SymExpr {
    /// It follows from the shapes.
    Constant(i64),
    /// An element of the first argument.
    Element(usize),
    /// A function of two integers.
    Binary(fn(i64, i64) -> Option<i64>, IntArg, IntArg),
}

impl SymOp {
    /// How to compute it for these arguments.
    pub fn resolve<T: Described>(self, args: &Args<'_, T>) -> Result<SymExpr> {
        let int = |index| args.int_arg(index)?.eval(args.syms());
        let size_of = |tensor: &T| -> Result<usize> {
            let dim = int(1)?;
            let index = dim_of(tensor.shape(), dim)?;
            tensor.shape().get(index).copied().ok_or(OpError::Dim { dim, rank: 0 })
        };
        match self {
            SymOp::Size => Ok(SymExpr::Constant(size_of(&args.tensor(0)?)? as i64)),
            SymOp::Element => {
                let tensor = args.tensor(0)?;
                let (size, index) = (size_of(&tensor)?, int(2)?);
                if tensor.shape().numel() != size {
                    return Err(OpError::Shape(format!("one element of {} is not one number", tensor.shape())));
                }
                let from_start = if index < 0 { index.saturating_add_unsigned(size as u64) } else { index };
                let element = usize::try_from(from_start).ok().filter(|&element| element < size);
                element.map(SymExpr::Element).ok_or(OpError::Index { index, limit: size as u64 })
            }
            SymOp::Binary(f) => Ok(SymExpr::Binary(f, args.int_arg(0)?, args.int_arg(1)?)),
        }
    }
}

impl SymExpr {
    /// The value for this call; `element` reads an element of the first argument.
    pub fn eval<E: From<OpError>>(self, syms: &[i64], element: impl FnOnce(usize) -> Result<i64, E>) -> Result<i64, E> {
        match self {
            SymExpr::Constant(value) => Ok(value),
            SymExpr::Element(index) => element(index),
            SymExpr::Binary(f, a, b) => {
                let (a, b) = (a.eval(syms)?, b.eval(syms)?);
                let undefined =
                    || OpError::Unsupported(format!("arithmetic on the symbolic integers {a} and {b} is not defined"));
                Ok(f(a, b).ok_or_else(undefined)?)
            }
        }
    }
}

impl IntArg {
    /// The value for this call.
    pub fn eval(self, syms: &[i64]) -> Result<i64> {
        match self {
            IntArg::Known(value) => Ok(value),
            IntArg::Sym(SymId(id)) => syms
                .get(id as usize)
                .copied()
                .ok_or_else(|| OpError::Unsupported(format!("symbolic integer {id} is used before it is computed"))),
        }
    }
}

impl Scalar {
    /// The value for this call, as the 32 bits that a kernel reads.
    pub fn eval(self, syms: &[i64]) -> Result<i32> {
        let value = match self {
            Scalar::Int(arg) => arg.eval(syms)?,
            Scalar::SliceStart { start, size } => slice_bound(start.eval(syms)?, size) as i64,
        };
        i32::try_from(value).map_err(|_| OpError::Limit(format!("the per-call value {value} does not fit 32 bits")))
    }
}

impl RowRange {
    /// Ends of ranges up to this many rows are not told apart.
    const SMALLEST_BUCKET: usize = 64;

    /// The first row for this call; an error where the rows do not lie within the tensor.
    pub fn eval(self, syms: &[i64]) -> Result<usize> {
        let RowRange { what, start, rows, limit } = self;
        let start = start.eval(syms)?;
        let fits = usize::try_from(start).ok().filter(|start| start.checked_add(rows).is_some_and(|end| end <= limit));
        fits.ok_or(OpError::Rows { what, start, rows, limit })
    }

    /// One past the last row, rounded up to a power of two of at least 64 and to no more than there are: coarse enough
    /// that a range which moves on by a row at a time keeps its plan.
    pub fn bucket(self, syms: &[i64]) -> Result<usize> {
        let start = usize::try_from(self.start.eval(syms)?).unwrap_or(0);
        let end = start.saturating_add(self.rows).min(self.limit);
        Ok(end.next_power_of_two().max(RowRange::SMALLEST_BUCKET).min(self.limit))
    }
}

impl Observation {
    /// The observed quantity for this call.
    pub fn eval(self, syms: &[i64]) -> Result<i64> {
        match self {
            Observation::Value(id) => IntArg::Sym(id).eval(syms),
            Observation::SliceLength { start, end, step, size } => {
                Ok(slice_length(start.eval(syms)?, end.eval(syms)?, step, size) as i64)
            }
            Observation::Bucket(range) => Ok(range.bucket(syms)? as i64),
        }
    }
}

/// A bound of a slice as PyTorch normalizes it: negative counts from the end, then clamped to the dimension.
pub fn slice_bound(bound: i64, size: usize) -> usize {
    let size = i64::try_from(size).unwrap_or(i64::MAX);
    let bound = if bound < 0 { bound.saturating_add(size) } else { bound };
    usize::try_from(bound.clamp(0, size)).unwrap_or(0)
}

/// The number of elements of `start..end` by `step` in a dimension of `size`.
pub fn slice_length(start: i64, end: i64, step: i64, size: usize) -> usize {
    let (start, end) = (slice_bound(start, size), slice_bound(end, size));
    end.saturating_sub(start).div_ceil(usize::try_from(step).unwrap_or(1).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_normalize_as_pytorch_does() {
        for (start, end, step, expected) in
            [(0, 5, 1, 5), (-3, i64::MAX, 1, 3), (1, -1, 2, 2), (4, 2, 1, 0), (i64::MIN, i64::MAX, 3, 2), (9, 12, 1, 0)]
        {
            assert_eq!(slice_length(start, end, step, 5), expected, "{start}..{end} by {step}");
        }
    }

    #[test]
    fn a_moving_window_keeps_its_length() {
        let window =
            Observation::SliceLength { start: IntArg::Sym(SymId(0)), end: IntArg::Sym(SymId(1)), step: 1, size: 64 };
        assert_eq!(window.eval(&[3, 5]), window.eval(&[40, 42]));
        assert_ne!(window.eval(&[3, 5]), window.eval(&[63, 65]));
        assert!(Scalar::Int(IntArg::Known(1 << 40)).eval(&[]).is_err());
    }

    #[test]
    fn ranges_of_rows_are_checked_and_bucketed() {
        let range = RowRange { what: "the cache", start: IntArg::Sym(SymId(0)), rows: 4, limit: 1000 };
        assert_eq!(range.eval(&[996]), Ok(996));
        for start in [997, -1, i64::MAX, i64::MIN] {
            assert!(range.eval(&[start]).is_err(), "{start}");
        }
        assert_eq!(
            range.eval(&[997]).unwrap_err().to_string(),
            "4 rows from row 997 do not lie within the 1000 of the cache"
        );
        for (start, bucket) in [(0, 64), (60, 64), (61, 128), (300, 512), (600, 1000), (i64::MAX, 1000), (-9, 64)] {
            assert_eq!(range.bucket(&[start]), Ok(bucket), "{start}");
        }
    }
}
