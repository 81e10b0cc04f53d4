//! How a product or a convolution is divided among workgroups: the size of its tiles, and the parts of its depth.

use pteron_tensor::{DType, Shape};

use super::epilogue::Affine;
use super::product::Operands;
use super::row_norm::RowNorm;
use crate::caps::Caps;
use crate::error::Result;
use crate::kernels::matmul_tiled::Tile;
use crate::kernels::{product_combine, product_norm};
use crate::plan::{PlanContext, Tensor, word};

/// The depths that a workgroup loads at a time.
const SLAB: usize = 16;
/// The most parts of a depth.
const MOST_PARTS: usize = 32;
/// The most bytes of sums that wait to be brought together.
const PARTIAL_BYTES: u64 = 64 << 20;

/// What costs time, in that of one slab of a small tile.
mod cost {
    /// A slab of a large tile, which does four times as much.
    pub(super) const LARGE_SLAB: f64 = 1.3;
    /// What a workgroup does before its first slab and after its last, in slabs.
    pub(super) const ENDS: f64 = 2.0;
    /// Another launch.
    pub(super) const LAUNCH: f64 = 3.3;
    /// Sums that one workgroup's share of the device writes and reads again in that time.
    pub(super) const SUMS: f64 = 512.0;
}

/// The tiles of a product, and the parts of its depth, each for workgroups of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tiling {
    /// Outputs along a side of a tile.
    pub(crate) tile: usize,
    pub(crate) parts: usize,
    /// How deep a part is.
    pub(crate) part_depth: usize,
}

impl Tiling {
    /// The tiling that is estimated to take the least time on a device, for `slices` products of rows by columns.
    ///
    /// A large tile does more with what it loads; small ones, and parts of the depth, keep more of the device busy.
    pub(crate) fn new(caps: &Caps, slices: usize, sides: [usize; 2], depth: usize) -> Tiling {
        Tiling::least(caps, slices, sides, depth, cost::LAUNCH)
    }

    /// The same for a product whose result a launch after it reads in any case, and brings parts together as it does.
    pub(crate) fn before_launch(caps: &Caps, sides: [usize; 2], depth: usize) -> Tiling {
        Tiling::least(caps, 1, sides, depth, 0.0)
    }

    /// The tiling of the least time, where bringing parts together costs this and what its sums take.
    fn least(caps: &Caps, slices: usize, [rows, columns]: [usize; 2], depth: usize, launch: f64) -> Tiling {
        let slabs = depth.div_ceil(SLAB).max(1);
        let sums = slices * rows * columns;
        let at_once = f64::from(caps.groups_at_once.max(1));
        let room = caps.max_binding_bytes.min(PARTIAL_BYTES) / 4 / (sums.max(1) as u64);
        let most = slabs.min(MOST_PARTS).min(usize::try_from(room).unwrap_or(usize::MAX)).max(1);
        let mut best = (f64::INFINITY, Tiling { tile: 32, parts: 1, part_depth: slabs * SLAB });
        for (tile, slab, share) in [(32, 1.0, 1.0), (64, cost::LARGE_SLAB, 2.0)] {
            let tiles = slices * rows.div_ceil(tile) * columns.div_ceil(tile);
            for wanted in 1..=most {
                let part_slabs = slabs.div_ceil(wanted);
                let parts = slabs.div_ceil(part_slabs);
                let rounds = ((tiles * parts) as f64 * share / at_once).max(1.0);
                let products = rounds * (part_slabs as f64 + cost::ENDS) * slab;
                let combining = if parts == 1 { 0.0 } else { launch + (sums * parts) as f64 / (at_once * cost::SUMS) };
                let tiling = Tiling { tile, parts, part_depth: part_slabs * SLAB };
                if products + combining < best.0 {
                    best = (products + combining, tiling);
                }
            }
        }
        best.1
    }

    /// The kernels' name for the tile.
    pub(crate) fn axis(&self) -> Tile {
        if self.tile == 32 { Tile::N32 } else { Tile::N64 }
    }

    /// Invocations of a workgroup.
    pub(crate) fn lanes(&self) -> u32 {
        word(2 * self.tile)
    }

    /// Where sums go: to the output, or to memory where those of several parts wait.
    pub(crate) fn partial(&self, cx: &mut PlanContext<'_>, output: Tensor) -> Result<Partial> {
        let sums = match self.parts {
            1 => None,
            parts => Some(cx.scratch(DType::F32, Shape::new(&[parts, output.numel()])?)?),
        };
        Ok(Partial { sums, parts: self.parts, output })
    }
}

/// Sums on their way to an output.
pub(crate) struct Partial {
    /// Those of each part of the depth, where it has several.
    sums: Option<Tensor>,
    parts: usize,
    output: Tensor,
}

