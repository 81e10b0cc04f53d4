//! Rows rounded to 8 bits by a scale and a zero point from their range, which holds zero.

#import affine

/// How a row is rounded: steps of one unit, the size of a step, and the zero point.
struct RowCode {
    steps: f32,
    size: f32,
    zero: f32,
}

/// The code of a row with this range. A least scale below zero asks for the zero point from the side of the range that leaves
/// the smaller error; otherwise it is from the least element, and steps are at least as large.
fn row_code(range: vec2<f32>, least_scale: f32) -> RowCode {
    let extent = range.y - range.x;
    if least_scale < 0.0 {
        let steps = select(255.0 / extent, 1.0, extent == 0.0);
        let ends = range * steps;
        let from_least = (-128.0 + ends.x) + (127.0 + ends.y) > 0.0;
        let zero = round(clamp(select(127.0 - ends.y, -128.0 - ends.x, from_least), -128.0, 127.0));
        return RowCode(steps, 1.0 / steps, zero);
    }
    let size = max(extent / 255.0, least_scale);
    return RowCode(1.0 / size, size, clamp(-128.0 - round(range.x / size), -128.0, 127.0));
}

/// How many steps from zero a number is rounded to: an integer from −255 to 255.
fn rounded_steps(value: f32, code: RowCode) -> f32 {
    return f32(quantize(value, code.steps, code.zero, -128.0, 127.0)) - code.zero;
}
