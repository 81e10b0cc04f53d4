//! One row times 4-bit weights: the product that writing text is made of.

use super::q4_linear::{Epilogue, Linear, Outputs};
use crate::caps::{Caps, Precision, SubgroupSizes};
use crate::error::Result;
use crate::kernels::q4_row::{self, Digits, Reduce};
use crate::plan::{PlanContext, Tensor, word};

/// Codes in 16 bytes.
pub(super) const CODES: usize = 32;
/// Rows of a weight that a team works on at once.
pub(super) const ROWS: usize = 4;
/// Invocations of a workgroup; every device has as many.
pub(super) const WORKGROUP: usize = 256;
/// Vectors of workgroup memory for as many inputs, with padding, and for as many rounded ones in digits.
pub(super) const VECTORS: usize = 9;
const ROUNDED_VECTORS: usize = 5;
/// Workgroups of which a large device runs all at once, however many registers each takes.
pub(super) const FEW_GROUPS: usize = 128;

/// Whether the kernel takes these layers: one row of input, whole words of codes, each with one scale, rows in fours, or in
/// eights where a workgroup has two sets of them.
pub(super) fn fits(linear: &Linear<Tensor>, caps: &Caps) -> bool {
    let (layer, sizes) = (&linear.layer, &linear.layer.sizes);
    let sets = if is_split(sizes.depth) && !matches!(linear.epilogue, Epilogue::Swiglu) { 2 } else { 1 };
    layer.rows == 1
        && sizes.has_whole_words()
        && linear.widths.iter().sum::<usize>().is_multiple_of(ROWS * sets)
        && sizes.columns >= 2 * ROWS
        && sizes.scale_stride.is_multiple_of(ROWS)
        && layer.weight.bytes() <= caps.max_binding_bytes
        && (linear.rounding.is_none() || is_split(sizes.depth) || is_staged(sizes.depth / CODES, caps))
}

/// The form in which a row passes from one launch to the next.
#[derive(Clone, Copy)]
pub(super) enum ActivationForm {
    /// As floats.
    Floats,
    /// The input as digits, which are in this tensor.
    FromDigits(Tensor),
    /// The output as digits, for which the first output has room.
    ToDigits,
}

/// Vectors of digits for the outputs of these layers, where they can be handed on to layers of `depth` in that form.
pub(super) fn handed_on(linear: &Linear<Tensor>, caps: &Caps) -> Option<usize> {
    let columns: usize = linear.widths.iter().sum();
    let teams = WORKGROUP / team(caps).1;
    let split = is_split(linear.layer.sizes.depth);
    let whole = columns.is_multiple_of(CODES) && teams.is_multiple_of(8) && !split;
    let staged = |depth: usize| is_staged(depth / CODES, caps);
    (whole && digits(caps) != Digits::N0 && staged(columns) && staged(linear.layer.sizes.depth))
        .then_some(columns / CODES * 8)
}

/// How sums over teams are made, and the lanes of a team: subgroups where all have one size; otherwise teams meet in
/// workgroup memory.
pub(super) fn team(caps: &Caps) -> (Reduce, usize) {
    match caps.subgroups {
        Some(SubgroupSizes { min, max }) if min == max && (4..=WORKGROUP).contains(&(min as usize)) => {
            (Reduce::TeamSubgroup, min as usize)
        }
        _ => (Reduce::TeamShared, 32),
    }
}

/// Whether teams are subgroups, and the lanes of one.
pub(super) fn lanes_of_team(caps: &Caps) -> (bool, u32) {
    let (reduce, lanes) = team(caps);
    (reduce == Reduce::TeamSubgroup, crate::plan::word(lanes))
}

/// Digits of staged inputs; 0 for floats.
pub(super) fn digits(caps: &Caps) -> Digits {
    match caps.precision {
        _ if !caps.packed_dot || team(caps).0 != Reduce::TeamSubgroup => Digits::N0,
        Precision::Exact => Digits::N3,
        Precision::Fast => Digits::N2,
    }
}

