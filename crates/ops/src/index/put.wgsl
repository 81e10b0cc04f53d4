//! output[c] = input[c], or the value of the last of `count` indices that name the slot of c, or the sum with all of them
//! where ADD is on. Slot, first index and first value of c are Σ c[a] · steps[a] over the output's axes a; an element with
//! some c[a] of at least limits[a] has no values.
//! Each invocation owns one element, or the four of one word of bytes. An index outside the range is reported.
//!
//! variants: T = f32 | f16 | i32 | byte
//! variants: ADD = on | off

#import tensor
#import elements
#import status

struct Params {
    sizes: array<vec4<u32>, 2>,
    slot_steps: array<vec4<u32>, 2>,
    index_steps: array<vec4<u32>, 2>,
    value_steps: array<vec4<u32>, 2>,
    limits: array<vec4<u32>, 2>,
    axes: u32,
    numel: u32,
    count: u32,
    index_step: u32,
    value_step: u32,
    limit: u32,
    from_end: u32,
    /// Whether bytes are signed, or truth values.
    signed: u32,
    truth: u32,
    node: u32,
}

@group(0) @binding(0) var<storage, read> input: array<T>;
@group(0) @binding(1) var<storage, read> indices: array<i32>;
@group(0) @binding(2) var<storage, read> values: array<T>;
@group(0) @binding(3) var<storage, read_write> output: array<T>;
@group(0) @binding(4) var<uniform> params: Params;
@group(0) @binding(5) var<storage, read_write> status: array<atomic<u32>, 2>;

#if T_byte
alias ELEMENT = i32;

fn input_at(index: u32) -> ELEMENT {
    return unpack_byte(input[index / 4u], index, params.signed);
}

fn value_at(index: u32) -> ELEMENT {
    return unpack_byte(values[index / 4u], index, params.signed);
}
#else
#if T_f16
alias ELEMENT = f32;
#else
alias ELEMENT = T;
#endif

fn input_at(index: u32) -> ELEMENT {
    return ELEMENT(input[index]);
}

fn value_at(index: u32) -> ELEMENT {
    return ELEMENT(values[index]);
}
#endif

fn element(number: u32) -> ELEMENT {
    var slot = 0u;
    var first_index = 0u;
    var first_value = 0u;
    var inside = true;
    var rest = number;
    for (var i = params.axes; i > 0u; i--) {
        let axis = i - 1u;
        let size = params.sizes[axis / 4u][axis % 4u];
        let coordinate = rest % size;
        slot += coordinate * params.slot_steps[axis / 4u][axis % 4u];
        first_index += coordinate * params.index_steps[axis / 4u][axis % 4u];
        first_value += coordinate * params.value_steps[axis / 4u][axis % 4u];
        inside &= coordinate < params.limits[axis / 4u][axis % 4u];
        rest /= size;
    }
    var result = input_at(number);
    if !inside {
        return result;
    }
    for (var i = 0u; i < params.count; i++) {
        let given = indices[first_index + i * params.index_step];
        // A negative index is a large one here.
        var index = bitcast<u32>(given);
        if params.from_end != 0u && given < 0 {
            index += params.limit;
        }
        if index >= params.limit {
            report_index(params.node, given);
        }
        if index == slot {
#if ADD
            result += value_at(first_value + i * params.value_step);
#else
            result = value_at(first_value + i * params.value_step);
#endif
        }
    }
    return result;
}

@compute @workgroup_size(WG_SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let index = flat_index(id, groups);
#if T_byte
    let first = index * 4u;
    if first >= params.numel {
        return;
    }
    var bytes = vec4<i32>();
    for (var i = 0u; i < min(4u, params.numel - first); i++) {
        bytes[i] = element(first + i);
    }
    output[index] = pack_bytes(bytes, params.truth);
#else
    if index < params.numel {
        output[index] = T(element(index));
    }
#endif
}
