//! `pteron.linear`: a linear layer or a product of matrices with what follows it.
//!
//! [`Linear`] declares its arguments.

use pteron_tensor::Shape;

use super::arguments::{Linear, LinearPositions};
use crate::args::{Args, Described};
use crate::catalogue::{Accuracy, OpDef};
use crate::error::Result;
use crate::eval::Eval;
use crate::matmul::epilogue::Epilogue;
use crate::matmul::linear::linear;
use crate::matmul::product::{Operands, Product};
use crate::plan::PlanContext;

pub(crate) const OPS: &[OpDef] = &[OpDef::fused(Linear::NAME, plan, reference).accuracy(Accuracy::Accumulated)];

const AT: LinearPositions = LinearPositions::AT;

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let (product, operands, shape) = read(cx)?;
    let output = cx.output(shape)?;
    product.plan(cx, operands, output)
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let (product, operands, shape) = read(cx)?;
    cx.set(0, product.reference(&operands, shape, cx.clock())?)
}

/// The product, its operands and the shape of the result, from the arguments.
pub(super) fn read<T: Described>(cx: &Args<'_, T>) -> Result<(Product, Operands<T>, Shape)> {
    let (left, right, bias) = (cx.tensor(AT.input)?, cx.tensor(AT.weight)?, cx.opt_tensor(AT.bias)?);
    let across = cx.bool(AT.across)?;
    let (product, shape) = linear(left.shape(), right.shape(), across, bias.as_ref().map(T::shape))?;
    Ok((product, Operands { left, right, bias, scale: None, epilogue: Epilogue::read(cx, AT.first)? }, shape))
}
