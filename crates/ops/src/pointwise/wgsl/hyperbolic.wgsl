//! Hyperbolic functions and their inverses, from the exponential and the logarithm.

#import exponential
#import nan

/// What is added where an argument is so large that its square is not a number any more.
const LN_2 = 0.6931471806;
const LARGE = 1e9;

fn hyperbolic_cosine(x: f32) -> f32 {
    // The root does not overflow before the result does.
    let root = exponential(0.5 * abs(x));
    return (0.5 * root) * root + (0.5 / root) / root;
}

fn hyperbolic_sine(x: f32) -> f32 {
    let s = x * x;
    let near_zero = x * (1.0 + s * (1.0 / 6.0 + s * (1.0 / 120.0 + s * (1.0 / 5040.0))));
    let root = exponential(0.5 * abs(x));
    let magnitude = (0.5 * root) * root - (0.5 / root) / root;
    return select(select(magnitude, -magnitude, x < 0.0), near_zero, s < 0.25);
}

fn inverse_hyperbolic_sine(x: f32) -> f32 {
    let size = abs(x);
    let within = min(size, LARGE);
    let usual = log_of_1_plus(within + within * within / (1.0 + sqrt(within * within + 1.0)));
    let magnitude = select(usual, logarithm(size) + LN_2, size > LARGE);
    return select(select(magnitude, -magnitude, x < 0.0), x, is_nan(x));
}

fn inverse_hyperbolic_cosine(x: f32) -> f32 {
    if is_nan(x) || x < 1.0 {
        return not_a_number();
    }
    let above = min(x, LARGE) - 1.0;
    return select(log_of_1_plus(above + sqrt(above * (above + 2.0))), logarithm(x) + LN_2, x > LARGE);
}

fn inverse_hyperbolic_tangent(x: f32) -> f32 {
    let size = abs(x);
    if is_nan(x) || size > 1.0 {
        return not_a_number();
    }
    var magnitude = infinity();
    if size < 1.0 {
        magnitude = 0.5 * log_of_1_plus(2.0 * size / (1.0 - size));
    }
    return select(magnitude, -magnitude, x < 0.0);
}
