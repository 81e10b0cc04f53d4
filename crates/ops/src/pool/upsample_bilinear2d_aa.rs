//! `aten::_upsample_bilinear2d_aa.out`: images at another size, where each element is a mean of all that it covers.

use pteron_tensor::Shape;

use super::plane::{Planes, check_planes, rounding, sides, with_planes};
use crate::catalogue::{Accuracy, OpDef};
use crate::clock::Clock;
use crate::error::{OpError, Result};
use crate::eval::Eval;

pub(crate) const OPS: &[OpDef] =
    &[OpDef::host("aten::_upsample_bilinear2d_aa.out", reference).accuracy(Accuracy::Accumulated)];

/// Arguments: input, output size, align corners, factor of the height, factor of the width.
fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    if !input.dtype().is_float() {
        return Err(OpError::DType { dtype: input.dtype(), what: "interpolation".to_owned() });
    }
    let planes = Planes::of(input.shape())?;
    check_planes(input.shape(), &planes)?;
    let [height, width] = sides(cx, 1, [planes.height, planes.width])?;
    let align = cx.bool(2)?;
    let round = rounding(input.dtype());
    let rows = Line::new(planes.height, height, align, cx.opt_float(3)?, round);
    let columns = Line::new(planes.width, width, align, cx.opt_float(4)?, round);
    let output = with_planes(input.shape(), height, width)?;
    // Between the two directions there are as many rows as the input has.
    let between = Shape::new(&[planes.height, width])?;
    let mut values = Vec::with_capacity(output.numel());
    let (mut across, clock) = (vec![0.0; between.numel()], cx.clock());
    for plane in input.to_f64s().chunks(planes.area()) {
        for x in 0..width {
            let covered = columns.covered(x, clock)?;
            for (row, value) in plane.chunks(planes.width).zip(across.iter_mut().skip(x).step_by(width)) {
                *value = covered.of(row, 1, 0, clock)?;
            }
        }
        for y in 0..height {
            let covered = rows.covered(y, clock)?;
            for x in 0..width {
                values.push(covered.of(&across, width, x, clock)?);
            }
        }
    }
    cx.set_f64s(output, values)
}

/// The distance in the input for a step in the output.
fn scale(length: usize, out: usize, align: bool, factor: Option<f64>) -> f64 {
    match factor {
        _ if align && out > 1 => (length - 1) as f64 / (out - 1) as f64,
        _ if align => 0.0,
        Some(factor) if factor > 0.0 => 1.0 / factor,
        _ => length as f64 / out as f64,
    }
}

/// How the elements of a line become those of another.
struct Line {
    length: usize,
    scale: f64,
    /// Shares fall from the centre to nothing over this distance: one element, or as many as a step covers.
    reach: f64,
    round: fn(f64) -> f64,
}

/// The elements of a line that an element of the output covers: the first, and the share of each.
struct Covered {
    first: usize,
    shares: Vec<f64>,
}

impl Line {
    fn new(length: usize, out: usize, align: bool, factor: Option<f64>, round: fn(f64) -> f64) -> Line {
        let scale = round(scale(length, out, align, factor));
        Line { length, scale, reach: scale.max(1.0), round }
    }

    /// What an element of the output covers.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "places within the line")]
    fn covered(&self, place: usize, clock: &Clock) -> Result<Covered> {
        let Line { length, scale, reach, round } = *self;
        let centre = round(scale * (place as f64 + 0.5));
        let first = ((centre - reach + 0.5).max(0.0) as usize).min(length - 1);
        let end = ((centre + reach + 0.5) as usize).clamp(first + 1, length);
        clock.count(end - first)?;
        let share = |at: usize| round((1.0 - ((at as f64 - centre + 0.5) / reach).abs()).max(0.0));
        let total: f64 = (first..end).map(share).sum();
        let shares = (first..end).map(|at| if total == 0.0 { 0.0 } else { share(at) / total }).collect();
        Ok(Covered { first, shares })
    }
}

impl Covered {
    /// The mean over a line whose elements lie `step` apart, from `start` on.
    fn of(&self, values: &[f64], step: usize, start: usize, clock: &Clock) -> Result<f64> {
        clock.count(self.shares.len())?;
        Ok(self.shares.iter().enumerate().map(|(i, share)| share * values[(self.first + i) * step + start]).sum())
    }
}

#[cfg(test)]
mod tests {
    use pteron_tensor::{DType, HostTensor};

    use super::*;
    use crate::args::Arg;

    /// F.interpolate(torch.tensor([[[[0., 1., 2., 3., 4., 5.]]]]), (1, 3), mode="bilinear", antialias=True)
    #[test]
    fn halves_are_means_of_what_they_cover() {
        let (line, clock) = (Line::new(6, 3, false, None, |x| x), Clock::default());
        let mean = |place| line.covered(place, &clock).unwrap().of(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0], 1, 0, &clock);
        let shares: Vec<_> = (0..3).map(|place| mean(place).unwrap()).collect();
        let expected = [0.714_285_7, 2.5, 4.285_714];
        assert!(shares.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-5), "{shares:?}");
    }

    #[test]
    fn what_lies_between_the_directions_is_no_larger_than_allowed() {
        let input = HostTensor::zeros(DType::F32, Shape::new(&[1, 1 << 20, 1]).unwrap());
        let sizes = Arg::List(vec![Arg::Int(1), Arg::Int(1 << 20)]);
        let args = vec![Arg::Tensor(input), sizes, Arg::Bool(false), Arg::Null, Arg::Null];
        let refused = Shape::at_most(1 << 24, || Eval::run(&OPS[0], args, &[], &[DType::F32]));
        assert!(matches!(refused, Err(OpError::BadShape(_))), "{refused:?}");
    }
}
