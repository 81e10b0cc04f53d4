//! A tile of 64×64 outputs in workgroup memory: 32 depths at a time, and 4×4 neighbouring outputs per invocation. The
//! kernel writes four neighbours with `store_row(slice, row, column, sums)`; a slice is one of several products.

const TILE = 64u;
const SLAB = 32u;
const QUADS = TILE / 4u;

/// `sh_left[k * QUADS + q]` holds rows 4q to 4q + 3 at depth k of the slab; `sh_right` the same for columns.
var<workgroup> sh_left: array<vec4<f32>, 512>;
var<workgroup> sh_right: array<vec4<f32>, 512>;

/// The part of a slab that an invocation loads: half of them take the left operand, half the right.
struct Block {
    is_left: bool,
    /// First of four lines of the tile.
    line: u32,
    /// First of four depths of the slab.
    depth: u32,
}

fn block_of(lane: u32) -> Block {
    let number = lane % 128u;
    return Block(lane < 128u, number % QUADS * 4u, number / QUADS * 4u);
}

/// Stores a block; column k of `values` holds its four lines at depth k.
fn store_block(block: Block, values: mat4x4<f32>) {
    let at = block.depth * QUADS + block.line / 4u;
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

/// The products of one slab; column i of the result is the i-th row of the invocation's outputs.
fn slab_product(lane: u32) -> mat4x4<f32> {
    let row = lane / QUADS;
    let column = lane % QUADS;
    var sums = mat4x4<f32>();
    for (var k = 0u; k < SLAB; k++) {
        let left_quad = sh_left[k * QUADS + row];
        let right_quad = sh_right[k * QUADS + column];
        sums[0] += left_quad.x * right_quad;
        sums[1] += left_quad.y * right_quad;
        sums[2] += left_quad.z * right_quad;
        sums[3] += left_quad.w * right_quad;
    }
    return sums;
}

/// Writes the outputs of an invocation.
fn store_tile(slice: u32, first_row: u32, first_column: u32, sums: mat4x4<f32>, lane: u32) {
    let row = first_row + lane / QUADS * 4u;
    let column = first_column + lane % QUADS * 4u;
    store_row(slice, row, column, sums[0]);
    store_row(slice, row + 1u, column, sums[1]);
    store_row(slice, row + 2u, column, sums[2]);
    store_row(slice, row + 3u, column, sums[3]);
}
