//! Bytes that live four to a word.

/// The byte at `index`, counted from the lowest; `sign` is 128 where bytes are signed and 0 where they are not.
fn byte_at(word: u32, index: u32, sign: u32) -> i32 {
    return i32(((word >> (index % 4u * 8u)) & 0xffu) ^ sign) - i32(sign);
}

/// `value` as the byte at `index` of a word of zeros.
fn byte_to(value: i32, index: u32) -> u32 {
    return (bitcast<u32>(value) & 0xffu) << (index % 4u * 8u);
}
