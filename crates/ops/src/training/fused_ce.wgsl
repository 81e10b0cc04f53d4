//! losses[r] = (log Σ_c exp(logits[r, c]) − logits[r, labels[r]]) / count
//! gradient[r, c] = (softmax(logits[r])[c] − (c = labels[r])) / count, both zero where the label is negative.
//! One workgroup per row; its lanes take every WG_SIZE-th column. A label past the last column is reported.
//!
//! variants: T = f32 | f16
//! variants: REDUCE = reduce_shared | reduce_subgroup

#import tensor
#import status
#import REDUCE

struct Params {
    rows: u32,
    width: u32,
    count: f32,
    node: u32,
}

@group(0) @binding(0) var<storage, read> logits: array<T>;
@group(0) @binding(1) var<storage, read> labels: array<i32>;
@group(0) @binding(2) var<storage, read_write> losses: array<f32>;
@group(0) @binding(3) var<storage, read_write> gradient: array<T>;
@group(0) @binding(4) var<uniform> params: Params;
@group(0) @binding(5) var<storage, read_write> status: array<atomic<u32>, 2>;

const LOWEST = -3.4028234e38;

var<workgroup> sh_greatest: array<f32, WG_SIZE>;

@compute @workgroup_size(WG_SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, lane: Lane) {
    let row = flat_group(group, groups);
    if row >= params.rows {
        return;
    }
    let start = row * params.width;
    var own = LOWEST;
    for (var column = lane.index; column < params.width; column += WG_SIZE) {
        own = max(own, f32(logits[start + column]));
    }
    sh_greatest[lane.index] = own;
    workgroupBarrier();
    for (var step = WG_SIZE / 2u; step > 0u; step /= 2u) {
        if lane.index < step {
            sh_greatest[lane.index] = max(sh_greatest[lane.index], sh_greatest[lane.index + step]);
        }
        workgroupBarrier();
    }
    let greatest = sh_greatest[0];
    var partial = 0.0;
    for (var column = lane.index; column < params.width; column += WG_SIZE) {
        partial += exp(f32(logits[start + column]) - greatest);
    }
    let sum = workgroup_sum(partial, lane);
    let label = labels[row];
    let counts = label >= 0;
    let picked = min(u32(max(label, 0)), params.width - 1u);
    if lane.index == 0u {
        if counts && u32(label) >= params.width {
            report_index(params.node, label);
        }
        let loss = (greatest - f32(logits[start + picked]) + log(sum)) / params.count;
        losses[row] = select(0.0, loss, counts);
    }
    for (var column = lane.index; column < params.width; column += WG_SIZE) {
        let share = exp(f32(logits[start + column]) - greatest) / sum;
        let slope = (share - select(0.0, 1.0, column == picked)) / params.count;
        gradient[start + column] = T(select(0.0, slope, counts));
    }
}
