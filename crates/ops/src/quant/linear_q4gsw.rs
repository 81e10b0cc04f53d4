//! `et_vk.linear_q4gsw`: a linear layer with a 4-bit weight and one scale per group of inputs.

use super::weight::{Code, Layer, floats};
use crate::args::{Args, Described};
use crate::catalogue::{Accuracy, OpDef};
use crate::error::Result;
use crate::eval::Eval;
use crate::plan::PlanContext;

pub(crate) const OPS: &[OpDef] =
    &[OpDef::tensor("et_vk.linear_q4gsw.default", plan, reference).accuracy(Accuracy::Accumulated).typed_like(0)];

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let layer = layer(cx)?;
    let output = cx.output(layer.output)?;
    layer.dispatch(cx, output)
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let layer = layer(cx)?;
    layer.evaluate(cx, &floats(&layer.input))
}

fn layer<T: Described>(cx: &Args<'_, T>) -> Result<Layer<T>> {
    let weight = [cx.tensor(1)?, cx.tensor(2)?];
    Layer::new(Code::LowNibbleFirst, cx.tensor(0)?, weight, Some(cx.int(3)?), cx.opt_tensor(4)?)
}
