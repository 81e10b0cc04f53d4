//! Turns pairs (a, b) of queries and keys by an angle: (a·cos − b·sin, b·cos + a·sin).
//! A pair is elements 2i and 2i + 1 of a vector, or i and i + turned/2 of its first `turned` elements; the rest stays.
//! Vectors lie row by row with all heads, or head by head with all rows.
//! Each invocation owns one element, of a query or then of a key.
//!
//! variants: T = f32 | f16
//! variants: F = f32 | f16
//! variants: STYLE = interleaved | halves

#import tensor

struct Params {
    queries: u32,
    count: u32,
    query_heads: u32,
    key_heads: u32,
    heads_first: u32,
    rows: u32,
    width: u32,
    turned: u32,
    row_step: u32,
    head_step: u32,
    batch_step: u32,
}

struct Call {
    start: i32,
}

@group(0) @binding(0) var<storage, read> query: array<T>;
@group(0) @binding(1) var<storage, read> key: array<T>;
@group(0) @binding(2) var<storage, read> cos: array<F>;
@group(0) @binding(3) var<storage, read> sin: array<F>;
@group(0) @binding(4) var<storage, read_write> query_out: array<T>;
@group(0) @binding(5) var<storage, read_write> key_out: array<T>;
@group(0) @binding(6) var<uniform> params: Params;
@group(0) @binding(7) var<uniform> call: Call;

@compute @workgroup_size(WG_SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let number = flat_index(id, groups);
    if number >= params.count {
        return;
    }
    let is_key = number >= params.queries;
    let index = number - select(0u, params.queries, is_key);
    let heads = select(params.query_heads, params.key_heads, is_key);
    let element = index % params.width;
    let vector = index / params.width;
#if STYLE_halves
    let first = element < params.turned / 2u;
    let distance = params.turned / 2u;
    let column = element;
#else
    let first = element % 2u == 0u;
    let distance = 1u;
    let column = element / 2u;
#endif
    let turns = element < params.turned;
    let other = select(index, select(index - distance, index + distance, first), turns);
    var own = 0.0;
    var across = 0.0;
    if is_key {
        own = f32(key[index]);
        across = f32(key[other]);
    } else {
        own = f32(query[index]);
        across = f32(query[other]);
    }
    if turns {
        let row = u32(call.start) + select(vector / heads, vector, params.heads_first == 1u) % params.rows;
        let batch = vector / (heads * params.rows);
        let angle = batch * params.batch_step + row * params.row_step + vector % heads * params.head_step + column;
        own = own * f32(cos[angle]) + select(across, -across, first) * f32(sin[angle]);
    }
    if is_key {
        key_out[index] = T(own);
    } else {
        query_out[index] = T(own);
    }
}
