//! output[i] = how many of the sorted boundaries are less than input[i], or no larger where `right` is set.
//! Each invocation owns one element. NaN is above every boundary.
//!
//! variants: T = f32 | f16 | i32

#import tensor
#import order

struct Params {
    numel: u32,
    count: u32,
    right: u32,
    /// For `order`: nothing is reversed.
    reverse: u32,
}

@group(0) @binding(0) var<storage, read> input: array<T>;
@group(0) @binding(1) var<storage, read> boundaries: array<T>;
@group(0) @binding(2) var<storage, read_write> output: array<i32>;
@group(0) @binding(3) var<uniform> params: Params;

@compute @workgroup_size(WG_SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let index = flat_index(id, groups);
    if index >= params.numel {
        return;
    }
    let own = order(input[index]);
    var low = 0u;
    var high = params.count;
    while low < high {
        let middle = (low + high) / 2u;
        let boundary = order(boundaries[middle]);
        if boundary < own || (boundary == own && params.right != 0u) {
            low = middle + 1u;
        } else {
            high = middle;
        }
    }
    output[index] = i32(low);
}
