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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Arg;
    use crate::catalogue::lookup_portable;

    fn run(name: &str, args: Vec<Arg<HostTensor>>, dtype: DType) -> Result<HostTensor> {
        let evaluated = Eval::run(lookup_portable(name).unwrap(), args, &[], &[dtype])?;
        Ok(evaluated.outputs[0].clone())
    }

    #[test]
    fn masks_broadcast_and_numbers_take_the_type() {
        let input = Arg::Tensor(HostTensor::from_slice(&[1i32, 2, 3], &[3, 1]).unwrap());
        let mask = HostTensor::from_slice(&[0u8, 1], &[2]).unwrap().cast(DType::Bool);
        let args = vec![input, Arg::Tensor(mask), Arg::Double(-7.0)];
        let filled = run("aten::masked_fill.Scalar_out", args, DType::I32).unwrap();
        assert_eq!(&**filled.shape(), [3, 2]);
        assert_eq!(filled.as_slice::<i32>().unwrap(), [1, -7, 2, -7, 3, -7]);
    }

    #[test]
    fn the_upper_bound_wins_and_nan_stays() {
        let float = |values: &[f32]| Arg::Tensor(HostTensor::from_slice(values, &[values.len()]).unwrap());
        let args = vec![float(&[1.0, f32::NAN, -4.0]), float(&[2.0, 0.0, f32::NAN]), float(&[0.5])];
        let clamped = run("aten::clamp.Tensor_out", args, DType::F32).unwrap();
        let clamped = clamped.as_slice::<f32>().unwrap();
        assert_eq!(clamped[0], 0.5);
        assert!(clamped[1].is_nan() && clamped[2].is_nan());
    }

    #[test]
    fn a_number_that_is_not_zero_is_one_row_of_no_coordinates() {
        for (value, rows) in [(0.0, 0), (f64::NAN, 1)] {
            let input = Arg::Tensor(HostTensor::from_f64s(DType::F64, Shape::SCALAR, [value]).unwrap());
            assert_eq!(&**run("aten::nonzero.out", vec![input], DType::I64).unwrap().shape(), [rows, 0]);
        }
    }
}
