//! output[b, o, p] = bounded(Σ_i Σ_t input[b, i, source(p, t)] · weight[o, i, t] + bias[o]) as a product: rows are the
//! channels o of a group, columns the places p, and the depth runs over channels i and taps t.
//! Each workgroup owns a tile of 64×64 outputs and each invocation 4×4 of them: see the module `tile`.
//!
//! variants: T = f32 | f16
//! variants: BIAS = on | off
//! variants: TRANSPOSED = on | off

#import tensor
#import product
#import convolution
#import tile

struct Params {
    convolution: Convolution,
}

@group(0) @binding(0) var<storage, read> input: array<T>;
@group(0) @binding(1) var<storage, read> weight: array<T>;
@group(0) @binding(2) var<storage, read> bias: array<T>;
@group(0) @binding(3) var<storage, read_write> output: array<T>;
@group(0) @binding(4) var<uniform> params: Params;

/// Four neighbouring places. Lines past the last are loaded as the last one, and what they give is never stored.
struct Places {
    a: vec3<u32>,
    b: vec3<u32>,
    c: vec3<u32>,
    d: vec3<u32>,
}

fn place_at(number: u32) -> vec3<u32> {
    let result = params.convolution.result;
    return position(min(number, volume(result) - 1u), result);
}

fn weight_at(group: u32, row: u32, in_channel: u32, tap: u32) -> f32 {
    let out_channel = min(row, params.convolution.out_group - 1u);
    return f32(weight[weight_of(params.convolution, group, out_channel, in_channel, tap)]);
}

/// What a place reads through a tap of the channel that starts at `first`.
fn input_at(first: u32, place: vec3<u32>, tap: vec3<u32>) -> f32 {
    let source = source_of(params.convolution, place, tap);
    if source == 0xffffffffu {
        return 0.0;
    }
    return f32(input[first + source]);
}

/// One depth of a block: four rows of the weight, or four places of the input. `slice` counts batches and groups.
fn load_lines(is_left: bool, slice: u32, row: u32, places: Places, depth: u32) -> vec4<f32> {
    let convolution = params.convolution;
    let taps = volume(convolution.kernel);
    let in_channel = depth / taps;
    let tap = depth % taps;
    if in_channel >= convolution.in_group {
        return vec4<f32>();
    }
    if is_left {
        let group = slice % convolution.groups;
        return vec4(
            weight_at(group, row, in_channel, tap),
            weight_at(group, row + 1u, in_channel, tap),
            weight_at(group, row + 2u, in_channel, tap),
            weight_at(group, row + 3u, in_channel, tap),
        );
    }
    let first = (slice * convolution.in_group + in_channel) * volume(convolution.input);
    let at = position(tap, convolution.kernel);
    return vec4(
        input_at(first, places.a, at),
        input_at(first, places.b, at),
        input_at(first, places.c, at),
        input_at(first, places.d, at),
    );
}

@compute @workgroup_size(256)
fn main(
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let convolution = params.convolution;
    let across = (volume(convolution.result) + TILE - 1u) / TILE;
    let down = (convolution.out_group + TILE - 1u) / TILE;
    let tile = flat_group(workgroup, workgroups);
    let slice = tile / (across * down);
    if slice >= convolution.batch * convolution.groups {
        return;
    }
    let first_row = tile / across % down * TILE;
    let first_place = tile % across * TILE;
    let block = block_of(lane);
    let block_row = first_row + block.line;
    let block_place = first_place + block.line;
    let places = Places(
        place_at(block_place),
        place_at(block_place + 1u),
        place_at(block_place + 2u),
        place_at(block_place + 3u),
    );
    var sums = mat4x4<f32>();
    for (var slab = 0u; slab < convolution.in_group * volume(convolution.kernel); slab += SLAB) {
        let depth = slab + block.depth;
        store_block(block, mat4x4<f32>(
            load_lines(block.is_left, slice, block_row, places, depth),
            load_lines(block.is_left, slice, block_row, places, depth + 1u),
            load_lines(block.is_left, slice, block_row, places, depth + 2u),
            load_lines(block.is_left, slice, block_row, places, depth + 3u),
        ));
        workgroupBarrier();
        sums += slab_product(lane);
        workgroupBarrier();
    }
    store_tile(slice, first_row, first_place, sums, lane);
}

fn store_row(slice: u32, row: u32, place: u32, sums: vec4<f32>) {
    let convolution = params.convolution;
    let places = volume(convolution.result);
    if row >= convolution.out_group {
        return;
    }
    for (var i = 0u; i < 4u; i++) {
        if place + i < places {
            var sum = sums[i];
#if BIAS
            sum += f32(bias[slice % convolution.groups * convolution.out_group + row]);
#endif
            let index = (slice * convolution.out_group + row) * places + place + i;
            output[index] = T(bounded(sum, convolution.low, convolution.high));
        }
    }
}
