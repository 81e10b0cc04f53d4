//! output[r, c] = (clamp(round(input[r, c] / scale[r]) + zero_point[r], −128, 127) − zero_point[r]) · scale[r]
//! Each invocation owns one element.
//!
//! variants: T = f32 | f16
//! variants: S = f32 | f16
//! variants: ZERO = byte | i32

#import tensor
#import bytes
#import affine

struct Params {
    count: u32,
    width: u32,
    zero_sign: u32,
}

@group(0) @binding(0) var<storage, read> input: array<T>;
@group(0) @binding(1) var<storage, read> scale: array<S>;
@group(0) @binding(2) var<storage, read> zero_point: array<ZERO>;
@group(0) @binding(3) var<storage, read_write> output: array<T>;
@group(0) @binding(4) var<uniform> params: Params;

@compute @workgroup_size(WG_SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let index = flat_index(id, groups);
    if index >= params.count {
        return;
    }
    let row = index / params.width;
    let size = f32(scale[row]);
#if ZERO_byte
    let zero = f32(byte_at(zero_point[row / 4u], row, params.zero_sign));
#else
    let zero = f32(zero_point[row]);
#endif
    let step = quantize(f32(input[index]), 1.0 / size, zero, -128.0, 127.0);
    output[index] = T((f32(step) - zero) * size);
}
