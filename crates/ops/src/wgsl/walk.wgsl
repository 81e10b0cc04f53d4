//! Which element of a tensor is the n-th of some of its dimensions.

/// Sizes and strides, innermost dimension first; sizes that are not used are 1.
struct DimWalk {
    sizes: vec4<u32>,
    strides: vec4<u32>,
}

/// The distance from the first element to the one with this number, which lies within the sizes.
fn walk_offset(walk: DimWalk, number: u32) -> u32 {
    var offset = 0u;
    var rest = number;
    for (var d = 0u; d < 4u; d++) {
        // The outermost dimension takes the rest: a walk of one dimension divides nothing.
        if rest < walk.sizes[d] {
            return offset + rest * walk.strides[d];
        }
        offset += rest % walk.sizes[d] * walk.strides[d];
        rest /= walk.sizes[d];
    }
    return offset;
}
