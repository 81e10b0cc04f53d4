//! The sums of a tile of TILE×TILE products, SLAB depths at a time, by 2·TILE invocations. The kernel gives four lines of an
//! operand at four depths with `load_block(block, slice, first_line, depth, end)`, where a slice is one of several products.
//!
//! An invocation owns one column in QUADS, four in all or four neighbours as the kernel loads them, by TILE / 8 rows: the
//! quads `lane / QUADS` and, in the large tile, that plus 8.
//!
//! axes: TILE = 32 | 64

const SLAB = 16u;
const QUADS = TILE / 4u;
const ROWS = TILE / 8u;

/// `sh_left[k * QUADS + q]` holds the rows of quad q at depth k of the slab; `sh_right` the same for columns.
var<workgroup> sh_left: array<vec4<f32>, SLAB * QUADS>;
var<workgroup> sh_right: array<vec4<f32>, SLAB * QUADS>;

/// The part of a slab that an invocation loads: half of them take the left operand, half the right.
struct Block {
    is_left: bool,
    /// The quad of lines in the tile.
    quad: u32,
    /// First of four depths of the slab.
    depth: u32,
}

fn block_of(lane: u32) -> Block {
    let number = lane % TILE;
    return Block(lane < TILE, number % QUADS, number / QUADS * 4u);
}

/// The i-th line of a quad where lines are neighbours, and where they are apart so that neighbouring quads read and write
/// neighbouring lines.
fn near_line(quad: u32, i: u32) -> u32 {
    return quad * 4u + i;
}

fn apart_line(quad: u32, i: u32) -> u32 {
    return quad + i * QUADS;
}

/// The quad of an invocation's columns, and that of its r-th row.
fn column_quad(lane: u32) -> u32 {
    return lane % QUADS;
}

fn row_quad(lane: u32, r: u32) -> u32 {
    return lane / QUADS + r / 4u * 8u;
}

/// Stores a block; column k of `values` holds its four lines at depth k.
fn store_block(block: Block, values: mat4x4<f32>) {
    let at = block.depth * QUADS + block.quad;
    if block.is_left {
        sh_left[at] = values[0];
        sh_left[at + QUADS] = values[1];
        sh_left[at + 2u * QUADS] = values[2];
        sh_left[at + 3u * QUADS] = values[3];
    } else {
        sh_right[at] = values[0];
        sh_right[at + QUADS] = values[1];
        sh_right[at + 2u * QUADS] = values[2];
        sh_right[at + 3u * QUADS] = values[3];
    }
}

/// The sums over depths from `start` to `end`, each vector those of a row.
fn tile_sums(slice: u32, first_row: u32, first_column: u32, start: u32, end: u32, lane: u32) -> array<vec4<f32>, ROWS> {
    let block = block_of(lane);
    let first_line = select(first_column, first_row, block.is_left);
    let row = lane / QUADS;
    let column = lane % QUADS;
#for r in 4
    var sum_$r = vec4<f32>();
#if TILE_64
    var more_$r = vec4<f32>();
#endif
#end
    // The next slab is on its way while the products of this one are added.
    var next = load_block(block, slice, first_line, start + block.depth, end);
    for (var slab = start; slab < end; slab += SLAB) {
        store_block(block, next);
        workgroupBarrier();
        if slab + SLAB < end {
            next = load_block(block, slice, first_line, slab + SLAB + block.depth, end);
        }
        for (var k = 0u; k < SLAB; k++) {
            let right_quad = sh_right[k * QUADS + column];
            let left_quad = sh_left[k * QUADS + row];
#for r in 4
            sum_$r += left_quad[$r] * right_quad;
#end
#if TILE_64
            let left_more = sh_left[k * QUADS + row + 8u];
#for r in 4
            more_$r += left_more[$r] * right_quad;
#end
#endif
        }
        workgroupBarrier();
    }
#if TILE_64
    return array<vec4<f32>, ROWS>(sum_0, sum_1, sum_2, sum_3, more_0, more_1, more_2, more_3);
#else
    return array<vec4<f32>, ROWS>(sum_0, sum_1, sum_2, sum_3);
#endif
}
