//! The values of 4-bit codes without a conversion: 2²³ + n is a float whose last bits are n.

/// Four nibbles of a word, shifted down by these, each standing for −8 to 7.
fn q4_values(word: u32, shifts: vec4<u32>) -> vec4<f32> {
    return bitcast<vec4<f32>>(((vec4(word) >> shifts) & vec4(15u)) | vec4(0x4b000000u)) - 8388616.0;
}

fn q4_low(word: u32) -> vec4<f32> {
    return q4_values(word, vec4(0u, 4u, 8u, 12u));
}

fn q4_high(word: u32) -> vec4<f32> {
    return q4_values(word, vec4(16u, 20u, 24u, 28u));
}
