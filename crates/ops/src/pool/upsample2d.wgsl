//! output[p, y, x] = plane p of the input at the point that (y, x) comes from.
//! Each invocation owns one element.
//!
//! variants: T = f32 | f16
//! variants: MODE = nearest | bilinear

#import tensor

struct Params {
    numel: u32,
    size_in: vec2<u32>,
    size_out: vec2<u32>,
    /// Distance in the input for a step in the output.
    scale: vec2<f32>,
    /// Whether pixels are points and not squares.
    align_corners: u32,
}

@group(0) @binding(0) var<storage, read> input: array<T>;
@group(0) @binding(1) var<storage, read_write> output: array<T>;
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(WG_SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let index = flat_index(id, groups);
    if index >= params.numel {
        return;
    }
    let place = vec2(index % params.size_out.x, index / params.size_out.x % params.size_out.y);
    let plane = index / (params.size_out.x * params.size_out.y) * params.size_in.x * params.size_in.y;
    let last = params.size_in - 1u;
#if MODE_nearest
    let source = min(vec2<u32>(vec2<f32>(place) * params.scale), last);
    output[index] = input[plane + source.y * params.size_in.x + source.x];
#else
    var point = vec2<f32>(place) * params.scale;
    if params.align_corners == 0u {
        point = max((vec2<f32>(place) + 0.5) * params.scale - 0.5, vec2(0.0));
    }
    let low = min(vec2<u32>(point), last);
    let high = min(low + 1u, last);
    let part = clamp(point - vec2<f32>(low), vec2(0.0), vec2(1.0));
    let top = plane + low.y * params.size_in.x;
    let bottom = plane + high.y * params.size_in.x;
    let above = f32(input[top + low.x]) * (1.0 - part.x) + f32(input[top + high.x]) * part.x;
    let below = f32(input[bottom + low.x]) * (1.0 - part.x) + f32(input[bottom + high.x]) * part.x;
    output[index] = T(above * (1.0 - part.y) + below * part.y);
#endif
}
