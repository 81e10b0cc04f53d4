//! `aten::copy_`: writes a mutated value back into a program's tensor.

use super::strided::{self, Walk};
use crate::broadcast;
use crate::catalogue::OpDef;
use crate::error::{OpError, Result};
use crate::eval::Eval;

pub(crate) const OPS: &[OpDef] = &[OpDef::host("aten::copy_", reference)];

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let (target, source) = (cx.tensor(0)?, cx.tensor(1)?);
    if target.shape().broadcast(source.shape()) != Some(*target.shape()) {
        return Err(OpError::Shape(format!("{} cannot be copied into {}", source.shape(), target.shape())));
    }
    let steps = broadcast::strides(source.shape(), target.shape());
    let walk = Walk::new(*target.shape(), steps.map(usize::cast_signed));
    strided::evaluate_output(cx, 0, &source.cast(cx.output_type(0)?), &walk)
}
