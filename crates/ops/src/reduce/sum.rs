//! `aten::sum.IntList_out`: the sum over some dimensions.

use pteron_tensor::HostTensor;

use super::walk::Reduction;
use crate::catalogue::{Accuracy, OpDef};
use crate::error::Result;
use crate::eval::Eval;

pub(crate) const OPS: &[OpDef] = &[OpDef::host("aten::sum.IntList_out", reference).accuracy(Accuracy::Accumulated)];

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    let reduction = Reduction::new(cx, input.shape())?;
    let dtype = cx.output_type(0)?;
    let sums = if input.dtype().is_float() {
        let sums = reduction.fold(input.shape(), &input.to_f64s(), 0.0, |a, b| a + b);
        HostTensor::from_f64s(dtype, reduction.output, sums)
    } else {
        let sums = reduction.fold(input.shape(), &input.to_i64s(), 0, i64::wrapping_add);
        HostTensor::from_i64s(dtype, reduction.output, sums)
    };
    cx.set(0, sums?)
}
