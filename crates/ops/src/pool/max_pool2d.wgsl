//! output[p, y, x] = the largest element of the window of plane p at (y, x); indices, its position in the plane,
//! or in the window.
//! Each invocation owns one element. A NaN is larger than anything, and the last of several counts.
//!
//! variants: T = f32 | f16 | i32

#import tensor

struct Params {
    numel: u32,
    size_in: vec2<u32>,
    size_out: vec2<u32>,
    window: vec2<u32>,
    stride: vec2<u32>,
    padding: vec2<u32>,
    dilation: vec2<u32>,
    /// Whether `indices` is written.
    has_indices: u32,
    /// Whether positions are counted in the window, where windows lie side by side.
    in_window: u32,
}

@group(0) @binding(0) var<storage, read> input: array<T>;
@group(0) @binding(1) var<storage, read_write> output: array<T>;
@group(0) @binding(2) var<storage, read_write> indices: array<i32>;
@group(0) @binding(3) var<uniform> params: Params;

fn is_nan(value: T) -> bool {
#if T_i32
    return false;
#else
    return (bitcast<u32>(f32(value)) & 0x7fffffffu) > 0x7f800000u;
#endif
}

@compute @workgroup_size(WG_SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let index = flat_index(id, groups);
    if index >= params.numel {
        return;
    }
    let x = index % params.size_out.x;
    let y = index / params.size_out.x % params.size_out.y;
    let plane = index / (params.size_out.x * params.size_out.y) * params.size_in.x * params.size_in.y;
    // Positions are counted from the first element of the padding.
    let start = vec2(x, y) * params.stride;
    let skipped = (max(start, params.padding) - start + params.dilation - 1u) / params.dilation;
    let first = start + skipped * params.dilation - params.padding;
    let steps = params.window - min(skipped, params.window);
    var at = first.y * params.size_in.x + first.x;
    var best = input[plane + at];
    for (var i = 0u; i < steps.y; i++) {
        let row = first.y + i * params.dilation.y;
        for (var j = 0u; j < steps.x; j++) {
            let column = first.x + j * params.dilation.x;
            if row < params.size_in.y && column < params.size_in.x {
                let position = row * params.size_in.x + column;
                let value = input[plane + position];
                if is_nan(value) || (value > best && !is_nan(best)) {
                    best = value;
                    at = position;
                }
            }
        }
    }
    output[index] = best;
    if params.has_indices != 0u {
        let place = vec2(at % params.size_in.x, at / params.size_in.x) % params.window;
        indices[index] = i32(select(at, place.y * params.window.x + place.x, params.in_window != 0u));
    }
}
