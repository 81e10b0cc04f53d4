//! output[m, n] = Σ_k input[m, k] · code(n, k) · scales[k / group_size, n] + bias[n], for many rows.
//! Each workgroup owns a tile of 64×64 outputs and each invocation 4×4 of them: see the module `tile`. A weight is
//! dequantized once for the whole tile.
//!
//! The weight may be a window of columns that starts at `first_column` of the output.
//!
//! variants: T = f32 | f16
//! variants: BIAS = on | off
//! variants: CODE = nibble | byte
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
    first_column: u32,
    window_columns: u32,
}

@group(0) @binding(0) var<storage, read> input: array<T>;
@group(0) @binding(1) var<storage, read> weight: array<u32>;
@group(0) @binding(2) var<storage, read> scales: array<T>;
@group(0) @binding(3) var<storage, read> bias: array<T>;
@group(0) @binding(4) var<storage, read_write> output: array<T>;
@group(0) @binding(5) var<uniform> params: Params;

/// Four inputs of a row from `depth` on; zero past the last.
fn input_quad(row: u32, depth: u32) -> vec4<f32> {
    var values = vec4<f32>();
    if row < params.rows {
        for (var i = 0u; i < min(4u, params.depth - min(params.depth, depth)); i++) {
            values[i] = f32(input[row * params.depth + depth + i]);
        }
    }
    return values;
}

/// Four weights of a column from `depth` on; zero past the last.
fn scaled_quad(column: u32, depth: u32) -> vec4<f32> {
    var values = vec4<f32>();
    if column < params.window_columns && depth < params.depth {
        let codes = weight_quad(column, depth / 4u, params.row_bytes);
        for (var i = 0u; i < min(4u, params.depth - depth); i++) {
            let scale = scales[(depth + i) / params.group_size * params.scale_stride + params.first_column + column];
            values[i] = codes[i] * f32(scale);
        }
    }
    return values;
}

fn load_block(block: Block, slice: u32, first_line: u32, slab: u32) -> mat4x4<f32> {
    let line = first_line + block.line;
    let depth = slab + block.depth;
    if block.is_left {
        return transpose(mat4x4(
            input_quad(line, depth),
            input_quad(line + 1u, depth),
            input_quad(line + 2u, depth),
            input_quad(line + 3u, depth),
        ));
    }
    return transpose(mat4x4(
        scaled_quad(line, depth),
        scaled_quad(line + 1u, depth),
        scaled_quad(line + 2u, depth),
        scaled_quad(line + 3u, depth),
    ));
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
    for (var i = 0u; i < min(4u, params.window_columns - min(params.window_columns, column)); i++) {
        let target_column = params.first_column + column + i;
        var sum = sums[i];
#if BIAS
        sum += f32(bias[target_column]);
#endif
        output[row * params.columns + target_column] = T(sum);
    }
}
