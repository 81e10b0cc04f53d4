//! Attention itself, for every layout: softmax(q·kᵀ·scale + mask)·v, head by head.

use pteron_tensor::{DType, Shape};

use crate::caps::{Caps, MULTIPROCESSORS, Precision};
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::kernels::attention_split::{Load, Reduce};
use crate::kernels::types::Attention as Sizes;
use crate::kernels::{attention_combine, attention_halves, attention_matrix, attention_split, attention_tiled};
use crate::plan::{Bindings as _, PlanContext, Tensor, word};
use crate::sym::{IntArg, Scalar};

/// Distances in elements for a step in batch, head, row and column.
pub(super) type Strides = [usize; 4];

/// Where a tensor keeps the vectors of all heads, in elements.
#[derive(Clone, Copy, Debug)]
pub(super) struct Vectors {
    /// Distances from batch to batch, from head to head and from row to row.
    pub(super) batch: usize,
    pub(super) head: usize,
    pub(super) row: usize,
    /// Where the first of them begins.
    pub(super) first: usize,
}

impl Vectors {
    /// Where a vector begins.
    fn at(&self, batch: usize, head: usize, row: usize) -> usize {
        self.first + batch * self.batch + head * self.head + row * self.row
    }

    /// What kernels read.
    fn words(&self) -> [u32; 4] {
        [self.batch, self.head, self.row, self.first].map(word)
    }
}

/// The sizes of an attention, where its tensors keep what, and which keys a query sees.
pub(super) struct Attention {
    pub(super) batch: usize,
    pub(super) heads: usize,
    /// Query heads that share one head of keys and values.
    pub(super) group: usize,
    /// Queries per head.
    pub(super) rows: usize,
    /// Keys in addition to `start`.
    pub(super) keys: usize,
    /// Keys that the grid is made for: at least `start + keys`.
    pub(super) bucket: usize,
    /// Elements of a query and of a key.
    pub(super) depth: usize,
    /// Elements of a value.
    pub(super) width: usize,
    /// Keys before the first query, where they count.
    pub(super) start: IntArg,
    /// Whether query `i` sees keys up to `start + i` only.
    pub(super) causal: bool,
    /// Whether a query whose keys are all hidden gives zeros.
    pub(super) zeros: bool,
    pub(super) scale: f64,
    pub(super) query: Vectors,
    pub(super) key: Vectors,
    pub(super) value: Vectors,
    pub(super) mask: Strides,
    pub(super) output: Vectors,
}

/// The tensors of an attention.
pub(super) struct Tensors<T> {
    pub(super) query: T,
    pub(super) key: T,
    pub(super) value: T,
    pub(super) mask: Option<T>,
}

/// Up to this many queries per head, the keys are divided among workgroups: a tile of queries would be mostly empty.
const FEW_ROWS: usize = 8;
/// Queries in one tile.
const TILE_ROWS: usize = 64;
/// Elements of the vectors that matrix units take.
const MATRIX_SIZE: usize = 64;
/// Keys of a tile there, and queries of a subgroup.
const MATRIX_KEYS: usize = 32;
const SUBGROUP_ROWS: usize = 16;
/// Workgroup memory for a tile of keys and one of values, in bytes.
const TWO_TILES: u32 = 32 << 10;
/// Queries in one block, which share keys and values.
pub(super) const BLOCK: usize = 4;
/// The most keys in one part, as many as the kernel has lanes. No more are not divided.
pub(super) const LARGEST_PART: usize = 128;
/// The fewest keys in one part.
const SMALLEST_PART: usize = 32;
/// Workgroups to aim for: enough for a large GPU.
const GROUPS: usize = 256;

/// Plans an attention into `output`.
pub(super) fn plan(cx: &mut PlanContext<'_>, it: &Attention, tensors: Tensors<Tensor>, output: Tensor) -> Result<()> {
    if output.dtype != tensors.query.dtype {
        return Err(OpError::DType { dtype: output.dtype, what: format!("attention over {}", tensors.query.dtype) });
    }
    let rows = it.batch * it.heads * it.rows;
    if rows.saturating_mul(it.bucket.max(1)) > u32::MAX as usize {
        return Err(OpError::Limit(format!("attention of {rows} queries over {} keys is too large", it.bucket)));
    }
    match tensors.mask {
        _ if it.rows <= FEW_ROWS => split(cx, it, tensors, output),
        None if it.fits_matrix_units(cx.caps()) && it.is_short() => split(cx, it, tensors, output),
        None if it.fits_matrix_units(cx.caps()) => matrix(cx, it, tensors, output),
        _ if it.leaves_idle(cx.caps()) => split(cx, it, tensors, output),
        _ => tiled(cx, it, tensors, output),
    }
}

