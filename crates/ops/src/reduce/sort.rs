//! `aten.sort` and `aten.topk`: the elements of a line in order, or the first few of them, and where they were.

use std::cmp::Ordering;

use pteron_tensor::{DType, HostTensor, Shape};

use super::walk::Reduction;
use crate::args::{Args, Described, dim_of};
use crate::catalogue::OpDef;
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::kernels::rank;
use crate::plan::{PlanContext, is_byte, word};
use crate::pointwise::copy;
use crate::pointwise::number::Operand;
use crate::reduce::walk::flag;

const SORT: &str = "aten.sort.default";
const STABLE: &str = "aten.sort.stable";

pub(crate) const OPS: &[OpDef] = &[
    OpDef::tensor(SORT, plan, reference).portable("aten::sort.values"),
    OpDef::tensor(STABLE, plan, reference).portable("aten::sort.values_stable"),
    OpDef::tensor("aten.topk.default", plan, reference).portable("aten::topk.values"),
];

/// What is ordered, and how much of it is wanted. Equal elements stay in order, whether or not that is asked for.
struct Call<T> {
    input: T,
    dim: i64,
    /// The distance from one element of a line to the next, and its length.
    stride: usize,
    length: usize,
    count: usize,
    descending: bool,
    shape: Shape,
}

impl<T: Described> Call<T> {
    /// Arguments of a sort: input, dim, descending; of a stable one stable comes second. Of the best few: input, k, dim,
    /// largest, sorted. What need not be sorted is sorted too.
    fn read(name: &str, cx: &Args<'_, T>) -> Result<Call<T>> {
        let input = cx.tensor(0)?;
        let (dim, descending) = match name {
            SORT => (cx.int_or(1, -1)?, flag(cx, 2)?),
            STABLE => (cx.int_or(2, -1)?, flag(cx, 3)?),
            _ => (cx.int_or(2, -1)?, cx.is_null(3) || cx.bool(3)?),
        };
        let shape = *input.shape();
        let axis = dim_of(&shape, dim)?;
        let length = shape.get(axis).copied().unwrap_or(1);
        let stride = shape.strides()[axis].max(1);
        if matches!(name, SORT | STABLE) {
            return Ok(Call { input, dim, stride, length, count: length, descending, shape });
        }
        let wanted = cx.int(1)?;
        let count = usize::try_from(wanted).ok().filter(|&count| count <= length);
        let count = count.ok_or_else(|| OpError::Shape(format!("a line of {length} elements has no best {wanted}")))?;
        if shape.rank() == 0 && count == 0 {
            return Err(OpError::Shape("the best 0 of a single number have no shape".to_owned()));
        }
        let shape = if shape.rank() == 0 { shape } else { shape.with(axis, count)? };
        Ok(Call { input, dim, stride, length, count, descending, shape })
    }
}

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let Call { input, stride, length, count, descending, shape, .. } = Call::read(cx.name(), cx)?;
    let (values, places) = (cx.output_at(0, shape)?, cx.output_at(1, shape)?);
    let bytes = is_byte(input.dtype);
    let numbers = if bytes { Operand::Tensor(input).place(cx, DType::I32)? } else { input };
    let sorted = if bytes { cx.scratch(DType::I32, shape)? } else { values };
    let params = rank::Params {
        numel: word(input.numel()),
        length: word(length),
        count: word(count),
        stride: word(stride),
        descending: u32::from(descending),
        reverse: 0,
    };
    let variant = rank::Variant { t: numbers.dtype.try_into()? };
    cx.dispatch(rank::Bind { input: numbers, values: sorted, places, params }, variant)
        .rounds(length)
        .threads(input.numel())?;
    if bytes { copy::dispatch(cx, sorted, values) } else { Ok(()) }
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let Call { input, dim, count, descending, shape, .. } = Call::read(cx.name(), cx)?;
    let (lines, results) = (Reduction::new(input.shape(), &[dim], false)?, Reduction::new(&shape, &[dim], false)?);
    // NaN is larger than every number, as in PyTorch.
    let floats = |a: &f64, b: &f64| a.partial_cmp(b).unwrap_or_else(|| a.is_nan().cmp(&b.is_nan()));
    let dtype = input.dtype();
    let (values, places) = if dtype.is_float() {
        let (values, places) = sorted(&lines, &results, count, descending, &input.to_f64s(), floats);
        (HostTensor::from_f64s(dtype, shape, values)?, places)
    } else {
        let (values, places) = sorted(&lines, &results, count, descending, &input.to_i64s(), Ord::cmp);
        (HostTensor::from_i64s(dtype, shape, values)?, places)
    };
    cx.set(0, values)?;
    cx.set(1, HostTensor::from_i64s(DType::I64, shape, places)?)
}

/// The first `count` of every line in order, of equals the first, with their places in the line.
fn sorted<T: Copy + Default>(
    lines: &Reduction,
    results: &Reduction,
    count: usize,
    descending: bool,
    input: &[T],
    compare: impl Fn(&T, &T) -> Ordering,
) -> (Vec<T>, Vec<i64>) {
    let total = lines.kept.count * count;
    let (mut values, mut places) = (vec![T::default(); total], vec![0; total]);
    // There may be any number of lines without elements.
    let filled = if total == 0 { 0 } else { lines.kept.count };
    for line in 0..filled {
        let line_values: Vec<T> = lines.terms(line).map(|offset| input[offset]).collect();
        let order = in_order(line_values.len(), &|a, b| {
            let (a, b) = if descending { (b, a) } else { (a, b) };
            compare(&line_values[a], &line_values[b])
        });
        for (offset, place) in results.terms(line).zip(order) {
            (values[offset], places[offset]) = (line_values[place], place as i64);
        }
    }
    (values, places)
}

/// The numbers below `count` in the order of what they stand for; equals stay as they are. One sort for all types of
/// elements.
pub(super) fn in_order(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|&a, &b| compare(a, b));
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Arg;
    use crate::caps::Caps;
    use crate::catalogue::lookup_portable;
    use crate::plan::{Place, Sharing, Tensor};

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

    #[test]
    fn a_stable_sort_names_its_dimension_later() {
        let input = Arg::Tensor(HostTensor::from_slice(&[3i64, 1, 2, 1], &[2, 2]).unwrap());
        let args = vec![input, Arg::Bool(true), Arg::Int(0), Arg::Bool(true)];
        let op = lookup_portable("aten::sort.values_stable").unwrap();
        let outputs = Eval::run(op, args, &[], &[DType::I64, DType::I64]).unwrap().outputs;
        assert_eq!(outputs[0].to_i64s(), [3, 1, 2, 1]);
        assert_eq!(outputs[1].to_i64s(), [0, 0, 1, 1]);
    }

    #[test]
    fn a_device_that_ends_loops_sorts_no_longer_rows() {
        let sorted = |length: usize| {
            let shape = Shape::new(&[2, length]).unwrap();
            let tensor = Tensor { place: Place::Value(0), dtype: DType::F32, shape, window: None };
            let args = vec![Arg::Tensor(tensor), Arg::Int(-1), Arg::Bool(false)];
            let caps = Caps { max_rounds: 10, ..Caps::webgpu_minimum() };
            PlanContext::run(&OPS[0], args, &[], &[DType::F32, DType::I32], &caps, 0, Sharing::default())
        };
        assert_eq!(sorted(10).unwrap().dispatches.len(), 1);
        assert!(matches!(sorted(11), Err(OpError::Limit(_))));
    }
}
