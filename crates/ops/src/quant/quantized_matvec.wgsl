//! output[m, n] = Σ_k input[m, k] · code(n, k) · scales[k / group_size, n] + bias[n], for at most four rows.
//! Each workgroup owns four columns, all rows of them; 16 lanes share a column and take every 16th chunk of its codes,
//! so that a weight is read once. A chunk is 16 bytes (LOAD = vector) or four codes.
//!
//! The weight may be a window of columns that starts at `first_column` of the output.
//!
//! variants: T = f32 | f16
//! variants: BIAS = on | off
//! variants: CODE = nibble | byte
//! variants: LOAD = vector | word | any

#import tensor
#import quantized_weight

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

const COLUMNS = 4u;
const LANES = 16u;

#if LOAD_vector
@group(0) @binding(0) var<storage, read> input: array<vec4<T>>;
@group(0) @binding(1) var<storage, read> weight: array<vec4<u32>>;
#else
@group(0) @binding(0) var<storage, read> input: array<T>;
@group(0) @binding(1) var<storage, read> weight: array<u32>;
#endif
@group(0) @binding(2) var<storage, read> scales: array<T>;
@group(0) @binding(3) var<storage, read> bias: array<T>;
@group(0) @binding(4) var<storage, read_write> output: array<T>;
@group(0) @binding(5) var<uniform> params: Params;

/// One sum per row.
var<workgroup> sh_sums: array<vec4<f32>, 64>;

/// Four consecutive inputs of a row; zero past its end.
fn input_quad(row: u32, quad: u32) -> vec4<f32> {
#if LOAD_vector
    return vec4<f32>(input[row * (params.depth / 4u) + quad]);
#else
    var values = vec4<f32>();
    for (var i = 0u; i < min(4u, params.depth - quad * 4u); i++) {
        values[i] = f32(input[row * params.depth + quad * 4u + i]);
    }
    return values;
#endif
}

/// The scales of four consecutive codes of a column.
fn scale_quad(column: u32, quad: u32) -> vec4<f32> {
#if LOAD_any
    var values = vec4<f32>();
    for (var i = 0u; i < min(4u, params.depth - quad * 4u); i++) {
        values[i] = f32(scales[(quad * 4u + i) / params.group_size * params.scale_stride + column]);
    }
    return values;
#else
    return vec4(f32(scales[quad * 4u / params.group_size * params.scale_stride + column]));
#endif
}

@compute @workgroup_size(64)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let column = flat_group(group, groups) * COLUMNS + lane / LANES;
    let target_column = params.first_column + column;
    var sums = vec4<f32>();
    if column < params.window_columns {
#if LOAD_vector
        let vectors = params.row_bytes / 16u;
        for (var i = lane % LANES; i < vectors; i += LANES) {
            let words = weight[column * vectors + i];
            for (var j = 0u; j < 4u * QUADS_PER_WORD; j++) {
                let quad = i * 4u * QUADS_PER_WORD + j;
                let codes = quad_of(words[j / QUADS_PER_WORD], j % QUADS_PER_WORD) * scale_quad(target_column, quad);
                for (var row = 0u; row < params.rows; row++) {
                    sums[row] += dot(codes, input_quad(row, quad));
                }
            }
        }
#else
        for (var quad = lane % LANES; quad * 4u < params.depth; quad += LANES) {
            let codes = weight_quad(column, quad, params.row_bytes) * scale_quad(target_column, quad);
            for (var row = 0u; row < params.rows; row++) {
                sums[row] += dot(codes, input_quad(row, quad));
            }
        }
#endif
    }
    sh_sums[lane] = sums;
    workgroupBarrier();
    for (var step = LANES / 2u; step > 0u; step /= 2u) {
        if lane % LANES < step {
            sh_sums[lane] += sh_sums[lane + step];
        }
        workgroupBarrier();
    }
    let row = lane % LANES;
    if row < params.rows && column < params.window_columns {
        var sum = sh_sums[lane - row][row];
#if BIAS
        sum += f32(bias[target_column]);
#endif
        output[row * params.columns + target_column] = T(sum);
    }
}
