//! output[i] = start + i · step. Each invocation owns four neighbouring elements.
//!
//! variants: T = f32 | f16 | i32 | byte

#import tensor
#import elements

struct Params {
    numel: u32,
    /// Whether the start is that of the call.
    symbolic: u32,
    /// Whether the result is a truth value.
    truth: u32,
    start: f32,
    step: f32,
    int_start: i32,
    int_step: i32,
}

struct Call {
    start: i32,
}

@group(0) @binding(0) var<storage, read_write> output: array<T>;
@group(0) @binding(1) var<uniform> params: Params;
@group(0) @binding(2) var<uniform> call: Call;

#if T_i32 || T_byte
fn element(index: u32) -> i32 {
    let start = select(params.int_start, call.start, params.symbolic == 1u);
    return start + i32(index) * params.int_step;
}
#else
fn element(index: u32) -> f32 {
    let start = select(params.start, f32(call.start), params.symbolic == 1u);
    return start + f32(index) * params.step;
}
#endif

@compute @workgroup_size(WG_SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let quad = flat_index(id, groups);
    let first = quad * 4u;
    if first >= params.numel {
        return;
    }
    let count = min(4u, params.numel - first);
#if T_byte
    var bytes = vec4<i32>();
    for (var i = 0u; i < count; i++) {
        bytes[i] = element(first + i);
    }
    output[quad] = pack_bytes(bytes, params.truth);
#else
    for (var i = 0u; i < count; i++) {
        output[first + i] = T(element(first + i));
    }
#endif
}
