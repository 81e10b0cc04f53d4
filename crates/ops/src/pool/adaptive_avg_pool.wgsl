//! output[v, z, y, x] = the mean of the window of volume v at (z, y, x), where as many windows cover each side as the output
//! has elements. Each invocation owns one element.
//!
//! variants: T = f32 | f16

#import tensor
#import adaptive

struct Params {
    windows: AdaptiveWindows,
    numel: u32,
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
    let window = window_of(params.windows, index);
    let size = params.windows.size_in;
    var total = 0.0;
    for (var z = window.first.z; z < window.end.z; z++) {
        for (var y = window.first.y; y < window.end.y; y++) {
            // A row by itself first, so that large windows do not lose small terms.
            var part = 0.0;
            for (var x = window.first.x; x < window.end.x; x++) {
                part += f32(input[window.volume + (z * size.y + y) * size.x + x]);
            }
            total += part;
        }
    }
    let sides = window.end - window.first;
    output[index] = T(total / f32(sides.x * sides.y * sides.z));
}
