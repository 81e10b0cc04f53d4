//! Turns pairs (a, b) of elements 2i and 2i + 1 by an angle: (a·cos − b·sin, b·cos + a·sin). Turned queries go to
//! `query_out`, turned keys to the rows of their cache from `start` on, and values to those of theirs as they are.
//! Each invocation owns one pair: of a query, then of a key, then of a value.
//!
//! variants: T = f32 | f16
//! variants: F = f32 | f16

#import tensor

struct Params {
    /// Pairs of all queries, and of all keys, which are as many as those of all values.
    queries: u32,
    keys: u32,
    rows: u32,
}

override QUERY_HEADS: u32 = 1u;
override KEY_HEADS: u32 = 1u;
/// Pairs of one head.
override PAIRS: u32 = 32u;
/// Rows of a cache.
override CONTEXT: u32 = 1u;
/// Distances of rows and of heads in the tables.
override ROW_STEP: u32 = 32u;
override HEAD_STEP: u32 = 0u;

struct Call {
    /// The row of the tables for the first query and key.
    first: i32,
    /// The row of the caches for the first key and value.
    start: i32,
}

@group(0) @binding(0) var<storage, read> query: array<vec2<T>>;
@group(0) @binding(1) var<storage, read> key: array<vec2<T>>;
@group(0) @binding(2) var<storage, read> value: array<vec2<T>>;
@group(0) @binding(3) var<storage, read> cos: array<F>;
@group(0) @binding(4) var<storage, read> sin: array<F>;
@group(0) @binding(5) var<storage, read_write> query_out: array<vec2<T>>;
@group(0) @binding(6) var<storage, read_write> key_cache: array<vec2<T>>;
@group(0) @binding(7) var<storage, read_write> value_cache: array<vec2<T>>;
@group(0) @binding(8) var<uniform> params: Params;
@group(0) @binding(9) var<uniform> call: Call;

/// Pair `index` of queries or keys that have `heads`, turned.
fn turned(pair: vec2<T>, index: u32, heads: u32) -> vec2<T> {
    let vector = index / PAIRS;
    let row = u32(call.first) + vector / heads % params.rows;
    let angle = row * ROW_STEP + vector % heads * HEAD_STEP + index % PAIRS;
    let own = vec2<f32>(pair);
    return vec2<T>(own * f32(cos[angle]) + vec2(-own.y, own.x) * f32(sin[angle]));
}

/// Where pair `index` of keys or values goes in its cache.
fn place(index: u32) -> u32 {
    let row = KEY_HEADS * PAIRS;
    let block = params.rows * row;
    return index / block * CONTEXT * row + u32(call.start) * row + index % block;
}

@compute @workgroup_size(WG_SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let number = flat_index(id, groups);
    if number < params.queries {
        query_out[number] = turned(query[number], number, QUERY_HEADS);
        return;
    }
    let index = number - params.queries;
    if index < params.keys {
        key_cache[place(index)] = turned(key[index], index, KEY_HEADS);
    } else if index < 2u * params.keys {
        let at = index - params.keys;
        value_cache[place(at)] = value[at];
    }
}
