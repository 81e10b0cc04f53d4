//! `aten.avg_pool2d` and `aten.avg_pool3d`: means of windows.

use super::volume::{Sides, Volumes};
use crate::args::{Args, Described};
use crate::catalogue::{Accuracy, OpDef};
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::kernels::avg_pool;
use crate::plan::{PlanContext, word};
use crate::reduce::walk::flag;

const PLANAR: &str = "aten.avg_pool2d.default";

pub(crate) const OPS: &[OpDef] = &[
    OpDef::tensor(PLANAR, plan, reference).portable("aten::avg_pool2d.out").accuracy(Accuracy::Accumulated),
    OpDef::tensor("aten.avg_pool3d.default", plan, reference)
        .portable("aten::avg_pool3d.out")
        .accuracy(Accuracy::Accumulated),
];

/// What a sum is divided by.
#[derive(Clone, Copy)]
enum Divisor {
    /// The elements of the window, those of its padding among them.
    Padded,
    /// The elements of the volume that it covers.
    Covered,
    Given(f64),
}

fn read<T: Described>(cx: &Args<'_, T>, name: &str) -> Result<(T, Volumes, Divisor)> {
    let input = cx.tensor(0)?;
    if !input.dtype().is_float() {
        return Err(OpError::DType { dtype: input.dtype(), what: "the mean of windows".to_owned() });
    }
    let sides = if name == PLANAR { Sides::Planes } else { Sides::Volumes };
    let volumes = Volumes::read(cx, input.shape(), sides, None, flag(cx, 4)?)?;
    let divisor = match cx.opt_float(6)? {
        Some(0.0) => return Err(OpError::Shape("the divisor of a mean is 0".to_owned())),
        Some(divisor) => Divisor::Given(divisor),
        None if cx.is_null(5) || cx.bool(5)? => Divisor::Padded,
        None => Divisor::Covered,
    };
    Ok((input, volumes, divisor))
}

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let (input, volumes, divisor) = read(cx, cx.name())?;
    let output = cx.output(volumes.output)?;
    #[expect(clippy::cast_possible_truncation, reason = "kernels add in f32")]
    let given = if let Divisor::Given(divisor) = divisor { divisor as f32 } else { 0.0 };
    let params = avg_pool::Params {
        volumes: volumes.meta(),
        numel: word(output.numel()),
        count_padding: u32::from(matches!(divisor, Divisor::Padded)),
        divisor: given,
    };
    let variant = avg_pool::Variant { t: output.dtype.try_into()? };
    cx.dispatch(avg_pool::Bind { input, output, params }, variant).threads(output.numel())
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let (input, volumes, divisor) = read(cx, cx.name())?;
    let mut means = Vec::with_capacity(volumes.output.numel());
    for volume in input.to_f64s().chunks(volumes.sizes.iter().product()) {
        volumes.each(cx.clock(), |place, elements| {
            let (sum, covered) = elements.fold((0.0, 0u32), |(sum, count), at| (sum + volume[at], count + 1));
            let padded = || {
                let sides = volumes.windows.iter().zip(place).zip(volumes.sizes);
                sides.map(|((window, place), size)| window.padded_size(place, size) as f64).product()
            };
            means.push(
                sum / match divisor {
                    Divisor::Padded => padded(),
                    Divisor::Covered => f64::from(covered),
                    Divisor::Given(divisor) => divisor,
                },
            );
        })?;
    }
    cx.set_f64s(volumes.output, means)
}
