//! `pteron.round_rows`: floats rounded to 8 bits, row by row, with a scale and a zero point from each row's range.
//!
//! A row is so many of the innermost dimensions. The last argument is a [`Rounding`].

use pteron_tensor::{HostTensor, Shape};

use super::rounding::Rounding;
use super::weight::floats;
use crate::args::{Args, Described};
use crate::catalogue::{Accuracy, OpDef};
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::kernels::dynamic_rows;
use crate::plan::{PlanContext, Tensor, word};

pub(crate) const OPS: &[OpDef] =
    &[OpDef::tensor("pteron.round_rows.default", plan, reference).accuracy(Accuracy::Accumulated)];

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    let (rows, width) = rows(cx, &input)?;
    let rounding = cx.str(2)?.parse()?;
    let output = cx.output(input.shape)?;
    dispatch(cx, input, rows, width, rounding, output)
}

/// Rounds so many rows of this width.
pub(crate) fn dispatch(
    cx: &mut PlanContext<'_>,
    input: Tensor,
    rows: usize,
    width: usize,
    rounding: Rounding,
    output: Tensor,
) -> Result<()> {
    let params = dynamic_rows::Params { rows: word(rows), width: word(width), least_scale: rounding.least_scale() };
    let variant = dynamic_rows::Variant { t: input.dtype.try_into()? };
    let overrides = dynamic_rows::Overrides { wg_size: word(width.next_power_of_two().clamp(32, 256)) };
    cx.dispatch(dynamic_rows::Bind { input, output, params }, variant).overrides(overrides).rows(if width == 0 {
        0
    } else {
        rows
    })
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    let (_, width) = rows(cx, &input)?;
    let rounding: Rounding = cx.str(2)?.parse()?;
    let mut values = floats(&input).into_owned();
    values.chunks_mut(width.max(1)).for_each(|row| rounding.round(row));
    cx.set(0, HostTensor::from_f64s(input.dtype(), *input.shape(), values.into_iter().map(f64::from))?)
}

/// How many rows there are, and how long each is.
fn rows<T: Described>(cx: &Args<'_, T>, input: &T) -> Result<(usize, usize)> {
    let shape: &Shape = input.shape();
    if !input.dtype().is_float() {
        return Err(OpError::DType { dtype: input.dtype(), what: "a tensor to quantize".to_owned() });
    }
    let inner = usize::try_from(cx.int(1)?).ok().filter(|&inner| inner <= shape.rank());
    let inner = inner.ok_or_else(|| OpError::Shape(format!("{shape} has no rows of that many dimensions")))?;
    let (outer, inner) = shape.split_at(shape.rank() - inner);
    Ok((outer.iter().product(), inner.iter().product()))
}
