//! What `attention_split` computes, for one query of each head that is not turned yet: see `rotary_cache`. A workgroup
//! turns its queries when it reads them, and the one whose part the new key belongs to turns that too, and writes it and
//! its value into their caches first.
//!
//! trusted: the plan checks at each call that the row which is written and those seen lie within the caches and tables.
//!
//! variants: T = f32 | f16
//! variants: F = f32 | f16
//! variants: WHOLE = on | off
//! variants: LOAD = quad
//! variants: REDUCE = shared
//! variants: ROPE = on
//! variants: MASK = off

#import tensor
#import attention
#import attention_quads
#import turn
#import attention_part

struct Params {
    it: Attention,
    part_keys: u32,
    parts: u32,
    /// One: as many queries share a head as a workgroup takes.
    blocks: u32,
    groups: u32,
    /// Distance of two rows of the tables.
    row_step: u32,
}

struct Call {
    /// The row of the tables.
    first: i32,
    /// The row of the caches that the new key and value take.
    start: i32,
}

@group(0) @binding(0) var<storage, read> query: array<Cell>;
@group(0) @binding(1) var<storage, read> new_key: array<Cell>;
@group(0) @binding(2) var<storage, read> new_value: array<Cell>;
@group(0) @binding(3) var<storage, read> cos: array<F>;
@group(0) @binding(4) var<storage, read> sin: array<F>;
@group(0) @binding(5) var<storage, read_write> key: array<Cell>;
@group(0) @binding(6) var<storage, read_write> value: array<Cell>;
#if WHOLE
@group(0) @binding(7) var<storage, read_write> output: array<OutputCell>;
#else
@group(0) @binding(7) var<storage, read_write> output: array<vec4<f32>>;
#endif
@group(0) @binding(8) var<uniform> params: Params;
@group(0) @binding(9) var<uniform> call: Call;

/// Two pairs from `column` of a vector on, turned.
fn turned(quad: vec4<f32>, column: u32) -> vec4<f32> {
    let angle = u32(call.first) * params.row_step + column / 2u;
    let cosines = vec2(f32(cos[angle]), f32(cos[angle + 1u]));
    let sines = vec2(f32(sin[angle]), f32(sin[angle + 1u]));
    return turn(quad, cosines, sines);
}

fn query_quad(at: u32, column: u32) -> vec4<f32> {
    // Rounded to the type that a turned query has.
    return vec4<f32>(Cell(turned(vec4<f32>(query[(at + column) / 4u]), column)));
}

/// Writes the new key and value of a head.
fn write_row(number: u32, lane: u32) {
    let it = params.it;
    let source = shared_head(it, number);
    let key_at = head_at(it.key, source.batch, source.head) + u32(call.start) * it.key.z;
    let value_at = head_at(it.value, source.batch, source.head) + u32(call.start) * it.value.z;
    for (var quad = lane; quad < it.depth / 4u; quad += LANES) {
        let turned_key = turned(vec4<f32>(new_key[number * (it.depth / 4u) + quad]), quad * 4u);
        key[key_at / 4u + quad] = Cell(turned_key);
        value[value_at / 4u + quad] = new_value[number * (it.depth / 4u) + quad];
    }
}

@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, lane_of: Lane) {
    let index = flat_group(group, groups);
    if index < params.groups {
        if index % params.parts == u32(call.start) / params.part_keys {
            write_row(index / params.parts, lane_of.index);
        }
        storageBarrier();
        attend(index, lane_of);
    }
}
