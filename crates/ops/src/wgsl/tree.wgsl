//! Combines one STATE per invocation over a workgroup, through workgroup memory: a tree, so the order never changes.

var<workgroup> sh_state: array<STATE, WG_SIZE>;

/// The combination of `state` over the workgroup, for every invocation. WG_SIZE is a power of two.
fn workgroup_combine(state: STATE, lane: u32) -> STATE {
    sh_state[lane] = state;
    workgroupBarrier();
    for (var step = WG_SIZE / 2u; step > 0u; step /= 2u) {
        if lane < step {
            sh_state[lane] = combine(sh_state[lane], sh_state[lane + step]);
        }
        workgroupBarrier();
    }
    return sh_state[0];
}
