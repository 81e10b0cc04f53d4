//! `et_vk.linear_dq8ca_q4gsw`: a linear layer with a 4-bit weight, on an input that is rounded to 8 bits row by row.
//!
//! With s and z the scale and zero point of a row, Σ_k (q − z)·s·w is a sum of exact integers times two scales, so the
//! input is rounded to the values (q − z)·s in floats and the layer is that of `linear_q4gsw`. The sums of weights in
//! the program, which integer kernels need for z, are not read.

use pteron_tensor::{DType, HostTensor, Shape};

use super::blocks::{sign_bit, to_step};
use super::weight::{Code, Layer, floats};
use crate::args::{Args, Described};
use crate::catalogue::{Accuracy, OpDef};
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::fused::q4_linear;
use crate::kernels::round_rows;
use crate::plan::{PlanContext, word};

pub(crate) const OPS: &[OpDef] =
    &[OpDef::tensor("et_vk.linear_dq8ca_q4gsw.default", plan, reference).accuracy(Accuracy::Accumulated).typed_like(0)];

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let mut layer = layer(cx)?;
    let [scale, zero_point] = row_parameters(cx, layer.rows)?;
    let output = cx.output(layer.output)?;
    let input = layer.input;
    let rounded = cx.scratch(input.dtype, input.shape)?;
    let params = round_rows::Params {
        count: word(input.numel()),
        width: word(layer.sizes.depth),
        zero_sign: sign_bit(zero_point.dtype),
    };
    let variant = round_rows::Variant {
        t: input.dtype.try_into()?,
        s: scale.dtype.try_into()?,
        zero: zero_point.dtype.try_into()?,
    };
    cx.dispatch(round_rows::Bind { input, scale, zero_point, output: rounded, params }, variant)
        .threads(input.numel())?;
    layer.input = rounded;
    q4_linear::dispatch_layer(cx, layer, output)
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let layer = layer(cx)?;
    let [scales, zeros]: [HostTensor; 2] = row_parameters(cx, layer.rows)?;
    let (scales, zeros) = (floats(&scales).into_owned(), floats(&zeros).into_owned());
    let width = layer.sizes.depth.max(1);
    let mut input = floats(&layer.input).into_owned();
    for (row, values) in input.chunks_mut(width).enumerate() {
        let (scale, zero) = (scales[row], zeros[row]);
        for value in values {
            let step = to_step((*value * (1.0 / scale)).round_ties_even() + zero, [-128, 127]);
            *value = (step as f32 - zero) * scale;
        }
    }
    let rounded = HostTensor::from_f64s(layer.input.dtype(), *layer.input.shape(), input.into_iter().map(f64::from))?;
    layer.evaluate(cx, &floats(&rounded))
}

fn layer<T: Described>(cx: &Args<'_, T>) -> Result<Layer<T>> {
    let weight = [cx.tensor(3)?, cx.tensor(5)?];
    Layer::new(Code::LowNibbleFirst, cx.tensor(0)?, weight, Some(cx.int(6)?), cx.opt_tensor(7)?)
}

/// The scale and zero point of each row.
fn row_parameters<T: Described>(cx: &Args<'_, T>, rows: usize) -> Result<[T; 2]> {
    let [scale, zero] = [cx.tensor(1)?, cx.tensor(2)?];
    let fits = |shape: &Shape| shape.numel() == rows;
    if !fits(scale.shape()) || !fits(zero.shape()) {
        return Err(OpError::Shape(format!(
            "scales of {} and zero points of {} do not fit {rows} rows",
            scale.shape(),
            zero.shape()
        )));
    }
    if !matches!(zero.dtype(), DType::I8 | DType::U8 | DType::I32) {
        return Err(OpError::DType { dtype: zero.dtype(), what: "zero points".to_owned() });
    }
    Ok([scale, zero])
}
