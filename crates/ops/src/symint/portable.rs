//! Numbers outside a delegate: sizes, elements, and arithmetic between them, as Python has it.

use pteron_tensor::HostTensor;

use super::arithmetic::floor_div;
use crate::args::{Arg, Args, dim_of};
use crate::catalogue::OpDef;
use crate::error::{OpError, Result};
use crate::eval::Number;

type Arguments<'a> = Args<'a, HostTensor>;

pub(crate) const OPS: &[OpDef] = &[
    OpDef::number("aten::_local_scalar_dense", element),
    OpDef::number("aten::sym_numel", |cx| int(cx.tensor(0)?.numel())),
    OpDef::number("aten::sym_size.int", size),
    OpDef::number("aten::sym_stride.int", stride),
    OpDef::number("executorch_prim::add.Scalar", |cx| binary(cx, i64::checked_add, |a, b| a + b)),
    OpDef::number("executorch_prim::ceil.Scalar", |cx| whole(unary(cx)?.float().ceil())),
    OpDef::number("executorch_prim::eq.Scalar", |cx| compare(cx, |a, b| a == b, |a, b| a == b)),
    OpDef::number("executorch_prim::floordiv.Scalar", |cx| binary(cx, floor_div, |a, b| (a / b).floor())),
    OpDef::number("executorch_prim::floordiv.int", |cx| binary(cx, floor_div, |a, b| (a / b).floor())),
    OpDef::number("executorch_prim::ge.Scalar", |cx| compare(cx, |a, b| a >= b, |a, b| a >= b)),
    OpDef::number("executorch_prim::gt.Scalar", |cx| compare(cx, |a, b| a > b, |a, b| a > b)),
    OpDef::number("executorch_prim::le.Scalar", |cx| compare(cx, |a, b| a <= b, |a, b| a <= b)),
    OpDef::number("executorch_prim::lt.Scalar", |cx| compare(cx, |a, b| a < b, |a, b| a < b)),
    OpDef::number("executorch_prim::mod.Scalar", modulo),
    OpDef::number("executorch_prim::mod.int", modulo),
    OpDef::number("executorch_prim::mul.Scalar", |cx| binary(cx, i64::checked_mul, |a, b| a * b)),
    OpDef::number("executorch_prim::neg.Scalar", |cx| match unary(cx)? {
        Number::Double(value) => Ok(Number::Double(-value)),
        other => other.int().checked_neg().map(Number::Int).ok_or_else(undefined),
    }),
    OpDef::number("executorch_prim::round.Scalar", |cx| whole(unary(cx)?.float().round_ties_even())),
    OpDef::number("executorch_prim::sub.Scalar", |cx| binary(cx, i64::checked_sub, |a, b| a - b)),
    OpDef::number("executorch_prim::sym_float.Scalar", |cx| Ok(Number::Double(unary(cx)?.float()))),
    OpDef::number("executorch_prim::sym_int.Scalar", |cx| whole(unary(cx)?.float().trunc())),
    OpDef::number("executorch_prim::sym_ite.Scalar", |cx| number(cx, if cx.bool(0)? { 1 } else { 2 })),
    OpDef::number("executorch_prim::sym_max.Scalar", |cx| binary(cx, |a, b| Some(a.max(b)), f64::max)),
    OpDef::number("executorch_prim::sym_min.Scalar", |cx| binary(cx, |a, b| Some(a.min(b)), f64::min)),
    OpDef::number("executorch_prim::sym_not.Scalar", |cx| Ok(Number::Bool(!cx.bool(0)?))),
    OpDef::number("executorch_prim::truediv.Scalar", |cx| Ok(Number::Double(cx.float(0)? / cx.float(1)?))),
    OpDef::number("executorch_prim::trunc.Scalar", |cx| whole(unary(cx)?.float().trunc())),
];

fn number(cx: &Arguments<'_>, index: usize) -> Result<Number> {
    Ok(match cx.get(index) {
        Some(&Arg::Bool(value)) => Number::Bool(value),
        Some(&Arg::Double(value)) => Number::Double(value),
        _ => Number::Int(cx.int(index)?),
    })
}

fn unary(cx: &Arguments<'_>) -> Result<Number> {
    number(cx, 0)
}

