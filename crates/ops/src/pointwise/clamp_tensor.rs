//! `aten.clamp.Tensor`: bounds that differ from element to element.

use pteron_tensor::{DType, HostTensor, Shape};

use super::elementwise;
use super::number::Operand;
use crate::args::{Args, Described};
use crate::broadcast;
use crate::catalogue::OpDef;
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::plan::PlanContext;

pub(crate) const OPS: &[OpDef] =
    &[OpDef::tensor("aten.clamp.Tensor", plan, reference).portable("aten::clamp.Tensor_out")];

/// Arguments: input, lower bounds or null, upper bounds or null.
struct Call<T> {
    input: Operand<T>,
    low: Option<Operand<T>>,
    high: Option<Operand<T>>,
    shape: Shape,
}

impl<T: Described> Call<T> {
    fn read(args: &Args<'_, T>, dtype: DType) -> Result<Call<T>> {
        let input = Operand::Tensor(args.tensor(0)?);
        let [low, high] = [args.opt_tensor(1)?.map(Operand::Tensor), args.opt_tensor(2)?.map(Operand::Tensor)];
        let mut shape = input.shape();
        for operand in [Some(&input), low.as_ref(), high.as_ref()].into_iter().flatten() {
            operand.check(dtype)?;
            shape = broadcast::shape_of(&shape, &operand.shape())?;
        }
        if low.is_none() && high.is_none() {
            return Err(OpError::Unsupported("a clamp without a bound".to_owned()));
        }
        Ok(Call { input, low, high, shape })
    }
}

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let dtype = cx.output_type(0)?;
    let Call { input, low, high, shape } = Call::read(cx, dtype)?;
    let mut raised = input.place(cx, dtype)?;
    if let Some(low) = low {
        let low = low.place(cx, dtype)?;
        let result = if high.is_some() { cx.scratch(dtype, shape)? } else { cx.output(shape)? };
        elementwise::dispatch_extreme(cx, false, raised, low, result)?;
        raised = result;
    }
    if let Some(high) = high {
        let high = high.place(cx, dtype)?;
        let output = cx.output(shape)?;
        elementwise::dispatch_extreme(cx, true, raised, high, output)?;
    }
    Ok(())
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let dtype = cx.output_type(0)?;
    let Call { input, low, high, shape } = Call::read(cx, dtype)?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Arg;

    #[test]
    fn the_upper_bound_wins_and_nan_stays() {
        let float = |values: &[f32]| Arg::Tensor(HostTensor::from_slice(values, &[values.len()]).unwrap());
        let args = vec![float(&[1.0, f32::NAN, -4.0]), float(&[2.0, 0.0, f32::NAN]), float(&[0.5])];
        let clamped = Eval::run(&OPS[0], args, &[], &[DType::F32]).unwrap();
        let clamped = clamped.outputs[0].as_slice::<f32>().unwrap();
        assert_eq!(clamped[0], 0.5);
        assert!(clamped[1].is_nan() && clamped[2].is_nan());
    }
}
