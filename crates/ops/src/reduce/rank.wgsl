//! values[rank(i)] = input[i] and places[rank(i)] = i along every line of one dimension, where rank(i) counts the elements
//! that come before element i, and is less than `count`. Of equals the first comes first, and NaN is the largest.
//! Each invocation owns one element of the input.
//!
//! variants: T = f32 | f16 | i32

#import tensor
#import order

struct Params {
    numel: u32,
    /// Elements of a line, and how many of them are wanted.
    length: u32,
    count: u32,
    /// Distance from one element of a line to the next.
    stride: u32,
    descending: u32,
    /// For `order`: nothing is reversed.
    reverse: u32,
}

@group(0) @binding(0) var<storage, read> input: array<T>;
@group(0) @binding(1) var<storage, read_write> values: array<T>;
@group(0) @binding(2) var<storage, read_write> places: array<i32>;
@group(0) @binding(3) var<uniform> params: Params;

@compute @workgroup_size(WG_SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let index = flat_index(id, groups);
    if index >= params.numel {
        return;
    }
    let inner = index % params.stride;
    let place = index / params.stride % params.length;
    let outer = index / (params.stride * params.length);
    let base = outer * params.length * params.stride + inner;
    let own = order(input[index]);
    var rank = 0u;
    for (var i = 0u; i < params.length; i++) {
        let other = order(input[base + i * params.stride]);
        let before = select((other < own), (other > own), params.descending != 0u);
        if before || (other == own && i < place) {
            rank++;
        }
    }
    if rank < params.count {
        let at = (outer * params.count + rank) * params.stride + inner;
        values[at] = input[index];
        places[at] = i32(place);
    }
}
