//! softmax(query · keyᵀ · scale + mask) · value for a tile of 32 queries of one head.
//! One workgroup per tile and slice of COLUMNS output columns. It goes through the keys 32 at a time and keeps the
//! largest score, the sum of weights and the weighted sum of values so far; tiles of keys that no query sees are left
//! out. A lane owns two queries by two keys of the scores, and two queries by every 16th column of the output.
//!
//! variants: T = f32 | f16
//! variants: MASK = on | off
//! variants: COLUMNS = 64 | 128 | 256

#import tensor
#import attention

struct Params {
    it: Attention,
    tiles: u32,
    slices: u32,
    groups: u32,
}

struct Call {
    start: i32,
}

@group(0) @binding(0) var<storage, read> query: array<T>;
@group(0) @binding(1) var<storage, read> key: array<T>;
@group(0) @binding(2) var<storage, read> value: array<T>;
@group(0) @binding(3) var<storage, read> mask: array<T>;
@group(0) @binding(4) var<storage, read_write> output: array<T>;
@group(0) @binding(5) var<uniform> params: Params;
@group(0) @binding(6) var<uniform> call: Call;

#if COLUMNS_64
const CHUNKS = 2u;
#endif
#if COLUMNS_128
const CHUNKS = 4u;
#endif
#if COLUMNS_256
const CHUNKS = 8u;
#endif

/// Queries and keys of a tile, and columns of a chunk.
const TILE = 32u;
/// One more than a tile, so that rows begin in different banks.
const PITCH = 33u;
const LANES = 256u;

var<workgroup> sh_query: array<f32, 1056>;
/// A chunk of keys, then of values.
var<workgroup> sh_key: array<f32, 1056>;
var<workgroup> sh_weights: array<f32, 1056>;

