//! `aten.mm`, `aten.bmm` and `aten.addmm`: products of two matrices, of batches of them, and with a bias.

use pteron_tensor::Shape;

use super::epilogue::Affine;
use super::product::{Operand, Operands, Product};
use crate::args::{Args, Described};
use crate::catalogue::{Accuracy, OpDef};
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::plan::PlanContext;

pub(crate) const OPS: &[OpDef] = &[
    OpDef::tensor("aten.addmm.default", plan, reference).portable("aten::addmm.out").accuracy(Accuracy::Accumulated),
    OpDef::tensor("aten.bmm.default", plan, reference).portable("aten::bmm.out").accuracy(Accuracy::Accumulated),
    OpDef::tensor("aten.mm.default", plan, reference).portable("aten::mm.out").accuracy(Accuracy::Accumulated),
];

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let Call { operands, product, output } = Call::new(cx, cx.name())?;
    let output = cx.output(output)?;
    product.plan(cx, operands, output)
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let Call { operands, product, output } = Call::new(cx, cx.name())?;
    cx.set(0, product.reference(&operands, output)?)
}

struct Call<T> {
    operands: Operands<T>,
    product: Product,
    output: Shape,
}

impl<T: Described> Call<T> {
    /// Reads `bias, left, right, beta, alpha` for `aten.addmm`, else `left, right`.
    fn new(cx: &Args<'_, T>, name: &str) -> Result<Call<T>> {
        let has_bias = name == "aten.addmm.default";
        let first = usize::from(has_bias);
        let bias = if has_bias { Some(cx.tensor(0)?) } else { None };
        let (left, right) = (cx.tensor(first)?, cx.tensor(first + 1)?);
        let (product, output) = product(left.shape(), right.shape(), if name == "aten.bmm.default" { 3 } else { 2 })?;
        let product = match &bias {
            None => product,
            Some(bias) => {
                let (beta, alpha) = (cx.opt_float(3)?.unwrap_or(1.0), cx.opt_float(4)?.unwrap_or(1.0));
                let product = product.with_bias(bias.shape())?;
                Product { affine: Affine { beta, alpha, ..product.affine }, ..product }
            }
        };
        Ok(Call { operands: Operands::plain(left, right, bias), product, output })
    }
}

/// The product of two row-major matrices, or batches of them, of this rank.
fn product(left: &Shape, right: &Shape, rank: usize) -> Result<(Product, Shape)> {
    let wrong = || OpError::Shape(format!("{left} and {right} are no operands of a product of rank {rank}"));
    if left.rank() != rank || right.rank() != rank {
        return Err(wrong());
    }
    let (&[ref batch @ .., rows, depth], &[ref right_batch @ .., right_depth, columns]) = (&**left, &**right) else {
        return Err(wrong());
    };
    if batch != right_batch || depth != right_depth {
        return Err(wrong());
    }
    let product = Product {
        batch: batch.iter().product(),
        right: Operand::across(columns, depth),
        ..Product::new(rows, columns, depth)
    };
    Ok((product, left.with(rank - 1, columns)?))
}
