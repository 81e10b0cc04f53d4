//! `pteron.bytes_mean`: the mean of each channel of images of bytes, as XNNPACK rounds it: the zero point of the result is
//! added before the rounding.

use pteron_tensor::{DType, HostTensor, Shape};

use super::blocks::to_step;
use super::q8ta::{Finish, check_byte};
use crate::args::{Args, Described};
use crate::catalogue::{Accuracy, OpDef};
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::kernels::bytes_mean;
use crate::plan::{PlanContext, word};

pub(crate) const OPS: &[OpDef] =
    &[OpDef::tensor("pteron.bytes_mean.default", plan, reference).accuracy(Accuracy::Step)];

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let mean = Mean::read(cx)?;
    let output = cx.output(mean.shape)?;
    let [low, high] = mean.finish.bounds();
    let params = bytes_mean::Params {
        count: word(output.numel()),
        area: word(mean.area),
        input_zero: mean.finish.input_zero,
        scale: mean.scale,
        zero: mean.finish.zero,
        low,
        high,
    };
    cx.dispatch(bytes_mean::Bind { input: mean.input, output, params }, bytes_mean::Variant {})
        .threads(output.numel().div_ceil(4))
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let mean = Mean::read(cx)?;
    let plane = |plane: &[i8]| {
        let sum: i64 = plane.iter().map(|&x| i64::from(i32::from(x) - mean.finish.input_zero)).sum();
        to_step((sum as f32 * mean.scale + mean.finish.zero).round_ties_even(), mean.finish.range)
    };
    let values: Vec<_> = mean.input.as_slice::<i8>()?.chunks(mean.area.max(1)).map(plane).collect();
    cx.set(0, HostTensor::from_i64s(DType::I8, mean.shape, values)?)
}

struct Mean<T> {
    input: T,
    finish: Finish,
    area: usize,
    /// What a sum is multiplied with.
    scale: f32,
    shape: Shape,
}

impl<T: Described> Mean<T> {
    /// Reads `input, input_scale, input_zero, scale, zero, keep_dims, low, high`.
    fn read(cx: &Args<'_, T>) -> Result<Mean<T>> {
        let input = cx.tensor(0)?;
        check_byte(&input, "the input")?;
        let finish = Finish::requantize(cx, [3, 4], [6, 7])?;
        let &[batch, channels, height, width] = &**input.shape() else {
            return Err(OpError::Shape(format!("{} is no batch of images", input.shape())));
        };
        let area = height * width;
        if area == 0 {
            return Err(OpError::Shape(format!("{} has empty planes", input.shape())));
        }
        let scale = finish.input_scale / (finish.exact.unwrap_or(1.0) * area as f32);
        let shape = if cx.bool(5)? { Shape::new(&[batch, channels, 1, 1])? } else { Shape::new(&[batch, channels])? };
        Ok(Mean { input, finish, area, scale, shape })
    }
}
