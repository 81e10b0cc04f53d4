//! The operators of the pointwise tables: one plan and one reference for all rows.

use pteron_tensor::{DType, HostTensor, Shape};

use super::complex;
use super::number::{Number, Operand};
use super::rows::{BINARY, Formula, Precision, Row, UNARY};
use crate::args::{Args, Described};
use crate::broadcast;
use crate::catalogue::{Accuracy, OpDef};
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::kernels::elementwise::{Bind, Expression, Params, R, Variant, Walk};
use crate::plan::{PlanContext, Tensor, lanes, word};

pub(crate) const OPS: &[OpDef] = &ops::<{ count(UNARY) + count(BINARY) }>();

const fn count(rows: &[Row]) -> usize {
    let (mut total, mut i) = (0, 0);
    while i < rows.len() {
        total += rows[i].names.len();
        i += 1;
    }
    total
}

const fn ops<const N: usize>() -> [OpDef; N] {
    let mut ops = [const { OpDef::tensor("", plan, reference) }; N];
    let mut at = 0;
    let mut i = 0;
    while i < UNARY.len() + BINARY.len() {
        let row = if i < UNARY.len() { &UNARY[i] } else { &BINARY[i - UNARY.len()] };
        let accuracy = match row.precision {
            Precision::Exact => Accuracy::Exact,
            Precision::Rounded => Accuracy::Rounded,
            Precision::Approximate => Accuracy::Approximate,
        };
        let mut j = 0;
        while j < row.names.len() {
            let (name, portable) = row.names[j];
            ops[at] = OpDef::tensor(name, plan, reference).portable(portable).accuracy(accuracy);
            at += 1;
            j += 1;
        }
        i += 1;
    }
    ops
}

/// A call: its row, its operands, and the type that it computes in.
struct Call<T> {
    row: &'static Row,
    a: Operand<T>,
    b: Operand<T>,
    /// `alpha`, or `q`.
    last: Number,
    computed_in: DType,
    shape: Shape,
}

impl<T: Described> Call<T> {
    fn read(args: &Args<'_, T>, name: &str, output: DType) -> Result<Call<T>> {
        let a = Operand::read(args, 0)?;
        let (row, unary) = find(name, mode(args), a.dtype())?;
        let (b, last) = if unary {
            // A mode stands where the numbers are.
            let number = |index, default| match args.str(index) {
                Ok(_) => Ok(Number::Float(default)),
                Err(_) => Number::read_or(args, index, default),
            };
            (Operand::Number(number(1, row.numbers.0)?), number(2, row.numbers.1)?)
        } else {
            let alpha = if args.str(2).is_ok() { Number::Int(1) } else { Number::read_or(args, 2, 1.0)? };
            (Operand::read(args, 1)?, alpha)
        };
        if row.expression == Expression::Elu && Number::read_or(args, 3, 1.0)?.float() != 1.0 {
            return Err(OpError::Unsupported("an input scale other than 1".to_owned()));
        }
        let computed_in = match a.dtype() {
            Some(dtype) if row.truth && unary => dtype,
            _ if row.truth => promoted(&a, &b),
            _ => output,
        };
        a.check(computed_in)?;
        b.check(computed_in)?;
        let formula = if computed_in.is_float() { row.float.is_some() } else { row.int.is_some() };
        if !formula {
            return Err(OpError::DType { dtype: computed_in, what: name.to_owned() });
        }
        if row.truth && output != DType::Bool {
            return Err(OpError::DType { dtype: output, what: format!("the result of {name}") });
        }
        // A comparison rounds its number to the type of the tensor; arithmetic on 16-bit floats does not.
        let stored = if computed_in == DType::F16 && !row.truth { DType::F32 } else { computed_in };
        let b = match b {
            Operand::Number(number) => Operand::Number(number.rounded(stored)),
            tensor => tensor,
        };
        let last = last.rounded(stored);
        let shape = broadcast::shape_of(&a.shape(), &b.shape())?;
        Ok(Call { row, a, b, last, computed_in, shape })
    }
}

pub(super) fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let call = Call::read(cx, cx.name(), cx.output_type(0)?)?;
    let output = cx.output(call.shape)?;
    let a = call.a.place(cx, call.computed_in)?;
    let (b, number) = match call.b {
        Operand::Number(number) => (None, number),
        tensor => (Some(tensor.place(cx, call.computed_in)?), Number::Int(0)),
    };
    dispatch(cx, call.row.expression, call.row.truth, (a, b), [number, call.last], output)
}

