//! Functions that the rows need and the standard library lacks.

/// The error function: a series of positive terms, so that nothing cancels.
pub(super) fn erf(x: f64) -> f64 {
    if x.abs() > 6.0 || x.is_nan() {
        return x.signum();
    }
    let mut term = x;
    let mut sum = x;
    let mut n = 0.0;
    while term.abs() > 1e-18 * sum.abs() {
        n += 1.0;
        term *= 2.0 * x * x / (2.0 * n + 1.0);
        sum += term;
    }
    std::f64::consts::FRAC_2_SQRT_PI * (-x * x).exp() * sum
}

/// The remainder with the sign of the divisor.
pub(super) fn remainder(a: f64, b: f64) -> f64 {
    let rest = a % b;
    if rest != 0.0 && (rest < 0.0) != (b < 0.0) { rest + b } else { rest }
}

/// The quotient towards negative infinity, from the exact remainder: not a number for an infinite `a`, as PyTorch's.
pub(super) fn float_floor_div(a: f64, b: f64) -> f64 {
    if b == 0.0 {
        return a / b;
    }
    let rest = a % b;
    let quotient = ((a - rest) / b).round();
    if rest != 0.0 && (rest < 0.0) != (b < 0.0) { quotient - 1.0 } else { quotient }
}

/// The quotient towards zero. Division by zero, which PyTorch refuses, gives zero on every engine.
pub(super) fn trunc_div(a: i64, b: i64) -> i64 {
    if b == 0 { 0 } else { a.wrapping_div(b) }
}

/// The quotient towards negative infinity. Division by zero, which PyTorch refuses, gives zero on every engine.
pub(super) fn floor_div(a: i64, b: i64) -> i64 {
    let quotient = trunc_div(a, b);
    let rest = a.wrapping_sub(quotient.wrapping_mul(b));
    if b != 0 && rest != 0 && (rest < 0) != (b < 0) { quotient - 1 } else { quotient }
}

/// A power that wraps. A negative exponent leaves only powers of 1 and −1.
pub(super) fn int_pow(a: i64, b: i64) -> i64 {
    match (a, b) {
        (1, _) => 1,
        (-1, b) => 1 - 2 * (b & 1),
        (_, ..0) => 0,
        (a, b) => {
            let (mut result, mut square, mut left) = (1i64, a, b);
            while left > 0 {
                if left & 1 == 1 {
                    result = result.wrapping_mul(square);
                }
                square = square.wrapping_mul(square);
                left >>= 1;
            }
            result
        }
    }
}

/// The bits moved up by a number of places; nothing is left where that is no place.
pub(super) fn left_shift(a: i64, places: i64) -> i64 {
    u32::try_from(places).ok().and_then(|places| a.checked_shl(places)).unwrap_or(0)
}

/// The bits moved down by a number of places; only the sign is left where that is no place.
pub(super) fn right_shift(a: i64, places: i64) -> i64 {
    u32::try_from(places).ok().and_then(|places| a.checked_shr(places)).unwrap_or(a >> 63)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_function_has_its_known_values() {
        for (x, expected) in [(0.0, 0.0), (0.5, 0.520_499_877_813_046_5), (-2.0, -0.995_322_265_018_952_7), (7.0, 1.0)]
        {
            assert!((erf(x) - expected).abs() < 1e-15, "erf({x}) = {}", erf(x));
        }
        assert!(erf(f64::NAN).is_nan());
    }

    #[test]
    fn whole_powers_wrap_and_vanish() {
        for (a, b, expected) in [(3, 4, 81), (-2, 3, -8), (0, 0, 1), (2, -1, 0), (-1, -3, -1), (1, -9, 1), (2, 64, 0)] {
            assert_eq!(int_pow(a, b), expected, "{a}^{b}");
        }
    }

    #[test]
    fn quotients_round_towards_their_end() {
        for (a, b, floor, trunc) in [(7, 2, 3, 3), (-7, 2, -4, -3), (7, -2, -4, -3), (-8, 2, -4, -4), (5, 0, 0, 0)] {
            assert_eq!((floor_div(a, b), trunc_div(a, b)), (floor, trunc), "{a} by {b}");
        }
    }
    #[test]
    fn bits_that_are_moved_out_are_lost() {
        for (a, places, left, right) in
            [(5, 1, 10, 2), (-5, 1, -10, -3), (5, 64, 0, 0), (-5, -1, 0, -1), (1, 63, i64::MIN, 0)]
        {
            assert_eq!((left_shift(a, places), right_shift(a, places)), (left, right), "{a} by {places}");
        }
    }
}
