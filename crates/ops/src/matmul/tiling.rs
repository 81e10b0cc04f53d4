//! How a product or a convolution is divided among workgroups: the size of its tiles, and the parts of its depth.

use pteron_tensor::{DType, Shape};

use super::epilogue::Affine;
use super::product::Operands;
use super::row_norm::RowNorm;
use crate::caps::Caps;
#[cfg(not(target_arch = "wasm32"))]
use crate::caps::Precision;
use crate::error::Result;
use crate::kernels::{product_combine, product_norm};
use crate::plan::{PlanContext, Tensor, word};

/// The most parts of a depth.
const MOST_PARTS: usize = 32;
/// The most bytes of sums that wait to be brought together.
const PARTIAL_BYTES: u64 = 64 << 20;

/// What costs time, in that of one slab of a small plain tile.
mod cost {
    /// Another launch.
    pub(super) const LAUNCH: f64 = 3.3;
    /// Sums that one workgroup's share of the device writes and reads again in that time.
    pub(super) const SUMS: f64 = 512.0;
}

/// What a tile costs.
struct Costs {
    /// A slab, in those of a small plain tile.
    slab: f64,
    /// What a workgroup does before its first slab and after its last.
    ends: f64,
    /// The workgroups of 64 invocations that it keeps from running.
    share: f64,
}

/// What is multiplied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Factors {
    /// Whether 16-bit floats hold all elements.
    pub(crate) short: bool,
    /// Whether each element of an operand is looked for, as a convolution does.
    pub(crate) gathered: bool,
}

/// What workgroups compute, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tile {
    /// 32×32 outputs in plain arithmetic.
    Small,
    /// 64×64 outputs in plain arithmetic.
    Large,
    /// Outputs on matrix units. Browsers have none, and pages leave out what is for these.
    #[cfg(not(target_arch = "wasm32"))]
    Matrix(MatrixTile),
}

/// What workgroups compute on matrix units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MatrixTile {
    /// Tiles of a subgroup below each other: 2 for 64×64 outputs of a workgroup, or 4 for 128×128.
    pub(crate) high: usize,
    /// 16-bit floats whose sum is an element.
    pub(crate) halves: usize,
    /// Whether plain arithmetic does what matrix units would.
    pub(crate) emulated: bool,
}

impl Tile {
    /// Outputs along a side.
    pub(crate) fn side(self) -> usize {
        match self {
            Tile::Small => 32,
            Tile::Large => 64,
            #[cfg(not(target_arch = "wasm32"))]
            Tile::Matrix(tile) => 32 * tile.high,
        }
    }

    /// The tile, where it is one on matrix units.
    pub(crate) fn on_units(self) -> Option<MatrixTile> {
        match self {
            #[cfg(not(target_arch = "wasm32"))]
            Tile::Matrix(tile) => Some(tile),
            Tile::Small | Tile::Large => None,
        }
    }

    /// Invocations of a workgroup.
    pub(crate) fn lanes(self) -> u32 {
        word(2 * self.side())
    }

    /// The depths that a workgroup loads at a time.
    fn slab(self) -> usize {
        match self {
            Tile::Small | Tile::Large => 16,
            #[cfg(not(target_arch = "wasm32"))]
            Tile::Matrix(_) => 32,
        }
    }

    /// What it costs. On matrix units as was measured on a large device.
    #[cfg_attr(target_arch = "wasm32", expect(unused_variables, reason = "tiles of plain arithmetic cost the same"))]
    fn costs(self, factors: Factors) -> Costs {
        match self {
            Tile::Small => Costs { slab: 1.0, ends: 2.0, share: 1.0 },
            Tile::Large => Costs { slab: 1.3, ends: 2.6, share: 2.0 },
            #[cfg(not(target_arch = "wasm32"))]
            Tile::Matrix(MatrixTile { high, halves, .. }) => {
                let slab = match (high, halves) {
                    (2, 1) => 0.7,
                    (2, _) => 0.95,
                    (_, 1) => 1.4,
                    _ => 2.0,
                };
                let (looking, ends, share) = match (high, factors.gathered) {
                    (2, false) => (0.0, 8.0, 2.8),
                    (2, true) => (0.85, 12.0, 3.5),
                    (_, false) => (0.0, 13.0, 4.0),
                    (_, true) => (0.6, 15.0, 4.0),
                };
                Costs { slab: slab + looking, ends, share }
            }
        }
    }
}

