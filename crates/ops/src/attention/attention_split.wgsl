//! One query over one part of its keys: Σ_j exp(s_j − m) · value[j], m = max_j s_j and l = Σ_j exp(s_j − m), where
//! s_j = query · key[j] · scale + mask[j]. One workgroup per query and part. Teams of lanes take a key each for the
//! scores; each lane then takes every WG_SIZE-th element of the values.
//!
//! Where one part is all there is (WHOLE), the output itself; otherwise row and part get the sum, then m and l.
//!
//! variants: T = f32 | f16
//! variants: MASK = on | off
//! variants: WHOLE = on | off

#import tensor
#import attention

struct Params {
    it: Attention,
    part_keys: u32,
    parts: u32,
    groups: u32,
}

struct Call {
    start: i32,
}

@group(0) @binding(0) var<storage, read> query: array<T>;
@group(0) @binding(1) var<storage, read> key: array<T>;
@group(0) @binding(2) var<storage, read> value: array<T>;
@group(0) @binding(3) var<storage, read> mask: array<T>;
#if WHOLE
@group(0) @binding(4) var<storage, read_write> output: array<T>;
#else
@group(0) @binding(4) var<storage, read_write> output: array<f32>;
#endif
@group(0) @binding(5) var<uniform> params: Params;
@group(0) @binding(6) var<uniform> call: Call;

/// Lanes that share a key.
const TEAM = 8u;

var<workgroup> sh_dots: array<f32, 2048>;
var<workgroup> sh_weights: array<f32, 256>;
var<workgroup> sh_reduce: array<f32, WG_SIZE>;

/// The largest `value` of the workgroup, for every invocation.
fn largest(value: f32, lane: u32) -> f32 {
    sh_reduce[lane] = value;
    workgroupBarrier();
    for (var step = WG_SIZE / 2u; step > 0u; step /= 2u) {
        if lane < step {
            sh_reduce[lane] = max(sh_reduce[lane], sh_reduce[lane + step]);
        }
        workgroupBarrier();
    }
    let result = sh_reduce[0];
    workgroupBarrier();
    return result;
}

/// The sum of `value` over the workgroup, for every invocation.
fn sum(value: f32, lane: u32) -> f32 {
    sh_reduce[lane] = value;
    workgroupBarrier();
    for (var step = WG_SIZE / 2u; step > 0u; step /= 2u) {
        if lane < step {
            sh_reduce[lane] += sh_reduce[lane + step];
        }
        workgroupBarrier();
    }
    return sh_reduce[0];
}

@compute @workgroup_size(WG_SIZE)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let it = params.it;
    let index = flat_group(group, groups);
    if index >= params.groups {
        return;
    }
    let part = index % params.parts;
    let vector = index / params.parts;
    let row = vector % it.rows;
    let head = vector / it.rows % it.heads;
    let batch = vector / it.rows / it.heads;
    let seen = seen_by(it, call.start, row);
    let first = part * params.part_keys;
    // The second launch knows as well which parts a query does not need.
    if first >= seen && part > 0u {
        return;
    }
    let count = min(seen - first, params.part_keys);

    let query_at = head_at(it.query, batch, head) + row * it.query.z;
    let key_at = head_at(it.key, batch, head / it.group) + first * it.key.z;
    let in_team = lane % TEAM;
    for (var i = lane / TEAM; i < count; i += WG_SIZE / TEAM) {
        var dot = 0.0;
        for (var d = in_team; d < it.depth; d += TEAM) {
            dot += f32(query[query_at + d]) * f32(key[key_at + i * it.key.z + d]);
        }
        sh_dots[i * TEAM + in_team] = dot;
    }
    workgroupBarrier();

    var most = LOWEST;
    for (var i = lane; i < count; i += WG_SIZE) {
        var score = 0.0;
        for (var t = 0u; t < TEAM; t++) {
            score += sh_dots[i * TEAM + t];
        }
        score *= it.scale;
#if MASK
        score += f32(mask[head_at(it.mask, batch, head) + row * it.mask.z + (first + i) * it.mask.w]);
#endif
        sh_weights[i] = score;
        most = max(most, score);
    }
    most = largest(most, lane);
    var total = 0.0;
    for (var i = lane; i < count; i += WG_SIZE) {
        let weight = exp(sh_weights[i] - most);
        sh_weights[i] = weight;
        total += weight;
    }
    // Its barriers also make the weights known to all.
    total = sum(total, lane);

    let value_at = head_at(it.value, batch, head / it.group) + first * it.value.z;
#if WHOLE
    let output_at = head_at(it.output, batch, head) + row * it.output.z;
#else
    let output_at = index * (it.width + 2u);
    if lane == 0u {
        output[output_at + it.width] = most;
        output[output_at + it.width + 1u] = total;
    }
#endif
    for (var d = lane; d < it.width; d += WG_SIZE) {
        var out = 0.0;
        for (var i = 0u; i < count; i++) {
            out += sh_weights[i] * f32(value[value_at + i * it.value.z + d]);
        }
#if WHOLE
        // Nothing to attend to gives zeros.
        if count > 0u {
            out /= total;
        }
        output[output_at + d] = T(out);
#else
        output[output_at + d] = out;
#endif
    }
}
