//! output[i] = condition[i] ? a[i] : b[i], where all three broadcast to the output's shape.
//! Each invocation owns four neighbouring elements. FLAT operands are the output's shape or one element.
//!
//! variants: T = f32 | f16 | i32 | byte
//! variants: FLAT = on | off

#import tensor
#import elements

struct Params {
    out: TensorMeta,
    condition_steps: array<vec4<u32>, 2>,
    a_steps: array<vec4<u32>, 2>,
    b_steps: array<vec4<u32>, 2>,
}

@group(0) @binding(0) var<storage, read> condition: array<u32>;
@group(0) @binding(1) var<storage, read> a: array<T>;
@group(0) @binding(2) var<storage, read> b: array<T>;
@group(0) @binding(3) var<storage, read_write> output: array<T>;
@group(0) @binding(4) var<uniform> params: Params;

#if T_byte
alias ELEMENT = i32;

fn a_at(index: u32) -> ELEMENT {
    return unpack_byte(a[index / 4u], index, 0u);
}

fn b_at(index: u32) -> ELEMENT {
    return unpack_byte(b[index / 4u], index, 0u);
}
#else
alias ELEMENT = T;

fn a_at(index: u32) -> ELEMENT {
    return a[index];
}

fn b_at(index: u32) -> ELEMENT {
    return b[index];
}
#endif

/// Where the condition, `a` and `b` of an element are.
fn sources(index: u32) -> vec3<u32> {
#if FLAT
    return index * vec3<u32>(params.condition_steps[0].x, params.a_steps[0].x, params.b_steps[0].x);
#else
    var at = vec3<u32>();
    var rest = index;
    for (var i = params.out.rank; i > 0u; i--) {
        let dim = i - 1u;
        let size = params.out.sizes[dim / 4u][dim % 4u];
        let condition_step = params.condition_steps[dim / 4u][dim % 4u];
        let a_step = params.a_steps[dim / 4u][dim % 4u];
        let b_step = params.b_steps[dim / 4u][dim % 4u];
        at += rest % size * vec3<u32>(condition_step, a_step, b_step);
        rest /= size;
    }
    return at;
#endif
}

fn element(index: u32) -> ELEMENT {
    let at = sources(index);
    if unpack_byte(condition[at.x / 4u], at.x, 0u) != 0 {
        return a_at(at.y);
    }
    return b_at(at.z);
}

@compute @workgroup_size(WG_SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let quad = flat_index(id, groups);
    let first = quad * 4u;
    if first >= params.out.numel {
        return;
    }
    let count = min(4u, params.out.numel - first);
#if T_byte
    var bytes = vec4<i32>();
    for (var i = 0u; i < count; i++) {
        bytes[i] = element(first + i);
    }
    output[quad] = pack_bytes(bytes, 0u);
#else
    for (var i = 0u; i < count; i++) {
        output[first + i] = element(first + i);
    }
#endif
}
