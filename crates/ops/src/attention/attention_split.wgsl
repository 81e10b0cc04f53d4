//! Four queries that share a head of keys and values, over one part of the keys: for each of them Σ_j exp(s_j − m) ·
//! value[j], m = max_j s_j and l = Σ_j exp(s_j − m), where s_j = query · key[j] · scale + mask[j].
//! One workgroup per four queries and part. A team of lanes takes a key for the products, a lane takes a key for its
//! weights, and every 16th lane takes the same four columns of the values.
//!
//! Where one part is all there is (WHOLE), the output itself; otherwise query and part get the sum, then m and l.
//!
//! trusted: the plan checks at each call that the rows a query sees lie within the keys and values, and sizes the rest.
//!
//! variants: T = f32 | f16
//! variants: MASK = on | off
//! variants: WHOLE = on | off
//! variants: LOAD = quad | any
//! variants: REDUCE = subgroup | shared

#import tensor
#import attention
#import attention_quads
#import attention_part

struct Params {
    it: Attention,
    part_keys: u32,
    parts: u32,
    /// Blocks of four queries for each head of keys and values.
    blocks: u32,
    groups: u32,
}

struct Call {
    start: i32,
}

@group(0) @binding(0) var<storage, read> query: array<Cell>;
@group(0) @binding(1) var<storage, read> key: array<Cell>;
@group(0) @binding(2) var<storage, read> value: array<Cell>;
@group(0) @binding(3) var<storage, read> mask: array<T>;
#if WHOLE
@group(0) @binding(4) var<storage, read_write> output: array<OutputCell>;
#else
@group(0) @binding(4) var<storage, read_write> output: array<vec4<f32>>;
#endif
@group(0) @binding(5) var<uniform> params: Params;
@group(0) @binding(6) var<uniform> call: Call;

@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, lane_of: Lane) {
    let index = flat_group(group, groups);
    if index < params.groups {
        attend(index, lane_of);
    }
}
