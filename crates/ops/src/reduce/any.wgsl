//! output[k] = whether input[kept(k) + reduced(r)] is not zero for some r.
//! A workgroup owns the four results of one word; its lanes take every WG_SIZE-th term of each.
//!
//! variants: T = f32 | f16 | i32 | byte

#import tensor
#import walk

struct Params {
    kept: DimWalk,
    reduced: DimWalk,
    outputs: u32,
    count: u32,
}

@group(0) @binding(0) var<storage, read> input: array<T>;
@group(0) @binding(1) var<storage, read_write> output: array<u32>;
@group(0) @binding(2) var<uniform> params: Params;

var<workgroup> found: atomic<u32>;

/// Nothing but zero equals it: NaN does not.
fn is_true(at: u32) -> bool {
#if T_byte
    return ((input[at / 4u] >> (at % 4u * 8u)) & 0xffu) != 0u;
#else
    return !(input[at] == T(0));
#endif
}

@compute @workgroup_size(WG_SIZE)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let word = flat_group(group, groups);
    if word * 4u >= params.outputs {
        return;
    }
    if lane == 0u {
        atomicStore(&found, 0u);
    }
    workgroupBarrier();
    var bits = 0u;
    for (var i = 0u; i < min(4u, params.outputs - word * 4u); i++) {
        let base = walk_offset(params.kept, word * 4u + i);
        for (var r = lane; r < params.count; r += WG_SIZE) {
            if is_true(base + walk_offset(params.reduced, r)) {
                bits |= 1u << (i * 8u);
                break;
            }
        }
    }
    if bits != 0u {
        atomicOr(&found, bits);
    }
    workgroupBarrier();
    if lane == 0u {
        output[word] = atomicLoad(&found);
    }
}
