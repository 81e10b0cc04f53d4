//! Tensors made of numbers: one number everywhere, or a number and its successors.

use pteron_tensor::{DType, HostTensor, Shape};

use super::number::Number;
use crate::args::{Args, Described};
use crate::catalogue::{Accuracy, OpDef};
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::kernels::ramp;
use crate::plan::{PlanContext, Tensor, word};
use crate::sym::{IntArg, Scalar, SymId};

pub(crate) const OPS: &[OpDef] = &[
    OpDef::tensor("aten.arange.default", plan, reference).portable("aten::arange.out").accuracy(Accuracy::Rounded),
    OpDef::tensor("aten.arange.start", plan, reference).accuracy(Accuracy::Rounded),
    OpDef::tensor("aten.arange.start_step", plan, reference)
        .portable("aten::arange.start_out")
        .accuracy(Accuracy::Rounded),
    OpDef::tensor("aten.empty.memory_format", plan, reference).portable("aten::empty.out"),
    OpDef::tensor("aten.fill.Scalar", plan, reference).portable("aten::fill.Scalar_out"),
    OpDef::tensor("aten.full.default", plan, reference).portable("aten::full.out"),
    OpDef::tensor("aten.full_like.default", plan, reference).portable("aten::full_like.out"),
    OpDef::tensor("aten.ones.default", plan, reference).portable("aten::ones.out"),
    OpDef::tensor("aten.ones_like.default", plan, reference).portable("aten::ones_like.out"),
    OpDef::tensor("aten.scalar_tensor.default", plan, reference).portable("aten::scalar_tensor.out"),
    OpDef::tensor("aten.zeros.default", plan, reference).portable("aten::zeros.out"),
    OpDef::tensor("aten.zeros_like.default", plan, reference).portable("aten::zeros_like.out"),
    OpDef::tensor("dim_order_ops._empty_dim_order.default", plan, reference)
        .portable("dim_order_ops::_empty_dim_order.out"),
];

/// What a call makes: element i is `start + i · step`.
struct Ramp {
    shape: Shape,
    start: Number,
    /// Where the start comes from a symbolic integer, that integer.
    symbol: Option<SymId>,
    step: Number,
}

impl Ramp {
    fn read<T: Described>(name: &str, args: &Args<'_, T>) -> Result<Ramp> {
        let number = |index| Number::read(args, index);
        let like = || Ok::<_, OpError>(*args.tensor(0)?.shape());
        let filled = |shape, start| Ok(Ramp { shape, start, symbol: None, step: Number::Int(0) });
        match name {
            // What is unspecified is zero here.
            "aten.zeros.default" | "aten.empty.memory_format" | "dim_order_ops._empty_dim_order.default" => {
                filled(sizes(args)?, Number::Int(0))
            }
            "aten.ones.default" => filled(sizes(args)?, Number::Int(1)),
            "aten.zeros_like.default" => filled(like()?, Number::Int(0)),
            "aten.ones_like.default" => filled(like()?, Number::Int(1)),
            "aten.full.default" => Ramp::of(args, sizes(args)?, 1),
            "aten.fill.Scalar" | "aten.full_like.default" => Ramp::of(args, like()?, 1),
            "aten.scalar_tensor.default" => Ramp::of(args, Shape::SCALAR, 0),
            "aten.arange.default" => Ramp::range(Number::Int(0), number(0)?, Number::Int(1)),
            "aten.arange.start" => Ramp::range(number(0)?, number(1)?, Number::Int(1)),
            _ => Ramp::range(number(0)?, number(1)?, Number::read_or(args, 2, 1.0)?),
        }
    }

    /// One number everywhere. A symbolic one travels with the call: it shapes nothing.
    fn of<T: Described>(args: &Args<'_, T>, shape: Shape, index: usize) -> Result<Ramp> {
        let (start, symbol) = match args.int_arg(index) {
            Ok(arg @ IntArg::Sym(id)) => (Number::Int(arg.eval(args.syms())?), Some(id)),
            _ => (Number::read(args, index)?, None),
        };
        Ok(Ramp { shape, start, symbol, step: Number::Int(0) })
    }