/// Whether a row keeps a whole workgroup busy; shorter ones have a team each.
pub(super) fn is_split(depth: usize) -> bool {
    depth / CODES >= WORKGROUP
}

/// Whether a row of this many words fits workgroup memory, with what sums need.
pub(super) fn is_staged(words: usize, caps: &Caps) -> bool {
    has_room(words * VECTORS, caps)
}

/// Whether this many vectors fit workgroup memory, with what sums need.
fn has_room(vectors: usize, caps: &Caps) -> bool {
    (vectors + WORKGROUP) * 16 <= caps.max_workgroup_bytes as usize
}

pub(super) fn plan(
    cx: &mut PlanContext<'_>,
    linear: Linear<Tensor>,
    outputs: Outputs,
    form: ActivationForm,
) -> Result<()> {
    let Linear { layer, norm, rounding, epilogue, .. } = linear;
    let words = layer.sizes.depth / CODES;
    let caps = cx.caps();
    let (reduce, lanes) = team(caps);
    let teams = WORKGROUP / lanes;
    let split = is_split(layer.sizes.depth);
    let gated = matches!(epilogue, Epilogue::Swiglu);
    let rows_per_team = if split && !gated { 2 * ROWS } else { ROWS };
    let rows_per_group = if split { rows_per_team } else { rows_per_team * teams };
    let rounds = !rounding.is_none();
    let (digits, vectors) = match digits(caps) {
        // Two hold whatever 8 bits do.
        Digits::N2 | Digits::N3 if rounds && has_room(words * ROUNDED_VECTORS, caps) => (Digits::N2, ROUNDED_VECTORS),
        _ if rounds || !is_staged(words, caps) => (Digits::N0, VECTORS),
        digits => (digits, VECTORS),
    };
    // Where a workgroup shares a row, each lane can round what it multiplies.
    let rounded_apart = split && rounds && digits == Digits::N0;
    let stage = has_room(words * vectors, caps) && !rounded_apart;
    let from_digits = matches!(form, ActivationForm::FromDigits(_));
    let staged = if stage && !from_digits { words * vectors } else { 1 };
    let has_norm = norm.is_some();
    let (norm, epsilon) = norm.unwrap_or((layer.input, 0.0));
    let addend = if let Epilogue::Add(addend) = epilogue { addend } else { layer.input };
    #[expect(clippy::cast_possible_truncation, reason = "kernels add in f32")]
    let params = q4_row::Params { epsilon: epsilon as f32, least_scale: rounding.least_scale() };
    let [output, output1, output2] = outputs.tensors;
    let (weight, scales) = (layer.weight, layer.scales);
    let input = if let ActivationForm::FromDigits(digits) = form { digits } else { layer.input };
    let bind = q4_row::Bind { input, norm, weight, scales, addend, output, output1, output2, params };
    let variant = q4_row::Variant {
        t: layer.input.dtype.try_into()?,
        norm: has_norm,
        epilogue: epilogue.axis(),
        split,
        digits,
        reduce,
        from: if from_digits { q4_row::From::Digits } else { q4_row::From::Floats },
        to: if matches!(form, ActivationForm::ToDigits) { q4_row::To::Digits } else { q4_row::To::Floats },
        round: rounds,
    };
    let groups = outputs.columns.div_ceil(rows_per_group);
    let overrides = q4_row::Overrides {
        lanes: word(lanes),
        teams: word(teams),
        wg_size: word(WORKGROUP),
        words: word(words),
        group_words: word(layer.sizes.group_size / CODES),
        columns: word(outputs.columns),
        second: word(outputs.second),
        third: word(outputs.third),
        scale_stride: word(layer.sizes.scale_stride / 4),
        stage,
        staged: word(staged),
        early: !split && !gated && words <= 2 * lanes && groups <= FEW_GROUPS,
    };
    cx.dispatch(bind, variant).overrides(overrides).rows(groups)
}
