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
    parts: u32,
}

struct Call {
    start: i32,
}

@group(0) @binding(0) var<storage, read> partial: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> output: array<OutputCell>;
@group(0) @binding(2) var<uniform> params: Params;
@group(0) @binding(3) var<uniform> call: Call;

/// Queries of all heads and batches.
override QUERIES: u32 = 1u;
/// Heads of keys in a batch, and heads of queries that share one.
override HEADS: u32 = 1u;
override GROUP: u32 = 1u;
/// Queries of a head.
override ROWS: u32 = 1u;
/// Columns of a value.
override WIDTH: u32 = 64u;
override PART_KEYS: u32 = 128u;

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
    if number >= QUERIES {
        return;
    }
    let shared_head = number / (ROWS * GROUP);
    let row = number / GROUP % ROWS;
    let head = shared_head % HEADS * GROUP + number % GROUP;
    let parts = (seen_by(it, call.start, row) + PART_KEYS - 1u) / PART_KEYS;
    let quads = (WIDTH + 3u) / 4u;
    let partial_at = number * params.parts * (quads + 1u);
    let output_at = head_at(it.output, shared_head / HEADS, head) + row * it.output.z;
    let quad = lane % QUADS;
    let sharer = lane / QUADS;

    for (var chunk = 0u; chunk < WIDTH; chunk += CHUNK) {
        let column = chunk + quad * 4u;
        var most = LOWEST;
        var total = 0.0;
        var sums = vec4<f32>();
        if column < WIDTH {
            // Two at a time, so that more loads are on their way.
            for (var p = sharer; p < parts; p += 2u * SHARERS) {
                let other = p + SHARERS;
                let at = partial_at + p * (quads + 1u);
                let other_at = partial_at + min(other, parts - 1u) * (quads + 1u);
                let of_part = partial[at + quads].xy;
                let of_other = select(vec2(LOWEST, 0.0), partial[other_at + quads].xy, other < parts);
                let sums_of_part = partial[at + column / 4u];
                let sums_of_other = partial[other_at + column / 4u];
                let now = max(most, max(of_part.x, of_other.x));
                let shrink = exp(most - now);
                let weight = exp(of_part.x - now);
                let other_weight = select(0.0, exp(of_other.x - now), other < parts);
                sums = sums * shrink + weight * sums_of_part + other_weight * sums_of_other;
                total = total * shrink + weight * of_part.y + other_weight * of_other.y;
                most = now;
            }
        }
        if chunk > 0u {
            workgroupBarrier();
        }
        sh_sums[lane] = sums;
        sh_weights[lane] = vec2(most, total);
        workgroupBarrier();

        if sharer == 0u && column < WIDTH {
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
            store_quad(output_at, column, sums / divisor_of(it, vec4(total)).x);
        }
    }
}
