//! output[m, k] = Σ_n gradient[m, n] · code(n, k) · scales[k / group_size, n]
//! Each workgroup owns a tile of 64×64 outputs and each invocation 4×4 of them: see the module `tile`. A weight is
//! dequantized once for the whole tile.
//!
//! variants: T = f32 | f16
//! variants: CODE = nibble
//! variants: LOAD = word | any

#import quantized_weight
#import tile_product

struct Params {
    rows: u32,
    columns: u32,
    depth: u32,
    row_bytes: u32,
    group_size: u32,
    scale_stride: u32,
}

@group(0) @binding(0) var<storage, read> gradient: array<T>;
@group(0) @binding(1) var<storage, read> weight: array<u32>;
@group(0) @binding(2) var<storage, read> scales: array<T>;
@group(0) @binding(3) var<storage, read_write> output: array<T>;
@group(0) @binding(4) var<uniform> params: Params;

/// Four gradients of a row from `depth` on; zero past the last.
fn gradient_quad(row: u32, depth: u32) -> vec4<f32> {
    var values = vec4<f32>();
    if row < params.rows {
        for (var i = 0u; i < min(4u, params.depth - min(params.depth, depth)); i++) {
            values[i] = f32(gradient[row * params.depth + depth + i]);
        }
    }
    return values;
}

/// Four weights of row `depth` from `column` on; zero past the last.
fn scaled_quad(depth: u32, column: u32) -> vec4<f32> {
    var values = vec4<f32>();
    if depth < params.depth && column < params.columns {
        let codes = weight_quad(depth, column / 4u, params.row_bytes);
        for (var i = 0u; i < min(4u, params.columns - column); i++) {
            values[i] = codes[i] * f32(scales[(column + i) / params.group_size * params.scale_stride + depth]);
        }
    }
    return values;
}

fn load_block(block: Block, slice: u32, first_line: u32, slab: u32) -> mat4x4<f32> {
    let line = first_line + block.line;
    let depth = slab + block.depth;
    if block.is_left {
        return transpose(mat4x4(
            gradient_quad(line, depth),
            gradient_quad(line + 1u, depth),
            gradient_quad(line + 2u, depth),
            gradient_quad(line + 3u, depth),
        ));
    }
    return mat4x4(
        scaled_quad(depth, line),
        scaled_quad(depth + 1u, line),
        scaled_quad(depth + 2u, line),
        scaled_quad(depth + 3u, line),
    );
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let first_row = group.y * TILE;
    let first_column = group.x * TILE;
    store_tile(0u, first_row, first_column, tile_sums(0u, first_row, first_column, params.depth, lane), lane);
}

fn store_row(slice: u32, row: u32, column: u32, sums: vec4<f32>) {
    if row >= params.rows {
        return;
    }
    for (var i = 0u; i < min(4u, params.columns - min(params.columns, column)); i++) {
        output[row * params.columns + column + i] = T(sums[i]);
    }
}
