//! `aten::masked_select`, `aten::masked_scatter` and `aten::repeat_interleave`: what the contents of a tensor pick, and
//! how often. On the host, since they also decide sizes.

use pteron_tensor::{DType, HostTensor, Shape};

use crate::broadcast;
use crate::catalogue::OpDef;
use crate::error::{OpError, Result};
use crate::eval::Eval;

pub(crate) const OPS: &[OpDef] = &[
    OpDef::host("aten::masked_scatter.out", scatter),
    OpDef::host("aten::masked_select.out", select),
    OpDef::host("aten::repeat_interleave.Tensor_out", repeat),
];

/// The bytes of the first argument repeated to the shape that it and the mask, the second, have together; and the mask.
fn masked(cx: &Eval<'_>) -> Result<(HostTensor, Vec<bool>)> {
    let (input, mask) = (cx.tensor(0)?, cx.tensor(1)?);
    if !matches!(mask.dtype(), DType::Bool | DType::U8) {
        return Err(OpError::DType { dtype: mask.dtype(), what: "a mask".to_owned() });
    }
    let shape = broadcast::shape_of(input.shape(), mask.shape())?;
    let size = input.dtype().size();
    let places = broadcast::expand((0..input.numel()).collect(), input.shape(), &shape);
    let bytes: Vec<u8> = places.iter().flat_map(|at| &input.bytes()[at * size..][..size]).copied().collect();
    let mask = broadcast::expand(mask.to_i64s(), mask.shape(), &shape);
    let mask = mask.into_iter().map(|value| value != 0).collect();
    Ok((HostTensor::with_shape(input.dtype(), shape, bytes)?, mask))
}

fn select(cx: &mut Eval<'_>) -> Result<()> {
    let (input, mask) = masked(cx)?;
    let elements = input.bytes().chunks_exact(input.dtype().size()).zip(&mask).filter(|(_, chosen)| **chosen);
    let bytes: Vec<u8> = elements.flat_map(|(element, _)| element).copied().collect();
    let count = mask.iter().filter(|&&chosen| chosen).count();
    cx.set(0, HostTensor::with_shape(input.dtype(), Shape::new(&[count])?, bytes)?)
}

/// The elements that the mask names become those of the third argument, one after the other.
fn scatter(cx: &mut Eval<'_>) -> Result<()> {
    let (input, mask) = masked(cx)?;
    let source = cx.tensor(2)?;
    let count = mask.iter().filter(|&&chosen| chosen).count();
    if source.dtype() != input.dtype() || source.numel() < count {
        let (got, wanted) = (format!("{}{}", source.dtype(), source.shape()), input.dtype());
        return Err(OpError::Shape(format!("{got} does not give {count} elements of {wanted}")));
    }
    let size = input.dtype().size();
    let mut bytes = input.bytes().to_vec();
    let chosen = bytes.chunks_exact_mut(size).zip(mask).filter(|(_, chosen)| *chosen);
    for ((element, _), value) in chosen.zip(source.bytes().chunks_exact(size)) {
        element.copy_from_slice(value);
    }
    cx.set(0, HostTensor::with_shape(input.dtype(), *input.shape(), bytes)?)
}

/// The number of each element, as often as it says.
fn repeat(cx: &mut Eval<'_>) -> Result<()> {
    let repeats = cx.tensor(0)?;
    let wrong = || OpError::Shape(format!("{}{} cannot say how often", repeats.dtype(), repeats.shape()));
    if repeats.shape().rank() != 1 || !repeats.dtype().is_integer() {
        return Err(wrong());
    }
    let times = repeats.to_i64s().into_iter().map(|times| usize::try_from(times).map_err(|_| wrong()));
    let times = times.collect::<Result<Vec<_>>>()?;
    let shape = Shape::from_sizes([times.iter().fold(0, |sum: u64, &times| sum.saturating_add(times as u64))])?;
    let mut numbers = Vec::with_capacity(shape.numel());
    for (number, &times) in (0i64..).zip(&times) {
        numbers.extend(std::iter::repeat_n(number, times));
    }
    cx.set(0, HostTensor::from_i64s(repeats.dtype(), shape, numbers)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Arg;

    fn run(name: &str, args: Vec<HostTensor>) -> Result<HostTensor> {
        let op = OPS.iter().find(|op| op.name == name).unwrap();
        let args = args.into_iter().map(Arg::Tensor).collect();
        Ok(Eval::run(op, args, &[], &[DType::I64])?.outputs[0].clone())
    }

    #[test]
    fn masks_repeat_and_choose_in_order() {
        let input = HostTensor::from_slice(&[1i64, 2, 3], &[3]).unwrap();
        let mask = HostTensor::from_bools(&[true, false], &[2, 1]).unwrap();
        assert_eq!(run("aten::masked_select.out", vec![input.clone(), mask.clone()]).unwrap().to_i64s(), [1, 2, 3]);
        let source = HostTensor::from_slice(&[7i64, 8, 9, 10], &[4]).unwrap();
        let scattered = run("aten::masked_scatter.out", vec![input.clone(), mask.clone(), source]).unwrap();
        assert_eq!(scattered.to_i64s(), [7, 8, 9, 1, 2, 3]);
        let few = HostTensor::from_slice(&[7i64], &[1]).unwrap();
        assert!(run("aten::masked_scatter.out", vec![input, mask, few]).is_err());
    }

    #[test]
    fn numbers_come_as_often_as_they_say() {
        let repeats = HostTensor::from_slice(&[2i64, 0, 3], &[3]).unwrap();
        assert_eq!(run("aten::repeat_interleave.Tensor_out", vec![repeats]).unwrap().to_i64s(), [0, 0, 2, 2, 2]);
        let negative = HostTensor::from_slice(&[-1i64], &[1]).unwrap();
        assert!(run("aten::repeat_interleave.Tensor_out", vec![negative]).is_err());
    }
}
