//! `pteron.convolution`: a convolution with what follows it.
//!
//! [`Arguments`] declares its arguments.

use super::arguments::{Convolution as Arguments, ConvolutionPositions};
use crate::args::{Args, Described};
use crate::catalogue::{Accuracy, OpDef};
use crate::conv::convolution::Convolution;
use crate::conv::geometry::WeightForm;
use crate::error::Result;
use crate::eval::Eval;
use crate::matmul::epilogue::Epilogue;
use crate::plan::PlanContext;

pub(crate) const OPS: &[OpDef] = &[OpDef::fused(Arguments::NAME, plan, reference).accuracy(Accuracy::Accumulated)];

const AT: ConvolutionPositions = ConvolutionPositions::AT;

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    read(cx)?.plan(cx)
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    read(cx)?.reference(cx)
}

fn read<T: Described>(cx: &Args<'_, T>) -> Result<Convolution<T>> {
    let form = match cx.ints(AT.arranged)?.first() {
        Some(&channels) => WeightForm::Arranged { in_group: usize::try_from(channels).unwrap_or(0) },
        None => WeightForm::Plain,
    };
    Convolution::read(cx, form, cx.opt_tensor(AT.scale)?, Epilogue::read(cx, AT.first)?)
}
