//! Four neighbouring elements: what one invocation of a pointwise kernel owns. Bytes live four to a word.

/// The four bytes of a word. `signed` is 1 for `i8`, and 0 for `u8` and `bool`.
fn unpack_bytes(word: u32, signed: u32) -> vec4<i32> {
    let high = bitcast<vec4<i32>>(vec4<u32>(word << 24u, word << 16u, word << 8u, word)) >> vec4<u32>(24u);
    return select(high & vec4<i32>(0xff), high, signed == 1u);
}

/// One byte of a word.
fn unpack_byte(word: u32, index: u32, signed: u32) -> i32 {
    return unpack_bytes(word >> (index % 4u * 8u), signed).x;
}

/// The word of four bytes. `truth` is 1 where anything that is not zero becomes 1.
fn pack_bytes(values: vec4<i32>, truth: u32) -> u32 {
    let bits = bitcast<vec4<u32>>(select(values, vec4<i32>(values != vec4<i32>(0)), truth == 1u)) & vec4<u32>(0xffu);
    return bits.x | (bits.y << 8u) | (bits.z << 16u) | (bits.w << 24u);
}

/// The whole number towards zero. What `i32` cannot hold becomes its nearest end, and NaN becomes 0.
fn to_int(x: f32) -> i32 {
    let within = i32(clamp(x, -2147483648.0, 2147483520.0));
    let high = select(within, 0x7fffffff, x >= 2147483648.0);
    return select(high, 0, (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u);
}
