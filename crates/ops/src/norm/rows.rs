//! Layer and group norm: rows of a tensor brought to mean 0 and variance 1, then scaled by channel.

use pteron_tensor::{DType, HostTensor, Shape};

use crate::args::{Args, Described};
use crate::caps::Caps;
use crate::catalogue::{Accuracy, OpDef};
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::kernels::{norm, norm_parts};
use crate::plan::{PlanContext, Tensor, word};

/// The fewest columns that are worth a workgroup of their own, and the most parts of a row.
const PART: usize = 2048;
const PARTS: usize = 64;

const GROUP: &str = "aten.native_group_norm.default";
/// Batch norm by the statistics of its own input, each channel of which is a row where the batch is one: instance norm.
pub(super) const OWN_STATISTICS: &str = "aten._native_batch_norm_legit.no_stats";

pub(crate) const OPS: &[OpDef] = &[
    OpDef::tensor(GROUP, plan, reference).portable("aten::native_group_norm.out").accuracy(Accuracy::Accumulated),
    OpDef::tensor("aten.native_layer_norm.default", plan, reference)
        .portable("aten::native_layer_norm.out")
        .accuracy(Accuracy::Accumulated),
];

/// The rows of a norm, and where it finds its arguments.
struct Rows {
    rows: usize,
    width: usize,
    /// Columns per channel.
    inner: usize,
    /// Channels per row.
    channels: usize,
    /// Rows until the channels begin again.
    groups: usize,
    /// The shape of the means.
    stats: Shape,
    /// Position of the weight; the bias follows it.
    weight: usize,
    epsilon: f64,
}

pub(super) fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    let rows = rows(cx, cx.name(), &input.shape)?;
    let factors = [cx.opt_tensor(rows.weight)?, cx.opt_tensor(rows.weight + 1)?];
    let output = cx.output_at(0, input.shape)?;
    let statistics = [cx.output_at(1, rows.stats)?, cx.output_at(2, rows.stats)?];
    rows.dispatch(cx, input, factors, output, statistics)
}

/// Dispatches the layer norm of rows of a width into `output`.
pub(crate) fn dispatch(
    cx: &mut PlanContext<'_>,
    input: Tensor,
    factors: [Option<Tensor>; 2],
    width: usize,
    epsilon: f64,
    output: Tensor,
) -> Result<()> {
    let count = input.numel().checked_div(width).unwrap_or(0);
    let stats = Shape::new(&[count])?;
    let rows = Rows { rows: count, width, inner: 1, channels: width, groups: 1, stats, weight: 0, epsilon };
    let statistics = [cx.scratch(DType::F32, stats)?, cx.scratch(DType::F32, stats)?];
    rows.dispatch(cx, input, factors, output, statistics)
}

impl Rows {
    /// Dispatches the norm into `output`, and means and rstds into `statistics`. Factors are a weight and a bias.
    fn dispatch(
        &self,
        cx: &mut PlanContext<'_>,
        input: Tensor,
        [weight, bias]: [Option<Tensor>; 2],
        output: Tensor,
        [mean, rstd]: [Tensor; 2],
    ) -> Result<()> {
        let parts = self.parts(cx.caps());
        let part_size = self.width.div_ceil(parts);
        #[expect(clippy::cast_possible_truncation, reason = "kernels add in f32")]
        let params = norm::Params {
            rows: word(self.rows),
            width: word(self.width),
            inner: word(self.inner),
            channels: word(self.channels),
            groups: word(self.groups),
            epsilon: self.epsilon as f32,
            has_weight: u32::from(weight.is_some()),
            has_bias: u32::from(bias.is_some()),
            parts: word(parts),
            part_size: word(part_size),
        };
        let touched = [Some(input), weight, bias, Some(output), Some(mean), Some(rstd)];
        let traffic = touched.iter().flatten().map(Tensor::bytes).sum();
        // What is absent is bound to something that the kernel does not read.
        let parameters = weight.or(bias).unwrap_or(input);
        let (weight, bias) = (weight.unwrap_or(parameters), bias.unwrap_or(parameters));
        let subgroups = cx.caps().subgroups.is_some();
        let reduce = if subgroups { norm::Reduce::Subgroup } else { norm::Reduce::Shared };
        let wg_size = cx.caps().lanes_for(self.rows * parts, part_size);
        let partial = if parts > 1 {
            let partial = cx.scratch(DType::F32, Shape::new(&[self.rows, parts, 2])?)?;
            let params = norm_parts::Params {
                rows: word(self.rows),
                width: word(self.width),
                parts: word(parts),
                part_size: word(part_size),
            };
            let variant = norm_parts::Variant { t: input.dtype.try_into()?, reduce };
            cx.dispatch(norm_parts::Bind { input, partial, params }, variant)
                .overrides(norm_parts::Overrides { wg_size })
                .rows(self.rows * parts)?;
            partial
        } else {
            // The kernel does not read it then.
            cx.scratch(DType::F32, Shape::new(&[2])?)?
        };
        let variant = norm::Variant {
            t: output.dtype.try_into()?,
            w: parameters.dtype.try_into()?,
            stat: mean.dtype.try_into()?,
            parts: parts > 1,
            reduce,
        };
        cx.dispatch(norm::Bind { input, weight, bias, partial, output, mean, rstd, params }, variant)
            .overrides(norm::Overrides { wg_size })
            .traffic(traffic)
            .rows(self.rows * parts)
    }

