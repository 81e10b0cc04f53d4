//! output[m, n] = Σ_k input[m, k] · weight[n, k] + bias[n], for few rows.
//! One workgroup per output; its lanes take every WG_SIZE-th product.
//!
//! variants: T = f32 | f16
//! variants: BIAS = on | off
//! variants: REDUCE = reduce_shared | reduce_subgroup

#import tensor
#import REDUCE

struct Params {
    rows: u32,
    columns: u32,
    depth: u32,
}

@group(0) @binding(0) var<storage, read> input: array<T>;
@group(0) @binding(1) var<storage, read> weight: array<T>;
@group(0) @binding(2) var<storage, read> bias: array<T>;
@group(0) @binding(3) var<storage, read_write> output: array<T>;
@group(0) @binding(4) var<uniform> params: Params;

@compute @workgroup_size(WG_SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, lane: Lane) {
    let index = flat_group(group, groups);
    if index >= params.rows * params.columns {
        return;
    }
    let row = index / params.columns;
    let column = index % params.columns;
    var partial = 0.0;
    for (var k = lane.index; k < params.depth; k += WG_SIZE) {
        partial += f32(input[row * params.depth + k]) * f32(weight[column * params.depth + k]);
    }
    var sum = workgroup_sum(partial, lane);
    if lane.index == 0u {
#if BIAS
        sum += f32(bias[column]);
#endif
        output[index] = T(sum);
    }
}
