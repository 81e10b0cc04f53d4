//! `aten::_fft_r2c`, `aten::_fft_c2r` and `aten::_fft_c2c`: Fourier transforms over some dimensions, on the host.

use std::f64::consts::TAU;

use num_complex::Complex64;
use pteron_tensor::{HostTensor, Shape};

use crate::args::dim_of;
use crate::catalogue::{Accuracy, OpDef};
use crate::clock::Clock;
use crate::error::{OpError, Result};
use crate::eval::Eval;

pub(crate) const OPS: &[OpDef] = &[
    OpDef::host("aten::_fft_c2c.out", between_complex).accuracy(Accuracy::Accumulated),
    OpDef::host("aten::_fft_c2r.out", to_real).accuracy(Accuracy::Accumulated),
    OpDef::host("aten::_fft_r2c.out", from_real).accuracy(Accuracy::Accumulated),
];

/// Complex numbers of a shape.
struct Spectrum {
    shape: Shape,
    values: Vec<Complex64>,
}

impl Spectrum {
    fn of(tensor: &HostTensor) -> Spectrum {
        let values = tensor.to_complex().into_iter().map(|[real, imaginary]| Complex64::new(real, imaginary));
        Spectrum { shape: *tensor.shape(), values: values.collect() }
    }

    /// Replaces every line of a dimension by what `f` makes of it, which has `length` elements.
    fn map(&mut self, dim: usize, length: usize, f: impl Fn(&[Complex64]) -> Result<Vec<Complex64>>) -> Result<()> {
        let (size, stride) = (self.shape[dim], self.shape.strides()[dim]);
        let shape = self.shape.with(dim, length)?;
        let mut values = vec![Complex64::default(); shape.numel()];
        let lines = self.values.len().checked_div(size).unwrap_or(0);
        let mut line = Vec::with_capacity(size);
        for number in 0..lines {
            let (outer, inner) = (number / stride, number % stride);
            line.clear();
            line.extend((0..size).map(|at| self.values[(outer * size + at) * stride + inner]));
            for (at, value) in f(&line)?.into_iter().take(length).enumerate() {
                values[(outer * length + at) * stride + inner] = value;
            }
        }
        *self = Spectrum { shape, values };
        Ok(())
    }

    /// Sets the first output to it, divided by the root of `count`, by `count`, or not at all.
    fn set(self, cx: &mut Eval<'_>, normalization: i64, count: usize) -> Result<()> {
        let factor = match normalization {
            0 => 1.0,
            1 => 1.0 / (count as f64).sqrt(),
            2 => 1.0 / count as f64,
            other => return Err(OpError::Unsupported(format!("a transform with normalization {other}"))),
        };
        let values = self.values.into_iter().map(|value| [value.re * factor, value.im * factor]);
        cx.set(0, HostTensor::from_complex(cx.output_type(0)?, self.shape, values)?)
    }
}

/// The dimensions of a list, of which the last is named apart.
fn dims(cx: &Eval<'_>, shape: &Shape) -> Result<(Vec<usize>, usize)> {
    let mut dims = cx.ints(1)?.into_iter().map(|dim| dim_of(shape, dim)).collect::<Result<Vec<_>>>()?;
    let none = || OpError::Shape(format!("a transform of {shape} over no dimension"));
    let last = dims.pop().filter(|&last| last < shape.rank()).ok_or_else(none)?;
    Ok((dims, last))
}

/// Arguments: input, dimensions, normalization, whether only half of the last dimension is wanted.
fn from_real(cx: &mut Eval<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    let (others, last) = dims(cx, input.shape())?;
    let (normalization, half) = (cx.int(2)?, cx.bool(3)?);
    let size = input.shape()[last];
    let count = others.iter().map(|&dim| input.shape()[dim]).product::<usize>() * size;
    let (clock, mut spectrum) = (cx.clock(), Spectrum::of(&input));
    spectrum.map(last, if half { size / 2 + 1 } else { size }, |line| transform(line, false, clock))?;
    for dim in others {
        spectrum.map(dim, spectrum.shape[dim], |line| transform(line, false, clock))?;
    }
    spectrum.set(cx, normalization, count)
}

