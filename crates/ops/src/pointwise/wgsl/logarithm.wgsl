//! The natural logarithm at the edges too, where drivers differ: 0, negative numbers, infinity and NaN.

#import nan

fn logarithm(x: f32) -> f32 {
    if x == 0.0 {
        return -infinity();
    }
    if is_nan(x) || x < 0.0 {
        return not_a_number();
    }
    if is_infinite(x) {
        return x;
    }
    return log(x);
}
