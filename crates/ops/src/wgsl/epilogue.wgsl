//! What becomes of each sum of a product or convolution: last(first(alpha · sum + beta · bias) + addend). The kernel binds
//! `bias` and `addend` as `array<T>`; without EPILOGUE there are neither activations nor an addend.
//!
//! axes: EPILOGUE = on | off

#if EPILOGUE
#import activation
#endif

struct Epilogue {
    /// Two numbers of the first activation and two of the last.
    numbers: vec4<f32>,
    first: u32,
    last: u32,
    alpha: f32,
    beta: f32,
    has_bias: u32,
    has_addend: u32,
    /// Distances in the bias from row to row and from column to column.
    bias_row: u32,
    bias_column: u32,
}

/// The result for a sum in a row and column of a matrix, which is at `index` of the output and of the addend.
fn finished(it: Epilogue, sum: f32, row: u32, column: u32, index: u32) -> f32 {
    var value = it.alpha * sum;
    if it.has_bias != 0u {
        value += it.beta * f32(bias[row * it.bias_row + column * it.bias_column]);
    }
#if EPILOGUE
    // A loop, so that a driver compiles the activations once.
    var activation = it.first;
    var numbers = it.numbers.xy;
    for (var step = 0u; step < select(1u, 2u, it.last != 0u); step++) {
        value = activated(activation, value, numbers.x, numbers.y);
        if step == 0u && it.has_addend != 0u {
            value += f32(addend[index]);
        }
        activation = it.last;
        numbers = it.numbers.zw;
    }
#endif
    return value;
}
