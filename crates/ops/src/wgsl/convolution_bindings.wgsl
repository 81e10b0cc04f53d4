//! What kernels bind that convolve in tiles.
//!
//! axes: SPLIT = on | off

#import convolution
#import epilogue

struct Params {
    convolution: Convolution,
    epilogue: Epilogue,
    /// The parts of the depth, and how deep one is.
    parts: u32,
    part_depth: u32,
}

@group(0) @binding(0) var<storage, read> input: array<T>;
@group(0) @binding(1) var<storage, read> weight: array<vec4<T>>;
@group(0) @binding(2) var<storage, read> bias: array<T>;
@group(0) @binding(3) var<storage, read> addend: array<T>;
#if SPLIT
@group(0) @binding(4) var<storage, read_write> output: array<f32>;
#else
@group(0) @binding(4) var<storage, read_write> output: array<T>;
#endif
@group(0) @binding(5) var<uniform> params: Params;
