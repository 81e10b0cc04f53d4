//! output[n, c, i] = plane (n, c) of the input at the point grid[n, i], whose coordinates run from −1 to 1.
//! Each invocation owns one element.
//!
//! variants: T = f32 | f16
//! variants: MODE = bilinear | nearest | bicubic

#import tensor

struct Params {
    numel: u32,
    channels: u32,
    /// Points of one sample.
    points: u32,
    size: vec2<u32>,
    /// Outside the input: 0 is zero, 1 is the border, 2 is its reflection.
    padding: u32,
    /// Whether −1 and 1 are the centers of the outermost pixels and not their edges.
    align_corners: u32,
}

@group(0) @binding(0) var<storage, read> input: array<T>;
@group(0) @binding(1) var<storage, read> grid: array<T>;
@group(0) @binding(2) var<storage, read_write> output: array<T>;
@group(0) @binding(3) var<uniform> params: Params;

/// A coordinate in pixels. What is no number is the first pixel, or far outside where that is zero.
fn pixels(coordinate: f32, size: f32) -> f32 {
    if (bitcast<u32>(coordinate) & 0x7fffffffu) > 0x7f800000u {
        return select(0.0, -8.0, params.padding == 0u);
    }
    if params.align_corners != 0u {
        return (coordinate + 1.0) * ((size - 1.0) / 2.0);
    }
    return (coordinate + 1.0) * (size / 2.0) - 0.5;
}

/// A pixel coordinate as the padding moves it.
fn padded(coordinate: f32, size: f32) -> f32 {
    if params.padding == 0u {
        // Far outside is as good as infinitely far, and fits an integer.
        return clamp(coordinate, -8.0, size + 8.0);
    }
    var inside = coordinate;
    if params.padding == 2u {
        let low = select(-0.5, 0.0, params.align_corners != 0u);
        let span = select(size, size - 1.0, params.align_corners != 0u);
        if span == 0.0 {
            return 0.0;
        }
        let distance = abs(inside - low);
        let flips = floor(distance / span);
        let extra = distance - flips * span;
        inside = low + select(extra, span - extra, flips % 2.0 != 0.0);
    }
    return clamp(inside, 0.0, size - 1.0);
}

/// The element at whole coordinates; zero outside.
fn fetch(plane: u32, x: f32, y: f32) -> f32 {
    let size = vec2<f32>(params.size);
    if x >= 0.0 && y >= 0.0 && x < size.x && y < size.y {
        return f32(input[plane + u32(y) * params.size.x + u32(x)]);
    }
    return 0.0;
}

/// The weights of four neighbours, the point lying `t` after the second.
fn cubic(t: f32) -> vec4<f32> {
    let near = vec2(t, 1.0 - t);
    let far = near + 1.0;
    let inner = (1.25 * near - 2.25) * near * near + 1.0;
    let outer = ((-0.75 * far + 3.75) * far - 6.0) * far + 3.0;
    return vec4(outer.x, inner.x, inner.y, outer.y);
}

@compute @workgroup_size(WG_SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let index = flat_index(id, groups);
    if index >= params.numel {
        return;
    }
    let plane = index / params.points * params.size.x * params.size.y;
    let sample = index / (params.points * params.channels);
    let at = (sample * params.points + index % params.points) * 2u;
    let size = vec2<f32>(params.size);
    let x = pixels(f32(grid[at]), size.x);
    let y = pixels(f32(grid[at + 1u]), size.y);
#if MODE_nearest
    output[index] = T(fetch(plane, round(padded(x, size.x)), round(padded(y, size.y))));
#endif
#if MODE_bilinear
    let point = vec2(padded(x, size.x), padded(y, size.y));
    let low = floor(point);
    let part = point - low;
    let above = fetch(plane, low.x, low.y) * (1.0 - part.x) + fetch(plane, low.x + 1.0, low.y) * part.x;
    let below = fetch(plane, low.x, low.y + 1.0) * (1.0 - part.x) + fetch(plane, low.x + 1.0, low.y + 1.0) * part.x;
    output[index] = T(above * (1.0 - part.y) + below * part.y);
#endif
#if MODE_bicubic
    let low = floor(vec2(x, y));
    let across = cubic(x - low.x);
    let down = cubic(y - low.y);
    var total = 0.0;
    for (var i = 0u; i < 4u; i++) {
        let row = padded(low.y + f32(i) - 1.0, size.y);
        var line = 0.0;
        for (var j = 0u; j < 4u; j++) {
            // Padding moves whole coordinates to whole ones, but for the roundings of a reflection.
            line += across[j] * fetch(plane, round(padded(low.x + f32(j) - 1.0, size.x)), round(row));
        }
        total += down[i] * line;
    }
    output[index] = T(total);
#endif
}
