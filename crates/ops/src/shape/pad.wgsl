//! output[c] = input[c − before] where that is inside the input. Elsewhere it is `fill`, or what the input has at the place
//! that is mirrored at its first or last element, or at the nearest, or where it begins again.
//! Each invocation owns one element, or the four elements of one word of bytes.
//!
//! variants: T = f32 | f16 | i32 | byte
//! variants: EDGE = filled | mirrored | nearest | cyclic

#import tensor

struct Params {
    input: TensorMeta,
    output: TensorMeta,
    before: array<vec4<i32>, 2>,
    fill: u32,
}

@group(0) @binding(0) var<storage, read> input: array<T>;
@group(0) @binding(1) var<storage, read_write> output: array<T>;
@group(0) @binding(2) var<uniform> params: Params;

const OUTSIDE: u32 = 0xffffffffu;

fn source_of(index: u32) -> u32 {
    var source = 0u;
    var rest = index;
    for (var i = params.output.rank; i > 0u; i--) {
        let dim = i - 1u;
        let size = params.output.sizes[dim / 4u][dim % 4u];
        let inside = i32(params.input.sizes[dim / 4u][dim % 4u]);
        var at = i32(rest % size) - params.before[dim / 4u][dim % 4u];
#if EDGE_filled
        if at < 0 || at >= inside {
            return OUTSIDE;
        }
#endif
#if EDGE_mirrored
        at = abs(at);
        at = select(at, 2 * (inside - 1) - at, at >= inside);
#endif
#if EDGE_nearest
        at = clamp(at, 0, inside - 1);
#endif
#if EDGE_cyclic
        at = select(at, at - inside, at >= inside);
#endif
        source += u32(at) * params.input.strides[dim / 4u][dim % 4u];
        rest /= size;
    }
    return source;
}

@compute @workgroup_size(WG_SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let index = flat_index(id, groups);
#if T_byte
    let first = index * 4u;
    if first >= params.output.numel {
        return;
    }
    var word = 0u;
    for (var i = 0u; i < min(4u, params.output.numel - first); i++) {
        let source = source_of(first + i);
        var byte = params.fill & 0xffu;
        if source != OUTSIDE {
            byte = (input[source / 4u] >> (source % 4u * 8u)) & 0xffu;
        }
        word |= byte << (i * 8u);
    }
    output[index] = word;
#else
    if index >= params.output.numel {
        return;
    }
    let source = source_of(index);
    if source != OUTSIDE {
        output[index] = input[source];
    } else {
#if T_f16
        output[index] = T(bitcast<f32>(params.fill));
#else
        output[index] = bitcast<T>(params.fill);
#endif
    }
#endif
}
