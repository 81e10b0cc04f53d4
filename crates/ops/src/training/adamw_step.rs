//! `et_vk.adamw_step`: one step of AdamW, which changes a parameter and its two moments in place and returns them.

use pteron_tensor::{HostTensor, Shape};

use crate::args::{Args, Described};
use crate::catalogue::{Accuracy, OpDef};
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::kernels::adamw_step;
use crate::plan::{PlanContext, word};

pub(crate) const OPS: &[OpDef] =
    &[OpDef::tensor("et_vk.adamw_step.default", plan, reference).accuracy(Accuracy::Rounded).writes(&[0, 1, 2])];

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let step = Step::read(cx)?;
    let [parameter, mean, variance] = [cx.tensor_mut(0)?, cx.tensor_mut(1)?, cx.tensor_mut(2)?];
    for (output, tensor) in [parameter, mean, variance].into_iter().enumerate() {
        if cx.output_type(output).is_ok() {
            cx.alias(output, tensor, tensor.shape)?;
        }
    }
    let count = parameter.numel();
    #[expect(clippy::cast_possible_truncation, reason = "kernels compute in f32")]
    let params = adamw_step::Params {
        count: word(count),
        keep: step.keep as f32,
        rate: step.rate as f32,
        mean_keep: step.mean_keep as f32,
        mean_take: (1.0 - step.mean_keep) as f32,
        variance_keep: step.variance_keep as f32,
        variance_take: (1.0 - step.variance_keep) as f32,
        epsilon: step.epsilon as f32,
        mean_correction: step.mean_correction as f32,
        variance_correction: step.variance_correction as f32,
    };
    let gradient = cx.tensor(3)?;
    let variant = adamw_step::Variant { t: parameter.dtype.try_into()? };
    cx.dispatch(adamw_step::Bind { parameter, mean, variance, gradient, params }, variant).threads(count)
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let step = Step::read(cx)?;
    let tensors = [cx.tensor(0)?, cx.tensor(1)?, cx.tensor(2)?];
    let [mut parameter, mut mean, mut variance] = tensors.clone().map(|tensor| tensor.to_f64s());
    for (i, gradient) in cx.tensor(3)?.to_f64s().into_iter().enumerate() {
        mean[i] = mean[i] * step.mean_keep + gradient * (1.0 - step.mean_keep);
        variance[i] = variance[i] * step.variance_keep + gradient * gradient * (1.0 - step.variance_keep);
        let size = (variance[i] / step.variance_correction).sqrt() + step.epsilon;
        parameter[i] = parameter[i] * step.keep - step.rate * (mean[i] / step.mean_correction) / size;
    }
    for (index, (old, values)) in tensors.iter().zip([parameter, mean, variance]).enumerate() {
        let new = HostTensor::from_f64s(old.dtype(), *old.shape(), values)?;
        if cx.output_type(index).is_ok() {
            cx.set(index, new.clone())?;
        }
        cx.mutate(index, new)?;
    }
    Ok(())
}

/// The numbers of one step.
struct Step {
    /// What is left of a parameter after its decay.
    keep: f64,
    rate: f64,
    mean_keep: f64,
    variance_keep: f64,
    epsilon: f64,
    mean_correction: f64,
    variance_correction: f64,
}

impl Step {
    fn read<T: Described>(cx: &Args<'_, T>) -> Result<Step> {
        let parameter = cx.tensor(0)?;
        let described = |tensor: &T| -> (_, Shape) { (tensor.dtype(), *tensor.shape()) };
        for index in 1..4 {
            let other = cx.tensor(index)?;
            if described(&other) != described(&parameter) {
                return Err(OpError::Shape(format!(
                    "argument {index} is {}{}, and the parameter {}{}",
                    other.dtype(),
                    other.shape(),
                    parameter.dtype(),
                    parameter.shape()
                )));
            }
        }
        if !parameter.dtype().is_float() {
            return Err(OpError::DType { dtype: parameter.dtype(), what: "a parameter in training".to_owned() });
        }
        let rate = cx.float(4)?;
        Ok(Step {
            keep: 1.0 - rate * cx.float(8)?,
            rate,
            mean_keep: cx.float(5)?,
            variance_keep: cx.float(6)?,
            epsilon: cx.float(7)?,
            mean_correction: cx.float(9)?,
            variance_correction: cx.float(10)?,
        })
    }
}
