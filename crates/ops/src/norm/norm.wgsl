//! output[r, c] = (input[r, c] − mean[r]) · rstd[r] · weight[k] + bias[k], rstd = 1 / √(variance + epsilon).
//! One workgroup per row, or with PARTS per part of a row, of which `norm_parts` has the means and squares; its lanes take
//! every WG_SIZE-th column. k counts channels of `inner` columns: layer norm has
//! one column per channel, group norm `channels` per row, and as many groups of them as `groups`.
//!
//! variants: T = f32 | f16
//! variants: W = f32 | f16
//! variants: STAT = f32 | f16
//! variants: PARTS = on | off
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
    parts: u32,
    part_size: u32,
}

@group(0) @binding(0) var<storage, read> input: array<T>;
@group(0) @binding(1) var<storage, read> weight: array<W>;
@group(0) @binding(2) var<storage, read> bias: array<W>;
@group(0) @binding(3) var<storage, read> partial: array<vec2<f32>>;
@group(0) @binding(4) var<storage, read_write> output: array<T>;
@group(0) @binding(5) var<storage, read_write> mean: array<STAT>;
@group(0) @binding(6) var<storage, read_write> rstd: array<STAT>;
@group(0) @binding(7) var<uniform> params: Params;

#if PARTS
/// The mean of a row, and the sum of the squares of what its elements differ from it.
fn moments(row: u32, lane: Lane) -> vec2<f32> {
    var count = 0.0;
    var center = 0.0;
    var squares = 0.0;
    for (var part = 0u; part < params.parts; part++) {
        let more = f32(min(params.part_size, params.width - part * params.part_size));
        let of_part = partial[row * params.parts + part];
        let distance = of_part.x - center;
        let total = count + more;
        center += distance * (more / total);
        squares += of_part.y + (distance * count) * (distance * (more / total));
        count = total;
    }
    return vec2(center, squares);
}
#else
fn moments(row: u32, lane: Lane) -> vec2<f32> {
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
    return vec2(center, workgroup_sum(squares, lane));
}
#endif

@compute @workgroup_size(WG_SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, lane: Lane) {
    let number = flat_group(group, groups);
    let row = number / params.parts;
    if row >= params.rows {
        return;
    }
    let start = row * params.width;
    let of_row = moments(row, lane);
    let center = of_row.x;
    let scale = inverseSqrt(of_row.y / f32(params.width) + params.epsilon);
    let first = number % params.parts * params.part_size;
    if lane.index == 0u && first == 0u {
        mean[row] = STAT(center);
        rstd[row] = STAT(scale);
    }
    let first_channel = row % params.groups * params.channels;
    let end = min(first + params.part_size, params.width);
    for (var column = first + lane.index; column < end; column += WG_SIZE) {
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
