//! Few rows times 4-bit weights on matrix units: short prompts, and tokens that are guessed ahead.

use pteron_tensor::DType;

use super::halves::{self, Divided, Halves, HalvesForm};
use super::q4_linear::{self, Epilogue, Outputs};
use crate::caps::Caps;
use crate::error::Result;
use crate::kernels::q4_few;
use crate::plan::{PlanContext, Tensor, word};
use crate::quant::rounding::Rounding;
use crate::quant::weight::{Layer, Weight};

/// Rows up to which reading the weight takes the time, and not its products.
pub(super) const FEW_ROWS: usize = 64;
/// Codes that share a scale come in as many.
const CODES: usize = 32;
/// Codes whose products are added up before they are scaled, where all of them share a scale.
const PAIR: usize = 2 * CODES;
/// The side of a tile.
const TILE: usize = 16;
/// Columns from which depth is not divided among workgroups.
const MANY_COLUMNS: usize = 8192;
/// Depth from which workgroups divide it, and how many do.
const DEEP: usize = 4096;
const PARTS: usize = 4;
/// Strips of columns below which each is one tile wide.
const FEWEST_STRIPS: usize = 96;
/// Strips below which eight subgroups divide the depth of each, and below which four do.
const FEW_STRIPS: usize = 192;
const MANY_STRIPS: usize = 512;

/// Whether the kernel takes this layer.
pub(super) fn fits(layer: &Layer<Tensor>, caps: &Caps) -> bool {
    let sizes = &layer.sizes;
    caps.has_matrix_units()
        && (2..=FEW_ROWS).contains(&layer.rows)
        && matches!(layer.input.dtype, DType::F32 | DType::F16)
        && sizes.has_whole_words()
        && layer.weight.bytes() <= caps.max_binding_bytes
}

/// How a product is divided among workgroups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Tiling {
    /// Tiles of a subgroup, down and across.
    height: usize,
    width: usize,
    /// Subgroups of a workgroup, side by side and for parts of the depth.
    strips: usize,
    levels: usize,
    /// Parts of the depth, for workgroups.
    parts: usize,
}

impl Tiling {
    fn new(rows: usize, sizes: &Weight, gated: bool, caps: &Caps) -> Tiling {
        let height = rows.div_ceil(TILE).next_power_of_two();
        let is_divided = !gated && sizes.depth >= DEEP && sizes.columns < MANY_COLUMNS;
        let parts = if is_divided && sizes.depth.is_multiple_of(PARTS * CODES) { PARTS } else { 1 };
        let strips = |width: usize| sizes.columns.div_ceil(width * TILE) * parts;
        // Chunks of one tile are twice as deep as those of two.
        let is_narrow = !gated && strips(2) < FEWEST_STRIPS && (sizes.depth / parts).is_multiple_of(PAIR);
        let width = if is_narrow { 1 } else { 2 };
        let (strips, levels) = match strips(width) {
            0..FEW_STRIPS => (1, 8),
            FEW_STRIPS..MANY_STRIPS => (1, 4),
            _ => (2, 2),
        };
        let mut tiling = Tiling { height, width, strips, levels, parts };
        while tiling.levels > 1 && tiling.workgroup_bytes() > caps.max_workgroup_bytes as usize {
            tiling.levels /= 2;
        }
        tiling
    }

    fn subgroups(&self) -> usize {
        self.strips * self.levels
    }

    /// Vectors of codes that a workgroup stages: rows of a chunk, padded.
    fn codes(&self) -> usize {
        self.subgroups() * self.width * TILE * (PAIR / self.width / 4 + 2)
    }

    /// Vectors of products that it brings together: columns of tiles, padded.
    fn products(&self) -> usize {
        self.subgroups() * self.width * TILE * (TILE / 4 + 1)
    }

    fn workgroup_bytes(&self) -> usize {
        self.codes() * 8 + self.products() * 16
    }
}

