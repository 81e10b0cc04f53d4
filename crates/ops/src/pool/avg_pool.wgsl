//! output[v, z, y, x] = the mean of the window of volume v at (z, y, x).
//! Each invocation owns one element. The divisor counts the window with its padding, or its elements, or is given.
//!
//! variants: T = f32 | f16

#import tensor
#import volumes

struct Params {
    volumes: Volumes,
    numel: u32,
    count_padding: u32,
    /// The divisor where it is given, else 0.
    divisor: f32,
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
    let size = params.volumes.size_in;
    let padding = params.volumes.padding;
    let base = volume_of(params.volumes, index);
    // Places are counted from the first element of the padding.
    let start = place_of(params.volumes, index) * params.volumes.stride;
    let end = min(start + params.volumes.window, size + 2u * padding);
    let first = max(start, padding) - padding;
    let last = min(max(end, padding) - padding, size);
    var total = 0.0;
    for (var z = first.z; z < last.z; z++) {
        for (var y = first.y; y < last.y; y++) {
            // A row by itself first, so that large windows do not lose small terms.
            var part = 0.0;
            for (var x = first.x; x < last.x; x++) {
                part += f32(input[base + (z * size.y + y) * size.x + x]);
            }
            total += part;
        }
    }
    var divisor = params.divisor;
    if divisor == 0.0 {
        let sides = select(last - first, end - start, params.count_padding != 0u);
        divisor = f32(sides.x * sides.y * sides.z);
    }
    output[index] = T(total / divisor);
}