#[cfg(not(target_arch = "wasm32"))]
impl MatrixTile {
    /// Bytes of workgroup memory: what is staged, sums, and three words for each line.
    fn bytes(self) -> usize {
        let side = 32 * self.high;
        2 * side * (self.halves * 8 + 2) * 8 + side * 64 + 2 * side * 12 + 4
    }
}

/// The tiles that a device has.
#[cfg(not(target_arch = "wasm32"))]
fn tiles(caps: &Caps, factors: Factors) -> impl Iterator<Item = Tile> {
    let (always, room) = (caps.always_takes_matrix_units(), caps.max_workgroup_bytes as usize);
    let emulated = always && !caps.has_matrix_units();
    let halves = if factors.short || caps.precision == Precision::Fast { 1 } else { 2 };
    let matrix =
        [2, 4].map(|high| MatrixTile { high, halves, emulated }).into_iter().filter(move |tile| tile.bytes() <= room);
    let matrix = (caps.has_matrix_units() || always).then_some(matrix);
    let plain = [Tile::Small, Tile::Large].into_iter().filter(move |_| !always);
    plain.chain(matrix.into_iter().flatten().map(Tile::Matrix))
}

#[cfg(target_arch = "wasm32")]
fn tiles(_: &Caps, _: Factors) -> [Tile; 2] {
    [Tile::Small, Tile::Large]
}

/// The tiles of a product, and the parts of its depth, each for workgroups of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tiling {
    pub(crate) tile: Tile,
    pub(crate) parts: usize,
    /// How deep a part is.
    pub(crate) part_depth: usize,
}

impl Tiling {
    /// The tiling that is estimated to take the least time on a device, for `slices` products of rows by columns.
    ///
    /// A large tile does more with what it loads; small ones, and parts of the depth, keep more of the device busy.
    pub(crate) fn new(caps: &Caps, factors: Factors, slices: usize, sides: [usize; 2], depth: usize) -> Tiling {
        Tiling::least(caps, factors, slices, sides, depth, cost::LAUNCH)
    }

    /// The same for a product whose result a launch after it reads in any case, and brings parts together as it does.
    pub(crate) fn before_launch(caps: &Caps, factors: Factors, sides: [usize; 2], depth: usize) -> Tiling {
        Tiling::least(caps, factors, 1, sides, depth, 0.0)
    }

