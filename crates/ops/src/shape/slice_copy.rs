//! `aten.slice_copy.Tensor`: a range of one dimension, with a step.
//!
//! Start and end may be symbolic. Only the length of the range shapes the plan; a symbolic start travels with the call.

use pteron_tensor::Shape;

use super::strided::{self, Walk, Walks};
use crate::args::{Args, Described, dim_of};
use crate::catalogue::OpDef;
use crate::error::{OpError, Result};
use crate::sym::{IntArg, Scalar, slice_bound};

pub(crate) const OPS: &[OpDef] =
    &[OpDef::tensor("aten.slice_copy.Tensor", strided::plan::<Slice>, strided::reference::<Slice>)
        .portable("aten::slice_copy.Tensor_out")];

struct Slice;

impl Walks for Slice {
    fn walk<T: Described>(cx: &Args<'_, T>, shape: &Shape) -> Result<Walk> {
        sliced(cx, shape, 1)
    }
}

/// The walk over a range that is given by four arguments: dimension, start, end and step.
fn sliced<T: Described>(cx: &Args<'_, T>, shape: &Shape, arg: usize) -> Result<Walk> {
    let Range { dim, start, step, length } = Range::read(cx, shape, arg)?;
    let mut steps = strided::steps(shape);
    let unit = steps[dim].unsigned_abs();
    steps[dim] *= step.cast_signed();
    let walk = Walk::new(shape.with(dim, length)?, steps);
    Ok(match start {
        Scalar::Int(IntArg::Known(start)) => walk.from(usize::try_from(start).unwrap_or(0) * unit),
        start => walk.starting(start, unit),
    })
}

/// A range of a dimension.
pub(super) struct Range {
    pub(super) dim: usize,
    /// The first element, which only the call may know.
    pub(super) start: Scalar,
    /// The distance from one element to the next.
    pub(super) step: usize,
    pub(super) length: usize,
}

impl Range {
    /// Reads four arguments from `arg` on: dimension, start, end and step.
    pub(super) fn read<T: Described>(cx: &Args<'_, T>, shape: &Shape, arg: usize) -> Result<Range> {
        let dim = cx.int_or(arg, 0)?;
        if shape.rank() == 0 {
            return Err(OpError::Dim { dim, rank: 0 });
        }
        let dim = dim_of(shape, dim)?;
        let size = shape[dim];
        let start = if cx.is_null(arg + 1) { IntArg::Known(0) } else { cx.int_arg(arg + 1)? };
        let end = if cx.is_null(arg + 2) { IntArg::Known(i64::MAX) } else { cx.int_arg(arg + 2)? };
        let step = cx.int_or(arg + 3, 1)?;
        let stride = usize::try_from(step).ok().filter(|&step| step > 0);
        let stride = stride.ok_or_else(|| OpError::Shape(format!("a slice has step {step}; it must be positive")))?;
        let length = cx.slice_length(start, end, step, size)?;
        let start = match start {
            IntArg::Known(start) => Scalar::Int(IntArg::Known(slice_bound(start, size) as i64)),
            IntArg::Sym(_) => Scalar::SliceStart { start, size },
        };
        // A step past the end is never taken twice, so it may as well be the dimension's size.
        Ok(Range { dim, start, step: stride.min(size.max(1)), length })
    }
}
