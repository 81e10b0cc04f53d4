//! What kernels bind that multiply matrices in tiles. LEFT and RIGHT say how an operand is read: four elements at a time along
//! the depth or across lines, whose number is a multiple of four then, or one by one.
//!
//! axes: LEFT = depth | across | single
//! axes: RIGHT = depth | across | single
//! axes: SPLIT = on | off

#import product
#import epilogue

struct Params {
    product: Product,
    epilogue: Epilogue,
    /// The parts of the depth, and how deep one is.
    parts: u32,
    part_depth: u32,
}

#if LEFT_single
@group(0) @binding(0) var<storage, read> left: array<T>;
#else
@group(0) @binding(0) var<storage, read> left: array<vec4<T>>;
#endif
#if RIGHT_single
@group(0) @binding(1) var<storage, read> right: array<T>;
#else
@group(0) @binding(1) var<storage, read> right: array<vec4<T>>;
#endif
@group(0) @binding(2) var<storage, read> bias: array<T>;
@group(0) @binding(3) var<storage, read> addend: array<T>;
@group(0) @binding(4) var<storage, read> scale: array<T>;
#if SPLIT
@group(0) @binding(5) var<storage, read_write> output: array<f32>;
#else
@group(0) @binding(5) var<storage, read_write> output: array<T>;
#endif
@group(0) @binding(6) var<uniform> params: Params;
