//! output[c] = exp(input[c] − log Σ exp(input)) over the elements of one dimension, or its logarithm.
//! COOPERATIVE: one workgroup per sum, its lanes take every WG_SIZE-th element; else one invocation per sum.
//!
//! variants: T = f32 | f16
//! variants: OUT = f32 | f16
//! variants: LOG = on | off
//! variants: COOPERATIVE = on | off

#import tensor
#import nan
#if COOPERATIVE
#import tree
#endif

struct Params {
    rows: u32,
    count: u32,
    /// Distance from one element of a row to the next.
    stride: u32,
}

@group(0) @binding(0) var<storage, read> input: array<T>;
@group(0) @binding(1) var<storage, read_write> output: array<OUT>;
@group(0) @binding(2) var<uniform> params: Params;

/// The largest element, and the sum of the exponentials of what the others are less.
alias STATE = vec2<f32>;

fn combine(a: STATE, b: STATE) -> STATE {
    let top = max(a.x, b.x);
    return vec2(top, a.y * exp(a.x - top) + b.y * exp(b.x - top));
}

fn gather(base: u32, first: u32, step: u32) -> STATE {
    // The least finite number: what is infinite shall not meet itself before there is an element.
    var state = vec2(-0x1.fffffep+127f, 0.0);
    for (var i = first; i < params.count; i += step) {
        let value = f32(input[base + i * params.stride]);
        // A driver's `max` may drop NaN, so what spoils the sum goes into the sum.
        let spoils = is_nan(value) || (is_infinite(value) && value > 0.0);
        state = combine(state, select(vec2(value, 1.0), vec2(state.x, not_a_number()), spoils));
    }
    return state;
}

fn scatter(base: u32, first: u32, step: u32, state: STATE) {
    // Nothing is left of a sum only where every element is −∞.
    let spoilt = is_nan(state.y) || state.y == 0.0;
#if LOG
    let shift = select(log(state.y), not_a_number(), spoilt);
#else
    let sum = select(state.y, not_a_number(), spoilt);
#endif
    for (var i = first; i < params.count; i += step) {
        let at = base + i * params.stride;
        let value = f32(input[at]) - state.x;
#if LOG
        output[at] = OUT(value - shift);
#else
        output[at] = OUT(exp(value) / sum);
#endif
    }
}

fn first_of(row: u32) -> u32 {
    return row / params.stride * params.count * params.stride + row % params.stride;
}

#if COOPERATIVE
@compute @workgroup_size(WG_SIZE)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let row = flat_group(group, groups);
    if row >= params.rows {
        return;
    }
    let base = first_of(row);
    scatter(base, lane, WG_SIZE, workgroup_combine(gather(base, lane, WG_SIZE), lane));
}
#else
@compute @workgroup_size(WG_SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let row = flat_index(id, groups);
    if row >= params.rows {
        return;
    }
    let base = first_of(row);
    scatter(base, 0u, 1u, gather(base, 0u, 1u));
}
#endif
