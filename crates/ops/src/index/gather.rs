//! `aten.gather`: along one dimension, the index that a tensor of indices names at each place.

use pteron_tensor::Shape;

use super::take::{self, Axis, Range, Take};
use crate::args::dim_of;
use crate::catalogue::OpDef;
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::plan::PlanContext;

pub(crate) const OPS: &[OpDef] = &[OpDef::tensor("aten.gather.default", plan, reference).portable("aten::gather.out")];

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let (input, indices) = (cx.tensor(0)?, cx.tensor(2)?);
    let gathered = gathered(&input.shape, cx.int(1)?, &indices.shape)?;
    gathered.range.check(cx, indices)?;
    take::plan(cx, input, indices, &gathered)
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let (input, indices) = (cx.tensor(0)?, cx.tensor(2)?);
    let gathered = gathered(input.shape(), cx.int(1)?, indices.shape())?;
    let indices = gathered.range.resolve(&indices)?;
    take::evaluate(cx, &input, &indices, &gathered)
}

pub(super) fn gathered(input: &Shape, dim: i64, indices: &Shape) -> Result<Take> {
    let dim = dim_of(input, dim)?;
    // A scalar counts as one element along its only dimension.
    let size = |shape: &Shape, d: usize| shape.get(d).copied().unwrap_or(1);
    let larger = |d: usize| d != dim && size(indices, d) > size(input, d);
    if indices.numel() > 0 && (indices.rank().max(1) != input.rank().max(1) || (0..indices.rank()).any(larger)) {
        return Err(OpError::Shape(format!("indices of {indices} do not fit {input} along dimension {dim}")));
    }
    let (strides, index_strides) = (input.strides(), indices.strides());
    let axis = |(d, &size): (usize, &usize)| {
        let step = if d == dim { 0 } else { strides[d] };
        Axis { size, step, index_step: index_strides[d] }
    };
    let axes = indices.iter().enumerate().map(axis).collect();
    let stride = strides[dim].max(1);
    Ok(Take { shape: *indices, axes, stride, range: Range { limit: size(input, dim), from_end: false } })
}