fn undefined() -> OpError {
    OpError::Unsupported("the result is no 64-bit integer".to_owned())
}

/// An integer of two integers, a float where one of them is.
fn binary(cx: &Arguments<'_>, ints: fn(i64, i64) -> Option<i64>, floats: fn(f64, f64) -> f64) -> Result<Number> {
    match (number(cx, 0)?, number(cx, 1)?) {
        (a @ Number::Double(_), b) | (a, b @ Number::Double(_)) => Ok(Number::Double(floats(a.float(), b.float()))),
        (a, b) => ints(a.int(), b.int()).map(Number::Int).ok_or_else(undefined),
    }
}

fn compare(cx: &Arguments<'_>, ints: fn(i64, i64) -> bool, floats: fn(f64, f64) -> bool) -> Result<Number> {
    Ok(Number::Bool(match (number(cx, 0)?, number(cx, 1)?) {
        (a @ Number::Double(_), b) | (a, b @ Number::Double(_)) => floats(a.float(), b.float()),
        (a, b) => ints(a.int(), b.int()),
    }))
}

/// The remainder with the sign of the divisor.
fn modulo(cx: &Arguments<'_>) -> Result<Number> {
    let (a, b) = (cx.int(0)?, cx.int(1)?);
    let quotient = floor_div(a, b).ok_or_else(undefined)?;
    Ok(Number::Int(a.wrapping_sub(quotient.wrapping_mul(b))))
}

/// A whole number as an integer.
fn whole(value: f64) -> Result<Number> {
    #[expect(clippy::cast_possible_truncation, reason = "checked to lie within the range of i64")]
    if value.abs() < 9.2e18 { Ok(Number::Int(value as i64)) } else { Err(undefined()) }
}

fn int(value: usize) -> Result<Number> {
    i64::try_from(value).map(Number::Int).map_err(|_| undefined())
}

fn size(cx: &Arguments<'_>) -> Result<Number> {
    let tensor = cx.tensor(0)?;
    int(from_dim(&tensor, cx.int(1)?)?[0])
}

/// The sizes from a dimension on, of which a tensor of rank 0 has none.
fn from_dim(tensor: &HostTensor, dim: i64) -> Result<&[usize]> {
    let shape = tensor.shape();
    let sizes = shape.get(dim_of(shape, dim)?..).filter(|sizes| !sizes.is_empty());
    sizes.ok_or(OpError::Dim { dim, rank: shape.rank() })
}

/// Of the plain layout, which every tensor here has.
fn stride(cx: &Arguments<'_>) -> Result<Number> {
    let tensor = cx.tensor(0)?;
    int(from_dim(&tensor, cx.int(1)?)?[1..].iter().map(|&size| size.max(1)).product())
}

