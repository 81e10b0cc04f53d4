//! `aten._adaptive_avg_pool2d` and its kin: means, or the largest elements, of as many windows as the output has elements.

use std::ops::Range;

use pteron_tensor::{HostTensor, Shape};

use super::max_pool::larger;
use super::plane;
use crate::args::{Args, Described};
use crate::catalogue::{Accuracy, OpDef};
use crate::clock::Clock;
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::kernels::types::AdaptiveWindows;
use crate::kernels::{adaptive_avg_pool, adaptive_max_pool};
use crate::plan::{PlanContext, word};

pub(crate) const OPS: &[OpDef] = &[
    OpDef::tensor("aten._adaptive_avg_pool2d.default", plan_means, means)
        .portable("aten::_adaptive_avg_pool2d.out")
        .accuracy(Accuracy::Accumulated),
    OpDef::tensor("aten._adaptive_avg_pool3d.default", plan_means, means)
        .portable("aten::_adaptive_avg_pool3d.out")
        .accuracy(Accuracy::Accumulated),
    OpDef::tensor("aten.adaptive_max_pool2d.default", plan_largest, largest).portable("aten::adaptive_max_pool2d.out"),
    OpDef::tensor("aten.adaptive_max_pool3d.default", plan_largest, largest).portable("aten::adaptive_max_pool3d.out"),
];

/// The windows over the last dimensions of a tensor. They overlap where the sizes do not divide.
struct Windows {
    /// Depth, height and width; images have no depth.
    sizes: [usize; 3],
    counts: [usize; 3],
    output: Shape,
}

impl Windows {
    /// Reads how many windows there are for each of the last two dimensions, or three, from argument 1.
    fn read<T: Described>(cx: &Args<'_, T>, name: &str, shape: &Shape) -> Result<Windows> {
        let (rank, sides) = (shape.rank(), if name.ends_with("3d.default") { 3 } else { 2 });
        if rank != sides + 1 && rank != sides + 2 {
            return Err(OpError::Shape(format!("{shape} has neither rank {} nor {}", sides + 1, sides + 2)));
        }
        let last = &shape[rank - sides..];
        if last.contains(&0) {
            return Err(OpError::Shape(format!("{shape} has nothing that a window could cover")));
        }
        let (mut sizes, mut output) = ([1; 3], *shape);
        sizes[3 - sides..].copy_from_slice(last);
        let counts = if sides == 3 {
            plane::sides(cx, 1, sizes)?
        } else {
            let [rows, columns] = plane::sides(cx, 1, [sizes[1], sizes[2]])?;
            [1, rows, columns]
        };
        for (dim, &count) in (rank - sides..).zip(&counts[3 - sides..]) {
            output = output.with(dim, count)?;
        }
        Ok(Windows { sizes, counts, output })
    }

    /// The windows as kernels read them: width first.
    fn meta(&self) -> AdaptiveWindows {
        let reversed = |[depth, height, width]: [usize; 3]| [width, height, depth].map(word);
        AdaptiveWindows { size_in: reversed(self.sizes), size_out: reversed(self.counts) }
    }

    /// The elements of a line that a window covers.
    fn range(&self, side: usize, position: usize) -> Range<usize> {
        let (size, count) = (self.sizes[side], self.counts[side]);
        position * size / count..((position + 1) * size).div_ceil(count)
    }

    /// What `f` makes of each window of each volume: it is given the volume, and the places of the window's elements.
    fn map<T, R>(
        &self,
        values: &[T],
        clock: &Clock,
        f: impl Fn(&[T], &mut dyn Iterator<Item = usize>) -> R,
    ) -> Result<Vec<R>> {
        let [_, height, width] = self.sizes;
        let mut results = Vec::with_capacity(self.output.numel());
        for volume in values.chunks(self.sizes.iter().product()) {
            for position in 0..self.counts.iter().product() {
                let [_, rows, columns] = self.counts;
                let at = [position / (rows * columns), position / columns % rows, position % columns];
                let [zs, ys, xs] = std::array::from_fn(|side| self.range(side, at[side]));
                clock.count(zs.len() * ys.len() * xs.len())?;
                let mut places = zs.flat_map(|z| {
                    let xs = &xs;
                    ys.clone().flat_map(move |y| xs.clone().map(move |x| (z * height + y) * width + x))
                });
                results.push(f(volume, &mut places));
            }
        }
        Ok(results)
    }
}

