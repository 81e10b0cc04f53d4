//! The largest or smallest element; NaN if there is one.

#import order

alias STATE = u32;

/// What a term leaves as it is.
fn identity() -> STATE {
    return STATE();
}

fn lift(value: T, number: u32) -> STATE {
    return order(value);
}

fn combine(a: STATE, b: STATE) -> STATE {
    return max(a, b);
}

fn finish(state: STATE) -> OUT {
    return OUT(value_of(state));
}