fn element(cx: &Arguments<'_>) -> Result<Number> {
    let tensor = cx.tensor(0)?;
    if tensor.numel() != 1 {
        return Err(OpError::Shape(format!("a tensor of {} is no single number", tensor.shape())));
    }
    Ok(match tensor.dtype() {
        dtype if dtype.is_float() => Number::Double(tensor.to_f64s()[0]),
        pteron_tensor::DType::Bool => Number::Bool(tensor.to_i64s()[0] != 0),
        _ => Number::Int(tensor.to_i64s()[0]),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::{Body, lookup_portable};

    fn run(name: &str, args: Vec<Arg<HostTensor>>) -> Result<Number> {
        let Some(Body::Number(compute)) = lookup_portable(name).map(|op| op.body) else {
            panic!("{name} is no number")
        };
        compute(&Args::new(args, &[]))
    }

    fn scalar(name: &str, args: &[Arg<HostTensor>]) -> Result<Number> {
        run(&format!("executorch_prim::{name}"), args.to_vec())
    }

    #[test]
    fn a_single_number_has_no_sizes() {
        for name in ["aten::sym_size.int", "aten::sym_stride.int"] {
            let sized = |shape: &[usize], dim| {
                let tensor = HostTensor::zeros(pteron_tensor::DType::F32, pteron_tensor::Shape::new(shape).unwrap());
                run(name, vec![Arg::Tensor(tensor), Arg::Int(dim)])
            };
            assert!(matches!(sized(&[], 0), Err(OpError::Dim { .. })) && sized(&[], -1).is_err(), "{name}");
            assert!(sized(&[2, 3], -1).is_ok() && sized(&[2, 3], 2).is_err(), "{name}");
        }
    }

    #[test]
    fn integers_stay_integers_and_floats_win() {
        use Arg::{Bool, Double, Int};
        for (name, args, expected) in [
            ("add.Scalar", vec![Int(2), Int(3)], Number::Int(5)),
            ("add.Scalar", vec![Int(2), Double(0.5)], Number::Double(2.5)),
            ("sub.Scalar", vec![Double(2.0), Int(3)], Number::Double(-1.0)),
            ("mul.Scalar", vec![Int(-2), Int(3)], Number::Int(-6)),
            ("floordiv.Scalar", vec![Int(-7), Int(2)], Number::Int(-4)),
            ("floordiv.Scalar", vec![Double(-7.0), Int(2)], Number::Double(-4.0)),
            ("truediv.Scalar", vec![Int(7), Int(2)], Number::Double(3.5)),
            ("mod.Scalar", vec![Int(-7), Int(3)], Number::Int(2)),
            ("mod.int", vec![Int(7), Int(-3)], Number::Int(-2)),
            ("neg.Scalar", vec![Int(7)], Number::Int(-7)),
            ("ceil.Scalar", vec![Double(-1.5)], Number::Int(-1)),
            ("round.Scalar", vec![Double(2.5)], Number::Int(2)),
            ("trunc.Scalar", vec![Double(-1.5)], Number::Int(-1)),
            ("sym_float.Scalar", vec![Int(3)], Number::Double(3.0)),
            ("sym_int.Scalar", vec![Double(3.9)], Number::Int(3)),
            ("sym_max.Scalar", vec![Int(3), Int(9)], Number::Int(9)),
            ("sym_min.Scalar", vec![Int(3), Double(0.5)], Number::Double(0.5)),
            ("eq.Scalar", vec![Int(3), Double(3.0)], Number::Bool(true)),
            ("lt.Scalar", vec![Int(3), Int(3)], Number::Bool(false)),
            ("ge.Scalar", vec![Int(i64::MAX), Int(i64::MAX - 1)], Number::Bool(true)),
            ("sym_not.Scalar", vec![Bool(false)], Number::Bool(true)),
            ("sym_ite.Scalar", vec![Bool(false), Int(1), Int(2)], Number::Int(2)),
        ] {
            assert_eq!(scalar(name, &args), Ok(expected), "{name} {args:?}");
        }
    }

    #[test]
    fn what_has_no_result_is_an_error() {
        use Arg::{Double, Int};
        for (name, args) in [
            ("add.Scalar", vec![Int(i64::MAX), Int(1)]),
            ("floordiv.Scalar", vec![Int(1), Int(0)]),
            ("mod.Scalar", vec![Int(1), Int(0)]),
            ("neg.Scalar", vec![Int(i64::MIN)]),
            ("trunc.Scalar", vec![Double(f64::NAN)]),
            ("ceil.Scalar", vec![Double(1e300)]),
            ("add.Scalar", vec![Int(1)]),
        ] {
            assert!(scalar(name, &args).is_err(), "{name} {args:?}");
        }
    }

    #[test]
    fn tensors_give_sizes_strides_and_elements() {
        let tensor = Arg::Tensor(HostTensor::from_slice(&[1i64, 2, 3, 4, 5, 6], &[1, 2, 3]).unwrap());
        let of = |name: &str, args: &[Arg<HostTensor>]| run(name, [std::slice::from_ref(&tensor), args].concat());
        assert_eq!(of("aten::sym_size.int", &[Arg::Int(-1)]), Ok(Number::Int(3)));
        assert_eq!(of("aten::sym_stride.int", &[Arg::Int(0)]), Ok(Number::Int(6)));
        assert_eq!(of("aten::sym_numel", &[]), Ok(Number::Int(6)));
        assert!(of("aten::sym_size.int", &[Arg::Int(3)]).is_err());
        assert!(of("aten::_local_scalar_dense", &[]).is_err());
        let one = Arg::Tensor(HostTensor::from_slice(&[0.5f32], &[1]).unwrap());
        assert_eq!(run("aten::_local_scalar_dense", vec![one]), Ok(Number::Double(0.5)));
    }
}
