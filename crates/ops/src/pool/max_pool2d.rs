//! `aten.max_pool2d`, with and without indices: the largest elements of windows, and where they are in the plane; and
//! `pteron.arg_max_pool2d`, of windows side by side, and where in the window they are.

use pteron_tensor::{DType, HostTensor, Shape};

use super::plane::{Planes, Window, check_planes, windows, with_planes};
use crate::args::{Args, Described};
use crate::catalogue::OpDef;
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::kernels::max_pool2d;
use crate::plan::{PlanContext, word};
use crate::reduce::walk::flag;

const INDEXED: &str = "aten.max_pool2d_with_indices.default";
const IN_WINDOW: &str = "pteron.arg_max_pool2d.default";

pub(crate) const OPS: &[OpDef] = &[
    OpDef::tensor("aten.max_pool2d.default", plan, reference).portable("aten::max_pool2d.out"),
    OpDef::tensor(INDEXED, plan, reference).portable("aten::max_pool2d_with_indices.out"),
    OpDef::tensor(IN_WINDOW, plan, reference),
];

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    let (planes, [rows, columns], shape) = pool(cx, &input.shape)?;
    let output = cx.output(shape)?;
    let in_window = cx.name() == IN_WINDOW;
    let indexed = in_window || cx.name() == INDEXED;
    let indices = if indexed { cx.output_at(1, shape)? } else { cx.scratch(DType::I32, Shape::new(&[1])?)? };
    let out = Planes::of(&shape)?;
    let both = |f: fn(&Window) -> usize| [word(f(&columns)), word(f(&rows))];
    let params = max_pool2d::Params {
        numel: word(output.numel()),
        size_in: [word(planes.width), word(planes.height)],
        size_out: [word(out.width), word(out.height)],
        window: both(|window| window.size),
        stride: both(|window| window.stride),
        padding: both(|window| window.padding),
        dilation: both(|window| window.dilation),
        has_indices: u32::from(indexed),
        in_window: u32::from(in_window),
    };
    let variant = max_pool2d::Variant { t: output.dtype.try_into()? };
    cx.dispatch(max_pool2d::Bind { input, output, indices, params }, variant).threads(output.numel())
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    let (planes, windows, shape) = pool(cx, input.shape())?;
    let out = Planes::of(&shape)?;
    let dtype = input.dtype();
    let (best, positions) = if dtype.is_float() {
        let (best, positions) = largest(&input.to_f64s(), &planes, windows, &out);
        (HostTensor::from_f64s(dtype, shape, best)?, positions)
    } else {
        let (best, positions) = largest(&input.to_i64s(), &planes, windows, &out);
        (HostTensor::from_i64s(dtype, shape, best)?, positions)
    };
    cx.set(0, best)?;
    if cx.name() == INDEXED {
        cx.set(1, HostTensor::from_i64s(cx.output_type(1)?, shape, positions)?)?;
    } else if cx.name() == IN_WINDOW {
        let (width, [rows, columns]) = (planes.width as i64, windows.map(|window| window.size as i64));
        // Windows lie side by side, so a place in the plane tells the place in its window.
        let within = positions.into_iter().map(|at| at / width % rows * columns + at % width % columns);
        cx.set(1, HostTensor::from_i64s(cx.output_type(1)?, shape, within)?)?;
    }
    Ok(())
}

/// The largest element of each window and its position in the plane. A NaN is larger than anything, and the last of
/// several counts.
fn largest<T: Copy + PartialOrd>(
    values: &[T],
    planes: &Planes,
    [rows, columns]: [Window; 2],
    out: &Planes,
) -> (Vec<T>, Vec<i64>) {
    let mut found = Vec::with_capacity(out.count * out.area());
    for plane in values.chunks(planes.area()) {
        for (y, x) in (0..out.height).flat_map(|y| (0..out.width).map(move |x| (y, x))) {
            let xs = columns.elements(x, planes.width);
            let positions = rows.elements(y, planes.height).flat_map(|y| xs.clone().map(move |x| y * planes.width + x));
            let best = positions.reduce(|best, at| {
                #[expect(clippy::eq_op, reason = "only NaN differs from itself")]
                let is_nan = plane[at] != plane[at];
                if is_nan || plane[at] > plane[best] { at } else { best }
            });
            found.extend(best.map(|at| (plane[at], at as i64)));
        }
    }
    found.into_iter().unzip()
}

fn pool<T: Described>(cx: &Args<'_, T>, input: &Shape) -> Result<(Planes, [Window; 2], Shape)> {
    let planes = Planes::of(input)?;
    check_planes(input, &planes)?;
    let windows: [Window; 2] = windows(cx, Some(4))?;
    let ceil = flag(cx, 5)?;
    let sizes = [windows[0].positions(planes.height, ceil)?, windows[1].positions(planes.width, ceil)?];
    for (window, (length, positions)) in windows.iter().zip([planes.height, planes.width].into_iter().zip(sizes)) {
        // A dilated window at the end may have no element inside.
        if (0..positions).any(|position| window.elements(position, length).next().is_none()) {
            return Err(OpError::Shape(format!("{input} has windows without elements")));
        }
    }
    Ok((planes, windows, with_planes(input, sizes[0], sizes[1])?))
}
