//! A scale and a zero point for each block of a tensor, from its least and greatest element: `torchao`'s
//! `choose_qparams_affine`, and `quantized_decomposed`'s for a whole tensor and for each token.

use pteron_tensor::{DType, HostTensor, Shape};

use super::blocks::{Blocks, type_limits};
use super::weight::floats;
use crate::args::{Args, Described};
use crate::catalogue::{Accuracy, OpDef};
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::kernels::choose_qparams;
use crate::plan::{PlanContext, lanes, meta, word};

const PER_TOKEN: &str = "quantized_decomposed.choose_qparams_per_token_asymmetric.default";
const WHOLE: &str = "quantized_decomposed.choose_qparams.tensor";

pub(crate) const OPS: &[OpDef] = &[
    OpDef::tensor(WHOLE, plan, reference)
        .portable("quantized_decomposed::choose_qparams.Tensor_out")
        .accuracy(Accuracy::Rounded),
    OpDef::tensor(PER_TOKEN, plan, reference)
        .portable("quantized_decomposed::choose_qparams_per_token_asymmetric.out")
        .accuracy(Accuracy::Rounded),
    OpDef::tensor("torchao.choose_qparams_affine.default", plan, reference).accuracy(Accuracy::Rounded),
];

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    let types = [cx.output_type(0)?, cx.output_type(1)?];
    let choice = Choice::read(cx, cx.name(), &input, types)?;
    let (scale, zero_point) = (cx.output_at(0, choice.output)?, cx.output_at(1, choice.output)?);

    let blocks = &choice.blocks;
    let params = choose_qparams::Params {
        grid: meta(&blocks.grid),
        block: meta(&blocks.block),
        steps: lanes(input.shape.strides().map(word)),
        count: word(blocks.count()),
        low: choice.low,
        high: choice.high,
        least_scale: choice.least_scale,
        mapping: choice.mapping as u32,
    };
    let bytes = zero_point.dtype != DType::I32;
    let variant = choose_qparams::Variant {
        t: input.dtype.try_into()?,
        s: scale.dtype.try_into()?,
        q: zero_point.dtype.try_into()?,
        runs: blocks.are_runs(),
    };
    let overrides =
        choose_qparams::Overrides { wg_size: word(blocks.block.numel().next_power_of_two().clamp(32, 256)) };
    cx.dispatch(choose_qparams::Bind { input, scale, zero_point, params }, variant)
        .overrides(overrides)
        .rows(if bytes { blocks.count().div_ceil(4) } else { blocks.count() })
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    let types = [cx.output_type(0)?, cx.output_type(1)?];
    let choice = Choice::read(cx, cx.name(), &input, types)?;
    // Zero is always within the range.
    let mut ranges = vec![(0.0f32, 0.0f32); choice.blocks.count()];
    for (index, &value) in floats(&input).iter().enumerate() {
        let (least, greatest) = &mut ranges[choice.blocks.of(index)];
        (*least, *greatest) = (least.min(value), greatest.max(value));
    }
    let (scales, zeros): (Vec<_>, Vec<_>) = ranges.into_iter().map(|(low, high)| choice.choose(low, high)).unzip();
    cx.set(0, HostTensor::from_f64s(types[0], choice.output, scales.into_iter().map(f64::from))?)?;
    cx.set(1, HostTensor::from_f64s(types[1], choice.output, zeros.into_iter().map(f64::from))?)
}

/// How a range becomes a scale and a zero point. The numbers are those of `choose_qparams.wgsl`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mapping {
    /// The range onto all integers.
    Asymmetric = 0,
    /// The larger side of the range onto half of the integers.
    Symmetric = 1,
    /// The side of the range that needs the larger scale onto its side of the integers.
    SymmetricNoClipping = 2,
    /// The range onto all integers, with the zero point from the side that leaves the smaller error.
    PerToken = 3,
}

/// The arguments of one call.
struct Choice {
    blocks: Blocks,
    output: Shape,
    mapping: Mapping,
    low: f32,
    high: f32,
    least_scale: f32,
}

