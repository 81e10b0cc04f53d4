//! `custom_sdpa`: attention of new queries over what caches hold already; and `custom_quantized_sdpa`, over caches of bytes
//! with a scale and a zero point for each row of a head, of queries that are rounded the same way.
//!
//! The position travels with the call, as for `sdpa_with_kv_cache`.

use pteron_tensor::{DType, HostTensor, Shape};

use super::flash::{self, Attention, Tensors};
use super::sdpa_with_kv_cache::attention;
use crate::args::{Args, Described};
use crate::catalogue::{Accuracy, OpDef};
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::plan::{PlanContext, Tensor};
use crate::quant::dequantize;
use crate::sym::RowRange;

const QUANTIZED: &str = "custom_quantized_sdpa.default";

pub(crate) const OPS: &[OpDef] = &[
    OpDef::tensor(QUANTIZED, plan_quantized, reference_quantized)
        .portable("llama::custom_quantized_sdpa.out")
        .accuracy(Accuracy::Accumulated),
    OpDef::tensor("custom_sdpa.default", plan, reference)
        .portable("llama::custom_sdpa.out")
        .accuracy(Accuracy::Accumulated),
];

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let (query, key, value) = (cx.tensor(0)?, cx.tensor(1)?, cx.tensor(2)?);
    let (range, attention) = read(cx)?;
    check_rows(cx, range)?;
    let output = cx.output(query.shape)?;
    let tensors = Tensors { query, key, value, mask: cx.opt_tensor(4)? };
    flash::plan(cx, &attention, tensors, output)
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let (query, key, value) = (cx.tensor(0)?, cx.tensor(1)?, cx.tensor(2)?);
    attend(cx, *query.shape(), [query.to_f64s(), key.to_f64s(), value.to_f64s()])
}

fn plan_quantized(cx: &mut PlanContext<'_>) -> Result<()> {
    let operands = quantized(cx)?;
    let (range, attention) = read(cx)?;
    check_rows(cx, range)?;
    let output = cx.output(operands[0].codes.shape)?;
    let mut floats = Vec::with_capacity(3);
    for Quantized { codes, scale, zero } in operands {
        let target: Tensor = cx.scratch(DType::F32, codes.shape)?;
        dequantize::rows(cx, codes, scale, zero, target)?;
        floats.push(target);
    }
    let tensors = Tensors { query: floats[0], key: floats[1], value: floats[2], mask: cx.opt_tensor(4)? };
    flash::plan(cx, &attention, tensors, output)
}

fn reference_quantized(cx: &mut Eval<'_>) -> Result<()> {
    let operands = quantized(cx)?;
    let shape = *operands[0].codes.shape();
    let floats = operands.map(|operand: Quantized<HostTensor>| {
        let width = operand.codes.shape().last().copied().unwrap_or(1).max(1);
        let (scales, zeros) = (operand.scale.to_f64s(), operand.zero.to_f64s());
        let codes = operand.codes.to_f64s().into_iter().enumerate();
        codes.map(|(index, code)| (code - zeros[index / width]) * scales[index / width]).collect::<Vec<f64>>()
    });
    attend(cx, shape, floats)
}

fn attend(cx: &mut Eval<'_>, shape: Shape, [query, key, value]: [Vec<f64>; 3]) -> Result<()> {
    let (range, attention) = read(cx)?;
    if cx.is_null(4) {
        range.eval(cx.syms())?;
    }
    let mask = cx.opt_tensor(4)?.map(|mask| mask.to_f64s());
    let output = flash::reference(&attention, Tensors { query, key, value, mask }, cx)?;
    cx.set_f64s(shape, output)
}

/// Asks that the rows lie within the cache. Where there is a mask, which tells the rows that count, the position may be
/// anywhere: a cache that is a ring is written over and over.
fn check_rows(cx: &mut PlanContext<'_>, range: RowRange) -> Result<()> {
    if cx.is_null(4) { cx.check_rows(range) } else { Ok(()) }
}

/// Reads `query, key, value, start, mask?, dropout, causal, scale?`: the rows that were written last, and the attention.
fn read<T: Described>(cx: &Args<'_, T>) -> Result<(RowRange, Attention)> {
    let (query, key, value) = (cx.tensor(0)?, cx.tensor(1)?, cx.tensor(2)?);
    let (&[_, rows, ..], &[_, limit, ..]) = (&**query.shape(), &**key.shape()) else {
        return Err(OpError::Shape(format!("queries {} and keys {} have rank 4", query.shape(), key.shape())));
    };
    let range = RowRange { what: "the cache", start: cx.int_arg(3)?, rows, limit };
    Ok((range, attention(cx, [&query, &key, &value], range, [4, 5, 6, 7])?))
}

/// Bytes, and a scale and a zero point for each row of a head.
struct Quantized<T> {
    codes: T,
    scale: T,
    zero: T,
}

/// Queries, keys and values with their scales and zero points.
fn quantized<T: Described>(cx: &Args<'_, T>) -> Result<[Quantized<T>; 3]> {
    if !cx.is_null(14) && cx.bool(14)? {
        return Err(OpError::Unsupported("caches with the heads outside the rows".to_owned()));
    }
    let operand = |index: usize| {
        let (codes, zero, scale) = (cx.tensor(index)?, cx.tensor(8 + 2 * index)?, cx.tensor(9 + 2 * index)?);
        let shape = codes.shape();
        let rows: usize = shape.iter().take(shape.rank().saturating_sub(1)).product();
        if codes.dtype() != DType::I8 || !zero.dtype().is_integer() || !scale.dtype().is_float() {
            return Err(OpError::DType { dtype: codes.dtype(), what: "quantized attention".to_owned() });
        }
        if scale.shape().numel() != rows || zero.shape().numel() != rows {
            return Err(OpError::Shape(format!("scales of {} do not fit {rows} rows", scale.shape())));
        }
        Ok(Quantized { codes, scale, zero })
    };
    Ok([operand(0)?, operand(1)?, operand(2)?])
}
