//! scale[b], zero_point[b] = how the range of block b of the input, with zero in it, maps to the integers low to high.
//! One workgroup per block, or per four blocks where their zero points share a word of bytes. Blocks that are RUNS of
//! consecutive elements are read in order; others are walked.
//!
//! variants: T = f32 | f16
//! variants: S = f32 | f16
//! variants: Q = byte | i32
//! variants: RUNS = on | off

#import tensor
#import bytes

struct Params {
    grid: TensorMeta,
    block: TensorMeta,
    steps: array<vec4<u32>, 2>,
    count: u32,
    low: f32,
    high: f32,
    least_scale: f32,
    mapping: u32,
}

const ASYMMETRIC = 0u;
const SYMMETRIC = 1u;
const SYMMETRIC_NO_CLIPPING = 2u;

@group(0) @binding(0) var<storage, read> input: array<T>;
@group(0) @binding(1) var<storage, read_write> scale: array<S>;
@group(0) @binding(2) var<storage, read_write> zero_point: array<Q>;
@group(0) @binding(3) var<uniform> params: Params;

var<workgroup> sh_range: array<vec2<f32>, WG_SIZE>;

/// The element of the input at `index` of a block.
fn element_of(block: u32, index: u32) -> u32 {
#if RUNS
    return block * params.block.numel + index;
#else
    var element = 0u;
    var blocks = block;
    var rest = index;
    for (var i = params.grid.rank; i > 0u; i--) {
        let dim = i - 1u;
        let grid_size = params.grid.sizes[dim / 4u][dim % 4u];
        let block_size = params.block.sizes[dim / 4u][dim % 4u];
        let coordinate = blocks % grid_size * block_size + rest % block_size;
        element += coordinate * params.steps[dim / 4u][dim % 4u];
        blocks /= grid_size;
        rest /= block_size;
    }
    return element;
#endif
}

/// The least and the greatest element of a block, or zero, for every invocation.
fn range_of(block: u32, lane: u32) -> vec2<f32> {
    var range = vec2<f32>();
    for (var i = lane; i < params.block.numel; i += WG_SIZE) {
        let value = f32(input[element_of(block, i)]);
        range = vec2(min(range.x, value), max(range.y, value));
    }
    sh_range[lane] = range;
    workgroupBarrier();
    for (var step = WG_SIZE / 2u; step > 0u; step /= 2u) {
        if lane < step {
            let other = sh_range[lane + step];
            sh_range[lane] = vec2(min(sh_range[lane].x, other.x), max(sh_range[lane].y, other.y));
        }
        workgroupBarrier();
    }
    let result = sh_range[0];
    workgroupBarrier();
    return result;
}

fn scale_of(range: vec2<f32>) -> f32 {
    var size = (range.y - range.x) / (params.high - params.low);
    if params.mapping == SYMMETRIC {
        size = max(range.y, -range.x) / ((params.high - params.low) / 2.0);
    } else if params.mapping == SYMMETRIC_NO_CLIPPING {
        size = max(range.x / params.low, range.y / params.high);
    }
    return max(size, params.least_scale);
}

fn zero_of(range: vec2<f32>, size: f32) -> i32 {
    let low = params.low;
    let high = params.high;
    if params.mapping == ASYMMETRIC {
        return i32(clamp(low - round(range.x / size), low, high));
    }
    if params.mapping == SYMMETRIC || params.mapping == SYMMETRIC_NO_CLIPPING {
        return i32(trunc((high + low + 1.0) / 2.0));
    }
    let descaled = range / size;
    let from_least = (low + descaled.x) + (high + descaled.y) > 0.0;
    return i32(round(clamp(select(high - descaled.y, low - descaled.x, from_least), low, high)));
}

@compute @workgroup_size(WG_SIZE)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let index = flat_group(group, groups);
#if Q_byte
    let first = index * 4u;
    if first >= params.count {
        return;
    }
    var word = 0u;
    for (var i = 0u; i < min(4u, params.count - first); i++) {
        let range = range_of(first + i, lane);
        let size = scale_of(range);
        word |= byte_to(zero_of(range, size), i);
        if lane == 0u {
            scale[first + i] = S(size);
        }
    }
    if lane == 0u {
        zero_point[index] = word;
    }
#else
    if index >= params.count {
        return;
    }
    let range = range_of(index, lane);
    let size = scale_of(range);
    if lane == 0u {
        scale[index] = S(size);
        zero_point[index] = zero_of(range, size);
    }
#endif
}
