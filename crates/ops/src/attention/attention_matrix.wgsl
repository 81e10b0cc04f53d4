//! softmax(query · keyᵀ · scale) · value for a tile of queries of one head, of 64 elements each, on matrix units, where keys
//! and values are given as tiles of halves: see `attention_halves`.
//! One workgroup per head and tile. It goes through the keys 32 at a time and keeps, for each query, the sum of weights and
//! the weighted sum of values so far; tiles of keys that no query sees are left out. Each subgroup owns 16
//! queries; of these, two lanes own one, and every other quad of its scores.
//!
//! Weights are powers of two of scores less a score near the largest so far, and the weighted sums stay in matrices. Only
//! when a score is so much larger that weights would leave the range of 16-bit floats, all are made smaller.
//!
//! Matrix units multiply 16-bit floats and add in 32 bits. Where a number is the sum of two such floats (HALVES), three
//! products instead of one keep the error near that of 32-bit arithmetic. The queries of a subgroup are multiplied by a
//! power of two as keys and values are.
//!
//! variants: T = f32 | f16
//! variants: HALVES = 2 | 1
//! variants: SUBGROUPS = 4 | 8
//! requires: f16, subgroups, matrix
//! trusted: rows past the last are clamped to it when read and never written, and the plan checks the rows of caches.

#import attention
#import power_of_two
#import half_part

struct Params {
    it: Attention,
    /// Tiles of queries of a head, and of keys.
    tiles: u32,
    key_tiles: u32,
}

/// Heads of queries, and how many of them share a head of keys.
override HEADS: u32 = 1u;
override GROUP: u32 = 1u;
/// As many as THREADS.
override WG_SIZE: u32 = 128u;

struct Call {
    start: i32,
}

@group(0) @binding(0) var<storage, read> query: array<vec4<T>>;
@group(0) @binding(1) var<storage, read> halves: array<vec4<f16>>;
@group(0) @binding(2) var<storage, read> powers: array<vec2<f32>>;
@group(0) @binding(3) var<storage, read_write> output: array<vec4<T>>;
@group(0) @binding(4) var<uniform> params: Params;
@group(0) @binding(5) var<uniform> call: Call;

const THREADS = SUBGROUPS * 32u;
/// Queries of a tile, and keys of one.
const ROWS = SUBGROUPS * 16u;
const KEYS = 32u;
/// Quads of a vector.
const QUADS = 16u;
/// Quads of a staged vector, of a query's weights and of its scores or sums, padded so that rows begin in different banks.
const PITCH = QUADS + 2u;
const WEIGHT_PITCH = KEYS / 4u + 2u;
const SCORE_PITCH = 5u;
/// Where the rests of rounded numbers lie, and values: after the keys.
const REST = KEYS * PITCH;
const WEIGHT_REST = ROWS * WEIGHT_PITCH;
const VALUES = KEYS * PITCH * HALVES;
/// How far apart an invocation stages quads.
const STEP = THREADS / QUADS * PITCH;
/// Quads of a tile of keys and values.
const TILE = KEYS * QUADS * HALVES * 2u;
/// The binary exponent that the largest element of queries gets: a sum of two is within the range of 16-bit floats.
const EXPONENT = 13u;
/// The binary exponent of the weight of the score that others are compared with, since small 16-bit floats have fewer
/// digits, and how far above it scores may be.
const WEIGHT_EXPONENT = 7.0;
const HEADROOM = 8.0;
const LOG2_E = 1.4426950408889634;

var<workgroup> sh_vectors: array<vec4<f16>, VALUES * 2u>;
/// Weights by query; before the first step, halves of queries.
var<workgroup> sh_weights: array<vec4<f16>, WEIGHT_REST * HALVES>;
/// A tile of scores or sums for each subgroup.
var<workgroup> sh_tiles: array<vec4<f32>, ROWS * SCORE_PITCH>;

fn largest_of(quad: vec4<f32>) -> f32 {
    return max(max(quad.x, quad.y), max(quad.z, quad.w));
}

fn stage(at: u32, quad: vec4<f32>) {
#if HALVES_2
    let high = half_part(quad);
    sh_weights[at] = vec4<f16>(high);
    sh_weights[at + WEIGHT_REST] = vec4<f16>(quad - high);
#else
    sh_weights[at] = vec4<f16>(quad);
#endif
}

@compute @workgroup_size(WG_SIZE)
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

    // The query of this lane, and the first of its quads.
    let tile = subgroup * 16u;
    let row = tile + lane / 2u;
    let first_quad = lane % 2u;
    let query_at = (head_at(it.query, batch, head) + min(first_row + row, it.rows - 1u) * it.query.z) / 4u + first_quad;
    var largest = 0.0;
