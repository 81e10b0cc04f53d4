//! `aten.sort` and `aten.topk`: the elements of a line in order, or the first few of them, and where they were.

use std::cmp::Ordering;

use pteron_tensor::{DType, HostTensor, Shape};

use super::walk::Reduction;
use crate::args::{Args, Described, dim_of};
use crate::catalogue::OpDef;
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::kernels::{merged_runs, rank, sorted_runs, sorted_values};
use crate::plan::{PlanContext, Tensor, is_byte, word};
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

/// Elements of a line that are compared each with all; longer ones are sorted in runs, which are merged.
const LONG: usize = 1024;
/// Elements of a run that one workgroup sorts.
const RUN: usize = 512;

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
    let mut call = Call::read(cx.name(), cx)?;
    let (values, places) = (cx.output_at(0, call.shape)?, cx.output_at(1, call.shape)?);
    let bytes = is_byte(call.input.dtype);
    call.input = if bytes { Operand::Tensor(call.input).place(cx, DType::I32)? } else { call.input };
    let sorted = if bytes { cx.scratch(DType::I32, call.shape)? } else { values };
    // Pages compare every element with all, and download no more kernels.
    if !cfg!(target_arch = "wasm32") && call.length > LONG.min(cx.caps().max_rounds as usize) {
        in_runs(cx, &call, sorted, places)?;
    } else {
        by_rank(cx, &call, sorted, places)?;
    }
    if bytes { copy::dispatch(cx, sorted, values) } else { Ok(()) }
}

/// Counts for each element those that come before it.
fn by_rank(cx: &mut PlanContext<'_>, call: &Call<Tensor>, values: Tensor, places: Tensor) -> Result<()> {
    let &Call { input, stride, length, count, descending, .. } = call;
    let params = rank::Params {
        numel: word(input.numel()),
        length: word(length),
        count: word(count),
        stride: word(stride),
        descending: u32::from(descending),
        reverse: 0,
    };
    let variant = rank::Variant { t: input.dtype.try_into()? };
    cx.dispatch(rank::Bind { input, values, places, params }, variant).threads(input.numel())
}

/// Sorts runs, and merges them until a line is one.
fn in_runs(cx: &mut PlanContext<'_>, call: &Call<Tensor>, values: Tensor, places: Tensor) -> Result<()> {
    let &Call { input, stride, length, count, descending, .. } = call;
    let [numel, runs] = [input.numel(), length.div_ceil(RUN)];
    let lines = Shape::new(&[numel / length, length])?;
    // Keys and places, of runs and of what they become.
    let mut sorted = [cx.scratch(DType::I32, lines)?, cx.scratch(DType::I32, lines)?];
    let mut merged = [cx.scratch(DType::I32, lines)?, cx.scratch(DType::I32, lines)?];
    let params = sorted_runs::Params {
        length: word(length),
        runs: word(runs),
        total: word(numel / length * runs),
        stride: word(stride),
        flip: if descending { u32::MAX } else { 0 },
        reverse: 0,
    };
    let variant = sorted_runs::Variant { t: input.dtype.try_into()? };
    let [keys, found] = sorted;
    cx.dispatch(sorted_runs::Bind { input, keys, places: found, params }, variant).rows(numel / length * runs)?;
    let mut run = RUN;
    while run < length {
        let ([keys, found], [merged_keys, merged_places]) = (sorted, merged);
        let params = merged_runs::Params { numel: word(numel), length: word(length), run: word(run) };
        let bind = merged_runs::Bind { keys, places: found, merged_keys, merged_places, params };
        cx.dispatch(bind, merged_runs::Variant {}).threads(numel)?;
        std::mem::swap(&mut sorted, &mut merged);
        run *= 2;
    }
    let numel = word(values.numel());
    let params = sorted_values::Params { numel, length: word(length), count: word(count), stride: word(stride) };
    let variant = sorted_values::Variant { t: input.dtype.try_into()? };
    let bind = sorted_values::Bind { input, sorted: sorted[1], values, places, params };
    cx.dispatch(bind, variant).threads(values.numel())
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
    use crate::plan::{Place, Sharing};

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
    fn long_rows_are_merged_and_those_that_a_device_cannot_go_through() {
        let launches = |length: usize, max_rounds: u32| {
            let shape = Shape::new(&[2, length]).unwrap();
            let tensor = Tensor { place: Place::Value(0), dtype: DType::F32, shape, window: None };
            let args = vec![Arg::Tensor(tensor), Arg::Int(-1), Arg::Bool(false)];
            let caps = Caps { max_rounds, ..Caps::webgpu_minimum() };
            let planned = PlanContext::run(&OPS[0], args, &[], &[DType::F32, DType::I32], &caps, 0, Sharing::default());
            planned.unwrap().dispatches.len()
        };
        assert_eq!(launches(LONG, u32::MAX), 1);
        // Runs, merges, and the values.
        assert_eq!(launches(LONG + 1, u32::MAX), 1 + 2 + 1);
        assert_eq!(launches(128_256, u32::MAX), 1 + 8 + 1);
        assert_eq!([launches(10, 10), launches(11, 10)], [1, 2]);
    }
}
