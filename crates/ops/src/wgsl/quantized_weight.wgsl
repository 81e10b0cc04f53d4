//! Codes of a quantized weight in groups of four, a quad: nibbles that stand for −8 to 7, or signed bytes.
//! A kernel that imports this declares `weight`, rows of codes, each a whole number of bytes; `LOAD` says whether it
//! reads them as whole vectors, whole words, or bytes that begin anywhere.
//!
//! axes: CODE = nibble | byte
//! axes: LOAD = vector | word | any

/// Whether an even column is the low nibble of its byte.
override LOW_FIRST: bool = true;

#if CODE_nibble
const QUADS_PER_WORD = 2u;
#else
const QUADS_PER_WORD = 1u;
#endif

/// Four codes of one word: the lower or the upper four nibbles, or all its bytes.
fn quad_of(word: u32, part: u32) -> vec4<f32> {
#if CODE_nibble
    let shifts = select(vec4(4u, 0u, 12u, 8u), vec4(0u, 4u, 8u, 12u), LOW_FIRST) + part * 16u;
    return vec4<f32>((vec4(word) >> shifts) & vec4(15u)) - 8.0;
#else
    return vec4<f32>((vec4(bitcast<i32>(word)) << vec4(24u, 16u, 8u, 0u)) >> vec4(24u));
#endif
}

#if LOAD_word
/// Four consecutive codes of a row, whose length is a whole number of words.
fn weight_quad(row: u32, quad: u32, row_bytes: u32) -> vec4<f32> {
    return quad_of(weight[row * (row_bytes / 4u) + quad / QUADS_PER_WORD], quad % QUADS_PER_WORD);
}
#endif
#if LOAD_any
/// Four consecutive codes of a row; past its end they are unspecified.
fn weight_quad(row: u32, quad: u32, row_bytes: u32) -> vec4<f32> {
    let first = quad * (4u / QUADS_PER_WORD);
    var word = 0u;
    for (var i = 0u; i < min(4u / QUADS_PER_WORD, row_bytes - first); i++) {
        let byte = row * row_bytes + first + i;
        word |= ((weight[byte / 4u] >> (byte % 4u * 8u)) & 0xffu) << (i * 8u);
    }
    return quad_of(word, 0u);
}
#endif