/// Arguments: input, dimensions, normalization, the size of the last dimension.
fn to_real(cx: &mut Eval<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    let (others, last) = dims(cx, input.shape())?;
    let (normalization, wanted) = (cx.int(2)?, cx.int(3)?);
    let size = usize::try_from(wanted).ok().filter(|&size| size > 0 && size / 2 < input.shape()[last]);
    let size = size.ok_or_else(|| OpError::Shape(format!("{} is no half of a spectrum of {wanted}", input.shape())))?;
    let count = others.iter().map(|&dim| input.shape()[dim]).product::<usize>() * size;
    let (clock, mut spectrum) = (cx.clock(), Spectrum::of(&input));
    for dim in others {
        spectrum.map(dim, spectrum.shape[dim], |line| transform(line, true, clock))?;
    }
    spectrum.map(last, size, |half| {
        // The other half is the mirrored conjugate, so that the result is real.
        let element = |at: usize| match at {
            0 => Complex64::from(half[0].re),
            _ if 2 * at == size => Complex64::from(half[at].re),
            _ if 2 * at < size => half[at],
            _ => half[size - at].conj(),
        };
        transform(&(0..size).map(element).collect::<Vec<_>>(), true, clock)
    })?;
    spectrum.set(cx, normalization, count)
}

/// Arguments: input, dimensions, normalization, whether it is forward.
fn between_complex(cx: &mut Eval<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    let (others, last) = dims(cx, input.shape())?;
    let (normalization, forward) = (cx.int(2)?, cx.bool(3)?);
    let (clock, mut spectrum) = (cx.clock(), Spectrum::of(&input));
    let mut count = 1;
    for dim in others.into_iter().chain([last]) {
        count *= spectrum.shape[dim];
        spectrum.map(dim, spectrum.shape[dim], |line| transform(line, !forward, clock))?;
    }
    spectrum.set(cx, normalization, count)
}

/// Σ line[j] · e^(∓2πi · jk / n) for every k, with the positive sign for the inverse.
///
/// A line whose length has factors is split by the least of them; one of prime length is summed as it stands.
fn transform(line: &[Complex64], inverse: bool, clock: &Clock) -> Result<Vec<Complex64>> {
    let size = line.len();
    if size < 2 {
        return Ok(line.to_vec());
    }
    let turn = if inverse { TAU } else { -TAU } / size as f64;
    let factor = (2..=size).find(|factor| size.is_multiple_of(*factor)).unwrap_or(size);
    let inner = size / factor;
    let parts = (0..factor)
        .map(|first| line[first..].iter().step_by(factor).copied().collect::<Vec<_>>())
        .map(|part| if inner > 1 { transform(&part, inverse, clock) } else { Ok(part) })
        .collect::<Result<Vec<_>>>()?;
    let element = |k: usize| {
        let term = |(number, part): (usize, &Vec<Complex64>)| {
            part[k % inner] * Complex64::from_polar(1.0, turn * (number * k % size) as f64)
        };
        clock.count(factor).map(|()| parts.iter().enumerate().map(term).sum::<Complex64>())
    };
    (0..size).map(element).collect()
}

#[cfg(test)]
mod tests {
    use pteron_tensor::DType;

    use super::*;
    use crate::args::Arg;
    use crate::catalogue::lookup_portable;

    #[test]
    fn every_length_is_the_sum_that_defines_it() {
        for size in [1usize, 2, 3, 4, 6, 7, 8, 12, 30, 31] {
            let line: Vec<_> = (0..size).map(|j| Complex64::new((j * j % 7) as f64, (j % 3) as f64)).collect();
            for inverse in [false, true] {
                let sign = if inverse { TAU } else { -TAU };
                for (k, value) in transform(&line, inverse, &Clock::default()).unwrap().into_iter().enumerate() {
                    let angle = |j: usize| sign * (j * k) as f64 / size as f64;
                    let expected: Complex64 =
                        line.iter().enumerate().map(|(j, x)| x * Complex64::from_polar(1.0, angle(j))).sum();
                    assert!((value - expected).norm() < 1e-9, "{size}: {value} instead of {expected}");
                }
            }
        }
    }

    #[test]
    fn there_and_back_is_the_same() {
        for size in [5i64, 6] {
            let values: Vec<f64> = (0..3 * size).map(|x| (x * x % 11) as f64).collect();
            let shape = Shape::new(&[3, usize::try_from(size).unwrap()]).unwrap();
            let input = HostTensor::from_f64s(DType::F64, shape, values.clone()).unwrap();
            let dims = Arg::List(vec![Arg::Int(0), Arg::Int(1)]);
            let run = |name: &str, input, last, dtype| {
                let args = vec![Arg::Tensor(input), dims.clone(), Arg::Int(1), last];
                Eval::run(lookup_portable(name).unwrap(), args, &[], &[dtype]).unwrap().outputs[0].clone()
            };
            let spectrum = run("aten::_fft_r2c.out", input, Arg::Bool(true), DType::C128);
            let back = run("aten::_fft_c2r.out", spectrum, Arg::Int(size), DType::F64);
            assert!(back.to_f64s().iter().zip(&values).all(|(a, b)| (a - b).abs() < 1e-9));
        }
    }
}
