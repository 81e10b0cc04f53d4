//! The affine map from floats to integers.

/// A float that is already scaled and shifted, as an integer from `low` to `high`. NaN becomes 0.
fn to_step(value: f32, low: f32, high: f32) -> i32 {
    let is_nan = (bitcast<u32>(value) & 0x7fffffffu) > 0x7f800000u;
    return i32(clamp(select(value, 0.0, is_nan), low, high));
}

/// `value / scale + zero`, rounded to the nearest integer, ties to the even one.
fn quantize(value: f32, inverse_scale: f32, zero: f32, low: f32, high: f32) -> i32 {
    return to_step(round(value * inverse_scale) + zero, low, high);
}
