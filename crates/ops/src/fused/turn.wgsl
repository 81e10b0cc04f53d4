//! (a·cos − b·sin, b·cos + a·sin) for the halves a and b of vectors, which lie anywhere in the input.
//! Each invocation owns two elements of the output, the same of both halves.
//!
//! variants: T = f32 | f16

#import tensor

struct Params {
    pairs: u32,
    half: u32,
    sizes: vec2<u32>,
    places: vec4<u32>,
    angles: vec4<u32>,
}

@group(0) @binding(0) var<storage, read> input: array<T>;
@group(0) @binding(1) var<storage, read> cos: array<T>;
@group(0) @binding(2) var<storage, read> sin: array<T>;
@group(0) @binding(3) var<storage, read_write> output: array<T>;
@group(0) @binding(4) var<uniform> params: Params;

@compute @workgroup_size(WG_SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let number = flat_index(id, groups);
    if number >= params.pairs {
        return;
    }
    let half = params.half;
    let element = number % half;
    let vector = number / half;
    let outer = vector / params.sizes.y;
    let step = vec3<u32>(outer / params.sizes.x, outer % params.sizes.x, vector % params.sizes.y);
    let place = params.places.xyz * step;
    let first = params.places.w + place.x + place.y + place.z + element;
    let by = params.angles.xyz * step;
    let angle = by.x + by.y + by.z + element;
    let a = f32(input[first]);
    let b = f32(input[first + half]);
    let to = vector * 2u * half + element;
    output[to] = T(a * f32(cos[angle]) - b * f32(sin[angle]));
    output[to + half] = T(b * f32(cos[angle + half]) + a * f32(sin[angle + half]));
}
