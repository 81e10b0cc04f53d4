//! What the elements of every line of one dimension are ordered by, line by line, and their places in the line, where every
//! RUN of a line are in order. Of equals the first comes first, and NaN is the largest.
//! Each workgroup owns a run and sorts it in its memory: pairs at distances that halve are exchanged, within pieces that double.
//!
//! variants: T = f32 | f16 | i32

#import tensor
#import order

struct Params {
    /// Elements of a line, and runs.
    length: u32,
    runs: u32,
    /// Runs of all lines.
    total: u32,
    /// Distance from one element of a line to the next.
    stride: u32,
    /// All bits where the largest comes first.
    flip: u32,
    /// For `order`: nothing is reversed.
    reverse: u32,
}

const LANES = 256u;
const RUN = 2u * LANES;

@group(0) @binding(0) var<storage, read> input: array<T>;
@group(0) @binding(1) var<storage, read_write> keys: array<i32>;
@group(0) @binding(2) var<storage, read_write> places: array<i32>;
@group(0) @binding(3) var<uniform> params: Params;

var<workgroup> sh_keys: array<u32, RUN>;
var<workgroup> sh_places: array<u32, RUN>;

@compute @workgroup_size(256)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let run = flat_group(group, groups);
    if run >= params.total {
        return;
    }
    let line = run / params.runs;
    let first = run % params.runs * RUN;
    let base = line / params.stride * params.length * params.stride + line % params.stride;
    for (var at = lane; at < RUN; at += LANES) {
        let place = first + at;
        // Past the last is after everything.
        var key = 0xffffffffu;
        if place < params.length {
            key = order(input[base + place * params.stride]) ^ params.flip;
        }
        sh_keys[at] = key;
        sh_places[at] = place;
    }
    workgroupBarrier();
    for (var piece = 2u; piece <= RUN; piece *= 2u) {
        for (var distance = piece / 2u; distance > 0u; distance /= 2u) {
            let at = lane / distance * distance * 2u + lane % distance;
            let other = at + distance;
            let upwards = (at & piece) == 0u;
            let key = sh_keys[at];
            let other_key = sh_keys[other];
            let place = sh_places[at];
            let other_place = sh_places[other];
            let later = key > other_key || (key == other_key && place > other_place);
            if later == upwards {
                sh_keys[at] = other_key;
                sh_keys[other] = key;
                sh_places[at] = other_place;
                sh_places[other] = place;
            }
            workgroupBarrier();
        }
    }
    for (var at = lane; at < RUN; at += LANES) {
        if first + at < params.length {
            let to = line * params.length + first + at;
            keys[to] = bitcast<i32>(sh_keys[at]);
            places[to] = i32(sh_places[at]);
        }
    }
}
