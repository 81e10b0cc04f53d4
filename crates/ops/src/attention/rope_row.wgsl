//! What `attention_split` computes, for one query of each head that is not turned yet: see `rotary_cache`. A workgroup takes
//! QUERIES of those that share keys, and a part of these. It turns its queries and the new key while keys are on their way. One
//! of the workgroups whose part has the new key writes it and its value into their caches; none reads them there. A part
//! without keys leaves word that its weights are none.
//!
//! What is read, up to 64 columns of a vector, is on its way before anything is computed.
//!
//! trusted: the plan checks at each call that the row which is written and those seen lie within the caches and tables.
//!
//! variants: T = f32 | f16
//! variants: F = f32 | f16
//! variants: WHOLE = on | off
//! variants: QUERIES = 1 | 2
//! variants: LOAD = quad
//! variants: ROPE = on
//! requires: subgroups

#import attention
#import attention_quads
#import turn

struct Params {
    /// Strides of batch, head and row, in elements.
    key: vec3<u32>,
    /// The most keys of a part.
    part_keys: u32,
    value: vec3<u32>,
    scale: f32,
    /// Strides of batch and head.
    query: vec2<u32>,
    output: vec2<u32>,
    /// Distance of two rows of the tables, in fours of columns.
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
@group(0) @binding(3) var<storage, read> cos: array<vec2<F>>;
@group(0) @binding(4) var<storage, read> sin: array<vec2<F>>;
@group(0) @binding(5) var<storage, read_write> key: array<Cell>;
@group(0) @binding(6) var<storage, read_write> value: array<Cell>;
#if WHOLE
@group(0) @binding(7) var<storage, read_write> output: array<vec4<T>>;
#else
@group(0) @binding(7) var<storage, read_write> output: array<vec4<f32>>;
#endif
@group(0) @binding(8) var<uniform> params: Params;
@group(0) @binding(9) var<uniform> call: Call;

/// Heads of keys in a batch, and queries that share one.
override HEADS: u32 = 8u;
override GROUP: u32 = 4u;
/// Elements of a vector.
override DEPTH: u32 = 64u;
/// Quads of the queries and of the new key.
override TURNED: u32 = 48u;
/// Lanes of a subgroup, and subgroups of the workgroup.
override SUBGROUP: u32 = 32u;
override SUBGROUPS: u32 = 8u;

const LANES = 256u;
/// Lanes that share a key, and keys that the workgroup looks at together. A part has at most twice as many.
const TEAM = 4u;
const KEYS = 64u;
const LARGEST_PART = 128u;
/// Columns that are looked at together, and their quads.
const CHUNK = 64u;
const QUADS = 16u;
/// Lanes that share a quad of columns.
const SHARERS = 16u;

#if QUERIES_1
/// A number for each query.
alias Each = f32;
#else
alias Each = vec2<f32>;
#endif

/// The queries and then the new key, turned.
var<workgroup> sh_turned: array<vec4<f32>, TURNED>;
/// Weights of a key.
var<workgroup> sh_weights: array<Each, LARGEST_PART>;
var<workgroup> sh_largest: array<Each, SUBGROUPS>;
var<workgroup> sh_totals: array<Each, SUBGROUPS>;
/// Sums by query, sharer and quad.
var<workgroup> sh_sums: array<vec4<f32>, QUERIES * LANES>;

struct Lane {
    @builtin(subgroup_invocation_id) in_subgroup: u32,
    @builtin(subgroup_id) subgroup: u32,
}

struct Angles {
    cosines: vec2<f32>,
    sines: vec2<f32>,
}

/// The angles of two pairs from `column` of a vector on.
fn angles_at(column: u32) -> Angles {
    let at = u32(call.first) * params.row_step + column / 4u;
    return Angles(vec2<f32>(cos[at]), vec2<f32>(sin[at]));
}

/// Two pairs, turned and rounded to the type that they have then.
fn turned(quad: vec4<f32>, angles: Angles) -> vec4<f32> {
    return vec4<f32>(Cell(turn(quad, angles.cosines, angles.sines)));
}

#if !WHOLE
/// Where the sums of a query over a part of its keys are, before its largest score and the sum of its weights.
fn part_at(number: u32, vector: u32, part: u32, parts: u32) -> u32 {
    return ((number * GROUP + vector) * parts + part) * (DEPTH / 4u + 1u);
}
#endif

/// The sum over a team.
fn team_sum(value: Each) -> Each {
    let pair = value + subgroupShuffleXor(value, 1u);
    return pair + subgroupShuffleXor(pair, 2u);
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, lane_of: Lane) {
    let part = group.x;
    let block = group.y;
    let number = group.z;
    let first = part * params.part_keys;
    let start = u32(call.start);
    if first > start {
#if !WHOLE
        let vector = block * QUERIES + lane_of.in_subgroup;
        if lane_of.subgroup == 0u && lane_of.in_subgroup < QUERIES && vector < GROUP {
            output[part_at(number, vector, part, groups.x) + DEPTH / 4u] = vec4<f32>();
        }
#endif
        return;
    }
    let batch = number / HEADS;
    let head = number % HEADS;
    let lane = lane_of.subgroup * SUBGROUP + lane_of.in_subgroup;
    // Keys of the part, and those of them that are in the cache.
    let count = min(start + 1u - first, params.part_keys);
    let known = min(start - first, params.part_keys);
    let writes = block == 0u && first + params.part_keys > start;

    // Where the head begins in the caches, and the part in it.
    let head_keys_at = batch * params.key.x + head * params.key.y;
    let head_values_at = batch * params.value.x + head * params.value.y;
    let keys_at = head_keys_at + first * params.key.z;
    let values_at = head_values_at + first * params.value.z;
    let new_at = number * (DEPTH / 4u);
    let one = lane / TEAM;
    let other = one + KEYS;
    let quad = lane % QUADS;
    let sharer = lane / QUADS;
    var ones = Each();
    var others = Each();
#for u in 8
    var early$u = vec4<f32>();
#end
    var fresh = vec4<f32>();
    for (var chunk = 0u; chunk < DEPTH; chunk += CHUNK) {
#for s in 4
        let column$s = chunk + ($su * TEAM + lane % TEAM) * 4u;
        let within$s = column$s < DEPTH;
        var one$s = vec4<f32>();
        var other$s = vec4<f32>();
#end
        if known > 0u {
#for s in 4
            if within$s {
                one$s = key_quad(keys_at + min(one, known - 1u) * params.key.z, column$s);
            }
#end
            if known > KEYS {
#for s in 4
                if within$s {
                    other$s = key_quad(keys_at + min(other, known - 1u) * params.key.z, column$s);
                }
#end
            }
        }
        if chunk == 0u && quad * 4u < DEPTH {
            fresh = vec4<f32>(new_value[new_at + quad]);
            if known > 0u {
#for u in 8
                if $uu * SHARERS < known {
                    early$u = value_quad(values_at + min(sharer + $uu * SHARERS, known - 1u) * params.value.z, quad * 4u);
                }
#end
            }
        }
        if chunk == 0u {
            for (var at = lane; at < TURNED; at += LANES) {
                let vector = at / (DEPTH / 4u);
                let place = at % (DEPTH / 4u);
                let of_head = head * GROUP + min(block * QUERIES + vector, GROUP - 1u);
                var given: vec4<f32>;
                if vector < QUERIES {
                    given = vec4<f32>(query[(batch * params.query.x + of_head * params.query.y) / 4u + place]);
                } else {
                    given = vec4<f32>(new_key[new_at + place]);
                }
                sh_turned[at] = turned(given, angles_at(place * 4u));
            }
            workgroupBarrier();
        }
#for s in 4
        if within$s {
            let turned_key = sh_turned[QUERIES * (DEPTH / 4u) + column$s / 4u];
            if writes && one == 0u {
                key[(head_keys_at + start * params.key.z + column$s) / 4u] = Cell(turned_key);
            }
            one$s = select(one$s, turned_key, one == known);
            other$s = select(other$s, turned_key, other == known);
#for q in QUERIES
            let asked$q = sh_turned[$qu * (DEPTH / 4u) + column$s / 4u];
#end
#if QUERIES_1
            ones += dot(one$s, asked0);
            others += dot(other$s, asked0);
#else
            ones += vec2(dot(one$s, asked0), dot(one$s, asked1));
            others += vec2(dot(other$s, asked0), dot(other$s, asked1));
#endif
        }
#end
    }
    ones = select(Each(LOWEST), team_sum(ones) * params.scale, one < count);
    others = select(Each(LOWEST), team_sum(others) * params.scale, other < count);

    let largest = subgroupMax(max(ones, others));
    if lane_of.in_subgroup == 0u {
        sh_largest[lane_of.subgroup] = largest;
    }
    workgroupBarrier();
    var most = sh_largest[0];
    for (var i = 1u; i < SUBGROUPS; i++) {
        most = max(most, sh_largest[i]);
    }
    var weights = Each();
    if lane % TEAM == 0u {
        ones = select(Each(), exp(ones - most), one < count);
        others = select(Each(), exp(others - most), other < count);
        sh_weights[one] = ones;
        sh_weights[other] = others;
        weights = ones + others;
    }
    let in_subgroup = subgroupAdd(weights);
    if lane_of.in_subgroup == 0u {
        sh_totals[lane_of.subgroup] = in_subgroup;
    }
    workgroupBarrier();

    for (var chunk = 0u; chunk < DEPTH; chunk += CHUNK) {
        let column = chunk + quad * 4u;
#for q in QUERIES
        var sum$q = vec4<f32>();
#end
        if column < DEPTH {
            if chunk > 0u {
                fresh = vec4<f32>(new_value[new_at + column / 4u]);
                if known > 0u {
#for u in 8
                    early$u = value_quad(values_at + min(sharer + $uu * SHARERS, known - 1u) * params.value.z, column);
#end
                }
            }
            if writes && sharer == 0u {
                value[(head_values_at + start * params.value.z + column) / 4u] = Cell(fresh);
            }
#for u in 8
            if $uu * SHARERS < count {
                let key$u = sharer + $uu * SHARERS;
                let weight = sh_weights[key$u];
                let elements = select(early$u, fresh, key$u == known);
#if QUERIES_1
                sum0 += weight * elements;
#else
                sum0 += weight.x * elements;
                sum1 += weight.y * elements;
#endif
            }
#end
        }
        if chunk > 0u {
            workgroupBarrier();
        }
#for q in QUERIES
        sh_sums[$qu * LANES + lane] = sum$q;
#end
        workgroupBarrier();

        // Of the lanes that share a quad, some take a query each.
        let vector = block * QUERIES + sharer;
        if sharer < QUERIES && vector < GROUP && column < DEPTH {
            var result = vec4<f32>();
            for (var i = 0u; i < SHARERS; i++) {
                result += sh_sums[sharer * LANES + i * QUADS + quad];
            }
            var totals = Each();
            for (var i = 0u; i < SUBGROUPS; i++) {
                totals += sh_totals[i];
            }
#if QUERIES_1
            let total = totals;
            let score = most;
#else
            let total = totals[sharer];
            let score = most[sharer];
#endif
#if WHOLE
            let at = batch * params.output.x + (head * GROUP + vector) * params.output.y + column;
            output[at / 4u] = vec4<T>(result / total);
#else
            let at = part_at(number, vector, part, groups.x);
            output[at + column / 4u] = result;
            if column == 0u {
                output[at + DEPTH / 4u] = vec4(score, total, 0.0, 0.0);
            }
#endif
        }
    }
}
