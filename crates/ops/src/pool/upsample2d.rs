//! `aten.upsample_nearest2d`, `aten.upsample_bilinear2d`: images at another size.

use pteron_tensor::Shape;

use super::plane::{Planes, check_planes, rounding, with_planes};
use crate::args::{Args, Described};
use crate::catalogue::{Accuracy, OpDef};
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::kernels::upsample2d;
use crate::plan::{PlanContext, word};

const BILINEAR: &str = "aten.upsample_bilinear2d.vec";

pub(crate) const OPS: &[OpDef] = &[
    OpDef::tensor(BILINEAR, plan, reference)
        .portable("aten::upsample_bilinear2d.vec_out")
        .accuracy(Accuracy::Accumulated),
    OpDef::tensor("aten.upsample_nearest2d.vec", plan, reference).portable("aten::upsample_nearest2d.vec_out"),
];

struct Resampling {
    planes: Planes,
    output: Shape,
    /// Distance in the input for a step in the output, for height and width.
    scales: [f64; 2],
    bilinear: bool,
    align_corners: bool,
}

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    let Resampling { planes, output, scales, bilinear, align_corners } = resampling(cx, cx.name(), &input.shape)?;
    let output = cx.output(output)?;
    let out = Planes::of(&output.shape)?;
    #[expect(clippy::cast_possible_truncation, reason = "kernels find points in f32")]
    let params = upsample2d::Params {
        numel: word(output.numel()),
        size_in: [word(planes.width), word(planes.height)],
        size_out: [word(out.width), word(out.height)],
        scale: [scales[1] as f32, scales[0] as f32],
        align_corners: u32::from(align_corners),
    };
    let mode = if bilinear { upsample2d::Mode::Bilinear } else { upsample2d::Mode::Nearest };
    let variant = upsample2d::Variant { t: output.dtype.try_into()?, mode };
    cx.dispatch(upsample2d::Bind { input, output, params }, variant).threads(output.numel())
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    let resampling = resampling(cx, cx.name(), input.shape())?;
    let (planes, out) = (resampling.planes, Planes::of(&resampling.output)?);
    let round = rounding(input.dtype());
    let rows: Vec<_> = (0..out.height).map(|y| resampling.source(y, 0, round)).collect();
    let columns: Vec<_> = (0..out.width).map(|x| resampling.source(x, 1, round)).collect();
    let mut values = Vec::with_capacity(resampling.output.numel());
    for plane in input.to_f64s().chunks(planes.area()) {
        for &(top, bottom, down) in &rows {
            for &(left, right, across) in &columns {
                let line = |y: usize| {
                    let row = &plane[y * planes.width..];
                    if across == 0.0 { row[left] } else { row[left] * (1.0 - across) + row[right] * across }
                };
                values.push(if down == 0.0 { line(top) } else { line(top) * (1.0 - down) + line(bottom) * down });
            }
        }
    }
    cx.set_f64s(resampling.output, values)
}

impl Resampling {
    /// The two elements of a line that an element of the output lies between, and how far it is from the first.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a point within the input")]
    fn source(&self, place: usize, side: usize, round: fn(f64) -> f64) -> (usize, usize, f64) {
        let last = [self.planes.height, self.planes.width][side] - 1;
        let scale = round(self.scales[side]);
        if !self.bilinear {
            // PyTorch finds the nearest element in single precision for every type.
            let nearest = ((place as f32 * scale as f32) as usize).min(last);
            return (nearest, nearest, 0.0);
        }
        let point = match self.align_corners {
            true => round(place as f64 * scale),
            false => round(round((place as f64 + 0.5) * scale) - 0.5).max(0.0),
        };
        let low = (point as usize).min(last);
        (low, (low + 1).min(last), (point - low as f64).clamp(0.0, 1.0))
    }
}

fn resampling<T: Described>(cx: &Args<'_, T>, name: &str, input: &Shape) -> Result<Resampling> {
    let dtype = cx.tensor(0)?.dtype();
    let bilinear = name == BILINEAR;
    if bilinear && !dtype.is_float() {
        return Err(OpError::DType { dtype, what: "interpolation".to_owned() });
    }
    let planes = Planes::of(input)?;
    check_planes(input, &planes)?;
    if input.rank() != 4 {
        return Err(OpError::Shape(format!("{input} is no batch of images")));
    }
    let factors = cx.opt_floats(if bilinear { 3 } else { 2 })?.filter(|factors| !factors.is_empty());
    let lengths = [planes.height, planes.width];
    let sizes = match (cx.opt_ints(1)?.filter(|sizes| !sizes.is_empty()), &factors) {
        (Some(sizes), _) => sizes,
        #[expect(clippy::cast_possible_truncation, reason = "a size that is too large is refused below")]
        (None, Some(factors)) => lengths.iter().zip(factors).map(|(&size, f)| (size as f64 * f) as i64).collect(),
        (None, None) => Vec::new(),
    };
    let wrong = || OpError::Shape(format!("{input} cannot be resized to {sizes:?} by factors {factors:?}"));
    let size = |i: usize| sizes.get(i).and_then(|&size| usize::try_from(size).ok()).filter(|&size| size > 0);
    let (Some(height), Some(width), true) = (size(0), size(1), sizes.len() == 2) else { return Err(wrong()) };
    if factors.as_ref().is_some_and(|factors| factors.len() != 2) {
        return Err(wrong());
    }
    let align_corners = bilinear && cx.bool(2)?;
    let scale = |i: usize, out: usize| {
        let length = lengths[i];
        match &factors {
            _ if align_corners && out > 1 => (length - 1) as f64 / (out - 1) as f64,
            _ if align_corners => 0.0,
            // A size that stays is copied, and one that doubles repeats, whatever the factor.
            _ if out == length => 1.0,
            _ if !bilinear && out == 2 * length => 0.5,
            Some(factors) if factors[i] > 0.0 => 1.0 / factors[i],
            _ => length as f64 / out as f64,
        }
    };
    Ok(Resampling {
        planes,
        output: with_planes(input, height, width)?,
        scales: [scale(0, height), scale(1, width)],
        bilinear,
        align_corners,
    })
}
