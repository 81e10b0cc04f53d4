//! partial[r, p] = the mean of part p of row r, and the sum of the squares of what its elements differ from it.
//! One workgroup per part of a row; its lanes take every WG_SIZE-th column.
//!
//! variants: T = f32 | f16
//! variants: REDUCE = reduce_shared | reduce_subgroup

#import tensor
#import REDUCE

struct Params {
    rows: u32,
    width: u32,
    parts: u32,
    part_size: u32,
}

@group(0) @binding(0) var<storage, read> input: array<T>;
@group(0) @binding(1) var<storage, read_write> partial: array<vec2<f32>>;
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(WG_SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, lane: Lane) {
    let number = flat_group(group, groups);
    if number >= params.rows * params.parts {
        return;
    }
    let start = number / params.parts * params.width;
    let first = number % params.parts * params.part_size;
    let end = min(first + params.part_size, params.width);
    var sum = 0.0;
    for (var column = first + lane.index; column < end; column += WG_SIZE) {
        sum += f32(input[start + column]);
    }
    let center = workgroup_sum(sum, lane) / f32(end - first);
    var squares = 0.0;
    for (var column = first + lane.index; column < end; column += WG_SIZE) {
        let distance = f32(input[start + column]) - center;
        squares += distance * distance;
    }
    // Every lane has read the first sum before its memory is used again.
    workgroupBarrier();
    let total = workgroup_sum(squares, lane);
    if lane.index == 0u {
        partial[number] = vec2(center, total);
    }
}
