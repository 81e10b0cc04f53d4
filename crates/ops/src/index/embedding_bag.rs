//! `aten::_embedding_bag`: sums, means or maxima of the rows of a table that bags of indices name.

use pteron_tensor::{DType, HostTensor, Shape};

use super::take::Range;
use crate::catalogue::{Accuracy, OpDef};
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::reduce::walk::flag;

const FORWARD: &str = "aten::_embedding_bag_forward_only.out";

pub(crate) const OPS: &[OpDef] = &[
    OpDef::host("aten::_embedding_bag.out", reference).accuracy(Accuracy::Accumulated),
    OpDef::host(FORWARD, reference).accuracy(Accuracy::Accumulated),
];

/// What becomes of the rows of a bag.
#[derive(Clone, Copy, PartialEq)]
enum Mode {
    Sum,
    Mean,
    Max,
}

/// Arguments: table, indices, offsets, `scale_grad_by_freq`, mode, sparse, a weight for each index, whether the last offset
/// is an end, and the row that counts for nothing.
fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let (table, indices, offsets) = (cx.tensor(0)?, cx.tensor(1)?, cx.tensor(2)?);
    let &[limit, columns] = table.shape().dims() else {
        return Err(OpError::Shape(format!("a table of {} does not have rank 2", table.shape())));
    };
    let mode = match cx.int_or(4, 0)? {
        0 => Mode::Sum,
        1 => Mode::Mean,
        2 => Mode::Max,
        other => return Err(OpError::Unsupported(format!("bags of mode {other}"))),
    };
    let weights = cx.opt_tensor(6)?;
    let padding = usize::try_from(cx.int_or(8, -1)?).ok();
    let rows = Range { limit, from_end: false }.resolve(&indices)?;
    let scales = weights.as_ref().map(HostTensor::to_f64s).unwrap_or_else(|| vec![1.0; rows.len()]);
    if scales.len() != rows.len() || (weights.is_some() && mode != Mode::Sum) {
        return Err(OpError::Shape(format!("{} weights for {} indices of a sum", scales.len(), rows.len())));
    }
    let bags = bags(&offsets, rows.len(), flag(cx, 7)?)?;
    // PyTorch's quick kernel for the CPU ends the last bag where the last offset says; all that it does otherwise, counting
    // for a mean among it, takes what follows for part of that bag.
    let quick =
        mode != Mode::Max && padding.is_none() && matches!(table.dtype(), DType::F32 | DType::F16 | DType::BF16);
    let values = table.to_f64s();
    let shape = Shape::new(&[bags.len(), columns])?;
    let mut output = vec![0.0; shape.numel()];
    let (mut owners, mut sizes) = (vec![0; rows.len()], vec![0i64; bags.len()]);
    let mut best = vec![0i64; shape.numel()];
    for (bag, named) in bags.iter().enumerate() {
        let (result, best) = (&mut output[bag * columns..][..columns], &mut best[bag * columns..][..columns]);
        let all = if bag + 1 == bags.len() { named.start..rows.len() } else { named.clone() };
        owners[all.clone()].fill(bag as i64);
        let size = rows[all.clone()].iter().filter(|&&row| Some(row) != padding).count();
        let taken = if quick { named.clone() } else { all };
        let mut is_first = true;
        for (&row, scale) in rows[taken.clone()].iter().zip(&scales[taken]).filter(|(row, _)| Some(**row) != padding) {
            cx.clock().count(columns)?;
            let line = &values[row * columns..][..columns];
            for ((sum, best), value) in result.iter_mut().zip(best.iter_mut()).zip(line) {
                match mode {
                    Mode::Max if !is_first && *value <= *sum => {}
                    Mode::Max => (*sum, *best) = (*value, row as i64),
                    Mode::Sum | Mode::Mean => *sum += scale * value,
                }
            }
            is_first = false;
        }
        // Sums have no sizes.
        if mode != Mode::Sum {
            sizes[bag] = size as i64;
        }
        if mode == Mode::Mean && size > 0 {
            result.iter_mut().for_each(|sum| *sum /= size as f64);
        }
    }
    let count = bags.len();
    cx.set_f64s(shape, output)?;
    // What is left out of these, and their sizes, follow PyTorch's own kernel for the CPU.
    let owners = if mode == Mode::Sum && quick { Vec::new() } else { owners };
    set_integers(cx, 1, &[owners.len()], owners)?;
    let counted = if cx.name() == FORWARD { offsets.numel() } else { count };
    sizes.resize(counted, 0);
    set_integers(cx, 2, &[counted], sizes)?;
    match mode {
        Mode::Max => set_integers(cx, 3, &[count, columns], best),
        Mode::Sum | Mode::Mean => set_integers(cx, 3, &[count], vec![0; count]),
    }
}

fn set_integers(cx: &mut Eval<'_>, output: usize, dims: &[usize], values: Vec<i64>) -> Result<()> {
    cx.set(output, HostTensor::from_i64s(cx.output_type(output)?, Shape::new(dims)?, values)?)
}

