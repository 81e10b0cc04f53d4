//! output[i] = (input[i] − zero_point[b]) · scale[b], with b the block that i is in.
//! Each invocation owns one element. Scale and zero point are tensors with one element for each block, or numbers in
//! `params` (S = byte: nothing is read as a scale).
//!
//! variants: T = f32 | f16
//! variants: S = f32 | f16 | byte
//! variants: Q = byte | i32
//! variants: ZERO = none | byte | i32

#import tensor
#import bytes
#import blocks

struct Params {
    out: TensorMeta,
    blocks: array<vec4<u32>, 2>,
    steps: array<vec4<u32>, 2>,
    scale: f32,
    zero: i32,
    sign: u32,
    zero_sign: u32,
}

@group(0) @binding(0) var<storage, read> input: array<Q>;
@group(0) @binding(1) var<storage, read> scale: array<S>;
@group(0) @binding(2) var<storage, read> zero_point: array<u32>;
@group(0) @binding(3) var<storage, read_write> output: array<T>;
@group(0) @binding(4) var<uniform> params: Params;

@compute @workgroup_size(WG_SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let index = flat_index(id, groups);
    if index >= params.out.numel {
        return;
    }
    var factor = params.scale;
    var zero = params.zero;
#if !S_byte
    let block = block_of(index);
    factor = f32(scale[block]);
#if ZERO_byte
    zero = byte_at(zero_point[block / 4u], block, params.zero_sign);
#endif
#if ZERO_i32
    zero = bitcast<i32>(zero_point[block]);
#endif
#endif
#if Q_byte
    let value = byte_at(input[index / 4u], index, params.sign);
#else
    let value = input[index];
#endif
    output[index] = T(f32(value - zero) * factor);
}
