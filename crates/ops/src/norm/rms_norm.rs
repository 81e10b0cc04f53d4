//! `et_vk.rms_norm`: divide each row by its root mean square, times a weight.

use pteron_tensor::{DType, HostTensor, Shape};

use crate::catalogue::{Accuracy, OpDef};
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::kernels::rms_norm;
use crate::plan::{PlanContext, Tensor, word};

pub(crate) const OPS: &[OpDef] =
    &[OpDef::tensor("et_vk.rms_norm.default", plan, reference).accuracy(Accuracy::Accumulated)];

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let (input, weight) = (cx.tensor(0)?, cx.tensor(1)?);
    rows_and_width(&input.shape, &weight.shape)?;
    let epsilon = epsilon(cx.opt_float(2)?, input.dtype);
    let output = cx.output(input.shape)?;
    dispatch(cx, input, weight, epsilon, output)
}

/// Dispatches the norm of every row of `input` into `output`.
pub(crate) fn dispatch(
    cx: &mut PlanContext<'_>,
    input: Tensor,
    weight: Tensor,
    epsilon: f64,
    output: Tensor,
) -> Result<()> {
    let (rows, width) = rows_and_width(&input.shape, &weight.shape)?;
    #[expect(clippy::cast_possible_truncation, reason = "kernels add in f32")]
    let params = rms_norm::Params { rows: word(rows), width: word(width), epsilon: epsilon as f32 };
    let rows = if width == 0 { 0 } else { rows };
    let subgroups = cx.caps().subgroups.is_some();
    let variant = rms_norm::Variant {
        t: output.dtype.try_into()?,
        w: weight.dtype.try_into()?,
        reduce: if subgroups { rms_norm::Reduce::Subgroup } else { rms_norm::Reduce::Shared },
    };
    let overrides = rms_norm::Overrides { wg_size: if width > 512 { 256 } else { 64 } };
    cx.dispatch(rms_norm::Bind { input, weight, output, params }, variant).overrides(overrides).rows(rows)
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let (input, weight) = (cx.tensor(0)?, cx.tensor(1)?);
    let epsilon = epsilon(cx.opt_float(2)?, input.dtype());
    cx.set_f64s(*input.shape(), normalized(&input, &weight, epsilon)?)
}

/// The norm of every row of `input`, in plain Rust.
pub(crate) fn normalized(input: &HostTensor, weight: &HostTensor, epsilon: f64) -> Result<Vec<f64>> {
    let (_, width) = rows_and_width(input.shape(), weight.shape())?;
    let weight = weight.to_f64s();
    let mut values = input.to_f64s();
    for row in values.chunks_mut(width.max(1)) {
        let mean = row.iter().map(|x| x * x).sum::<f64>() / row.len() as f64;
        let scale = 1.0 / (mean + epsilon).sqrt();
        row.iter_mut().zip(&weight).for_each(|(x, w)| *x *= scale * w);
    }
    Ok(values)
}

fn rows_and_width(input: &Shape, weight: &Shape) -> Result<(usize, usize)> {
    match (input.split_last(), &**weight) {
        (Some((&width, rows)), &[columns]) if columns == width => Ok((rows.iter().product(), width)),
        _ => Err(OpError::Shape(format!("a weight of {weight} does not fit rows of {input}"))),
    }
}

/// The epsilon, by default the distance from 1 to the next number of the type.
pub(crate) fn epsilon(given: Option<f64>, dtype: DType) -> f64 {
    given.unwrap_or_else(|| if dtype == DType::F16 { f64::from(half::f16::EPSILON) } else { f64::from(f32::EPSILON) })
}
