//! `aten.slice_copy.Tensor`: a range of one dimension, with a step.
//!
//! Start and end may be symbolic. Only the length of the range shapes the plan; a symbolic start travels with the call.

use pteron_tensor::Shape;

use super::strided::{self, Walk};
use crate::args::{Args, Described, dim_of};
use crate::catalogue::OpDef;
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::plan::Plan;
use crate::sym::{IntArg, Scalar, slice_bound};

pub(crate) const OPS: &[OpDef] =
    &[OpDef::tensor("aten.slice_copy.Tensor", plan, reference).portable("aten::slice_copy.Tensor_out")];

fn plan(cx: &mut Plan<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    let walk = walk(cx, &input.shape)?;
    strided::plan(cx, input, &walk)
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    let walk = walk(cx, input.shape())?;
    strided::reference(cx, &input, &walk, cx.syms())
}

fn walk<T: Described>(cx: &Args<'_, T>, shape: &Shape) -> Result<Walk> {
    let dim = cx.int_or(1, 0)?;
    if shape.rank() == 0 {
        return Err(OpError::Dim { dim, rank: 0 });
    }
    let dim = dim_of(shape, dim)?;
    let size = shape[dim];
    let start = if cx.is_null(2) { IntArg::Known(0) } else { cx.int_arg(2)? };
    let end = if cx.is_null(3) { IntArg::Known(i64::MAX) } else { cx.int_arg(3)? };
    let step = cx.int_or(4, 1)?;
    let stride = usize::try_from(step).ok().filter(|&step| step > 0);
    let stride = stride.ok_or_else(|| OpError::Shape(format!("a slice has step {step}; it must be positive")))?;

    let length = cx.slice_length(start, end, step, size)?;
    let mut steps = shape.strides();
    let unit = steps[dim];
    // A step past the end is never taken twice, so it may as well be the dimension's size.
    steps[dim] = unit.saturating_mul(stride.min(size.max(1)));
    let (offset, start) = match start {
        IntArg::Known(start) => (slice_bound(start, size) * unit, None),
        IntArg::Sym(_) => (0, Some((Scalar::SliceStart { start, size }, unit))),
    };
    Ok(Walk { shape: shape.with(dim, length)?, offset, steps, start })
}
