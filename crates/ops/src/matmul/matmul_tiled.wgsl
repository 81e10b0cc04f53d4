//! output[b, m, n] = bounded(alpha · Σ_k left[b, m, k] · right[b, k, n] + beta · bias[m, n])
//! Each workgroup owns a tile of 64×64 outputs and each invocation 4×4 of them: see the module `tile`.
//! WIDE operands are read four elements at a time: the lengths along which they are contiguous are multiples of four.
//!
//! variants: T = f32 | f16
//! variants: WIDE = on | off
//! variants: BIAS = on | off

#import tensor
#import product
#import tile_product

struct Params {
    product: Product,
}

#if WIDE
@group(0) @binding(0) var<storage, read> left: array<vec4<T>>;
@group(0) @binding(1) var<storage, read> right: array<vec4<T>>;
#else
@group(0) @binding(0) var<storage, read> left: array<T>;
@group(0) @binding(1) var<storage, read> right: array<T>;
#endif
@group(0) @binding(2) var<storage, read> bias: array<T>;
@group(0) @binding(3) var<storage, read_write> output: array<T>;
@group(0) @binding(4) var<uniform> params: Params;

/// Four neighbouring elements, of which `count` are there and the others zero.
fn quad(is_left: bool, start: u32, count: u32) -> vec4<f32> {
    var values = vec4<f32>();
#if WIDE
    if count != 0u {
        if is_left {
            values = vec4<f32>(left[start / 4u]);
        } else {
            values = vec4<f32>(right[start / 4u]);
        }
    }
#else
    for (var i = 0u; i < min(count, 4u); i++) {
        if is_left {
            values[i] = f32(left[start + i]);
        } else {
            values[i] = f32(right[start + i]);
        }
    }
#endif
    return values;
}

/// How many of `size` elements there are from `start` on.
fn remaining(size: u32, start: u32) -> u32 {
    return size - min(size, start);
}

fn load_block(block: Block, batch: u32, first_line: u32, slab: u32) -> mat4x4<f32> {
    var operand = params.product.right;
    var lines = params.product.columns;
    if block.is_left {
        operand = params.product.left;
        lines = params.product.rows;
    }
    let line = first_line + block.line;
    let depth = slab + block.depth;
    var values = mat4x4<f32>();
    if operand.depth == 1u {
        let count = remaining(params.product.depth, depth);
        let start = batch * operand.batch + line * operand.line + depth;
        let there = remaining(lines, line);
        if there > 0u { values[0] = quad(block.is_left, start, count); }
        if there > 1u { values[1] = quad(block.is_left, start + operand.line, count); }
        if there > 2u { values[2] = quad(block.is_left, start + 2u * operand.line, count); }
        if there > 3u { values[3] = quad(block.is_left, start + 3u * operand.line, count); }
        return transpose(values);
    }
    let count = remaining(lines, line);
    let start = batch * operand.batch + depth * operand.depth + line;
    let there = remaining(params.product.depth, depth);
    if there > 0u { values[0] = quad(block.is_left, start, count); }
    if there > 1u { values[1] = quad(block.is_left, start + operand.depth, count); }
    if there > 2u { values[2] = quad(block.is_left, start + 2u * operand.depth, count); }
    if there > 3u { values[3] = quad(block.is_left, start + 3u * operand.depth, count); }
    return values;
}

@compute @workgroup_size(256)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let product = params.product;
    let across = (product.columns + TILE - 1u) / TILE;
    let down = (product.rows + TILE - 1u) / TILE;
    let tile = flat_group(group, groups);
    let batch = tile / (across * down);
    if batch >= product.batch {
        return;
    }
    let first_row = tile / across % down * TILE;
    let first_column = tile % across * TILE;
    store_tile(batch, first_row, first_column, tile_sums(batch, first_row, first_column, product.depth, lane), lane);
}

fn store_row(batch: u32, row: u32, column: u32, sums: vec4<f32>) {
    let product = params.product;
    if row >= product.rows {
        return;
    }
    for (var i = 0u; i < min(4u, remaining(product.columns, column)); i++) {
        var sum = product.alpha * sums[i];
        let target_column = product.first_column + column + i;
#if BIAS
        sum += product.beta * f32(bias[row * product.bias_row + target_column * product.bias_column]);
#endif
        let index = (batch * product.rows + row) * product.output_columns + target_column;
        output[index] = T(bounded(sum, product.low, product.high));
    }
}
