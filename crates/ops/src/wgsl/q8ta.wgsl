//! How a sum of products of integers becomes a result. A kernel that imports this has `input_scale`, `inverse_scale`,
//! `zero`, `least`, `low` and `high` in its `params`.

/// The float that a sum stands for.
fn finish_float(sum: i32, scale: f32, bias: f32) -> f32 {
    return max(f32(sum) * (params.input_scale * scale) + bias, params.least);
}

/// The integer that a float becomes.
fn finish_byte(value: f32) -> i32 {
    return quantize(value, params.inverse_scale, params.zero, params.low, params.high);
}
