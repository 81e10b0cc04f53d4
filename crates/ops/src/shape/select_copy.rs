//! `aten.select_copy.int`: one index of a dimension, which goes away.

use pteron_tensor::Shape;

use super::strided::{self, Walk, Walks};
use crate::args::{Args, Described, dim_of};
use crate::catalogue::OpDef;
use crate::error::{OpError, Result};

pub(crate) const OPS: &[OpDef] =
    &[OpDef::tensor("aten.select_copy.int", strided::plan::<Select>, strided::reference::<Select>)
        .portable("aten::select_copy.int_out")];

struct Select;

impl Walks for Select {
    fn walk<T: Described>(cx: &Args<'_, T>, input: &Shape) -> Result<Walk> {
        named(cx, input, 1)
    }
}

/// The walk that is given by two arguments: dimension and index.
fn named<T: Described>(cx: &Args<'_, T>, input: &Shape, arg: usize) -> Result<Walk> {
    let (dim, at) = place(cx, input, arg)?;
    selected(input, dim, at)
}

/// The dimension that an argument names, and the index that the next one does, counted from the start.
pub(super) fn place<T: Described>(cx: &Args<'_, T>, input: &Shape, arg: usize) -> Result<(usize, usize)> {
    let (dim, index) = (cx.int(arg)?, cx.int(arg + 1)?);
    if input.rank() == 0 {
        return Err(OpError::Dim { dim, rank: 0 });
    }
    let dim = dim_of(input, dim)?;
    let size = input[dim];
    let from_start = if index < 0 { index.saturating_add_unsigned(size as u64) } else { index };
    let at = usize::try_from(from_start).ok().filter(|&at| at < size);
    Ok((dim, at.ok_or(OpError::Index { index, limit: size as u64 })?))
}

/// The walk over what has index `at` in `dim`.
pub(super) fn selected(input: &Shape, dim: usize, at: usize) -> Result<Walk> {
    let (mut sizes, mut steps) = (input.to_vec(), strided::steps(input));
    sizes.remove(dim);
    let step = steps.remove(dim);
    Ok(Walk::new(Shape::new(&sizes)?, steps).from(at * step.unsigned_abs()))
}
