//! `et_vk.fused_ce`: the cross entropy of rows of logits and its gradient. A row with a negative label does not count.

use pteron_tensor::{DType, HostTensor, Shape};

use crate::args::{Args, Described};
use crate::catalogue::{Accuracy, OpDef};
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::kernels::fused_ce::Reduce;
use crate::kernels::{add_up, fused_ce};
use crate::plan::{PlanContext, word};

pub(crate) const OPS: &[OpDef] =
    &[OpDef::tensor("et_vk.fused_ce.default", plan, reference).accuracy(Accuracy::Accumulated)];

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let (logits, labels) = (cx.tensor(0)?, cx.tensor(1)?);
    let [rows, width] = sizes(&logits, &labels)?;
    let loss = cx.output_at(0, Shape::SCALAR)?;
    let gradient = cx.output_at(1, logits.shape)?;
    cx.check_labels(labels, width as u64);
    let losses = cx.scratch(DType::F32, Shape::new(&[rows])?)?;
    #[expect(clippy::cast_possible_truncation, reason = "kernels compute in f32")]
    let params =
        fused_ce::Params { rows: word(rows), width: word(width), count: valid_count(cx)? as f32, node: cx.node() };
    let reduce = if cx.caps().subgroups.is_some() { Reduce::Subgroup } else { Reduce::Shared };
    let variant = fused_ce::Variant { t: logits.dtype.try_into()?, reduce };
    let overrides = fused_ce::Overrides { wg_size: word(width.next_power_of_two().clamp(32, 256)) };
    cx.dispatch(fused_ce::Bind { logits, labels, losses, gradient, params }, variant)
        .overrides(overrides)
        .rows(rows)?;
    let params = add_up::Params { count: word(rows) };
    let variant = add_up::Variant { t: loss.dtype.try_into()?, reduce };
    let overrides = add_up::Overrides { wg_size: 256 };
    cx.dispatch(add_up::Bind { input: losses, output: loss, params }, variant).overrides(overrides).groups([1, 1, 1])
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let (logits, labels) = (cx.tensor(0)?, cx.tensor(1)?);
    let [_, width] = sizes(&logits, &labels)?;
    let count = valid_count(cx)?;
    let mut gradient = logits.to_f64s();
    let mut loss = 0.0;
    for (row, label) in gradient.chunks_mut(width).zip(labels.to_i64s()) {
        if label < 0 {
            row.fill(0.0);
            continue;
        }
        let past = OpError::Index { index: label, limit: width as u64 };
        let label = usize::try_from(label).ok().filter(|&label| label < width).ok_or(past)?;
        let greatest = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = row.iter().map(|logit| (logit - greatest).exp()).sum();
        loss += (greatest + sum.ln() - row[label]) / count;
        row.iter_mut().for_each(|logit| *logit = (*logit - greatest).exp() / sum / count);
        row[label] -= 1.0 / count;
    }
    let types = [cx.output_type(0)?, cx.output_type(1)?];
    cx.set(0, HostTensor::from_f64s(types[0], Shape::SCALAR, [loss])?)?;
    cx.set(1, HostTensor::from_f64s(types[1], *logits.shape(), gradient)?)
}

/// What the sum of the losses is divided by.
fn valid_count<T: Described>(cx: &Args<'_, T>) -> Result<f64> {
    cx.float(2)
}

fn sizes<T: Described>(logits: &T, labels: &T) -> Result<[usize; 2]> {
    if !logits.dtype().is_float() || !labels.dtype().is_integer() {
        let dtype = if logits.dtype().is_float() { labels.dtype() } else { logits.dtype() };
        return Err(OpError::DType { dtype, what: "a cross entropy".to_owned() });
    }
    match (&**logits.shape(), &**labels.shape()) {
        (&[rows, width], &[count]) if count == rows && width > 0 => Ok([rows, width]),
        _ => Err(OpError::Shape(format!("labels of {} do not fit logits of {}", labels.shape(), logits.shape()))),
    }
}
