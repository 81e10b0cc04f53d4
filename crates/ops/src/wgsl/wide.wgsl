//! Rows that are read one element at a time, or four where they are WIDE, and how often that many go into a row.
//!
//! axes: WIDE = on | off

#if WIDE
alias V = vec4<T>;
alias F = vec4<f32>;
const STEP = 4u;
#else
alias V = T;
alias F = f32;
const STEP = 1u;
#endif

/// The sum of the products of both.
fn times(a: F, b: F) -> f32 {
#if WIDE
    return dot(a, b);
#else
    return a * b;
#endif
}
