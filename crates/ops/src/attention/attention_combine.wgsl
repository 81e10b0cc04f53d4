//! output[row] = Σ_p exp(m_p − m) · sum_p / Σ_p exp(m_p − m) · l_p over the parts p of a query's keys, m = max_p m_p.
//! One workgroup per query; its lanes take every WG_SIZE-th element.
//!
//! variants: T = f32 | f16

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

@group(0) @binding(0) var<storage, read> partial: array<f32>;
@group(0) @binding(1) var<storage, read_write> output: array<T>;
@group(0) @binding(2) var<uniform> params: Params;
@group(0) @binding(3) var<uniform> call: Call;

@compute @workgroup_size(WG_SIZE)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let it = params.it;
    let vector = flat_group(group, groups);
    if vector >= params.groups {
        return;
    }
    let row = vector % it.rows;
    let head = vector / it.rows % it.heads;
    let batch = vector / it.rows / it.heads;
    let seen = seen_by(it, call.start, row);
    let parts = (seen + params.part_keys - 1u) / params.part_keys;
    let stride = it.width + 2u;
    let partial_at = vector * params.parts * stride;

    var most = LOWEST;
    for (var p = 0u; p < parts; p++) {
        most = max(most, partial[partial_at + p * stride + it.width]);
    }
    var total = 0.0;
    for (var p = 0u; p < parts; p++) {
        let at = partial_at + p * stride + it.width;
        total += exp(partial[at] - most) * partial[at + 1u];
    }
    let output_at = head_at(it.output, batch, head) + row * it.output.z;
    for (var d = lane; d < it.width; d += WG_SIZE) {
        var out = 0.0;
        for (var p = 0u; p < parts; p++) {
            let at = partial_at + p * stride;
            out += exp(partial[at + it.width] - most) * partial[at + d];
        }
        output[output_at + d] = T(out / total);
    }
}
