//! output[row] = Σ_p exp(m_p − m) · sum_p / Σ_p exp(m_p − m) · l_p over the parts p of a query's keys, m = max_p m_p.
//! One workgroup per query. Every 16th lane takes the same four columns, of every eighth part; one of them adds up.
//!
//! trusted: the plan makes as many parts and queries as the grid is for, and every column is below the width.
//!
//! variants: T = f32 | f16
//! variants: LOAD = quad | any

#import tensor
#import attention
#import attention_output

struct Params {
    it: Attention,
    part_keys: u32,
    parts: u32,
    groups: u32,
}

struct Call {
    start: i32,
}

@group(0) @binding(0) var<storage, read> partial: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> output: array<OutputCell>;
@group(0) @binding(2) var<uniform> params: Params;
@group(0) @binding(3) var<uniform> call: Call;

const LANES = 128u;
/// Columns that are looked at together, and their quads.
const CHUNK = 64u;
const QUADS = 16u;
/// Lanes that share a quad of columns.
const SHARERS = 8u;

var<workgroup> sh_sums: array<vec4<f32>, LANES>;
/// The largest score and the sum of weights.
var<workgroup> sh_weights: array<vec2<f32>, LANES>;

@compute @workgroup_size(128)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let it = params.it;
    let number = flat_group(group, groups);
    if number >= params.groups {
        return;
    }
    let vectors = it.rows * it.group;
    let source = shared_head(it, number / vectors);
    let vector = vector_of(it, source.head, number % vectors);
    let parts = (seen_by(it, call.start, vector.row) + params.part_keys - 1u) / params.part_keys;
    let quads = (it.width + 3u) / 4u;
    let partial_at = number * params.parts * (quads + 1u);
    let output_at = head_at(it.output, source.batch, vector.head) + vector.row * it.output.z;
    let quad = lane % QUADS;
    let sharer = lane / QUADS;

    for (var chunk = 0u; chunk < it.width; chunk += CHUNK) {
        let column = chunk + quad * 4u;
        var most = LOWEST;
        var total = 0.0;
        var sums = vec4<f32>();
        if column < it.width {
            for (var p = sharer; p < parts; p += SHARERS) {
                let at = partial_at + p * (quads + 1u);
                let of_part = partial[at + quads];
                let now = max(most, of_part.x);
                let shrink = exp(most - now);
                let weight = exp(of_part.x - now);
                sums = sums * shrink + weight * partial[at + column / 4u];
                total = total * shrink + weight * of_part.y;
                most = now;
            }
        }
        if chunk > 0u {
            workgroupBarrier();
        }
        sh_sums[lane] = sums;
        sh_weights[lane] = vec2(most, total);
        workgroupBarrier();

        if sharer == 0u && column < it.width {
            for (var i = 1u; i < SHARERS; i++) {
                most = max(most, sh_weights[i * QUADS + quad].x);
            }
            sums = vec4<f32>();
            total = 0.0;
            for (var i = 0u; i < SHARERS; i++) {
                let cell = i * QUADS + quad;
                let weight = exp(sh_weights[cell].x - most);
                sums += weight * sh_sums[cell];
                total += weight * sh_weights[cell].y;
            }
            store_quad(output_at, column, sums / total);
        }
    }
}
