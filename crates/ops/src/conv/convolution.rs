//! `aten.convolution` and `et_vk.conv_with_clamp`: a convolution over one to three spatial dimensions, plain, grouped,
//! dilated or transposed.

use pteron_tensor::{HostTensor, Shape};

use super::geometry::{Geometry, WeightForm};
use crate::args::{Args, Described};
use crate::catalogue::{Accuracy, OpDef};
use crate::clock::Clock;
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::kernels::{conv_depthwise, conv_direct, conv_matrix, conv_tiled, conv_weight};
use crate::matmul::dense;
use crate::matmul::epilogue::{Affine, Epilogue};
use crate::matmul::product::{Operand, Operands, Product};
use crate::matmul::tiling::{Factors, MatrixTile, Tile, Tiling};
use crate::plan::{PlanContext, Tensor, word};
use crate::pointwise::activation::Activation;

pub(crate) const OPS: &[OpDef] = &[
    OpDef::tensor("aten.convolution.default", plan, reference)
        .portable("aten::convolution.out")
        .accuracy(Accuracy::Accumulated),
    OpDef::tensor("et_vk.conv_with_clamp.default", plan, reference).accuracy(Accuracy::Accumulated),
];

/// A bias goes with the channels, which are the rows of the result.
const AFFINE: Affine = Affine { bias: [1, 0], alpha: 1.0, beta: 1.0 };
/// From so many places on, an image fills tiles of its own.
const MANY_PLACES: usize = 256;

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let bounds = bounds(cx)?;
    Convolution::read(cx, WeightForm::Plain, None, bounds)?.plan(cx)
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let bounds = bounds(cx)?;
    Convolution::read(cx, WeightForm::Plain, None, bounds)?.reference(cx)
}

/// `output_min?` and `output_max?` of `et_vk.conv_with_clamp`, which `aten.convolution` lacks.
fn bounds<T: Described>(cx: &Args<'_, T>) -> Result<Epilogue<T>> {
    let low = cx.opt_float(9)?.unwrap_or(f64::NEG_INFINITY);
    let high = cx.opt_float(10)?.unwrap_or(f64::INFINITY);
    Ok(Epilogue { first: Activation::clamp(low, high), ..Epilogue::NONE })
}

/// A convolution: its sizes and its tensors, of which the left is the weight and the right the input.
pub(crate) struct Convolution<T> {
    geometry: Geometry,
    form: WeightForm,
    operands: Operands<T>,
}

impl<T: Described> Convolution<T> {
    /// Reads the arguments of `aten.convolution`. A scale has a factor for each channel of each image.
    pub(crate) fn read(
        cx: &Args<'_, T>,
        form: WeightForm,
        scale: Option<T>,
        epilogue: Epilogue<T>,
    ) -> Result<Convolution<T>> {
        let (right, left, bias) = (cx.tensor(0)?, cx.tensor(1)?, cx.opt_tensor(2)?);
        let geometry = Geometry::new(cx, form)?;
        let channels = geometry.groups * geometry.out_group;
        if let Some(bias) = &bias
            && **bias.shape() != [channels]
        {
            return Err(OpError::Shape(format!("a bias of {} does not fit {channels} channels", bias.shape())));
        }
        epilogue.check(&geometry.output, &right)?;
        let plain = form == WeightForm::Plain && geometry.is_pointwise() && geometry.groups == 1 && geometry.batch == 1;
        if let Some(scale) = &scale
            && (!plain || scale.shape().numel() != geometry.in_group)
        {
            let shape = scale.shape();
            return Err(OpError::Unsupported(format!("factors of {shape} for the channels of this convolution")));
        }
        let operands = Operands { left, right, bias, scale, epilogue };
        if let Some(operand) = operands.all().find(|operand| operand.dtype() != operands.right.dtype()) {
            let what = format!("an operand of a convolution in {}", operands.right.dtype());
            return Err(OpError::DType { dtype: operand.dtype(), what });
        }
        Ok(Convolution { geometry, form, operands })
    }
}

impl Convolution<Tensor> {
    /// Plans it as the first output.
    pub(crate) fn plan(self, cx: &mut PlanContext<'_>) -> Result<()> {
        let output = cx.output(self.geometry.output)?;
        if self.operands.right.dtype != output.dtype {
            let what = format!("an operand of a convolution in {}", output.dtype);
            return Err(OpError::DType { dtype: self.operands.right.dtype, what });
        }
        let it = &self.geometry;
        let plain = self.form == WeightForm::Plain;
        if plain && it.is_pointwise() && it.groups == 1 && (it.batch == 1 || it.places() >= MANY_PLACES) {
            return pointwise(it).plan(cx, self.operands, output);
        }
        match plain {
            true if it.is_depthwise() => self.depthwise(cx, output),
            true if !it.is_tiled() => self.direct(cx, output),
            _ => self.tiled(cx, output),
        }
    }

