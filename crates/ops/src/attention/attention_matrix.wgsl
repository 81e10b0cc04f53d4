//! softmax(query · keyᵀ · scale) · value for a tile of 64 queries of one head, of 64 elements each, on matrix units.
//! One workgroup per head and tile. It goes through the keys 32 at a time and keeps the largest score, the sum of weights and the
//! weighted sum of values so far; tiles of keys that no query sees are left out. Each of its four subgroups owns 16
//! queries; of these, two lanes own one, and every other quad of its scores and columns.
//!
//! Matrix units multiply 16-bit floats and add in 32 bits. With EXACT a number is the sum of two such floats, and three
//! products instead of one keep the error near that of 32-bit arithmetic. Without, all are rounded once. Queries, keys
//! and values are multiplied by powers of two, one for each tile, that keep them in the range of such floats.
//!
//! variants: T = f32 | f16
//! variants: EXACT = on | off
//! variants: LOAD = quad
//! requires: f16, subgroups, matrix
//! trusted: rows and keys past the last are clamped to it when read and never written, and the plan checks the rows of
//! caches.

#import attention
#import attention_quads
#import attention_output
#import power_of_two
#import half_part

struct Params {
    it: Attention,
    tiles: u32,
}

/// Heads of queries, and how many of them share a head of keys.
override HEADS: u32 = 1u;
override GROUP: u32 = 1u;

struct Call {
    start: i32,
}

@group(0) @binding(0) var<storage, read> query: array<Cell>;
@group(0) @binding(1) var<storage, read> key: array<Cell>;
@group(0) @binding(2) var<storage, read> value: array<Cell>;
@group(0) @binding(3) var<storage, read_write> output: array<OutputCell>;
@group(0) @binding(4) var<uniform> params: Params;
@group(0) @binding(5) var<uniform> call: Call;

/// Queries of a tile, and keys of a step.
const ROWS = 64u;
const KEYS = 32u;
/// Quads of a vector.
const QUADS = 16u;
/// Quads of a staged vector, of a query's weights and of its sums, padded so that rows begin in different banks.
const PITCH = QUADS + 2u;
const WEIGHT_PITCH = KEYS / 4u + 2u;
#if EXACT
const HALVES = 2u;
#else
const HALVES = 1u;
#endif
/// Where the rests of rounded numbers lie.
const REST = ROWS * PITCH;
const WEIGHT_REST = ROWS * WEIGHT_PITCH;
/// Where values lie: after the keys.
const VALUES = KEYS * PITCH;
/// Subgroups of a workgroup.
const SUBGROUPS = 4u;
/// The binary exponent that the largest element of a tile gets: a sum of two is within the range of 16-bit floats.
const EXPONENT = 13u;
/// What the largest weight is, since small 16-bit floats have fewer digits. The sum of weights has this factor too.
const LARGEST_WEIGHT = 8192.0;

/// Queries before the first step, then keys and values.
var<workgroup> sh_vectors: array<vec4<f16>, REST * HALVES>;
var<workgroup> sh_weights: array<vec4<f16>, WEIGHT_REST * HALVES>;
/// Scores, then sums of a step, by query.
var<workgroup> sh_sums: array<vec4<f32>, REST>;
/// The largest elements of keys and values that each subgroup stages, or of queries.
var<workgroup> sh_largest: array<vec2<f32>, SUBGROUPS>;

fn stage(at: u32, quad: vec4<f32>) {
#if EXACT
    let high = half_part(quad);
    sh_vectors[at] = vec4<f16>(high);
    sh_vectors[at + REST] = vec4<f16>(quad - high);
#else
    sh_vectors[at] = vec4<f16>(quad);
#endif
}

fn largest_of(quad: vec4<f32>) -> f32 {
    let sizes = abs(quad);
    return max(max(sizes.x, sizes.y), max(sizes.z, sizes.w));
}

/// The powers of two for what `sh_largest` is of.
fn powers() -> vec2<f32> {
    var largest = sh_largest[0];
    for (var i = 1u; i < SUBGROUPS; i++) {
        largest = max(largest, sh_largest[i]);
    }
    return vec2(power_towards(EXPONENT, largest.x), power_towards(EXPONENT, largest.y));
}

