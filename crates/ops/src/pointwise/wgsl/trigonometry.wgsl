//! Sine and cosine with their own reduction: WGSL promises `sin` and `cos` between −π and π only.

struct Turned {
    /// What a whole number of quarter turns leaves, at most π/4.
    angle: f32,
    /// The number of quarter turns, modulo 4.
    quarter: f32,
}

fn turned(x: f32) -> Turned {
    let k = round(x * 0.6366197724);
    // π/2 in parts; the first three have so few bits that their products with k are exact for k below 2^14.
    let angle = (((x - k * 1.5703125) - k * 0.00048351287841796875) - k * 3.1385570764541626e-7) - k * 6.0771005065e-11;
    return Turned(angle, k - 4.0 * floor(k * 0.25));
}

fn sine_series(r: f32) -> f32 {
    let s = r * r;
    return r * (1.0 - s * (1.0 / 6.0 - s * (1.0 / 120.0 - s * (1.0 / 5040.0 - s * (1.0 / 362880.0)))));
}

fn cosine_series(r: f32) -> f32 {
    let s = r * r;
    return 1.0 - s * (0.5 - s * (1.0 / 24.0 - s * (1.0 / 720.0 - s * (1.0 / 40320.0 - s * (1.0 / 3628800.0)))));
}

/// The sine of an angle that was turned by `quarter` more quarters.
fn sine_of(turned: Turned, quarter: f32) -> f32 {
    let odd = quarter == 1.0 || quarter == 3.0;
    let magnitude = select(sine_series(turned.angle), cosine_series(turned.angle), odd);
    return select(magnitude, -magnitude, quarter >= 2.0);
}

fn sine(x: f32) -> f32 {
    let turned = turned(x);
    return sine_of(turned, turned.quarter);
}

fn cosine(x: f32) -> f32 {
    let turned = turned(x);
    return sine_of(turned, select(turned.quarter + 1.0, 0.0, turned.quarter == 3.0));
}
