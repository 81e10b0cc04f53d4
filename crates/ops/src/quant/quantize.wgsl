//! output[i] = clamp(round(input[i] / scale[b]) + zero_point[b], low, high), with b the block that i is in; the zero
//! point comes before the rounding where `zero_first` is set.
//! Each invocation owns one element, or the four elements of one word of bytes. Scale and zero point are
//! tensors with one element for each block, or numbers in `params` (S = byte: nothing is read as a scale).
//!
//! variants: T = f32 | f16
//! variants: S = f32 | f16 | byte
//! variants: Q = byte | i32
//! variants: ZERO = none | byte | i32

#import tensor
#import bytes
#import affine
#import blocks

struct Params {
    out: TensorMeta,
    blocks: array<vec4<u32>, 2>,
    steps: array<vec4<u32>, 2>,
    inverse_scale: f32,
    zero: f32,
    low: f32,
    high: f32,
    zero_first: u32,
    zero_sign: u32,
}

@group(0) @binding(0) var<storage, read> input: array<T>;
@group(0) @binding(1) var<storage, read> scale: array<S>;
@group(0) @binding(2) var<storage, read> zero_point: array<u32>;
@group(0) @binding(3) var<storage, read_write> output: array<Q>;
@group(0) @binding(4) var<uniform> params: Params;

fn step_of(index: u32) -> i32 {
    var inverse = params.inverse_scale;
    var zero = params.zero;
#if !S_byte
    let block = block_of(index);
    inverse = 1.0 / f32(scale[block]);
#if ZERO_byte
    zero = f32(byte_at(zero_point[block / 4u], block, params.zero_sign));
#endif
#if ZERO_i32
    zero = f32(bitcast<i32>(zero_point[block]));
#endif
#endif
    let scaled = f32(input[index]) * inverse;
    let shifted = select(round(scaled) + zero, round(scaled + zero), params.zero_first != 0u);
    return to_step(shifted, params.low, params.high);
}

@compute @workgroup_size(WG_SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let index = flat_index(id, groups);
#if Q_byte
    let first = index * 4u;
    if first >= params.out.numel {
        return;
    }
    var word = 0u;
    for (var i = 0u; i < min(4u, params.out.numel - first); i++) {
        word |= byte_to(step_of(first + i), i);
    }
    output[index] = word;
#else
    if index >= params.out.numel {
        return;
    }
    output[index] = step_of(index);
#endif
}
