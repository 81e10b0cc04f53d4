//! Complex numbers, on the host: which operators take them, and arithmetic of theirs element by element.

use num_complex::Complex64;
use pteron_tensor::{DType, HostTensor, Shape};

use super::number::Operand;
use crate::args::Arg;
use crate::broadcast;
use crate::catalogue::OpDef;
use crate::error::{OpError, Result};
use crate::eval::Eval;

pub(crate) const OPS: &[OpDef] =
    &[OpDef::host("aten::_conj_physical.out", conjugate), OpDef::host("aten::view_as_real_copy.out", parts)];

/// Portable operators that take complex numbers: those that move elements, and those that compute with them here.
const COMPLEX: &[&str] = &[
    "aten::_conj_physical.out",
    "aten::_fft_c2c.out",
    "aten::_fft_c2r.out",
    "aten::_fft_r2c.out",
    "aten::abs.out",
    "aten::add.out",
    "aten::add.Scalar_out",
    "aten::alias_copy.out",
    "aten::cat.out",
    "aten::clone.out",
    "aten::copy_",
    "aten::detach_copy.out",
    "aten::div.out",
    "aten::div.Scalar_out",
    "aten::expand_copy.out",
    "aten::flip.out",
    "aten::index_select.out",
    "aten::lift_fresh_copy.out",
    "aten::mul.out",
    "aten::mul.Scalar_out",
    "aten::neg.out",
    "aten::permute_copy.out",
    "aten::select_copy.int_out",
    "aten::slice_copy.Tensor_out",
    "aten::split_copy.Tensor_out",
    "aten::split_with_sizes_copy.out",
    "aten::squeeze_copy.dim_out",
    "aten::squeeze_copy.dims_out",
    "aten::stack.out",
    "aten::sub.out",
    "aten::sub.Scalar_out",
    "aten::t_copy.out",
    "aten::transpose_copy.int_out",
    "aten::unbind_copy.int_out",
    "aten::unsqueeze_copy.out",
    "aten::view_as_real_copy.out",
    "aten::view_copy.out",
    "dim_order_ops::_clone_dim_order.out",
    "dim_order_ops::_to_dim_order_copy.out",
    "executorch_prim::et_copy_index.tensor",
    "executorch_prim::et_view.default",
];

/// Refuses complex numbers where an operator would take them for others.
pub(crate) fn check(op: &OpDef, args: &[Arg<HostTensor>], outputs: &[DType]) -> Result<()> {
    fn found(arg: &Arg<HostTensor>) -> Option<DType> {
        match arg {
            Arg::Tensor(tensor) => Some(tensor.dtype()).filter(|dtype| dtype.is_complex()),
            Arg::List(items) => items.iter().find_map(found),
            _ => None,
        }
    }
    let complex = args.iter().find_map(found).or_else(|| outputs.iter().copied().find(|dtype| dtype.is_complex()));
    match complex {
        Some(dtype) if !op.portable.is_some_and(|name| COMPLEX.contains(&name)) => {
            Err(OpError::DType { dtype, what: op.name.to_owned() })
        }
        _ => Ok(()),
    }
}

fn conjugate(cx: &mut Eval<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    let values = input.to_complex().into_iter().map(|[real, imaginary]| [real, -imaginary]);
    cx.set(0, HostTensor::from_complex(input.dtype(), *input.shape(), values)?)
}

fn parts(cx: &mut Eval<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    if !input.dtype().is_complex() {
        return Err(OpError::DType { dtype: input.dtype(), what: "parts of complex numbers".to_owned() });
    }
    cx.set(0, input.as_real()?)
}

/// The complex numbers of an operand, repeated to a shape.
fn numbers(operand: &Operand<HostTensor>, shape: &Shape) -> Vec<Complex64> {
    let values = match operand {
        Operand::Tensor(tensor) => tensor.to_complex(),
        Operand::Number(number) => vec![[number.float(), 0.0]],
    };
    let values = values.into_iter().map(|[real, imaginary]| Complex64::new(real, imaginary)).collect();
    broadcast::expand(values, &operand.shape(), shape)
}

