//! hidden[b, j] = first(Σ_k input[b, k] · weight[j, k] + bias[j]), and
//! output[b, i] = last(Σ_j hidden[b, j] · next_weight[i, j] + next_bias[i]), for layers that are small.
//! One workgroup per row b and part of the outputs. Each computes all of `hidden`: a team of LANES invocations takes four of its
//! elements at a time. Then each invocation takes outputs of its own. WIDE rows of weights have a multiple of four elements.
//!
//! variants: T = f32 | f16
//! variants: WIDE = on | off
//! variants: REDUCE = team_shared | team_subgroup

#import tensor
#import wide
#import activation
#import REDUCE

override LANES: u32 = 8u;
override TEAMS: u32 = 8u;

struct Params {
    /// Two numbers of the first activation and two of the last.
    numbers: vec4<f32>,
    first: u32,
    last: u32,
    depth: u32,
    width: u32,
    columns: u32,
    rows: u32,
    /// Parts of the outputs, and how many each has.
    parts: u32,
    part_size: u32,
    has_bias: u32,
    has_next_bias: u32,
}

@group(0) @binding(0) var<storage, read> input: array<V>;
@group(0) @binding(1) var<storage, read> weight: array<V>;
@group(0) @binding(2) var<storage, read> bias: array<T>;
@group(0) @binding(3) var<storage, read> next_weight: array<V>;
@group(0) @binding(4) var<storage, read> next_bias: array<T>;
@group(0) @binding(5) var<storage, read_write> output: array<T>;
@group(0) @binding(6) var<uniform> params: Params;

var<workgroup> sh_hidden: array<f32, 1024>;

/// The elements of `hidden` that a product of the second layer takes.
fn hidden_at(k: u32) -> F {
#if WIDE
    return vec4(sh_hidden[k * 4u], sh_hidden[k * 4u + 1u], sh_hidden[k * 4u + 2u], sh_hidden[k * 4u + 3u]);
#else
    return sh_hidden[k];
#endif
}

@compute @workgroup_size(WG_SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, member: Member) {
    let number = flat_group(group, groups);
    let row = number / params.parts;
    if row >= params.rows {
        return;
    }
    let steps = params.depth / STEP;
    let lane = lane_of(member);
    // Every team goes round as often, since all meet where sums are made.
    for (var round = 0u; round * TEAMS * 4u < params.width; round++) {
        let first = (round * TEAMS + team_of(member)) * 4u;
        let elements = min(vec4(first) + vec4(0u, 1u, 2u, 3u), vec4(params.width - 1u));
        var sums = vec4<f32>();
        for (var k = lane; k < steps; k += LANES) {
            let x = F(input[row * steps + k]);
            sums += vec4(
                times(x, F(weight[elements.x * steps + k])),
                times(x, F(weight[elements.y * steps + k])),
                times(x, F(weight[elements.z * steps + k])),
                times(x, F(weight[elements.w * steps + k])),
            );
        }
        sums = team_sum(sums, member);
        for (var i = 0u; i < 4u; i++) {
            let element = first + i;
            if lane == 0u && element < params.width {
                var value = sums[i];
                if params.has_bias != 0u {
                    value += f32(bias[element]);
                }
                value = activated(params.first, value, params.numbers.x, params.numbers.y);
                sh_hidden[element] = f32(T(value));
            }
        }
    }
    workgroupBarrier();
    let start = number % params.parts * params.part_size;
    let end = min(start + params.part_size, params.columns);
    let next_steps = params.width / STEP;
    for (var column = start + member.index; column < end; column += WG_SIZE) {
        var value = 0.0;
        for (var k = 0u; k < next_steps; k++) {
            value += times(hidden_at(k), F(next_weight[column * next_steps + k]));
        }
        if params.has_next_bias != 0u {
            value += f32(next_bias[column]);
        }
        value = activated(params.last, value, params.numbers.z, params.numbers.w);
        output[row * params.columns + column] = T(value);
    }
}