    /// The parts of a row, where rows are long and too few to keep a device busy.
    fn parts(&self, caps: &Caps) -> usize {
        let wanted = (caps.groups_at_once as usize / 2).checked_div(self.rows).unwrap_or(1);
        let parts = wanted.min(self.width / PART).clamp(1, PARTS);
        // As many as there are when all have one size.
        self.width.div_ceil(self.width.div_ceil(parts).max(1)).max(1)
    }
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    let rows = rows(cx, cx.name(), input.shape())?;
    let weight = cx.opt_tensor(rows.weight)?.map(|weight| weight.to_f64s());
    let bias = cx.opt_tensor(rows.weight + 1)?.map(|bias| bias.to_f64s());
    let mut values = input.to_f64s();
    let (mut means, mut rstds) = (vec![f64::NAN; rows.rows], vec![f64::NAN; rows.rows]);
    for (number, row) in values.chunks_mut(rows.width.max(1)).enumerate() {
        let mean = row.iter().sum::<f64>() / row.len() as f64;
        let variance = row.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / row.len() as f64;
        let rstd = 1.0 / (variance + rows.epsilon).sqrt();
        (means[number], rstds[number]) = (mean, rstd);
        for (column, x) in row.iter_mut().enumerate() {
            let channel = number % rows.groups * rows.channels + column / rows.inner;
            *x = (*x - mean) * rstd;
            *x *= weight.as_ref().map_or(1.0, |weight| weight[channel]);
            *x += bias.as_ref().map_or(0.0, |bias| bias[channel]);
        }
    }
    cx.set_f64s(*input.shape(), values)?;
    cx.set(1, HostTensor::from_f64s(cx.output_type(1)?, rows.stats, means)?)?;
    cx.set(2, HostTensor::from_f64s(cx.output_type(2)?, rows.stats, rstds)?)
}

fn rows<T: Described>(cx: &Args<'_, T>, name: &str, input: &Shape) -> Result<Rows> {
    let dtype = cx.tensor(0)?.dtype();
    if !dtype.is_float() {
        return Err(OpError::DType { dtype, what: "a norm".to_owned() });
    }
    let rows = match name {
        GROUP => group_rows(cx, input)?,
        OWN_STATISTICS => channel_rows(cx, input)?,
        _ => layer_rows(cx, input)?,
    };
    let affine = Shape::new(&[rows.channels * rows.groups])?;
    for index in [rows.weight, rows.weight + 1] {
        if let Some(tensor) = cx.opt_tensor(index)?
            && tensor.shape().numel() != affine.numel()
        {
            let shape = tensor.shape();
            return Err(OpError::Shape(format!("a weight or bias of {shape} does not fit the {affine} channels")));
        }
    }
    if rows.width == 0 && rows.rows > 0 {
        return Err(OpError::Shape(format!("{input} has rows without elements, which have no mean")));
    }
    Ok(rows)
}

fn layer_rows<T: Described>(cx: &Args<'_, T>, input: &Shape) -> Result<Rows> {
    let normalized = cx.ints(1)?;
    let rank = input.rank().checked_sub(normalized.len()).filter(|_| !normalized.is_empty());
    let tail = rank.map(|rank| input.iter().skip(rank).map(|&size| size as i64));
    let Some(rank) = rank.filter(|_| tail.is_some_and(|tail| tail.eq(normalized.iter().copied()))) else {
        return Err(OpError::Shape(format!("{input} does not end in the normalized sizes {normalized:?}")));
    };
    let (outer, inner) = input.split_at(rank);
    let stats: Vec<_> = outer.iter().copied().chain(inner.iter().map(|_| 1)).collect();
    let width = inner.iter().product();
    Ok(Rows {
        rows: outer.iter().product(),
        width,
        inner: 1,
        channels: width,
        groups: 1,
        stats: Shape::new(&stats)?,
        weight: 2,
        epsilon: cx.float(4)?,
    })
}

/// The channels of a batch of one.
fn channel_rows<T: Described>(cx: &Args<'_, T>, input: &Shape) -> Result<Rows> {
    let (&[1, channels], width) = (input.first_chunk().unwrap_or(&[0; 2]), input.iter().skip(2).product::<usize>())
    else {
        return Err(OpError::Unsupported(format!("the statistics of each channel of {input}, whose batch is not 1")));
    };
    if width == 0 {
        return Err(OpError::Unsupported(format!("the statistics of no elements in {input}")));
    }
    let stats = Shape::new(&[channels])?;
    Ok(Rows {
        rows: channels,
        width,
        inner: width,
        channels: 1,
        groups: channels,
        stats,
        weight: 1,
        epsilon: cx.float(5)?,
    })
}

fn group_rows<T: Described>(cx: &Args<'_, T>, input: &Shape) -> Result<Rows> {
    let wrong = || OpError::Shape(format!("{input} does not fit the batch, channels and groups of a group norm"));
    let size = |index| usize::try_from(cx.int(index)?).map_err(|_| wrong());
    let (batch, channels, inner, groups) = (size(3)?, size(4)?, size(5)?, size(6)?);
    let numel = batch.checked_mul(channels).and_then(|count| count.checked_mul(inner));
    if groups == 0 || channels % groups != 0 || numel != Some(input.numel()) {
        return Err(wrong());
    }
    Ok(Rows {
        rows: batch * groups,
        width: channels / groups * inner,
        inner: inner.max(1),
        channels: channels / groups,
        groups,
        stats: Shape::new(&[batch, groups])?,
        weight: 1,
        epsilon: cx.float(7)?,
    })
}
