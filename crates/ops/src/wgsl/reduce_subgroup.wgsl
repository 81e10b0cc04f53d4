//! The sum over a workgroup through subgroups of any size, then workgroup memory.
//!
//! requires: subgroups

struct Lane {
    @builtin(local_invocation_index) index: u32,
    @builtin(subgroup_invocation_id) in_subgroup: u32,
    @builtin(subgroup_id) subgroup: u32,
    @builtin(num_subgroups) subgroups: u32,
}

var<workgroup> sh_partial: array<f32, WG_SIZE>;

/// The sum of `value` over the workgroup, for every invocation.
fn workgroup_sum(value: f32, lane: Lane) -> f32 {
    let partial = subgroupAdd(value);
    if lane.in_subgroup == 0u {
        sh_partial[lane.subgroup] = partial;
    }
    workgroupBarrier();
    var total = 0.0;
    for (var i = 0u; i < lane.subgroups; i++) {
        total += sh_partial[i];
    }
    return total;
}
