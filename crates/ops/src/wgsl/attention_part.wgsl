//! Attention of four queries over one part of the keys, by a workgroup. The kernel declares `params` with the sizes `it`,
//! `part_keys`, `parts` and `blocks`, `call.start`, and the output; it says what is computed.
//!
//! axes: MASK = on | off
//! axes: WHOLE = on | off
//! axes: REDUCE = subgroup | shared
//! requires: subgroups where REDUCE = subgroup

#if WHOLE
#import attention_output
#endif

/// As many as the most keys of a part.
const LANES = 128u;
/// Lanes that share a key.
const TEAM = 4u;
/// Columns that are looked at together, and their quads.
const CHUNK = 64u;
const QUADS = 16u;
/// Lanes that share a quad of columns.
const SHARERS = 8u;

/// Products of a key by the lanes of its team, each for four queries; then sums by query, sharer and quad.
var<workgroup> sh_partial: array<vec4<f32>, 512>;
/// Weights of a key for the four queries.
var<workgroup> sh_weights: array<vec4<f32>, LANES>;
var<workgroup> sh_reduce: array<vec4<f32>, LANES>;

struct Lane {
    @builtin(local_invocation_index) index: u32,
#if REDUCE_subgroup
    @builtin(subgroup_invocation_id) in_subgroup: u32,
    @builtin(subgroup_id) subgroup: u32,
    @builtin(num_subgroups) subgroups: u32,
#endif
}

#if REDUCE_subgroup
/// The largest `value` of the workgroup, for every invocation.
fn largest(value: vec4<f32>, lane: Lane) -> vec4<f32> {
    let best = subgroupMax(value);
    if lane.in_subgroup == 0u {
        sh_reduce[lane.subgroup] = best;
    }
    workgroupBarrier();
    var result = sh_reduce[0];
    for (var i = 1u; i < lane.subgroups; i++) {
        result = max(result, sh_reduce[i]);
    }
    return result;
}

/// The sum of `value` over the workgroup, for every invocation.
fn sum(value: vec4<f32>, lane: Lane) -> vec4<f32> {
    let partial = subgroupAdd(value);
    // Some may still read the largest from the first half.
    if lane.in_subgroup == 0u {
        sh_reduce[LANES / 2u + lane.subgroup] = partial;
    }
    workgroupBarrier();
    var result = vec4<f32>();
    for (var i = 0u; i < lane.subgroups; i++) {
        result += sh_reduce[LANES / 2u + i];
    }
    return result;
}
#else
/// The largest `value` of the workgroup, for every invocation.
fn largest(value: vec4<f32>, lane: Lane) -> vec4<f32> {
    sh_reduce[lane.index] = value;
    workgroupBarrier();
    for (var step = LANES / 2u; step > 0u; step /= 2u) {
        if lane.index < step {
            sh_reduce[lane.index] = max(sh_reduce[lane.index], sh_reduce[lane.index + step]);
        }
        workgroupBarrier();
    }
    let result = sh_reduce[0];
    workgroupBarrier();
    return result;
}

/// The sum of `value` over the workgroup, for every invocation.
fn sum(value: vec4<f32>, lane: Lane) -> vec4<f32> {
    sh_reduce[lane.index] = value;
    workgroupBarrier();
    for (var step = LANES / 2u; step > 0u; step /= 2u) {
        if lane.index < step {
            sh_reduce[lane.index] += sh_reduce[lane.index + step];
        }
        workgroupBarrier();
    }
    return sh_reduce[0];
}
#endif

/// Products of a lane of a team, of some columns, which may come on top of those of columns before.
fn add_products(cell: u32, products: vec4<f32>, again: bool) {
    if again {
        sh_partial[cell] += products;
    } else {
        sh_partial[cell] = products;
    }
}

/// Adds a value to the sums of four queries, with the weights of its key; past the last key it weighs nothing.
fn add_weighted(sums: ptr<function, mat4x4<f32>>, key: u32, count: u32, elements: vec4<f32>) {
    let weight = select(vec4<f32>(), sh_weights[min(key, LANES - 1u)], vec4(key < count));
    (*sums)[0] += weight.x * elements;
    (*sums)[1] += weight.y * elements;
    (*sums)[2] += weight.z * elements;
    (*sums)[3] += weight.w * elements;
}

/// Products of `count` keys with four queries, each by the columns of one lane of a team.
fn multiply(it: Attention, query_at: vec4<u32>, key_at: u32, count: u32, lane: u32) {
    let in_team = lane % TEAM;
    for (var first = 0u; first < it.depth; first += CHUNK) {
        var queries: array<mat4x4<f32>, 4>;
        for (var s = 0u; s < 4u; s++) {
            let column = first + (s * TEAM + in_team) * 4u;
            queries[s] = mat4x4<f32>();
            if column < it.depth {
                queries[s] = mat4x4(
                    query_quad(query_at.x, column),
                    query_quad(query_at.y, column),
                    query_quad(query_at.z, column),
                    query_quad(query_at.w, column),
                );
            }
        }
        // Two keys at a time, so that more loads are on their way.
        for (var i = lane / TEAM; i < count; i += 2u * LANES / TEAM) {
            let other = i + LANES / TEAM;
            let other_at = key_at + min(other, count - 1u) * it.key.z;
            var products = vec4<f32>();
            var others = vec4<f32>();
            for (var s = 0u; s < 4u; s++) {
                let column = first + (s * TEAM + in_team) * 4u;
                if column < it.depth {
                    let one = key_quad(key_at + i * it.key.z, column);
                    if other < count {
                        others += key_quad(other_at, column) * queries[s];
                    }
                    products += one * queries[s];
                }
            }
            add_products(i * TEAM + in_team, products, first > 0u);
            if other < count {
                add_products(other * TEAM + in_team, others, first > 0u);
            }
        }
    }
}

