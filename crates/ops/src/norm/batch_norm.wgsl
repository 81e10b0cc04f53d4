//! output[n, c, i] = (input[n, c, i] − mean[c]) · weight[c] / √(variance[c] + epsilon) + bias[c].
//! Each invocation owns one element.
//!
//! variants: T = f32 | f16
//! variants: W = f32 | f16

#import tensor

struct Params {
    numel: u32,
    channels: u32,
    inner: u32,
    epsilon: f32,
    has_weight: u32,
    has_bias: u32,
}

@group(0) @binding(0) var<storage, read> input: array<T>;
@group(0) @binding(1) var<storage, read> weight: array<W>;
@group(0) @binding(2) var<storage, read> bias: array<W>;
@group(0) @binding(3) var<storage, read> mean: array<W>;
@group(0) @binding(4) var<storage, read> variance: array<W>;
@group(0) @binding(5) var<storage, read_write> output: array<T>;
@group(0) @binding(6) var<uniform> params: Params;

@compute @workgroup_size(WG_SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let index = flat_index(id, groups);
    if index >= params.numel {
        return;
    }
    let channel = index / params.inner % params.channels;
    var value = (f32(input[index]) - f32(mean[channel])) * inverseSqrt(f32(variance[channel]) + params.epsilon);
    if params.has_weight != 0u {
        value *= f32(weight[channel]);
    }
    if params.has_bias != 0u {
        value += f32(bias[channel]);
    }
    output[index] = T(value);
}