/// Dispatches the larger or smaller of two tensors of the output's type, which broadcast to its shape.
pub(super) fn dispatch_extreme(
    cx: &mut PlanContext<'_>,
    least: bool,
    a: Tensor,
    b: Tensor,
    output: Tensor,
) -> Result<()> {
    let expression = if least { Expression::Minimum } else { Expression::Maximum };
    dispatch(cx, expression, false, (a, Some(b)), [Number::Int(0); 2], output)
}

/// Dispatches the elements of a tensor of the output's type, repeated to its shape.
pub(crate) fn dispatch_repeated(cx: &mut PlanContext<'_>, input: Tensor, output: Tensor) -> Result<()> {
    dispatch(cx, Expression::Copy, false, (input, Some(input)), [Number::Int(0); 2], output)
}

/// Dispatches a row over one or two tensors of one type, which broadcast to the output's shape.
fn dispatch(
    cx: &mut PlanContext<'_>,
    expression: Expression,
    truth: bool,
    (a, b): (Tensor, Option<Tensor>),
    [number, last]: [Number; 2],
    output: Tensor,
) -> Result<()> {
    let shape = output.shape;
    let operands = || [Some(a), b].into_iter().flatten();
    let same = |x: &Shape| x.numel() == shape.numel();
    let flat = operands().all(|x| x.numel() == 1 || same(&x.shape));
    let quad = operands().all(|x| same(&x.shape)) && shape.numel().is_multiple_of(4);
    let steps = |x: &Shape| {
        if flat { lanes([u32::from(x.numel() != 1)]) } else { lanes(broadcast::strides(x, &shape).map(word)) }
    };
    let params = Params {
        out: output.meta(),
        a_steps: steps(&a.shape),
        b_steps: b.map_or_else(Default::default, |b| steps(&b.shape)),
        numbers: [number.f32(), last.f32()],
        int_numbers: [number.i32(), last.i32()],
        signed: u32::from(a.dtype == DType::I8),
        truth: u32::from(output.dtype == DType::Bool),
    };
    let traffic = operands().chain([output]).map(|tensor| tensor.bytes()).sum();
    let variant = Variant {
        t: a.dtype.try_into()?,
        r: if truth { R::Truth } else { R::Same },
        walk: match b {
            None => Walk::One,
            Some(_) if flat => Walk::Flat,
            Some(_) => Walk::Strided,
        },
        quad,
        expression,
    };
    cx.dispatch(Bind { a, b: b.unwrap_or(a), output, params }, variant)
        .traffic(traffic)
        .threads(shape.numel().div_ceil(4))
}

pub(super) fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let dtype = cx.output_type(0)?;
    let is_complex = |index| matches!(cx.opt_tensor(index), Ok(Some(tensor)) if tensor.dtype().is_complex());
    if is_complex(0) || is_complex(1) || dtype.is_complex() {
        return complex::reference(cx);
    }
    let Call { row, a, b, last, computed_in, shape } = Call::read(cx, cx.name(), dtype)?;
    let result = match (row.float, row.int) {
        (Some(Formula { rust, .. }), _) if computed_in.is_float() => {
            let pairs = a.floats(computed_in, &shape).into_iter().zip(b.floats(computed_in, &shape));
            HostTensor::from_f64s(dtype, shape, pairs.map(|(a, b)| rust(a, b, last.float())))?
        }
        (_, Some(Formula { rust, .. })) => {
            let pairs = a.ints(computed_in, &shape).into_iter().zip(b.ints(computed_in, &shape));
            HostTensor::from_i64s(dtype, shape, pairs.map(|(a, b)| rust(a, b, last.int())))?
        }
        _ => return Err(OpError::DType { dtype: computed_in, what: cx.name().to_owned() }),
    };
    cx.set(0, result)
}

/// The string argument that chooses between rows: a rounding mode, or an approximation.
fn mode<'a, T: Described>(args: &'a Args<'_, T>) -> &'a str {
    (1..args.len()).find_map(|index| args.str(index).ok()).unwrap_or("")
}

