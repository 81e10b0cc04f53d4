//! Products of integers that wrap, or of floats.
//!
//! axes: OUT = f32 | f16 | i32

#if OUT_i32
alias STATE = i32;
#else
alias STATE = f32;
#endif

/// What a term leaves as it is.
fn identity() -> STATE {
    return STATE(1);
}

fn lift(value: T, number: u32) -> STATE {
    return STATE(value);
}

fn combine(a: STATE, b: STATE) -> STATE {
    return a * b;
}

fn finish(state: STATE) -> OUT {
    return OUT(state);
}
