//! The logarithm of the odds of a probability, which is kept from 0 and 1 where a bound is given.

#import bounds
#import logarithm

/// A negative bound is none.
fn log_odds(x: f32, bound: f32) -> f32 {
    let within = select(bounded(x, bound, 1.0 - bound), x, bound < 0.0);
    if within == 1.0 {
        return infinity();
    }
    return logarithm(within / (1.0 - within));
}
