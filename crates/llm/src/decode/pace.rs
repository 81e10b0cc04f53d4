//! How many tokens go into one submit.

use std::time::Duration;

use web_time::Instant;

/// The time that a submit may take: what a user who cancels waits for, and far from what a driver takes for a hang.
const LONGEST: Duration = Duration::from_millis(10);
/// The most tokens in a submit.
const MOST: usize = 16;

/// Tokens of a submit, which follow the time that a token takes. They begin with one and grow, so that the first text comes
/// soon.
#[derive(Debug)]
pub(super) struct Pace {
    tokens: usize,
    /// When the results of the last submit came.
    last: Option<Instant>,
}

impl Default for Pace {
    fn default() -> Pace {
        Pace { tokens: 1, last: None }
    }
}

impl Pace {
    /// Tokens of the next submit.
    pub(super) fn tokens(&self) -> usize {
        self.tokens
    }

    /// Takes note that a submit of this many tokens is done.
    pub(super) fn done(&mut self, tokens: usize, now: Instant) {
        if let Some(last) = self.last.replace(now) {
            self.adapt(tokens, now.duration_since(last));
        }
    }

    fn adapt(&mut self, tokens: usize, took: Duration) {
        let each = took.as_secs_f64() / tokens.max(1) as f64;
        let fitting = (1..=MOST).rev().find(|&count| each * count as f64 <= LONGEST.as_secs_f64()).unwrap_or(1);
        self.tokens = fitting.min(self.tokens * 2);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quick_tokens_go_together_step_by_step() {
        let mut pace = Pace::default();
        let mut seen = Vec::new();
        for _ in 0..6 {
            seen.push(pace.tokens());
            let tokens = pace.tokens();
            pace.adapt(tokens, Duration::from_micros(600) * u32::try_from(tokens).unwrap());
        }
        assert_eq!(seen, [1, 2, 4, 8, 16, 16]);
    }

    #[test]
    fn no_submit_is_long() {
        let mut pace = Pace { tokens: 16, last: None };
        pace.adapt(16, Duration::from_millis(64));
        assert_eq!(pace.tokens(), 2, "tokens of 4 ms");
        pace.adapt(2, Duration::from_millis(400));
        assert_eq!(pace.tokens(), 1, "tokens of 200 ms");
        pace.adapt(1, Duration::from_millis(1));
        assert_eq!(pace.tokens(), 2, "quick again");
    }

    #[test]
    fn the_first_results_tell_nothing_about_tokens() {
        let mut pace = Pace::default();
        let start = Instant::now();
        pace.done(1, start);
        assert_eq!(pace.tokens(), 1, "they are those of a prompt");
        pace.done(1, start + Duration::from_millis(1));
        assert_eq!(pace.tokens(), 2);
    }
}
