//! output[o, d, i] = source[o, (d − start) / step, i] where d is in the slice, else input[o, d, i].
//! Each invocation owns one element, or the four of one word of bytes.
//!
//! variants: T = f32 | f16 | i32 | byte

#import tensor

struct Params {
    numel: u32,
    /// The size of the sliced dimension, and the elements within one of it.
    size: u32,
    inner: u32,
    /// The distance from one element of the slice to the next, and their number.
    step: u32,
    length: u32,
}

struct Call {
    start: i32,
}

@group(0) @binding(0) var<storage, read> input: array<T>;
@group(0) @binding(1) var<storage, read> source: array<T>;
@group(0) @binding(2) var<storage, read_write> output: array<T>;
@group(0) @binding(3) var<uniform> params: Params;
@group(0) @binding(4) var<uniform> call: Call;

#if T_byte
fn input_at(index: u32) -> u32 {
    return (input[index / 4u] >> (index % 4u * 8u)) & 0xffu;
}

fn source_at(index: u32) -> u32 {
    return (source[index / 4u] >> (index % 4u * 8u)) & 0xffu;
}
#else
fn input_at(index: u32) -> T {
    return input[index];
}

fn source_at(index: u32) -> T {
    return source[index];
}
#endif

fn element(index: u32) -> T {
    let inner = index % params.inner;
    let place = index / params.inner % params.size;
    let outer = index / (params.inner * params.size);
    // What lies before the start wraps around to a large number.
    let after = place - u32(call.start);
    let number = after / params.step;
    if after >= params.size || after % params.step != 0u || number >= params.length {
        return input_at(index);
    }
    return source_at((outer * params.length + number) * params.inner + inner);
}

@compute @workgroup_size(WG_SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let index = flat_index(id, groups);
#if T_byte
    let first = index * 4u;
    if first >= params.numel {
        return;
    }
    var word = 0u;
    for (var i = 0u; i < min(4u, params.numel - first); i++) {
        word |= element(first + i) << (i * 8u);
    }
    output[index] = word;
#else
    if index < params.numel {
        output[index] = element(index);
    }
#endif
}
