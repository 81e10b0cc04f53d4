//! output[n, o, y, x] = finish(Σ (input[n, i, y', x'] − input_zero) · weight[o, tap, i], scales[o], bias[o]) over the
//! taps of the kernel that meet the image and the inputs i of the group of o, of signed bytes, added as integers.
//! Each invocation owns the four elements of one word; where planes are whole words (PLANES) they share an output
//! channel, and a weight is read once for all of them.
//!
//! variants: S = f32 | f16
//! variants: BIAS = none | float | integer
//! variants: TRANSPOSED = on | off
//! variants: PLANES = on | off

#import tensor
#import bytes
#import affine
#import q8ta

struct Params {
    in_size: vec2<u32>,
    out_size: vec2<u32>,
    kernel: vec2<u32>,
    stride: vec2<u32>,
    padding: vec2<u32>,
    dilation: vec2<u32>,
    count: u32,
    in_channels: u32,
    out_channels: u32,
    group_inputs: u32,
    group_outputs: u32,
    weight_row: u32,
    weight_tap: u32,
    input_zero: i32,
    input_scale: f32,
    inverse_scale: f32,
    zero: f32,
    least: f32,
    low: f32,
    high: f32,
}

#if BIAS_integer
alias OFFSET = i32;
#else
alias OFFSET = S;
#endif

@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read> weight: array<u32>;
@group(0) @binding(2) var<storage, read> scales: array<S>;
@group(0) @binding(3) var<storage, read> bias: array<OFFSET>;
@group(0) @binding(4) var<storage, read_write> output: array<u32>;
@group(0) @binding(5) var<uniform> params: Params;

/// The pixel that a tap meets; at least `in_size` where it meets padding.
fn source_of(place: vec2<u32>, tap: vec2<u32>) -> vec2<u32> {
    // What lies before the image wraps around, and is past its end too.
#if TRANSPOSED
    let source = place + params.padding - tap * params.dilation;
    let before = place + params.padding < tap * params.dilation;
    let between = source % params.stride != vec2(0u);
    return select(source / params.stride, params.in_size, before | between);
#else
    return place * params.stride + tap * params.dilation - params.padding;
#endif
}

fn byte_of_weight(index: u32) -> i32 {
    return byte_at(weight[index / 4u], index, 128u);
}

@compute @workgroup_size(WG_SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let index = flat_index(id, groups);
    let first = index * 4u;
    if first >= params.count {
        return;
    }
    let outputs = min(4u, params.count - first);
    let out_plane = params.out_size.x * params.out_size.y;
    let in_plane = params.in_size.x * params.in_size.y;
    var places: array<vec2<u32>, 4>;
    var channels: vec4<u32>;
    var inputs: vec4<u32>;
    for (var i = 0u; i < 4u; i++) {
        let position = min(first + i, params.count - 1u);
        let place = position % out_plane;
        let plane = position / out_plane;
        places[i] = vec2(place / params.out_size.y, place % params.out_size.y);
        channels[i] = plane % params.out_channels;
        inputs[i] = plane / params.out_channels * params.in_channels
            + channels[i] / params.group_outputs * params.group_inputs;
    }
    var sums = vec4<i32>();
    for (var tap = 0u; tap < params.kernel.x * params.kernel.y; tap++) {
        var pixels: vec4<u32>;
        var inside: vec4<bool>;
        for (var i = 0u; i < 4u; i++) {
            let source = source_of(places[i], vec2(tap / params.kernel.y, tap % params.kernel.y));
            inside[i] = all(source < params.in_size);
            pixels[i] = inputs[i] * in_plane + source.x * params.in_size.y + source.y;
        }
        for (var channel = 0u; channel < params.group_inputs; channel++) {
            let within_row = tap * params.weight_tap + channel;
#if PLANES
            let w = vec4(byte_of_weight(channels.x * params.weight_row + within_row));
#else
            var w: vec4<i32>;
            for (var i = 0u; i < 4u; i++) {
                w[i] = byte_of_weight(channels[i] * params.weight_row + within_row);
            }
#endif
            for (var i = 0u; i < 4u; i++) {
                if inside[i] {
                    let pixel = pixels[i] + channel * in_plane;
                    sums[i] += (byte_at(input[pixel / 4u], pixel, 128u) - params.input_zero) * w[i];
                }
            }
        }
    }
    var word = 0u;
    for (var i = 0u; i < outputs; i++) {
        var sum = sums[i];
        var offset = 0.0;
#if BIAS_integer
        sum += bias[channels[i]];
#endif
#if BIAS_float
        offset = f32(bias[channels[i]]);
#endif
        word |= byte_to(finish_byte(finish_float(sum, f32(scales[channels[i]]), offset)), i);
    }
    output[index] = word;
}
