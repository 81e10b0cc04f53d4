//! Reductions that the exporter never delegates: portable kernels on the host.

use pteron_tensor::{DType, HostTensor};

use super::fold::extremes;
use super::walk::{Reduction, flag};
use crate::catalogue::{Accuracy, OpDef};
use crate::error::Result;
use crate::eval::Eval;

pub(crate) const OPS: &[OpDef] = &[
    OpDef::host("aten::any.all_out", |cx| any(cx, false)),
    OpDef::host("aten::any.dims_out", |cx| any(cx, true)),
    OpDef::host("aten::any.out", |cx| any(cx, true)),
    OpDef::host("aten::max.dim_max", |cx| best_along(cx, false)),
    OpDef::host("aten::max.unary_out", |cx| best_of_all(cx, false)),
    OpDef::host("aten::mean.dtype_out", mean).accuracy(Accuracy::Accumulated),
    OpDef::host("aten::min.dim_min", |cx| best_along(cx, true)),
    OpDef::host("aten::min.unary_out", |cx| best_of_all(cx, true)),
    OpDef::host("aten::prod.int_out", |cx| product(cx, true)).accuracy(Accuracy::Accumulated),
    OpDef::host("aten::prod.out", |cx| product(cx, false)).accuracy(Accuracy::Accumulated),
    OpDef::host("aten::var.correction_out", |cx| {
        let correction = cx.opt_float(2)?.unwrap_or(1.0);
        variance(cx, correction)
    })
    .accuracy(Accuracy::Accumulated),
    OpDef::host("aten::var.out", |cx| {
        let unbiased = cx.is_null(2) || cx.bool(2)?;
        variance(cx, f64::from(u8::from(unbiased)))
    })
    .accuracy(Accuracy::Accumulated),
];

/// `dim` and `keepdim` from arguments 1 and 2, or every dimension.
fn reduction(cx: &Eval<'_>, input: &HostTensor, dims: bool) -> Result<Reduction> {
    if dims { Reduction::read(cx, input.shape()) } else { Reduction::new(input.shape(), &[], false) }
}

fn any(cx: &mut Eval<'_>, dims: bool) -> Result<()> {
    let input = cx.tensor(0)?;
    let reduction = reduction(cx, &input, dims)?;
    let found = reduction.map(&input.to_f64s(), |terms| terms.fold(0, |found, x| found | i64::from(x != 0.0)));
    cx.set(0, HostTensor::from_i64s(DType::Bool, reduction.output, found)?)
}

fn mean(cx: &mut Eval<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    let reduction = reduction(cx, &input, false)?;
    let means = reduction.map(&input.to_f64s(), |terms| terms.sum::<f64>() / reduction.reduced.count as f64);
    cx.set_f64s(reduction.output, means)
}

fn product(cx: &mut Eval<'_>, dims: bool) -> Result<()> {
    let input = cx.tensor(0)?;
    let reduction = reduction(cx, &input, dims)?;
    let dtype = cx.output_type(0)?;
    let products = if dtype.is_float() {
        HostTensor::from_f64s(dtype, reduction.output, reduction.map(&input.to_f64s(), |terms| terms.product::<f64>()))
    } else {
        let products = reduction.map(&input.to_i64s(), |terms| terms.fold(1, i64::wrapping_mul));
        HostTensor::from_i64s(dtype, reduction.output, products)
    };
    cx.set(0, products?)
}

fn variance(cx: &mut Eval<'_>, correction: f64) -> Result<()> {
    let input = cx.tensor(0)?;
    let dims = cx.opt_ints(1)?.unwrap_or_default();
    let reduction = Reduction::new(input.shape(), &dims, flag(cx, 3)?)?;
    let count = reduction.reduced.count as f64;
    let variances = reduction.map(&input.to_f64s(), |terms| {
        let terms: Vec<_> = terms.collect();
        let mean = terms.iter().sum::<f64>() / count;
        terms.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / (count - correction).max(0.0)
    });
    cx.set_f64s(reduction.output, variances)
}

fn best_of_all(cx: &mut Eval<'_>, least: bool) -> Result<()> {
    let input = cx.tensor(0)?;
    let reduction = reduction(cx, &input, false)?;
    reduction.check_choice(input.shape())?;
    let (values, _) = extremes(&input, &reduction, least)?;
    cx.set(0, values)
}

fn best_along(cx: &mut Eval<'_>, least: bool) -> Result<()> {
    let input = cx.tensor(0)?;
    let reduction = reduction(cx, &input, true)?;
    reduction.check_choice(input.shape())?;
    let (values, numbers) = extremes(&input, &reduction, least)?;
    cx.set(0, values)?;
    cx.set(1, HostTensor::from_i64s(DType::I64, reduction.output, numbers)?)
}
