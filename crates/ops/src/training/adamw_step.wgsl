//! mean = mean · mean_keep + gradient · mean_take
//! variance = variance · variance_keep + gradient² · variance_take
//! parameter = parameter · keep − rate · (mean / mean_correction) / (√(variance / variance_correction) + epsilon)
//! Each invocation owns one element, and changes it in place.
//!
//! variants: T = f32 | f16

#import tensor

struct Params {
    count: u32,
    keep: f32,
    rate: f32,
    mean_keep: f32,
    mean_take: f32,
    variance_keep: f32,
    variance_take: f32,
    epsilon: f32,
    mean_correction: f32,
    variance_correction: f32,
}

@group(0) @binding(0) var<storage, read_write> parameter: array<T>;
@group(0) @binding(1) var<storage, read_write> mean: array<T>;
@group(0) @binding(2) var<storage, read_write> variance: array<T>;
@group(0) @binding(3) var<storage, read> gradient: array<T>;
@group(0) @binding(4) var<uniform> params: Params;

@compute @workgroup_size(WG_SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let index = flat_index(id, groups);
    if index >= params.count {
        return;
    }
    let slope = f32(gradient[index]);
    let new_mean = f32(mean[index]) * params.mean_keep + slope * params.mean_take;
    let new_variance = f32(variance[index]) * params.variance_keep + slope * slope * params.variance_take;
    let size = sqrt(new_variance / params.variance_correction) + params.epsilon;
    let change = params.rate * (new_mean / params.mean_correction) / size;
    parameter[index] = T(f32(parameter[index]) * params.keep - change);
    mean[index] = T(new_mean);
    variance[index] = T(new_variance);
}
