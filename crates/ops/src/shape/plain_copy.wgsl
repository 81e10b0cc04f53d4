//! output[i] = input[i], 16 bytes an invocation: how fast the device moves memory.
//! A grid of any size covers the buffer; each invocation takes every such vector.
//!
//! trusted: every index is less than `count`, and both buffers hold as many vectors

#import tensor

struct Params {
    count: u32,
}

@group(0) @binding(0) var<storage, read> input: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read_write> output: array<vec4<u32>>;
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(WG_SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let step = groups.x * groups.y * WG_SIZE;
    for (var i = flat_index(id, groups); i < params.count; i += step) {
        output[i] = input[i];
    }
}
