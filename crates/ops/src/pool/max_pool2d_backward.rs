//! `aten::max_pool2d_with_indices_backward.grad_input`: each gradient at the element that was the largest of its window.

use super::plane::Planes;
use crate::catalogue::{Accuracy, OpDef};
use crate::error::{OpError, Result};
use crate::eval::Eval;

pub(crate) const OPS: &[OpDef] =
    &[OpDef::host("aten::max_pool2d_with_indices_backward.grad_input", reference).accuracy(Accuracy::Accumulated)];

/// Arguments: gradient of the output, input, the five of the pooling, indices.
fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let (gradient, input, indices) = (cx.tensor(0)?, cx.tensor(1)?, cx.tensor(7)?);
    let (planes, out) = (Planes::of(input.shape())?, Planes::of(gradient.shape())?);
    if gradient.shape() != indices.shape() || planes.count != out.count {
        return Err(OpError::Shape(format!("{} is no pooling of {}", gradient.shape(), input.shape())));
    }
    let mut sums = vec![0.0; input.numel()];
    for (number, (gradient, index)) in gradient.to_f64s().into_iter().zip(indices.to_i64s()).enumerate() {
        let at = usize::try_from(index).ok().filter(|&at| at < planes.area());
        let at = at.ok_or(OpError::Index { index, limit: planes.area() as u64 })?;
        sums[number / out.area() * planes.area() + at] += gradient;
    }
    cx.set_f64s(*input.shape(), sums)
}

#[cfg(test)]
mod tests {
    use pteron_tensor::{DType, HostTensor};

    use super::*;
    use crate::args::Arg;

    #[test]
    fn overlapping_windows_add_up() {
        let gradient = HostTensor::from_slice(&[1.0f32, 2.0], &[1, 1, 2]).unwrap();
        let input = HostTensor::from_slice(&[0.0f32, 9.0, 0.0], &[1, 1, 3]).unwrap();
        let indices = HostTensor::from_slice(&[1i64, 1], &[1, 1, 2]).unwrap();
        let null = || Arg::Null;
        let args = vec![
            Arg::Tensor(gradient),
            Arg::Tensor(input),
            null(),
            null(),
            null(),
            null(),
            null(),
            Arg::Tensor(indices),
        ];
        let result = Eval::run(&OPS[0], args, &[], &[DType::F32]).unwrap();
        assert_eq!(result.outputs[0].to_f64s(), [0.0, 3.0, 0.0]);
    }
}