    /// The tiling of the least time, where bringing parts together costs this and what its sums take.
    fn least(
        caps: &Caps,
        factors: Factors,
        slices: usize,
        [rows, columns]: [usize; 2],
        depth: usize,
        launch: f64,
    ) -> Tiling {
        let sums = slices * rows * columns;
        let at_once = f64::from(caps.groups_at_once.max(1));
        let room = caps.max_binding_bytes.min(PARTIAL_BYTES) / 4 / (sums.max(1) as u64);
        let mut best = (f64::INFINITY, Tiling { tile: Tile::Small, parts: 1, part_depth: depth.max(1) });
        for tile in tiles(caps, factors) {
            let (Costs { slab, ends, share }, slabs) = (tile.costs(factors), depth.div_ceil(tile.slab()).max(1));
            let most = slabs.min(MOST_PARTS).min(usize::try_from(room).unwrap_or(usize::MAX)).max(1);
            let tiles = slices * rows.div_ceil(tile.side()) * columns.div_ceil(tile.side());
            for wanted in 1..=most {
                let part_slabs = slabs.div_ceil(wanted);
                let parts = slabs.div_ceil(part_slabs);
                let rounds = ((tiles * parts) as f64 * share / at_once).max(1.0);
                let products = rounds * (part_slabs as f64 * slab + ends);
                let combining = if parts == 1 { 0.0 } else { launch + (sums * parts) as f64 / (at_once * cost::SUMS) };
                let tiling = Tiling { tile, parts, part_depth: part_slabs * tile.slab() };
                if products + combining < best.0 {
                    best = (products + combining, tiling);
                }
            }
        }
        best.1
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

    const SLAB: usize = 16;
    const FACTORS: Factors = Factors { short: false, gathered: false };

    fn tiling(rows: usize, columns: usize, depth: usize) -> Tiling {
        Tiling::new(&Caps::webgpu_minimum(), FACTORS, 1, [rows, columns], depth)
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
        assert_eq!(tiling(4096, 4096, 4096).tile, Tile::Large);
        assert_eq!(tiling(240, 196, 40), Tiling { tile: Tile::Small, parts: 1, part_depth: 48 });
        assert_eq!(tiling(40, 40, 0).parts, 1);
    }

    #[test]
    fn a_launch_that_comes_in_any_case_lets_more_be_split() {
        let sides = [128, 256];
        let alone = Tiling::new(&Caps::webgpu_minimum(), FACTORS, 1, sides, 256);
        let before = Tiling::before_launch(&Caps::webgpu_minimum(), FACTORS, sides, 256);
        assert!(before.parts >= alone.parts && before.parts > 1, "{alone:?} {before:?}");
    }

    /// A large device with matrix units.
    fn matrix_caps() -> Caps {
        Caps { f16: true, matrix: true, max_workgroup_bytes: 48 << 10, ..Caps::webgpu_minimum() }
    }

    #[test]
    fn matrix_units_take_what_fills_a_device() {
        let tile = |caps: &Caps, factors, rows, columns, depth| {
            let tiling = Tiling::new(caps, factors, 1, [rows, columns], depth);
            assert_eq!(tiling.part_depth % tiling.tile.slab(), 0, "{tiling:?}");
            tiling.tile
        };
        let (caps, exact) = (matrix_caps(), |high| Tile::Matrix(MatrixTile { high, halves: 2, emulated: false }));
        assert_eq!(tile(&caps, FACTORS, 2048, 2048, 2048), exact(4));
        assert_eq!(tile(&caps, FACTORS, 197, 1536, 384), exact(2));
        // As the self-test of devices multiplies.
        assert_eq!(tile(&caps, FACTORS, 700, 700, 260), exact(2));
        assert!(!matches!(tile(&caps, FACTORS, 128, 256, 256), Tile::Matrix(_)), "a small product");
        assert!(!matches!(tile(&caps, FACTORS, 128, 1024, 256), Tile::Matrix(_)), "few rows");
        let gathered = Factors { gathered: true, ..FACTORS };
        assert_eq!(tile(&caps, gathered, 256, 1568, 2304), exact(4));
        assert!(!matches!(tile(&caps, gathered, 512, 49, 4608), Tile::Matrix(_)), "few places");
        // One half is enough for 16-bit floats, and where precision is said to be.
        let halves = |caps: &Caps, short| tile(caps, Factors { short, ..FACTORS }, 2048, 2048, 2048);
        let fast = matrix_caps().with_precision(Precision::Fast);
        for tile in [halves(&caps, true), halves(&fast, false)] {
            assert!(matches!(tile, Tile::Matrix(MatrixTile { halves: 1, .. })), "{tile:?}");
        }
    }

    #[test]
    fn tiles_on_matrix_units_take_the_memory_that_their_kernels_do() {
        use crate::kernels::{conv_matrix, matmul_matrix};
        use crate::plan::Bindings as _;
        for kernel in [matmul_matrix::Bind::KERNEL, conv_matrix::Bind::KERNEL] {
            for (number, variant) in kernel.variants.iter().enumerate() {
                let name = kernel.variant_name(number);
                let high = if name.contains("HIGH=2") { 2 } else { 4 };
                let halves = if name.contains("HALVES=2") { 2 } else { 1 };
                let tile = MatrixTile { high, halves, emulated: false };
                assert_eq!(usize::from(variant.workgroup_bytes), tile.bytes(), "{name}");
            }
        }
        let small = Caps { max_workgroup_bytes: 32 << 10, ..matrix_caps() };
        assert!(!tiles(&small, FACTORS).any(|tile| tile.side() == 128), "more than there is");
    }

    #[test]
    fn sums_of_all_parts_fit_a_binding() {
        let caps = Caps { max_binding_bytes: 1 << 20, ..Caps::webgpu_minimum() };
        let Tiling { parts, .. } = Tiling::new(&caps, FACTORS, 1, [300, 300], 1 << 20);
        assert!(parts * 300 * 300 * 4 <= 1 << 20);
    }
}
