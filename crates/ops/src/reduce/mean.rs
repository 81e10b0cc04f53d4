//! `aten::mean.out`: the mean over some dimensions.

use super::walk::Reduction;
use crate::catalogue::{Accuracy, OpDef};
use crate::error::Result;
use crate::eval::Eval;

pub(crate) const OPS: &[OpDef] = &[OpDef::host("aten::mean.out", reference).accuracy(Accuracy::Accumulated)];

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    let reduction = Reduction::new(cx, input.shape())?;
    let mut sums = reduction.fold(input.shape(), &input.to_f64s(), 0.0, |a, b| a + b);
    sums.iter_mut().for_each(|sum| *sum /= reduction.count as f64);
    cx.set_f64s(reduction.output, sums)
}
