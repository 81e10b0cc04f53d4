//! Linear layers and convolutions from bytes to bytes as XNNPACK rounds them: `pteron.bytes_linear` and
//! `pteron.bytes_convolution`, plain, `_depthwise` and `_transposed`.
//!
//! A bias of integers is added to the sum of products, and the sum is rounded after one multiplication: with the scales of
//! input and weight over that of the output. Results keep to a range of bytes.

use super::q8ta::Finish;
use super::q8ta_conv2d::{Conv, Geometry, Kind, LIMIT, pair};
use super::q8ta_linear::Layer;
use crate::args::{Args, Described};
use crate::catalogue::{Accuracy, OpDef};
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::plan::PlanContext;
use pteron_tensor::DType;

const DEPTHWISE: &str = "pteron.bytes_convolution_depthwise.default";
const TRANSPOSED: &str = "pteron.bytes_convolution_transposed.default";

pub(crate) const OPS: &[OpDef] = &[
    OpDef::tensor("pteron.bytes_convolution.default", plan, reference).accuracy(Accuracy::Step),
    OpDef::tensor(DEPTHWISE, plan, reference).accuracy(Accuracy::Step),
    OpDef::tensor(TRANSPOSED, plan, reference).accuracy(Accuracy::Step),
    OpDef::tensor("pteron.bytes_linear.default", plan_linear, reference_linear).accuracy(Accuracy::Step),
];

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    convolution(cx, cx.name())?.plan(cx)
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let convolution = convolution(cx, cx.name())?;
    convolution.evaluate(cx)
}

fn plan_linear(cx: &mut PlanContext<'_>) -> Result<()> {
    linear(cx)?.plan(cx)
}

fn reference_linear(cx: &mut Eval<'_>) -> Result<()> {
    let layer = linear(cx)?;
    layer.evaluate(cx)
}

/// Reads `input, input_scale, input_zero, weight, scales, output_scale, output_zero, bias?, low, high`.
fn linear<T: Described>(cx: &Args<'_, T>) -> Result<Layer<T>> {
    let finish = Finish::requantize(cx, [5, 6], [8, 9])?;
    Layer::new([cx.tensor(0)?, cx.tensor(3)?, scales(cx)?], bias(cx)?, finish)
}

/// Reads what a linear layer has up to the bias, then `kernel, stride, padding, dilation, output_padding, groups, low,
/// high`. The padding is top, left, bottom and right.
fn convolution<T: Described>(cx: &Args<'_, T>, name: &str) -> Result<Conv<T>> {
    let finish = Finish::requantize(cx, [5, 6], [14, 15])?;
    let kind = match name {
        TRANSPOSED => Kind::Transposed,
        DEPTHWISE => Kind::Depthwise,
        _ => Kind::Plain,
    };
    let sides = cx.ints(10)?;
    let side =
        |index: usize| sides.get(index).and_then(|&side| usize::try_from(side).ok()).filter(|&side| side < LIMIT);
    let (Some(top), Some(left), Some(bottom), Some(right)) = (side(0), side(1), side(2), side(3)) else {
        return Err(OpError::Shape(format!("{sides:?} is no padding of an image")));
    };
    let geometry = Geometry {
        kind,
        kernel: pair(cx, 8, 1)?,
        stride: pair(cx, 9, 1)?,
        padding: [[top, left], [bottom, right]],
        dilation: pair(cx, 11, 1)?,
        extra: pair(cx, 12, 0)?,
        groups: usize::try_from(cx.int(13)?).unwrap_or(0),
    };
    Conv::new([cx.tensor(0)?, cx.tensor(3)?, scales(cx)?], bias(cx)?, &geometry, finish)
}

fn scales<T: Described>(cx: &Args<'_, T>) -> Result<T> {
    let scales = cx.tensor(4)?;
    if scales.dtype().is_float() {
        return Ok(scales);
    }
    Err(OpError::DType { dtype: scales.dtype(), what: "scales".to_owned() })
}

fn bias<T: Described>(cx: &Args<'_, T>) -> Result<Option<T>> {
    match cx.opt_tensor(7)? {
        Some(bias) if bias.dtype() != DType::I32 => {
            Err(OpError::DType { dtype: bias.dtype(), what: "a bias of integers".to_owned() })
        }
        bias => Ok(bias),
    }
}
