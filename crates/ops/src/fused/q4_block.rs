//! Rows times 4-bit weights where there are no matrix units, as in browsers.

use pteron_tensor::DType;

use super::q4_linear::Outputs;
use crate::caps::Caps;
use crate::error::Result;
use crate::kernels::q4_block;
use crate::plan::{PlanContext, Tensor, word};
use crate::quant::weight::{Layer, Weight};

/// Codes in 16 bytes.
const CODES: usize = 32;
/// Words of 16 bytes that invocations take at once.
const CHUNK: usize = 4;
/// Columns of a workgroup.
const COLUMNS: usize = 128;
/// Workgroups that keep a large device busy; parts of the depth make up for fewer.
const MANY_GROUPS: usize = 512;

/// How a product is divided among workgroups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Blocks {
    /// Rows of a workgroup.
    rows: usize,
    /// Chunks of each part of the depth, and parts.
    chunks: usize,
    pub(super) parts: usize,
}

impl Blocks {
    /// How these layers are divided, where the kernel takes them.
    pub(super) fn new(layer: &Layer<Tensor>, caps: &Caps) -> Option<Blocks> {
        let sizes = &layer.sizes;
        let fits = layer.rows > 1
            && layer.bias.is_none()
            && matches!(layer.input.dtype, DType::F32 | DType::F16)
            && sizes.has_whole_words()
            && sizes.columns.is_multiple_of(4)
            && sizes.columns > 0
            && sizes.scale_stride.is_multiple_of(4)
            && layer.weight.bytes() <= caps.max_binding_bytes;
        let blocks = Blocks::divided(layer.rows, sizes);
        let products = (blocks.parts * layer.rows * sizes.columns) as u64 * 4;
        let groups = sizes.columns.div_ceil(COLUMNS).max(layer.rows.div_ceil(blocks.rows)) as u64;
        let is_bound = products <= caps.max_binding_bytes && groups <= u64::from(caps.max_groups);
        (fits && is_bound).then_some(blocks)
    }

    fn divided(rows: usize, sizes: &Weight) -> Blocks {
        let height = if rows <= 8 { 8 } else { 16 };
        let groups = sizes.columns.div_ceil(COLUMNS) * rows.div_ceil(height);
        let all = sizes.depth.div_ceil(CODES * CHUNK).max(1);
        // Few different numbers, since kernels are compiled for each.
        let chunks = all.div_ceil((MANY_GROUPS / groups.max(1)).clamp(1, all)).next_power_of_two();
        Blocks { rows: height, chunks, parts: all.div_ceil(chunks) }
    }
}

/// Dispatches the products, each part of the depth after the other, into memory for 32-bit floats.
pub(super) fn plan(cx: &mut PlanContext<'_>, layer: Layer<Tensor>, blocks: Blocks, products: &Outputs) -> Result<()> {
    let Layer { input, weight, scales, sizes, rows, .. } = layer;
    let variant = q4_block::Variant {
        t: input.dtype.try_into()?,
        fours: if blocks.rows == 8 { q4_block::Fours::N2 } else { q4_block::Fours::N4 },
    };
    let overrides = q4_block::Overrides {
        words: word(sizes.depth / CODES),
        group_words: word(sizes.group_size / CODES),
        columns: word(sizes.columns),
        scale_stride: word(sizes.scale_stride / 4),
        chunks: word(blocks.chunks),
    };
    let params = q4_block::Params { rows: word(rows) };
    let bind = q4_block::Bind { input, weight, scales, output: products.tensors[0], params };
    let grid = [sizes.columns.div_ceil(COLUMNS) as u64, rows.div_ceil(blocks.rows) as u64, blocks.parts as u64];
    cx.dispatch(bind, variant).overrides(overrides).groups(grid)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quant::weight::Code;

    #[test]
    fn parts_of_the_depth_make_up_for_few_columns() {
        let divided = |rows, columns, depth| {
            let (row_bytes, scale_stride) = (depth / 2, columns);
            let code = Code::LowNibbleFirst;
            let Blocks { rows, chunks, parts } =
                Blocks::divided(rows, &Weight { code, columns, depth, row_bytes, group_size: 32, scale_stride });
            (rows, chunks, parts)
        };
        assert_eq!(divided(2, 2048, 2048), (8, 1, 16));
        assert_eq!(divided(8, 16384, 2048), (8, 4, 4));
        assert_eq!(divided(64, 2048, 8192), (16, 8, 8));
        assert_eq!(divided(80, 2048, 8192), (16, 16, 4));
        assert_eq!(divided(512, 16384, 2048), (16, 16, 1));
        assert_eq!(divided(2, 64, 96), (8, 1, 1));
    }
}
