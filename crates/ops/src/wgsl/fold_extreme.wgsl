//! The largest or smallest element; NaN if there is one.

#import order

alias STATE = u32;

fn lift(value: T, number: u32) -> STATE {
    return order(value);
}

fn combine(a: STATE, b: STATE) -> STATE {
    return max(a, b);
}

fn finish(state: STATE) -> OUT {
    return OUT(value_of(state));
}
