//! `pteron.q4_attention`: `pteron.rope_attention` and the linear layer with a 4-bit weight that reads the rows of all heads.
//!
//! [`Q4Attention`] declares its arguments; those of `pteron.rope_attention` come first. Where attention comes in parts, the layer
//! brings them together.

use pteron_tensor::{HostTensor, Shape};

use super::arguments::{Q4Attention, Q4AttentionPositions, RopeAttentionPositions};
use super::q4_linear::{self, Epilogue, Linear};
use super::q4_row_of_parts;
use crate::args::{Args, Described};
use crate::attention::rope_attention;
use crate::catalogue::{Accuracy, OpDef};
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::plan::{PlanContext, Tensor};
use crate::quant::weight::{Code, Layer};

pub(crate) const OPS: &[OpDef] =
    &[OpDef::fused(Q4Attention::NAME, plan, reference).accuracy(Accuracy::Accumulated).writes(&[3, 4])];

const AT: Q4AttentionPositions = Q4AttentionPositions::AT;
// `rope_attention` reads its own arguments, where they stand for it.
const _: () = {
    const ITS: RopeAttentionPositions = RopeAttentionPositions::AT;
    assert!(AT.query == ITS.query && AT.end_row == ITS.end_row && AT.weight == ITS.end_row + 1);
};

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let query = cx.tensor(AT.query)?;
    // Only its shape and type are looked at until it is known whether anything is in it.
    let linear = layer(cx, Tensor { shape: rows(&query.shape)?, ..query })?;
    let output = cx.output(linear.shape(linear.widths[0])?)?;
    let most = q4_row_of_parts::most_parts(&linear, cx.caps());
    let step = rope_attention::Step::read(cx)?;
    if let Some(partial) = step.attend_in_parts(cx, most)? {
        return q4_row_of_parts::plan(cx, linear, partial, output);
    }
    let attended = cx.scratch(query.dtype, query.shape)?;
    step.attend(cx, attended)?;
    let linear = layer(cx, Tensor { shape: rows(&query.shape)?, ..attended })?;
    let outputs = q4_linear::outputs(cx, &linear, vec![output])?;
    q4_linear::dispatch(cx, linear, outputs)
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let query = cx.tensor(AT.query)?;
    let attended = rope_attention::attended(cx)?;
    let linear = layer(cx, HostTensor::from_f64s(query.dtype(), rows(query.shape())?, attended)?)?;
    let (shape, values) = (linear.shape(linear.widths[0])?, q4_linear::evaluate(&linear, cx.clock())?);
    cx.set_f64s(shape, values)
}

/// The shape of queries `[batch, rows, heads, depth]` with all heads in a row.
fn rows(queries: &Shape) -> Result<Shape> {
    let &[batch, rows, heads, depth] = &**queries else {
        return Err(OpError::Shape(format!("queries {queries} have rank 4")));
    };
    Ok(Shape::new(&[batch, rows, heads.saturating_mul(depth)])?)
}

/// The layer that reads these rows.
fn layer<T: Described>(cx: &Args<'_, T>, rows: T) -> Result<Linear<T>> {
    let codes = [cx.tensor(AT.weight)?, cx.tensor(AT.scales)?];
    let layer = Layer::new(Code::LowNibbleFirst, rows, codes, Some(cx.int(AT.group_size)?), None)?;
    let widths = vec![layer.sizes.columns];
    Linear::new(layer, None, cx.opt_tensor(AT.addend)?.map_or(Epilogue::Plain, Epilogue::Add), widths)
}
