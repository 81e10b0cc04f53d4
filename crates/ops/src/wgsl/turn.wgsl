//! Rotary embedding of neighbouring pairs.

/// Two pairs (a, b), each turned by its angle: (a·cos − b·sin, b·cos + a·sin).
fn turn(pairs: vec4<f32>, cosines: vec2<f32>, sines: vec2<f32>) -> vec4<f32> {
    return pairs * cosines.xxyy + vec4(-pairs.y, pairs.x, -pairs.w, pairs.z) * sines.xxyy;
}
