//! `aten.permute_copy`: reorder dimensions.

use pteron_tensor::{MAX_RANK, Shape};

use super::strided::{self, Walk};
use crate::args::dim_of;
use crate::catalogue::OpDef;
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::plan::Plan;

pub(crate) const OPS: &[OpDef] = &[
    OpDef::tensor("aten.permute.default", plan, reference),
    OpDef::tensor("aten.permute_copy.default", plan, reference).portable("aten::permute_copy.out"),
];

fn plan(cx: &mut Plan<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    let walk = walk(&input.shape, &cx.ints(1)?)?;
    strided::plan(cx, input, &walk)
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    let walk = walk(input.shape(), &cx.ints(1)?)?;
    strided::reference(cx, &input, &walk, &[])
}

fn walk(shape: &Shape, order: &[i64]) -> Result<Walk> {
    let strides = shape.strides();
    let mut sizes = [0; MAX_RANK];
    let mut steps = [0; MAX_RANK];
    let mut seen = 0u32;
    if order.len() != shape.rank() {
        return Err(OpError::Shape(format!("{order:?} does not permute {} dimensions", shape.rank())));
    }
    for (i, &dim) in order.iter().enumerate() {
        let dim = dim_of(shape, dim)?;
        sizes[i] = shape[dim];
        steps[i] = strides[dim];
        seen |= 1 << dim;
    }
    if seen.count_ones() as usize != order.len() {
        return Err(OpError::Shape(format!("{order:?} names a dimension twice")));
    }
    Ok(Walk { shape: Shape::new(&sizes[..order.len()])?, offset: 0, steps, start: None })
}
