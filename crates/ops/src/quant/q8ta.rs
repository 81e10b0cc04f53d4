//! What operators on 8-bit integers with one scale per tensor share: how a sum of integers becomes a result.

use std::borrow::Cow;

use pteron_tensor::{DType, HostTensor};

use super::blocks::to_step;
use super::weight::floats;
use crate::args::{Args, Described};
use crate::error::{OpError, Result};

/// The limits of a signed byte.
pub(super) const BYTE: [i64; 2] = [-128, 127];

/// How Σ (x − input_zero)·w becomes a float or an integer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Finish {
    /// The integer that stands for 0 in the input.
    pub(super) input_zero: i32,
    /// The step of the input.
    pub(super) input_scale: f32,
    /// One over the step of the output.
    pub(super) inverse_scale: f32,
    /// The integer that stands for 0 in the output.
    pub(super) zero: f32,
    /// The least float before it is rounded: 0 behind a relu.
    pub(super) least: f32,
    /// The least and the greatest integer.
    pub(super) range: [i64; 2],
    /// The step of the output, where a sum is rounded after one multiplication with all scales.
    pub(super) exact: Option<f32>,
}

impl Finish {
    /// For a float result. Scale and zero point of the input are arguments 1 and 2.
    pub(super) fn to_float<T: Described>(cx: &Args<'_, T>) -> Result<Finish> {
        let input_zero = i32::try_from(cx.int(2)?)
            .map_err(|_| OpError::Unsupported("a zero point that does not fit 32 bits".to_owned()))?;
        Ok(Finish {
            input_zero,
            input_scale: number(cx, 1)?,
            inverse_scale: 1.0,
            zero: 0.0,
            least: f32::MIN,
            range: BYTE,
            exact: None,
        })
    }

    /// For an 8-bit result, whose scale and zero point and activation are at these arguments.
    pub(super) fn to_byte<T: Described>(
        cx: &Args<'_, T>,
        [scale, zero]: [usize; 2],
        activation: usize,
    ) -> Result<Finish> {
        let least = match if cx.is_null(activation) { "none" } else { cx.str(activation)? } {
            "none" => f32::MIN,
            "relu" => 0.0,
            other => return Err(OpError::Unsupported(format!("activation {other}"))),
        };
        Ok(Finish { inverse_scale: inverse(cx, scale)?, zero: number(cx, zero)?, least, ..Finish::to_float(cx)? })
    }

    /// For a result of bytes that XNNPACK rounds: a sum times one factor.
    #[expect(clippy::cast_possible_truncation, reason = "XNNPACK computes in f32")]
    pub(super) fn requantize<T: Described>(
        cx: &Args<'_, T>,
        [scale, zero]: [usize; 2],
        [low, high]: [usize; 2],
    ) -> Result<Finish> {
        let range = [cx.int(low)?, cx.int(high)?];
        if range[0] > range[1] || range[0] < BYTE[0] || range[1] > BYTE[1] {
            return Err(OpError::Shape(format!("bytes from {} to {}", range[0], range[1])));
        }
        let output_scale = cx.float(scale)? as f32;
        let inverse_scale = 1.0 / output_scale;
        Ok(Finish { inverse_scale, zero: number(cx, zero)?, range, exact: Some(output_scale), ..Finish::to_float(cx)? })
    }

    /// The result of a sum, as it would be stored in a tensor of `dtype`.
    pub(super) fn apply(&self, sum: i64, scale: f32, bias: f32, dtype: DType) -> f64 {
        if let Some(output_scale) = self.exact {
            let rounded = (sum as f32 * (self.input_scale * scale / output_scale)).round_ties_even();
            return to_step(rounded + self.zero, self.range) as f64;
        }
        let value = (sum as f32 * (self.input_scale * scale) + bias).max(self.least);
        if dtype.is_float() { f64::from(value) } else { self.round(value) as f64 }
    }

    /// The result of a column's sum, as it would be stored in a tensor of `dtype`.
    pub(super) fn of(&self, sum: i64, scale: f32, bias: &Bias<'_>, column: usize, dtype: DType) -> f64 {
        match bias {
            Bias::None => self.apply(sum, scale, 0.0, dtype),
            Bias::Floats(bias) => self.apply(sum, scale, bias[column], dtype),
            Bias::Integers(bias) => self.apply(sum.saturating_add(bias[column]), scale, 0.0, dtype),
        }
    }

    /// A float as an integer of the output.
    pub(super) fn round(&self, value: f32) -> i64 {
        to_step((value.max(self.least) * self.inverse_scale).round_ties_even() + self.zero, self.range)
    }

    /// The least and the greatest integer, as kernels read them.
    pub(super) fn bounds(&self) -> [f32; 2] {
        self.range.map(|bound| bound as f32)
    }
}

/// An argument as the `f32` that torch computes with.
#[expect(clippy::cast_possible_truncation, reason = "torch computes in f32")]
pub(super) fn number<T: Described>(cx: &Args<'_, T>, index: usize) -> Result<f32> {
    Ok(cx.float(index)? as f32)
}

/// One over an argument.
#[expect(clippy::cast_possible_truncation, reason = "torch computes in f32")]
pub(super) fn inverse<T: Described>(cx: &Args<'_, T>, index: usize) -> Result<f32> {
    Ok((1.0 / cx.float(index)?) as f32)
}

/// Asks for signed bytes.
pub(super) fn check_byte<T: Described>(tensor: &T, what: &str) -> Result<()> {
    if tensor.dtype() == DType::I8 {
        return Ok(());
    }
    Err(OpError::DType { dtype: tensor.dtype(), what: format!("{what} of an 8-bit operator") })
}

/// Asks for scales and a bias of one type of floats.
pub(super) fn check_columns<T: Described>(scales: &T, bias: Option<&T>) -> Result<()> {
    for (tensor, what) in [(Some(scales), "scales"), (bias, "a bias")] {
        if let Some(tensor) = tensor
            && (!tensor.dtype().is_float() || tensor.dtype() != scales.dtype())
        {
            return Err(OpError::DType { dtype: tensor.dtype(), what: what.to_owned() });
        }
    }
    Ok(())
}

/// Asks for a scale, and where there is a bias a bias, for each column. The exporter pads both.
pub(super) fn check_lengths<T: Described>(columns: usize, scales: &T, bias: Option<&T>) -> Result<()> {
    for (tensor, what) in [(Some(scales), "scales"), (bias, "a bias")] {
        let Some(tensor) = tensor else { continue };
        if tensor.shape().rank() != 1 || tensor.shape().numel() < columns {
            return Err(OpError::Shape(format!("{what} of {} does not fit {columns} columns", tensor.shape())));
        }
    }
    Ok(())
}

/// A bias on the host: floats that are added to what a sum stands for, or integers that are added to the sum.
pub(super) enum Bias<'a> {
    None,
    Floats(Cow<'a, [f32]>),
    Integers(Vec<i64>),
}

impl Bias<'_> {
    pub(super) fn of(tensor: Option<&HostTensor>) -> Bias<'_> {
        match tensor {
            None => Bias::None,
            Some(tensor) if tensor.dtype() == DType::I32 => Bias::Integers(tensor.to_i64s()),
            Some(tensor) => Bias::Floats(floats(tensor)),
        }
    }
}
