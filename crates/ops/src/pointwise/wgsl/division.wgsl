//! Quotients that are rounded to whole numbers, and remainders.
//!
//! A device may round `a / b` so that 6 / 3 falls short of 2, so the quotients come from the remainder, which is exact.

#import nan

/// The smallest number with all its digits, and two to the number of these.
const SMALLEST_NORMAL: f32 = 1.17549435e-38;
const DIGITS: f32 = 16777216.0;

/// What is left of `a`, where the largest multiples of `b` by powers of two are taken away, each exactly. Both are positive,
/// and `b` has all its digits.
fn reduced(a: f32, b: f32) -> f32 {
    var rest = a;
    while rest >= b {
        // The digits of the one with the power of two of the other. As a product it would not be exact: the power of two between
        // them may be too large for a float, and a driver may multiply parts of it first.
        var step = bitcast<f32>((bitcast<u32>(b) & 0x7fffffu) | (bitcast<u32>(rest) & 0x7f800000u));
        if step > rest {
            step *= 0.5;
        }
        rest -= step;
    }
    return rest;
}

/// The remainder with the sign of `a`.
fn trunc_remainder(a: f32, b: f32) -> f32 {
    if is_nan(a) || is_nan(b) || is_infinite(a) || b == 0.0 {
        return not_a_number();
    }
    var rest = abs(a);
    if abs(b) < SMALLEST_NORMAL {
        // A multiple of it has all its digits.
        let multiple = abs(b) * DIGITS;
        rest = reduced(reduced(rest, multiple) * DIGITS, multiple) / DIGITS;
    } else {
        rest = reduced(rest, abs(b));
    }
    return select(rest, -rest, a < 0.0);
}

/// The remainder with the sign of `b`.
fn floor_remainder(a: f32, b: f32) -> f32 {
    let rest = trunc_remainder(a, b);
    return select(rest, rest + b, rest != 0.0 && (rest < 0.0) != (b < 0.0));
}

fn trunc_div(a: f32, b: f32) -> f32 {
    if b == 0.0 || is_infinite(a) {
        return a / b;
    }
    return round((a - trunc_remainder(a, b)) / b);
}

/// Like PyTorch's, not a number for an infinite `a`.
fn floor_div(a: f32, b: f32) -> f32 {
    if b == 0.0 {
        return a / b;
    }
    let rest = trunc_remainder(a, b);
    let quotient = round((a - rest) / b);
    return select(quotient, quotient - 1.0, rest != 0.0 && (rest < 0.0) != (b < 0.0));
}

/// Division by zero gives zero, and the one quotient that overflows wraps.
fn int_trunc_div(a: i32, b: i32) -> i32 {
    if b == 0 {
        return 0;
    }
    if b == -1 {
        return 0 - a;
    }
    return a / b;
}

fn int_floor_div(a: i32, b: i32) -> i32 {
    let quotient = int_trunc_div(a, b);
    let rest = a - quotient * b;
    return select(quotient, quotient - 1, b != 0 && rest != 0 && (rest < 0) != (b < 0));
}
