//! The error function, which WGSL lacks. Both polynomials are Chebyshev fits, good to 2e-9.

#import exponential

fn error_function(x: f32) -> f32 {
    let s = x * x;
    let near_zero = x * (1.12837917 + s * (-0.37612627 + s * (0.11283597 + s * (-0.026854329 + s * (0.0051893119
        + s * (-0.0008018855 + s * 0.000078824971))))));
    // The logarithm of what is missing to 1; past 4 that is nothing that an f32 shows.
    let t = min(abs(x), 4.0);
    let missing = exponential(0.00002427083 + t * (-1.128868 + t * (-0.63450929 + t * (-0.10715024 + t * (0.02447846
        + t * (-0.0039590179 + t * (0.00039661246 + t * -0.00001828451)))))));
    let tail = select(1.0 - missing, missing - 1.0, x < 0.0);
    // Written so that NaN takes the first branch, which keeps it.
    return select(near_zero, tail, abs(x) >= 1.0);
}
