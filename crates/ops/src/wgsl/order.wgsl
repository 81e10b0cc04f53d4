//! Numbers as unsigned integers that order as they do: comparing them does not depend on how a driver treats NaN.
//!
//! axes: T = f32 | f16 | i32

/// Larger for larger values, or for smaller ones where `params.reverse` has all bits set; NaN is above everything.
fn order(value: T) -> u32 {
#if T_i32
    return bitcast<u32>(value) ^ 0x80000000u ^ params.reverse;
#else
    let bits = bitcast<u32>(f32(value));
    let magnitude = bits & 0x7fffffffu;
    if magnitude > 0x7f800000u {
        return 0xffffffffu;
    }
    // Both zeros are one number.
    let negative = bits != magnitude && magnitude != 0u;
    return select(magnitude | 0x80000000u, ~bits, negative) ^ params.reverse;
#endif
}

/// The value that is ordered so.
fn value_of(order: u32) -> T {
    let key = order ^ params.reverse;
#if T_i32
    return bitcast<i32>(key ^ 0x80000000u);
#else
    return T(bitcast<f32>(select(~key, key & 0x7fffffffu, key >= 0x80000000u)));
#endif
}
