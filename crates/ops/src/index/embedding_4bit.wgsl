//! output[i, e] = (nibble(weight, indices[i], e) − 8 − zero_points[indices[i], g]) · scales[indices[i], g], where g is
//! e / group_size and even columns are high nibbles.
//! Each invocation owns one element. An index outside the vocabulary is reported, and reads the last row.
//!
//! variants: T = f32 | f16
//! variants: S = f32 | f16
//! variants: ZERO = on | off

#import tensor
#import status

struct Params {
    count: u32,
    columns: u32,
    group_size: u32,
    vocabulary: u32,
    node: u32,
}

@group(0) @binding(0) var<storage, read> weight: array<u32>;
@group(0) @binding(1) var<storage, read> scales: array<S>;
@group(0) @binding(2) var<storage, read> zero_points: array<S>;
@group(0) @binding(3) var<storage, read> indices: array<i32>;
@group(0) @binding(4) var<storage, read_write> output: array<T>;
@group(0) @binding(5) var<uniform> params: Params;
@group(0) @binding(6) var<storage, read_write> status: array<atomic<u32>, 2>;

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
    let at = row * params.columns + element % params.columns;
    let shift = at / 2u % 4u * 8u + select(4u, 0u, at % 2u == 1u);
    let nibble = (weight[at / 8u] >> shift) & 15u;
    let group = at / params.group_size;
    var value = f32(nibble) - 8.0;
#if ZERO
    value -= f32(zero_points[group]);
#endif
    output[element] = T(value * f32(scales[group]));
}
