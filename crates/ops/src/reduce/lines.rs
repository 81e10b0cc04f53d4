//! What the exporter never delegates and goes along the lines of one dimension: running sums, and the best few.

use std::cmp::Ordering;

use pteron_tensor::{DType, HostTensor, Shape};

use super::walk::Reduction;
use crate::args::dim_of;
use crate::catalogue::{Accuracy, OpDef};
use crate::error::{OpError, Result};
use crate::eval::Eval;

pub(crate) const OPS: &[OpDef] =
    &[OpDef::host("aten::cumsum.out", cumsum).accuracy(Accuracy::Accumulated), OpDef::host("aten::topk.values", topk)];

fn cumsum(cx: &mut Eval<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    let lines = Reduction::new(input.shape(), &[cx.int(1)?], false)?;
    let dtype = cx.output_type(0)?;
    let sums = if dtype.is_float() {
        HostTensor::from_f64s(dtype, *input.shape(), running(&lines, input.to_f64s(), |a, b| a + b))?
    } else {
        HostTensor::from_i64s(dtype, *input.shape(), running(&lines, input.to_i64s(), i64::wrapping_add))?
    };
    cx.set(0, sums)
}

fn running<T: Copy>(lines: &Reduction, mut values: Vec<T>, add: fn(T, T) -> T) -> Vec<T> {
    for line in 0..lines.kept.count {
        let mut sum = None;
        for offset in lines.terms(line) {
            let next = sum.map_or(values[offset], |sum| add(sum, values[offset]));
            (values[offset], sum) = (next, Some(next));
        }
    }
    values
}

/// Arguments: input, k, dim, largest, sorted. What need not be sorted is sorted too.
fn topk(cx: &mut Eval<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    let dim = cx.int_or(2, -1)?;
    let largest = cx.is_null(3) || cx.bool(3)?;
    let axis = dim_of(input.shape(), dim)?;
    let size = input.shape().get(axis).copied().unwrap_or(1);
    let wanted = cx.int(1)?;
    let count = usize::try_from(wanted).ok().filter(|&count| count <= size);
    let count = count.ok_or_else(|| OpError::Shape(format!("a line of {size} elements has no best {wanted}")))?;
    let lines = Reduction::new(input.shape(), &[dim], false)?;
    let dtype = input.dtype();
    if input.shape().rank() == 0 && count == 0 {
        return Err(OpError::Shape("the best 0 of a single number have no shape".to_owned()));
    }
    let shape = if input.shape().rank() == 0 { Shape::SCALAR } else { input.shape().with(axis, count)? };
    let results = Reduction::new(&shape, &[dim], false)?;
    // NaN is larger than every number, as in PyTorch.
    let floats = |a: &f64, b: &f64| a.partial_cmp(b).unwrap_or_else(|| a.is_nan().cmp(&b.is_nan()));
    let (values, places) = if dtype.is_float() {
        let (values, places) = best(&lines, &results, count, largest, &input.to_f64s(), floats);
        (HostTensor::from_f64s(dtype, shape, values)?, places)
    } else {
        let (values, places) = best(&lines, &results, count, largest, &input.to_i64s(), Ord::cmp);
        (HostTensor::from_i64s(dtype, shape, values)?, places)
    };
    cx.set(0, values)?;
    cx.set(1, HostTensor::from_i64s(DType::I64, shape, places)?)
}

/// The best `count` of every line, best first and of equals the first, with their places in the line.
fn best<T: Copy + Default>(
    lines: &Reduction,
    results: &Reduction,
    count: usize,
    largest: bool,
    input: &[T],
    compare: impl Fn(&T, &T) -> Ordering,
) -> (Vec<T>, Vec<i64>) {
    let total = lines.kept.count * count;
    let (mut values, mut places) = (vec![T::default(); total], vec![0; total]);
    for line in 0..lines.kept.count {
        let mut ranked: Vec<(i64, T)> = (0..).zip(lines.terms(line).map(|offset| input[offset])).collect();
        ranked.sort_by(|a, b| if largest { compare(&b.1, &a.1) } else { compare(&a.1, &b.1) });
        for (offset, (place, value)) in results.terms(line).zip(ranked) {
            (values[offset], places[offset]) = (value, place);
        }
    }
    (values, places)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Arg;
    use crate::catalogue::lookup_portable;

    fn best_of(values: &[f32], shape: &[usize], count: i64, largest: bool) -> Result<(Vec<f64>, Vec<i64>)> {
        let input = Arg::Tensor(HostTensor::from_slice(values, shape).unwrap());
        let args = vec![input, Arg::Int(count), Arg::Int(-1), Arg::Bool(largest)];
        let op = lookup_portable("aten::topk.values").unwrap();
        let outputs = Eval::run(op, args, &[], &[DType::F32, DType::I64])?.outputs;
        Ok((outputs[0].to_f64s(), outputs[1].to_i64s()))
    }

    #[test]
    fn nan_is_the_largest_and_the_first_of_equals_comes_first() {
        let values = [1.0, f32::NAN, 3.0, 3.0, -2.0];
        assert_eq!(best_of(&values, &[5], 3, true).unwrap().1, [1, 2, 3]);
        assert_eq!(best_of(&values, &[5], 5, false).unwrap().1, [4, 0, 2, 3, 1]);
    }

    #[test]
    fn a_single_number_is_its_own_best() {
        assert_eq!(best_of(&[2.5], &[], 1, true), Ok((vec![2.5], vec![0])));
        for count in [-1, 0, 2] {
            assert!(best_of(&[2.5], &[], count, true).is_err(), "{count}");
        }
        assert!(best_of(&[1.0, 2.0], &[2], 3, true).is_err());
    }
}
