//! output = Σ_i input[i]
//! One workgroup; its lanes take every WG_SIZE-th element.
//!
//! variants: T = f32 | f16
//! variants: REDUCE = reduce_shared | reduce_subgroup

#import tensor
#import REDUCE

struct Params {
    count: u32,
}

@group(0) @binding(0) var<storage, read> input: array<f32>;
@group(0) @binding(1) var<storage, read_write> output: array<T>;
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(WG_SIZE)
fn main(lane: Lane) {
    var partial = 0.0;
    for (var i = lane.index; i < params.count; i += WG_SIZE) {
        partial += input[i];
    }
    let sum = workgroup_sum(partial, lane);
    if lane.index == 0u {
        output[0] = T(sum);
    }
}
