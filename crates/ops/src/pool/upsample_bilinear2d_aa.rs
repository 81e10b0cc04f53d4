//! `aten::_upsample_bilinear2d_aa.out`: images at another size, where each element is a mean of all that it covers.

use super::plane::{Planes, check_planes, rounding, sides, with_planes};
use crate::catalogue::{Accuracy, OpDef};
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
    let rows = line(planes.height, height, scale(planes.height, height, align, cx.opt_float(3)?), round);
    let columns = line(planes.width, width, scale(planes.width, width, align, cx.opt_float(4)?), round);
    let output = with_planes(input.shape(), height, width)?;
    let mut values = Vec::with_capacity(output.numel());
    for plane in input.to_f64s().chunks(planes.area()) {
        let across: Vec<f64> =
            plane.chunks(planes.width).flat_map(|row| columns.iter().map(|c| c.of(row, 1, 0))).collect();
        for row in &rows {
            values.extend((0..width).map(|x| row.of(&across, width, x)));
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

/// The elements of a line that an element of the output covers: the first, and the share of each.
struct Covered {
    first: usize,
    shares: Vec<f64>,
}

impl Covered {
    /// The mean over a line whose elements lie `step` apart, from `start` on.
    fn of(&self, values: &[f64], step: usize, start: usize) -> f64 {
        self.shares.iter().enumerate().map(|(i, share)| share * values[(self.first + i) * step + start]).sum()
    }
}

/// Shares fall from the centre to nothing over a distance of one element, or of as many as a step covers.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "places within the line")]
fn line(length: usize, out: usize, scale: f64, round: fn(f64) -> f64) -> Vec<Covered> {
    let scale = round(scale);
    let reach = scale.max(1.0);
    let covered = |place: usize| {
        let centre = round(scale * (place as f64 + 0.5));
        let first = ((centre - reach + 0.5).max(0.0) as usize).min(length - 1);
        let end = ((centre + reach + 0.5) as usize).clamp(first + 1, length);
        let share = |at: usize| round((1.0 - ((at as f64 - centre + 0.5) / reach).abs()).max(0.0));
        let total: f64 = (first..end).map(share).sum();
        let shares = (first..end).map(|at| if total == 0.0 { 0.0 } else { share(at) / total }).collect();
        Covered { first, shares }
    };
    (0..out).map(covered).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// F.interpolate(torch.tensor([[[[0., 1., 2., 3., 4., 5.]]]]), (1, 3), mode="bilinear", antialias=True)
    #[test]
    fn halves_are_means_of_what_they_cover() {
        let shares: Vec<_> =
            line(6, 3, 2.0, |x| x).iter().map(|c| c.of(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0], 1, 0)).collect();
        let expected = [0.714_285_7, 2.5, 4.285_714];
        assert!(shares.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-5), "{shares:?}");
    }
}
