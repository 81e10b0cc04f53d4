//! output[y · width + x] = ((x + offset) · stride, (y + offset) · stride)
//! Each invocation owns one coordinate.
//!
//! variants: T = f32 | f16

#import tensor

struct Params {
    count: u32,
    width: u32,
    stride: f32,
    offset: f32,
}

@group(0) @binding(0) var<storage, read_write> output: array<T>;
@group(0) @binding(1) var<uniform> params: Params;

@compute @workgroup_size(WG_SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let index = flat_index(id, groups);
    if index >= params.count {
        return;
    }
    let cell = index / 2u;
    let at = select(cell / params.width, cell % params.width, index % 2u == 0u);
    output[index] = T((f32(at) + params.offset) * params.stride);
}
