//! Attention of one query of each head, which is turned in the launch that attends.

use pteron_tensor::DType;

use super::flash::{Attention, BLOCK, LARGEST_PART, Parts, combine};
use crate::caps::{Caps, SubgroupSizes};
use crate::error::Result;
use crate::kernels::attention_split::Load;
use crate::kernels::{rope_row, rope_split};
use crate::plan::{Bindings as _, PlanContext, Tensor, word};
use crate::sym::Scalar;

/// One query of each head that is not turned yet, with the new key and value that belong to it.
pub(super) struct Unturned {
    pub(super) query: Tensor,
    pub(super) key: Tensor,
    pub(super) value: Tensor,
    pub(super) cos: Tensor,
    pub(super) sin: Tensor,
    /// Distance of two rows of the tables, and the row that counts.
    pub(super) row_step: usize,
    pub(super) first: Scalar,
}

/// Lanes of `rope_row`, and those that share a key.
const LANES: u32 = 256;
const TEAM: u32 = 4;

/// How a step turns queries and keys and writes the caches in the launch that attends.
pub(super) enum Way {
    /// By `rope_row`, with subgroups of this many lanes.
    ByRow(u32),
    /// By `rope_split`, without subgroups.
    Split,
}

/// The way to do so, where there is one. Tables have rows at this distance.
pub(super) fn way(caps: &Caps, it: &Attention, row_step: usize, masked: bool) -> Option<Way> {
    let fits =
        it.rows == 1 && it.depth == it.width && it.depth > 0 && it.group > 0 && it.load() == Load::Quad && !masked;
    match lanes_of_subgroup(caps).filter(|_| row_step.is_multiple_of(2)) {
        _ if !fits => None,
        Some(lanes) => Some(Way::ByRow(lanes)),
        None => (it.group <= BLOCK).then_some(Way::Split),
    }
}

/// What attention gives before its parts are brought together: for each query, over each part of its keys, sums of values, and
/// then the largest score and the sum of weights.
#[derive(Clone, Copy)]
pub(crate) struct Partial {
    pub(crate) tensor: Tensor,
    pub(crate) parts: usize,
    /// Elements of a value.
    pub(crate) width: usize,
}

/// Plans one of the ways.
pub(super) fn plan(
    cx: &mut PlanContext<'_>,
    way: Way,
    it: &Attention,
    given: Unturned,
    caches: [Tensor; 2],
    output: Tensor,
) -> Result<()> {
    match way {
        Way::ByRow(lanes) => {
            let parts = Parts::of(cx, it, &caches[0], output, blocks(it), LARGEST_PART)?;
            by_row(cx, it, given, caches, output.dtype, &parts, lanes)?;
            let Parts { part_keys, parts, whole, target, .. } = parts;
            if whole { Ok(()) } else { combine(cx, it, target, output, part_keys, parts) }
        }
        Way::Split => split(cx, it, given, caches, output),
    }
}

/// The lanes of a subgroup, where `rope_row` runs: all subgroups have one size, and hold whole teams.
fn lanes_of_subgroup(caps: &Caps) -> Option<u32> {
    let SubgroupSizes { min, max } = caps.subgroups?;
    let fits = rope_row::Bind::KERNEL
        .variants
        .iter()
        .all(|variant| u32::from(variant.workgroup_bytes) <= caps.max_workgroup_bytes);
    (min == max && (TEAM..=LANES).contains(&min) && LANES.is_multiple_of(min) && fits).then_some(min)
}

/// Plans the way with subgroups of this many lanes for one query of all batches in no more than `most` parts and at least two,
/// where it is as many and queries have eights of columns.
pub(super) fn plan_in_parts(
    cx: &mut PlanContext<'_>,
    it: &Attention,
    given: Unturned,
    caches: [Tensor; 2],
    lanes: u32,
    most: usize,
) -> Result<Option<Partial>> {
    let parts = it.bucket.div_ceil(LARGEST_PART);
    if !(2..=most).contains(&parts) || it.batch != 1 || !it.width.is_multiple_of(8) {
        return Ok(None);
    }
    let parts = Parts::of(cx, it, &caches[0], given.query, blocks(it), LARGEST_PART)?;
    let dtype = given.query.dtype;
    by_row(cx, it, given, caches, dtype, &parts, lanes)?;
    Ok(Some(Partial { tensor: parts.target, parts: parts.parts, width: it.width }))
}

