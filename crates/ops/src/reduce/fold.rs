//! Sums, means, extremes and their positions over some dimensions: the rows of [`FOLDS`].

use pteron_tensor::{DType, HostTensor, Shape};

use super::walk::{Reduction, flag};
use crate::args::{Args, Described};
use crate::catalogue::{Accuracy, OpDef};
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::kernels::reduce;
use crate::plan::{Plan, word};

/// What becomes of the terms of a result.
#[derive(Clone, Copy, PartialEq)]
enum Fold {
    Sum,
    Mean,
    Max,
    Min,
    ArgMax,
    ArgMin,
}

const FOLDS: [(&str, &str, Fold); 6] = [
    ("aten.amax.default", "aten::amax.out", Fold::Max),
    ("aten.amin.default", "aten::amin.out", Fold::Min),
    ("aten.argmax.default", "aten::argmax.out", Fold::ArgMax),
    ("aten.argmin.default", "aten::argmin.out", Fold::ArgMin),
    ("aten.mean.dim", "aten::mean.out", Fold::Mean),
    ("aten.sum.dim_IntList", "aten::sum.IntList_out", Fold::Sum),
];

pub(crate) const OPS: &[OpDef] = &{
    let mut ops = [const { OpDef::tensor("", plan, reference) }; FOLDS.len()];
    let mut i = 0;
    while i < FOLDS.len() {
        let accuracy = match FOLDS[i].2 {
            Fold::Sum | Fold::Mean => Accuracy::Accumulated,
            Fold::Max | Fold::Min | Fold::ArgMax | Fold::ArgMin => Accuracy::Exact,
        };
        ops[i] = OpDef::tensor(FOLDS[i].0, plan, reference).portable(FOLDS[i].1).accuracy(accuracy);
        i += 1;
    }
    ops
};

fn plan(cx: &mut Plan<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    let (fold, reduction) = read(cx, cx.name(), &input.shape)?;
    check(fold, input.dtype, cx.output_type(0)?)?;
    let output = cx.output(reduction.output)?;
    let (outputs, count) = (reduction.kept.count, reduction.reduced.count);
    let params = reduce::Params {
        kept: reduction.kept.meta(),
        reduced: reduction.reduced.meta(),
        outputs: word(outputs),
        count: word(count),
        divisor: if fold == Fold::Mean { count as f32 } else { 1.0 },
        reverse: if matches!(fold, Fold::Min | Fold::ArgMin) { u32::MAX } else { 0 },
    };
    // Lanes of one result read neighbours when the reduced dimensions are innermost; else results do.
    let cooperative = count >= 32 && (reduction.reduced.is_contiguous() || outputs < 1024);
    let launch = cx
        .dispatch(reduce::Bind { input, output, params })
        .ty("T", input.dtype)
        .ty("OUT", output.dtype)
        .axis(
            "FOLD",
            match fold {
                Fold::Sum | Fold::Mean => "fold_sum",
                Fold::Max | Fold::Min => "fold_extreme",
                Fold::ArgMax | Fold::ArgMin => "fold_arg",
            },
        )
        .flag("COOPERATIVE", cooperative);
    if cooperative {
        launch.constant("WG_SIZE", if count > 512 { 256 } else { 64 }).rows(outputs)
    } else {
        launch.threads(outputs)
    }
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    let dtype = cx.output_type(0)?;
    let (fold, reduction) = read(cx, cx.name(), input.shape())?;
    check(fold, input.dtype(), dtype)?;
    let result = match fold {
        Fold::Sum | Fold::Mean if dtype.is_float() => {
            let divisor = if fold == Fold::Mean { reduction.reduced.count as f64 } else { 1.0 };
            let sums = reduction.map(&input.to_f64s(), |terms| terms.sum::<f64>() / divisor);
            HostTensor::from_f64s(dtype, reduction.output, sums)
        }
        Fold::Sum | Fold::Mean => {
            let sums = reduction.map(&input.to_i64s(), |terms| terms.fold(0, i64::wrapping_add));
            HostTensor::from_i64s(dtype, reduction.output, sums)
        }
        Fold::Max | Fold::Min => Ok(extremes(&input, &reduction, fold == Fold::Min)?.0),
        Fold::ArgMax | Fold::ArgMin => {
            let (_, numbers) = extremes(&input, &reduction, fold == Fold::ArgMin)?;
            HostTensor::from_i64s(dtype, reduction.output, numbers)
        }
    };
    cx.set(0, result?)
}

/// The row of the operator and its dimensions. Positions and extremes need something to choose from.
fn read<T: Described>(cx: &Args<'_, T>, name: &str, input: &Shape) -> Result<(Fold, Reduction)> {
    let no_row = || OpError::Unsupported(format!("{name} is no reduction"));
    let fold = FOLDS.iter().find(|row| row.0 == name).ok_or_else(no_row)?.2;
    let reduction = match fold {
        Fold::ArgMax | Fold::ArgMin if !cx.is_null(1) => Reduction::new(input, &[cx.int(1)?], flag(cx, 2)?)?,
        _ => Reduction::read(cx, input)?,
    };
    if !matches!(fold, Fold::Sum | Fold::Mean) {
        reduction.check_choice(input)?;
    }
    Ok((fold, reduction))
}

fn check(fold: Fold, input: DType, output: DType) -> Result<()> {
    let fits = match fold {
        Fold::Sum => output.is_float() || !input.is_float(),
        Fold::Mean => output.is_float(),
        Fold::Max | Fold::Min => output == input,
        Fold::ArgMax | Fold::ArgMin => matches!(output, DType::I32 | DType::I64),
    };
    if fits { Ok(()) } else { Err(OpError::DType { dtype: output, what: format!("a reduction of {input}") }) }
}

/// The largest or least elements and their numbers.
pub(super) fn extremes(input: &HostTensor, reduction: &Reduction, least: bool) -> Result<(HostTensor, Vec<i64>)> {
    let dtype = input.dtype();
    Ok(if dtype.is_float() {
        let (numbers, values): (Vec<_>, Vec<_>) =
            reduction.map(&input.to_f64s(), |terms| best(terms, least)).into_iter().unzip();
        (HostTensor::from_f64s(dtype, reduction.output, values)?, numbers)
    } else {
        let (numbers, values): (Vec<_>, Vec<_>) =
            reduction.map(&input.to_i64s(), |terms| best(terms, least)).into_iter().unzip();
        (HostTensor::from_i64s(dtype, reduction.output, values)?, numbers)
    })
}

/// The number and value of the largest or least term: the first of equals, or the first NaN.
fn best<T: Copy + PartialOrd + Default>(terms: &mut dyn Iterator<Item = T>, least: bool) -> (i64, T) {
    let mut terms = (0i64..).zip(terms);
    let first = terms.next().unwrap_or_default();
    terms.fold(first, |best, term| {
        #[expect(clippy::eq_op, reason = "only NaN differs from itself")]
        let (best_is_nan, term_is_nan) = (best.1 != best.1, term.1 != term.1);
        let beats = if least { term.1 < best.1 } else { term.1 > best.1 };
        if !best_is_nan && (term_is_nan || beats) { term } else { best }
    })
}
