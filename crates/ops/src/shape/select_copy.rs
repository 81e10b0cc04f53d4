//! `aten.select_copy.int`: one index of a dimension, which goes away.

use pteron_tensor::{MAX_RANK, Shape};

use super::strided::{self, Walk};
use crate::args::dim_of;
use crate::catalogue::OpDef;
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::plan::Plan;

pub(crate) const OPS: &[OpDef] =
    &[OpDef::tensor("aten.select_copy.int", plan, reference).portable("aten::select_copy.int_out")];

fn plan(cx: &mut Plan<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    let walk = walk(&input.shape, cx.int(1)?, cx.int(2)?)?;
    strided::plan(cx, input, &walk)
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    let walk = walk(input.shape(), cx.int(1)?, cx.int(2)?)?;
    strided::reference(cx, &input, &walk, &[])
}

fn walk(shape: &Shape, dim: i64, index: i64) -> Result<Walk> {
    if shape.rank() == 0 {
        return Err(OpError::Dim { dim, rank: 0 });
    }
    let dim = dim_of(shape, dim)?;
    let size = shape[dim];
    let from_start = if index < 0 { index.saturating_add_unsigned(size as u64) } else { index };
    let at = usize::try_from(from_start).ok().filter(|&at| at < size);
    let at = at.ok_or(OpError::Index { index, limit: size as u64 })?;

    let strides = shape.strides();
    let mut sizes = [0; MAX_RANK];
    let mut steps = [0; MAX_RANK];
    for (i, kept) in (0..shape.rank()).filter(|&d| d != dim).enumerate() {
        sizes[i] = shape[kept];
        steps[i] = strides[kept];
    }
    Ok(Walk { shape: Shape::new(&sizes[..shape.rank() - 1])?, offset: at * strides[dim], steps, start: None })
}
