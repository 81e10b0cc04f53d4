//! code(n, k) = clamp(round(latent[n, k] / scales[k / group_size, n]), −8, 7) + 8, or 8 where the scale is zero, two to
//! a byte with the even k in the low nibble.
//! Each invocation owns the four bytes of one word.
//!
//! variants: T = f32 | f16

#import tensor
#import affine

struct Params {
    bytes: u32,
    row_bytes: u32,
    columns: u32,
    group_size: u32,
    scale_stride: u32,
}

@group(0) @binding(0) var<storage, read> latent: array<T>;
@group(0) @binding(1) var<storage, read> scales: array<T>;
@group(0) @binding(2) var<storage, read_write> output: array<u32>;
@group(0) @binding(3) var<uniform> params: Params;

fn code_of(row: u32, column: u32) -> u32 {
    let scale = f32(scales[column / params.group_size * params.scale_stride + row]);
    if scale == 0.0 {
        return 8u;
    }
    return u32(to_step(round(f32(latent[row * params.columns + column]) / scale), -8.0, 7.0) + 8);
}

@compute @workgroup_size(WG_SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let index = flat_index(id, groups);
    let first = index * 4u;
    if first >= params.bytes {
        return;
    }
    var word = 0u;
    for (var i = 0u; i < min(4u, params.bytes - first); i++) {
        let row = (first + i) / params.row_bytes;
        let column = (first + i) % params.row_bytes * 2u;
        var byte = code_of(row, column);
        if column + 1u < params.columns {
            byte |= code_of(row, column + 1u) << 4u;
        }
        word |= byte << (i * 8u);
    }
    output[index] = word;
}