/// Makes halves of keys and values; then one workgroup per tile of queries goes through all of them, on matrix units.
fn matrix(cx: &mut PlanContext<'_>, it: &Attention, tensors: Tensors<Tensor>, output: Tensor) -> Result<()> {
    let Tensors { query, key, value, .. } = tensors;
    let (shared, key_tiles) = (it.shared_heads(), it.key_tiles());
    let (halves, halves_of) = match cx.caps().precision {
        Precision::Exact => (attention_matrix::Halves::N2, attention_halves::Halves::N2),
        Precision::Fast => (attention_matrix::Halves::N1, attention_halves::Halves::N1),
    };
    let sides = [shared * key_tiles, 2 * halves.get(), MATRIX_KEYS, MATRIX_SIZE];
    let divided = cx.scratch(DType::F16, Shape::new(&sides)?)?;
    let powers = cx.scratch(DType::F32, Shape::new(&[shared * key_tiles, 2])?)?;
    let params = attention_halves::Params { it: it.sizes(), tiles: word(key_tiles) };
    let call = attention_halves::Call { start: Scalar::Int(it.start) };
    let variant = attention_halves::Variant { t: key.dtype.try_into()?, halves: halves_of };
    let bind = attention_halves::Bind { key, value, halves: divided, powers, params, call };
    cx.dispatch(bind, variant).groups([shared as u64, key_tiles as u64, 1])?;

    let subgroups = it.subgroups();
    let tiles = it.rows.div_ceil(SUBGROUP_ROWS * subgroups.get());
    let params = attention_matrix::Params { it: it.sizes(), tiles: word(tiles), key_tiles: word(key_tiles) };
    let call = attention_matrix::Call { start: Scalar::Int(it.start) };
    let variant = attention_matrix::Variant { t: output.dtype.try_into()?, halves, subgroups };
    let overrides = attention_matrix::Overrides {
        heads: word(it.heads),
        group: word(it.group),
        wg_size: word(32 * subgroups.get()),
    };
    let bind = attention_matrix::Bind { query, halves: divided, powers, output, params, call };
    cx.dispatch(bind, variant).overrides(overrides).groups([(it.batch * it.heads) as u64, tiles as u64, 1])
}

/// One workgroup per tile of queries goes through all keys.
fn tiled(cx: &mut PlanContext<'_>, it: &Attention, tensors: Tensors<Tensor>, output: Tensor) -> Result<()> {
    let Tensors { query, key, value, mask } = tensors;
    let columns = match it.width {
        0..=64 => attention_tiled::Columns::N64,
        65..=128 => attention_tiled::Columns::N128,
        _ => attention_tiled::Columns::N256,
    };
    let tiles = it.rows.div_ceil(TILE_ROWS);
    let slices = it.width.div_ceil(columns.get());
    let heads = it.batch * it.heads;
    let groups = heads * tiles * slices;
    let params = attention_tiled::Params {
        it: it.sizes(),
        tiles: word(tiles),
        slices: word(slices),
        heads: word(heads),
        groups: word(groups),
    };
    let call = attention_tiled::Call { start: Scalar::Int(it.start) };
    let has_mask = mask.is_some();
    let bind = attention_tiled::Bind { query, key, value, mask: mask.unwrap_or(query), output, params, call };
    let load = match it.load() {
        Load::Quad if cx.caps().max_workgroup_bytes >= TWO_TILES => attention_tiled::Load::Staged,
        Load::Quad => attention_tiled::Load::Quad,
        Load::Any => attention_tiled::Load::Any,
    };
    let variant = attention_tiled::Variant { t: output.dtype.try_into()?, mask: has_mask, columns, load };
    cx.dispatch(bind, variant).rows(groups)
}

/// A workgroup takes four queries that share keys, and a part of these; a second launch brings the parts together.
fn split(cx: &mut PlanContext<'_>, it: &Attention, tensors: Tensors<Tensor>, output: Tensor) -> Result<()> {
    let Tensors { query, key, value, mask } = tensors;
    let Parts { part_keys, parts, blocks, groups, whole, target, read } = Parts::new(cx, it, &key, output)?;
    let params = attention_split::Params {
        it: it.sizes(),
        part_keys: word(part_keys),
        parts: word(parts),
        blocks: word(blocks),
        groups: word(groups),
    };
    let call = attention_split::Call { start: Scalar::Int(it.start) };
    let has_mask = mask.is_some();
    let bind = attention_split::Bind { query, key, value, mask: mask.unwrap_or(query), output: target, params, call };
    let variant = attention_split::Variant {
        t: output.dtype.try_into()?,
        mask: has_mask,
        whole,
        load: it.load(),
        reduce: if cx.caps().subgroups.is_some() { Reduce::Subgroup } else { Reduce::Shared },
    };
    cx.dispatch(bind, variant).traffic(read + query.bytes() + target.bytes()).rows(groups)?;
    if whole { Ok(()) } else { combine(cx, it, target, output, part_keys, parts) }
}

