//! output = the token that wins, given those that win in each part; −1 where none does.
//! One workgroup, its lanes take every WG_SIZE-th part. Where tokens are to be left out, it draws among the others, and
//! its lanes take every WG_SIZE-th element of the parts that have any.
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

/// Logits of all tokens, and of a part; and how many parts there are.
override COUNT: u32 = 1024u;
override PART_SIZE: u32 = 1024u;
override PARTS: u32 = 1u;

@group(0) @binding(0) var<storage, read> logits: array<LOGIT>;
@group(0) @binding(1) var<storage, read> sampling: array<u32>;
@group(0) @binding(2) var<storage, read> best: array<OUT>;
@group(0) @binding(3) var<storage, read_write> output: array<OUT>;
@group(0) @binding(4) var<uniform> params: Params;

/// The rank of the least logit that is not left out. That of the greatest is never above it.
fn least_rank(top: f32) -> u32 {
    let least = top + bitcast<f32>(sampling[0]) * logarithm(bitcast<f32>(sampling[1]));
    return min(rank(top), rank(least));
}

/// The winner among every WG_SIZE-th token that is not left out.
fn draw(least: u32, lane: u32) -> STATE {
    var state = STATE();
    for (var part = 0u; part < PARTS; part++) {
        if best[part] < 0 || rank(f32(logits[u32(best[part])])) < least {
            continue;
        }
        let first = part * PART_SIZE;
        let last = min(first + PART_SIZE, COUNT);
        for (var number = first + lane; number < last; number += WG_SIZE) {
            if rank(f32(logits[number])) >= least {
                state = combine(state, candidate(number, true));
            }
        }
    }
    return state;
}

@compute @workgroup_size(WG_SIZE)
fn main(@builtin(local_invocation_index) lane: u32) {
    let noisy = is_drawn() && !is_narrowed();
    var state = STATE();
    for (var part = lane; part < PARTS; part += WG_SIZE) {
        if best[part] >= 0 {
            state = combine(state, candidate(u32(best[part]), noisy));
        }
    }
    state = workgroup_combine(state, lane);
    if is_narrowed() {
        // Without a winner any logit will do: there is nothing to draw.
        let top = min(~state.y, COUNT - 1u);
        let mine = draw(least_rank(f32(logits[top])), lane);
        workgroupBarrier();
        state = workgroup_combine(mine, lane);
    }
    if lane == 0u {
        output[0] = finish(state);
    }
}
