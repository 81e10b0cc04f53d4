//! `aten.linear` and `et_vk.linear_dW`: rows times a weight, and the gradient of that weight.

use pteron_tensor::Shape;

use super::product::{Operand, Operands, Product};
use crate::catalogue::{Accuracy, OpDef};
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::plan::PlanContext;

pub(crate) const OPS: &[OpDef] = &[
    OpDef::tensor("aten.linear.default", plan, reference).portable("aten::linear.out").accuracy(Accuracy::Accumulated),
    OpDef::tensor("et_vk.linear_dW.default", plan_gradient, reference_gradient).accuracy(Accuracy::Accumulated),
];

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let (input, weight, bias) = (cx.tensor(0)?, cx.tensor(1)?, cx.opt_tensor(2)?);
    let (product, shape) = linear(&input.shape, &weight.shape, false, bias.as_ref().map(|bias| &bias.shape))?;
    let output = cx.output(shape)?;
    product.plan(cx, Operands::plain(input, weight, bias), output)
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let (input, weight, bias) = (cx.tensor(0)?, cx.tensor(1)?, cx.opt_tensor(2)?);
    let (product, shape) = linear(input.shape(), weight.shape(), false, bias.as_ref().map(|bias| bias.shape()))?;
    cx.set(0, product.reference(&Operands::plain(input, weight, bias), shape, cx.clock())?)
}

/// The product `input · weightᵀ + bias`, or `input · weight + bias` where the columns of the weight lie across, and the shape
/// of its result.
pub(crate) fn linear(input: &Shape, weight: &Shape, across: bool, bias: Option<&Shape>) -> Result<(Product, Shape)> {
    let wrong = || OpError::Shape(format!("a weight of {weight} does not fit an input of {input}"));
    let (Some((&depth, outer)), &[first, second]) = (input.split_last(), &**weight) else { return Err(wrong()) };
    let (columns, weight_depth) = if across { (second, first) } else { (first, second) };
    if depth != weight_depth {
        return Err(wrong());
    }
    let mut product = Product::new(outer.iter().product(), columns, depth);
    if across {
        product.right = Operand::across(columns, depth);
    }
    let product = bias.map_or(Ok(product), |bias| product.with_bias(bias))?;
    Ok((product, input.with(input.rank() - 1, columns)?))
}

fn plan_gradient(cx: &mut PlanContext<'_>) -> Result<()> {
    let (gradient, input) = (cx.tensor(0)?, cx.tensor(1)?);
    let (product, shape) = weight_gradient(&gradient.shape, &input.shape)?;
    let output = cx.output(shape)?;
    product.plan(cx, Operands::plain(gradient, input, None), output)
}

fn reference_gradient(cx: &mut Eval<'_>) -> Result<()> {
    let (gradient, input) = (cx.tensor(0)?, cx.tensor(1)?);
    let (product, shape) = weight_gradient(gradient.shape(), input.shape())?;
    cx.set(0, product.reference(&Operands::plain(gradient, input, None), shape, cx.clock())?)
}

/// The product `gradientᵀ · input` over all rows, and the shape of its result.
fn weight_gradient(gradient: &Shape, input: &Shape) -> Result<(Product, Shape)> {
    let wrong = || OpError::Shape(format!("a gradient of {gradient} does not fit an input of {input}"));
    let (Some((&rows, outer)), Some((&columns, input_outer))) = (gradient.split_last(), input.split_last()) else {
        return Err(wrong());
    };
    let depth: usize = outer.iter().product();
    if depth != input_outer.iter().product::<usize>() {
        return Err(wrong());
    }
    let (left, right) = (Operand::across(rows, depth), Operand::across(columns, depth));
    Ok((Product { left, right, ..Product::new(rows, columns, depth) }, Shape::new(&[rows, columns])?))
}
