//! The values of 4-bit codes as 16-bit floats, two at a time: 1024 + n is such a float whose last bits are n. The codes of a
//! word come in the order 0, 4, 1, 5, 2, 6, 3, 7.
//!
//! requires: f16

/// Two codes of a word, four places from each other, each standing for −8 to 7.
fn q4_pair(word: u32, shift: u32) -> vec2<f16> {
    return vec2<f16>(unpack2x16float(((word >> shift) & 0x000f000fu) | 0x64006400u)) - vec2<f16>(1032.0h);
}

fn q4_first_pairs(word: u32) -> vec4<f16> {
    return vec4<f16>(q4_pair(word, 0u), q4_pair(word, 4u));
}

fn q4_second_pairs(word: u32) -> vec4<f16> {
    return vec4<f16>(q4_pair(word, 8u), q4_pair(word, 12u));
}
