//! Powers of two that bring numbers near another without rounding any.

/// A power of two with 2^exponent ≤ largest · power < 2^(exponent + 1), where that is a normal float.
fn power_towards(exponent: u32, largest: f32) -> f32 {
    let have = max((bitcast<u32>(largest) >> 23u) & 255u, exponent + 1u);
    return bitcast<f32>((254u + exponent - have) << 23u);
}
