//! Pairs of neighbouring runs of every line become one: see `sorted_runs`. Each invocation owns an element, and finds by
//! halving how many of the other run come before it.

#import tensor

struct Params {
    numel: u32,
    /// Elements of a line, and of a run.
    length: u32,
    run: u32,
}

@group(0) @binding(0) var<storage, read> keys: array<i32>;
@group(0) @binding(1) var<storage, read> places: array<i32>;
@group(0) @binding(2) var<storage, read_write> merged_keys: array<i32>;
@group(0) @binding(3) var<storage, read_write> merged_places: array<i32>;
@group(0) @binding(4) var<uniform> params: Params;

@compute @workgroup_size(WG_SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let index = flat_index(id, groups);
    if index >= params.numel {
        return;
    }
    let at = index % params.length;
    let base = index - at;
    let run = at / params.run;
    let is_second = run % 2u == 1u;
    let begin = min((run ^ 1u) * params.run, params.length);
    let key = bitcast<u32>(keys[index]);
    var least = begin;
    var most = min(begin + params.run, params.length);
    while least < most {
        let middle = (least + most) / 2u;
        let other = bitcast<u32>(keys[base + middle]);
        // Equals of the first run come first.
        if other < key || (is_second && other == key) {
            least = middle + 1u;
        } else {
            most = middle;
        }
    }
    let to = base + run / 2u * 2u * params.run + at % params.run + least - begin;
    merged_keys[to] = keys[index];
    merged_places[to] = places[index];
}
