//! `aten::_adaptive_avg_pool2d.out`: means of as many windows as the output has elements.

use super::plane::{Planes, check_planes, sides, with_planes};
use crate::catalogue::{Accuracy, OpDef};
use crate::error::Result;
use crate::eval::Eval;

pub(crate) const OPS: &[OpDef] =
    &[OpDef::host("aten::_adaptive_avg_pool2d.out", reference).accuracy(Accuracy::Accumulated)];

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    let planes = Planes::of(input.shape())?;
    check_planes(input.shape(), &planes)?;
    let [height, width] = sides(cx, 1, [planes.height, planes.width])?;
    let output = with_planes(input.shape(), height, width)?;
    let values = input.to_f64s();
    // Windows overlap where the sizes do not divide.
    let range = |position: usize, windows: usize, length: usize| {
        position * length / windows..((position + 1) * length).div_ceil(windows)
    };
    let mut means = Vec::with_capacity(output.numel());
    for plane in values.chunks(planes.area()) {
        for (y, x) in (0..height).flat_map(|y| (0..width).map(move |x| (y, x))) {
            let (ys, xs) = (range(y, height, planes.height), range(x, width, planes.width));
            let count = (ys.len() * xs.len()) as f64;
            let sum: f64 = ys.flat_map(|y| &plane[y * planes.width..][xs.clone()]).sum();
            means.push(sum / count);
        }
    }
    cx.set_f64s(output, means)
}