    fn range(start: Number, end: Number, step: Number) -> Result<Ramp> {
        let span = || format!("a range from {} to {} by {}", start.float(), end.float(), step.float());
        let length = match (start, end, step) {
            (_, _, step) if step.float() == 0.0 => return Err(OpError::Shape(format!("{} never ends", span()))),
            _ if (end.float() - start.float()) * step.float() < 0.0 => {
                return Err(OpError::Shape(format!("{} leads away from its end", span())));
            }
            (Number::Int(start), Number::Int(end), Number::Int(step)) => {
                let (distance, step) = (i128::from(end) - i128::from(start), i128::from(step));
                let partial = distance % step != 0 && (distance < 0) == (step < 0);
                (distance / step + i128::from(partial)) as f64
            }
            _ => ((end.float() - start.float()) / step.float()).ceil(),
        };
        if !(0.0..=u32::MAX.into()).contains(&length) {
            return Err(OpError::Shape(format!("{} has {length} elements", span())));
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the range was just checked")]
        let shape = Shape::from_sizes([length as u64])?;
        Ok(Ramp { shape, start, symbol: None, step })
    }
}

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let ramp = Ramp::read(cx.name(), cx)?;
    let output = cx.output(ramp.shape)?;
    dispatch(cx, output, ramp.start, ramp.step, ramp.symbol)
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let Ramp { shape, start, step, .. } = Ramp::read(cx.name(), cx)?;
    let dtype = cx.output_type(0)?;
    let result = match dtype {
        DType::Bool => HostTensor::from_f64s(dtype, shape, (0..shape.numel()).map(|_| start.float()))?,
        _ if dtype.is_float() => {
            let values = (0..shape.numel())
                .map(|i| if i == 0 { start.float() } else { start.float() + i as f64 * step.float() });
            HostTensor::from_f64s(dtype, shape, values)?
        }
        _ => {
            let (start, step) = (start.rounded(dtype), step.rounded(dtype));
            let values = (0i64..).take(shape.numel()).map(|i| start.int().wrapping_add(i.wrapping_mul(step.int())));
            HostTensor::from_i64s(dtype, shape, values)?
        }
    };
    cx.set(0, result)
}

/// Dispatches a ramp into a tensor. The start is `symbol` where there is one.
pub(crate) fn dispatch(
    cx: &mut PlanContext<'_>,
    output: Tensor,
    start: Number,
    step: Number,
    symbol: Option<SymId>,
) -> Result<()> {
    let params = ramp::Params {
        numel: word(output.numel()),
        symbolic: u32::from(symbol.is_some()),
        truth: u32::from(output.dtype == DType::Bool),
        start: start.f32(),
        step: step.f32(),
        // A fraction is as true as any other number.
        int_start: if output.dtype == DType::Bool { i32::from(start.float() != 0.0) } else { start.i32() },
        int_step: step.i32(),
    };
    let call = ramp::Call { start: Scalar::Int(symbol.map_or(IntArg::Known(0), IntArg::Sym)) };
    let variant = ramp::Variant { t: output.dtype.try_into()? };
    cx.dispatch(ramp::Bind { output, params, call }, variant).threads(output.numel().div_ceil(4))
}

/// The sizes that the first argument lists.
fn sizes<T: Described>(args: &Args<'_, T>) -> Result<Shape> {
    let sizes = args.ints(0)?;
    let size = |&size: &i64| u64::try_from(size).map_err(|_| OpError::Shape(format!("{sizes:?} are no sizes")));
    Ok(Shape::from_sizes(sizes.iter().map(size).collect::<Result<Vec<_>>>()?)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_have_the_length_that_python_gives_them() {
        let int = Number::Int;
        for (start, end, step, expected) in
            [(0, 5, 1, 5), (0, 5, 2, 3), (1, 5, 2, 2), (5, 0, -1, 5), (5, 0, -2, 3), (5, 1, -2, 2), (3, 3, 1, 0)]
        {
            let ramp = Ramp::range(int(start), int(end), int(step)).unwrap();
            assert_eq!(ramp.shape.dims(), [expected], "{start}..{end} by {step}");
        }
        assert_eq!(Ramp::range(Number::Float(0.5), int(2), Number::Float(0.5)).unwrap().shape.dims(), [3]);
        for (start, end, step) in [(0, 1, 0), (0, 5, -1), (i64::MIN, i64::MAX, 1)] {
            assert!(Ramp::range(int(start), int(end), int(step)).is_err(), "{start}..{end} by {step}");
        }
    }
}
