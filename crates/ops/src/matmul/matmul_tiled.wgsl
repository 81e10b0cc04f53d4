//! output[m, n] = Σ_k input[m, k] · weight[n, k] + bias[n]
//! Each workgroup owns a tile of 64×64 outputs and walks K in slabs of 16 through workgroup memory; each invocation
//! owns 4×4 outputs of the tile, 16 apart, so that neighbours read neighbouring words.
//!
//! variants: T = f32 | f16
//! variants: BIAS = on | off

struct Params {
    rows: u32,
    columns: u32,
    depth: u32,
}

const TILE = 64u;
const SLAB = 16u;

@group(0) @binding(0) var<storage, read> input: array<T>;
@group(0) @binding(1) var<storage, read> weight: array<T>;
@group(0) @binding(2) var<storage, read> bias: array<T>;
@group(0) @binding(3) var<storage, read_write> output: array<T>;
@group(0) @binding(4) var<uniform> params: Params;

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
    var sums: array<vec4<f32>, 4>;
    for (var slab = 0u; slab < params.depth; slab += SLAB) {
        for (var i = lane; i < TILE * SLAB; i += 256u) {
            let line = i / SLAB;
            let k = i % SLAB;
            let depth = slab + k;
            let row = first_row + line;
            let column = first_column + line;
            var x = 0.0;
            var w = 0.0;
            if depth < params.depth && row < params.rows {
                x = f32(input[row * params.depth + depth]);
            }
            if depth < params.depth && column < params.columns {
                w = f32(weight[column * params.depth + depth]);
            }
            sh_input[k][line] = x;
            sh_weight[k][line] = w;
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
        let row = first_row + local.y + i * 16u;
        for (var j = 0u; j < 4u; j++) {
            let column = first_column + local.x + j * 16u;
            if row < params.rows && column < params.columns {
                var sum = sums[i][j];
#if BIAS
                sum += f32(bias[column]);
#endif
                output[row * params.columns + column] = T(sum);
            }
        }
    }
}
