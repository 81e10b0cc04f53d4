//! How a token is drawn: the greatest score wins, and where chance decides, a score is the logit with Gumbel's noise.
//! `logits` and `sampling` are the kernel's; the settings are temperature, least share, seed and step.

#import exponential
#import fold_arg

/// Whether chance decides.
fn is_drawn() -> bool {
    return bitcast<f32>(sampling[0]) > 0.0;
}

/// Whether unlikely tokens are left out, so that the greatest logit must be known before any is drawn.
fn is_narrowed() -> bool {
    return is_drawn() && bitcast<f32>(sampling[1]) > 0.0;
}

/// A word of which every bit depends on every bit of another. Different words stay different.
fn mixed(word: u32) -> u32 {
    var bits = (word ^ (word >> 16u)) * 0x7feb352du;
    bits = (bits ^ (bits >> 15u)) * 0x846ca68bu;
    return bits ^ (bits >> 16u);
}

fn gumbel(number: u32) -> f32 {
    let first = mixed(sampling[3] + mixed(sampling[2]));
    let bits = mixed(mixed(number + first) ^ mixed(first ^ 0x9e3779b9u));
    // The noise is greatest where the bits are few, and there all of them count. One would make it infinite.
    let uniform = min((f32(bits) + 0.5) * 0x1p-32, 0x1.fffffep-1);
    return -log(-log_of_1_plus(-uniform));
}

/// The order of a number. What is not finite is below everything.
fn rank(value: f32) -> u32 {
    return select(order(value), 0u, is_nan(value) || is_infinite(value));
}

/// A token by its logit alone, or by its score; where that is not finite, no token, which `finish` makes −1.
fn candidate(number: u32, noisy: bool) -> STATE {
    var score = f32(logits[number]);
    if noisy {
        let temperature = bitcast<f32>(sampling[0]);
        // One of the two factors is 1, so neither a high nor a low temperature leaves the range of floats.
        score = score / max(temperature, 1.0) + min(temperature, 1.0) * gumbel(number);
    }
    let key = rank(score);
    return select(STATE(), vec2(key, ~number), key > 0u);
}