@compute @workgroup_size(256)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let it = params.it;
    let index = flat_group(group, groups);
    if index >= params.groups {
        return;
    }
    let slice = index % params.slices;
    let tile = index / params.slices % params.tiles;
    let head = index / params.slices / params.tiles % it.heads;
    let batch = index / params.slices / params.tiles / it.heads;
    let first_row = tile * TILE;
    let first_column = slice * CHUNKS * TILE;
    let end = seen_by(it, call.start, min(first_row + TILE, it.rows) - 1u);

    let query_at = head_at(it.query, batch, head);
    let key_at = head_at(it.key, batch, head / it.group);
    let value_at = head_at(it.value, batch, head / it.group);
    let x = lane % 16u;
    let y = lane / 16u;
    // Queries y and y + 16 of the tile.
    let rows = vec2(first_row + y, first_row + y + 16u);
    let seen = vec2(seen_by(it, call.start, rows.x), seen_by(it, call.start, rows.y));

    var most = vec2(LOWEST);
    var total = vec2(0.0);
    // Of each chunk, columns x and x + 16 for the first query, then for the second.
    var sums: array<vec4<f32>, CHUNKS>;
    for (var c = 0u; c < CHUNKS; c++) {
        sums[c] = vec4(0.0);
    }

    for (var first_key = 0u; first_key < end; first_key += TILE) {
        // Queries y, y, y + 16, y + 16 by keys x, x + 16, x, x + 16.
        var scores = vec4(0.0);
        for (var first = 0u; first < it.depth; first += TILE) {
            workgroupBarrier();
            for (var i = lane; i < TILE * TILE; i += LANES) {
                let r = i / TILE;
                let d = first + i % TILE;
                var q = 0.0;
                var k = 0.0;
                if d < it.depth && first_row + r < it.rows {
                    q = f32(query[query_at + (first_row + r) * it.query.z + d]);
                }
                if d < it.depth && first_key + r < end {
                    k = f32(key[key_at + (first_key + r) * it.key.z + d]);
                }
                sh_query[r * PITCH + i % TILE] = q;
                sh_key[r * PITCH + i % TILE] = k;
            }
            workgroupBarrier();
            for (var d = 0u; d < TILE; d++) {
                let q = vec2(sh_query[y * PITCH + d], sh_query[(y + 16u) * PITCH + d]);
                let k = vec2(sh_key[x * PITCH + d], sh_key[(x + 16u) * PITCH + d]);
                scores += q.xxyy * k.xyxy;
            }
        }
        scores *= it.scale;
        let keys = vec2(first_key + x, first_key + x + 16u);
        let visible = keys.xyxy < seen.xxyy;
#if MASK
        let last = it.rows - 1u;
        let mask_at = head_at(it.mask, batch, head) + min(rows, vec2(last)) * it.mask.z;
        let columns = min(keys, vec2(end - 1u)) * it.mask.w;
        scores += vec4(
            f32(mask[mask_at.x + columns.x]),
            f32(mask[mask_at.x + columns.y]),
            f32(mask[mask_at.y + columns.x]),
            f32(mask[mask_at.y + columns.y]),
        );
#endif
        scores = select(vec4(LOWEST), scores, visible);
        let cell = y * PITCH + x;
        sh_weights[cell] = scores.x;
        sh_weights[cell + 16u] = scores.y;
        sh_weights[cell + 16u * PITCH] = scores.z;
        sh_weights[cell + 16u * PITCH + 16u] = scores.w;
        workgroupBarrier();

        var now = most;
        for (var k = 0u; k < TILE; k++) {
            now = max(now, vec2(sh_weights[y * PITCH + k], sh_weights[(y + 16u) * PITCH + k]));
        }
        workgroupBarrier();
        let weights = select(vec4(0.0), exp(scores - now.xxyy), visible);
        sh_weights[cell] = weights.x;
        sh_weights[cell + 16u] = weights.y;
        sh_weights[cell + 16u * PITCH] = weights.z;
        sh_weights[cell + 16u * PITCH + 16u] = weights.w;
        workgroupBarrier();

        // What was summed under the old largest score shrinks.
        let shrink = exp(most - now);
        most = now;
        total *= shrink;
        for (var k = 0u; k < TILE; k++) {
            total += vec2(sh_weights[y * PITCH + k], sh_weights[(y + 16u) * PITCH + k]);
        }
        for (var c = 0u; c < CHUNKS; c++) {
            workgroupBarrier();
            for (var i = lane; i < TILE * TILE; i += LANES) {
                let r = i / TILE;
                let d = first_column + c * TILE + i % TILE;
                var v = 0.0;
                if d < it.width && first_key + r < end {
                    v = f32(value[value_at + (first_key + r) * it.value.z + d]);
                }
                sh_key[r * PITCH + i % TILE] = v;
            }
            workgroupBarrier();
            var chunk = sums[c] * shrink.xxyy;
            for (var k = 0u; k < TILE; k++) {
                let w = vec2(sh_weights[y * PITCH + k], sh_weights[(y + 16u) * PITCH + k]);
                let v = vec2(sh_key[k * PITCH + x], sh_key[k * PITCH + x + 16u]);
                chunk += w.xxyy * v.xyxy;
            }
            sums[c] = chunk;
        }
    }

    // Nothing to attend to gives zeros.
    if end > 0u {
        for (var c = 0u; c < CHUNKS; c++) {
            sums[c] /= total.xxyy;
        }
    }
    let output_at = head_at(it.output, batch, head) + rows * it.output.z;
    for (var c = 0u; c < CHUNKS; c++) {
        let column = first_column + c * TILE + x;
        for (var half = 0u; half < 2u; half++) {
            let d = column + half * 16u;
            if d < it.width && rows.x < it.rows {
                output[output_at.x + d] = T(sums[c][half]);
            }
            if d < it.width && rows.y < it.rows {
                output[output_at.y + d] = T(sums[c][2u + half]);
            }
        }
    }
}
