//! best[p] = the token of part p of `logits` that wins: by its score, or by its logit where tokens are to be left out;
//! −1 where none does.
//! One workgroup per part, its lanes take every WG_SIZE-th element.
//!
//! variants: LOGIT = f32 | f16
//! variants: T = f32
//! variants: OUT = i32

#import tensor
#import draw
#import tree

struct Params {
    /// 0: the greatest wins.
    reverse: u32,
}

/// Logits of all tokens, and of a part.
override COUNT: u32 = 1024u;
override PART_SIZE: u32 = 1024u;

@group(0) @binding(0) var<storage, read> logits: array<LOGIT>;
@group(0) @binding(1) var<storage, read> sampling: array<u32>;
@group(0) @binding(2) var<storage, read_write> best: array<OUT>;
@group(0) @binding(3) var<uniform> params: Params;

@compute @workgroup_size(WG_SIZE)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let part = flat_group(group, groups);
    let first = part * PART_SIZE;
    if first >= COUNT {
        return;
    }
    let noisy = is_drawn() && !is_narrowed();
    var state = STATE();
    for (var at = 0u; at < PART_SIZE; at += WG_SIZE) {
        let number = first + at + lane;
        if number < COUNT && at + lane < PART_SIZE {
            state = combine(state, candidate(number, noisy));
        }
    }
    state = workgroup_combine(state, lane);
    if lane == 0u {
        best[part] = finish(state);
    }
}
