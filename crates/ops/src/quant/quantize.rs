//! Floats to integers with a scale and a zero point: per tensor, per channel, per token, or per block of any sizes.

use pteron_tensor::{DType, HostTensor};

use super::blocks::{Affine, Source, sign_bit, to_step, type_limits};
use super::weight::floats;
use crate::catalogue::{Accuracy, OpDef};
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::kernels::quantize::{self, Zero};
use crate::plan::{PlanContext, lanes, word};

pub(crate) const OPS: &[OpDef] = &[
    OpDef::tensor("quantized_decomposed.quantize_per_channel.default", plan, reference)
        .portable("quantized_decomposed::quantize_per_channel.out")
        .accuracy(Accuracy::Step),
    OpDef::tensor("quantized_decomposed.quantize_per_tensor.default", plan, reference)
        .portable("quantized_decomposed::quantize_per_tensor.out"),
    OpDef::tensor("quantized_decomposed.quantize_per_tensor.tensor", plan, reference)
        .portable("quantized_decomposed::quantize_per_tensor.Tensor_out")
        .accuracy(Accuracy::Step),
    OpDef::tensor("quantized_decomposed.quantize_per_token.default", plan, reference)
        .portable("quantized_decomposed::quantize_per_token.out")
        .accuracy(Accuracy::Step),
    OpDef::tensor("torchao.quantize_affine.default", plan, reference).accuracy(Accuracy::Step),
];

/// The largest `f32` within `i32`.
const HIGHEST: f32 = 2_147_483_520.0;

#[expect(clippy::cast_possible_truncation, reason = "kernels compute in f32")]
fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    let affine = Affine::read(cx, cx.name(), &input.shape)?;
    let output = cx.output(input.shape)?;
    let [low, high] = limits(&affine, input.dtype, output.dtype)?;
    let ([scale, zero], numbers) = match affine.source {
        Source::Numbers { scale, zero } => ([None, None], Some(((1.0 / scale) as f32, zero as f32))),
        Source::Tensors { scale, zero } => ([Some(scale), zero], None),
    };
    let (inverse_scale, zero_number) = numbers.unwrap_or((1.0, 0.0));
    let params = quantize::Params {
        out: output.meta(),
        blocks: lanes(affine.blocks.block.iter().map(|&size| word(size))),
        steps: lanes(affine.blocks.steps().map(word)),
        inverse_scale,
        zero: zero_number,
        low: low as f32,
        high: (high as f32).min(HIGHEST),
        zero_first: u32::from(affine.zero_first),
        zero_sign: sign_bit(zero.map_or(DType::I8, |zero| zero.dtype)),
    };
    let bytes = output.dtype != DType::I32;
    let zeros = zero.map_or(Zero::None, |zero| if zero.dtype == DType::I32 { Zero::I32 } else { Zero::Byte });
    // A kernel that takes numbers, or has no zero points, never reads those bindings; any buffer will do.
    let bind =
        quantize::Bind { input, scale: scale.unwrap_or(input), zero_point: zero.unwrap_or(input), output, params };
    let variant = quantize::Variant {
        t: input.dtype.try_into()?,
        s: scale.map_or(DType::U8, |scale| scale.dtype).try_into()?,
        q: output.dtype.try_into()?,
        zero: zeros,
    };
    cx.dispatch(bind, variant).threads(if bytes { output.numel().div_ceil(4) } else { output.numel() })
}

#[expect(clippy::cast_possible_truncation, reason = "torch computes in f32")]
fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    let affine = Affine::read(cx, cx.name(), input.shape())?;
    let dtype = cx.output_type(0)?;
    let limits = limits(&affine, input.dtype(), dtype)?;
    let (inverses, zeros): (Vec<f32>, Vec<f32>) = match &affine.source {
        &Source::Numbers { scale, zero } => (vec![(1.0 / scale) as f32], vec![zero as f32]),
        Source::Tensors { scale, zero } => (
            floats(scale).iter().map(|scale| 1.0 / scale).collect(),
            zero.as_ref().map_or(vec![0.0; affine.blocks.count()], |zero| floats(zero).into_owned()),
        ),
    };
    let steps = floats(&input)
        .iter()
        .enumerate()
        .map(|(index, &value)| {
            let block = affine.blocks.of(index);
            let scaled = value * inverses[block];
            let shifted = if affine.zero_first {
                (scaled + zeros[block]).round_ties_even()
            } else {
                scaled.round_ties_even() + zeros[block]
            };
            to_step(shifted, limits)
        })
        .collect::<Vec<_>>();
    cx.set(0, HostTensor::from_i64s(dtype, *input.shape(), steps)?)
}

/// The least and greatest result: what the program says, within the output's type.
fn limits<T>(affine: &Affine<T>, input: DType, output: DType) -> Result<[i64; 2]> {
    if !input.is_float() {
        return Err(OpError::DType { dtype: input, what: "a tensor to quantize".to_owned() });
    }
    let [least, greatest] = type_limits(output)?;
    let [low, high] = [affine.limits[0].unwrap_or(least), affine.limits[1].unwrap_or(greatest)];
    if low > high || low < least || high > greatest {
        return Err(OpError::Shape(format!("{output} cannot hold integers from {low} to {high}")));
    }
    Ok([low, high])
}
