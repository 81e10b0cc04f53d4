//! output[o, begin + j] = the j-th element of row o of the launch's tensors laid side by side.
//! A row of the output is `row` elements; this launch fills those from `begin` to the last of `ends`, and the rest
//! stays. Each invocation owns one of the elements to fill, or one word of bytes wherever it lies.
//!
//! variants: T = f32 | f16 | i32 | byte

#import tensor

struct Params {
    ends: vec4<u32>,
    begin: u32,
    row: u32,
    count: u32,
}

@group(0) @binding(0) var<storage, read> first: array<T>;
@group(0) @binding(1) var<storage, read> second: array<T>;
@group(0) @binding(2) var<storage, read> third: array<T>;
@group(0) @binding(3) var<storage, read> fourth: array<T>;
@group(0) @binding(4) var<storage, read_write> output: array<T>;
@group(0) @binding(5) var<uniform> params: Params;

/// The part that holds column `column` of the output's rows, and which of its elements is in row `row`.
fn source_of(row: u32, column: u32) -> vec2<u32> {
    var begin = params.begin;
    var part = 0u;
    while part < 3u && column >= params.ends[part] {
        begin = params.ends[part];
        part++;
    }
    return vec2(part, row * (params.ends[part] - begin) + column - begin);
}

fn load(part: u32, at: u32) -> T {
    switch part {
        case 0u: { return first[at]; }
        case 1u: { return second[at]; }
        case 2u: { return third[at]; }
        default: { return fourth[at]; }
    }
}

@compute @workgroup_size(WG_SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let index = flat_index(id, groups);
#if T_byte
    if index * 4u >= params.count {
        return;
    }
    // What other launches fill is kept; a word's bytes past the end are zero.
    var word = 0u;
    var kept = 0u;
    for (var i = 0u; i < min(4u, params.count - index * 4u); i++) {
        let element = index * 4u + i;
        let column = element % params.row;
        if column < params.begin || column >= params.ends[3] {
            kept |= 0xffu << (i * 8u);
            continue;
        }
        let source = source_of(element / params.row, column);
        let byte = (load(source.x, source.y / 4u) >> (source.y % 4u * 8u)) & 0xffu;
        word |= byte << (i * 8u);
    }
    if kept != 0u {
        word |= output[index] & kept;
    }
    output[index] = word;
#else
    if index >= params.count {
        return;
    }
    let width = params.ends[3] - params.begin;
    let row = index / width;
    let column = params.begin + index % width;
    let source = source_of(row, column);
    output[row * params.row + column] = load(source.x, source.y);
#endif
}
