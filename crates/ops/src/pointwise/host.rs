//! Portable operators element by element that the exporter never delegates in this form.

use pteron_tensor::{HostTensor, Shape};

use crate::args::dim_of;
use crate::catalogue::{Accuracy, OpDef};
use crate::error::{OpError, Result};
use crate::eval::Eval;

pub(crate) const OPS: &[OpDef] = &[
    OpDef::host("aten::empty.out", empty),
    OpDef::host("aten::fill.Tensor_out", fill),
    OpDef::host("aten::glu.out", glu).accuracy(Accuracy::Rounded),
    OpDef::host("aten::logit.out", logit).accuracy(Accuracy::Rounded),
];

/// What is unspecified is zero here.
fn empty(cx: &mut Eval<'_>) -> Result<()> {
    let sizes = cx.ints(0)?;
    let negative = || OpError::Shape(format!("{sizes:?} is no shape"));
    let sizes = sizes.iter().map(|&size| u64::try_from(size).map_err(|_| negative()));
    let shape = Shape::from_sizes(sizes.collect::<Result<Vec<_>>>()?)?;
    cx.set(0, HostTensor::zeros(cx.output_type(0)?, shape))
}

fn fill(cx: &mut Eval<'_>) -> Result<()> {
    let (input, value) = (cx.tensor(0)?, cx.tensor(1)?);
    if value.numel() != 1 {
        return Err(OpError::Shape(format!("{} is not one number to fill with", value.shape())));
    }
    let numel = input.numel();
    let filled = if value.dtype().is_float() {
        HostTensor::from_f64s(input.dtype(), *input.shape(), vec![value.to_f64s()[0]; numel])
    } else {
        HostTensor::from_i64s(input.dtype(), *input.shape(), vec![value.to_i64s()[0]; numel])
    };
    cx.set(0, filled?)
}

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

fn logit(cx: &mut Eval<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    let epsilon = cx.opt_float(1)?;
    let clamped = |x: f64| epsilon.map_or(x, |epsilon| x.max(epsilon).min(1.0 - epsilon));
    let values = input.to_f64s().into_iter().map(clamped).map(|x| (x / (1.0 - x)).ln()).collect();
    cx.set_f64s(*input.shape(), values)
}

#[cfg(test)]
mod tests {
    use pteron_tensor::DType;

    use super::*;
    use crate::args::Arg;

    fn run(name: &str, args: Vec<Arg<HostTensor>>) -> Vec<f64> {
        let op = OPS.iter().find(|op| op.name == name).unwrap();
        Eval::run(op, args, &[], &[DType::F64]).unwrap().outputs[0].to_f64s()
    }

    #[test]
    fn halves_gate_each_other() {
        let x = HostTensor::from_slice(&[1.0f64, 2.0, 0.0, 0.0, 3.0, 4.0, 0.0, 0.0], &[2, 2, 2]).unwrap();
        assert_eq!(run("aten::glu.out", vec![Arg::Tensor(x), Arg::Int(1)]), [0.5, 1.0, 1.5, 2.0]);
    }

    #[test]
    fn numbers_fill_and_map() {
        let x = HostTensor::from_slice(&[0.0f64, 0.5, 1.0], &[3]).unwrap();
        let value = HostTensor::scalar(7i64);
        assert_eq!(run("aten::fill.Tensor_out", vec![Arg::Tensor(x.clone()), Arg::Tensor(value)]), [7.0; 3]);
        assert_eq!(
            run("aten::logit.out", vec![Arg::Tensor(x.clone()), Arg::Null]),
            [f64::NEG_INFINITY, 0.0, f64::INFINITY]
        );
        let clamped = run("aten::logit.out", vec![Arg::Tensor(x), Arg::Double(0.25)]);
        assert!((clamped[0] + 3f64.ln()).abs() < 1e-12 && (clamped[2] - 3f64.ln()).abs() < 1e-12);
        let sizes = Arg::List(vec![Arg::Int(2), Arg::Int(3)]);
        assert_eq!(run("aten::empty.out", vec![sizes, Arg::Null]), [0.0; 6]);
    }
}
