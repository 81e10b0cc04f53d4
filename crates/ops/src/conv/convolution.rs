//! `aten.convolution` and `et_vk.conv_with_clamp`: a convolution over one to three spatial dimensions, plain, grouped,
//! dilated or transposed.

use pteron_tensor::HostTensor;

use super::geometry::Geometry;
use crate::args::{Args, Described};
use crate::catalogue::{Accuracy, OpDef};
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::kernels::{conv_direct, conv_tiled};
use crate::matmul::dense;
use crate::matmul::product::{Operand, Product, bounded};
use crate::plan::PlanContext;

pub(crate) const OPS: &[OpDef] = &[
    OpDef::tensor("aten.convolution.default", plan, reference)
        .portable("aten::convolution.out")
        .accuracy(Accuracy::Accumulated),
    OpDef::tensor("et_vk.conv_with_clamp.default", plan, reference).accuracy(Accuracy::Accumulated),
];

/// Groups with fewer output channels than this leave most of a tile empty.
const TILED_CHANNELS: usize = 8;
/// The outputs along a side of a tile.
const TILE: usize = 64;

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let (input, weight, bias) = (cx.tensor(0)?, cx.tensor(1)?, cx.opt_tensor(2)?);
    let geometry = Geometry::new(cx)?;
    let bounds = bounds(cx)?;
    check_bias(&geometry, bias.as_ref())?;
    let output = cx.output(geometry.output)?;
    for operand in [Some(input), Some(weight), bias].into_iter().flatten() {
        if operand.dtype != output.dtype {
            let what = format!("an operand of a convolution in {}", output.dtype);
            return Err(OpError::DType { dtype: operand.dtype, what });
        }
    }
    if geometry.is_pointwise() && geometry.groups == 1 {
        return pointwise(&geometry, bounds).plan(cx, weight, input, bias, output);
    }
    let has_bias = bias.is_some();
    // A kernel without bias never reads the binding; any buffer will do.
    let bias = bias.unwrap_or(weight);
    let convolution = geometry.params(bounds);
    if geometry.out_group < TILED_CHANNELS {
        let params = conv_direct::Params { convolution };
        let variant =
            conv_direct::Variant { t: output.dtype.try_into()?, bias: has_bias, transposed: geometry.transposed };
        return cx.dispatch(conv_direct::Bind { input, weight, bias, output, params }, variant).threads(output.numel());
    }
    let params = conv_tiled::Params { convolution };
    let tiles = geometry.out_group.div_ceil(TILE) * geometry.places().div_ceil(TILE);
    let variant = conv_tiled::Variant { t: output.dtype.try_into()?, bias: has_bias, transposed: geometry.transposed };
    cx.dispatch(conv_tiled::Bind { input, weight, bias, output, params }, variant)
        .rows(geometry.batch * geometry.groups * tiles)
}

/// A convolution of single elements is a product: the weight times the channels of each image.
fn pointwise(geometry: &Geometry, bounds: [f64; 2]) -> Product {
    let (rows, columns, depth) = (geometry.out_group, geometry.places(), geometry.in_group);
    Product {
        batch: geometry.batch,
        left: Operand::lines(rows, depth).shared(),
        right: Operand::across(columns, depth),
        bias: [1, 0],
        bounds,
        ..Product::new(rows, columns, depth)
    }
}

/// The places of the result that the reference gathers the inputs of at once.
const GATHERED: usize = 256;

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let (input, weight, bias) = (cx.tensor(0)?, cx.tensor(1)?, cx.opt_tensor(2)?);
    let geometry = Geometry::new(cx)?;
    let [low, high] = bounds(cx)?;
    check_bias(&geometry, bias.as_ref())?;
    for operand in [Some(&weight), bias.as_ref()].into_iter().flatten() {
        if operand.dtype() != input.dtype() {
            let what = format!("an operand of a convolution in {}", input.dtype());
            return Err(OpError::DType { dtype: operand.dtype(), what });
        }
    }
    let bias = bias.map(|bias| bias.to_f64s());
    let mut values = sums(&geometry, &input.to_f64s(), &weight.to_f64s());
    let channels = geometry.groups * geometry.out_group;
    for (index, plane) in values.chunks_exact_mut(geometry.places().max(1)).enumerate() {
        let bias = bias.as_ref().map_or(0.0, |bias| bias[index % channels]);
        plane.iter_mut().for_each(|value| *value = bounded(*value + bias, low, high));
    }
    cx.set(0, HostTensor::from_f64s(input.dtype(), geometry.output, values)?)
}

/// The convolution without bias: for each group, the weights times the inputs that each place reads.
fn sums(geometry: &Geometry, input: &[f64], weight: &[f64]) -> Vec<f64> {
    let &Geometry { groups, in_group, out_group, .. } = geometry;
    let (area, taps, places) = (geometry.area(), geometry.taps(), geometry.places());
    let depth = in_group * taps;
    let mut rows = Vec::with_capacity(groups * out_group * depth);
    for channel in 0..groups * out_group {
        for k in 0..depth {
            rows.push(weight[geometry.weight(channel / out_group, channel % out_group, k / taps, k % taps)]);
        }
    }
    let mut sums = vec![0.0; geometry.output.numel()];
    let mut gathered = Vec::new();
    let mut products = Vec::new();
    for first in (0..places).step_by(GATHERED) {
        let count = GATHERED.min(places - first);
        let sources: Vec<_> =
            (0..count * taps).map(|i| geometry.source(first + i / taps, i % taps).unwrap_or(usize::MAX)).collect();
        for slice in 0..geometry.batch * groups {
            let channels = &input[slice * in_group * area..][..in_group * area];
            gathered.clear();
            for sources in sources.chunks_exact(taps) {
                for channel in channels.chunks_exact(area.max(1)) {
                    gathered.extend(sources.iter().map(|&source| channel.get(source).copied().unwrap_or(0.0)));
                }
            }
            let rows = &rows[slice % groups * out_group * depth..][..out_group * depth];
            products.clear();
            products.resize(out_group * count, 0.0);
            dense::multiply(rows, &gathered, depth, count, &mut products);
            for (row, products) in products.chunks_exact(count).enumerate() {
                sums[(slice * out_group + row) * places + first..][..count].copy_from_slice(products);
            }
        }
    }
    sums
}

/// `output_min?` and `output_max?` of `et_vk.conv_with_clamp`, which `aten.convolution` lacks.
fn bounds<T: Described>(cx: &Args<'_, T>) -> Result<[f64; 2]> {
    Ok([cx.opt_float(9)?.unwrap_or(f64::NEG_INFINITY), cx.opt_float(10)?.unwrap_or(f64::INFINITY)])
}

fn check_bias<T: Described>(geometry: &Geometry, bias: Option<&T>) -> Result<()> {
    let channels = geometry.groups * geometry.out_group;
    match bias {
        Some(bias) if **bias.shape() != [channels] => {
            Err(OpError::Shape(format!("a bias of {} does not fit {channels} channels", bias.shape())))
        }
        _ => Ok(()),
    }
}
