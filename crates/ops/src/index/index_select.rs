//! `aten.index_select`: some indices of a dimension, in any order.

use pteron_tensor::Shape;

use super::take::{self, Axis, Range, Take};
use crate::args::dim_of;
use crate::catalogue::OpDef;
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::plan::PlanContext;

pub(crate) const OPS: &[OpDef] =
    &[OpDef::tensor("aten.index_select.default", plan, reference).portable("aten::index_select.out")];

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let (input, indices) = (cx.tensor(0)?, cx.tensor(2)?);
    let selected = selected(&input.shape, cx.int(1)?, &indices.shape)?;
    selected.range.check(cx, indices)?;
    take::plan(cx, input, indices, &selected)
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let (input, indices) = (cx.tensor(0)?, cx.tensor(2)?);
    let selected = selected(input.shape(), cx.int(1)?, indices.shape())?;
    let indices = selected.range.resolve(&indices)?;
    take::evaluate(cx, &input, &indices, &selected)
}

fn selected(input: &Shape, dim: i64, indices: &Shape) -> Result<Take> {
    let dim = dim_of(input, dim)?;
    let count = indices.numel();
    if indices.rank() > 1 || input.rank() == 0 && count != 1 {
        return Err(OpError::Shape(format!("indices of {indices} do not select from a dimension of {input}")));
    }
    let strides = input.strides();
    let axis = |(d, &size): (usize, &usize)| match d == dim {
        true => Axis { size: count, step: 0, index_step: 1 },
        false => Axis { size, step: strides[d], index_step: 0 },
    };
    let axes: Vec<_> = input.iter().enumerate().map(axis).collect();
    let shape = Shape::from_sizes(axes.iter().map(|axis| axis.size as u64))?;
    let limit = input.get(dim).copied().unwrap_or(1);
    Ok(Take { shape, axes, stride: strides[dim], range: Range { limit, from_end: false } })
}
