//! output[p, y, x] = the mean of the window of plane p at (y, x).
//! Each invocation owns one element. The divisor counts the window with its padding, or its elements, or is given.
//!
//! variants: T = f32 | f16

#import tensor

struct Params {
    numel: u32,
    size_in: vec2<u32>,
    size_out: vec2<u32>,
    window: vec2<u32>,
    stride: vec2<u32>,
    padding: vec2<u32>,
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
    let x = index % params.size_out.x;
    let y = index / params.size_out.x % params.size_out.y;
    let plane = index / (params.size_out.x * params.size_out.y) * params.size_in.x * params.size_in.y;
    // Positions are counted from the first element of the padding.
    let start = vec2(x, y) * params.stride;
    let end = min(start + params.window, params.size_in + 2u * params.padding);
    let first = max(start, params.padding) - params.padding;
    let last = min(max(end, params.padding) - params.padding, params.size_in);
    var total = 0.0;
    for (var row = first.y; row < last.y; row++) {
        // A row by itself first, so that large windows do not lose small terms.
        var part = 0.0;
        for (var column = first.x; column < last.x; column++) {
            part += f32(input[plane + row * params.size_in.x + column]);
        }
        total += part;
    }
    var divisor = params.divisor;
    if divisor == 0.0 {
        let sides = select(last - first, end - start, params.count_padding != 0u);
        divisor = f32(sides.x * sides.y);
    }
    if any(first >= last) {
        output[index] = T(0.0);
    } else {
        output[index] = T(total / divisor);
    }
}