/// A row of the pointwise tables for complex numbers, where it has one.
pub(super) fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let a: Operand<HostTensor> = Operand::read(cx, 0)?;
    let dtype = cx.output_type(0)?;
    let undefined = || OpError::DType { dtype, what: cx.name().to_owned() };
    let set = |cx: &mut Eval<'_>, shape: Shape, values: Vec<Complex64>| {
        let pairs = values.into_iter().map(|value| [value.re, value.im]);
        cx.set(0, HostTensor::from_complex(dtype, shape, pairs)?)
    };
    let unary: Option<fn(Complex64) -> Complex64> = match cx.name() {
        "aten.abs.default" => Some(|x| Complex64::new(x.norm(), 0.0)),
        "aten.neg.default" => Some(|x| -x),
        _ => None,
    };
    if let Some(unary) = unary {
        let shape = a.shape();
        let values = numbers(&a, &shape).into_iter().map(unary).collect();
        return set(cx, shape, values);
    }
    let binary: fn(Complex64, Complex64, f64) -> Complex64 = match cx.name() {
        "aten.add.Tensor" | "aten.add.Scalar" => |a, b, alpha| a + b * alpha,
        "aten.sub.Tensor" | "aten.sub.Scalar" => |a, b, alpha| a - b * alpha,
        "aten.mul.Tensor" | "aten.mul.Scalar" => |a, b, _| a * b,
        "aten.div.Tensor" | "aten.div.Scalar" => |a, b, _| a / b,
        _ => return Err(undefined()),
    };
    let (b, alpha) = (Operand::read(cx, 1)?, cx.opt_float(2)?.unwrap_or(1.0));
    let shape = broadcast::shape_of(&a.shape(), &b.shape())?;
    let pairs = numbers(&a, &shape).into_iter().zip(numbers(&b, &shape));
    let values = pairs.map(|(a, b)| binary(a, b, alpha)).collect();
    set(cx, shape, values)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::{all, lookup_portable};

    fn complex(values: &[[f64; 2]]) -> Arg<HostTensor> {
        let shape = Shape::new(&[values.len()]).unwrap();
        Arg::Tensor(HostTensor::from_complex(DType::C64, shape, values.iter().copied()).unwrap())
    }

    fn run(name: &str, args: Vec<Arg<HostTensor>>, dtype: DType) -> Result<HostTensor> {
        Ok(Eval::run(lookup_portable(name).unwrap(), args, &[], &[dtype])?.outputs[0].clone())
    }

    #[test]
    fn arithmetic_is_that_of_complex_numbers() {
        let (a, b) = (complex(&[[1.0, 2.0], [3.0, -4.0]]), complex(&[[0.0, 1.0], [2.0, 0.0]]));
        let product = run("aten::mul.out", vec![a.clone(), b.clone()], DType::C64).unwrap();
        assert_eq!(product.to_complex(), [[-2.0, 1.0], [6.0, -8.0]]);
        let quotient = run("aten::div.out", vec![a.clone(), b], DType::C64).unwrap();
        assert_eq!(quotient.to_complex(), [[2.0, -1.0], [1.5, -2.0]]);
        let sum = run("aten::add.out", vec![a.clone(), Arg::Double(0.5), Arg::Int(2)], DType::C64).unwrap();
        assert_eq!(sum.to_complex(), [[2.0, 2.0], [4.0, -4.0]]);
        assert_eq!(run("aten::abs.out", vec![a.clone()], DType::F32).unwrap().to_f64s(), [f64::from(5f32.sqrt()), 5.0]);
        assert_eq!(
            run("aten::_conj_physical.out", vec![a.clone()], DType::C64).unwrap().to_complex(),
            [[1.0, -2.0], [3.0, 4.0]]
        );
        let parts = run("aten::view_as_real_copy.out", vec![a], DType::F32).unwrap();
        assert_eq!(parts.to_f64s(), [1.0, 2.0, 3.0, -4.0]);
    }

    #[test]
    fn what_would_take_them_for_other_numbers_refuses_them() {
        let error = run("aten::exp.out", vec![complex(&[[1.0, 2.0]])], DType::C64).unwrap_err();
        assert!(matches!(error, OpError::DType { dtype: DType::C64, .. }), "{error}");
        for name in COMPLEX {
            assert!(all().any(|op| op.portable == Some(name)), "{name}");
        }
    }
}
