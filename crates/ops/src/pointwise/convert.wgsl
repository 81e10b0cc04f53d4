//! output[i] = input[i] as another type. Each invocation owns four neighbouring elements.
//!
//! variants: FROM = f32 | f16 | i32 | byte
//! variants: TO = f32 | f16 | i32 | byte

#import tensor
#import elements

struct Params {
    numel: u32,
    /// Whether the input's bytes are signed.
    signed: u32,
    /// Whether the result is a truth value.
    truth: u32,
}

@group(0) @binding(0) var<storage, read> input: array<FROM>;
@group(0) @binding(1) var<storage, read_write> output: array<TO>;
@group(0) @binding(2) var<uniform> params: Params;

#if FROM_f32 || FROM_f16
alias ACC = f32;

fn integer(value: f32) -> i32 {
    // What is between 0 and 1 is true all the same.
    return select(to_int(value), i32(!(value == 0.0)), params.truth == 1u);
}
#else
alias ACC = i32;

fn integer(value: i32) -> i32 {
    return value;
}
#endif

@compute @workgroup_size(WG_SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let quad = flat_index(id, groups);
    let first = quad * 4u;
    if first >= params.numel {
        return;
    }
    let count = min(4u, params.numel - first);
#if FROM_byte
    let values = unpack_bytes(input[quad], params.signed);
#else
    var values = vec4<ACC>();
    for (var i = 0u; i < count; i++) {
        values[i] = ACC(input[first + i]);
    }
#endif
#if TO_byte
    var bytes = vec4<i32>();
    for (var i = 0u; i < count; i++) {
        bytes[i] = integer(values[i]);
    }
    output[quad] = pack_bytes(bytes, params.truth);
#else
    for (var i = 0u; i < count; i++) {
#if TO_i32
        output[first + i] = integer(values[i]);
#else
        output[first + i] = TO(f32(values[i]));
#endif
    }
#endif
}
