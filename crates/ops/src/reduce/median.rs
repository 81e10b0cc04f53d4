//! `aten::median` and `aten::nanmedian`: the element in the middle of a line, of two the smaller, and where it is.

use std::cmp::Ordering;

use pteron_tensor::{DType, HostTensor};

use super::sort::in_order;
use super::walk::{Reduction, flag};
use crate::catalogue::OpDef;
use crate::error::Result;
use crate::eval::Eval;

const WHOLE: &str = "aten::median.out";
const WHOLE_WITHOUT_NAN: &str = "aten::nanmedian.out";
const LINES_WITHOUT_NAN: &str = "aten::nanmedian.dim_values";

pub(crate) const OPS: &[OpDef] = &[
    OpDef::host(WHOLE, reference),
    OpDef::host("aten::median.dim_values", reference),
    OpDef::host(WHOLE_WITHOUT_NAN, reference),
    OpDef::host(LINES_WITHOUT_NAN, reference),
];

/// Arguments of the median of lines: input, dim, keepdim; that of a whole tensor has no places.
fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    let whole = matches!(cx.name(), WHOLE | WHOLE_WITHOUT_NAN);
    let skip_nan = matches!(cx.name(), WHOLE_WITHOUT_NAN | LINES_WITHOUT_NAN);
    let lines = match whole {
        true => Reduction::new(input.shape(), &[], false)?,
        false => Reduction::new(input.shape(), &[cx.int_or(1, -1)?], flag(cx, 2)?)?,
    };
    let dtype = input.dtype();
    let (values, places) = if dtype.is_float() {
        let compare = |a: &f64, b: &f64| a.partial_cmp(b).unwrap_or_else(|| a.is_nan().cmp(&b.is_nan()));
        let found = lines.map(&input.to_f64s(), |line| middle(line, skip_nan, |value| value.is_nan(), compare));
        let (values, places): (Vec<_>, Vec<_>) = found.into_iter().map(|found| found.unwrap_or((f64::NAN, 0))).unzip();
        (HostTensor::from_f64s(dtype, lines.output, values)?, places)
    } else {
        lines.check_choice(input.shape())?;
        let found = lines.map(&input.to_i64s(), |line| middle(line, false, |_| false, Ord::cmp));
        let (values, places): (Vec<_>, Vec<_>) = found.into_iter().map(Option::unwrap_or_default).unzip();
        (HostTensor::from_i64s(dtype, lines.output, values)?, places)
    };
    cx.set(0, values)?;
    if whole {
        return Ok(());
    }
    lines.check_choice(input.shape())?;
    cx.set(1, HostTensor::from_i64s(DType::I64, lines.output, places)?)
}

/// The middle of a line and its place. A NaN is the middle of a line that has one, unless they are skipped.
fn middle<T: Copy>(
    line: &mut dyn Iterator<Item = T>,
    skip_nan: bool,
    is_nan: impl Fn(T) -> bool,
    compare: impl Fn(&T, &T) -> Ordering,
) -> Option<(T, i64)> {
    let line: Vec<T> = line.collect();
    let order = in_order(line.len(), &|a, b| compare(&line[a], &line[b]));
    let numbers = line.iter().filter(|value| !is_nan(**value)).count();
    let at = if numbers == order.len() || skip_nan && numbers > 0 { numbers.checked_sub(1)? / 2 } else { numbers };
    order.get(at).map(|&place| (line[place], place as i64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Arg;
    use crate::catalogue::lookup_portable;

    fn run(name: &str, values: &[f32], shape: &[usize], args: &[Arg<HostTensor>]) -> Result<Vec<HostTensor>> {
        let input = Arg::Tensor(HostTensor::from_slice(values, shape).unwrap());
        let outputs: &[DType] = if args.is_empty() { &[DType::F32] } else { &[DType::F32, DType::I64] };
        let args = [input].into_iter().chain(args.iter().cloned()).collect();
        Ok(Eval::run(lookup_portable(name).unwrap(), args, &[], outputs)?.outputs)
    }

    #[test]
    fn of_two_in_the_middle_the_smaller_is_taken() {
        assert_eq!(run(WHOLE, &[4.0, 1.0, 3.0, 2.0], &[2, 2], &[]).unwrap()[0].to_f64s(), [2.0]);
        let rows =
            run("aten::median.dim_values", &[4.0, 1.0, 3.0, 9.0, 7.0, 8.0], &[2, 3], &[Arg::Int(1), Arg::Bool(true)]);
        let rows = rows.unwrap();
        assert_eq!((rows[0].to_f64s(), rows[1].to_i64s()), (vec![3.0, 8.0], vec![2, 2]));
        assert_eq!(&**rows[0].shape(), [2, 1]);
    }

    #[test]
    fn nan_counts_unless_it_is_skipped() {
        let values = [f32::NAN, 3.0, 1.0, 2.0, f32::NAN];
        assert!(run(WHOLE, &values, &[5], &[]).unwrap()[0].to_f64s()[0].is_nan());
        assert_eq!(run(WHOLE_WITHOUT_NAN, &values, &[5], &[]).unwrap()[0].to_f64s(), [2.0]);
        let found = run("aten::median.dim_values", &values, &[5], &[Arg::Int(0)]).unwrap();
        assert_eq!(found[1].to_i64s(), [0]);
        assert!(run(WHOLE, &[], &[0], &[]).unwrap()[0].to_f64s()[0].is_nan());
        assert!(run("aten::median.dim_values", &[], &[2, 0], &[Arg::Int(1)]).is_err());
        let none = run(LINES_WITHOUT_NAN, &[f32::NAN; 2], &[2], &[Arg::Int(0)]).unwrap();
        assert!(none[0].to_f64s()[0].is_nan());
    }
}
