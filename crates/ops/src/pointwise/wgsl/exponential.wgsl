//! The exponential and what is made of it. WGSL promises `exp` only to a number of bits that falls as |x| grows.

#import bounds
#import logarithm

/// 2^n for n from −126 to 127.
fn two_to_the(n: i32) -> f32 {
    return bitcast<f32>(u32(n + 127) << 23u);
}

/// The exponential of a number that is no larger than half of ln 2: its series.
fn exponential_series(r: f32) -> f32 {
    return 1.0 + r * (1.0 + r * (0.5 + r * (1.0 / 6.0 + r * (1.0 / 24.0 + r * (1.0 / 120.0
        + r * (1.0 / 720.0 + r * (1.0 / 5040.0)))))));
}

/// e^x = 2^k · e^r, where r is what a whole number k of ln 2 leaves of x.
fn exponential(x: f32) -> f32 {
    let within = bounded(x, -110.0, 90.0);
    // NaN keeps its way through r; as an integer it would be any number.
    let k = select(round(within * 1.4426950409), 0.0, is_nan(x));
    // ln 2 in two parts; the first has so few bits that its product with k is exact.
    let r = (within - k * 0.693359375) + k * 0.00021219444;
    let first = i32(floor(k * 0.5));
    return exponential_series(r) * two_to_the(first) * two_to_the(i32(k) - first);
}

fn exponential_minus_1(x: f32) -> f32 {
    let near_zero = x * (1.0 + x * (0.5 + x * (1.0 / 6.0 + x * (1.0 / 24.0 + x * (1.0 / 120.0
        + x * (1.0 / 720.0 + x * (1.0 / 5040.0)))))));
    return select(exponential(x) - 1.0, near_zero, abs(x) < 0.35);
}

fn log_of_1_plus(x: f32) -> f32 {
    let near_zero = x * (1.0 - x * (0.5 - x * (1.0 / 3.0 - x * 0.25)));
    return select(logarithm(1.0 + x), near_zero, abs(x) < 0.01);
}

fn hyperbolic_tangent(x: f32) -> f32 {
    let decay = exponential(-2.0 * abs(x));
    let magnitude = (1.0 - decay) / (1.0 + decay);
    return select(magnitude, -magnitude, x < 0.0);
}
