//! Sums, products, means, extremes and their positions over some dimensions: the rows of [`FOLDS`].

use pteron_tensor::{DType, HostTensor, Shape};

use super::walk::{Reduction, Walk, flag};
use crate::args::{Args, Described};
use crate::catalogue::{Accuracy, OpDef};
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::kernels::reduce;
use crate::plan::{PlanContext, Tensor, is_byte, word};
use crate::pointwise::copy;
use crate::pointwise::number::Operand;

/// What becomes of the terms of a result.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Fold {
    Sum,
    Mean,
    Product,
    Max,
    Min,
    ArgMax,
    ArgMin,
    /// With what the count is less by before it divides.
    Variance {
        correction: f64,
    },
}

/// What an operator says about the dimensions that go.
#[derive(Clone, Copy, PartialEq)]
enum Dims {
    /// Some, and whether they stay as ones.
    Listed,
    /// Nothing: all go.
    All,
}

const FOLDS: [(&str, &str, Fold, Dims); 11] = [
    ("aten.amax.default", "aten::amax.out", Fold::Max, Dims::Listed),
    ("aten.amin.default", "aten::amin.out", Fold::Min, Dims::Listed),
    ("aten.argmax.default", "aten::argmax.out", Fold::ArgMax, Dims::Listed),
    ("aten.argmin.default", "aten::argmin.out", Fold::ArgMin, Dims::Listed),
    ("aten.max.default", "aten::max.unary_out", Fold::Max, Dims::All),
    ("aten.mean.default", "aten::mean.dtype_out", Fold::Mean, Dims::All),
    ("aten.mean.dim", "aten::mean.out", Fold::Mean, Dims::Listed),
    ("aten.min.default", "aten::min.unary_out", Fold::Min, Dims::All),
    ("aten.prod.default", "aten::prod.out", Fold::Product, Dims::All),
    ("aten.prod.dim_int", "aten::prod.int_out", Fold::Product, Dims::Listed),
    ("aten.sum.dim_IntList", "aten::sum.IntList_out", Fold::Sum, Dims::Listed),
];

pub(crate) const OPS: &[OpDef] = &{
    let mut ops = [const { OpDef::tensor("", plan, reference) }; FOLDS.len()];
    let mut i = 0;
    while i < FOLDS.len() {
        let accuracy = match FOLDS[i].2 {
            Fold::Sum | Fold::Mean | Fold::Product | Fold::Variance { .. } => Accuracy::Accumulated,
            Fold::Max | Fold::Min | Fold::ArgMax | Fold::ArgMin => Accuracy::Exact,
        };
        ops[i] = OpDef::tensor(FOLDS[i].0, plan, reference).portable(FOLDS[i].1).accuracy(accuracy);
        i += 1;
    }
    ops
};

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    let (fold, reduction) = read(cx, cx.name(), &input.shape)?;
    check(fold, input.dtype, cx.output_type(0)?)?;
    let output = cx.output(reduction.output)?;
    dispatch(cx, fold, &reduction, input, output)
}

/// Dispatches a fold of `input` into `output`, which have the types that the fold takes.
pub(super) fn dispatch(
    cx: &mut PlanContext<'_>,
    fold: Fold,
    reduction: &Reduction,
    input: Tensor,
    output: Tensor,
) -> Result<()> {
    // Bytes are folded as what they are in whole words.
    if is_byte(input.dtype) {
        let input = Operand::Tensor(input).place(cx, DType::I32)?;
        return dispatch(cx, fold, reduction, input, output);
    }
    if is_byte(output.dtype) {
        let folded = cx.scratch(DType::I32, output.shape)?;
        dispatch(cx, fold, reduction, input, folded)?;
        return copy::dispatch(cx, folded, output);
    }
    let (outputs, count) = (reduction.kept.count, reduction.reduced.count);
    #[expect(clippy::cast_possible_truncation, reason = "kernels divide in f32")]
    let divisor = match fold {
        Fold::Mean => count as f32,
        Fold::Variance { correction } => (count as f64 - correction).max(0.0) as f32,
        _ => 1.0,
    };
    let stage = Stage { fold, kept: &reduction.kept, reduced: &reduction.reduced, count, parts: 1, divisor };
    let parts = if outputs < 64 { count.div_ceil(PART).min(PARTS) } else { 1 };
    if parts < 2 || matches!(fold, Fold::Variance { .. }) {
        return stage.dispatch(cx, input, None, output);
    }
    let dtype = match fold {
        Fold::Sum | Fold::Mean | Fold::Product if output.dtype.is_float() => DType::F32,
        _ => output.dtype,
    };
    let partial = cx.scratch(dtype, Shape::new(&[outputs, parts])?)?;
    Stage { parts, divisor: 1.0, ..stage }.dispatch(cx, input, None, partial)?;
    if matches!(fold, Fold::ArgMax | Fold::ArgMin) {
        return Stage { count: parts, ..stage }.dispatch(cx, input, Some(partial), output);
    }
    let rows = Reduction::new(&partial.shape, &[1], false)?;
    let (kept, reduced) = (&rows.kept, &rows.reduced);
    Stage { kept, reduced, count: parts, ..stage }.dispatch(cx, partial, None, output)
}

