//! The sum over a workgroup through workgroup memory: a tree, so the order never changes.

struct Lane {
    @builtin(local_invocation_index) index: u32,
}

var<workgroup> sh_partial: array<f32, WG_SIZE>;

/// The sum of `value` over the workgroup, for every invocation. WG_SIZE is a power of two.
fn workgroup_sum(value: f32, lane: Lane) -> f32 {
    sh_partial[lane.index] = value;
    workgroupBarrier();
    for (var step = WG_SIZE / 2u; step > 0u; step /= 2u) {
        if lane.index < step {
            sh_partial[lane.index] += sh_partial[lane.index + step];
        }
        workgroupBarrier();
    }
    return sh_partial[0];
}
