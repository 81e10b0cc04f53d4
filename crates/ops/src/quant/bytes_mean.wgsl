//! output[p] = clamp(round(scale · Σ (input[p, i] − input_zero) + zero), low, high) over the elements i of plane p, of signed
//! bytes, added as integers. Each invocation owns the four planes of one word.

#import tensor
#import bytes
#import affine

struct Params {
    count: u32,
    area: u32,
    input_zero: i32,
    scale: f32,
    zero: f32,
    low: f32,
    high: f32,
}

@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> output: array<u32>;
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(WG_SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let index = flat_index(id, groups);
    let first = index * 4u;
    if first >= params.count {
        return;
    }
    var word = 0u;
    for (var plane = first; plane < min(first + 4u, params.count); plane++) {
        var sum = 0;
        for (var i = plane * params.area; i < (plane + 1u) * params.area; i++) {
            sum += byte_at(input[i / 4u], i, 128u) - params.input_zero;
        }
        word |= byte_to(to_step(round(f32(sum) * params.scale + params.zero), params.low, params.high), plane);
    }
    output[index] = word;
}
