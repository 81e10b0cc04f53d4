//! `aten.grid_sampler_2d`: images at the points of a grid.

use pteron_tensor::{DType, Shape};

use super::plane::{Planes, check_planes, rounding};
use crate::args::{Args, Described};
use crate::catalogue::{Accuracy, OpDef};
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::kernels::grid_sampler_2d::{self, Mode};
use crate::plan::{PlanContext, word};

pub(crate) const OPS: &[OpDef] = &[OpDef::tensor("aten.grid_sampler_2d.default", plan, reference)
    .portable("aten::grid_sampler_2d.out")
    .accuracy(Accuracy::Accumulated)];

/// What lies outside the input.
#[derive(Clone, Copy, PartialEq)]
enum Padding {
    Zeros,
    Border,
    Reflection,
}

struct Sampling {
    planes: Planes,
    output: Shape,
    channels: usize,
    points: usize,
    mode: Mode,
    padding: Padding,
    align_corners: bool,
}

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let (input, grid) = (cx.tensor(0)?, cx.tensor(1)?);
    let sampling = sampling(cx, &input.shape, &grid.shape)?;
    let output = cx.output(sampling.output)?;
    let params = grid_sampler_2d::Params {
        numel: word(output.numel()),
        channels: word(sampling.channels),
        points: word(sampling.points),
        size: [word(sampling.planes.width), word(sampling.planes.height)],
        padding: sampling.padding as u32,
        align_corners: u32::from(sampling.align_corners),
    };
    let variant = grid_sampler_2d::Variant { t: output.dtype.try_into()?, mode: sampling.mode };
    cx.dispatch(grid_sampler_2d::Bind { input, grid, output, params }, variant).threads(output.numel())
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let (input, grid) = (cx.tensor(0)?, cx.tensor(1)?);
    let sampling = sampling(cx, input.shape(), grid.shape())?;
    let round = rounding(input.dtype());
    let (values, grid) = (input.to_f64s(), grid.to_f64s());
    let samples = values.chunks((sampling.channels * sampling.planes.area()).max(1));
    let mut result = Vec::with_capacity(sampling.output.numel());
    for (sample, points) in samples.zip(grid.chunks((sampling.points * 2).max(1))) {
        for plane in sample.chunks(sampling.planes.area()) {
            result.extend(points.chunks_exact(2).map(|point| sampling.value(plane, point[0], point[1], round)));
        }
    }
    cx.set_f64s(sampling.output, result)
}

impl Sampling {
    fn value(&self, plane: &[f64], x: f64, y: f64, round: fn(f64) -> f64) -> f64 {
        let Planes { height, width, .. } = self.planes;
        let (x, y) = (self.pixels(x, width, round), self.pixels(y, height, round));
        if self.mode == Mode::Bicubic {
            let (low_x, low_y) = (x.floor(), y.floor());
            let (across, down) = (cubic(x - low_x), cubic(y - low_y));
            let tap = |low: f64, i: usize, size| self.padded(low + i as f64 - 1.0, size).round_ties_even();
            let line = |i: usize| -> f64 {
                let row = tap(low_y, i, height);
                (0..4).map(|j| across[j] * self.fetch(plane, tap(low_x, j, width), row)).sum()
            };
            return (0..4).map(|i| down[i] * line(i)).sum();
        }
        let (x, y) = (self.padded(x, width), self.padded(y, height));
        if self.mode == Mode::Nearest {
            return self.fetch(plane, x.round_ties_even(), y.round_ties_even());
        }
        let (low_x, low_y) = (x.floor(), y.floor());
        let (across, down) = (x - low_x, y - low_y);
        let line = |y| self.fetch(plane, low_x, y) * (1.0 - across) + self.fetch(plane, low_x + 1.0, y) * across;
        line(low_y) * (1.0 - down) + line(low_y + 1.0) * down
    }

    /// A coordinate in pixels. What is no number is the first pixel, or far outside where that is zero.
    fn pixels(&self, coordinate: f64, size: usize, round: fn(f64) -> f64) -> f64 {
        let size = size as f64;
        match (coordinate.is_nan(), self.align_corners) {
            (true, _) if self.padding == Padding::Zeros => -8.0,
            (true, _) => 0.0,
            (false, true) => round(round(coordinate + 1.0) * ((size - 1.0) / 2.0)),
            (false, false) => round(round(round(coordinate + 1.0) * (size / 2.0)) - 0.5),
        }
    }

    /// A pixel coordinate as the padding moves it.
    fn padded(&self, coordinate: f64, size: usize) -> f64 {
        let size = size as f64;
        let reflected = match self.padding {
            // Far outside is as good as infinitely far.
            Padding::Zeros => return coordinate.clamp(-8.0, size + 8.0),
            Padding::Border => coordinate,
            Padding::Reflection => {
                let (low, span) = if self.align_corners { (0.0, size - 1.0) } else { (-0.5, size) };
                if span == 0.0 {
                    return 0.0;
                }
                let distance = (coordinate - low).abs();
                let flips = (distance / span).floor();
                let extra = distance - flips * span;
                low + if flips % 2.0 == 0.0 { extra } else { span - extra }
            }
        };
        reflected.clamp(0.0, size - 1.0)
    }

    /// The element at whole coordinates; zero outside.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "coordinates within the plane")]
    fn fetch(&self, plane: &[f64], x: f64, y: f64) -> f64 {
        let Planes { height, width, .. } = self.planes;
        let inside = x >= 0.0 && y >= 0.0 && x < width as f64 && y < height as f64;
        if inside { plane[y as usize * width + x as usize] } else { 0.0 }
    }
}

/// The weights of four neighbours, the point lying `t` after the second.
fn cubic(t: f64) -> [f64; 4] {
    let inner = |t: f64| (1.25 * t - 2.25) * t * t + 1.0;
    let outer = |t: f64| ((-0.75 * t + 3.75) * t - 6.0) * t + 3.0;
    [outer(t + 1.0), inner(t), inner(1.0 - t), outer(2.0 - t)]
}

fn sampling<T: Described>(cx: &Args<'_, T>, input: &Shape, grid: &Shape) -> Result<Sampling> {
    let (dtype, grid_dtype): (DType, DType) = (cx.tensor(0)?.dtype(), cx.tensor(1)?.dtype());
    if !dtype.is_float() || grid_dtype != dtype {
        return Err(OpError::DType { dtype: grid_dtype, what: format!("a grid over {dtype}") });
    }
    let (&[batch, channels, ..], &[grids, rows, columns, 2]) = (&**input, &**grid) else {
        return Err(OpError::Shape(format!("a grid of {grid} has no points of {input}")));
    };
    let planes = Planes::of(input)?;
    check_planes(input, &planes)?;
    if input.rank() != 4 || grids != batch {
        return Err(OpError::Shape(format!("a grid of {grid} has no points of {input}")));
    }
    let unknown = |what: &str, number| OpError::Unsupported(format!("{what} {number} is not known"));
    let mode = match cx.int(2)? {
        0 => Mode::Bilinear,
        1 => Mode::Nearest,
        2 => Mode::Bicubic,
        mode => return Err(unknown("interpolation mode", mode)),
    };
    let padding = match cx.int(3)? {
        0 => Padding::Zeros,
        1 => Padding::Border,
        2 => Padding::Reflection,
        padding => return Err(unknown("padding mode", padding)),
    };
    Ok(Sampling {
        planes,
        output: Shape::new(&[batch, channels, rows, columns])?,
        channels,
        points: rows * columns,
        mode,
        padding,
        align_corners: !cx.is_null(4) && cx.bool(4)?,
    })
}
