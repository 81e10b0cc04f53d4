//! `aten.max_pool2d`, with and without indices, and `aten.max_pool3d_with_indices`: the largest elements of windows, and
//! where they are in the volume; and `pteron.arg_max_pool2d`, of windows side by side, and where in the window they are.

use pteron_tensor::{DType, HostTensor, Shape};

use super::volume::{Sides, Volumes};
use crate::args::{Args, Described};
use crate::catalogue::OpDef;
use crate::clock::Clock;
use crate::error::Result;
use crate::eval::Eval;
use crate::kernels::max_pool;
use crate::plan::{PlanContext, word};
use crate::reduce::walk::flag;

const PLAIN: &str = "aten.max_pool2d.default";
const VOLUMES: &str = "aten.max_pool3d_with_indices.default";
const IN_WINDOW: &str = "pteron.arg_max_pool2d.default";

pub(crate) const OPS: &[OpDef] = &[
    OpDef::tensor(PLAIN, plan, reference).portable("aten::max_pool2d.out"),
    OpDef::tensor("aten.max_pool2d_with_indices.default", plan, reference)
        .portable("aten::max_pool2d_with_indices.out"),
    OpDef::tensor(VOLUMES, plan, reference).portable("aten::max_pool3d_with_indices.out"),
    OpDef::tensor(IN_WINDOW, plan, reference),
];

fn read<T: Described>(cx: &Args<'_, T>, name: &str) -> Result<(T, Volumes)> {
    let input = cx.tensor(0)?;
    let sides = if name == VOLUMES { Sides::Volumes } else { Sides::Planes };
    let volumes = Volumes::read(cx, input.shape(), sides, Some(4), flag(cx, 5)?)?;
    Ok((input, volumes))
}

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let (input, volumes) = read(cx, cx.name())?;
    let (has_indices, in_window) = (cx.name() != PLAIN, cx.name() == IN_WINDOW);
    let output = cx.output_at(0, volumes.output)?;
    let indices =
        if has_indices { cx.output_at(1, volumes.output)? } else { cx.scratch(DType::I32, Shape::new(&[1])?)? };
    let params = max_pool::Params {
        volumes: volumes.meta(),
        numel: word(output.numel()),
        has_indices: u32::from(has_indices),
        in_window: u32::from(in_window),
    };
    let variant = max_pool::Variant { t: output.dtype.try_into()? };
    cx.dispatch(max_pool::Bind { input, output, indices, params }, variant).threads(output.numel())
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let (input, volumes) = read(cx, cx.name())?;
    let (dtype, shape) = (input.dtype(), volumes.output);
    let (best, places) = if dtype.is_float() {
        let (best, places) = largest(&input.to_f64s(), &volumes, cx.clock())?;
        (HostTensor::from_f64s(dtype, shape, best)?, places)
    } else {
        let (best, places) = largest(&input.to_i64s(), &volumes, cx.clock())?;
        (HostTensor::from_i64s(dtype, shape, best)?, places)
    };
    cx.set(0, best)?;
    match cx.name() {
        PLAIN => Ok(()),
        IN_WINDOW => {
            let [_, rows, columns] = volumes.windows.map(|window| window.size as i64);
            let width = volumes.sizes[2] as i64;
            // Windows lie side by side, so a place in the plane tells the place in its window.
            let within = places.into_iter().map(|at| at / width % rows * columns + at % width % columns);
            cx.set(1, HostTensor::from_i64s(cx.output_type(1)?, shape, within)?)
        }
        _ => cx.set(1, HostTensor::from_i64s(cx.output_type(1)?, shape, places)?),
    }
}

/// The place of the larger of two elements: a NaN is larger than anything, and of two the second.
pub(super) fn larger<T: Copy + PartialOrd>(values: &[T], best: usize, at: usize) -> usize {
    #[expect(clippy::eq_op, reason = "only NaN differs from itself")]
    let is_nan = values[at] != values[at];
    if is_nan || values[at] > values[best] { at } else { best }
}

/// The largest element of each window and its place in the volume. A NaN is larger than anything, and the last of
/// several counts.
fn largest<T: Copy + PartialOrd>(values: &[T], volumes: &Volumes, clock: &Clock) -> Result<(Vec<T>, Vec<i64>)> {
    let mut found = Vec::with_capacity(volumes.output.numel());
    for volume in values.chunks(volumes.sizes.iter().product()) {
        volumes.each(clock, |_, elements| {
            let best = elements.reduce(|best, at| larger(volume, best, at));
            found.extend(best.map(|at| (volume[at], at as i64)));
        })?;
    }
    Ok(found.into_iter().unzip())
}