    /// One invocation per output.
    fn direct(&self, cx: &mut PlanContext<'_>, output: Tensor) -> Result<()> {
        let &Operands { left: weight, right: input, bias, ref epilogue, .. } = &self.operands;
        let params = conv_direct::Params {
            convolution: self.geometry.params(),
            epilogue: epilogue.params(&AFFINE, bias.is_some()),
        };
        let variant = conv_direct::Variant {
            t: output.dtype.try_into()?,
            transposed: self.geometry.transposed,
            epilogue: !epilogue.is_none(),
        };
        // A kernel never reads what is absent; any buffer will do.
        let (bias, addend) = (bias.unwrap_or(weight), epilogue.addend.unwrap_or(weight));
        cx.dispatch(conv_direct::Bind { input, weight, bias, addend, output, params }, variant)
            .rounds(self.geometry.taps() * self.geometry.in_group)
            .threads(output.numel())
    }

    /// One invocation per four outputs below each other.
    fn depthwise(&self, cx: &mut PlanContext<'_>, output: Tensor) -> Result<()> {
        let &Operands { left: weight, right: input, bias, ref epilogue, .. } = &self.operands;
        let it = &self.geometry;
        let [_, height, width] = it.result;
        let params = conv_depthwise::Params {
            epilogue: epilogue.params(&AFFINE, bias.is_some()),
            input: [word(it.input[1]), word(it.input[2])],
            result: [word(height), word(width)],
            padding: [word(it.padding[1]), word(it.padding[2])],
            channels: word(it.groups * it.out_group),
            multiplier: word(it.out_group),
            batch: word(it.batch),
        };
        let variant = conv_depthwise::Variant {
            t: output.dtype.try_into()?,
            side: match it.kernel[2] {
                3 => conv_depthwise::Side::N3,
                5 => conv_depthwise::Side::N5,
                _ => conv_depthwise::Side::N7,
            },
            stride: if it.stride[2] == 1 { conv_depthwise::Stride::N1 } else { conv_depthwise::Stride::N2 },
            epilogue: !epilogue.is_none(),
        };
        // A kernel never reads what is absent; any buffer will do.
        let (bias, addend) = (bias.unwrap_or(weight), epilogue.addend.unwrap_or(weight));
        let planes = it.batch * it.groups * it.out_group;
        cx.dispatch(conv_depthwise::Bind { input, weight, bias, addend, output, params }, variant)
            .threads(planes * height.div_ceil(4) * width)
    }

    /// A product of an arranged weight with what each place of the result reads.
    fn tiled(&self, cx: &mut PlanContext<'_>, output: Tensor) -> Result<()> {
        let &Operands { right: input, bias, ref epilogue, .. } = &self.operands;
        let it = &self.geometry;
        if output.numel() == 0 {
            return Ok(());
        }
        let weight = self.arranged(cx)?;
        let (columns, depth) = (it.batch * it.places(), it.taps() * it.padded_group());
        let factors = Factors { gathered: true, ..self.operands.factors() };
        let tiling = Tiling::new(cx.caps(), factors, it.groups, [it.out_group, columns], depth);
        let partial = tiling.partial(cx, output)?;
        let side = tiling.tile.side();
        let tiles = it.groups * it.out_group.div_ceil(side) * columns.div_ceil(side) * tiling.parts;
        let (convolution, epilogue_params) = (it.params(), epilogue.params(&AFFINE, bias.is_some()));
        let (parts, part_depth) = (word(tiling.parts), word(tiling.part_depth));
        let (transposed, split) = (it.transposed, partial.is_split());
        let has_epilogue = !split && !epilogue.is_none();
        // A kernel never reads what is absent; any buffer will do.
        let (bias, addend) = (bias.unwrap_or(weight), epilogue.addend.unwrap_or(weight));
        let (target, wg_size) = (partial.target(), tiling.tile.lanes());
        if let Some(MatrixTile { high, halves, emulated }) = tiling.tile.on_units() {
            let params = conv_matrix::Params { convolution, epilogue: epilogue_params, parts, part_depth };
            let variant = conv_matrix::Variant {
                t: output.dtype.try_into()?,
                transposed,
                high: if high == 2 { conv_matrix::High::N2 } else { conv_matrix::High::N4 },
                halves: if halves == 2 { conv_matrix::Halves::N2 } else { conv_matrix::Halves::N1 },
                split,
                epilogue: has_epilogue,
                units: if emulated { conv_matrix::Units::Emulated } else { conv_matrix::Units::On },
            };
            cx.dispatch(conv_matrix::Bind { input, weight, bias, addend, output: target, params }, variant)
                .overrides(conv_matrix::Overrides { wg_size })
                .rows(tiles)?;
        } else {
            let params = conv_tiled::Params { convolution, epilogue: epilogue_params, parts, part_depth };
            let tile = if tiling.tile == Tile::Small { conv_tiled::Tile::N32 } else { conv_tiled::Tile::N64 };
            let t = output.dtype.try_into()?;
            let variant = conv_tiled::Variant { t, transposed, tile, split, epilogue: has_epilogue };
            cx.dispatch(conv_tiled::Bind { input, weight, bias, addend, output: target, params }, variant)
                .overrides(conv_tiled::Overrides { wg_size })
                .rows(tiles)?;
        }
        partial.combine(cx, &self.operands, &AFFINE, [it.groups * it.out_group, it.places()])
    }