/// Attends to one part: `index` numbers heads of keys and values, blocks of four queries, and parts.
fn attend(index: u32, lane_of: Lane) {
    let it = params.it;
    let lane = lane_of.index;
    let part = index % params.parts;
    let block = index / params.parts % params.blocks;
    let number = index / params.parts / params.blocks;
    let source = shared_head(it, number);
    let first_vector = block * 4u;
    let vectors = it.rows * it.group;

    var query_at: vec4<u32>;
    var mask_at: vec4<u32>;
    var output_at: vec4<u32>;
    var seen: vec4<u32>;
    for (var j = 0u; j < 4u; j++) {
        let vector = vector_of(it, source.head, min(first_vector + j, vectors - 1u));
        query_at[j] = head_at(it.query, source.batch, vector.head) + vector.row * it.query.z;
        mask_at[j] = mask_of(it.mask, source.batch, vector.head) + vector.row * it.mask.z;
        output_at[j] = head_at(it.output, source.batch, vector.head) + vector.row * it.output.z;
        seen[j] = seen_by(it, call.start, vector.row);
    }
    let first = part * params.part_keys;
    // Later queries see no fewer keys. The second launch knows as well which parts a query does not need.
    if first >= seen.w && part > 0u {
        return;
    }
    let count = min(seen.w - first, params.part_keys);

    let value_at = head_at(it.value, source.batch, source.head) + first * it.value.z;
    let quad = lane % QUADS;
    let sharer = lane / QUADS;
    // The first values are on their way while the weights are computed.
#for u in 4
    var early$u = vec4<f32>();
    if count > 0u && quad * 4u < it.width {
        early$u = value_quad(value_at + min(sharer + $uu * SHARERS, count - 1u) * it.value.z, quad * 4u);
    }
#end
    let key_at = head_at(it.key, source.batch, source.head) + first * it.key.z;
    multiply(it, query_at, key_at, count, lane);
    workgroupBarrier();

    var scores = vec4(LOWEST);
    var visible = vec4<bool>();
    if lane < count {
        let cell = lane * TEAM;
        scores = sh_partial[cell] + sh_partial[cell + 1u] + sh_partial[cell + 2u] + sh_partial[cell + 3u];
        scores *= it.scale;
#if MASK
        let column = (first + lane) * it.mask.w;
        scores += vec4(
            f32(mask[mask_at.x + column]),
            f32(mask[mask_at.y + column]),
            f32(mask[mask_at.z + column]),
            f32(mask[mask_at.w + column]),
        );
#endif
        visible = vec4(first + lane) < seen;
        scores = select(vec4(LOWEST), scores, visible);
    }
    // Scores may be −∞ throughout, whose differences would be no numbers.
    let most = max(largest(scores, lane_of), vec4(LOWEST));
    let weights = select(vec4(0.0), exp(scores - most), visible);
    sh_weights[lane] = weights;
    // Its barriers also make the weights known to all.
    let total = sum(weights, lane_of);

    for (var chunk = 0u; chunk < it.width; chunk += CHUNK) {
        let column = chunk + quad * 4u;
        var sums = mat4x4<f32>();
        if column < it.width {
            var next = sharer;
            if chunk == 0u {
#for u in 4
                add_weighted(&sums, sharer + $uu * SHARERS, count, early$u);
#end
                next += 4u * SHARERS;
            }
            // Four at a time, so that more loads are on their way.
            for (var i = next; i < count; i += 4u * SHARERS) {
#for u in 4
                let elements$u = value_quad(value_at + min(i + $uu * SHARERS, count - 1u) * it.value.z, column);
#end
#for u in 4
                add_weighted(&sums, i + $uu * SHARERS, count, elements$u);
#end
            }
        }
        if chunk > 0u {
            workgroupBarrier();
        }
        sh_partial[lane] = sums[0];
        sh_partial[LANES + lane] = sums[1];
        sh_partial[2u * LANES + lane] = sums[2];
        sh_partial[3u * LANES + lane] = sums[3];
        workgroupBarrier();

        // Of the lanes that share a quad, the first four take a query each.
        if sharer < 4u && first_vector + sharer < vectors && column < it.width {
            var result = vec4<f32>();
            for (var i = 0u; i < SHARERS; i++) {
                result += sh_partial[sharer * LANES + i * QUADS + quad];
            }
#if WHOLE
            // Nothing to attend to gives zeros.
            if seen[sharer] > 0u {
                result /= divisor_of(it, total)[sharer];
            }
            store_quad(output_at[sharer], column, result);
#else
            let quads = (it.width + 3u) / 4u;
            let at = ((number * vectors + first_vector + sharer) * params.parts + part) * (quads + 1u);
            output[at + column / 4u] = result;
            if column == 0u {
                output[at + quads] = vec4(most[sharer], total[sharer], 0.0, 0.0);
            }
#endif
        }
    }
}
