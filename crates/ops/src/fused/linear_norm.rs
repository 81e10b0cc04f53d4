//! `pteron.linear_norm`: a linear layer or a product of matrices with what follows it, and the norm of its rows.
//!
//! [`LinearNorm`] declares its arguments. The outputs are the result and its norm.

use super::arguments::{LinearNorm, LinearNormPositions};
use super::linear::read;
use crate::args::{Args, Described};
use crate::catalogue::{Accuracy, OpDef};
use crate::error::Result;
use crate::eval::Eval;
use crate::matmul::row_norm::RowNorm;
use crate::plan::PlanContext;

pub(crate) const OPS: &[OpDef] = &[OpDef::fused(LinearNorm::NAME, plan, reference).accuracy(Accuracy::Accumulated)];

const AT: LinearNormPositions = LinearNormPositions::AT;

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let (product, operands, shape) = read(cx)?;
    let norm = norm(cx)?;
    let outputs = [cx.output_at(0, shape)?, cx.output_at(1, shape)?];
    norm.plan(cx, &product, operands, outputs)
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let (product, operands, shape) = read(cx)?;
    let sums = product.reference(&operands, shape, cx.clock())?;
    let normalized = norm(cx)?.reference(&sums, product.columns)?;
    cx.set(0, sums)?;
    cx.set(1, pteron_tensor::HostTensor::from_f64s(cx.output_type(1)?, shape, normalized)?)
}

fn norm<T: Described>(cx: &Args<'_, T>) -> Result<RowNorm<T>> {
    Ok(RowNorm {
        scale: cx.opt_tensor(AT.scale)?,
        shift: cx.opt_tensor(AT.shift)?,
        epsilon: cx.float(AT.epsilon)?,
        centered: cx.bool(AT.centered)?,
        keeps: cx.bool(AT.keeps)?,
    })
}
