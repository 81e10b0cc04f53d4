//! output[b, o, p] = epilogue(Σ_i Σ_t input[b, i, source(p, t)] · weight[o, i, t]) over the channels i of o's group. Each invocation owns one output.
//!
//! variants: T = f32 | f16
//! variants: TRANSPOSED = on | off
//! variants: EPILOGUE = on | off

#import tensor
#import convolution
#import epilogue

struct Params {
    convolution: Convolution,
    epilogue: Epilogue,
}

@group(0) @binding(0) var<storage, read> input: array<T>;
@group(0) @binding(1) var<storage, read> weight: array<T>;
@group(0) @binding(2) var<storage, read> bias: array<T>;
@group(0) @binding(3) var<storage, read> addend: array<T>;
@group(0) @binding(4) var<storage, read_write> output: array<T>;
@group(0) @binding(5) var<uniform> params: Params;

@compute @workgroup_size(WG_SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let convolution = params.convolution;
    let index = flat_index(id, groups);
    let places = volume(convolution.result);
    let out_channels = convolution.groups * convolution.out_group;
    if index >= convolution.batch * out_channels * places {
        return;
    }
    let place = position(index % places, convolution.result);
    let channel = index / places % out_channels;
    let group = channel / convolution.out_group;
    let batch = index / places / out_channels;
    let area = volume(convolution.input);
    let first = (batch * convolution.groups + group) * convolution.in_group * area;
    var sum = 0.0;
    for (var tap = 0u; tap < volume(convolution.kernel); tap++) {
        let source = source_of(convolution, place, position(tap, convolution.kernel));
        if source == NONE {
            continue;
        }
        for (var i = 0u; i < convolution.in_group; i++) {
            let at = weight_of(convolution, group, channel % convolution.out_group, i, tap);
            sum += f32(input[first + i * area + source]) * f32(weight[at]);
        }
    }
    output[index] = T(finished(params.epilogue, sum, channel, 0u, index));
}
