//! Where a convolution reads: spatial positions as (depth, height, width), of which one or two may be 1.
//!
//! axes: TRANSPOSED = on | off

struct Convolution {
    input: vec3<u32>,
    batch: u32,
    kernel: vec3<u32>,
    groups: u32,
    result: vec3<u32>,
    in_group: u32,
    stride: vec3<u32>,
    out_group: u32,
    padding: vec3<u32>,
    /// Input channels of a group with those that fill up the last four.
    padded_group: u32,
    dilation: vec3<u32>,
}

fn volume(sizes: vec3<u32>) -> u32 {
    return sizes.x * sizes.y * sizes.z;
}

/// The position that a row-major number stands for.
fn position(number: u32, sizes: vec3<u32>) -> vec3<u32> {
    let row = number / sizes.z;
    return vec3(row / sizes.y, row % sizes.y, number % sizes.z);
}

/// No element.
const NONE = 0xffffffffu;

/// The input element within a channel that a kernel tap meets at an output place; none where it is padding.
fn source_of(convolution: Convolution, place: vec3<u32>, tap: vec3<u32>) -> u32 {
    let reach = tap * convolution.dilation;
#if TRANSPOSED
    let end = place + convolution.padding;
    let spread = end - reach;
    let at = spread / convolution.stride;
    let inside = (end >= reach) & (spread % convolution.stride == vec3(0u)) & (at < convolution.input);
#else
    let at = place * convolution.stride + reach - convolution.padding;
    // Positions before the first wrap around to large numbers.
    let inside = at < convolution.input;
#endif
    let index = (at.x * convolution.input.y + at.y) * convolution.input.z + at.z;
    return select(NONE, index, all(inside));
}

/// The weight of a tap between two channels of a group.
fn weight_of(convolution: Convolution, group: u32, out_channel: u32, in_channel: u32, tap: u32) -> u32 {
#if TRANSPOSED
    let line = (group * convolution.in_group + in_channel) * convolution.out_group + out_channel;
#else
    let line = (group * convolution.out_group + out_channel) * convolution.in_group + in_channel;
#endif
    return line * volume(convolution.kernel) + tap;
}
