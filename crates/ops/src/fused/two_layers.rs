//! `pteron.two_layers`: two small layers of few rows that follow each other, as one launch.
//!
//! [`TwoLayers`] declares its arguments. A layer is linear, or a convolution of single places over images of one place.

use pteron_tensor::{HostTensor, Shape};

use super::arguments::{TwoLayers, TwoLayersPositions};
use super::q4_row::lanes_of_team;
use crate::args::{Args, Described};
use crate::catalogue::{Accuracy, OpDef};
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::kernels::two_layers;
use crate::plan::{PlanContext, word};
use crate::pointwise::activation::Activation;

pub(crate) const OPS: &[OpDef] = &[OpDef::fused(TwoLayers::NAME, plan, reference).accuracy(Accuracy::Accumulated)];

const AT: TwoLayersPositions = TwoLayersPositions::AT;

/// The most elements between the layers, which workgroup memory holds.
const MOST_BETWEEN: usize = 1024;
/// The most elements of a weight, which every workgroup reads.
const MOST_WEIGHTS: usize = 128 << 10;
/// The most rows.
const MOST_ROWS: usize = 8;
/// Invocations of a workgroup, where a device has as many.
const LANES: u32 = 512;

/// Whether layers from `depth` to `width` to `columns` elements are small enough for one launch.
pub fn fits_two_layers(rows: usize, depth: usize, width: usize, columns: usize) -> bool {
    let small = |a: usize, b: usize| a.checked_mul(b).is_some_and(|count| (1..=MOST_WEIGHTS).contains(&count));
    (1..=MOST_ROWS).contains(&rows) && width <= MOST_BETWEEN && small(depth, width) && small(width, columns)
}

/// The sizes of both layers, and the shape of the result.
struct Sizes {
    rows: usize,
    depth: usize,
    width: usize,
    columns: usize,
    output: Shape,
}

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let sizes = sizes(cx)?;
    let (input, weight, next_weight) = (cx.tensor(AT.input)?, cx.tensor(AT.weight)?, cx.tensor(AT.next_weight)?);
    let (bias, next_bias) = (cx.opt_tensor(AT.bias)?, cx.opt_tensor(AT.next_bias)?);
    let (first, last) = activations(cx)?;
    let output = cx.output(sizes.output)?;
    let Sizes { rows, depth, width, columns, .. } = sizes;
    let ((first, [p, q]), (last, [r, s])) = (first.words(), last.words());
    let wg_size = LANES.min(cx.caps().max_invocations).min(cx.caps().max_workgroup_size[0]);
    // Whoever has more outputs than invocations shares them with others.
    let parts = columns.div_ceil(wg_size as usize);
    let params = two_layers::Params {
        numbers: [p, q, r, s],
        first,
        last,
        depth: word(depth),
        width: word(width),
        columns: word(columns),
        rows: word(rows),
        parts: word(parts),
        part_size: word(columns.div_ceil(parts)),
        has_bias: u32::from(bias.is_some()),
        has_next_bias: u32::from(next_bias.is_some()),
    };
    let (by_subgroup, lanes) = lanes_of_team(cx.caps());
    let variant = two_layers::Variant {
        t: output.dtype.try_into()?,
        wide: depth.is_multiple_of(4) && width.is_multiple_of(4),
        reduce: if by_subgroup { two_layers::Reduce::TeamSubgroup } else { two_layers::Reduce::TeamShared },
    };
    let overrides = two_layers::Overrides { lanes, teams: wg_size / lanes, wg_size };
    // A kernel never reads what is absent; any buffer will do.
    let (bias, next_bias) = (bias.unwrap_or(input), next_bias.unwrap_or(input));
    cx.dispatch(two_layers::Bind { input, weight, bias, next_weight, next_bias, output, params }, variant)
        .overrides(overrides)
        .rows(rows * parts)
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let Sizes { rows, depth, width, columns, output } = sizes(cx)?;
    let (first, last) = activations(cx)?;
    let input = cx.tensor(AT.input)?;
    cx.clock().count(rows * (depth + columns) * width)?;
    let layer =
        |input: &[f64], weight: &HostTensor, bias: Option<HostTensor>, depth: usize, activation: &Activation| {
            let (weight, bias) = (weight.to_f64s(), bias.map(|bias| bias.to_f64s()));
            let sum = |row: &[f64], (column, weight): (usize, &[f64])| {
                let sum: f64 = row.iter().zip(weight).map(|(x, w)| x * w).sum();
                activation.apply(sum + bias.as_ref().map_or(0.0, |bias| bias[column]))
            };
            let row = |row: &[f64]| weight.chunks_exact(depth).enumerate().map(|it| sum(row, it)).collect::<Vec<_>>();
            input.chunks_exact(depth).flat_map(row).collect::<Vec<_>>()
        };
    let hidden = layer(&input.to_f64s(), &cx.tensor(AT.weight)?, cx.opt_tensor(AT.bias)?, depth, &first);
    // What one layer gives to the next has their type.
    let hidden = HostTensor::from_f64s(input.dtype(), Shape::new(&[rows, width])?, hidden)?.to_f64s();
    let values = layer(&hidden, &cx.tensor(AT.next_weight)?, cx.opt_tensor(AT.next_bias)?, width, &last);
    cx.set_f64s(output, values)
}

fn activations<T: Described>(cx: &Args<'_, T>) -> Result<(Activation, Activation)> {
    Ok((cx.str(AT.first)?.parse()?, cx.str(AT.last)?.parse()?))
}

fn sizes<T: Described>(cx: &Args<'_, T>) -> Result<Sizes> {
    let (input, weight, next) = (cx.tensor(AT.input)?, cx.tensor(AT.weight)?, cx.tensor(AT.next_weight)?);
    let shape = input.shape();
    let wrong = || {
        let (weight, next) = (weight.shape(), next.shape());
        OpError::Shape(format!("layers of {weight} and {next} do not take {shape} one after the other"))
    };
    let (Some(&width), Some(&columns)) = (weight.shape().first(), next.shape().first()) else { return Err(wrong()) };
    let (depth, between) = (weight.shape().iter().skip(1).product(), next.shape().iter().skip(1).product::<usize>());
    // The dimension that the layers change: the last, or the channels of images.
    let dim = if weight.shape().rank() == 2 { shape.rank().checked_sub(1) } else { Some(1) };
    let mut sizes = shape.to_vec();
    let size = dim.and_then(|dim| sizes.get_mut(dim)).ok_or_else(wrong)?;
    let rows = shape.numel().checked_div(depth).unwrap_or(0);
    let fits = *size == depth && between == width && rows * depth == shape.numel();
    *size = columns;
    let images = dim.is_some_and(|dim| shape.iter().skip(dim + 1).all(|&size| size == 1));
    let biases = [(AT.bias, width), (AT.next_bias, columns)];
    let mut tensors = vec![weight.clone(), next.clone()];
    for (at, count) in biases {
        if let Some(bias) = cx.opt_tensor(at)? {
            if bias.shape().numel() != count {
                return Err(wrong());
            }
            tensors.push(bias);
        }
    }
    if let Some(other) = tensors.iter().find(|tensor| tensor.dtype() != input.dtype()) {
        return Err(OpError::DType { dtype: other.dtype(), what: format!("a layer in {}", input.dtype()) });
    }
    if !fits || !images || !input.dtype().is_float() || !fits_two_layers(rows.max(1), depth, width, columns) {
        return Err(wrong());
    }
    Ok(Sizes { rows, depth, width, columns, output: Shape::new(&sizes)? })
}
