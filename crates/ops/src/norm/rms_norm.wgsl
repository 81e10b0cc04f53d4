//! output[r, c] = input[r, c] · rsqrt(mean_c(input[r, c]²) + epsilon) · weight[c]
//! One workgroup per row; its lanes take every WG_SIZE-th column.
//!
//! variants: T = f32 | f16
//! variants: W = f32 | f16
//! variants: REDUCE = reduce_shared | reduce_subgroup

#import tensor
#import REDUCE

struct Params {
    rows: u32,
    width: u32,
    epsilon: f32,
}

@group(0) @binding(0) var<storage, read> input: array<T>;
@group(0) @binding(1) var<storage, read> weight: array<W>;
@group(0) @binding(2) var<storage, read_write> output: array<T>;
@group(0) @binding(3) var<uniform> params: Params;

@compute @workgroup_size(WG_SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, lane: Lane) {
    let row = flat_group(group, groups);
    if row >= params.rows {
        return;
    }
    let start = row * params.width;
    var squares = 0.0;
    for (var column = lane.index; column < params.width; column += WG_SIZE) {
        let value = f32(input[start + column]);
        squares += value * value;
    }
    let mean = workgroup_sum(squares, lane) / f32(params.width);
    let scale = inverseSqrt(mean + params.epsilon);
    for (var column = lane.index; column < params.width; column += WG_SIZE) {
        output[start + column] = T(f32(input[start + column]) * scale * f32(weight[column]));
    }
}
