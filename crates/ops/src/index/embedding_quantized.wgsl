//! output[i, e] = (code(weight, indices[i], e) − zero_points[indices[i], g]) · scales[indices[i], g], where g is
//! e / group_size. Codes of 2 bits begin at the low end of a byte, codes of 4 bits at the high one.
//! Each invocation owns one element. An index outside the vocabulary is reported, and reads the last row.
//!
//! A table larger than one binding comes in windows of rows, a dispatch each; an invocation whose row is in another window
//! does nothing.
//!
//! variants: T = f32 | f16
//! variants: S = f32 | f16
//! variants: BITS = 2 | 4 | 8
//! variants: ZERO = on | off

#import tensor
#import status

struct Params {
    count: u32,
    columns: u32,
    group_size: u32,
    vocabulary: u32,
    first_row: u32,
    rows: u32,
    /// The highest bit of a signed code.
    sign: u32,
    /// What the code 0 stands for, negated.
    middle: i32,
    node: u32,
}

@group(0) @binding(0) var<storage, read> weight: array<u32>;
@group(0) @binding(1) var<storage, read> scales: array<S>;
@group(0) @binding(2) var<storage, read> zero_points: array<S>;
@group(0) @binding(3) var<storage, read> indices: array<i32>;
@group(0) @binding(4) var<storage, read_write> output: array<T>;
@group(0) @binding(5) var<uniform> params: Params;
@group(0) @binding(6) var<storage, read_write> status: array<atomic<u32>, 2>;

const CODES: u32 = 32u / BITS;
const MASK: u32 = (1u << BITS) - 1u;

@compute @workgroup_size(WG_SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let element = flat_index(id, groups);
    if element >= params.count {
        return;
    }
    let index = indices[element / params.columns];
    // A negative index is a large one here.
    var row = bitcast<u32>(index);
    if row >= params.vocabulary {
        report_index(params.node, index);
        row = params.vocabulary - 1u;
    }
    if row < params.first_row || row - params.first_row >= params.rows {
        return;
    }
    let at = (row - params.first_row) * params.columns + element % params.columns;
    var shift = at % CODES * BITS;
#if BITS_4
    shift ^= 4u;
#endif
    let code = (weight[at / CODES] >> shift) & MASK;
    let group = at / params.group_size;
    var value = f32(i32(code ^ params.sign) - params.middle);
#if ZERO
    value -= f32(zero_points[group]);
#endif
    output[element] = T(value * f32(scales[group]));
}
