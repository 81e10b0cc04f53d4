//! output[k] = FOLD over r of input[kept(k) + reduced(r)].
//! COOPERATIVE: one workgroup per result, its lanes take every WG_SIZE-th element; else one invocation per result.
//!
//! variants: T = f32 | f16 | i32
//! variants: OUT = f32 | f16 | i32
//! variants: FOLD = fold_sum | fold_extreme | fold_arg
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
    divisor: f32,
    reverse: u32,
}

@group(0) @binding(0) var<storage, read> input: array<T>;
@group(0) @binding(1) var<storage, read_write> output: array<OUT>;
@group(0) @binding(2) var<uniform> params: Params;

/// Elements that are combined by themselves first, so that long sums do not lose small terms.
const BLOCK = 32u;

fn fold(base: u32, first: u32, step: u32) -> STATE {
    var total = STATE();
    for (var start = first; start < params.count; start += step * BLOCK) {
        var part = STATE();
        let end = min(start + step * BLOCK, params.count);
        for (var r = start; r < end; r += step) {
            part = combine(part, lift(input[base + walk_offset(params.reduced, r)], r));
        }
        total = combine(total, part);
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
    if index >= params.outputs {
        return;
    }
    let state = workgroup_combine(fold(walk_offset(params.kept, index), lane, WG_SIZE), lane);
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
    output[index] = finish(fold(walk_offset(params.kept, index), 0u, 1u));
}
#endif