/// Terms that are worth a workgroup of their own where there are few results, and the most such parts of a result.
const PART: usize = 8192;
const PARTS: usize = 256;

/// One pass over the terms: into parts of the results, or into the results.
#[derive(Clone, Copy)]
struct Stage<'a> {
    fold: Fold,
    kept: &'a Walk,
    reduced: &'a Walk,
    /// Terms of a result: elements of the input, or candidates.
    count: usize,
    parts: usize,
    /// What a sum is divided by.
    divisor: f32,
}

impl Stage<'_> {
    fn dispatch(
        self,
        cx: &mut PlanContext<'_>,
        input: Tensor,
        candidates: Option<Tensor>,
        output: Tensor,
    ) -> Result<()> {
        let Stage { fold, kept, reduced, count, parts, divisor } = self;
        let params = reduce::Params {
            kept: kept.meta(),
            reduced: reduced.meta(),
            outputs: word(kept.count),
            count: word(count),
            parts: word(parts),
            part_size: word(count.div_ceil(parts)),
            has_candidates: u32::from(candidates.is_some()),
            divisor,
            reverse: if matches!(fold, Fold::Min | Fold::ArgMin) { u32::MAX } else { 0 },
        };
        // Lanes of one result read neighbours when the reduced dimensions are innermost; else results do.
        let cooperative = parts > 1 || count >= 32 && (reduced.is_contiguous() || kept.count < 1024);
        // Without candidates the kernel does not read them.
        let traffic = input.bytes() + output.bytes();
        let variant = reduce::Variant {
            t: input.dtype.try_into()?,
            out: output.dtype.try_into()?,
            fold: match fold {
                Fold::Sum | Fold::Mean => reduce::Fold::Sum,
                Fold::Product => reduce::Fold::Product,
                Fold::Variance { .. } => reduce::Fold::Variance,
                Fold::Max | Fold::Min => reduce::Fold::Extreme,
                Fold::ArgMax | Fold::ArgMin => reduce::Fold::Arg,
            },
            cooperative,
        };
        let wg_size = cx.caps().lanes_for(kept.count * parts, count / parts);
        let launch = cx
            .dispatch(reduce::Bind { input, candidates: candidates.unwrap_or(input), output, params }, variant)
            .traffic(traffic);
        if cooperative {
            launch.overrides(reduce::Overrides { wg_size }).rows(kept.count * parts)
        } else {
            launch.threads(kept.count)
        }
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
        Fold::Product if dtype.is_float() => {
            let products = reduction.map(&input.to_f64s(), |terms| terms.product::<f64>());
            HostTensor::from_f64s(dtype, reduction.output, products)
        }
        Fold::Product => {
            let products = reduction.map(&input.to_i64s(), |terms| terms.fold(1, i64::wrapping_mul));
            HostTensor::from_i64s(dtype, reduction.output, products)
        }
        Fold::Variance { correction } => Ok(variances(&input, &reduction, correction, dtype)?.0),
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
    let &(_, _, fold, dims) = FOLDS.iter().find(|row| row.0 == name).ok_or_else(no_row)?;
    let reduction = match fold {
        _ if dims == Dims::All => Reduction::new(input, &[], false)?,
        Fold::ArgMax | Fold::ArgMin if !cx.is_null(1) => Reduction::new(input, &[cx.int(1)?], flag(cx, 2)?)?,
        _ => Reduction::read(cx, input)?,
    };
    if !matches!(fold, Fold::Sum | Fold::Mean | Fold::Product) {
        reduction.check_choice(input)?;
    }
    Ok((fold, reduction))
}

pub(super) fn check(fold: Fold, input: DType, output: DType) -> Result<()> {
    let fits = match fold {
        Fold::Sum | Fold::Product => output.is_float() || !input.is_float(),
        Fold::Mean | Fold::Variance { .. } => output.is_float(),
        Fold::Max | Fold::Min => output == input,
        Fold::ArgMax | Fold::ArgMin => matches!(output, DType::I32 | DType::I64),
    };
    if fits { Ok(()) } else { Err(OpError::DType { dtype: output, what: format!("a reduction of {input}") }) }
}

/// The variances, and the means.
pub(super) fn variances(
    input: &HostTensor,
    reduction: &Reduction,
    correction: f64,
    dtype: DType,
) -> Result<(HostTensor, HostTensor)> {
    let count = reduction.reduced.count as f64;
    let moments = reduction.map(&input.to_f64s(), |terms| {
        let terms: Vec<_> = terms.collect();
        let mean = terms.iter().sum::<f64>() / count;
        let squares: f64 = terms.iter().map(|x| (x - mean) * (x - mean)).sum();
        (squares / (count - correction).max(0.0), mean)
    });
    let (variances, means): (Vec<_>, Vec<_>) = moments.into_iter().unzip();
    let tensor = |values| HostTensor::from_f64s(dtype, reduction.output, values);
    Ok((tensor(variances)?, tensor(means)?))
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
