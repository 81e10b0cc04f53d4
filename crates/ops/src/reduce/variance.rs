//! `aten.var` and `aten.var_mean`: how far elements are from their mean.

use super::fold::{self, Fold, variances};
use super::walk::{Reduction, flag};
use crate::args::{Args, Described};
use crate::catalogue::{Accuracy, OpDef};
use crate::error::Result;
use crate::eval::Eval;
use crate::plan::PlanContext;

const UNBIASED: &str = "aten.var.dim";
const WITH_MEAN: &str = "aten.var_mean.correction";

pub(crate) const OPS: &[OpDef] = &[
    OpDef::tensor("aten.var.correction", plan, reference)
        .portable("aten::var.correction_out")
        .accuracy(Accuracy::Accumulated),
    OpDef::tensor(UNBIASED, plan, reference).portable("aten::var.out").accuracy(Accuracy::Accumulated),
    OpDef::tensor(WITH_MEAN, plan, reference).portable("aten::var_mean.correction_out").accuracy(Accuracy::Accumulated),
];

/// The correction of the count, and the dimensions. Arguments: input, dims, correction or whether it is 1, keepdim.
fn read<T: Described>(name: &str, cx: &Args<'_, T>) -> Result<(T, f64, Reduction)> {
    let input = cx.tensor(0)?;
    let correction = match name {
        UNBIASED => f64::from(u8::from(cx.is_null(2) || cx.bool(2)?)),
        _ => cx.opt_float(2)?.unwrap_or(1.0),
    };
    let reduction = Reduction::new(input.shape(), &cx.opt_ints(1)?.unwrap_or_default(), flag(cx, 3)?)?;
    Ok((input, correction, reduction))
}

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let (input, correction, reduction) = read(cx.name(), cx)?;
    let fold = Fold::Variance { correction };
    fold::check(fold, input.dtype, cx.output_type(0)?)?;
    let output = cx.output(reduction.output)?;
    fold::dispatch(cx, fold, &reduction, input, output)?;
    if cx.name() == WITH_MEAN {
        let mean = cx.output_at(1, reduction.output)?;
        fold::dispatch(cx, Fold::Mean, &reduction, input, mean)?;
    }
    Ok(())
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let (input, correction, reduction) = read(cx.name(), cx)?;
    let dtype = cx.output_type(0)?;
    fold::check(Fold::Variance { correction }, input.dtype(), dtype)?;
    let (variances, means) = variances(&input, &reduction, correction, dtype)?;
    cx.set(0, variances)?;
    if cx.name() == WITH_MEAN { cx.set(1, means) } else { Ok(()) }
}
