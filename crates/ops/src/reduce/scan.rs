//! `aten.cumsum` and `aten.cumprod`: sums and products of everything up to an element of a line.

use pteron_tensor::{HostTensor, Shape};

use super::walk::Reduction;
use crate::args::{Args, Described, dim_of};
use crate::catalogue::{Accuracy, OpDef};
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::kernels::scan;
use crate::plan::{PlanContext, is_byte, word};
use crate::pointwise::copy;
use crate::pointwise::number::Operand;

const PRODUCT: &str = "aten.cumprod.default";

pub(crate) const OPS: &[OpDef] = &[
    OpDef::tensor(PRODUCT, plan, reference).portable("aten::cumprod.out").accuracy(Accuracy::Accumulated),
    OpDef::tensor("aten.cumsum.default", plan, reference).portable("aten::cumsum.out").accuracy(Accuracy::Accumulated),
];

/// The length of a line, and the distance between its elements.
fn line(shape: &Shape, dim: i64) -> Result<(usize, usize)> {
    let dim = dim_of(shape, dim)?;
    Ok((shape.get(dim).copied().unwrap_or(1), shape.strides()[dim].max(1)))
}

fn input<T: Described>(cx: &Args<'_, T>, output: pteron_tensor::DType) -> Result<T> {
    let input = cx.tensor(0)?;
    if input.dtype().is_float() && !output.is_float() {
        return Err(OpError::DType { dtype: output, what: format!("what {} adds up to", input.dtype()) });
    }
    Ok(input)
}

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let dtype = cx.output_type(0)?;
    let input = input(cx, dtype)?;
    let (count, stride) = line(&input.shape, cx.int(1)?)?;
    let output = cx.output(input.shape)?;
    let result = if is_byte(dtype) { cx.scratch(pteron_tensor::DType::I32, input.shape)? } else { output };
    let input = Operand::Tensor(input).place(cx, result.dtype)?;
    let rows = output.numel().checked_div(count).unwrap_or(0);
    let params = scan::Params { rows: word(rows), count: word(count), stride: word(stride) };
    let variant = scan::Variant { t: result.dtype.try_into()?, product: cx.name() == PRODUCT };
    let overrides = scan::Overrides { wg_size: if count > 64 { 256 } else { 64 } };
    cx.dispatch(scan::Bind { input, output: result, params }, variant).overrides(overrides).rows(rows)?;
    if is_byte(dtype) { copy::dispatch(cx, result, output) } else { Ok(()) }
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let dtype = cx.output_type(0)?;
    let input = input(cx, dtype)?;
    let lines = Reduction::new(input.shape(), &[cx.int(1)?], false)?;
    let product = cx.name() == PRODUCT;
    let result = if dtype.is_float() {
        let step = if product { |a: f64, b| a * b } else { |a: f64, b| a + b };
        HostTensor::from_f64s(dtype, *input.shape(), running(&lines, input.to_f64s(), step))?
    } else {
        let step = if product { i64::wrapping_mul } else { i64::wrapping_add };
        HostTensor::from_i64s(dtype, *input.shape(), running(&lines, input.to_i64s(), step))?
    };
    cx.set(0, result)
}

fn running<T: Copy>(lines: &Reduction, mut values: Vec<T>, step: fn(T, T) -> T) -> Vec<T> {
    // There may be any number of lines without elements.
    let filled = if values.is_empty() { 0 } else { lines.kept.count };
    for line in 0..filled {
        let mut total = None;
        for offset in lines.terms(line) {
            let next = total.map_or(values[offset], |total| step(total, values[offset]));
            (values[offset], total) = (next, Some(next));
        }
    }
    values
}
