//! softmax(query · keyᵀ · scale + mask) · value for a tile of 64 queries of one head.
//! One workgroup per tile and slice of COLUMNS output columns. It goes through the keys 64 at a time and keeps the
//! largest score, the sum of weights and the weighted sum of values so far; tiles of keys that no query sees are left
//! out. A lane owns four queries by four keys of the scores, and the same queries by four columns in 64 of the output.
//!
//! Keys, and then weights, lie in one tile of workgroup memory, which is all that the smallest device has. Values lie in
//! a second one (LOAD = staged), or come from where they are.
//!
//! trusted: rows, keys and columns past the last are clamped or left out, and the plan checks the rows of caches.
//!
//! variants: T = f32 | f16
//! variants: MASK = on | off
//! variants: COLUMNS = 64 | 128 | 256
//! variants: LOAD = quad | staged | any

#import tensor
#import attention
#import attention_quads
#import attention_output

struct Params {
    it: Attention,
    tiles: u32,
    slices: u32,
    /// Heads of all batches.
    heads: u32,
    groups: u32,
}

struct Call {
    start: i32,
}

@group(0) @binding(0) var<storage, read> query: array<Cell>;
@group(0) @binding(1) var<storage, read> key: array<Cell>;
@group(0) @binding(2) var<storage, read> value: array<Cell>;
@group(0) @binding(3) var<storage, read> mask: array<T>;
@group(0) @binding(4) var<storage, read_write> output: array<OutputCell>;
@group(0) @binding(5) var<uniform> params: Params;
@group(0) @binding(6) var<uniform> call: Call;

/// Queries, keys and columns of a tile, and its quads along a row.
const TILE = 64u;
const CHUNKS = COLUMNS / TILE;
const QUADS = 16u;
const CELLS = 1024u;
const LANES = 256u;

/// Keys by their columns; then the largest scores by lane; then weights by query and key.
var<workgroup> sh_tile: array<vec4<f32>, CELLS>;
#if LOAD_staged
var<workgroup> sh_value: array<vec4<f32>, CELLS>;
#endif

/// Where a quad of a row lies in a tile: lanes that read one column of neighbouring rows find it in different banks.
fn cell(row: u32, quad: u32) -> u32 {
    return row * QUADS + (quad ^ (row % 8u));
}

/// Loads the columns from `first` on of 64 keys, of which there are `end`. The keys 4x to 4x + 3 of a lane come 16 rows
/// apart, so that lanes side by side read rows side by side.
fn load_keys(it: Attention, key_at: u32, first_key: u32, end: u32, first: u32, lane: u32) {
    for (var i = lane; i < CELLS; i += LANES) {
        let number = i / QUADS;
        let column = first + i % QUADS * 4u;
        if column < it.depth {
            let at = key_at + min(first_key + number, end - 1u) * it.key.z;
            sh_tile[cell(number % 4u * QUADS + number / 4u, i % QUADS)] = key_quad(at, column);
        }
    }
}

#if LOAD_staged
/// Loads the columns from `first` on of 64 values, of which there are `end`.
fn load_values(it: Attention, value_at: u32, first_key: u32, end: u32, first: u32, lane: u32) {
    for (var i = lane; i < CELLS; i += LANES) {
        let column = first + i % QUADS * 4u;
        if column < it.width {
            sh_value[i] = value_quad(value_at + min(first_key + i / QUADS, end - 1u) * it.value.z, column);
        }
    }
}
#endif

