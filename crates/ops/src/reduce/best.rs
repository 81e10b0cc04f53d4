//! `aten.max.dim` and `aten.min.dim`: the best elements of a dimension, and where they are.

use pteron_tensor::{DType, HostTensor};

use super::fold::{self, Fold, extremes};
use super::walk::Reduction;
use crate::args::{Args, Described};
use crate::catalogue::OpDef;
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::plan::PlanContext;

const LEAST: &str = "aten.min.dim";

pub(crate) const OPS: &[OpDef] = &[
    OpDef::tensor("aten.max.dim", plan, reference).portable("aten::max.dim_max"),
    OpDef::tensor(LEAST, plan, reference).portable("aten::min.dim_min"),
];

fn read<T: Described>(cx: &Args<'_, T>, types: [DType; 2]) -> Result<(T, Reduction)> {
    let input = cx.tensor(0)?;
    fold::check(Fold::Max, input.dtype(), types[0])?;
    fold::check(Fold::ArgMax, input.dtype(), types[1])?;
    if cx.is_null(1) {
        return Err(OpError::Shape("the best of a dimension that is not named".to_owned()));
    }
    let reduction = Reduction::read(cx, input.shape())?;
    reduction.check_choice(input.shape())?;
    Ok((input, reduction))
}

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let (input, reduction) = read(cx, [cx.output_type(0)?, cx.output_type(1)?])?;
    let least = cx.name() == LEAST;
    let (best, place) = if least { (Fold::Min, Fold::ArgMin) } else { (Fold::Max, Fold::ArgMax) };
    let (values, places) = (cx.output_at(0, reduction.output)?, cx.output_at(1, reduction.output)?);
    fold::dispatch(cx, best, &reduction, input, values)?;
    fold::dispatch(cx, place, &reduction, input, places)
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let (input, reduction) = read(cx, [cx.output_type(0)?, cx.output_type(1)?])?;
    let (values, numbers) = extremes(&input, &reduction, cx.name() == LEAST)?;
    cx.set(0, values)?;
    cx.set(1, HostTensor::from_i64s(DType::I64, reduction.output, numbers)?)
}
