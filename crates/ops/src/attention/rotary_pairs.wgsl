//! output = input · angles as complex numbers, both with real and imaginary part side by side; angles repeat.
//! Each invocation owns one element.
//!
//! variants: T = f32 | f16
//! variants: F = f32 | f16

#import tensor

struct Params {
    count: u32,
    period: u32,
}

@group(0) @binding(0) var<storage, read> input: array<T>;
@group(0) @binding(1) var<storage, read> angles: array<F>;
@group(0) @binding(2) var<storage, read_write> output: array<T>;
@group(0) @binding(3) var<uniform> params: Params;

@compute @workgroup_size(WG_SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let index = flat_index(id, groups);
    if index >= params.count {
        return;
    }
    let imaginary = index % 2u == 1u;
    let pair = index - index % 2u;
    let angle = pair % params.period;
    let own = f32(input[index]);
    let other = f32(input[select(pair + 1u, pair, imaginary)]);
    let sine = f32(angles[angle + 1u]);
    output[index] = T(own * f32(angles[angle]) + select(-other, other, imaginary) * sine);
}
