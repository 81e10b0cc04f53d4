//! Powers of any base. WGSL defines `pow` for positive ones only.

#import nan

/// a^n by repeated squaring.
fn whole_power(a: f32, n: u32) -> f32 {
    var result = 1.0;
    var square = a;
    for (var left = n; left > 0u; left >>= 1u) {
        if (left & 1u) == 1u {
            result *= square;
        }
        square *= square;
    }
    return result;
}

fn power(a: f32, b: f32) -> f32 {
    if b == 0.0 || a == 1.0 {
        return 1.0;
    }
    if is_nan(a) || is_nan(b) {
        return a + b;
    }
    if abs(b) <= 64.0 && b == trunc(b) {
        let result = whole_power(a, u32(abs(b)));
        return select(result, 1.0 / result, b < 0.0);
    }
    let whole = b == trunc(b);
    let odd = whole && abs(b) < 16777216.0 && abs(b) - 2.0 * floor(abs(b) * 0.5) == 1.0;
    if abs(a) == 1.0 && whole {
        return select(1.0, -1.0, odd);
    }
    // Not every device takes the logarithm of zero or infinity.
    let ends = select(0.0, infinity(), (a == 0.0) == (b < 0.0));
    let magnitude = select(exp2(b * log2(abs(a))), ends, a == 0.0 || is_infinite(a));
    if a < 0.0 && !whole && !is_infinite(a) {
        return not_a_number();
    }
    return select(magnitude, -magnitude, a < 0.0 && odd);
}

/// a^b with wrapping; a negative exponent leaves only powers of 1 and −1.
fn int_power(a: i32, b: i32) -> i32 {
    if b < 0 && a != 1 && a != -1 {
        return 0;
    }
    // The parity of the exponent is all that matters to 1 and −1.
    var left = select(u32(b), u32(b) & 1u, b < 0);
    var result = 1;
    var square = a;
    while left > 0u {
        if (left & 1u) == 1u {
            result *= square;
        }
        square *= square;
        left >>= 1u;
    }
    return result;
}
