//! Numbers in blocks of 32 as integers of DIGITS signed bytes, in units of a power of two near the largest of a block.
//! The unit is NaN where one of them is not finite.
//!
//! axes: DIGITS = 2 | 3

#import power_of_two

/// Adding it makes every digit positive; taking its bits away makes the digits signed bytes.
#if DIGITS_2
const BIAS = 0x8080;
#else
const BIAS = 0x808080;
#endif

fn with_signed_digits(numbers: vec4<f32>) -> vec4<u32> {
    return bitcast<vec4<u32>>((vec4<i32>(round(numbers)) + BIAS) ^ vec4(BIAS));
}

/// The sum over the four lanes of a block.
fn block_sum(value: i32) -> i32 {
    let pair = value + subgroupShuffleXor(value, 1u);
    return pair + subgroupShuffleXor(pair, 2u);
}

/// Σ codes · digits over four words of codes, in units of the digit.
fn packed_dot(low: vec4<u32>, high: vec4<u32>, even: vec4<u32>, odd: vec4<u32>) -> i32 {
    return dot4I8Packed(low.x, even.x) + dot4I8Packed(low.y, even.y) + dot4I8Packed(low.z, even.z)
        + dot4I8Packed(low.w, even.w) + dot4I8Packed(high.x, odd.x) + dot4I8Packed(high.y, odd.y)
        + dot4I8Packed(high.z, odd.z) + dot4I8Packed(high.w, odd.w);
}

/// The digits of eight columns, and with them some of what a block has once.
struct Digits {
    evens: vec4<u32>,
    odds: vec4<u32>,
}

/// Eight columns in digits. Four neighbouring lanes do so for one block, and all lanes of a subgroup at once.
fn digits_of(x0: vec4<f32>, x1: vec4<f32>, octet: u32) -> Digits {
    // By their bits, since a driver may leave NaN out of a maximum.
    let larger = max(bitcast<vec4<u32>>(abs(x0)), bitcast<vec4<u32>>(abs(x1)));
    var largest = max(max(larger.x, larger.y), max(larger.z, larger.w));
    largest = max(largest, subgroupShuffleXor(largest, 1u));
    largest = max(largest, subgroupShuffleXor(largest, 2u));
    let power = power_towards(DIGITS * 8u - 3u, bitcast<f32>(largest));
    let unit = select(bitcast<u32>(1.0 / power), 0x7fc00000u, largest >= 0x7f800000u);
    let even = with_signed_digits(vec4(x0.xz, x1.xz) * power);
    let odd = with_signed_digits(vec4(x0.yw, x1.yw) * power);
    var digits: Digits;
    var sums: vec4<u32>;
#for d in DIGITS
    {
        let shift = vec4(8u * (DIGITS - 1u - $du));
        let packed_even = pack4xU8(even >> shift);
        let packed_odd = pack4xU8(odd >> shift);
        digits.evens[$d] = packed_even;
        digits.odds[$d] = packed_odd;
        let sum = dot4I8Packed(packed_even, 0x01010101u) + dot4I8Packed(packed_odd, 0x01010101u);
        sums[$d] = bitcast<u32>(8 * block_sum(sum));
    }
#end
    let first = octet % 4u == 0u;
    digits.evens.w = select(sums.z, sums.x, first);
    digits.odds.w = select(unit, sums.y, first);
    return digits;
}

/// A block: the digits of its even columns and of its odd ones, most significant first; eight times the sum of each digit,
/// since codes stand for eight less; and the unit.
struct Inputs {
#for d in DIGITS
    evens$d: vec4<u32>,
    odds$d: vec4<u32>,
#end
    corrections: vec3<i32>,
    unit: f32,
}

/// The inputs of a block, from the digits of its columns in eights.
fn inputs_of(evens: array<vec4<u32>, 4>, odds: array<vec4<u32>, 4>) -> Inputs {
    var inputs: Inputs;
#for d in DIGITS
    inputs.evens$d = vec4(evens[0][$d], evens[1][$d], evens[2][$d], evens[3][$d]);
    inputs.odds$d = vec4(odds[0][$d], odds[1][$d], odds[2][$d], odds[3][$d]);
#end
    inputs.corrections = bitcast<vec3<i32>>(vec3(evens[0].w, odds[0].w, evens[1].w));
    inputs.unit = bitcast<f32>(odds[1].w);
    return inputs;
}

/// Σ codes · inputs over a block.
fn product(codes: vec4<u32>, inputs: Inputs) -> f32 {
    let low = codes & vec4(0x0f0f0f0fu);
    let high = (codes >> vec4(4u)) & vec4(0x0f0f0f0fu);
    var sum = 0.0;
#for d in DIGITS
    sum = sum * 256.0 + f32(packed_dot(low, high, inputs.evens$d, inputs.odds$d) - inputs.corrections[$d]);
#end
    return sum * inputs.unit;
}

/// The same in whole numbers, of which none leaves 32 bits: fewer conversions, and a longer chain of sums. It is quicker where a
/// lane has many words to multiply, and slower where it has one.
fn product_in_integers(codes: vec4<u32>, inputs: Inputs) -> f32 {
    let low = codes & vec4(0x0f0f0f0fu);
    let high = (codes >> vec4(4u)) & vec4(0x0f0f0f0fu);
    var sum = 0;
    var correction = 0;
#for d in DIGITS
    sum = sum * 256 + packed_dot(low, high, inputs.evens$d, inputs.odds$d);
    correction = correction * 256 + inputs.corrections[$d];
#end
    return f32(sum - correction) * inputs.unit;
}
