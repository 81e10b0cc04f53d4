//! Sums of the parts of a depth, brought together in their order. The kernel binds `partial` as `array<f32>`, of which each
//! part has `count`.

fn sum_of_parts(index: u32, parts: u32, count: u32) -> f32 {
    // Four loads at a time are on their way together.
    var sums = vec4<f32>();
    var part = 0u;
    for (; part + 4u <= parts; part += 4u) {
        let at = part * count + index;
        sums += vec4(partial[at], partial[at + count], partial[at + 2u * count], partial[at + 3u * count]);
    }
    for (; part < parts; part++) {
        sums.x += partial[part * count + index];
    }
    return (sums.x + sums.y) + (sums.z + sums.w);
}