/// Whether a workgroup of `rope_row` takes one query: where it is the only one of its keys or these are few. Otherwise two share
/// what is read.
fn is_alone(it: &Attention) -> bool {
    it.group == 1 || it.bucket <= LARGEST_PART
}

/// Workgroups of `rope_row` for the queries that share keys.
fn blocks(it: &Attention) -> usize {
    if is_alone(it) { it.group } else { it.group.div_ceil(2) }
}

/// As few keys for each workgroup as it takes at once. Outputs are of this type, where there is one part.
fn by_row(
    cx: &mut PlanContext<'_>,
    it: &Attention,
    given: Unturned,
    [key, value]: [Tensor; 2],
    dtype: DType,
    &Parts { part_keys, parts, blocks, whole, target, read, .. }: &Parts,
    subgroup: u32,
) -> Result<()> {
    let Unturned { query, key: new_key, value: new_value, cos, sin, row_step, first } = given;
    let sizes = it.sizes();
    let batch_and_head = |[batch, head, _, _]: [u32; 4]| [batch, head];
    let up_to_row = |[batch, head, row, _]: [u32; 4]| [batch, head, row];
    let params = rope_row::Params {
        key: up_to_row(sizes.key),
        part_keys: word(part_keys),
        value: up_to_row(sizes.value),
        scale: sizes.scale,
        query: batch_and_head(sizes.query),
        output: batch_and_head(sizes.output),
        row_step: word(row_step / 2),
    };
    let call = rope_row::Call { first, start: Scalar::Int(it.start) };
    let bind = rope_row::Bind { query, new_key, new_value, cos, sin, key, value, output: target, params, call };
    let queries = if is_alone(it) { rope_row::Queries::N1 } else { rope_row::Queries::N2 };
    let variant = rope_row::Variant { t: dtype.try_into()?, f: cos.dtype.try_into()?, whole, queries };
    let overrides = rope_row::Overrides {
        heads: word(it.heads / it.group),
        group: word(it.group),
        depth: word(it.depth),
        turned: word((queries.get() + 1) * (it.depth / 4)),
        subgroup,
        subgroups: LANES / subgroup,
    };
    cx.dispatch(bind, variant)
        .overrides(overrides)
        .traffic(read + query.bytes() + 2 * (new_key.bytes() + new_value.bytes()) + target.bytes())
        .groups([parts as u64, blocks as u64, it.shared_heads() as u64])
}

/// A workgroup takes the queries that share keys, and a part of these.
fn split(
    cx: &mut PlanContext<'_>,
    it: &Attention,
    given: Unturned,
    [key, value]: [Tensor; 2],
    output: Tensor,
) -> Result<()> {
    let Unturned { query, key: new_key, value: new_value, cos, sin, row_step, first } = given;
    let Parts { part_keys, parts, blocks, groups, whole, target, read } = Parts::new(cx, it, &key, output)?;
    let params = rope_split::Params {
        it: it.sizes(),
        part_keys: word(part_keys),
        parts: word(parts),
        blocks: word(blocks),
        groups: word(groups),
        row_step: word(row_step),
    };
    let call = rope_split::Call { first, start: Scalar::Int(it.start) };
    let bind = rope_split::Bind { query, new_key, new_value, cos, sin, key, value, output: target, params, call };
    let variant = rope_split::Variant { t: output.dtype.try_into()?, f: cos.dtype.try_into()?, whole };
    cx.dispatch(bind, variant)
        .traffic(read + query.bytes() + 2 * (new_key.bytes() + new_value.bytes()) + target.bytes())
        .rows(groups)?;
    if whole { Ok(()) } else { combine(cx, it, target, output, part_keys, parts) }
}
