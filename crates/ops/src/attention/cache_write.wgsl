//! cache[b, start + s, …] = value[b, s, …].
//! Each invocation owns one element of the value, or the four of a word of bytes.
//!
//! variants: T = f32 | f16 | byte

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

@group(0) @binding(0) var<storage, read> value: array<T>;
@group(0) @binding(1) var<storage, read_write> cache: array<T>;
@group(0) @binding(2) var<uniform> params: Params;
@group(0) @binding(3) var<uniform> call: Call;

@compute @workgroup_size(WG_SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let index = flat_index(id, groups);
    if index >= params.count {
        return;
    }
    let batch = index / params.value_rows;
    let target_at = batch * params.cache_rows + u32(call.start) * params.row + index % params.value_rows;
    cache[target_at] = value[index];
}
