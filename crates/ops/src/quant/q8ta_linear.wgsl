//! output[m, n] = finish(Σ_k (input[m, k] − input_zero) · weight[n, k], scales[n], bias[n]) of signed bytes, added as
//! integers, with the bias where it is one.
//! Each invocation owns four consecutive outputs, which are one word where they are bytes. Four columns of one row
//! share the words of the input (WORDS: rows are whole words).
//!
//! variants: S = f32 | f16
//! variants: Q = byte | f32 | f16
//! variants: BIAS = none | float | integer
//! variants: WORDS = on | off

#import tensor
#import bytes
#import affine
#import q8ta

struct Params {
    count: u32,
    columns: u32,
    depth: u32,
    input_zero: i32,
    input_scale: f32,
    inverse_scale: f32,
    zero: f32,
    least: f32,
    low: f32,
    high: f32,
}

#if BIAS_integer
alias OFFSET = i32;
#else
alias OFFSET = S;
#endif

@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read> weight: array<u32>;
@group(0) @binding(2) var<storage, read> scales: array<S>;
@group(0) @binding(3) var<storage, read> bias: array<OFFSET>;
@group(0) @binding(4) var<storage, read_write> output: array<Q>;
@group(0) @binding(5) var<uniform> params: Params;

const ONES = 0x01010101u;

@compute @workgroup_size(WG_SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let index = flat_index(id, groups);
    let first = index * 4u;
    if first >= params.count {
        return;
    }
    let outputs = min(4u, params.count - first);
    var rows: vec4<u32>;
    var columns: vec4<u32>;
    for (var i = 0u; i < 4u; i++) {
        let position = min(first + i, params.count - 1u);
        rows[i] = position / params.columns;
        columns[i] = position % params.columns;
    }
    var sums = vec4<i32>();
#if WORDS
    let words = params.depth / 4u;
    for (var k = 0u; k < words; k++) {
        for (var i = 0u; i < 4u; i++) {
            let w = weight[columns[i] * words + k];
            sums[i] += dot4I8Packed(input[rows[i] * words + k], w) - params.input_zero * dot4I8Packed(ONES, w);
        }
    }
#else
    for (var k = 0u; k < params.depth; k++) {
        for (var i = 0u; i < 4u; i++) {
            let x = rows[i] * params.depth + k;
            let w = columns[i] * params.depth + k;
            sums[i] += (byte_at(input[x / 4u], x, 128u) - params.input_zero) * byte_at(weight[w / 4u], w, 128u);
        }
    }
#endif
    var word = 0u;
    for (var i = 0u; i < outputs; i++) {
        var sum = sums[i];
        var offset = 0.0;
#if BIAS_integer
        sum += bias[columns[i]];
#endif
#if BIAS_float
        offset = f32(bias[columns[i]]);
#endif
        let value = finish_float(sum, f32(scales[columns[i]]), offset);
#if Q_byte
        word |= byte_to(finish_byte(value), i);
#else
        output[first + i] = Q(value);
#endif
    }
#if Q_byte
    output[index] = word;
#endif
}
