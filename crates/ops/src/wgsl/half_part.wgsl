//! Numbers as sums of two 16-bit floats.

/// Numbers rounded to what a 16-bit float holds of them. By their bits: a compiler may take a number for what is left of it
/// after a conversion and back.
fn half_part(numbers: vec4<f32>) -> vec4<f32> {
    return bitcast<vec4<f32>>((bitcast<vec4<u32>>(numbers) + 0x1000u) & vec4(0xffffe000u));
}
