//! What a workgroup of a tiled product computes: a tile of one of several products, and a part of its depth. The kernel or another
//! module has TILE, the outputs along a side of a tile.

struct Work {
    /// Which product, and which part of its depth, from `start` to `end`.
    slice: u32,
    part: u32,
    first_row: u32,
    first_column: u32,
    start: u32,
    end: u32,
}

/// The work of a workgroup of this number: parts of one tile have neighbouring numbers, and so have tiles side by side.
fn work_of(number: u32, rows: u32, columns: u32, depth: u32, parts: u32, part_depth: u32) -> Work {
    let across = (columns + TILE - 1u) / TILE;
    let down = (rows + TILE - 1u) / TILE;
    let tile = number / parts;
    let part = number % parts;
    let start = part * part_depth;
    let end = min(start + part_depth, depth);
    return Work(tile / (across * down), part, tile / across % down * TILE, tile % across * TILE, start, end);
}
