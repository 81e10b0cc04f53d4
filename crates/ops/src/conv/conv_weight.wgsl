//! arranged[o, t, i] = weight[o, i, t], or 0 past the last input channel i of a group: a weight as `conv_tiled` reads it.
//! One invocation per element of the result.
//!
//! variants: T = f32 | f16
//! variants: TRANSPOSED = on | off

#import tensor
#import convolution

struct Params {
    convolution: Convolution,
}

@group(0) @binding(0) var<storage, read> weight: array<T>;
@group(0) @binding(1) var<storage, read_write> output: array<T>;
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(WG_SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let it = params.convolution;
    let index = flat_index(id, groups);
    let taps = volume(it.kernel);
    if index >= it.groups * it.out_group * taps * it.padded_group {
        return;
    }
    let in_channel = index % it.padded_group;
    let tap = index / it.padded_group % taps;
    let channel = index / it.padded_group / taps;
    var value = T(0.0);
    if in_channel < it.in_group {
        value = weight[weight_of(it, channel / it.out_group, channel % it.out_group, in_channel, tap)];
    }
    output[index] = value;
}
