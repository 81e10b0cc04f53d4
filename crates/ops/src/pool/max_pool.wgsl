//! output[v, z, y, x] = the largest element of the window of volume v at (z, y, x); indices, its place in the volume,
//! or in the window. Each invocation owns one element. A NaN is larger than anything, and the last of several counts.
//!
//! variants: T = f32 | f16 | i32

#import tensor
#import volumes

struct Params {
    volumes: Volumes,
    numel: u32,
    /// Whether `indices` is written.
    has_indices: u32,
    /// Whether places are counted in the window, where windows lie side by side.
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
    let size = params.volumes.size_in;
    let base = volume_of(params.volumes, index);
    // Places are counted from the first element of the padding, before which they wrap around to large numbers.
    let start = place_of(params.volumes, index) * params.volumes.stride - params.volumes.padding;
    var found = false;
    var at = 0u;
    var best = T(0);
    for (var i = 0u; i < params.volumes.window.z; i++) {
        let z = start.z + i * params.volumes.dilation.z;
        for (var j = 0u; j < params.volumes.window.y; j++) {
            let y = start.y + j * params.volumes.dilation.y;
            for (var k = 0u; k < params.volumes.window.x; k++) {
                let x = start.x + k * params.volumes.dilation.x;
                if z >= size.z || y >= size.y || x >= size.x {
                    continue;
                }
                let place = (z * size.y + y) * size.x + x;
                let value = input[base + place];
                if !found || is_nan(value) || (value > best && !is_nan(best)) {
                    found = true;
                    best = value;
                    at = place;
                }
            }
        }
    }
    output[index] = best;
    if params.has_indices != 0u {
        let window = params.volumes.window;
        let own = vec3(at % size.x, at / size.x % size.y, at / (size.x * size.y)) % window;
        indices[index] = i32(select(at, (own.z * window.y + own.y) * window.x + own.x, params.in_window != 0u));
    }
}
