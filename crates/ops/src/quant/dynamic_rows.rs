//! `pteron.round_rows`: floats rounded to 8 bits, row by row, with a scale and a zero point from each row's range.
//!
//! The result is what the integers stand for, (q − z) / s, as floats: a layer on them adds the same products as one on
//! the integers. A row is so many of the innermost dimensions.

use pteron_tensor::{HostTensor, Shape};

use super::blocks::to_step;
use super::q8ta::BYTE;
use super::weight::floats;
use crate::args::{Args, Described};
use crate::catalogue::{Accuracy, OpDef};
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::kernels::dynamic_rows;
use crate::plan::{PlanContext, word};

pub(crate) const OPS: &[OpDef] =
    &[OpDef::tensor("pteron.round_rows.default", plan, reference).accuracy(Accuracy::Accumulated)];

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    let (rows, width) = rows(cx, &input)?;
    let output = cx.output(input.shape)?;
    let params = dynamic_rows::Params { rows: word(rows), width: word(width) };
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
    let mut values = floats(&input).into_owned();
    values.chunks_mut(width.max(1)).for_each(round);
    cx.set(0, HostTensor::from_f64s(input.dtype(), *input.shape(), values.into_iter().map(f64::from))?)
}

/// Rounds a row as XNNPACK does.
fn round(row: &mut [f32]) {
    // Zero is always within the range.
    let (low, high) = row.iter().fold((0.0f32, 0.0f32), |(low, high), &x| (low.min(x), high.max(x)));
    let steps = if low == high { 1.0 } else { 255.0 / (high - low) };
    let (least, greatest) = (low * steps, high * steps);
    let zero = if (-128.0 + least) + (127.0 + greatest) > 0.0 { -128.0 - least } else { 127.0 - greatest };
    let zero = zero.clamp(-128.0, 127.0).round_ties_even();
    let step = 1.0 / steps;
    for x in row {
        *x = (to_step((*x * steps).round_ties_even() + zero, BYTE) as f32 - zero) * step;
    }
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
