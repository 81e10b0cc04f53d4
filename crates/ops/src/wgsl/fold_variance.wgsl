//! The sum of squared distances from the mean, divided by `params.divisor`; or, where that is 0, what such a quotient is.

#import nan

/// The number of terms, their mean, and the sum of their squared distances from it.
alias STATE = vec3<f32>;

/// What a term leaves as it is.
fn identity() -> STATE {
    return STATE();
}

fn lift(value: T, number: u32) -> STATE {
    return vec3(1.0, f32(value), 0.0);
}

fn combine(a: STATE, b: STATE) -> STATE {
    let count = a.x + b.x;
    if count == 0.0 {
        return a;
    }
    let apart = b.y - a.y;
    let share = b.x / count;
    // No square by itself: it may be infinite where the product is not.
    return vec3(count, a.y + apart * share, a.z + b.z + (apart * share) * (apart * a.x));
}

fn finish(state: STATE) -> OUT {
    var result = state.z / params.divisor;
    if params.divisor == 0.0 {
        result = select(infinity(), not_a_number(), state.z == 0.0 || is_nan(state.z));
    }
    return OUT(result);
}