impl Choice {
    #[expect(clippy::cast_possible_truncation, reason = "torch computes in f32")]
    fn read<T: Described>(cx: &Args<'_, T>, name: &str, input: &T, types: [DType; 2]) -> Result<Choice> {
        let shape = input.shape();
        if !input.dtype().is_float() {
            return Err(OpError::DType { dtype: input.dtype(), what: "a tensor to quantize".to_owned() });
        }
        if !types[0].is_float() || !types[1].is_integer() {
            return Err(OpError::DType { dtype: types[1], what: "a zero point".to_owned() });
        }
        let number = |index: usize, default: f64| if cx.is_null(index) { Ok(default) } else { cx.float(index) };
        let (blocks, output, mapping, limits, least_scale) = match name {
            WHOLE => (
                Blocks::whole(shape)?,
                Shape::new(&[1])?,
                Mapping::Asymmetric,
                [cx.float(1)?, cx.float(2)?],
                cx.float(3)?,
            ),
            PER_TOKEN => {
                let blocks = Blocks::per_token(shape)?;
                (blocks, blocks.grid, Mapping::PerToken, [-128.0, 127.0], f64::from(f32::EPSILON))
            }
            _ => {
                let blocks = Blocks::new(shape, &cx.ints(2)?)?;
                let mapping = match cx.str(1)? {
                    "ASYMMETRIC" => Mapping::Asymmetric,
                    "SYMMETRIC" => Mapping::Symmetric,
                    "SYMMETRIC_NO_CLIPPING_ERR" => Mapping::SymmetricNoClipping,
                    other => return Err(OpError::Unsupported(format!("mapping type {other}"))),
                };
                // Without limits in the program the target type gives them; it is that of the zero points.
                let [low, high] = type_limits(types[1])?;
                let smallest = if input.dtype() == DType::F16 {
                    half::f16::MIN_POSITIVE.to_f64()
                } else {
                    f64::from(f32::MIN_POSITIVE)
                };
                let keep = !cx.is_null(9) && cx.bool(9)?;
                let limits = [number(4, low as f64)?, number(5, high as f64)?];
                (blocks, grid_shape(&blocks, keep)?, mapping, limits, number(6, smallest)?)
            }
        };
        if blocks.count() > 0 && shape.numel() == 0 {
            return Err(OpError::Shape(format!("{shape} has no least and greatest element")));
        }
        if limits[0].is_nan() || limits[1].is_nan() || limits[0] >= limits[1] {
            return Err(OpError::Shape(format!("no integers lie from {} to {}", limits[0], limits[1])));
        }
        let [low, high] = limits.map(|limit| limit as f32);
        Ok(Choice { blocks, output, mapping, low, high, least_scale: least_scale as f32 })
    }

    /// The scale and the zero point of a range that holds zero.
    fn choose(&self, least: f32, greatest: f32) -> (f32, f32) {
        let (low, high) = (self.low, self.high);
        let scale = match self.mapping {
            Mapping::Asymmetric | Mapping::PerToken => (greatest - least) / (high - low),
            Mapping::Symmetric => greatest.max(-least) / ((high - low) / 2.0),
            Mapping::SymmetricNoClipping => (least / low).max(greatest / high),
        };
        let scale = scale.max(self.least_scale);
        let zero = match self.mapping {
            Mapping::Asymmetric => (low - (least / scale).round_ties_even()).clamp(low, high),
            Mapping::Symmetric | Mapping::SymmetricNoClipping => ((high + low + 1.0) / 2.0).trunc(),
            Mapping::PerToken => {
                let (from_least, from_greatest) = (least / scale, greatest / scale);
                let zero = if (low + from_least) + (high + from_greatest) > 0.0 {
                    low - from_least
                } else {
                    high - from_greatest
                };
                zero.clamp(low, high).round_ties_even()
            }
        };
        (scale, zero)
    }
}

/// One element for each block; dimensions of a single block are dropped unless they are kept.
fn grid_shape(blocks: &Blocks, keep: bool) -> Result<Shape> {
    if keep {
        return Ok(blocks.grid);
    }
    let dims = blocks.grid.iter().zip(blocks.block.iter()).zip(blocks.shape.iter());
    let kept: Vec<_> =
        dims.filter(|&((_, &block), &size)| block == 1 || block != size).map(|((&grid, _), _)| grid).collect();
    Ok(Shape::new(&kept)?)
}
