//! `aten.split_with_sizes_copy`, `split_copy`, `chunk`, `unbind_copy`: a tensor in pieces along a dimension.

use pteron_tensor::Shape;

use super::select_copy::selected;
use super::strided::{self, Walk};
use crate::args::{Args, Described, dim_of};
use crate::catalogue::OpDef;
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::plan::PlanContext;

pub(crate) const OPS: &[OpDef] = &[
    OpDef::tensor("aten.chunk.default", plan, reference),
    OpDef::tensor("aten.split_copy.Tensor", plan, reference).portable("aten::split_copy.Tensor_out"),
    OpDef::tensor("aten.split_with_sizes_copy.default", plan, reference).portable("aten::split_with_sizes_copy.out"),
    OpDef::tensor("aten.unbind_copy.int", plan, reference).portable("aten::unbind_copy.int_out"),
];

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    let last = |last| cx.output_type(last).map(|_| ());
    for (index, walk) in pieces(cx.name(), cx, &input.shape, last)?.iter().enumerate() {
        strided::plan_output(cx, index, input, walk)?;
    }
    Ok(())
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    let last = |last| cx.output_type(last).map(|_| ());
    for (index, walk) in pieces(cx.name(), cx, input.shape(), last)?.iter().enumerate() {
        strided::evaluate_output(cx, index, &input, walk)?;
    }
    Ok(())
}

/// One walk for each output of the operator `name`. `last` refuses the number of the last where the program has no such output:
/// a tensor without elements may have any number of pieces.
fn pieces<T: Described>(
    name: &str,
    cx: &Args<'_, T>,
    input: &Shape,
    last: impl Fn(usize) -> Result<()>,
) -> Result<Vec<Walk>> {
    let unbind = name == "aten.unbind_copy.int";
    let dim = cx.int_or(if unbind { 1 } else { 2 }, 0)?;
    if input.rank() == 0 {
        return Err(OpError::Dim { dim, rank: 0 });
    }
    let dim = dim_of(input, dim)?;
    let length = input[dim];
    let even = |size: usize| {
        last(length.div_ceil(size.max(1)).saturating_sub(1))?;
        Ok::<_, OpError>(even(length, size))
    };
    if unbind {
        // An empty dimension is no piece.
        length.checked_sub(1).map(&last).transpose()?;
        return (0..length).map(|at| selected(input, dim, at)).collect();
    }
    let sizes = match name {
        "aten.split_with_sizes_copy.default" => cx.ints(1)?.iter().map(|&size| usize::try_from(size).ok()).collect(),
        "aten.chunk.default" => {
            let count = usize::try_from(cx.int(1)?).ok().filter(|&count| count > 0);
            count.map(|count| even(length.div_ceil(count))).transpose()?
        }
        _ => usize::try_from(cx.int(1)?).ok().map(even).transpose()?,
    };
    let whole = |sizes: &Vec<usize>| sizes.iter().try_fold(0usize, |sum, &size| sum.checked_add(size)) == Some(length);
    let Some(sizes) = sizes.filter(whole) else {
        return Err(OpError::Shape(format!("{length} elements of a dimension do not split into the pieces asked for")));
    };
    let steps = strided::steps(input);
    let mut first = 0;
    let piece = |size: usize| {
        let offset = first * steps[dim].unsigned_abs();
        first += size;
        Ok(Walk::new(input.with(dim, size)?, steps.iter().copied()).from(offset))
    };
    sizes.into_iter().map(piece).collect()
}

/// Pieces of one size; the last takes what is left. An empty dimension is one empty piece.
fn even(length: usize, size: usize) -> Vec<usize> {
    if length == 0 || size == 0 {
        return vec![0];
    }
    (0..length).step_by(size).map(|first| size.min(length - first)).collect()
}
