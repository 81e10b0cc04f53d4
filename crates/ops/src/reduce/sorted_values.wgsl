//! The first `count` elements of every line in order, given the places of all, line by line. One invocation per element of
//! the outputs.
//!
//! variants: T = f32 | f16 | i32

#import tensor

struct Params {
    /// Elements of the outputs.
    numel: u32,
    /// Elements of a line, and how many of them are wanted.
    length: u32,
    count: u32,
    /// Distance from one element of a line to the next.
    stride: u32,
}

@group(0) @binding(0) var<storage, read> input: array<T>;
@group(0) @binding(1) var<storage, read> sorted: array<i32>;
@group(0) @binding(2) var<storage, read_write> values: array<T>;
@group(0) @binding(3) var<storage, read_write> places: array<i32>;
@group(0) @binding(4) var<uniform> params: Params;

@compute @workgroup_size(WG_SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let index = flat_index(id, groups);
    if index >= params.numel {
        return;
    }
    let inner = index % params.stride;
    let rank = index / params.stride % params.count;
    let outer = index / (params.stride * params.count);
    let place = sorted[(outer * params.stride + inner) * params.length + rank];
    values[index] = input[(outer * params.length + u32(place)) * params.stride + inner];
    places[index] = place;
}
