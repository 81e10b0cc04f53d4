//! Batch norm: channels brought to mean 0 and variance 1 by given statistics, or by their own.

use pteron_tensor::{HostTensor, Shape};

use super::rows;
use crate::args::{Args, Described};
use crate::catalogue::{Accuracy, OpDef};
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::kernels::batch_norm;
use crate::plan::{PlanContext, word};
use crate::reduce::walk::Reduction;

pub(crate) const OPS: &[OpDef] = &[
    OpDef::tensor(rows::OWN_STATISTICS, rows::plan, own_statistics)
        .portable("aten::_native_batch_norm_legit.no_stats_out")
        .accuracy(Accuracy::Accumulated),
    OpDef::host("aten::_native_batch_norm_legit.out", running_statistics)
        .accuracy(Accuracy::Accumulated)
        .writes(&[RUNNING_MEAN, RUNNING_VARIANCE]),
    OpDef::tensor("aten._native_batch_norm_legit_no_training.default", plan, reference)
        .portable("aten::_native_batch_norm_legit_no_training.out")
        .accuracy(Accuracy::Accumulated),
];

const EPSILON: usize = 6;
const RUNNING_MEAN: usize = 3;
const RUNNING_VARIANCE: usize = 4;

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    let (channels, inner) = channels_and_inner(cx, &input.shape, &[1, 2, 3, 4])?;
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
    let variant = batch_norm::Variant { t: output.dtype.try_into()?, w: mean.dtype.try_into()? };
    cx.dispatch(batch_norm::Bind { input, weight, bias, mean, variance, output, params }, variant)
        .threads(output.numel())
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    let sizes = channels_and_inner(cx, input.shape(), &[1, 2, 3, 4])?;
    let (mean, variance) = (cx.tensor(3)?.to_f64s(), cx.tensor(4)?.to_f64s());
    let epsilon = cx.float(EPSILON)?;
    let rstd: Vec<_> = variance.iter().map(|variance| 1.0 / (variance + epsilon).sqrt()).collect();
    normalize(cx, &input, sizes, &mean, &rstd)?;
    for statistic in [1, 2] {
        cx.set(statistic, HostTensor::zeros(cx.output_type(statistic)?, Shape::new(&[0])?))?;
    }
    Ok(())
}

/// Batch norm with the statistics of its own input, which are its other outputs.
fn own_statistics(cx: &mut Eval<'_>) -> Result<()> {
    let epsilon = cx.float(5)?;
    normalize_by_own(cx, epsilon).map(drop)
}

/// Batch norm in training, which moves the running statistics towards those of its input; or by them, where it is not.
/// Arguments: input, weight, bias, running mean and variance, training, momentum, epsilon.
fn running_statistics(cx: &mut Eval<'_>) -> Result<()> {
    let (training, momentum, epsilon) = (cx.bool(5)?, cx.float(6)?, cx.float(7)?);
    let input = cx.tensor(0)?;
    let sizes = channels_and_inner(cx, input.shape(), &[1, 2, RUNNING_MEAN, RUNNING_VARIANCE])?;
    let running = [cx.tensor(RUNNING_MEAN)?, cx.tensor(RUNNING_VARIANCE)?];
    if !training {
        let [mean, variance] = running.map(|running| running.to_f64s());
        let rstd: Vec<_> = variance.iter().map(|variance| 1.0 / (variance + epsilon).sqrt()).collect();
        normalize(cx, &input, sizes, &mean, &rstd)?;
        for statistic in [1, 2] {
            cx.set(statistic, HostTensor::zeros(cx.output_type(statistic)?, Shape::new(&[0])?))?;
        }
        return Ok(());
    }
    let (mean, variance, count) = normalize_by_own(cx, epsilon)?;
    let unbiased = variance.into_iter().map(|variance| variance * count / (count - 1.0)).collect();
    let moved = [(RUNNING_MEAN, mean), (RUNNING_VARIANCE, unbiased)];
    for ((argument, now), running) in moved.into_iter().zip(running) {
        let values = running.to_f64s().into_iter().zip(now).map(|(old, new)| old + momentum * (new - old));
        cx.mutate(argument, HostTensor::from_f64s(running.dtype(), *running.shape(), values)?)?;
    }
    Ok(())
}

/// Sets all three outputs by the input's own statistics, and gives these: means, variances, and the elements of each.
fn normalize_by_own(cx: &mut Eval<'_>, epsilon: f64) -> Result<(Vec<f64>, Vec<f64>, f64)> {
    let input = cx.tensor(0)?;
    let (channels, inner) = channels_and_inner(cx, input.shape(), &[1, 2])?;
    let others: Vec<_> = (0i64..).take(input.shape().rank()).filter(|&dim| dim != 1).collect();
    let by_channel = Reduction::new(input.shape(), &others, false)?;
    let count = by_channel.reduced.count as f64;
    let moments = by_channel.map(&input.to_f64s(), |terms| {
        let terms: Vec<_> = terms.collect();
        let mean = terms.iter().sum::<f64>() / count;
        (mean, terms.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / count)
    });
    let (mean, variance): (Vec<_>, Vec<_>) = moments.into_iter().unzip();
    let rstd: Vec<_> = variance.iter().map(|variance| 1.0 / (variance + epsilon).sqrt()).collect();
    normalize(cx, &input, (channels, inner), &mean, &rstd)?;
    for (output, statistic) in [(1, &mean), (2, &rstd)] {
        let statistic = statistic.iter().copied();
        cx.set(output, HostTensor::from_f64s(cx.output_type(output)?, by_channel.output, statistic)?)?;
    }
    Ok((mean, variance, count))
}

/// Sets the first output to the input, moved and scaled by channel, times the weight, plus the bias.
fn normalize(
    cx: &mut Eval<'_>,
    input: &HostTensor,
    (channels, inner): (usize, usize),
    mean: &[f64],
    rstd: &[f64],
) -> Result<()> {
    let weight = cx.opt_tensor(1)?.map(|weight| weight.to_f64s());
    let bias = cx.opt_tensor(2)?.map(|bias| bias.to_f64s());
    let mut values = input.to_f64s();
    for (index, x) in values.iter_mut().enumerate() {
        let channel = index / inner % channels;
        *x = (*x - mean[channel]) * rstd[channel];
        *x *= weight.as_ref().map_or(1.0, |weight| weight[channel]);
        *x += bias.as_ref().map_or(0.0, |bias| bias[channel]);
    }
    cx.set_f64s(*input.shape(), values)
}

/// The number of channels, which every one of `parameters` has as many elements as, and the elements of each in one
/// sample.
fn channels_and_inner<T: Described>(cx: &Args<'_, T>, input: &Shape, parameters: &[usize]) -> Result<(usize, usize)> {
    let dtype = cx.tensor(0)?.dtype();
    if !dtype.is_float() {
        return Err(OpError::DType { dtype, what: "a norm".to_owned() });
    }
    let Some((&channels, inner)) = input.get(1..).and_then(<[usize]>::split_first) else {
        return Err(OpError::Shape(format!("{input} has no channels")));
    };
    for &index in parameters {
        if let Some(parameter) = cx.opt_tensor(index)?
            && parameter.shape().numel() != channels
        {
            return Err(OpError::Shape(format!("{} does not fit the channels of {input}", parameter.shape())));
        }
    }
    Ok((channels, inner.iter().product()))
}