#for i in 8
    let given_$i = vec4<f32>(query[query_at + $iu * 2u]) * it.scale;
    largest = max(largest, largest_of(abs(given_$i)));
#end
    let query_power = power_towards(EXPONENT, subgroupMax(largest));
    // A subgroup alone reads what it stages, half of its queries at a time.
    let weight_at = row * WEIGHT_PITCH + first_quad;
#for i in 4
    stage(weight_at + $iu * 2u, given_$i * query_power);
#end
    subgroupBarrier();
#for d in 2
    let query_$d = coopLoadT<coop_mat16x16<f16, A>>(&sh_weights[tile * WEIGHT_PITCH + $du * 4u], WEIGHT_PITCH);
#if HALVES_2
    let query_rest_$d =
        coopLoadT<coop_mat16x16<f16, A>>(&sh_weights[WEIGHT_REST + tile * WEIGHT_PITCH + $du * 4u], WEIGHT_PITCH);
#endif
#end
    subgroupBarrier();
    stage(weight_at, given_4 * query_power);
    stage(weight_at + 2u, given_5 * query_power);
    stage(weight_at + 4u, given_6 * query_power);
    stage(weight_at + 6u, given_7 * query_power);
    subgroupBarrier();
    let query_2 = coopLoadT<coop_mat16x16<f16, A>>(&sh_weights[tile * WEIGHT_PITCH], WEIGHT_PITCH);
    let query_3 = coopLoadT<coop_mat16x16<f16, A>>(&sh_weights[tile * WEIGHT_PITCH + 4u], WEIGHT_PITCH);
#if HALVES_2
    let query_rest_2 = coopLoadT<coop_mat16x16<f16, A>>(&sh_weights[WEIGHT_REST + tile * WEIGHT_PITCH], WEIGHT_PITCH);
    let query_rest_3 = coopLoadT<coop_mat16x16<f16, A>>(&sh_weights[WEIGHT_REST + tile * WEIGHT_PITCH + 4u], WEIGHT_PITCH);
#endif
    subgroupBarrier();

    let seen = seen_by(it, call.start, first_row + row);
    let seen_by_first = seen_by(it, call.start, first_row + tile);
    let seen_by_last = seen_by(it, call.start, first_row + tile + 15u);
    // The score that others are compared with.
    var most = LOWEST;
    var total = 0.0;
#for c in 4
    var sums_$c = coop_mat16x16<f32, C>();
#end
    let place = tile * SCORE_PITCH;
    let mine = row * SCORE_PITCH + first_quad;
    let staged = index / QUADS * PITCH + index % QUADS;

    let first_tile = group.x / GROUP * params.key_tiles;
    let first_half = first_tile * TILE + index;
#for h in HALVES
#for i in 4
    var next_$h_$i = halves[first_half + ($hu * 4u + $iu) * THREADS];
#if SUBGROUPS_4
    var other_$h_$i = halves[first_half + ((HALVES + $hu) * 4u + $iu) * THREADS];
