//! output[i] = EXPRESSION(a[i], b[i]), where `a` and `b` broadcast to the output's shape.
//! Each invocation owns four neighbouring elements.
//!
//! WALK says where operands are found. `strided`: by one step per dimension. `flat`: at the same place, or the operand is
//! one element. `one`: `a` at the same place, and `b` is a number. QUAD reads and writes four elements at a time.
//!
//! variants: T = f32 | f16 | i32 | byte
//! variants: R = same | truth
//! variants: WALK = strided | flat | one
//! variants: QUAD = on | off
//! variants: EXPRESSION = rows of pointwise

#import tensor
#import elements
#import EXPRESSION

#if T_byte
alias CELL = u32;
#else
#if QUAD
alias CELL = vec4<T>;
#else
alias CELL = T;
#endif
#endif
#if R_truth
alias RESULT = u32;
#else
alias RESULT = CELL;
#endif

struct Params {
    out: TensorMeta,
    a_steps: array<vec4<u32>, 2>,
    b_steps: array<vec4<u32>, 2>,
    /// `b` where it is a number, and `alpha`; or the two numbers of an operator of one tensor.
    numbers: vec2<f32>,
    int_numbers: vec2<i32>,
    /// Whether bytes are signed.
    signed: u32,
    /// Whether the result is a truth value.
    truth: u32,
}

@group(0) @binding(0) var<storage, read> a: array<CELL>;
@group(0) @binding(1) var<storage, read> b: array<CELL>;
@group(0) @binding(2) var<storage, read_write> output: array<RESULT>;
@group(0) @binding(3) var<uniform> params: Params;

#if T_i32 || T_byte
alias ACC = i32;

fn numbers() -> vec2<i32> {
    return params.int_numbers;
}
#else
alias ACC = f32;

fn numbers() -> vec2<f32> {
    return params.numbers;
}
#endif

#if QUAD
#if T_byte
fn quad_of(cell: CELL) -> vec4<i32> {
    return unpack_bytes(cell, params.signed);
}
#else
fn quad_of(cell: CELL) -> vec4<ACC> {
    return vec4<ACC>(cell);
}
#endif
#else
#if T_byte
fn a_at(index: u32) -> i32 {
    return unpack_byte(a[index / 4u], index, params.signed);
}

fn b_at(index: u32) -> i32 {
    return unpack_byte(b[index / 4u], index, params.signed);
}
#else
fn a_at(index: u32) -> ACC {
    return ACC(a[index]);
}

fn b_at(index: u32) -> ACC {
    return ACC(b[index]);
}
#endif
#endif

#if WALK_strided
fn element(index: u32) -> ACC {
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
    return apply(a_at(a_index), b_at(b_index), numbers().y);
}
#endif
#if !QUAD
#if WALK_flat
fn element(index: u32) -> ACC {
    return apply(a_at(index * params.a_steps[0].x), b_at(index * params.b_steps[0].x), numbers().y);
}
#endif
#if WALK_one
fn element(index: u32) -> ACC {
    return apply(a_at(index), numbers().x, numbers().y);
}
#endif
#endif

@compute @workgroup_size(WG_SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let quad = flat_index(id, groups);
    let first = quad * 4u;
    if first >= params.out.numel {
        return;
    }
    let count = min(4u, params.out.numel - first);
    var result = vec4<ACC>();
#if QUAD
    let x = quad_of(a[quad]);
#if WALK_flat
    let y = quad_of(b[quad]);
#else
    let y = vec4<ACC>(numbers().x);
#endif
    let z = numbers().y;
    result = vec4<ACC>(apply(x.x, y.x, z), apply(x.y, y.y, z), apply(x.z, y.z, z), apply(x.w, y.w, z));
#else
    for (var i = 0u; i < count; i++) {
        result[i] = element(first + i);
    }
#endif
#if T_byte || R_truth
    output[quad] = pack_bytes(vec4<i32>(result), params.truth);
#else
#if QUAD
    output[quad] = CELL(result);
#else
    for (var i = 0u; i < count; i++) {
        output[first + i] = T(result[i]);
    }
#endif
#endif
}
