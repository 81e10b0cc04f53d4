//! Bounds that NaN passes through. A driver may turn comparisons into `min` and `max`, which drop NaN.

#import nan

/// `x` within bounds, of which the upper one wins where they cross.
fn bounded(x: f32, low: f32, high: f32) -> f32 {
    let raised = select(x, low, x < low);
    return select(select(raised, high, raised > high), x, is_nan(x));
}