@compute @workgroup_size(128)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) index: u32,
    @builtin(subgroup_id) subgroup: u32,
    @builtin(subgroup_invocation_id) lane: u32,
) {
    let it = params.it;
    let head = group.x % HEADS;
    let batch = group.x / HEADS;
    // Causal queries of the last tiles see the most keys: these begin first.
    let first_row = (params.tiles - 1u - group.y) * ROWS;
    let end = seen_by(it, call.start, min(first_row + ROWS, it.rows) - 1u);
    let seen_by_all = seen_by(it, call.start, first_row);
    let key_at = head_at(it.key, batch, head / GROUP);
    let value_at = head_at(it.value, batch, head / GROUP);

    // What an invocation stages: the same quad of every eighth vector.
    let column = index % QUADS * 4u;
    let vector = index / QUADS;
    let staged = vector * PITCH + index % QUADS;
    var largest = vec2<f32>();
#for i in 8
    let query_at_$i = head_at(it.query, batch, head) + min(first_row + vector + $iu * 8u, it.rows - 1u) * it.query.z;
    let given_$i = query_quad(query_at_$i, column) * it.scale;
    largest.x = max(largest.x, largest_of(given_$i));
#end
    largest = subgroupMax(largest);
    if lane == 0u {
        sh_largest[subgroup] = largest;
    }
    workgroupBarrier();
    let query_power = powers().x;
#for i in 8
    stage(staged + $iu * 8u * PITCH, given_$i * query_power);
#end
    workgroupBarrier();
    let tile = subgroup * 16u;
#for d in 4
    let query_$d = coopLoadT<coop_mat16x16<f16, A>>(&sh_vectors[tile * PITCH + $du * 4u], PITCH);
#if EXACT
    let query_rest_$d = coopLoadT<coop_mat16x16<f16, A>>(&sh_vectors[REST + tile * PITCH + $du * 4u], PITCH);
#endif
#end
    workgroupBarrier();

    // The query of this lane, and the first of its quads.
    let row = tile + lane / 2u;
    let first_quad = lane % 2u;
    let seen = seen_by(it, call.start, first_row + row);
    var most = LOWEST;
    var total = 0.0;
#for i in 8
    var output_$i = vec4<f32>();
#end
    largest = vec2<f32>();
#for i in 4
    var next_key_$i = vec4<f32>();
    var next_value_$i = vec4<f32>();
    if end > 0u {
        let loaded = min(vector + $iu * 8u, end - 1u);
        next_key_$i = key_quad(key_at + loaded * it.key.z, column);
        next_value_$i = value_quad(value_at + loaded * it.value.z, column);
    }
    largest = max(largest, vec2(largest_of(next_key_$i), largest_of(next_value_$i)));
#end
    largest = subgroupMax(largest);
    if lane == 0u {
        sh_largest[subgroup] = largest;
    }
    workgroupBarrier();

    for (var first_key = 0u; first_key < end; first_key += KEYS) {
        let power = powers();
#for i in 4
        stage(staged + $iu * 8u * PITCH, next_key_$i * power.x);
        stage(VALUES + staged + $iu * 8u * PITCH, next_value_$i * power.y);
#end
        workgroupBarrier();
        if first_key + KEYS < end {
#for i in 4
            {
                let loaded = min(first_key + KEYS + vector + $iu * 8u, end - 1u);
                next_key_$i = key_quad(key_at + loaded * it.key.z, column);
                next_value_$i = value_quad(value_at + loaded * it.value.z, column);
            }
#end
        }

#for j in 2
        {
            var scores = coop_mat16x16<f32, C>();
#for d in 4
            let key_$d = coopLoad<coop_mat16x16<f16, B>>(&sh_vectors[$ju * 16u * PITCH + $du * 4u], PITCH);
            scores = coopMultiplyAdd(query_$d, key_$d, scores);
#if EXACT
            let rest_$d = coopLoad<coop_mat16x16<f16, B>>(&sh_vectors[REST + $ju * 16u * PITCH + $du * 4u], PITCH);
            scores = coopMultiplyAdd(query_$d, rest_$d, scores);
            scores = coopMultiplyAdd(query_rest_$d, key_$d, scores);
#endif
#end
            coopStoreT(scores, &sh_sums[tile * PITCH + $ju * 4u], PITCH);
        }
#end
        // A subgroup alone reads its scores, and its weights.
        subgroupBarrier();

        let partly_seen = first_key + KEYS > seen_by_all;
        let score_factor = 1.0 / query_power / power.x;
        var best = most;
#for i in 4
        let keys_$i = first_key + (first_quad + $iu * 2u) * 4u + vec4(0u, 1u, 2u, 3u);
        let visible_$i = keys_$i < vec4(seen);
        var scores_$i = sh_sums[row * PITCH + first_quad + $iu * 2u] * score_factor;
        if partly_seen {
            scores_$i = select(vec4(LOWEST), scores_$i, visible_$i);
        }
        best = max(best, max(max(scores_$i.x, scores_$i.y), max(scores_$i.z, scores_$i.w)));
#end
        best = max(best, subgroupShuffleXor(best, 1u));
        // What was summed under the old largest score shrinks.
        let shrink = exp(most - best);
        most = best;
        total *= shrink;
#for i in 4
        {
            var weights = exp(scores_$i - best) * LARGEST_WEIGHT;
            if partly_seen {
                weights = select(vec4(0.0), weights, visible_$i);
            }
            total += dot(weights, vec4(1.0));
            let at = row * WEIGHT_PITCH + first_quad + $iu * 2u;
#if EXACT
            let high = half_part(weights);
            sh_weights[at] = vec4<f16>(high);
            sh_weights[at + WEIGHT_REST] = vec4<f16>(weights - high);
#else
            sh_weights[at] = vec4<f16>(weights);
#endif
        }
#end
        subgroupBarrier();

#for k in 2
        let weight_$k = coopLoadT<coop_mat16x16<f16, A>>(&sh_weights[tile * WEIGHT_PITCH + $ku * 4u], WEIGHT_PITCH);
#if EXACT
        let weight_rest_$k =
            coopLoadT<coop_mat16x16<f16, A>>(&sh_weights[WEIGHT_REST + tile * WEIGHT_PITCH + $ku * 4u], WEIGHT_PITCH);
#endif
#end
#for c in 4
        {
            var sums = coop_mat16x16<f32, C>();
#for k in 2
            let value_$k =
                coopLoadT<coop_mat16x16<f16, B>>(&sh_vectors[VALUES + $ku * 16u * PITCH + $cu * 4u], PITCH);
            sums = coopMultiplyAdd(weight_$k, value_$k, sums);
#if EXACT
            let rest_$k =
                coopLoadT<coop_mat16x16<f16, B>>(&sh_vectors[REST + VALUES + $ku * 16u * PITCH + $cu * 4u], PITCH);
            sums = coopMultiplyAdd(weight_$k, rest_$k, sums);
            sums = coopMultiplyAdd(weight_rest_$k, value_$k, sums);
#endif
#end
            coopStoreT(sums, &sh_sums[tile * PITCH + $cu * 4u], PITCH);
        }
#end
        // By now the next keys and values have come.
        largest = vec2<f32>();
#for i in 4
        largest = max(largest, vec2(largest_of(next_key_$i), largest_of(next_value_$i)));
#end
        largest = subgroupMax(largest);
        if lane == 0u {
            sh_largest[subgroup] = largest;
        }
        workgroupBarrier();
        let factor = 1.0 / power.y;
#for i in 8
        output_$i = output_$i * shrink + sh_sums[row * PITCH + first_quad + $iu * 2u] * factor;
#end
    }

    total += subgroupShuffleXor(total, 1u);
    if first_row + row >= it.rows {
        return;
    }
    // Nothing to attend to gives zeros.
    let divisor = select(1.0, total, end > 0u);
    let output_at = head_at(it.output, batch, head) + (first_row + row) * it.output.z;
#for i in 8
    store_quad(output_at, (first_quad + $iu * 2u) * 4u, output_$i / divisor);
#end
}