/// The indices that offsets give each bag: from its offset to the next.
fn bags(offsets: &HostTensor, indices: usize, last_is_end: bool) -> Result<Vec<std::ops::Range<usize>>> {
    let starts = offsets.to_i64s();
    let wrong = || OpError::Shape(format!("offsets of {indices} indices go from 0 upwards, and these are {starts:?}"));
    let starts: Vec<_> =
        starts.iter().map(|&start| usize::try_from(start)).collect::<Result<_, _>>().map_err(|_| wrong())?;
    let end = (!last_is_end).then_some(indices);
    let ends = starts.iter().skip(1).copied().chain(end);
    let bags: Vec<_> = starts.iter().zip(ends).map(|(&start, end)| start..end).collect();
    let ordered = starts.first().is_none_or(|&first| first == 0)
        && bags.iter().all(|bag| bag.start <= bag.end && bag.end <= indices);
    if ordered { Ok(bags) } else { Err(wrong()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Arg;
    use crate::catalogue::lookup_portable;

    fn run(indices: &[i64], offsets: &[i64], mode: i64, padding: i64) -> Result<Vec<HostTensor>> {
        let table = HostTensor::from_slice(&[1.0f32, 2.0, 3.0, -4.0, 5.0, 6.0], &[3, 2]).unwrap();
        run_with(table, indices, offsets, mode, padding)
    }

    fn run_with(
        table: HostTensor,
        indices: &[i64],
        offsets: &[i64],
        mode: i64,
        padding: i64,
    ) -> Result<Vec<HostTensor>> {
        let integers = |values: &[i64]| Arg::Tensor(HostTensor::from_slice(values, &[values.len()]).unwrap());
        let [off, on] = [false, true].map(Arg::Bool);
        let args = vec![
            Arg::Tensor(table),
            integers(indices),
            integers(offsets),
            off.clone(),
            Arg::Int(mode),
            off,
            Arg::Null,
            on,
            Arg::Int(padding),
        ];
        let types = [DType::F32, DType::I64, DType::I64, DType::I64];
        Ok(Eval::run(lookup_portable("aten::_embedding_bag.out").unwrap(), args, &[], &types)?.outputs)
    }

    #[test]
    fn bags_may_be_empty_and_a_row_may_count_for_nothing() {
        let sums = run(&[0, 1, 2, 2], &[0, 2, 2, 4], 0, -1).unwrap();
        assert_eq!(sums[0].to_f64s(), [4.0, -2.0, 0.0, 0.0, 10.0, 12.0]);
        let means = run(&[0, 1, 2, 2], &[0, 3, 4], 1, 0).unwrap();
        assert_eq!(means[0].to_f64s(), [4.0, 1.0, 5.0, 6.0]);
        assert_eq!((means[1].to_i64s(), means[2].to_i64s()), (vec![0, 0, 0, 1], vec![2, 1]));
        let largest = run(&[1, 0, 2], &[0, 2, 3], 2, -1).unwrap();
        assert_eq!(largest[0].to_f64s(), [3.0, 2.0, 5.0, 6.0]);
        assert_eq!(largest[3].to_i64s(), [1, 0, 2, 2]);
    }

    /// What PyTorch 2.14 gives where the last offset is not the number of indices, as its documentation asks.
    #[test]
    fn indices_after_the_last_offset_are_pytorchs() {
        let table = |dtype| HostTensor::from_f64s(dtype, Shape::new(&[3, 1]).unwrap(), [1.0, 3.0, 8.0]).unwrap();
        for (dtype, mode, padding, expected, sizes) in [
            (DType::F32, 0, -1, [1.0, 3.0], [0, 0]),
            (DType::F32, 1, -1, [1.0, 1.0], [1, 3]),
            (DType::F64, 0, -1, [1.0, 12.0], [0, 0]),
            (DType::F64, 1, -1, [1.0, 4.0], [1, 3]),
            (DType::F32, 1, 0, [0.0, 5.5], [0, 2]),
            (DType::F32, 2, -1, [1.0, 8.0], [1, 3]),
        ] {
            let outputs = run_with(table(dtype), &[0, 1, 2, 0], &[0, 1, 2], mode, padding).unwrap();
            assert_eq!(outputs[0].to_f64s(), expected, "{dtype:?} {mode} {padding}");
            assert_eq!(outputs[2].to_i64s(), sizes, "{dtype:?} {mode} {padding}");
        }
    }

    #[test]
    fn bags_hold_no_more_than_allowed() {
        let table = HostTensor::zeros(DType::F32, Shape::new(&[1, 1 << 20]).unwrap());
        let refused = Shape::at_most(1 << 24, || run_with(table, &[], &[0; 1 << 20], 0, -1));
        assert!(matches!(refused, Err(OpError::BadShape(_))), "{refused:?}");
    }

    #[test]
    fn wrong_indices_and_offsets_are_refused() {
        assert!(run(&[3], &[0, 1], 0, -1).is_err());
        for offsets in [&[1, 1][..], &[0, 2], &[0, 1, 0], &[0, -1]] {
            assert!(run(&[0], offsets, 0, -1).is_err(), "{offsets:?}");
        }
    }
}
