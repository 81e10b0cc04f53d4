//! Many rows times 4-bit weights on matrix units.

use pteron_tensor::{DType, Shape};

use super::q4_linear::{self, Epilogue, Outputs, Products};
use crate::caps::{Caps, Precision};
use crate::error::Result;
use crate::kernels::{halves, q4_matrix};
use crate::plan::{Plan, Tensor, word};
use crate::quant::weight::{Layer, Weight};

/// Rows from which the kernel is worth its mostly empty tiles.
const FEW_ROWS: usize = 5;
/// Depth of what a workgroup multiplies at a time.
const SLAB: usize = 32;
/// Workgroups that keep a large device busy.
const BUSY: usize = 120;
/// The fewest slabs that are worth a workgroup, and the most parts that a depth is divided into.
const FEWEST_SLABS: usize = 16;
const MOST_PARTS: usize = 8;

/// Whether the kernel takes this layer.
pub(super) fn fits(layer: &Layer<Tensor>, outputs: &Outputs, caps: &Caps) -> bool {
    let sizes = &layer.sizes;
    let ends = [outputs.second, outputs.third, outputs.columns];
    caps.matrix
        && layer.rows >= FEW_ROWS
        && layer.input.dtype == DType::F32
        && sizes.depth.is_multiple_of(SLAB)
        && sizes.row_bytes * 2 == sizes.depth
        && sizes.group_size.is_multiple_of(SLAB)
        && ends.iter().all(|end| end % 8 == 0)
        && layer.weight.bytes() <= caps.max_binding_bytes
}

pub(super) fn plan(
    cx: &mut Plan<'_>,
    layer: Layer<Tensor>,
    norm: Option<(Tensor, f64)>,
    epilogue: Epilogue<Tensor>,
    outputs: Outputs,
) -> Result<()> {
    let Layer { input, weight, scales, sizes, rows, .. } = layer;
    let exact = cx.caps().precision == Precision::Exact;
    let (halves, factors) = split(cx, input, rows, norm, exact)?;
    let tiles = |height: usize, width: usize| rows.div_ceil(height) * sizes.columns.div_ceil(width);
    // The largest tile of which there are enough; gating needs gates and factors in one subgroup, so two tiles.
    let (height, width) = match (matches!(epilogue, Epilogue::Swiglu), rows) {
        (_, 65..) if tiles(128, 128) >= BUSY => (128, 128),
        (true, _) => (64, 128),
        (false, 65..) if tiles(128, 64) >= BUSY => (128, 64),
        _ => (64, 64),
    };
    // Where tiles are too few to keep a device busy, workgroups divide the depth, and a second launch adds up.
    let slabs = sizes.depth / SLAB;
    let most = (2 * BUSY / tiles(64, 64).max(1)).min(slabs / FEWEST_SLABS).min(MOST_PARTS);
    if let Some(parts) = (2..=most).rev().find(|&parts| slabs.is_multiple_of(parts)) {
        let products = cx.scratch(DType::F32, Shape::new(&[parts, rows, sizes.columns])?)?;
        let none = [outputs.tensors[1], outputs.tensors[2]];
        let whole = Outputs {
            tensors: [products, none[0], none[1]],
            second: sizes.columns,
            third: sizes.columns,
            columns: sizes.columns,
        };
        let bound = Bound { halves, factors, weight, scales, addend: input };
        launch(cx, bound, &sizes, rows, "plain", whole, (64, 64), parts)?;
        return q4_linear::finish(
            cx,
            Products { tensor: products, parts, rows, stride: sizes.columns },
            epilogue,
            outputs,
        );
    }
    let axis = epilogue.axis();
    let addend = if let Epilogue::Add(addend) = epilogue { addend } else { input };
    let bound = Bound { halves, factors, weight, scales, addend };
    launch(cx, bound, &sizes, rows, axis, outputs, (height, width), 1)
}

/// What the kernel reads.
struct Bound {
    halves: Tensor,
    factors: Tensor,
    weight: Tensor,
    scales: Tensor,
    addend: Tensor,
}

/// Dispatches the kernel in tiles of this height and width, with the depth in parts.
#[expect(clippy::too_many_arguments, reason = "the choices of one caller")]
fn launch(
    cx: &mut Plan<'_>,
    bound: Bound,
    sizes: &Weight,
    rows: usize,
    epilogue: &'static str,
    outputs: Outputs,
    (height, width): (usize, usize),
    parts: usize,
) -> Result<()> {
    let exact = cx.caps().precision == Precision::Exact;
    let params = q4_matrix::Params {
        rows: word(rows),
        columns: word(outputs.columns),
        weight_rows: word(sizes.columns),
        scale_stride: word(sizes.scale_stride),
        second: word(outputs.second),
        third: word(outputs.third),
        part_rows: word(rows),
    };
    let [output, output1, output2] = outputs.tensors;
    let Bound { halves, factors, weight, scales, addend } = bound;
    cx.dispatch(q4_matrix::Bind { halves, factors, weight, scales, addend, output, output1, output2, params })
        .flag("EXACT", exact)
        .axis("EPILOGUE", epilogue)
        .axis("SM", if height == 128 { "4" } else { "2" })
        .axis("SN", if width == 128 { "2" } else { "1" })
        .axis("UNITS", "matrix")
        .constant("DEPTH", word(sizes.depth))
        .constant("GROUP_SIZE", word(sizes.group_size))
        .constant("PART", word(sizes.depth / parts.max(1)))
        .groups([sizes.columns.div_ceil(width) as u64, rows.div_ceil(height) as u64, parts as u64])
}

/// The rows, or their norm, as matrix units take them: halves and a factor for each row.
fn split(
    cx: &mut Plan<'_>,
    input: Tensor,
    rows: usize,
    norm: Option<(Tensor, f64)>,
    both: bool,
) -> Result<(Tensor, Tensor)> {
    let width = input.numel() / rows.max(1);
    let halves = cx.scratch(DType::F16, Shape::new(&[1 + usize::from(both), rows, width])?)?;
    let factors = cx.scratch(DType::F32, Shape::new(&[rows])?)?;
    let has_norm = norm.is_some();
    let (norm, epsilon) = norm.unwrap_or((input, 0.0));
    #[expect(clippy::cast_possible_truncation, reason = "kernels add in f32")]
    let params = halves::Params { rows: word(rows), width: word(width / 4), epsilon: epsilon as f32 };
    cx.dispatch(halves::Bind { input, norm, halves, factors, params })
        .flag("NORM", has_norm)
        .flag("BOTH", both)
        .axis("REDUCE", "reduce_subgroup")
        .ty("H", DType::F16)
        .constant("WG_SIZE", 256)
        .rows(rows)?;
    Ok((halves, factors))
}
