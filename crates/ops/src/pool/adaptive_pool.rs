//! `aten::_adaptive_avg_pool2d.out` and its kin: means, or the largest elements, of as many windows as the output has elements.

use std::ops::Range;

use pteron_tensor::{HostTensor, Shape};

use super::max_pool::larger;
use super::plane::sides;
use crate::catalogue::{Accuracy, OpDef};
use crate::clock::Clock;
use crate::error::{OpError, Result};
use crate::eval::Eval;

pub(crate) const OPS: &[OpDef] = &[
    OpDef::host("aten::_adaptive_avg_pool2d.out", means::<2>).accuracy(Accuracy::Accumulated),
    OpDef::host("aten::_adaptive_avg_pool3d.out", means::<3>).accuracy(Accuracy::Accumulated),
    OpDef::host("aten::adaptive_max_pool2d.out", largest::<2>),
    OpDef::host("aten::adaptive_max_pool3d.out", largest::<3>),
];

/// The windows over the last dimensions of a tensor. They overlap where the sizes do not divide.
struct Windows {
    /// Depth, height and width; images have no depth.
    sizes: [usize; 3],
    counts: [usize; 3],
    output: Shape,
}

impl Windows {
    /// Reads how many windows there are for each of the last `N` dimensions from argument 1.
    fn read<const N: usize>(cx: &Eval<'_>, shape: &Shape) -> Result<Windows> {
        let rank = shape.rank();
        let last = shape.last_chunk::<N>().filter(|_| rank == N + 1 || rank == N + 2);
        let last = *last.ok_or_else(|| OpError::Shape(format!("{shape} has neither rank {} nor {}", N + 1, N + 2)))?;
        if last.contains(&0) {
            return Err(OpError::Shape(format!("{shape} has nothing that a window could cover")));
        }
        let wanted = sides(cx, 1, last)?;
        let (mut sizes, mut counts, mut output) = ([1; 3], [1; 3], *shape);
        for (dim, (size, count)) in last.into_iter().zip(wanted).enumerate() {
            (sizes[3 - N + dim], counts[3 - N + dim]) = (size, count);
            output = output.with(rank - N + dim, count)?;
        }
        Ok(Windows { sizes, counts, output })
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

fn means<const N: usize>(cx: &mut Eval<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    let windows = Windows::read::<N>(cx, input.shape())?;
    let means = windows.map(&input.to_f64s(), cx.clock(), |volume, places| {
        let (sum, count) = places.fold((0.0, 0.0), |(sum, count), at| (sum + volume[at], count + 1.0));
        sum / count
    })?;
    cx.set_f64s(windows.output, means)
}

/// The largest elements, and where they are in the image or volume.
fn largest<const N: usize>(cx: &mut Eval<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    let windows = Windows::read::<N>(cx, input.shape())?;
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