/// How keys are divided among workgroups.
pub(super) struct Parts {
    pub(super) part_keys: usize,
    pub(super) parts: usize,
    /// Blocks of queries for each head of keys and values.
    pub(super) blocks: usize,
    pub(super) groups: usize,
    /// Whether one part is all there is.
    pub(super) whole: bool,
    /// Where parts go.
    pub(super) target: Tensor,
    /// Bytes that a step reads: the keys and values that the grid is made for, once for each head of them.
    pub(super) read: u64,
}

impl Parts {
    /// Enough parts for a large GPU, and blocks of four queries.
    pub(super) fn new(cx: &mut PlanContext<'_>, it: &Attention, key: &Tensor, output: Tensor) -> Result<Parts> {
        let blocks = (it.group * it.rows).div_ceil(BLOCK);
        Parts::of(cx, it, key, output, blocks, part_keys(it.bucket, it.shared_heads() * blocks))
    }

    /// Parts of as many keys as given.
    pub(super) fn of(
        cx: &mut PlanContext<'_>,
        it: &Attention,
        key: &Tensor,
        output: Tensor,
        blocks: usize,
        part_keys: usize,
    ) -> Result<Parts> {
        let shared = it.shared_heads();
        let parts = it.bucket.div_ceil(part_keys).max(1);
        let whole = parts == 1;
        let cells = (it.width.div_ceil(4) + 1) * 4;
        let rows = it.batch * it.heads * it.rows;
        let target = if whole { output } else { cx.scratch(DType::F32, Shape::new(&[rows, parts, cells])?)? };
        let read = (shared * it.bucket * (it.depth + it.width) * key.dtype.size()) as u64;
        Ok(Parts { part_keys, parts, blocks, groups: shared * blocks * parts, whole, target, read })
    }
}

/// Brings parts together.
pub(super) fn combine(
    cx: &mut PlanContext<'_>,
    it: &Attention,
    partial: Tensor,
    output: Tensor,
    part_keys: usize,
    parts: usize,
) -> Result<()> {
    let rows = it.batch * it.heads * it.rows;
    let params = attention_combine::Params { it: it.sizes(), parts: word(parts) };
    let call = attention_combine::Call { start: Scalar::Int(it.start) };
    let variant = attention_combine::Variant { t: output.dtype.try_into()?, load: it.load() };
    let overrides = attention_combine::Overrides {
        queries: word(rows),
        heads: word(it.heads / it.group.max(1)),
        group: word(it.group),
        rows: word(it.rows),
        width: word(it.width),
        part_keys: word(part_keys),
        ..Default::default()
    };
    cx.dispatch(attention_combine::Bind { partial, output, params, call }, variant).overrides(overrides).rows(rows)
}

/// The keys of a part, where each part takes this many workgroups: few enough that the parts fill a large GPU.
fn part_keys(keys: usize, groups: usize) -> usize {
    if keys <= LARGEST_PART {
        return LARGEST_PART;
    }
    let parts = GROUPS.div_ceil(groups.max(1));
    (keys / parts).next_power_of_two().clamp(SMALLEST_PART, LARGEST_PART)
}

/// A vector of a tensor. One of no elements lies anywhere, past the last too.
fn vector(tensor: &[f64], at: usize, size: usize) -> &[f64] {
    if size == 0 { &[] } else { &tensor[at..at + size] }
}

/// The attention in plain Rust: the contents of the output.
pub(super) fn reference(it: &Attention, tensors: Tensors<Vec<f64>>, cx: &Eval<'_>) -> Result<Vec<f64>> {
    let Tensors { query, key, value, mask } = tensors;
    let start = usize::try_from(it.start.eval(cx.syms())?).unwrap_or(0);
    let mut output = vec![0.0; it.batch * it.heads * it.rows * it.width];
    if output.is_empty() {
        return Ok(output);
    }
    for batch in 0..it.batch {
        for head in 0..it.heads {
            let shared = head / it.group;
            for row in 0..it.rows {
                let seen = start + if it.causal { row + 1 } else { it.keys };
                cx.clock().count(seen * (it.depth + it.width + 1))?;
                let query = vector(&query, it.query.at(batch, head, row), it.depth);
                let score = |at: usize| {
                    let key = vector(&key, it.key.at(batch, shared, at), it.depth);
                    let dot: f64 = query.iter().zip(key).map(|(q, k)| q * k).sum();
                    let places = [batch, head, row, at];
                    let mask_at = places.iter().zip(&it.mask).map(|(place, stride)| place * stride).sum::<usize>();
                    dot * it.scale + mask.as_ref().map_or(0.0, |mask| mask[mask_at])
                };
                let scores: Vec<f64> = (0..seen).map(score).collect();
                let largest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                if it.zeros && largest == f64::NEG_INFINITY && scores.iter().all(|score| !score.is_nan()) {
                    continue;
                }
                let weights: Vec<f64> = scores.iter().map(|score| (score - largest).exp()).collect();
                let total: f64 = weights.iter().sum();
                let output = &mut output[it.output.at(batch, head, row)..][..it.width];
                for (at, weight) in weights.iter().enumerate() {
                    let value = &value[it.value.at(batch, shared, at)..][..it.width];
                    output.iter_mut().zip(value).for_each(|(output, value)| *output += weight / total * value);
                }
            }
        }
    }
    Ok(output)
}

