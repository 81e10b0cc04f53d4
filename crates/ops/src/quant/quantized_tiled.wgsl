//! output[m, n] = Σ_k input[m, k] · code(n, k) · scales[k / group_size, n] + bias[n], for many rows.
//! Each workgroup owns a tile of 64×64 outputs and walks K in slabs of 16 through workgroup memory, where a weight is
//! dequantized once for the whole tile; each invocation owns 4×4 outputs of the tile, 16 apart.
//!
//! The weight may be a window of columns that starts at `first_column` of the output.
//!
//! variants: T = f32 | f16
//! variants: BIAS = on | off
//! variants: CODE = nibble | byte
//! variants: LOAD = word | any

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

const TILE = 64u;
const SLAB = 16u;

@group(0) @binding(0) var<storage, read> input: array<T>;
@group(0) @binding(1) var<storage, read> weight: array<u32>;
@group(0) @binding(2) var<storage, read> scales: array<T>;
@group(0) @binding(3) var<storage, read> bias: array<T>;
@group(0) @binding(4) var<storage, read_write> output: array<T>;
@group(0) @binding(5) var<uniform> params: Params;

var<workgroup> sh_input: array<array<f32, TILE>, SLAB>;
var<workgroup> sh_weight: array<array<f32, TILE>, SLAB>;

@compute @workgroup_size(16, 16)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_id) local: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let first_row = group.y * TILE;
    let first_column = group.x * TILE;
    // Each invocation loads one quad of each operand per slab.
    let line = lane / 4u;
    let quad = lane % 4u;
    let row = first_row + line;
    let column = first_column + line;
    var sums: array<vec4<f32>, 4>;
    for (var slab = 0u; slab < params.depth; slab += SLAB) {
        let depth = slab + quad * 4u;
        var codes = vec4<f32>();
        if depth < params.depth && column < params.window_columns {
            codes = weight_quad(column, depth / 4u, params.row_bytes);
        }
        for (var i = 0u; i < 4u; i++) {
            var x = 0.0;
            var w = 0.0;
            if depth + i < params.depth {
                if row < params.rows {
                    x = f32(input[row * params.depth + depth + i]);
                }
                if column < params.window_columns {
                    let group_start = (depth + i) / params.group_size * params.scale_stride;
                    w = codes[i] * f32(scales[group_start + params.first_column + column]);
                }
            }
            sh_input[quad * 4u + i][line] = x;
            sh_weight[quad * 4u + i][line] = w;
        }
        workgroupBarrier();
        for (var k = 0u; k < SLAB; k++) {
            let w = vec4(
                sh_weight[k][local.x],
                sh_weight[k][local.x + 16u],
                sh_weight[k][local.x + 32u],
                sh_weight[k][local.x + 48u],
            );
            for (var i = 0u; i < 4u; i++) {
                sums[i] += sh_input[k][local.y + i * 16u] * w;
            }
        }
        workgroupBarrier();
    }
    for (var i = 0u; i < 4u; i++) {
        let out_row = first_row + local.y + i * 16u;
        for (var j = 0u; j < 4u; j++) {
            let out_column = first_column + local.x + j * 16u;
            if out_row < params.rows && out_column < params.window_columns {
                let target_column = params.first_column + out_column;
                var sum = sums[i][j];
#if BIAS
                sum += f32(bias[target_column]);
#endif
                output[out_row * params.columns + target_column] = T(sum);
            }
        }
    }
}
