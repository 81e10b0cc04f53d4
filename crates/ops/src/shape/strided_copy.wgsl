//! output[c] = input[offset + call.start · start_step + Σ c[d] · steps[d]] over the output's coordinates c.
//! Each invocation owns one element, or the four elements of one word of bytes.
//!
//! variants: T = f32 | f16 | i32 | byte

#import tensor

struct Params {
    out: TensorMeta,
    steps: array<vec4<i32>, 2>,
    offset: i32,
    start_step: i32,
}

struct Call {
    start: i32,
}

@group(0) @binding(0) var<storage, read> input: array<T>;
@group(0) @binding(1) var<storage, read_write> output: array<T>;
@group(0) @binding(2) var<uniform> params: Params;
@group(0) @binding(3) var<uniform> call: Call;

fn source_of(index: u32) -> u32 {
    var source = params.offset + call.start * params.start_step;
    var rest = index;
    for (var i = params.out.rank; i > 0u; i--) {
        let dim = i - 1u;
        let size = params.out.sizes[dim / 4u][dim % 4u];
        source += i32(rest % size) * params.steps[dim / 4u][dim % 4u];
        rest /= size;
    }
    return u32(source);
}

@compute @workgroup_size(WG_SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let index = flat_index(id, groups);
#if T_byte
    let first = index * 4u;
    if first >= params.out.numel {
        return;
    }
    var word = 0u;
    for (var i = 0u; i < min(4u, params.out.numel - first); i++) {
        let source = source_of(first + i);
        let byte = (input[source / 4u] >> (source % 4u * 8u)) & 0xffu;
        word |= byte << (i * 8u);
    }
    output[index] = word;
#else
    if index >= params.out.numel {
        return;
    }
    output[index] = input[source_of(index)];
#endif
}
