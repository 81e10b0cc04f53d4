//! Many rows times 4-bit weights on matrix units.

use pteron_tensor::DType;

use super::halves::{self, Divided, Halves, HalvesForm};
use super::q4_linear::{self, Epilogue, Outputs};
use crate::caps::Caps;
use crate::error::Result;
use crate::kernels::q4_matrix;
use crate::plan::{PlanContext, Tensor, word};
use crate::quant::rounding::Rounding;
use crate::quant::weight::{Layer, Weight};

/// Rows from which the kernel is worth its mostly empty tiles.
const FEW_ROWS: usize = 5;
/// Depth of what a workgroup multiplies at a time.
const SLAB: usize = 32;
/// Workgroups that keep a large device busy.
const BUSY: usize = 120;
/// The fewest slabs that are worth a workgroup, and the most parts that a depth is divided into.
const FEWEST_SLABS: usize = 16;
const MOST_PARTS: usize = 8;

/// Whether the kernel takes this layer.
pub(super) fn fits(layer: &Layer<Tensor>, outputs: &Outputs, caps: &Caps) -> bool {
    let sizes = &layer.sizes;
    let ends = [outputs.second, outputs.third, outputs.columns];
    caps.has_matrix_units()
        && layer.rows >= FEW_ROWS
        && matches!(layer.input.dtype, DType::F32 | DType::F16)
        && sizes.depth.is_multiple_of(SLAB)
        && sizes.row_bytes * 2 == sizes.depth
        && sizes.group_size.is_multiple_of(SLAB)
        && ends.iter().all(|end| end % 8 == 0)
        && layer.weight.bytes() <= caps.max_binding_bytes
}

pub(super) fn plan(
    cx: &mut PlanContext<'_>,
    layer: Layer<Tensor>,
    norm: Option<(Tensor, f64)>,
    rounding: Rounding,
    short_scales: bool,
    epilogue: Epilogue<Tensor>,
    outputs: Outputs,
) -> Result<()> {
    let Layer { input, weight, scales, sizes, rows, .. } = layer;
    let divided = Divided::for_layer(rounding, short_scales, cx.caps());
    let halves = halves::divide(cx, input, rows, norm, rounding, divided, HalvesForm::Rows)?;
    let product = Product { halves, weight, scales, sizes, rows };
    let tiles = |height: usize, width: usize| rows.div_ceil(height) * sizes.columns.div_ceil(width);
    // Where tiles are too few to keep a device busy, workgroups divide the depth, and a second launch adds up.
    let slabs = sizes.depth / SLAB;
    let most = (2 * BUSY / tiles(64, 64).max(1)).min(slabs / FEWEST_SLABS).min(MOST_PARTS);
    if let Some(parts) = (2..=most).rev().find(|&parts| slabs.is_multiple_of(parts)) {
        let (whole, products) = Outputs::in_parts(cx, parts, rows, sizes.columns, &outputs)?;
        product.launch(cx, Epilogue::Plain, whole, Tiling { height: 64, width: 64, parts })?;
        return q4_linear::finish(cx, products, epilogue, outputs);
    }
    // The largest tile of which there are enough; gating needs gates and factors in one subgroup, so two tiles.
    let (height, width) = match (matches!(epilogue, Epilogue::Swiglu), rows) {
        (_, 65..) if tiles(128, 128) >= BUSY => (128, 128),
        (true, _) => (64, 128),
        (false, 65..) if tiles(128, 64) >= BUSY => (128, 64),
        _ => (64, 64),
    };
    product.launch(cx, epilogue, outputs, Tiling { height, width, parts: 1 })
}

/// Rows as matrix units take them, and the weight that they are multiplied with.
struct Product {
    halves: Halves,
    weight: Tensor,
    scales: Tensor,
    sizes: Weight,
    rows: usize,
}

/// The size of a workgroup's tile, and the parts that the depth is divided into.
struct Tiling {
    height: usize,
    width: usize,
    parts: usize,
}

impl Product {
    fn launch(
        &self,
        cx: &mut PlanContext<'_>,
        epilogue: Epilogue<Tensor>,
        outputs: Outputs,
        tiling: Tiling,
    ) -> Result<()> {
        let &Product { halves: Halves { halves, factors, divided }, weight, scales, sizes, rows } = self;
        let Tiling { height, width, parts } = tiling;
        let params = q4_matrix::Params {
            rows: word(rows),
            columns: word(outputs.columns),
            weight_rows: word(sizes.columns),
            scale_stride: word(sizes.scale_stride),
            second: word(outputs.second),
            third: word(outputs.third),
        };
        let [output, output1, output2] = outputs.tensors;
        // A kernel that adds nothing never reads the binding; any buffer of the type will do.
        let addend = if let Epilogue::Add(addend) = epilogue { addend } else { scales };
        // Where inputs have first halves only, registers have room for more tiles.
        let sn = match width {
            128 if divided != Divided::InputsAndScales && height == 128 => q4_matrix::Sn::N4,
            128 => q4_matrix::Sn::N2,
            _ => q4_matrix::Sn::N1,
        };
        let variant = q4_matrix::Variant {
            t: scales.dtype.try_into()?,
            p: output.dtype.try_into()?,
            exact: match divided {
                Divided::InputsAndScales => q4_matrix::Exact::On,
                Divided::Scales => q4_matrix::Exact::Scales,
                Divided::Nothing => q4_matrix::Exact::Off,
            },
            epilogue: epilogue.axis(),
            sm: if height == 128 { q4_matrix::Sm::N4 } else { q4_matrix::Sm::N2 },
            sn,
        };
        let overrides = q4_matrix::Overrides {
            depth: word(sizes.depth),
            group_size: word(sizes.group_size),
            part: word(sizes.depth / parts.max(1)),
            wg_size: if sn == q4_matrix::Sn::N4 { 128 } else { 256 },
        };
        let bind = q4_matrix::Bind { halves, factors, weight, scales, addend, output, output1, output2, params };
        let grid = [sizes.columns.div_ceil(width) as u64, rows.div_ceil(height) as u64, parts as u64];
        cx.dispatch(bind, variant).overrides(overrides).groups(grid)
    }
}
