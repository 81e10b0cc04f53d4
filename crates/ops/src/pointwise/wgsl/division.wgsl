//! Quotients that are rounded to whole numbers, and remainders.
//!
//! A device may round `a / b` so that 6 / 3 falls short of 2, so the quotients come from the remainder, which is exact.

#import nan

/// The remainder with the sign of `a`: the largest multiples of `b` by powers of two are taken away, each exactly.
fn trunc_remainder(a: f32, b: f32) -> f32 {
    if is_nan(a) || is_nan(b) || is_infinite(a) || b == 0.0 {
        return not_a_number();
    }
    let divisor = abs(b);
    var rest = abs(a);
    while rest >= divisor {
        let shift = (bitcast<u32>(rest) >> 23u) - (bitcast<u32>(divisor) >> 23u);
        var step = ldexp(divisor, i32(shift));
        if step > rest {
            step *= 0.5;
        }
        rest -= step;
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
