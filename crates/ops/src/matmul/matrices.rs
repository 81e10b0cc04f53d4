//! `aten.mm`, `aten.bmm` and `aten.addmm`: products of two matrices, of batches of them, and with a bias; and
//! `pteron.batch_product`, of matrices for each index of any outer dimensions, where the right ones may come transposed.

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
    OpDef::tensor("pteron.batch_product.default", plan_batch, reference_batch).accuracy(Accuracy::Accumulated),
];

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let Call { operands, product, output } = Call::new(cx, cx.name())?;
    let output = cx.output(output)?;
    product.plan(cx, operands, output)
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let Call { operands, product, output } = Call::new(cx, cx.name())?;
    cx.set(0, product.reference(&operands, output, cx.clock())?)
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

fn plan_batch(cx: &mut PlanContext<'_>) -> Result<()> {
    let (left, right) = (cx.tensor(0)?, cx.tensor(1)?);
    let (product, output) = batch_product(&left.shape, &right.shape, cx.bool(2)?)?;
    let output = cx.output(output)?;
    product.plan(cx, Operands::plain(left, right, None), output)
}

fn reference_batch(cx: &mut Eval<'_>) -> Result<()> {
    let (left, right) = (cx.tensor(0)?, cx.tensor(1)?);
    let (product, output) = batch_product(left.shape(), right.shape(), cx.bool(2)?)?;
    cx.set(0, product.reference(&Operands::plain(left, right, None), output, cx.clock())?)
}

/// The products of matrices in the last two dimensions. Outer dimensions agree, or one side has a single matrix.
fn batch_product(left: &Shape, right: &Shape, transposed: bool) -> Result<(Product, Shape)> {
    let wrong = || OpError::Shape(format!("{left} and {right} are no operands of a product of matrices"));
    let (&[ref outer @ .., rows, depth], &[ref right_outer @ .., across, along]) = (&**left, &**right) else {
        return Err(wrong());
    };
    let (columns, right_depth) = if transposed { (across, along) } else { (along, across) };
    let count = |outer: &[usize]| outer.iter().product::<usize>();
    if depth != right_depth {
        return Err(wrong());
    }
    let all = Shape::new(outer)?.broadcast(&Shape::new(right_outer)?).ok_or_else(wrong)?;
    let mut product = Product { batch: all.numel(), ..Product::new(rows, columns, depth) };
    if !transposed {
        product.right = Operand::across(columns, depth);
    }
    for (operand, own) in [(&mut product.left, count(outer)), (&mut product.right, count(right_outer))] {
        *operand = match own {
            own if own == all.numel() => *operand,
            1 => operand.shared(),
            _ => return Err(OpError::Unsupported(format!("products of {left} and {right}, each repeated"))),
        };
    }
    let sizes: Vec<_> = all.iter().copied().chain([rows, columns]).collect();
    Ok((product, Shape::new(&sizes)?))
}