    /// The weight as tiles read it.
    fn arranged(&self, cx: &mut PlanContext<'_>) -> Result<Tensor> {
        let (it, weight) = (&self.geometry, self.operands.left);
        if self.form != WeightForm::Plain || it.is_arranged() {
            return Ok(weight);
        }
        let shape = Shape::new(&[it.groups * it.out_group, it.taps(), it.padded_group()])?;
        let output = cx.scratch(weight.dtype, shape)?;
        let params = conv_weight::Params { convolution: it.params() };
        let variant = conv_weight::Variant { t: weight.dtype.try_into()?, transposed: it.transposed };
        cx.dispatch(conv_weight::Bind { weight, output, params }, variant).threads(output.numel())?;
        Ok(output)
    }
}

/// A convolution of single elements is a product: the weight times the channels of each image.
fn pointwise(geometry: &Geometry) -> Product {
    let (rows, columns, depth) = (geometry.out_group, geometry.places(), geometry.in_group);
    Product {
        batch: geometry.batch,
        left: Operand::lines(rows, depth).shared(),
        right: Operand::across(columns, depth),
        affine: AFFINE,
        ..Product::new(rows, columns, depth)
    }
}

/// The places of the result that the reference gathers the inputs of at once.
const GATHERED: usize = 256;

impl Convolution<HostTensor> {
    /// The convolution in plain Rust, as the first output.
    pub(crate) fn reference(&self, cx: &mut Eval<'_>) -> Result<()> {
        let Convolution { geometry, form, operands } = self;
        let bias = operands.bias.as_ref().map(HostTensor::to_f64s);
        let mut input = operands.right.to_f64s();
        if let Some(scale) = operands.scale.as_ref().map(HostTensor::to_f64s) {
            let planes = input.chunks_exact_mut(geometry.area().max(1)).zip(scale);
            planes.for_each(|(plane, scale)| plane.iter_mut().for_each(|value| *value *= scale));
        }
        let mut values = sums(geometry, *form, &input, &operands.left.to_f64s(), cx.clock())?;
        let channels = geometry.groups * geometry.out_group;
        for (index, plane) in values.chunks_exact_mut(geometry.places().max(1)).enumerate() {
            let bias = bias.as_ref().map_or(0.0, |bias| bias[index % channels]);
            plane.iter_mut().for_each(|value| *value += bias);
        }
        operands.epilogue.apply(&mut values);
        cx.set(0, HostTensor::from_f64s(operands.right.dtype(), geometry.output, values)?)
    }
}

/// The convolution without bias: for each group, the weights times the inputs that each place reads.
fn sums(geometry: &Geometry, form: WeightForm, input: &[f64], weight: &[f64], clock: &Clock) -> Result<Vec<f64>> {
    let &Geometry { groups, in_group, out_group, .. } = geometry;
    let (area, taps, places) = (geometry.area(), geometry.taps(), geometry.places());
    let depth = in_group * taps;
    let mut rows = Vec::with_capacity(groups * out_group * depth);
    for channel in 0..groups * out_group {
        for k in 0..depth {
            rows.push(weight[geometry.weight(form, channel / out_group, channel % out_group, k / taps, k % taps)]);
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
            clock.count(count * depth)?;
            gathered.clear();
            for sources in sources.chunks_exact(taps) {
                for channel in channels.chunks_exact(area.max(1)) {
                    gathered.extend(sources.iter().map(|&source| channel.get(source).copied().unwrap_or(0.0)));
                }
            }
            let rows = &rows[slice % groups * out_group * depth..][..out_group * depth];
            products.clear();
            products.resize(out_group * count, 0.0);
            dense::multiply(rows, &gathered, depth, count, &mut products, clock)?;
            for (row, products) in products.chunks_exact(count).enumerate() {
                sums[(slice * out_group + row) * places + first..][..count].copy_from_slice(products);
            }
        }
    }
    Ok(sums)
}
