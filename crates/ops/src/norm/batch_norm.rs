//! `aten._native_batch_norm_legit_no_training`: batch norm with given statistics.

use pteron_tensor::{HostTensor, Shape};

use crate::args::{Args, Described};
use crate::catalogue::{Accuracy, OpDef};
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::kernels::batch_norm;
use crate::plan::{Plan, word};

pub(crate) const OPS: &[OpDef] = &[OpDef::tensor("aten._native_batch_norm_legit_no_training.default", plan, reference)
    .portable("aten::_native_batch_norm_legit_no_training.out")
    .accuracy(Accuracy::Accumulated)];

const EPSILON: usize = 6;

fn plan(cx: &mut Plan<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    let (channels, inner) = channels_and_inner(cx, &input.shape)?;
    let (weight, bias) = (cx.opt_tensor(1)?, cx.opt_tensor(2)?);
    let (mean, variance) = (cx.tensor(3)?, cx.tensor(4)?);
    let output = cx.output_at(0, input.shape)?;
    for statistic in [1, 2] {
        cx.output_at(statistic, Shape::new(&[0])?)?;
    }
    #[expect(clippy::cast_possible_truncation, reason = "kernels add in f32")]
    let params = batch_norm::Params {
        numel: word(input.numel()),
        channels: word(channels),
        inner: word(inner),
        epsilon: cx.float(EPSILON)? as f32,
        has_weight: u32::from(weight.is_some()),
        has_bias: u32::from(bias.is_some()),
    };
    // What is absent is bound to something that the kernel does not read.
    let (weight, bias) = (weight.unwrap_or(mean), bias.unwrap_or(mean));
    cx.dispatch(batch_norm::Bind { input, weight, bias, mean, variance, output, params })
        .ty("T", output.dtype)
        .ty("W", mean.dtype)
        .threads(output.numel())
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    let (channels, inner) = channels_and_inner(cx, input.shape())?;
    let (mean, variance) = (cx.tensor(3)?.to_f64s(), cx.tensor(4)?.to_f64s());
    let weight = cx.opt_tensor(1)?.map(|weight| weight.to_f64s());
    let bias = cx.opt_tensor(2)?.map(|bias| bias.to_f64s());
    let epsilon = cx.float(EPSILON)?;
    let mut values = input.to_f64s();
    for (index, x) in values.iter_mut().enumerate() {
        let channel = index / inner % channels;
        *x = (*x - mean[channel]) / (variance[channel] + epsilon).sqrt();
        *x *= weight.as_ref().map_or(1.0, |weight| weight[channel]);
        *x += bias.as_ref().map_or(0.0, |bias| bias[channel]);
    }
    cx.set_f64s(*input.shape(), values)?;
    for statistic in [1, 2] {
        cx.set(statistic, HostTensor::zeros(cx.output_type(statistic)?, Shape::new(&[0])?))?;
    }
    Ok(())
}

/// The number of channels, which every parameter has as many elements as, and the elements of each in one sample.
fn channels_and_inner<T: Described>(cx: &Args<'_, T>, input: &Shape) -> Result<(usize, usize)> {
    let dtype = cx.tensor(0)?.dtype();
    if !dtype.is_float() {
        return Err(OpError::DType { dtype, what: "a norm".to_owned() });
    }
    let Some((&channels, inner)) = input.get(1..).and_then(<[usize]>::split_first) else {
        return Err(OpError::Shape(format!("{input} has no channels")));
    };
    let parameters = [cx.opt_tensor(1)?, cx.opt_tensor(2)?, Some(cx.tensor(3)?), Some(cx.tensor(4)?)];
    for parameter in parameters.into_iter().flatten() {
        if parameter.shape().numel() != channels {
            return Err(OpError::Shape(format!("{} does not fit the channels of {input}", parameter.shape())));
        }
    }
    Ok((channels, inner.iter().product()))
}
