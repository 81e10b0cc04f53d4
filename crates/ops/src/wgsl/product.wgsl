//! A batch of matrix products.

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
    /// Where the columns of this launch lie in an output of `output_columns`.
    @align(16) first_column: u32,
    output_columns: u32,
}
