//! A batch of matrix products, and what becomes of each sum.

/// Distances in elements: from batch to batch, from line to line (a row on the left, a column on the right), and along
/// the depth. One of the last two is 1.
struct Operand {
    batch: u32,
    line: u32,
    depth: u32,
}

struct Product {
    rows: u32,
    columns: u32,
    depth: u32,
    batch: u32,
    @align(16) left: Operand,
    @align(16) right: Operand,
    @align(16) bias_row: u32,
    bias_column: u32,
    /// Where the columns of this launch lie in an output of `output_columns`.
    first_column: u32,
    output_columns: u32,
    alpha: f32,
    beta: f32,
    low: f32,
    high: f32,
}

/// `value` between two bounds; NaN stays NaN. The test is on bits, since a compiler may assume that no value is NaN.
fn bounded(value: f32, low: f32, high: f32) -> f32 {
    let is_nan = (bitcast<u32>(value) & 0x7fffffffu) > 0x7f800000u;
    return select(min(max(value, low), high), value, is_nan);
}
