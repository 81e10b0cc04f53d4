//! output[v, z, y, x] = the largest element of the window of volume v at (z, y, x), where as many windows cover each side as
//! the output has elements; indices, its place in the volume. Each invocation owns one element. A NaN is larger than
//! anything, and the last of several counts.
//!
//! variants: T = f32 | f16 | i32

#import tensor
#import adaptive

struct Params {
    windows: AdaptiveWindows,
    numel: u32,
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
    let window = window_of(params.windows, index);
    let size = params.windows.size_in;
    // A window covers at least one element.
    var at = (window.first.z * size.y + window.first.y) * size.x + window.first.x;
    var best = input[window.volume + at];
    for (var z = window.first.z; z < window.end.z; z++) {
        for (var y = window.first.y; y < window.end.y; y++) {
            for (var x = window.first.x; x < window.end.x; x++) {
                let place = (z * size.y + y) * size.x + x;
                let value = input[window.volume + place];
                if is_nan(value) || (value > best && !is_nan(best)) {
                    best = value;
                    at = place;
                }
            }
        }
    }
    output[index] = best;
    indices[index] = i32(at);
}
