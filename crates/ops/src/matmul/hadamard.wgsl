//! output[…, j, i] = scale · Σ_k ±input[…, k, i], with `stride` elements i and `size` elements j and k; bit j of signs[k]
//! says that the term is subtracted.
//! Each invocation owns one element.
//!
//! variants: T = f32 | f16
//! variants: OUT = f32 | f16

#import tensor

struct Params {
    signs: array<vec4<u32>, 7>,
    count: u32,
    stride: u32,
    size: u32,
    scale: f32,
}

@group(0) @binding(0) var<storage, read> input: array<T>;
@group(0) @binding(1) var<storage, read_write> output: array<OUT>;
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(WG_SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let index = flat_index(id, groups);
    if index >= params.count {
        return;
    }
    let column = index / params.stride % params.size;
    let block = params.stride * params.size;
    let first = index / block * block + index % params.stride;
    var sum = 0.0;
    for (var k = 0u; k < params.size; k++) {
        let value = f32(input[first + k * params.stride]);
        sum += select(value, -value, ((params.signs[k / 4u][k % 4u] >> column) & 1u) == 1u);
    }
    output[index] = OUT(sum * params.scale);
}