impl Partial {
    /// Whether the depth has several parts.
    pub(crate) fn is_split(&self) -> bool {
        self.sums.is_some()
    }

    /// What the launch that multiplies writes.
    pub(crate) fn target(&self) -> Tensor {
        self.sums.unwrap_or(self.output)
    }

    /// Brings several parts together in an output of so many rows, and normalizes these.
    pub(crate) fn combine_rows(
        &self,
        cx: &mut PlanContext<'_>,
        operands: &Operands<Tensor>,
        affine: &Affine,
        [rows, columns]: [usize; 2],
        norm: &RowNorm<Tensor>,
        normalized: Tensor,
    ) -> Result<()> {
        let &Operands { left, bias, ref epilogue, .. } = operands;
        #[expect(clippy::cast_possible_truncation, reason = "kernels add in f32")]
        let params = product_norm::Params {
            epilogue: epilogue.params(affine, bias.is_some()),
            rows: word(rows),
            columns: word(columns),
            parts: word(self.parts),
            count: word(self.output.numel()),
            epsilon: norm.epsilon as f32,
            centered: u32::from(norm.centered),
            has_scale: u32::from(norm.scale.is_some()),
            has_shift: u32::from(norm.shift.is_some()),
            keeps: u32::from(norm.keeps),
        };
        let subgroups = cx.caps().subgroups.is_some();
        let variant = product_norm::Variant {
            t: self.output.dtype.try_into()?,
            reduce: if subgroups { product_norm::Reduce::Subgroup } else { product_norm::Reduce::Shared },
        };
        let overrides = product_norm::Overrides { wg_size: cx.caps().lanes_for(rows, columns) };
        // A kernel never reads what is absent; any buffer will do.
        let [bias, addend, scale, shift] =
            [bias, epilogue.addend, norm.scale, norm.shift].map(|tensor| tensor.unwrap_or(left));
        let (partial, output) = (self.target(), self.output);
        cx.dispatch(product_norm::Bind { partial, bias, addend, scale, shift, output, normalized, params }, variant)
            .overrides(overrides)
            .rows(rows)
    }

    /// Brings several parts together in an output of matrices with so many rows and columns.
    pub(crate) fn combine(
        &self,
        cx: &mut PlanContext<'_>,
        operands: &Operands<Tensor>,
        affine: &Affine,
        [rows, columns]: [usize; 2],
    ) -> Result<()> {
        let Some(partial) = self.sums else { return Ok(()) };
        let &Operands { left, bias, ref epilogue, .. } = operands;
        let params = product_combine::Params {
            epilogue: epilogue.params(affine, bias.is_some()),
            rows: word(rows),
            columns: word(columns),
            parts: word(self.parts),
            count: word(self.output.numel()),
        };
        let variant = product_combine::Variant { t: self.output.dtype.try_into()?, epilogue: !epilogue.is_none() };
        // A kernel never reads what is absent; any buffer will do.
        let (bias, addend) = (bias.unwrap_or(left), epilogue.addend.unwrap_or(left));
        cx.dispatch(product_combine::Bind { partial, bias, addend, output: self.output, params }, variant)
            .threads(self.output.numel())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tiling(rows: usize, columns: usize, depth: usize) -> Tiling {
        Tiling::new(&Caps::webgpu_minimum(), 1, [rows, columns], depth)
    }

    #[test]
    fn deep_products_of_few_outputs_are_split() {
        let Tiling { parts, part_depth, .. } = tiling(512, 49, 4608);
        assert!(parts > 8, "{parts} parts");
        assert!((parts - 1) * part_depth < 4608 && parts * part_depth >= 4608);
        assert_eq!(part_depth % SLAB, 0);
    }

    #[test]
    fn what_fills_a_device_is_not_split() {
        assert_eq!(tiling(4096, 4096, 4096).parts, 1);
        assert_eq!(tiling(4096, 4096, 4096).tile, 64);
        assert_eq!(tiling(240, 196, 40), Tiling { tile: 32, parts: 1, part_depth: 48 });
        assert_eq!(tiling(40, 40, 0).parts, 1);
    }

    #[test]
    fn a_launch_that_comes_in_any_case_lets_more_be_split() {
        let sides = [128, 256];
        let alone = Tiling::new(&Caps::webgpu_minimum(), 1, sides, 256);
        let before = Tiling::before_launch(&Caps::webgpu_minimum(), sides, 256);
        assert!(before.parts >= alone.parts && before.parts > 1, "{alone:?} {before:?}");
    }

    #[test]
    fn sums_of_all_parts_fit_a_binding() {
        let caps = Caps { max_binding_bytes: 1 << 20, ..Caps::webgpu_minimum() };
        let Tiling { parts, .. } = Tiling::new(&caps, 1, [300, 300], 1 << 20);
        assert!(parts * 300 * 300 * 4 <= 1 << 20);
    }
}