#endif
#end
#end
    var next_power = powers[first_tile];
    var sums_power = next_power.y;

    for (var first_key = 0u; first_key < end; first_key += KEYS) {
        let power = next_power;
#for h in HALVES
#for i in 4
        sh_vectors[staged + ($hu * 4u + $iu) * STEP] = next_$h_$i;
#if SUBGROUPS_4
        sh_vectors[staged + ((HALVES + $hu) * 4u + $iu) * STEP] = other_$h_$i;
#endif
#end
#end
        workgroupBarrier();
        if first_key + KEYS < end {
            let next = first_key / KEYS + 1u;
            next_power = powers[first_tile + next];
#for h in HALVES
#for i in 4
            next_$h_$i = halves[first_half + next * TILE + ($hu * 4u + $iu) * THREADS];
#if SUBGROUPS_4
            other_$h_$i = halves[first_half + next * TILE + ((HALVES + $hu) * 4u + $iu) * THREADS];
#endif
#end
#end
        }

        // Not a condition of a workgroup, and so no `if` for naga, but its subgroups agree: one may leave out what none of
        // its queries sees.
        loop {
            if first_key >= seen_by_last {
                break;
            }
#for j in 2
            var products_$j = coop_mat16x16<f32, C>();
#end
#for d in 4
            {
#for j in 2
                let key_$j = coopLoad<coop_mat16x16<f16, B>>(&sh_vectors[$ju * 16u * PITCH + $du * 4u], PITCH);
#end
#for j in 2
                products_$j = coopMultiplyAdd(query_$d, key_$j, products_$j);
#end
#if HALVES_2
#for j in 2
                products_$j = coopMultiplyAdd(query_rest_$d, key_$j, products_$j);
#end
#for j in 2
                let rest_$j = coopLoad<coop_mat16x16<f16, B>>(&sh_vectors[REST + $ju * 16u * PITCH + $du * 4u], PITCH);
#end
#for j in 2
                products_$j = coopMultiplyAdd(query_$d, rest_$j, products_$j);
#end
#endif
            }
#end
            coopStoreT(products_0, &sh_tiles[place], SCORE_PITCH);
            subgroupBarrier();
            var scores_0 = sh_tiles[mine];
            var scores_1 = sh_tiles[mine + 2u];
            subgroupBarrier();
            coopStoreT(products_1, &sh_tiles[place], SCORE_PITCH);
            subgroupBarrier();
            var scores_2 = sh_tiles[mine];
            var scores_3 = sh_tiles[mine + 2u];

            let partly_seen = first_key + KEYS > seen_by_first;
            let factor = LOG2_E / query_power / power.x;
            if partly_seen {
#for i in 4
                let keys_$i = first_key + (first_quad + $iu * 2u) * 4u + vec4(0u, 1u, 2u, 3u);
                scores_$i = select(vec4(LOWEST), scores_$i, keys_$i < vec4(seen));
#end
            }
            var best = max(
                max(largest_of(scores_0), largest_of(scores_1)),
                max(largest_of(scores_2), largest_of(scores_3)),
            ) * factor;
            loop {
                if !subgroupAny(best > most + HEADROOM) {
                    break;
                }
                best = max(most, max(best, subgroupShuffleXor(best, 1u)));
                let shrink = exp2(most - best);
                most = best;
                total *= shrink;
#for c in 4
                subgroupBarrier();
                coopStoreT(sums_$c, &sh_tiles[place], SCORE_PITCH);
                subgroupBarrier();
                sh_tiles[mine] *= shrink;
                sh_tiles[mine + 2u] *= shrink;
                subgroupBarrier();
                sums_$c = coopLoadT<coop_mat16x16<f32, C>>(&sh_tiles[place], SCORE_PITCH);
#end
                break;
            }
            // Sums have the power of the tile with the largest values; weights make up for another.
            loop {
                if power.y >= sums_power {
                    break;
                }
#for c in 4
                sums_$c = sums_$c * (power.y / sums_power);
#end
                sums_power = power.y;
                break;
            }
            let values_power = sums_power / power.y;
            let shift = WEIGHT_EXPONENT - most;
            var weights_total = vec4<f32>();
#for i in 4
            {
                var weights = exp2(fma(scores_$i, vec4(factor), vec4(shift)));
                if partly_seen {
                    weights = select(vec4(0.0), weights, scores_$i != vec4(LOWEST));
                }
                weights_total += weights;
                stage(weight_at + $iu * 2u, weights * values_power);
            }
#end
            total += dot(weights_total, vec4(1.0));
            subgroupBarrier();

#for k in 2
            let weight_$k = coopLoadT<coop_mat16x16<f16, A>>(&sh_weights[tile * WEIGHT_PITCH + $ku * 4u], WEIGHT_PITCH);
#if HALVES_2
            let weight_rest_$k =
                coopLoadT<coop_mat16x16<f16, A>>(&sh_weights[WEIGHT_REST + tile * WEIGHT_PITCH + $ku * 4u], WEIGHT_PITCH);
#endif
#end
#for k in 2
#for c in 4
            {
                let value =
                    coopLoadT<coop_mat16x16<f16, B>>(&sh_vectors[VALUES + $ku * 16u * PITCH + $cu * 4u], PITCH);
                sums_$c = coopMultiplyAdd(weight_$k, value, sums_$c);
#if HALVES_2
                let rest =
                    coopLoadT<coop_mat16x16<f16, B>>(&sh_vectors[REST + VALUES + $ku * 16u * PITCH + $cu * 4u], PITCH);
                sums_$c = coopMultiplyAdd(weight_$k, rest, sums_$c);
                sums_$c = coopMultiplyAdd(weight_rest_$k, value, sums_$c);
#endif
            }
#end
#end
            break;
        }
        workgroupBarrier();
    }

    total += subgroupShuffleXor(total, 1u);
    // Nothing to attend to gives zeros.
    let divisor = select(1.0, total, end > 0u);
    let undo = select(1.0, 1.0 / sums_power, end > 0u);
    let output_at = (head_at(it.output, batch, head) + (first_row + row) * it.output.z) / 4u + first_quad;
#for c in 4
    subgroupBarrier();
    coopStoreT(sums_$c, &sh_tiles[place], SCORE_PITCH);
    subgroupBarrier();
    if first_row + row < it.rows {
        output[output_at + $cu * 4u] = vec4<T>(sh_tiles[mine] / divisor * undo);
        output[output_at + $cu * 4u + 2u] = vec4<T>(sh_tiles[mine + 2u] / divisor * undo);
    }
#end
}
