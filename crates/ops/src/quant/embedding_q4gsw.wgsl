//! output[i, e] = (nibble(weight, indices[i], e) − 8) · scales[indices[i], e / group_size]
//! One workgroup per two indices. Where rows are whole words and groups whole fours (WIDE), it brings both rows to workgroup
//! memory, some columns at a time, and its lanes take four columns of each; otherwise they take one column at a time. The
//! table stays 4-bit.
//!
//! A table larger than one binding comes in windows of rows, a dispatch each; a row that is in another window is left out.
//! An index outside the vocabulary is reported, and reads the last row.
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

/// A row to look up, and where it goes.
struct Place {
    position: u32,
    row: u32,
    /// Whether there is such a position, with a row in this window.
    wanted: bool,
}

fn place(position: u32, index: i32, lane: u32) -> Place {
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
    return Place(position, min(row, params.rows - 1u), position < params.count && row < params.rows);
}

fn scale_of(row: u32, group: u32) -> f32 {
    return f32(scales[row * (COLUMNS / GROUP_SIZE) + group]);
}

#if WIDE
/// Words and groups of a row.
override WORDS: u32 = COLUMNS / 8u;
override GROUPS: u32 = COLUMNS / GROUP_SIZE;
/// Words that are looked at together: two by each lane.
override CHUNK: u32 = 2u * WG_SIZE;

/// Groups of fewer columns would take so much workgroup memory that it costs more than it saves: their scales stay where they
/// are.
override STAGED: bool = GROUP_SIZE >= 32u;

/// Codes of both rows, and their scales.
var<workgroup> sh_words: array<vec2<u32>, 256>;
var<workgroup> sh_scales: array<vec2<f32>, 65>;

fn words_of(one: Place, other: Place, at: u32) -> vec2<u32> {
    let word = min(at, WORDS - 1u);
    return vec2(weight[one.row * WORDS + word], weight[other.row * WORDS + word]);
}

/// Writes the columns of one of the two rows that were brought from word `first` on.
fn write(it: Place, which: u32, first: u32, lane: u32) {
    let shifts = select(vec4(4u, 0u, 12u, 8u), vec4(0u, 4u, 8u, 12u), LOW_FIRST);
#for i in 4
    {
        let place = $iu * WG_SIZE + lane;
        let quad = first * 2u + place;
        if quad < COLUMNS / 4u && it.wanted {
            let group = quad * 4u / GROUP_SIZE;
            var scale: f32;
            if STAGED {
                scale = sh_scales[group - first * 8u / GROUP_SIZE][which];
            } else {
                scale = scale_of(it.row, group);
            }
            let nibbles = (vec4(sh_words[place / 2u][which] >> (place % 2u * 16u)) >> shifts) & vec4(15u);
            output[it.position * (COLUMNS / 4u) + quad] = vec4<T>((vec4<f32>(nibbles) - 8.0) * scale);
        }
    }
#end
}
#else
fn store(it: Place, column: u32) {
    let byte = it.row * (COLUMNS / 2u) + column / 2u;
    let high = select(column % 2u == 0u, column % 2u == 1u, LOW_FIRST);
    let nibble = (weight[byte / 4u] >> (byte % 4u * 8u + select(0u, 4u, high))) & 15u;
    output[it.position * COLUMNS + column] = T((f32(nibble) - 8.0) * scale_of(it.row, column / GROUP_SIZE));
}
#endif

@compute @workgroup_size(WG_SIZE)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let first_position = flat_group(group, groups) * 2u;
    if first_position >= params.count {
        return;
    }
    // Both are on their way before one is looked at.
    let index = indices[first_position];
    let other_index = indices[min(first_position + 1u, params.count - 1u)];
    let one = place(first_position, index, lane);
    let other = place(first_position + 1u, other_index, lane);
#if WIDE
    for (var first = 0u; first < WORDS; first += CHUNK) {
        let first_group = first * 8u / GROUP_SIZE;
        let groups = min(((first + CHUNK) * 8u - 1u) / GROUP_SIZE + 1u, GROUPS) - first_group;
        // All are on their way before any is waited for.
        let words = words_of(one, other, first + lane);
        let more_words = words_of(one, other, first + WG_SIZE + lane);
        if STAGED && lane < groups {
            sh_scales[lane] = vec2(scale_of(one.row, first_group + lane), scale_of(other.row, first_group + lane));
        }
        sh_words[lane] = words;
        sh_words[WG_SIZE + lane] = more_words;
        workgroupBarrier();
        write(one, 0u, first, lane);
        write(other, 1u, first, lane);
        workgroupBarrier();
    }
#else
    for (var column = lane; column < COLUMNS; column += WG_SIZE) {
        if one.wanted {
            store(one, column);
        }
        if other.wanted {
            store(other, column);
        }
    }
#endif
}
