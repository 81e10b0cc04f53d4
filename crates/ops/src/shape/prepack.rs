//! `et_vk.prepack`: a constant, made available to the graph. Constants are on the device already.

use crate::catalogue::OpDef;
use crate::error::Result;
use crate::eval::Eval;
use crate::plan::PlanContext;

pub(crate) const OPS: &[OpDef] = &[OpDef::tensor("et_vk.prepack.default", plan, reference)];

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    cx.alias(0, input, input.shape)
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    cx.set(0, input)
}
