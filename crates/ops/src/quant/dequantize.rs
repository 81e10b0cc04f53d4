//! Integers to floats with a scale and a zero point: per tensor, per channel, per token, or per block of any sizes.

use pteron_tensor::DType;

use super::blocks::{Affine, Blocks, Source, sign_bit, type_limits};
use super::weight::floats;
use crate::catalogue::{Accuracy, OpDef};
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::kernels::dequantize::{self, Zero};
use crate::plan::{PlanContext, Tensor, lanes, word};

pub(crate) const OPS: &[OpDef] = &[
    OpDef::tensor("quantized_decomposed.dequantize_per_channel.default", plan, reference)
        .portable("quantized_decomposed::dequantize_per_channel.out")
        .accuracy(Accuracy::Rounded),
    OpDef::tensor("quantized_decomposed.dequantize_per_tensor.default", plan, reference)
        .portable("quantized_decomposed::dequantize_per_tensor.out")
        .accuracy(Accuracy::Rounded),
    OpDef::tensor("quantized_decomposed.dequantize_per_tensor.tensor", plan, reference)
        .portable("quantized_decomposed::dequantize_per_tensor.Tensor_out")
        .accuracy(Accuracy::Rounded),
    OpDef::tensor("quantized_decomposed.dequantize_per_token.default", plan, reference)
        .portable("quantized_decomposed::dequantize_per_token.out")
        .accuracy(Accuracy::Rounded),
    OpDef::tensor("torchao.dequantize_affine.default", plan, reference).accuracy(Accuracy::Rounded),
];

#[expect(clippy::cast_possible_truncation, reason = "kernels compute in f32, and zero points lie within the type")]
fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    let affine = Affine::read(cx, cx.name(), &input.shape)?;
    let output = cx.output(input.shape)?;
    check_types(input.dtype, output.dtype)?;
    let ([scale, zero], numbers) = match affine.source {
        Source::Numbers { scale, zero } => ([None, None], Some((scale as f32, zero as i32))),
        Source::Tensors { scale, zero } => ([Some(scale), zero], None),
    };
    dispatch(cx, [input, output], [scale, zero], numbers, &affine.blocks)
}

/// Dispatches the dequantization of bytes with a scale and a zero point for each row of the last dimension.
pub(crate) fn rows(cx: &mut PlanContext<'_>, input: Tensor, scale: Tensor, zero: Tensor, output: Tensor) -> Result<()> {
    let blocks = Blocks::per_token(&input.shape)?;
    dispatch(cx, [input, output], [Some(scale), Some(zero)], None, &blocks)
}

/// Dispatches the kernel, with scales and zero points that are numbers, or tensors of an element for each block.
fn dispatch(
    cx: &mut PlanContext<'_>,
    [input, output]: [Tensor; 2],
    [scale, zero]: [Option<Tensor>; 2],
    numbers: Option<(f32, i32)>,
    blocks: &Blocks,
) -> Result<()> {
    let (scale_number, zero_number) = numbers.unwrap_or((1.0, 0));
    let params = dequantize::Params {
        out: output.meta(),
        blocks: lanes(blocks.block.iter().map(|&size| word(size))),
        steps: lanes(blocks.steps().map(word)),
        scale: scale_number,
        zero: zero_number,
        sign: sign_bit(input.dtype),
        zero_sign: sign_bit(zero.map_or(DType::I8, |zero| zero.dtype)),
    };
    let zeros = zero.map_or(Zero::None, |zero| if zero.dtype == DType::I32 { Zero::I32 } else { Zero::Byte });
    // A kernel that takes numbers, or has no zero points, never reads those bindings; any buffer will do.
    let bind =
        dequantize::Bind { input, scale: scale.unwrap_or(input), zero_point: zero.unwrap_or(input), output, params };
    let variant = dequantize::Variant {
        t: output.dtype.try_into()?,
        s: scale.map_or(DType::U8, |scale| scale.dtype).try_into()?,
        q: input.dtype.try_into()?,
        zero: zeros,
    };
    cx.dispatch(bind, variant).threads(output.numel())
}

#[expect(clippy::cast_possible_truncation, reason = "torch computes in f32")]
fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    let affine = Affine::read(cx, cx.name(), input.shape())?;
    check_types(input.dtype(), cx.output_type(0)?)?;
    let (scales, zeros) = match &affine.source {
        &Source::Numbers { scale, zero } => (vec![scale as f32], vec![zero]),
        Source::Tensors { scale, zero } => {
            (floats(scale).into_owned(), zero.as_ref().map_or(vec![0; affine.blocks.count()], |zero| zero.to_i64s()))
        }
    };
    let values = input.to_i64s().into_iter().enumerate().map(|(index, step)| {
        let block = affine.blocks.of(index);
        f64::from((step - zeros[block]) as f32 * scales[block])
    });
    cx.set_f64s(*input.shape(), values.collect())
}

fn check_types(input: DType, output: DType) -> Result<()> {
    type_limits(input)?;
    if output.is_float() {
        Ok(())
    } else {
        Err(OpError::DType { dtype: output, what: "dequantized values".to_owned() })
    }
}
