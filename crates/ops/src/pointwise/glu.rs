//! `aten::glu.out`: half of a dimension, gated by the other half.

use crate::args::dim_of;
use crate::catalogue::{Accuracy, OpDef};
use crate::error::{OpError, Result};
use crate::eval::Eval;

pub(crate) const OPS: &[OpDef] = &[OpDef::host("aten::glu.out", glu).accuracy(Accuracy::Rounded)];

/// The first half of a dimension times the logistic function of the second.
fn glu(cx: &mut Eval<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    let shape = *input.shape();
    let dim = dim_of(&shape, cx.int_or(1, -1)?)?;
    let half = shape.get(dim).copied().filter(|size| size % 2 == 0).map(|size| size / 2);
    let half = half.ok_or_else(|| OpError::Shape(format!("dimension {dim} of {shape} has no halves")))?;
    let (values, inner) = (input.to_f64s(), shape[dim + 1..].iter().product::<usize>());
    let block = half * inner;
    let mut result = Vec::with_capacity(values.len() / 2);
    for pair in values.chunks_exact((2 * block).max(1)) {
        let (first, second) = pair.split_at(block);
        result.extend(first.iter().zip(second).map(|(a, b)| a / (1.0 + (-b).exp())));
    }
    cx.set_f64s(shape.with(dim, half)?, result)
}

#[cfg(test)]
mod tests {
    use pteron_tensor::{DType, HostTensor};

    use super::*;
    use crate::args::Arg;

    #[test]
    fn halves_gate_each_other() {
        let x = HostTensor::from_slice(&[1.0f64, 2.0, 0.0, 0.0, 3.0, 4.0, 0.0, 0.0], &[2, 2, 2]).unwrap();
        let gated = Eval::run(&OPS[0], vec![Arg::Tensor(x), Arg::Int(1)], &[], &[DType::F64]).unwrap();
        assert_eq!(gated.outputs[0].to_f64s(), [0.5, 1.0, 1.5, 2.0]);
    }
}
