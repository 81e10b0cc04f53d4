//! The number of the largest or smallest element, or of the first NaN; the first of equals.

#import order

/// The order of the element, then the complement of its number.
alias STATE = vec2<u32>;

/// What a term leaves as it is.
fn identity() -> STATE {
    return STATE();
}

fn lift(value: T, number: u32) -> STATE {
    return vec2(order(value), ~number);
}

fn combine(a: STATE, b: STATE) -> STATE {
    if b.x > a.x || (b.x == a.x && b.y > a.y) {
        return b;
    }
    return a;
}

fn finish(state: STATE) -> OUT {
    return OUT(i32(~state.y));
}
