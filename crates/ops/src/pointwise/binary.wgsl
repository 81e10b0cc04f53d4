//! output[i] = EXPRESSION(a[i], b[i]), where `a` and `b` broadcast to the output's shape.
//! Each invocation owns one element. FLAT operands are the output's shape or one number.
//!
//! variants: T = f32 | f16 | i32
//! variants: FLAT = on | off
//! variants: EXPRESSION = rows of pointwise::BINARY

#import tensor
#import EXPRESSION

struct Params {
    out: TensorMeta,
    a_steps: array<vec4<u32>, 2>,
    b_steps: array<vec4<u32>, 2>,
    alpha: f32,
    alpha_int: i32,
}

@group(0) @binding(0) var<storage, read> a: array<T>;
@group(0) @binding(1) var<storage, read> b: array<T>;
@group(0) @binding(2) var<storage, read_write> output: array<T>;
@group(0) @binding(3) var<uniform> params: Params;

@compute @workgroup_size(WG_SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let index = flat_index(id, groups);
    if index >= params.out.numel {
        return;
    }
#if FLAT
    let a_index = index * params.a_steps[0].x;
    let b_index = index * params.b_steps[0].x;
#else
    var a_index = 0u;
    var b_index = 0u;
    var rest = index;
    for (var i = params.out.rank; i > 0u; i--) {
        let dim = i - 1u;
        let size = params.out.sizes[dim / 4u][dim % 4u];
        let coordinate = rest % size;
        rest /= size;
        a_index += coordinate * params.a_steps[dim / 4u][dim % 4u];
        b_index += coordinate * params.b_steps[dim / 4u][dim % 4u];
    }
#endif
#if T_i32
    let alpha = params.alpha_int;
#else
    let alpha = params.alpha;
#endif
    output[index] = T(apply(ACC(a[a_index]), ACC(b[b_index]), alpha));
}
