//! `aten::allclose`: whether two tensors agree within bounds.

use pteron_tensor::{DType, HostTensor, Shape};

use super::walk::flag;
use crate::broadcast;
use crate::catalogue::OpDef;
use crate::error::{OpError, Result};
use crate::eval::Eval;

pub(crate) const OPS: &[OpDef] =
    &[OpDef::host("aten::allclose.Tensor", reference), OpDef::host("aten::allclose.out", reference)];

/// Arguments: two tensors, the relative and the absolute bound, whether NaN equals NaN.
fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let (a, b) = (cx.tensor(0)?, cx.tensor(1)?);
    let (rtol, atol) = (cx.opt_float(2)?.unwrap_or(1e-5), cx.opt_float(3)?.unwrap_or(1e-8));
    let equal_nan = flag(cx, 4)?;
    if a.dtype() != b.dtype() {
        return Err(OpError::DType { dtype: b.dtype(), what: format!("a comparison with {}", a.dtype()) });
    }
    let shape = broadcast::shape_of(a.shape(), b.shape())?;
    let mut pairs = broadcast::expand(a.to_f64s(), a.shape(), &shape).into_iter().zip(broadcast::expand(
        b.to_f64s(),
        b.shape(),
        &shape,
    ));
    let close = |(a, b): (f64, f64)| {
        a == b || (equal_nan && a.is_nan() && b.is_nan()) || (b.is_finite() && (a - b).abs() <= atol + (rtol * b).abs())
    };
    let all = pairs.all(close);
    cx.set(0, HostTensor::from_i64s(DType::Bool, Shape::SCALAR, [i64::from(all)])?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Arg;

    #[test]
    fn bounds_are_relative_to_the_second() {
        let tensor = |values: &[f32]| Arg::Tensor(HostTensor::from_slice(values, &[values.len()]).unwrap());
        let close = |a: &[f32], b: &[f32], nan| {
            let args = vec![tensor(a), tensor(b), Arg::Double(0.1), Arg::Double(0.0), Arg::Bool(nan)];
            Eval::run(&OPS[0], args, &[], &[DType::Bool]).unwrap().outputs[0].to_i64s() == [1]
        };
        assert!(close(&[90.0], &[99.0], false) && !close(&[90.0], &[101.0], false));
        assert!(close(&[f32::NAN], &[f32::NAN], true) && !close(&[f32::NAN], &[f32::NAN], false));
        assert!(close(&[f32::INFINITY], &[f32::INFINITY], false) && !close(&[1.0], &[f32::INFINITY], false));
    }
}