/// The row of an operator in a mode, and whether it has one operand.
fn find(name: &str, mode: &str, dtype: Option<DType>) -> Result<(&'static Row, bool)> {
    // The bits of a truth value beyond the first are not its own.
    let name = match (name, dtype) {
        ("aten.bitwise_not.default", Some(DType::Bool)) => "aten.logical_not.default",
        _ => name,
    };
    let fits = |row: &&Row| {
        let named = row.names.iter().any(|names| names.0 == name) || row.also.contains(&name);
        named && (row.modes.is_empty() || row.modes.contains(&mode))
    };
    let unary = UNARY.iter().find(fits).map(|row| (row, true));
    unary
        .or_else(|| BINARY.iter().find(fits).map(|row| (row, false)))
        .ok_or_else(|| OpError::Unsupported(format!("{name} in mode {mode:?}")))
}

/// The type in which two operands are compared.
fn promoted<T: Described>(a: &Operand<T>, b: &Operand<T>) -> DType {
    let tensors = || [a, b].into_iter().filter_map(|operand| operand.dtype());
    let fraction = [a, b].into_iter().any(|operand| matches!(operand, Operand::Number(number) if !number.is_whole()));
    let mut types = tensors();
    match (types.next(), types.next()) {
        (Some(dtype), None) if dtype.is_float() => dtype,
        (Some(dtype), Some(other)) if dtype == other && !fraction => dtype,
        _ if tensors().any(|dtype| dtype == DType::F64) => DType::F64,
        _ if fraction || tensors().any(DType::is_float) => DType::F32,
        // A number may lie outside the range of bytes.
        _ if tensors().all(|dtype| matches!(dtype, DType::Bool | DType::U8 | DType::I8 | DType::I32)) => DType::I32,
        _ => DType::I64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Arg;
    use crate::caps::Caps;
    use crate::catalogue::lookup;
    use crate::plan::{Place, Sharing};
    use crate::sym::{Observation, SymId};

    fn refused(name: &str, operands: &[DType], output: DType) -> (OpError, OpError) {
        let op = lookup(name).unwrap();
        let shape = Shape::new(&[3]).unwrap();
        let tensor = |(id, &dtype)| Arg::Tensor(Tensor { place: Place::Value(id), dtype, shape, window: None });
        let args = (0u32..).zip(operands).map(tensor).collect();
        let planned =
            PlanContext::run(op, args, &[], &[output], &Caps::webgpu_minimum(), 0, Sharing::default()).unwrap_err();
        let args = operands.iter().map(|&dtype| Arg::Tensor(HostTensor::zeros(dtype, shape))).collect();
        (planned, Eval::run(op, args, &[], &[output]).unwrap_err())
    }

    #[test]
    fn plan_and_reference_refuse_the_same() {
        for (name, operands, output) in [
            ("aten.bitwise_and.Tensor", &[DType::F32, DType::F32][..], DType::F32),
            ("aten.add.Tensor", &[DType::F32, DType::I32], DType::I32),
            ("aten.eq.Tensor", &[DType::I32, DType::I32], DType::I32),
            ("aten.exp.default", &[DType::I32], DType::I32),
            ("aten.mul.Tensor", &[DType::F32], DType::F32),
        ] {
            let (planned, evaluated) = refused(name, operands, output);
            assert_eq!(planned, evaluated, "{name}");
        }
    }

    #[test]
    fn a_symbolic_number_is_part_of_the_plan() {
        let op = lookup("aten.mul.Tensor").unwrap();
        let shape = Shape::new(&[2]).unwrap();
        let tensor = Tensor { place: Place::Value(0), dtype: DType::F32, shape, window: None };
        let args = vec![Arg::Tensor(tensor), Arg::Sym(SymId(0))];
        let plan =
            PlanContext::run(op, args, &[5], &[DType::F32], &Caps::webgpu_minimum(), 0, Sharing::default()).unwrap();
        assert!(plan.observed.contains(&(Observation::Value(SymId(0)), 5)));
        let args = vec![Arg::Tensor(HostTensor::from_slice(&[1.5f32, -2.0], &[2]).unwrap()), Arg::Sym(SymId(0))];
        let result = Eval::run(op, args, &[5], &[DType::F32]).unwrap();
        assert_eq!(result.outputs[0].to_f64s(), [7.5, -10.0]);
    }
}
