//! `pteron.q4_mlp`: gated linear layers with 4-bit weights and the layer that takes their output.
//!
//! [`Q4Mlp`](super::arguments::Q4Mlp) declares its arguments.

use pteron_tensor::{DType, HostTensor, Shape};

use super::arguments::{Q4Mlp, Q4MlpPositions};
use super::q4_linear::{self, Epilogue, Linear};
use super::q4_row::{self, ActivationForm};
use crate::args::{Args, Described};
use crate::catalogue::{Accuracy, OpDef};
use crate::error::Result;
use crate::eval::Eval;
use crate::plan::PlanContext;
use crate::quant::weight::{Code, Layer};

pub(crate) const OPS: &[OpDef] = &[OpDef::fused(Q4Mlp::NAME, plan, reference).accuracy(Accuracy::Accumulated)];

const AT: Q4MlpPositions = Q4MlpPositions::AT;

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let gated = gated(cx)?;
    let hidden = gated.shape(gated.widths[0])?;
    let hidden = cx.scratch(gated.layer.input.dtype, hidden)?;
    let down = down(cx, hidden)?;
    let output = cx.output(down.shape(down.widths[0])?)?;
    let outputs = q4_linear::outputs(cx, &down, vec![output])?;
    let by_row = q4_row::fits(&gated, cx.caps()) && q4_row::fits(&down, cx.caps());
    if let Some(vectors) = q4_row::handed_on(&gated, cx.caps()).filter(|_| by_row) {
        let digits = cx.scratch(DType::I32, Shape::new(&[vectors, 4])?)?;
        let mut between = q4_linear::outputs(cx, &gated, vec![hidden])?;
        between.tensors[0] = digits;
        q4_row::plan(cx, gated, between, ActivationForm::ToDigits)?;
        return q4_row::plan(cx, down, outputs, ActivationForm::FromDigits(digits));
    }
    let between = q4_linear::outputs(cx, &gated, vec![hidden])?;
    q4_linear::dispatch(cx, gated, between)?;
    q4_linear::dispatch(cx, down, outputs)
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let gated = gated(cx)?;
    let hidden = q4_linear::evaluate(&gated, cx.clock())?;
    let hidden = HostTensor::from_f64s(DType::F32, gated.shape(gated.widths[0])?, hidden)?;
    let down = down(cx, hidden.cast(gated.layer.input.dtype()))?;
    let (shape, values) = (down.shape(down.widths[0])?, q4_linear::evaluate(&down, cx.clock())?);
    cx.set_f64s(shape, values)
}

fn gated<T: Described>(cx: &Args<'_, T>) -> Result<Linear<T>> {
    let input = cx.tensor(AT.input)?;
    let norm = q4_linear::norm(cx, &input, AT.norm, AT.epsilon)?;
    let codes = [cx.tensor(AT.weight)?, cx.tensor(AT.scales)?];
    let layer = Layer::new(Code::LowNibbleFirst, input, codes, Some(cx.int(AT.group_size)?), None)?;
    let widths = vec![layer.sizes.columns / 2];
    Linear::new(layer, norm, Epilogue::Swiglu, widths)
}

fn down<T: Described>(cx: &Args<'_, T>, hidden: T) -> Result<Linear<T>> {
    let codes = [cx.tensor(AT.down_weight)?, cx.tensor(AT.down_scales)?];
    let layer = Layer::new(Code::LowNibbleFirst, hidden, codes, Some(cx.int(AT.down_group_size)?), None)?;
    let widths = vec![layer.sizes.columns];
    Linear::new(layer, None, cx.opt_tensor(AT.addend)?.map_or(Epilogue::Plain, Epilogue::Add), widths)
}
