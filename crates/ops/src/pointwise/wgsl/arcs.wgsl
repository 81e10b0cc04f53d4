//! Arc functions by one series: WGSL promises few bits of `asin`, `acos` and `atan`.

#import nan

const PI = 3.1415926536;

/// The arc tangent of a number between 0 and 1, by its series about 0 or 1/2.
fn arc_of_quotient(x: f32) -> f32 {
    // atan(x) = atan(1/2) + atan((x − 1/2) / (1 + x/2)).
    let near = x > 0.25;
    let r = select(x, (x - 0.5) / (1.0 + 0.5 * x), near);
    let s = r * r;
    let series = r * (1.0 - s * (1.0 / 3.0 - s * (0.2 - s * (1.0 / 7.0 - s * (1.0 / 9.0 - s * (1.0 / 11.0
        - s * (1.0 / 13.0)))))));
    return select(series, 0.4636476090 + series, near);
}

fn arc_tangent(x: f32) -> f32 {
    if is_nan(x) {
        return x;
    }
    let size = abs(x);
    let steep = size > 1.0;
    let arc = arc_of_quotient(select(size, 1.0 / size, steep));
    let angle = select(arc, 0.5 * PI - arc, steep);
    return select(angle, -angle, (bitcast<u32>(x) >> 31u) == 1u);
}

/// The angle of the point (x, y), by the signs of both.
fn arc_tangent_of(y: f32, x: f32) -> f32 {
    if is_nan(x) || is_nan(y) {
        return not_a_number();
    }
    let width = abs(x);
    let height = abs(y);
    let steep = height > width;
    var quotient = select(height / width, width / height, steep);
    if width == height {
        quotient = select(1.0, 0.0, width == 0.0);
    }
    let arc = arc_of_quotient(quotient);
    let first = select(arc, 0.5 * PI - arc, steep);
    let upper = select(first, PI - first, (bitcast<u32>(x) >> 31u) == 1u);
    return select(upper, -upper, (bitcast<u32>(y) >> 31u) == 1u);
}

fn arc_sine(x: f32) -> f32 {
    if is_nan(x) || abs(x) > 1.0 {
        return not_a_number();
    }
    return 2.0 * arc_tangent(x / (1.0 + sqrt((1.0 - x) * (1.0 + x))));
}

fn arc_cosine(x: f32) -> f32 {
    if is_nan(x) || abs(x) > 1.0 {
        return not_a_number();
    }
    let size = abs(x);
    let angle = 2.0 * arc_tangent(sqrt((1.0 - size) / (1.0 + size)));
    return select(angle, PI - angle, x < 0.0);
}
