//! cache[b, indices[b, s], …] = value[b, s, …]. An index outside the rows of the cache is reported, and nothing is written.
//! Each invocation owns one element of the value, or the four of a word of bytes.
//!
//! variants: T = f32 | f16 | byte

#import tensor
#import status

struct Params {
    count: u32,
    row: u32,
    value_rows: u32,
    limit: u32,
    node: u32,
}

@group(0) @binding(0) var<storage, read> value: array<T>;
@group(0) @binding(1) var<storage, read_write> cache: array<T>;
@group(0) @binding(2) var<storage, read> indices: array<i32>;
@group(0) @binding(3) var<uniform> params: Params;
@group(0) @binding(4) var<storage, read_write> status: array<atomic<u32>, 2>;

@compute @workgroup_size(WG_SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let index = flat_index(id, groups);
    if index >= params.count {
        return;
    }
    let given = indices[index / params.row];
    // A negative index is a large one here.
    let row = bitcast<u32>(given);
    if row >= params.limit {
        report_index(params.node, given);
        return;
    }
    let batch = index / params.value_rows;
    cache[(batch * params.limit + row) * params.row + index % params.row] = value[index];
}
