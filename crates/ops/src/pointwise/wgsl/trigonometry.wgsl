//! Sine and cosine with their own reduction: WGSL promises `sin` and `cos` between −π and π only.

struct Turned {
    /// What a whole number of quarter turns leaves, at most π/4.
    angle: f32,
    /// The number of quarter turns, modulo 4.
    quarter: f32,
}

fn turned(x: f32) -> Turned {
    let size = bitcast<u32>(x) & 0x7fffffffu;
    // More than 2^14 quarter turns, and finite.
    if size > 0x46c90e00u && size < 0x7f800000u {
        return turned_far(x < 0.0, size);
    }
    let k = round(x * 0.6366197724);
    // π/2 in parts; the first three have so few bits that their products with k are exact for k below 2^14.
    let angle = (((x - k * 1.5703125) - k * 0.00048351287841796875) - k * 3.1385570764541626e-7) - k * 6.0771005065e-11;
    return Turned(angle, k - 4.0 * floor(k * 0.25));
}

/// The high and the low word of a product.
fn whole_product(a: u32, b: u32) -> vec2<u32> {
    let low = (a & 0xffffu) * (b & 0xffffu);
    let one = (a >> 16u) * (b & 0xffffu) + (low >> 16u);
    let other = (a & 0xffffu) * (b >> 16u) + (one & 0xffffu);
    return vec2((a >> 16u) * (b >> 16u) + (one >> 16u) + (other >> 16u), (other << 16u) | (low & 0xffffu));
}

/// The same for any number, given by its bits without the sign: its 24 digits are multiplied by the 96 binary digits of 2/π
/// that decide on less than four quarter turns and more than 2^-62 of one.
fn turned_far(negative: bool, size: u32) -> Turned {
    var digits = array<u32, 8>(
        0u, 0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u, 0xdb629599u, 0x3c439041u, 0xfe5163abu,
    );
    let number = (size & 0x7fffffu) | 0x800000u;
    // Of the exponent, 127 and 23 make the number whole, and two more binary digits are those of four.
    let first = (size >> 23u) - 120u;
    let word = first / 32u;
    let shift = first % 32u;
    var window = array<u32, 3>();
    for (var i = 0u; i < 3u; i++) {
        window[i] = (digits[word + i] << shift) | ((digits[word + i + 1u] >> 1u) >> (31u - shift));
    }
    let middle = whole_product(number, window[1]);
    let low = middle.y + whole_product(number, window[2]).x;
    let high = number * window[0] + middle.x + select(0u, 1u, low < middle.y);
    // The nearest quarter, and how far it is, in units of 2^-32 of one.
    let part = (high << 2u) | (low >> 30u);
    let quarter = (high >> 30u) + (part >> 31u);
    let rest = (f32(bitcast<i32>(part)) + f32(low << 2u) * 2.3283064365386963e-10) * 3.6572952e-10;
    return Turned(select(rest, -rest, negative), f32(select(quarter, 4u - quarter % 4u, negative) % 4u));
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
