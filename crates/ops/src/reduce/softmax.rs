//! `aten._softmax`, `aten._log_softmax`: exponentials that sum to one along a dimension.

use pteron_tensor::{DType, Shape};

use crate::args::dim_of;
use crate::catalogue::{Accuracy, OpDef};
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::kernels::softmax;
use crate::plan::{PlanContext, word};

const LOG: &str = "aten._log_softmax.default";

pub(crate) const OPS: &[OpDef] = &[
    OpDef::tensor(LOG, plan, reference).portable("aten::_log_softmax.out").accuracy(Accuracy::Accumulated),
    OpDef::tensor("aten._softmax.default", plan, reference)
        .portable("aten::_softmax.out")
        .accuracy(Accuracy::Accumulated),
];

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    let (count, stride) = count_and_stride(&input.shape, cx.int(1)?)?;
    check(input.dtype, cx.output_type(0)?)?;
    let output = cx.output(input.shape)?;
    let rows = input.numel().checked_div(count).unwrap_or(0);
    let params = softmax::Params { rows: word(rows), count: word(count), stride: word(stride) };
    let cooperative = count >= 32 && (stride == 1 || rows < 1024);
    let log = cx.name() == LOG;
    let variant = softmax::Variant { t: input.dtype.try_into()?, out: output.dtype.try_into()?, log, cooperative };
    let wg_size = cx.caps().lanes_for(rows, count);
    let launch = cx.dispatch(softmax::Bind { input, output, params }, variant);
    if cooperative { launch.overrides(softmax::Overrides { wg_size }).rows(rows) } else { launch.threads(rows) }
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    let (count, stride) = count_and_stride(input.shape(), cx.int(1)?)?;
    check(input.dtype(), cx.output_type(0)?)?;
    let log = cx.name() == LOG;
    let mut values = input.to_f64s();
    for block in values.chunks_mut((count * stride).max(1)) {
        for first in 0..stride {
            let row = || (first..block.len()).step_by(stride);
            let top = row().map(|at| block[at]).fold(f64::NEG_INFINITY, f64::max);
            let sum: f64 = row().map(|at| (block[at] - top).exp()).sum();
            for at in (first..block.len()).step_by(stride) {
                let value = block[at] - top;
                block[at] = if log { value - sum.ln() } else { value.exp() / sum };
            }
        }
    }
    cx.set_f64s(*input.shape(), values)
}

/// The size of the dimension, and the distance from one of its elements to the next.
fn count_and_stride(shape: &Shape, dim: i64) -> Result<(usize, usize)> {
    let dim = dim_of(shape, dim)?;
    Ok((shape.get(dim).copied().unwrap_or(1), shape.iter().skip(dim + 1).product()))
}

fn check(input: DType, output: DType) -> Result<()> {
    match [input, output].into_iter().find(|dtype| !dtype.is_float()) {
        Some(dtype) => Err(OpError::DType { dtype, what: "a softmax".to_owned() }),
        None => Ok(()),
    }
}
