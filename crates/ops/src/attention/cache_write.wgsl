//! cache[b, start + s, …] = value[b, s, …], or where INDEXED cache[b, indices[b, s], …].
//! Each invocation owns one element of the value, or the four of a word of bytes.
//!
//! variants: T = f32 | f16 | byte
//! variants: INDEXED = on | off

#import tensor

struct Params {
    count: u32,
    row: u32,
    value_rows: u32,
    cache_rows: u32,
}

struct Call {
    start: i32,
}

#if INDEXED
alias INDEX = i32;
#else
alias INDEX = T;
#endif

@group(0) @binding(0) var<storage, read> value: array<T>;
@group(0) @binding(1) var<storage, read_write> cache: array<T>;
@group(0) @binding(2) var<storage, read> indices: array<INDEX>;
@group(0) @binding(3) var<uniform> params: Params;
@group(0) @binding(4) var<uniform> call: Call;

@compute @workgroup_size(WG_SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let index = flat_index(id, groups);
    if index >= params.count {
        return;
    }
    let batch = index / params.value_rows;
#if INDEXED
    let row = indices[index / params.row];
    let target_at = batch * params.cache_rows + u32(row) * params.row + index % params.row;
    // A row that is out of range is reported, and not written.
    if row < 0 || u32(row) * params.row >= params.cache_rows {
        return;
    }
#else
    let target_at = batch * params.cache_rows + u32(call.start) * params.row + index % params.value_rows;
#endif
    cache[target_at] = value[index];
}
