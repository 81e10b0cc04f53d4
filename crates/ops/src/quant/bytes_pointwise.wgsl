//! output[i] = clamp(f(a[i] − zeros.x, b[i] − zeros.y) + zero, range), of signed bytes that broadcast to the output's shape.
//! FUNCTION `sum`: a sum in fixed point, rounded half up; `product`: a product times a scale, rounded half to even.
//! Each invocation owns the four elements of one word.
//!
//! variants: FUNCTION = sum | product

#import tensor
#import bytes
#import affine

struct Params {
    walk: TensorMeta,
    a_steps: array<vec4<u32>, 2>,
    b_steps: array<vec4<u32>, 2>,
    zeros: vec2<i32>,
    factors: vec2<i32>,
    range: vec2<i32>,
    zero: i32,
    shift: u32,
    scale: f32,
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
    let operands = vec2(byte_at(a[a_index / 4u], a_index, 128u), byte_at(b[b_index / 4u], b_index, 128u)) - params.zeros;
#if FUNCTION_sum
    let products = operands * params.factors;
    let sum = (1i << (params.shift - 1u)) + products.x + products.y;
    return clamp((sum >> params.shift) + params.zero, params.range.x, params.range.y);
#else
    let product = f32(operands.x * operands.y);
    return quantize(product, params.scale, f32(params.zero), f32(params.range.x), f32(params.range.y));
#endif
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