fn plan_means(cx: &mut PlanContext<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    let windows = Windows::read(cx, cx.name(), &input.shape)?;
    let output = cx.output(windows.output)?;
    let params = adaptive_avg_pool::Params { windows: windows.meta(), numel: word(output.numel()) };
    let variant = adaptive_avg_pool::Variant { t: output.dtype.try_into()? };
    cx.dispatch(adaptive_avg_pool::Bind { input, output, params }, variant).threads(output.numel())
}

fn plan_largest(cx: &mut PlanContext<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    let windows = Windows::read(cx, cx.name(), &input.shape)?;
    let (output, indices) = (cx.output_at(0, windows.output)?, cx.output_at(1, windows.output)?);
    let params = adaptive_max_pool::Params { windows: windows.meta(), numel: word(output.numel()) };
    let variant = adaptive_max_pool::Variant { t: output.dtype.try_into()? };
    cx.dispatch(adaptive_max_pool::Bind { input, output, indices, params }, variant).threads(output.numel())
}

fn means(cx: &mut Eval<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    let windows = Windows::read(cx, cx.name(), input.shape())?;
    let means = windows.map(&input.to_f64s(), cx.clock(), |volume, places| {
        let (sum, count) = places.fold((0.0, 0.0), |(sum, count), at| (sum + volume[at], count + 1.0));
        sum / count
    })?;
    cx.set_f64s(windows.output, means)
}

/// The largest elements, and where they are in the image or volume.
fn largest(cx: &mut Eval<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    let windows = Windows::read(cx, cx.name(), input.shape())?;
    // A window covers at least one element.
    let places = if input.dtype().is_float() {
        windows.map(&input.to_f64s(), cx.clock(), |volume, places| {
            places.reduce(|a, b| larger(volume, a, b)).unwrap_or(0)
        })?
    } else {
        windows.map(&input.to_i64s(), cx.clock(), |volume, places| {
            places.reduce(|a, b| larger(volume, a, b)).unwrap_or(0)
        })?
    };
    let (area, each) = (windows.sizes.iter().product::<usize>(), windows.counts.iter().product::<usize>());
    let (shape, dtype) = (windows.output, input.dtype());
    let taken = places.iter().enumerate().map(|(number, place)| number / each * area + place);
    let best = if dtype.is_float() {
        let values = input.to_f64s();
        HostTensor::from_f64s(dtype, shape, taken.map(|at| values[at]))?
    } else {
        let values = input.to_i64s();
        HostTensor::from_i64s(dtype, shape, taken.map(|at| values[at]))?
    };
    cx.set(0, best)?;
    cx.set(1, HostTensor::from_i64s(cx.output_type(1)?, shape, places.into_iter().map(|place| place as i64))?)
}

#[cfg(test)]
mod tests {
    use pteron_tensor::DType;

    use super::*;
    use crate::args::Arg;
    use crate::catalogue::lookup_portable;

    #[test]
    fn nan_is_the_largest_and_windows_overlap() {
        let input = HostTensor::from_slice(&[1.0f32, 5.0, 2.0, 3.0, f32::NAN], &[1, 1, 5]).unwrap();
        let sizes = Arg::List(vec![Arg::Int(1), Arg::Int(3)]);
        let op = lookup_portable("aten::adaptive_max_pool2d.out").unwrap();
        let outputs = Eval::run(op, vec![Arg::Tensor(input), sizes], &[], &[DType::F32, DType::I64]).unwrap().outputs;
        assert_eq!(outputs[0].to_f64s()[..2], [5.0, 5.0]);
        assert!(outputs[0].to_f64s()[2].is_nan());
        assert_eq!(outputs[1].to_i64s(), [1, 1, 4]);
    }

    #[test]
    fn what_no_window_covers_is_refused() {
        for (name, dims) in
            [("aten::adaptive_max_pool3d.out", &[2, 2, 2][..]), ("aten::_adaptive_avg_pool2d.out", &[1, 0, 2])]
        {
            let input = HostTensor::zeros(DType::F32, Shape::new(dims).unwrap());
            let args = vec![Arg::Tensor(input), Arg::List(vec![Arg::Int(1); 2])];
            assert!(Eval::run(lookup_portable(name).unwrap(), args, &[], &[DType::F32, DType::I64]).is_err(), "{name}");
        }
    }
}
