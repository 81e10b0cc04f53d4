//! output[m, k] = Σ_n gradient[m, n] · code(n, k) · scales[k / group_size, n]
//! Each workgroup owns a tile of 64×64 outputs and walks N in slabs of 16 through workgroup memory, where a weight is
//! dequantized once for the whole tile; each invocation owns 4×4 outputs of the tile, 16 apart.
//!
//! variants: T = f32 | f16
//! variants: CODE = nibble
//! variants: LOAD = word | any

#import quantized_weight

struct Params {
    rows: u32,
    columns: u32,
    depth: u32,
    row_bytes: u32,
    group_size: u32,
    scale_stride: u32,
}

const TILE = 64u;
const SLAB = 16u;

@group(0) @binding(0) var<storage, read> gradient: array<T>;
@group(0) @binding(1) var<storage, read> weight: array<u32>;
@group(0) @binding(2) var<storage, read> scales: array<T>;
@group(0) @binding(3) var<storage, read_write> output: array<T>;
@group(0) @binding(4) var<uniform> params: Params;

var<workgroup> sh_gradient: array<array<f32, TILE>, SLAB>;
var<workgroup> sh_weight: array<array<f32, TILE>, SLAB>;

@compute @workgroup_size(16, 16)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_id) local: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let first_row = group.y * TILE;
    let first_column = group.x * TILE;
    var sums: array<vec4<f32>, 4>;
    for (var slab = 0u; slab < params.depth; slab += SLAB) {
        // Each invocation loads four gradients of one row, and one quad of one row of the weight.
        let row = first_row + lane / 4u;
        for (var i = 0u; i < 4u; i++) {
            let line = lane % 4u * 4u + i;
            var slope = 0.0;
            if row < params.rows && slab + line < params.depth {
                slope = f32(gradient[row * params.depth + slab + line]);
            }
            sh_gradient[line][lane / 4u] = slope;
        }
        let n = slab + lane / 16u;
        let column = first_column + lane % 16u * 4u;
        let loads = n < params.depth && column < params.columns;
        var codes = vec4<f32>();
        if loads {
            codes = weight_quad(n, column / 4u, params.row_bytes);
        }
        for (var i = 0u; i < 4u; i++) {
            var w = 0.0;
            if loads && column + i < params.columns {
                w = codes[i] * f32(scales[(column + i) / params.group_size * params.scale_stride + n]);
            }
            sh_weight[lane / 16u][lane % 16u * 4u + i] = w;
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
                sums[i] += sh_gradient[k][local.y + i * 16u] * w;
            }
        }
        workgroupBarrier();
    }
    for (var i = 0u; i < 4u; i++) {
        let row = first_row + local.y + i * 16u;
        for (var j = 0u; j < 4u; j++) {
            let column = first_column + local.x + j * 16u;
            if row < params.rows && column < params.columns {
                output[row * params.columns + column] = T(sums[i][j]);
            }
        }
    }
}
