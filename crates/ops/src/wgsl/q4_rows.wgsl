//! Codes of four neighbouring rows of a weight, with their scales, a vector of each row at a time.

/// 16 bytes of codes from each of four rows, and their scales.
struct Codes {
    row0: vec4<u32>,
    row1: vec4<u32>,
    row2: vec4<u32>,
    row3: vec4<u32>,
    scale: vec4<f32>,
}

fn codes_at(row: u32, word: u32) -> Codes {
    return Codes(
        weight[row * WORDS + word],
        weight[(row + 1u) * WORDS + word],
        weight[(row + 2u) * WORDS + word],
        weight[(row + 3u) * WORDS + word],
        vec4<f32>(scales[word / GROUP_WORDS * SCALE_STRIDE + row / 4u]),
    );
}
