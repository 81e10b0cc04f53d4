//! output[r, c] = (input[r, c] − mean[r]) · rstd[r] · weight[k] + bias[k], rstd = 1 / √(variance + epsilon).
//! One workgroup per row; its lanes take every WG_SIZE-th column. k counts channels of `inner` columns: layer norm has
//! one column per channel, group norm `channels` per row, and as many groups of them as `groups`.
//!
//! variants: T = f32 | f16
//! variants: W = f32 | f16
//! variants: STAT = f32 | f16
//! variants: REDUCE = reduce_shared | reduce_subgroup

#import tensor
#import REDUCE

struct Params {
    rows: u32,
    width: u32,
    inner: u32,
    channels: u32,
    groups: u32,
    epsilon: f32,
    has_weight: u32,
    has_bias: u32,
}

@group(0) @binding(0) var<storage, read> input: array<T>;
@group(0) @binding(1) var<storage, read> weight: array<W>;
@group(0) @binding(2) var<storage, read> bias: array<W>;
@group(0) @binding(3) var<storage, read_write> output: array<T>;
@group(0) @binding(4) var<storage, read_write> mean: array<STAT>;
@group(0) @binding(5) var<storage, read_write> rstd: array<STAT>;
@group(0) @binding(6) var<uniform> params: Params;

@compute @workgroup_size(WG_SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, lane: Lane) {
    let row = flat_group(group, groups);
    if row >= params.rows {
        return;
    }
    let start = row * params.width;
    var sum = 0.0;
    for (var column = lane.index; column < params.width; column += WG_SIZE) {
        sum += f32(input[start + column]);
    }
    let center = workgroup_sum(sum, lane) / f32(params.width);
    var squares = 0.0;
    for (var column = lane.index; column < params.width; column += WG_SIZE) {
        let distance = f32(input[start + column]) - center;
        squares += distance * distance;
    }
    // Every lane has read the first sum before its memory is used again.
    workgroupBarrier();
    let scale = inverseSqrt(workgroup_sum(squares, lane) / f32(params.width) + params.epsilon);
    if lane.index == 0u {
        mean[row] = STAT(center);
        rstd[row] = STAT(scale);
    }
    let first_channel = row % params.groups * params.channels;
    for (var column = lane.index; column < params.width; column += WG_SIZE) {
        let channel = first_channel + column / params.inner;
        var value = (f32(input[start + column]) - center) * scale;
        if params.has_weight != 0u {
            value *= f32(weight[channel]);
        }
        if params.has_bias != 0u {
            value += f32(bias[channel]);
        }
        output[start + column] = T(value);
    }
}
