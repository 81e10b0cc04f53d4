//! Many rows times 4-bit weights on matrix units.

use pteron_tensor::DType;

use super::halves::{self, Divided, Halves, HalvesForm};
use super::q4_few::FEW_ROWS;
use super::q4_linear::{self, Epilogue, Outputs};
use crate::caps::{Caps, MULTIPROCESSORS};
use crate::error::Result;
use crate::kernels::q4_matrix;
use crate::plan::{Bindings as _, PlanContext, Tensor, word};
use crate::quant::rounding::Rounding;
use crate::quant::weight::{Layer, Weight};

/// Depth of what a workgroup multiplies at a time.
const SLAB: usize = 32;
/// The side of a workgroup's tile.
const TILE: usize = 128;
/// The fewest slabs that are worth a workgroup, and the most parts that a depth is divided into.
const FEWEST_SLABS: usize = 8;
const MOST_PARTS: usize = 8;
/// How many slabs a workgroup could walk while it begins and ends, and while a second launch adds up parts.
const BEGIN_SLABS: usize = 6;
const FINISH_SLABS: usize = 8;

/// Whether the kernel takes this layer.
pub(super) fn fits(layer: &Layer<Tensor>, outputs: &Outputs, caps: &Caps) -> bool {
    let sizes = &layer.sizes;
    let ends = [outputs.second, outputs.third, outputs.columns];
    let mut variants = q4_matrix::Bind::KERNEL.variants.iter();
    caps.has_matrix_units()
        && variants.all(|variant| u32::from(variant.workgroup_bytes) <= caps.max_workgroup_bytes)
        && layer.rows > FEW_ROWS
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
    let tiles = rows.div_ceil(TILE) * sizes.columns.div_ceil(TILE);
    let parts = parts(tiles, sizes.depth / SLAB);
    // Where inputs have first halves only, registers have room for more tiles, which pays where workgroups come in rounds.
    let sn = if divided == Divided::Nothing && tiles * parts > MULTIPROCESSORS {
        q4_matrix::Sn::N4
    } else {
        q4_matrix::Sn::N2
    };
    if parts == 1 {
        return product.launch(cx, epilogue, outputs, sn, 1);
    }
    let (whole, products) = Outputs::in_parts(cx, parts, rows, sizes.columns, &outputs)?;
    product.launch(cx, Epilogue::Plain, whole, sn, parts)?;
    q4_linear::finish(cx, products, epilogue, outputs)
}

/// How many workgroups divide the depth of each tile, so that the device is busy and rounds are few.
fn parts(tiles: usize, slabs: usize) -> usize {
    let cost = |parts: usize| {
        let rounds = (tiles * parts).div_ceil(MULTIPROCESSORS);
        rounds * (slabs / parts + BEGIN_SLABS) + if parts > 1 { FINISH_SLABS } else { 0 }
    };
    let divides = |parts: &usize| slabs.is_multiple_of(*parts) && slabs / parts >= FEWEST_SLABS;
    (2..=MOST_PARTS).filter(divides).fold(1, |best, parts| if cost(parts) < cost(best) { parts } else { best })
}

/// Rows as matrix units take them, and the weight that they are multiplied with.
struct Product {
    halves: Halves,
    weight: Tensor,
    scales: Tensor,
    sizes: Weight,
    rows: usize,
}

impl Product {
    fn launch(
        &self,
        cx: &mut PlanContext<'_>,
        epilogue: Epilogue<Tensor>,
        outputs: Outputs,
        sn: q4_matrix::Sn,
        parts: usize,
    ) -> Result<()> {
        let &Product { halves: Halves { halves, factors, divided }, weight, scales, sizes, rows } = self;
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
        let variant = q4_matrix::Variant {
            t: scales.dtype.try_into()?,
            p: output.dtype.try_into()?,
            exact: match divided {
                Divided::InputsAndScales => q4_matrix::Exact::On,
                Divided::Scales => q4_matrix::Exact::Scales,
                Divided::Nothing => q4_matrix::Exact::Off,
            },
            epilogue: epilogue.axis(),
            sn,
        };
        let overrides = q4_matrix::Overrides {
            depth: word(sizes.depth),
            group_size: word(sizes.group_size),
            part: word(sizes.depth / parts.max(1)),
            wg_size: if sn == q4_matrix::Sn::N4 { 128 } else { 256 },
        };
        let bind = q4_matrix::Bind { halves, factors, weight, scales, addend, output, output1, output2, params };
        let grid = [sizes.columns.div_ceil(TILE) as u64, rows.div_ceil(TILE) as u64, parts as u64];
        cx.dispatch(bind, variant).overrides(overrides).groups(grid)
    }
}

#[cfg(test)]
mod tests {
    use super::parts;

    #[test]
    fn parts_keep_a_large_device_busy() {
        let of =
            |rows: usize, columns: usize, depth: usize| parts(rows.div_ceil(128) * columns.div_ceil(128), depth / 32);
        assert_eq!(of(512, 16384, 2048), 1);
        assert_eq!(of(512, 3072, 2048), 1);
        assert_eq!(of(512, 2048, 8192), 2);
        assert_eq!(of(256, 2048, 2048), 4);
        assert_eq!(of(100, 2048, 8192), 8);
        assert_eq!(of(2047, 2048, 8192), 1);
        assert_eq!(of(512, 64, 64), 1, "a short depth is not worth dividing");
    }
}
