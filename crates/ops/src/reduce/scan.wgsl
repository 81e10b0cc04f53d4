//! output[i] = input[0] + … + input[i] along every line of one dimension, or × for PRODUCT.
//! A workgroup owns a line, which it goes through WG_SIZE elements at a time.
//!
//! variants: T = f32 | f16 | i32
//! variants: PRODUCT = on | off

#import tensor

struct Params {
    rows: u32,
    count: u32,
    /// Distance from one element of a line to the next.
    stride: u32,
}

@group(0) @binding(0) var<storage, read> input: array<T>;
@group(0) @binding(1) var<storage, read_write> output: array<T>;
@group(0) @binding(2) var<uniform> params: Params;

#if T_i32
alias STATE = i32;
#else
alias STATE = f32;
#endif

var<workgroup> sh_total: array<STATE, WG_SIZE>;

#if PRODUCT
fn combine(a: STATE, b: STATE) -> STATE {
    return a * b;
}

fn identity() -> STATE {
    return STATE(1);
}
#else
fn combine(a: STATE, b: STATE) -> STATE {
    return a + b;
}

fn identity() -> STATE {
    return STATE(0);
}
#endif

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
    let base = row / params.stride * params.count * params.stride + row % params.stride;
    var before = identity();
    for (var start = 0u; start < params.count; start += WG_SIZE) {
        let at = base + (start + lane) * params.stride;
        let within = start + lane < params.count;
        var total = identity();
        if within {
            total = STATE(input[at]);
        }
        sh_total[lane] = total;
        workgroupBarrier();
        // Each lane takes up what the one `step` lanes before it has, of twice as many elements every time.
        for (var step = 1u; step < WG_SIZE; step *= 2u) {
            var left = identity();
            if lane >= step {
                left = sh_total[lane - step];
            }
            workgroupBarrier();
            total = combine(left, total);
            sh_total[lane] = total;
            workgroupBarrier();
        }
        if within {
            output[at] = T(combine(before, total));
        }
        before = combine(before, sh_total[WG_SIZE - 1u]);
        workgroupBarrier();
    }
}