/// The largest element of each row of a lane's scores.
fn largest(scores: mat4x4<f32>) -> vec4<f32> {
    let across = transpose(scores);
    return max(max(across[0], across[1]), max(across[2], across[3]));
}

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
    let head = index / params.slices % params.heads % it.heads;
    let batch = index / params.slices % params.heads / it.heads;
    // Causal queries of the last tiles see the most keys: these begin first.
    let tile = params.tiles - 1u - index / params.slices / params.heads;
    let first_row = tile * TILE;
    let first_column = slice * CHUNKS * TILE;
    let end = seen_by(it, call.start, min(first_row + TILE, it.rows) - 1u);
    let seen_by_all = seen_by(it, call.start, first_row);

    let key_at = head_at(it.key, batch, head / it.group);
    let value_at = head_at(it.value, batch, head / it.group);
    let x = lane % QUADS;
    let y = lane / QUADS;
    let rows = first_row + y * 4u + vec4(0u, 1u, 2u, 3u);
    let read_rows = min(rows, vec4(it.rows - 1u));
    let query_at = head_at(it.query, batch, head) + read_rows * it.query.z;
    let seen = vec4(
        seen_by(it, call.start, rows.x),
        seen_by(it, call.start, rows.y),
        seen_by(it, call.start, rows.z),
        seen_by(it, call.start, rows.w),
    );

    // Of each query: the largest score, this lane's part of the sum of weights, and four columns of each chunk.
    var most = vec4(LOWEST);
    var total = vec4<f32>();
    var sums: array<mat4x4<f32>, CHUNKS>;
    for (var c = 0u; c < CHUNKS; c++) {
        sums[c] = mat4x4<f32>();
    }

    for (var first_key = 0u; first_key < end; first_key += TILE) {
        // A column of the matrix is a query, a row a key.
        var scores = mat4x4<f32>();
        for (var first = 0u; first < it.depth; first += TILE) {
            workgroupBarrier();
            load_keys(it, key_at, first_key, end, first, lane);
#if LOAD_staged
            if first == 0u {
                load_values(it, value_at, first_key, end, first_column, lane);
            }
#endif
            workgroupBarrier();
            let quads = min(QUADS, (it.depth - first + 3u) / 4u);
            for (var q = 0u; q < quads; q++) {
                let keys = mat4x4(
                    sh_tile[cell(x, q)],
                    sh_tile[cell(x + 16u, q)],
                    sh_tile[cell(x + 32u, q)],
                    sh_tile[cell(x + 48u, q)],
                );
                let column = first + q * 4u;
                scores[0] += query_quad(query_at.x, column) * keys;
                scores[1] += query_quad(query_at.y, column) * keys;
                scores[2] += query_quad(query_at.z, column) * keys;
                scores[3] += query_quad(query_at.w, column) * keys;
            }
        }
        scores *= it.scale;
        let keys = first_key + x * 4u + vec4(0u, 1u, 2u, 3u);
#if MASK
        let mask_at = mask_of(it.mask, batch, head) + read_rows * it.mask.z;
        let columns = min(keys, vec4(end - 1u)) * it.mask.w;
        for (var r = 0u; r < 4u; r++) {
            let at = mask_at[r] + columns;
            scores[r] += vec4(f32(mask[at.x]), f32(mask[at.y]), f32(mask[at.z]), f32(mask[at.w]));
        }
#endif
        let partly_seen = first_key + TILE > seen_by_all;
        if partly_seen {
            scores[0] = select(vec4(LOWEST), scores[0], keys < seen.xxxx);
            scores[1] = select(vec4(LOWEST), scores[1], keys < seen.yyyy);
            scores[2] = select(vec4(LOWEST), scores[2], keys < seen.zzzz);
            scores[3] = select(vec4(LOWEST), scores[3], keys < seen.wwww);
        }

        workgroupBarrier();
        sh_tile[lane] = largest(scores);
        workgroupBarrier();
        var now = most;
        for (var i = 0u; i < QUADS; i++) {
            now = max(now, sh_tile[y * QUADS + i]);
        }
        workgroupBarrier();
        var weights =
            mat4x4(exp(scores[0] - now.x), exp(scores[1] - now.y), exp(scores[2] - now.z), exp(scores[3] - now.w));
        if partly_seen {
            weights[0] = select(vec4(0.0), weights[0], keys < seen.xxxx);
            weights[1] = select(vec4(0.0), weights[1], keys < seen.yyyy);
            weights[2] = select(vec4(0.0), weights[2], keys < seen.zzzz);
            weights[3] = select(vec4(0.0), weights[3], keys < seen.wwww);
        }
        // What was summed under the old largest score shrinks.
        let shrink = exp(most - now);
        most = now;
        total = total * shrink + vec4(1.0) * weights;
        sh_tile[cell(y * 4u, x)] = weights[0];
        sh_tile[cell(y * 4u + 1u, x)] = weights[1];
        sh_tile[cell(y * 4u + 2u, x)] = weights[2];
        sh_tile[cell(y * 4u + 3u, x)] = weights[3];
        workgroupBarrier();

        let quads = min(QUADS, (end - first_key + 3u) / 4u);
        for (var c = 0u; c < CHUNKS; c++) {
            let column = first_column + c * TILE + x * 4u;
#if LOAD_staged
            if c > 0u {
                workgroupBarrier();
                load_values(it, value_at, first_key, end, first_column + c * TILE, lane);
                workgroupBarrier();
            }
#endif
            if column < it.width {
                var chunk = sums[c];
                chunk[0] *= shrink.x;
                chunk[1] *= shrink.y;
                chunk[2] *= shrink.z;
                chunk[3] *= shrink.w;
                for (var q = 0u; q < quads; q++) {
#if LOAD_staged
                    let at = q * TILE + x;
                    let values = mat4x4(sh_value[at], sh_value[at + 16u], sh_value[at + 32u], sh_value[at + 48u]);
#else
                    let at = value_at + min(first_key + q * 4u + vec4(0u, 1u, 2u, 3u), vec4(end - 1u)) * it.value.z;
                    let values = mat4x4(
                        value_quad(at.x, column),
                        value_quad(at.y, column),
                        value_quad(at.z, column),
                        value_quad(at.w, column),
                    );
#endif
                    chunk[0] += values * sh_tile[cell(y * 4u, q)];
                    chunk[1] += values * sh_tile[cell(y * 4u + 1u, q)];
                    chunk[2] += values * sh_tile[cell(y * 4u + 2u, q)];
                    chunk[3] += values * sh_tile[cell(y * 4u + 3u, q)];
                }
                sums[c] = chunk;
            }
        }
    }

    workgroupBarrier();
    sh_tile[lane] = total;
    workgroupBarrier();
    total = vec4<f32>();
    for (var i = 0u; i < QUADS; i++) {
        total += sh_tile[y * QUADS + i];
    }
    // Nothing to attend to gives zeros.
    let divisor = select(vec4(1.0), divisor_of(it, total), end > 0u);
    let output_at = head_at(it.output, batch, head) + rows * it.output.z;
    for (var c = 0u; c < CHUNKS; c++) {
        let column = first_column + c * TILE + x * 4u;
        for (var r = 0u; r < 4u; r++) {
            if column < it.width && rows[r] < it.rows {
                store_quad(output_at[r], column, sums[c][r] / divisor[r]);
            }
        }
    }
}
