//! output[i, e] = (nibble(weight, indices[i], e) − 8) · scales[indices[i], e / group_size]
//! One workgroup per index. Its lanes take four columns at a time where rows are whole words and groups whole fours
//! (WIDE), one column at a time otherwise. The table stays 4-bit.
//!
//! A table larger than one binding comes in windows of rows, a dispatch each; a workgroup whose row is in another
//! window does nothing. An index outside the vocabulary is reported, and reads the last row.
//!
//! trusted: rows are clamped to the table and to the window that is bound, columns to the row
//!
//! variants: T = f32 | f16
//! variants: S = f32 | f16
//! variants: WIDE = on | off

#import tensor
#import status

struct Params {
    count: u32,
    vocabulary: u32,
    first_row: u32,
    rows: u32,
    node: u32,
}

/// Whether an even column is the low nibble of its byte.
override LOW_FIRST: bool = true;

/// The shape of a row. Constants, so that divisions become shifts.
override COLUMNS: u32 = 8u;
override GROUP_SIZE: u32 = 8u;
/// Rounds of a row that keep every lane busy.
override ROUNDS: u32 = 0u;

@group(0) @binding(0) var<storage, read> weight: array<u32>;
@group(0) @binding(1) var<storage, read> scales: array<S>;
@group(0) @binding(2) var<storage, read> indices: array<i32>;
#if WIDE
@group(0) @binding(3) var<storage, read_write> output: array<vec4<T>>;
#else
@group(0) @binding(3) var<storage, read_write> output: array<T>;
#endif
@group(0) @binding(4) var<uniform> params: Params;
@group(0) @binding(5) var<storage, read_write> status: array<atomic<u32>, 2>;

/// Nibbles of an item, and their scale.
struct Item {
    nibbles: u32,
    scale: f32,
}

#if WIDE
/// An item is four columns: half a word of nibbles.
override ITEMS: u32 = COLUMNS / 4u;

fn fetch(row: u32, i: u32) -> Item {
    let word = weight[row * (COLUMNS / 8u) + i / 2u] >> (i % 2u * 16u);
    return Item(word, f32(scales[row * (COLUMNS / GROUP_SIZE) + i * 4u / GROUP_SIZE]));
}

fn store(position: u32, i: u32, item: Item) {
    let shifts = select(vec4(4u, 0u, 12u, 8u), vec4(0u, 4u, 8u, 12u), LOW_FIRST);
    let nibbles = (vec4(item.nibbles) >> shifts) & vec4(15u);
    output[position * ITEMS + i] = vec4<T>((vec4<f32>(nibbles) - 8.0) * item.scale);
}
#else
/// An item is one column.
override ITEMS: u32 = COLUMNS;

fn fetch(row: u32, i: u32) -> Item {
    let byte = row * (COLUMNS / 2u) + i / 2u;
    let high = select(i % 2u == 0u, i % 2u == 1u, LOW_FIRST);
    let nibble = weight[byte / 4u] >> (byte % 4u * 8u + select(0u, 4u, high));
    return Item(nibble & 15u, f32(scales[row * (COLUMNS / GROUP_SIZE) + i / GROUP_SIZE]));
}

fn store(position: u32, i: u32, item: Item) {
    output[position * ITEMS + i] = T((f32(item.nibbles) - 8.0) * item.scale);
}
#endif

@compute @workgroup_size(WG_SIZE)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let position = flat_group(group, groups);
    if position >= params.count {
        return;
    }
    let index = indices[position];
    // A negative index is a large one here.
    var row = bitcast<u32>(index);
    if row >= params.vocabulary {
        if lane == 0u {
            report_index(params.node, index);
        }
        row = params.vocabulary - 1u;
    }
    // A row before the window wraps around and is past its end too.
    row -= params.first_row;
    if row >= params.rows {
        return;
    }
    // Four rounds at a time are loaded before any is stored: a compiler may not move a load past a store by itself.
    var first = lane;
    for (var batch = 0u; batch < ROUNDS / 4u; batch++) {
        let item0 = fetch(row, first);
        let item1 = fetch(row, first + WG_SIZE);
        let item2 = fetch(row, first + 2u * WG_SIZE);
        let item3 = fetch(row, first + 3u * WG_SIZE);
        store(position, first, item0);
        store(position, first + WG_SIZE, item1);
        store(position, first + 2u * WG_SIZE, item2);
        store(position, first + 3u * WG_SIZE, item3);
        first += 4u * WG_SIZE;
    }
    // A constant condition: rows that the batches cover have no loop left.
    if ROUNDS / 4u * 4u * WG_SIZE < ITEMS {
        for (var i = first; i < ITEMS; i += WG_SIZE) {
            store(position, i, fetch(row, i));
        }
    }
}
