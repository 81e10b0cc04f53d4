//! How long the parts of an answer took.

use std::time::Duration;

/// Where the time of one generation went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Timings {
    /// Tokens of the prompt that were fed.
    pub prefill_tokens: usize,
    /// Tokens of the prompt that the conversation held already.
    pub reused_tokens: usize,
    /// From the call until the logits after the prompt.
    pub prefill: Duration,
    /// From the call until the first token, where there is one.
    pub first_token: Option<Duration>,
    /// Tokens after the first.
    pub decode_tokens: usize,
    /// From the first token until the last.
    pub decode: Duration,
}

impl Timings {
    /// Prompt tokens fed per second, where there were any.
    pub fn prefill_rate(&self) -> Option<f64> {
        rate(self.prefill_tokens, self.prefill)
    }

    /// Tokens after the first per second, where there were any.
    pub fn decode_rate(&self) -> Option<f64> {
        rate(self.decode_tokens, self.decode)
    }
}

fn rate(tokens: usize, time: Duration) -> Option<f64> {
    (tokens > 0 && !time.is_zero()).then(|| tokens as f64 / time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_has_no_rate() {
        assert_eq!(Timings::default().decode_rate(), None);
        let timings = Timings { prefill_tokens: 10, prefill: Duration::from_millis(500), ..Timings::default() };
        assert_eq!(timings.prefill_rate(), Some(20.0));
        assert_eq!(timings.decode_rate(), None);
    }
}
