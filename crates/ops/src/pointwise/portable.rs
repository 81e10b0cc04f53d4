//! Choices element by element that the exporter never delegates: portable kernels on the host.

use pteron_tensor::{DType, HostTensor, Shape};

use super::number::Operand;
use crate::broadcast;
use crate::catalogue::OpDef;
use crate::error::Result;
use crate::eval::Eval;

pub(crate) const OPS: &[OpDef] = &[
    OpDef::host("aten::clamp.Tensor_out", clamp),
    OpDef::host("aten::masked_fill.Scalar_out", masked_fill),
    OpDef::host("aten::nonzero.out", nonzero),
];

/// Arguments: input, lower bounds or null, upper bounds or null.
fn clamp(cx: &mut Eval<'_>) -> Result<()> {
    let input = Operand::Tensor(cx.tensor(0)?);
    let (low, high) = (cx.opt_tensor(1)?.map(Operand::Tensor), cx.opt_tensor(2)?.map(Operand::Tensor));
    let mut shape = input.shape();
    for bound in low.iter().chain(&high) {
        shape = broadcast::shape_of(&shape, &bound.shape())?;
    }
    let dtype = cx.output_type(0)?;
    let clamped = if dtype.is_float() {
        let (low, high) = (low.map(|low| low.floats(dtype, &shape)), high.map(|high| high.floats(dtype, &shape)));
        // A bound that is NaN gives NaN, like an element that is.
        let most = |a: f64, b: f64| if a.is_nan() || b.is_nan() { f64::NAN } else { a.max(b) };
        let least = |a: f64, b: f64| if a.is_nan() || b.is_nan() { f64::NAN } else { a.min(b) };
        HostTensor::from_f64s(dtype, shape, bounded(input.floats(dtype, &shape), low, high, most, least))?
    } else {
        let (low, high) = (low.map(|low| low.ints(dtype, &shape)), high.map(|high| high.ints(dtype, &shape)));
        HostTensor::from_i64s(dtype, shape, bounded(input.ints(dtype, &shape), low, high, i64::max, i64::min))?
    };
    cx.set(0, clamped)
}

fn bounded<T: Copy>(
    mut values: Vec<T>,
    low: Option<Vec<T>>,
    high: Option<Vec<T>>,
    most: impl Fn(T, T) -> T,
    least: impl Fn(T, T) -> T,
) -> Vec<T> {
    for (value, low) in values.iter_mut().zip(low.into_iter().flatten()) {
        *value = most(*value, low);
    }
    for (value, high) in values.iter_mut().zip(high.into_iter().flatten()) {
        *value = least(*value, high);
    }
    values
}

/// Arguments: input, mask, number.
fn masked_fill(cx: &mut Eval<'_>) -> Result<()> {
    let (input, mask) = (Operand::Tensor(cx.tensor(0)?), Operand::Tensor(cx.tensor(1)?));
    let number = Operand::<HostTensor>::read(cx, 2)?;
    let dtype = cx.output_type(0)?;
    let shape = broadcast::shape_of(&input.shape(), &mask.shape())?;
    let mask = mask.ints(DType::Bool, &shape);
    let filled = if dtype.is_float() {
        let number = number.floats(dtype, &Shape::SCALAR)[0];
        HostTensor::from_f64s(dtype, shape, replaced(input.floats(dtype, &shape), &mask, number))?
    } else {
        let number = number.ints(dtype, &Shape::SCALAR)[0];
        HostTensor::from_i64s(dtype, shape, replaced(input.ints(dtype, &shape), &mask, number))?
    };
    cx.set(0, filled)
}

fn replaced<T: Copy>(mut values: Vec<T>, mask: &[i64], number: T) -> Vec<T> {
    for (value, _) in values.iter_mut().zip(mask).filter(|(_, hit)| **hit != 0) {
        *value = number;
    }
    values
}

/// The coordinates of every element that is not zero, one row each.
fn nonzero(cx: &mut Eval<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    let (sizes, strides) = (input.shape(), input.shape().strides());
    let mut rows = 0;
    let mut coordinates = Vec::new();
    for (number, value) in input.to_f64s().into_iter().enumerate() {
        if value != 0.0 {
            rows += 1;
            coordinates.extend(sizes.iter().zip(strides).map(|(&size, stride)| (number / stride % size) as i64));
        }
    }
    cx.set(0, HostTensor::from_i64s(DType::I64, Shape::new(&[rows, sizes.rank()])?, coordinates)?)
}
