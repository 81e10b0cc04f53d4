//! output[i] = quantize(max(a' + alpha · b', least)), where a' = (a[i] − a_zero) · a_scale and b' likewise, over signed
//! bytes. The operands are walked with one step per dimension of `walk`, the sizes of the output or finer ones.
//! Each invocation owns the four elements of one word.
//!
//! variants: BINARY = on | off

#import tensor
#import bytes
#import affine

struct Params {
    walk: TensorMeta,
    a_steps: array<vec4<u32>, 2>,
    b_steps: array<vec4<u32>, 2>,
    a_scale: f32,
    a_zero: f32,
    b_scale: f32,
    b_zero: f32,
    alpha: f32,
    least: f32,
    inverse_scale: f32,
    zero: f32,
}

@group(0) @binding(0) var<storage, read> a: array<u32>;
@group(0) @binding(1) var<storage, read> b: array<u32>;
@group(0) @binding(2) var<storage, read_write> output: array<u32>;
@group(0) @binding(3) var<uniform> params: Params;

fn step_of(index: u32) -> i32 {
    var a_index = 0u;
    var b_index = 0u;
    var rest = index;
    for (var i = params.walk.rank; i > 0u; i--) {
        let dim = i - 1u;
        let size = params.walk.sizes[dim / 4u][dim % 4u];
        a_index += rest % size * params.a_steps[dim / 4u][dim % 4u];
        b_index += rest % size * params.b_steps[dim / 4u][dim % 4u];
        rest /= size;
    }
    var value = (f32(byte_at(a[a_index / 4u], a_index, 128u)) - params.a_zero) * params.a_scale;
#if BINARY
    value += params.alpha * ((f32(byte_at(b[b_index / 4u], b_index, 128u)) - params.b_zero) * params.b_scale);
#endif
    return quantize(max(value, params.least), params.inverse_scale, params.zero, -128.0, 127.0);
}

@compute @workgroup_size(WG_SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let index = flat_index(id, groups);
    let first = index * 4u;
    if first >= params.walk.numel {
        return;
    }
    var word = 0u;
    for (var i = 0u; i < min(4u, params.walk.numel - first); i++) {
        word |= byte_to(step_of(first + i), i);
    }
    output[index] = word;
}
