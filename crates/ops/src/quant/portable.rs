//! Quantized operators of the portable library: sums of integers with scales, and products with 8-bit weights.

use pteron_tensor::{HostTensor, Shape};

use crate::catalogue::{Accuracy, OpDef};
use crate::error::{OpError, Result};
use crate::eval::Eval;

pub(crate) const OPS: &[OpDef] = &[
    OpDef::host("quantized_decomposed::add.out", add).accuracy(Accuracy::Step),
    OpDef::host("quantized_decomposed::mixed_linear.out", mixed_linear).accuracy(Accuracy::Accumulated),
    OpDef::host("quantized_decomposed::mixed_mm.out", mixed_mm).accuracy(Accuracy::Accumulated),
];

/// Arguments: for each operand, and for the result without the tensor: tensor, scale, zero point, least and largest.
#[expect(clippy::cast_possible_truncation, reason = "the portable kernel computes in f32")]
fn add(cx: &mut Eval<'_>) -> Result<()> {
    let operand = |first: usize| -> Result<(HostTensor, Vec<f32>)> {
        let (tensor, scale, zero) = (cx.tensor(first)?, cx.float(first + 1)? as f32, cx.int(first + 2)?);
        let values = tensor.to_i64s().into_iter().map(|value| value.wrapping_sub(zero) as f32 * scale).collect();
        Ok((tensor, values))
    };
    let ((a, left), (b, right)) = (operand(0)?, operand(5)?);
    if a.shape() != b.shape() {
        return Err(OpError::Shape(format!("{} and {} are not added", a.shape(), b.shape())));
    }
    let (inverse, zero) = (1.0 / cx.float(10)? as f32, cx.int(11)?);
    let (least, most) = (cx.int(12)?, cx.int(13)?);
    let rounded = |(a, b): (f32, f32)| {
        let steps = ((a + b) * inverse).round_ties_even() as i64;
        steps.saturating_add(zero).max(least).min(most)
    };
    let sums = left.into_iter().zip(right).map(rounded);
    cx.set(0, HostTensor::from_i64s(cx.output_type(0)?, *a.shape(), sums)?)
}

/// Arguments: input [m, n], weight [n, p], scales [n], zero points.
fn mixed_mm(cx: &mut Eval<'_>) -> Result<()> {
    let (input, weight) = (cx.tensor(0)?, cx.tensor(1)?);
    let (&[_, n], &[rows, p]) = (&**input.shape(), &**weight.shape()) else { return Err(wrong(&input, &weight)) };
    let scales = scales(cx, n)?;
    if rows != n || scales.len() != n {
        return Err(wrong(&input, &weight));
    }
    let codes = weight.to_f64s();
    product(cx, &input, p, |k, j| codes[k * p + j] * scales[k])
}

/// Arguments: input [m, n], weight [p, n], scales [p] or [p, groups], zero points.
fn mixed_linear(cx: &mut Eval<'_>) -> Result<()> {
    let (input, weight) = (cx.tensor(0)?, cx.tensor(1)?);
    let (&[_, n], &[p, columns]) = (&**input.shape(), &**weight.shape()) else { return Err(wrong(&input, &weight)) };
    let scales = scales(cx, p)?;
    let groups = scales.len() / p.max(1);
    if columns != n || groups == 0 || scales.len() != groups * p || n % groups != 0 {
        return Err(wrong(&input, &weight));
    }
    let (codes, size) = (weight.to_f64s(), n / groups);
    product(cx, &input, p, |k, j| codes[j * n + k] * scales[j * groups + k / size])
}

fn wrong(input: &HostTensor, weight: &HostTensor) -> OpError {
    OpError::Shape(format!("{} is not multiplied with {} and its scales", input.shape(), weight.shape()))
}

/// The scales of a weight, of which there are some. A weight with zero points is refused, as the portable kernel does.
fn scales(cx: &Eval<'_>, some: usize) -> Result<Vec<f64>> {
    if !cx.is_null(3) {
        return Err(OpError::Unsupported("a mixed product with zero points".to_owned()));
    }
    Ok(if some == 0 { Vec::new() } else { cx.tensor(2)?.to_f64s() })
}

/// Sets the product of the input's rows with a weight of `columns`.
fn product(cx: &mut Eval<'_>, input: &HostTensor, columns: usize, weight: impl Fn(usize, usize) -> f64) -> Result<()> {
    let &[rows, inner] = &**input.shape() else { return Err(wrong(input, input)) };
    let (shape, values, clock) = (Shape::new(&[rows, columns])?, input.to_f64s(), cx.clock());
    let element = |(i, j): (usize, usize)| {
        let products = (0..inner).map(|k| values[i * inner + k] * weight(k, j));
        clock.count(inner).map(|()| products.sum::<f64>())
    };
    let places = (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j)));
    let products = places.map(element).collect::<Result<Vec<_>>>()?;
    cx.set_f64s(shape, products)
}

#[cfg(test)]
mod tests {
    use pteron_tensor::DType;

    use super::*;
    use crate::args::Arg;

    fn tensor(values: &[f32], shape: &[usize], dtype: DType) -> Arg<HostTensor> {
        Arg::Tensor(HostTensor::from_slice(values, shape).unwrap().cast(dtype))
    }

    fn run(name: &str, args: Vec<Arg<HostTensor>>, dtype: DType) -> Vec<f64> {
        let op = OPS.iter().find(|op| op.name == name).unwrap();
        Eval::run(op, args, &[], &[dtype]).unwrap().outputs[0].to_f64s()
    }

    #[test]
    fn sums_round_to_even_and_stay_within_bounds() {
        use Arg::{Double, Int};
        let operand = |values: &[f32]| vec![tensor(values, &[3], DType::I8), Double(0.5), Int(1), Int(-128), Int(127)];
        let result = vec![Double(1.0), Int(-1), Int(-128), Int(100)];
        let args = [operand(&[2.0, 5.0, 127.0]), operand(&[1.0, 1.0, 127.0]), result].concat();
        // 0.5 → 0, 2.0 → 2, 126 → 100 at most; each one less for the zero point.
        assert_eq!(run("quantized_decomposed::add.out", args, DType::I8), [-1.0, 1.0, 100.0]);
    }

    #[test]
    fn weights_are_scaled_by_row_or_by_group() {
        let input = || tensor(&[1.0, 2.0], &[1, 2], DType::F32);
        let codes = || tensor(&[1.0, 2.0, 3.0, 4.0], &[2, 2], DType::I8);
        let scales = |values: &[f32], shape: &[usize]| tensor(values, shape, DType::F32);
        let mm = vec![input(), codes(), scales(&[1.0, 10.0], &[2]), Arg::Null];
        assert_eq!(run("quantized_decomposed::mixed_mm.out", mm, DType::F32), [61.0, 82.0]);
        let linear = vec![input(), codes(), scales(&[1.0, 10.0], &[2]), Arg::Null, Arg::Null];
        assert_eq!(run("quantized_decomposed::mixed_linear.out", linear, DType::F32), [5.0, 110.0]);
        let grouped = vec![input(), codes(), scales(&[1.0, 10.0, 0.5, 1.0], &[2, 2]), Arg::Null, Arg::Null];
        assert_eq!(run("quantized_decomposed::mixed_linear.out", grouped, DType::F32), [41.0, 9.5]);
    }
}
