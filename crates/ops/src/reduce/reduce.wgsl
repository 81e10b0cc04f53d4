//! output[k] = FOLD over r of input[kept(k) + reduced(r)].
//! COOPERATIVE: one workgroup per part of a result, its lanes take every WG_SIZE-th element; else one invocation per
//! result.
//!
//! variants: T = f32 | f16 | i32
//! variants: OUT = f32 | f16 | i32
//! variants: FOLD = fold_sum | fold_extreme | fold_arg | fold_product | fold_variance
//! variants: COOPERATIVE = on | off

#import tensor
#import walk
#import FOLD
#if COOPERATIVE
#import tree
#endif

struct Params {
    kept: DimWalk,
    reduced: DimWalk,
    outputs: u32,
    count: u32,
    /// Parts of a result, each of which is an element of `output`, and the terms of one.
    parts: u32,
    part_size: u32,
    /// Whether the terms of a position are `candidates`, the positions in parts.
    has_candidates: u32,
    divisor: f32,
    reverse: u32,
}

@group(0) @binding(0) var<storage, read> input: array<T>;
@group(0) @binding(1) var<storage, read> candidates: array<u32>;
@group(0) @binding(2) var<storage, read_write> output: array<OUT>;
@group(0) @binding(3) var<uniform> params: Params;

/// Elements that are combined by themselves first, so that long sums do not lose small terms.
const BLOCK = 32u;

/// The state of every `step`-th term of `result` from `first` to `last`.
fn fold(result: u32, first: u32, last: u32, step: u32) -> STATE {
    let base = walk_offset(params.kept, result);
    var total = identity();
    for (var start = first; start < last; start += step * BLOCK) {
        var block = identity();
        let end = min(start + step * BLOCK, last);
        for (var r = start; r < end; r += step) {
            var term = r;
#if FOLD_fold_arg
            if params.has_candidates != 0u {
                term = candidates[result * params.count + r];
            }
#endif
            block = combine(block, lift(input[base + walk_offset(params.reduced, term)], term));
        }
        total = combine(total, block);
    }
    return total;
}

#if COOPERATIVE
@compute @workgroup_size(WG_SIZE)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let index = flat_group(group, groups);
    if index >= params.outputs * params.parts {
        return;
    }
    let first = index % params.parts * params.part_size;
    let last = min(first + params.part_size, params.count);
    let state = workgroup_combine(fold(index / params.parts, first + lane, last, WG_SIZE), lane);
    if lane == 0u {
        output[index] = finish(state);
    }
}
#else
@compute @workgroup_size(WG_SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let index = flat_index(id, groups);
    if index >= params.outputs {
        return;
    }
    output[index] = finish(fold(index, 0u, params.count, 1u));
}
#endif
