//! Linear layers with one scale per output: `et_vk.linear_qcs4w` with a 4-bit weight, `aten._weight_int8pack_mm` with an
//! 8-bit one, and `pteron.linear_q8csw` with an 8-bit one and a bias.

use super::weight::{Code, Layer, floats};
use crate::args::{Args, Described};
use crate::catalogue::{Accuracy, OpDef};
use crate::error::Result;
use crate::eval::Eval;
use crate::plan::PlanContext;

const INT8: &str = "aten._weight_int8pack_mm.default";
const WITH_BIAS: &str = "pteron.linear_q8csw.default";

pub(crate) const OPS: &[OpDef] = &[
    OpDef::tensor(INT8, plan, reference).portable("aten::_weight_int8pack_mm.out").accuracy(Accuracy::Accumulated),
    OpDef::tensor("et_vk.linear_qcs4w.default", plan, reference).accuracy(Accuracy::Accumulated),
    OpDef::tensor(WITH_BIAS, plan, reference).accuracy(Accuracy::Accumulated),
];

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let layer = layer(cx, cx.name())?;
    let output = cx.output(layer.output)?;
    layer.dispatch(cx, output)
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let layer = layer(cx, cx.name())?;
    layer.evaluate(cx, &floats(&layer.input))
}

fn layer<T: Described>(cx: &Args<'_, T>, name: &str) -> Result<Layer<T>> {
    let code = if name == INT8 || name == WITH_BIAS { Code::Byte } else { Code::HighNibbleFirst };
    let bias = if name == WITH_BIAS { cx.opt_tensor(3)? } else { None };
    Layer::new(code, cx.tensor(0)?, [cx.tensor(1)?, cx.tensor(2)?], None, bias)
}
