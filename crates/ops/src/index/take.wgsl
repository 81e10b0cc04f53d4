//! output[c] = input[Σ c[a] · steps[a] + indices[Σ c[a] · index_steps[a]] · stride] over the output's axes a.
//! Each invocation owns one element, the four elements of one word of bytes, or four neighbours (WIDE). Wide steps,
//! stride and window count fours, and so does the last size.
//!
//! An input larger than one binding comes in windows, a launch each; elements that lie in another window stay as they
//! are. An index outside the range is reported, and reads the last.
//!
//! variants: T = f32 | f16 | i32 | byte
//! variants: WIDE = on | off

#import tensor
#import status

struct Params {
    sizes: array<vec4<u32>, 2>,
    steps: array<vec4<u32>, 2>,
    index_steps: array<vec4<u32>, 2>,
    axes: u32,
    count: u32,
    stride: u32,
    limit: u32,
    from_end: u32,
    first: u32,
    window: u32,
    node: u32,
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
@group(0) @binding(1) var<storage, read> indices: array<i32>;
@group(0) @binding(2) var<storage, read_write> output: array<Unit>;
@group(0) @binding(3) var<uniform> params: Params;
@group(0) @binding(4) var<storage, read_write> status: array<atomic<u32>, 2>;

/// The place within the window. One before it wraps around and is past its end too.
fn source_of(element: u32) -> u32 {
    var source = 0u;
    var at = 0u;
    var rest = element;
    for (var i = params.axes; i > 0u; i--) {
        let axis = i - 1u;
        let size = params.sizes[axis / 4u][axis % 4u];
        let coordinate = rest % size;
        source += coordinate * params.steps[axis / 4u][axis % 4u];
        at += coordinate * params.index_steps[axis / 4u][axis % 4u];
        rest /= size;
    }
    let given = indices[at];
    // A negative index is a large one here.
    var index = bitcast<u32>(given);
    if params.from_end != 0u && given < 0 {
        index += params.limit;
    }
    if index >= params.limit {
        report_index(params.node, given);
        index = params.limit - 1u;
    }
    return source + index * params.stride - params.first;
}

@compute @workgroup_size(WG_SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let index = flat_index(id, groups);
#if T_byte
#if WIDE
    copy(index);
#else
    let first = index * 4u;
    if first >= params.count {
        return;
    }
    var word = 0u;
    var kept = 0u;
    for (var i = 0u; i < min(4u, params.count - first); i++) {
        let source = source_of(first + i);
        if source >= params.window {
            kept |= 0xffu << (i * 8u);
            continue;
        }
        let byte = (input[source / 4u] >> (source % 4u * 8u)) & 0xffu;
        word |= byte << (i * 8u);
    }
    if kept != 0u {
        word |= output[index] & kept;
    }
    output[index] = word;
#endif
#else
    copy(index);
#endif
}

fn copy(index: u32) {
    if index >= params.count {
        return;
    }
    let source = source_of(index);
    if source < params.window {
        output[index] = input[source];
    }
}
