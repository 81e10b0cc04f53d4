//! `aten.embedding`: the row of a table for each index.

use pteron_tensor::Shape;

use super::take::{self, Axis, Range, Take};
use crate::catalogue::OpDef;
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::plan::PlanContext;

pub(crate) const OPS: &[OpDef] =
    &[OpDef::tensor("aten.embedding.default", plan, reference).portable("aten::embedding.out")];

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let (table, indices) = (cx.tensor(0)?, cx.tensor(1)?);
    let rows = rows(&table.shape, &indices.shape)?;
    rows.range.check(cx, indices)?;
    take::plan(cx, table, indices, &rows)
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let (table, indices) = (cx.tensor(0)?, cx.tensor(1)?);
    let rows = rows(table.shape(), indices.shape())?;
    let indices = rows.range.resolve(&indices)?;
    take::evaluate(cx, &table, &indices, &rows)
}

fn rows(table: &Shape, indices: &Shape) -> Result<Take> {
    let &[limit, columns] = table.dims() else {
        return Err(OpError::Shape(format!("a table of {table} does not have rank 2")));
    };
    let steps = indices.strides();
    let own = indices.iter().zip(steps).map(|(&size, index_step)| Axis { size, step: 0, index_step });
    let axes: Vec<_> = own.chain([Axis { size: columns, step: 1, index_step: 0 }]).collect();
    let shape = Shape::from_sizes(axes.iter().map(|axis| axis.size as u64))?;
    Ok(Take { shape, axes, stride: columns, range: Range { limit, from_end: false } })
}
