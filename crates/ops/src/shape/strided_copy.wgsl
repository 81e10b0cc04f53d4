//! output[c] = input[offset + call.start · start_step + Σ c[a] · steps[a]] over the walk's axes a.
//! Each invocation owns one element, the four elements of one word of bytes, or four neighbours (WIDE). Wide sizes and
//! steps count fours.
//!
//! variants: T = f32 | f16 | i32 | byte
//! variants: WIDE = on | off

#import tensor

struct Params {
    sizes: array<vec4<u32>, 4>,
    steps: array<vec4<i32>, 4>,
    axes: u32,
    count: u32,
    offset: i32,
    start_step: i32,
}

struct Call {
    start: i32,
}

#if WIDE
#if T_byte
alias Unit = u32;
#else
alias Unit = vec4<T>;
#endif
#else
alias Unit = T;
#endif

@group(0) @binding(0) var<storage, read> input: array<Unit>;
@group(0) @binding(1) var<storage, read_write> output: array<Unit>;
@group(0) @binding(2) var<uniform> params: Params;
@group(0) @binding(3) var<uniform> call: Call;

fn source_of(index: u32) -> u32 {
    var source = params.offset + call.start * params.start_step;
    var rest = index;
    for (var i = params.axes; i > 0u; i--) {
        let axis = i - 1u;
        let size = params.sizes[axis / 4u][axis % 4u];
        source += i32(rest % size) * params.steps[axis / 4u][axis % 4u];
        rest /= size;
    }
    return u32(source);
}

/// Four neighbours of bytes from any four places.
fn gathered(first: u32) -> u32 {
    var word = 0u;
#if T_byte
    for (var i = 0u; i < min(4u, params.count - first); i++) {
        let source = source_of(first + i);
        let byte = (input[source / 4u] >> (source % 4u * 8u)) & 0xffu;
        word |= byte << (i * 8u);
    }
#endif
    return word;
}

@compute @workgroup_size(WG_SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let index = flat_index(id, groups);
#if T_byte
#if WIDE
    if index < params.count {
        output[index] = input[source_of(index)];
    }
#else
    if index * 4u < params.count {
        output[index] = gathered(index * 4u);
    }
#endif
#else
    if index < params.count {
        output[index] = input[source_of(index)];
    }
#endif
}
