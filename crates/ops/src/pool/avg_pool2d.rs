//! `aten.avg_pool2d`: means of windows.

use super::plane::{Planes, Window, check_planes, windows, with_planes};
use crate::args::{Args, Described};
use crate::catalogue::{Accuracy, OpDef};
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::kernels::avg_pool2d;
use crate::plan::{PlanContext, word};
use crate::reduce::walk::flag;
use pteron_tensor::Shape;

pub(crate) const OPS: &[OpDef] = &[OpDef::tensor("aten.avg_pool2d.default", plan, reference)
    .portable("aten::avg_pool2d.out")
    .accuracy(Accuracy::Accumulated)];

struct Pool {
    planes: Planes,
    windows: [Window; 2],
    output: Shape,
    count_padding: bool,
    divisor: Option<f64>,
}

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    let Pool { planes, windows: [rows, columns], output, count_padding, divisor } = pool(cx, &input.shape)?;
    let output = cx.output(output)?;
    let out = Planes::of(&output.shape)?;
    let both = |f: fn(&Window) -> usize| [word(f(&columns)), word(f(&rows))];
    #[expect(clippy::cast_possible_truncation, reason = "kernels add in f32")]
    let params = avg_pool2d::Params {
        numel: word(output.numel()),
        size_in: [word(planes.width), word(planes.height)],
        size_out: [word(out.width), word(out.height)],
        window: both(|window| window.size),
        stride: both(|window| window.stride),
        padding: both(|window| window.padding),
        count_padding: u32::from(count_padding),
        divisor: divisor.unwrap_or(0.0) as f32,
    };
    let variant = avg_pool2d::Variant { t: output.dtype.try_into()? };
    cx.dispatch(avg_pool2d::Bind { input, output, params }, variant).threads(output.numel())
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    let Pool { planes, windows: [rows, columns], output, count_padding, divisor } = pool(cx, input.shape())?;
    let (values, out) = (input.to_f64s(), Planes::of(&output)?);
    let mut means = Vec::with_capacity(output.numel());
    for plane in values.chunks(planes.area()) {
        for (y, x) in (0..out.height).flat_map(|y| (0..out.width).map(move |x| (y, x))) {
            let (ys, xs) = (rows.elements(y, planes.height), columns.elements(x, planes.width));
            let row = |y: usize| xs.clone().map(move |x| plane[y * planes.width + x]);
            let covered = ys.clone().count() * xs.clone().count();
            let sum: f64 = ys.flat_map(row).sum();
            let padded = rows.padded_size(y, planes.height) * columns.padded_size(x, planes.width);
            let count = if count_padding { padded } else { covered } as f64;
            means.push(if covered == 0 { 0.0 } else { sum / divisor.unwrap_or(count) });
        }
    }
    cx.set_f64s(output, means)
}

fn pool<T: Described>(cx: &Args<'_, T>, input: &Shape) -> Result<Pool> {
    let dtype = cx.tensor(0)?.dtype();
    if !dtype.is_float() {
        return Err(OpError::DType { dtype, what: "the mean of windows".to_owned() });
    }
    let planes = Planes::of(input)?;
    check_planes(input, &planes)?;
    let windows: [Window; 2] = windows(cx, None)?;
    let ceil = flag(cx, 4)?;
    let output =
        with_planes(input, windows[0].positions(planes.height, ceil)?, windows[1].positions(planes.width, ceil)?)?;
    let divisor = cx.opt_float(6)?;
    if divisor == Some(0.0) {
        return Err(OpError::Shape("the divisor of a mean is 0".to_owned()));
    }
    Ok(Pool { planes, windows, output, count_padding: cx.is_null(5) || cx.bool(5)?, divisor })
}