pub(super) fn plan(
    cx: &mut PlanContext<'_>,
    layer: Layer<Tensor>,
    norm: Option<(Tensor, f64)>,
    rounding: Rounding,
    epilogue: Epilogue<Tensor>,
    outputs: Outputs,
) -> Result<()> {
    let tiling = Tiling::new(layer.rows, &layer.sizes, matches!(epilogue, Epilogue::Swiglu), cx.caps());
    let (rows, columns, parts) = (layer.rows, layer.sizes.columns, tiling.parts);
    // Products are scaled when they are added up, so that scales are whole whatever they are.
    let divided = Divided::for_layer(rounding, true, cx.caps());
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
    let Tiling { height, width, strips, levels, parts } = tiling;
    let part = sizes.depth / parts.max(1);
    let params = q4_few::Params { rows: word(rows) };
    let [output, output1, output2] = outputs.tensors;
    // A kernel that adds nothing never reads the binding; any buffer of the type will do.
    let addend = if let Epilogue::Add(addend) = epilogue { addend } else { scales };
    let variant = q4_few::Variant {
        t: scales.dtype.try_into()?,
        p: output.dtype.try_into()?,
        halves: if divided == Divided::InputsAndScales { q4_few::Halves::N2 } else { q4_few::Halves::N1 },
        epilogue: epilogue.axis(),
        rm: match height {
            1 => q4_few::Rm::N1,
            2 => q4_few::Rm::N2,
            _ => q4_few::Rm::N4,
        },
        cn: if width == 1 { q4_few::Cn::N1 } else { q4_few::Cn::N2 },
    };
    let overrides = q4_few::Overrides {
        columns: word(outputs.columns),
        second: word(outputs.second),
        third: word(outputs.third),
        weight_rows: word(sizes.columns),
        scale_stride: word(sizes.scale_stride),
        depth: word(sizes.depth),
        group_size: word(sizes.group_size),
        part: word(part),
        strips: word(strips),
        levels: word(levels),
        fine: !sizes.group_size.is_multiple_of(PAIR) || !part.is_multiple_of(PAIR),
        wg_size: word(tiling.subgroups() * 32),
        codes: word(tiling.codes()),
        products: word(tiling.products()),
    };
    let bind = q4_few::Bind { halves, factors, weight, scales, addend, output, output1, output2, params };
    let across = sizes.columns.div_ceil(width * TILE).div_ceil(strips);
    let grid = [across as u64, rows.div_ceil(height * TILE) as u64, parts as u64];
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
        let caps = Caps { max_workgroup_bytes: 48 << 10, ..Caps::webgpu_minimum() };
        let tiling = |rows, columns, depth, gated| {
            let tiling = Tiling::new(rows, &weight(columns, depth), gated, &caps);
            assert!(tiling.workgroup_bytes() <= 48 << 10);
            let Tiling { height, width, strips, levels, parts } = tiling;
            (height, width, strips, levels, parts)
        };
        assert_eq!(tiling(16, 2048, 2048, false), (1, 1, 1, 8, 1));
        assert_eq!(tiling(17, 3072, 2048, false), (2, 2, 1, 8, 1));
        assert_eq!(tiling(5, 2048, 8192, false), (1, 2, 1, 4, 4), "a deep one is divided");
        assert_eq!(tiling(5, 16384, 2048, true), (1, 2, 2, 2, 1));
        assert_eq!(tiling(50, 16384, 2048, true), (4, 2, 2, 2, 1));
        assert_eq!(tiling(2, 64, 96, false), (1, 2, 1, 8, 1), "chunks are whole");
    }

    #[test]
    fn workgroups_fit_a_small_device() {
        let caps = Caps::webgpu_minimum();
        let tiling = Tiling::new(16, &weight(3072, 2048), false, &caps);
        assert!(tiling.workgroup_bytes() <= caps.max_workgroup_bytes as usize);
        assert_eq!(tiling.levels, 2);
    }
}
