//! output[r, c] = (clamp(round(input[r, c] / s) + z, −128, 127) − z) · s, with s and z from the range of row r, zero in it.
//! One workgroup per row.
//!
//! variants: T = f32 | f16

#import tensor
#import rounding

struct Params {
    rows: u32,
    width: u32,
    least_scale: f32,
}

@group(0) @binding(0) var<storage, read> input: array<T>;
@group(0) @binding(1) var<storage, read_write> output: array<T>;
@group(0) @binding(2) var<uniform> params: Params;

var<workgroup> sh_range: array<vec2<f32>, WG_SIZE>;

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
    let first = row * params.width;
    var range = vec2<f32>();
    for (var i = lane; i < params.width; i += WG_SIZE) {
        let value = f32(input[first + i]);
        range = vec2(min(range.x, value), max(range.y, value));
    }
    sh_range[lane] = range;
    workgroupBarrier();
    for (var step = WG_SIZE / 2u; step > 0u; step /= 2u) {
        if lane < step {
            let other = sh_range[lane + step];
            sh_range[lane] = vec2(min(sh_range[lane].x, other.x), max(sh_range[lane].y, other.y));
        }
        workgroupBarrier();
    }
    let code = row_code(sh_range[0], params.least_scale);
    for (var i = lane; i < params.width; i += WG_SIZE) {
        output[first + i] = T(rounded_steps(f32(input[first + i]), code) * code.size);
    }
}