impl Attention {
    /// Whether the kernel for matrix units takes these vectors.
    fn fits_matrix_units(&self, caps: &Caps) -> bool {
        let mut variants = attention_matrix::Bind::KERNEL.variants.iter();
        caps.has_matrix_units()
            && (self.depth, self.width) == (MATRIX_SIZE, MATRIX_SIZE)
            && self.load() == Load::Quad
            && self.batch * self.heads <= caps.max_groups as usize
            && self.divided_bytes() <= caps.max_binding_bytes
            && variants.all(|variant| u32::from(variant.workgroup_bytes) <= caps.max_workgroup_bytes)
    }

    /// Tiles of keys that matrix units take.
    fn key_tiles(&self) -> usize {
        self.bucket.div_ceil(MATRIX_KEYS).max(1)
    }

    /// The most bytes of keys and values as matrix units take them.
    fn divided_bytes(&self) -> u64 {
        (self.shared_heads() * self.key_tiles() * MATRIX_KEYS * MATRIX_SIZE * 2 * size_of::<[u16; 2]>()) as u64
    }

    /// How many subgroups share tiles of keys: as many as can, unless fewer give each a multiprocessor.
    fn subgroups(&self) -> attention_matrix::Subgroups {
        let small = attention_matrix::Subgroups::N4;
        let groups = self.batch * self.heads * self.rows.div_ceil(SUBGROUP_ROWS * small.get());
        if groups <= MULTIPROCESSORS { small } else { attention_matrix::Subgroups::N8 }
    }

    /// Whether a tile of queries has all there is, and blocks of a few have it sooner: there are enough of them for a large
    /// GPU, and not many more, and each goes through its keys at once.
    fn is_short(&self) -> bool {
        let blocks = self.shared_heads() * (self.group * self.rows).div_ceil(BLOCK);
        self.rows <= TILE_ROWS && self.bucket <= LARGEST_PART && blocks <= 2 * GROUPS
    }

    /// Whether tiles of queries would leave most of a device idle, and blocks of a few would not be more than it takes.
    fn leaves_idle(&self, caps: &Caps) -> bool {
        let heads = self.batch * self.heads;
        let (tiles, blocks) = (heads * self.rows.div_ceil(TILE_ROWS), heads * self.rows.div_ceil(BLOCK));
        let at_once = caps.groups_at_once as usize;
        !self.causal && tiles <= at_once / 8 && blocks <= at_once * 2
    }

    /// Heads of keys and values of all batches.
    pub(super) fn shared_heads(&self) -> usize {
        self.batch * self.heads / self.group.max(1)
    }

    /// How kernels load vectors: by four elements where each begins and ends with a whole four.
    pub(super) fn load(&self) -> Load {
        let places = [self.query, self.key, self.value, self.output];
        let steps = places.iter().flat_map(|it| [it.batch, it.head, it.row, it.first]);
        let mut steps = steps.chain([self.depth, self.width]);
        if steps.all(|step| step.is_multiple_of(4)) { Load::Quad } else { Load::Any }
    }

    /// What the kernels read.
    pub(super) fn sizes(&self) -> Sizes {
        #[expect(clippy::cast_possible_truncation, reason = "kernels multiply in f32")]
        let scale = self.scale as f32;
        Sizes {
            query: self.query.words(),
            key: self.key.words(),
            value: self.value.words(),
            mask: self.mask.map(word),
            output: self.output.words(),
            heads: word(self.heads),
            group: word(self.group),
            rows: word(self.rows),
            keys: word(self.keys),
            depth: word(self.depth),
            width: word(self.width),
            causal: u32::from(self.causal),
            zeros: u32::from(self.zeros),
            scale,
        }
    }
}

/// The factor of the dot products, by default one over the root of a query's length.
pub(super) fn scale(given: Option<f64>, depth: usize) -> f64 {
    given.unwrap_or_else(|| 1.0 / (depth as f64).sqrt())
}
