//! Few rows times 4-bit weights on matrix units: short prompts, and tokens that are guessed ahead.

use pteron_tensor::DType;

use super::halves::{self, Divided, Halves, HalvesForm};
use super::q4_linear::{self, Epilogue, Outputs};
use crate::caps::Caps;
use crate::error::Result;
use crate::kernels::q4_few;
use crate::plan::{Bindings as _, PlanContext, Tensor, word};
use crate::quant::rounding::Rounding;
use crate::quant::weight::{Layer, Weight};

/// Rows up to which reading the weight takes the time, and not its products.
const FEW_ROWS: usize = 32;
/// The same where a workgroup multiplies by a gate and its factor.
const FEW_GATED_ROWS: usize = 64;
/// Codes that share a scale come in as many.
const CODES: usize = 32;
/// The side of a tile.
const TILE: usize = 16;
/// Columns from which workgroups of two tiles are enough for a large device.
const MANY_COLUMNS: usize = 8192;
/// Depth from which workgroups divide it, and how many do.
const DEEP: usize = 4096;
const PARTS: usize = 4;
/// Workgroups up to which each has more subgroups.
const FEW_GROUPS: usize = 160;

/// Whether the kernel takes this layer.
pub(super) fn fits(layer: &Layer<Tensor>, epilogue: &Epilogue<Tensor>, caps: &Caps) -> bool {
    let sizes = &layer.sizes;
    let most = if matches!(epilogue, Epilogue::Swiglu) { FEW_GATED_ROWS } else { FEW_ROWS };
    let mut variants = q4_few::Bind::KERNEL.variants.iter();
    caps.has_matrix_units()
        && (2..=most).contains(&layer.rows)
        && matches!(layer.input.dtype, DType::F32 | DType::F16)
        && sizes.depth.is_multiple_of(CODES)
        && sizes.depth > 0
        && sizes.row_bytes * 2 == sizes.depth
        && sizes.group_size.is_multiple_of(CODES)
        && layer.weight.bytes() <= caps.max_binding_bytes
        && variants.all(|variant| variant.workgroup_bytes <= caps.max_workgroup_bytes)
}

/// How a product is divided among workgroups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Tiling {
    /// Tiles of a workgroup, down and across.
    height: usize,
    width: usize,
    subgroups: usize,
    /// Parts of the depth.
    parts: usize,
}

impl Tiling {
    fn new(rows: usize, sizes: &Weight, gated: bool) -> Tiling {
        let height = rows.div_ceil(TILE).next_power_of_two();
        // Chunks of one tile are twice as deep as those of two.
        let is_narrow = height <= 2 && !gated && sizes.depth.is_multiple_of(2 * CODES);
        if is_narrow && sizes.depth < DEEP && sizes.columns < MANY_COLUMNS {
            let subgroups = if sizes.columns.div_ceil(TILE) <= FEW_GROUPS { 8 } else { 4 };
            return Tiling { height, width: 1, subgroups, parts: 1 };
        }
        let is_divided = !gated && sizes.depth >= DEEP && sizes.columns < MANY_COLUMNS;
        let parts = if is_divided && sizes.depth.is_multiple_of(PARTS * CODES) { PARTS } else { 1 };
        Tiling { height, width: 2, subgroups: 4, parts }
    }
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
    let tiling = Tiling::new(layer.rows, &layer.sizes, matches!(epilogue, Epilogue::Swiglu));
    let (rows, columns, parts) = (layer.rows, layer.sizes.columns, tiling.parts);
    let divided = Divided::for_layer(rounding, short_scales, cx.caps());
    let form = HalvesForm::Tiles { room: rows.next_multiple_of(tiling.height * TILE) };
    let halves = halves::divide(cx, layer.input, rows, norm, rounding, divided, form)?;
    if parts == 1 {
        return product(cx, layer, halves, epilogue, outputs, tiling);
    }
    let (whole, products) = Outputs::in_parts(cx, parts, rows, columns, &outputs)?;
    product(cx, layer, halves, Epilogue::Plain, whole, tiling)?;
    q4_linear::finish(cx, products, epilogue, outputs)
}

fn product(
    cx: &mut PlanContext<'_>,
    layer: Layer<Tensor>,
    Halves { halves, factors, divided }: Halves,
    epilogue: Epilogue<Tensor>,
    outputs: Outputs,
    tiling: Tiling,
) -> Result<()> {
    let Layer { weight, scales, sizes, rows, .. } = layer;
    let Tiling { height, width, subgroups, parts } = tiling;
    let params = q4_few::Params {
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
    let variant = q4_few::Variant {
        t: scales.dtype.try_into()?,
        p: output.dtype.try_into()?,
        exact: match divided {
            Divided::InputsAndScales => q4_few::Exact::On,
            Divided::Scales => q4_few::Exact::Scales,
            Divided::Nothing => q4_few::Exact::Off,
        },
        epilogue: epilogue.axis(),
        rm: match height {
            1 => q4_few::Rm::N1,
            2 => q4_few::Rm::N2,
            _ => q4_few::Rm::N4,
        },
        cn: if width == 1 { q4_few::Cn::N1 } else { q4_few::Cn::N2 },
        subgroups: if subgroups == 8 { q4_few::Subgroups::N8 } else { q4_few::Subgroups::N4 },
    };
    let overrides = q4_few::Overrides {
        depth: word(sizes.depth),
        group_size: word(sizes.group_size),
        part: word(sizes.depth / parts.max(1)),
        wg_size: word(subgroups * 32),
    };
    let bind = q4_few::Bind { halves, factors, weight, scales, addend, output, output1, output2, params };
    let grid = [sizes.columns.div_ceil(width * TILE) as u64, rows.div_ceil(height * TILE) as u64, parts as u64];
    cx.dispatch(bind, variant).overrides(overrides).groups(grid)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quant::weight::Code;

    fn weight(columns: usize, depth: usize) -> Weight {
        let (row_bytes, scale_stride) = (depth / 2, columns);
        Weight { code: Code::LowNibbleFirst, columns, depth, row_bytes, group_size: 32, scale_stride }
    }

    #[test]
    fn workgroups_are_enough_for_a_large_device() {
        let tiling = |rows, columns, depth, gated| {
            let Tiling { height, width, subgroups, parts } = Tiling::new(rows, &weight(columns, depth), gated);
            (height, width, subgroups, parts)
        };
        assert_eq!(tiling(16, 2048, 2048, false), (1, 1, 8, 1));
        assert_eq!(tiling(17, 3072, 2048, false), (2, 1, 4, 1));
        assert_eq!(tiling(5, 2048, 8192, false), (1, 2, 4, 4), "a deep one is divided");
        assert_eq!(tiling(5, 16384, 2048, true), (1, 2, 4, 1));
        assert_eq!(tiling(50, 16384, 2048, true), (4, 2, 4, 1));
        assert_eq!(tiling(2, 64, 96, false), (1, 2, 4, 1), "chunks are whole");
    }
}
