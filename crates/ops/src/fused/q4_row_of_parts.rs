//! A row of 4-bit products whose input is what attention gives, which comes in parts.

use super::q4_linear::{Epilogue, Linear};
use super::q4_row::{self, CODES, FEW_GROUPS, ROWS, VECTORS, WORKGROUP};
use crate::attention::unturned::Partial;
use crate::caps::Caps;
use crate::error::Result;
use crate::kernels::q4_row::Digits;
use crate::kernels::q4_row_of_parts;
use crate::plan::{PlanContext, Tensor, word};

/// The most parts that the kernel takes.
const MOST_PARTS: usize = 16;

/// The most parts in which these layers take their input: none where the kernel does not take them.
pub(super) fn most_parts(linear: &Linear<Tensor>, caps: &Caps) -> usize {
    let depth = linear.layer.sizes.depth;
    let takes = linear.norm.is_none()
        && linear.rounding.is_none()
        && linear.widths.len() == 1
        && !matches!(linear.epilogue, Epilogue::Swiglu)
        && q4_row::digits(caps) != Digits::N0
        && q4_row::fits(linear, caps)
        && !q4_row::is_split(depth)
        && q4_row::is_staged(depth / CODES, caps);
    if takes { MOST_PARTS } else { 0 }
}

/// Dispatches layers that take these parts.
pub(super) fn plan(cx: &mut PlanContext<'_>, linear: Linear<Tensor>, partial: Partial, output: Tensor) -> Result<()> {
    let Linear { layer, epilogue, .. } = linear;
    let Partial { tensor: partial, parts, width } = partial;
    let words = layer.sizes.depth / CODES;
    let (_, lanes) = q4_row::team(cx.caps());
    let teams = WORKGROUP / lanes;
    let columns = layer.sizes.columns;
    let groups = columns.div_ceil(ROWS * teams);
    let (weight, scales) = (layer.weight, layer.scales);
    // A kernel that adds nothing never reads the binding; any buffer of the type will do.
    let addend = if let Epilogue::Add(addend) = epilogue { addend } else { scales };
    let variant = q4_row_of_parts::Variant {
        t: output.dtype.try_into()?,
        epilogue: if matches!(epilogue, Epilogue::Add(_)) {
            q4_row_of_parts::Epilogue::Add
        } else {
            q4_row_of_parts::Epilogue::Plain
        },
        digits: if q4_row::digits(cx.caps()) == Digits::N2 {
            q4_row_of_parts::Digits::N2
        } else {
            q4_row_of_parts::Digits::N3
        },
    };
    let overrides = q4_row_of_parts::Overrides {
        lanes: word(lanes),
        teams: word(teams),
        words: word(words),
        group_words: word(layer.sizes.group_size / CODES),
        columns: word(columns),
        scale_stride: word(layer.sizes.scale_stride / 4),
        staged: word(words * VECTORS),
        parts: word(parts),
        head_quads: word(width / 4),
        early: words <= 2 * lanes && groups <= FEW_GROUPS,
    };
    let bind = q4_row_of_parts::Bind { partial, weight, scales, addend, output };
    cx.dispatch(bind, variant).overrides(overrides).rows(groups)
}
