//! Regular expressions of tokenizer files, whose authors are strangers: bounded in size, in memory and in time.

use std::ops::Range;
use std::time::Duration;

use web_time::Instant;

#[cfg(target_arch = "wasm32")]
use self::browser::Compiled;
#[cfg(not(target_arch = "wasm32"))]
use self::library::Compiled;
use crate::error::{Error, Result};

#[cfg(target_arch = "wasm32")]
mod browser;
#[cfg(any(target_arch = "wasm32", test))]
mod dialect;
#[cfg(not(target_arch = "wasm32"))]
mod library;

/// Bytes that an expression may have.
const LONGEST: usize = 16 << 10;

/// Time that a search through a text may take, and time for each of its bytes, many times what common expressions need.
const TIME: Duration = Duration::from_secs(1);
const TIME_PER_BYTE: Duration = Duration::from_micros(4);

/// Finds, and bytes, between two looks at the clock.
const UNTIMED: usize = 64;
const UNTIMED_BYTES: usize = 1 << 10;

/// An expression that may look ahead.
#[derive(Debug)]
pub(super) struct Regex(Compiled);

impl Regex {
    pub(super) fn new(expression: &str) -> Result<Regex> {
        let shown: String = expression.chars().take(200).collect();
        let wrong = |reason: &dyn std::fmt::Display| Error::Tokenizer(format!("its pattern {shown:?}: {reason}"));
        if expression.len() > LONGEST {
            return Err(wrong(&format_args!("it has {} bytes, more than {LONGEST}", expression.len())));
        }
        Ok(Regex(Compiled::new(expression).map_err(|error| wrong(&error))?))
    }

    /// Where it is found in a text, from left to right and without overlap. No place is empty.
    pub(super) fn places(&self, text: &str) -> Result<Vec<Range<usize>>> {
        let bytes = u32::try_from(text.len()).unwrap_or(u32::MAX);
        let (started, allowed) = (Instant::now(), TIME.saturating_add(TIME_PER_BYTE.saturating_mul(bytes)));
        let (mut places, mut timed) = (Vec::new(), 0usize);
        for (number, found) in self.0.find(text).enumerate() {
            let place = found.map_err(|error| Error::Tokenizer(format!("its pattern: {error}")))?;
            let end = place.end;
            if !place.is_empty() {
                places.push(place);
            }
            if number % UNTIMED != UNTIMED - 1 && end < timed.saturating_add(UNTIMED_BYTES) {
                continue;
            }
            timed = end;
            if started.elapsed() > allowed {
                return Err(Error::Tokenizer(format!("its pattern takes too long for a text of {} bytes", text.len())));
            }
        }
        Ok(places)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_found_in_order() {
        assert_eq!(Regex::new(r"\s+(?!\S)|\s+").unwrap().places("a  b c").unwrap(), [1..2, 2..3, 4..5]);
        assert!(Regex::new("x*").unwrap().places("ab").unwrap().is_empty());
    }

    #[test]
    fn boundaries_of_words_are_found_beside_a_look_ahead() {
        for (expression, expected) in [
            (r"\bé(?!x)|y", 0..2),
            (r"\Bé(?!x)", 2..4),
            (r"é\b{end}(?!x)", 2..4),
            (r"\b{start}é(?!x)", 0..2),
            (r"\b{start-half}é(?!x)", 0..2),
            (r"é\b{end-half}(?!x)", 2..4),
        ] {
            assert_eq!(Regex::new(expression).unwrap().places("éé z").unwrap(), [expected], "{expression}");
        }
    }

    #[test]
    fn what_would_not_end_is_an_error() {
        let slow = Regex::new(r"(x+x+)+y(?=z)\1").unwrap();
        assert!(slow.places(&"x".repeat(100)).is_err());
        // Each search reads the rest of the text and finds one letter.
        let quadratic = Regex::new("(?s:.*)Z|.").unwrap();
        let error = quadratic.places(&"a".repeat(1 << 17)).unwrap_err().to_string();
        assert!(error.contains("too long"), "{error}");
    }

    #[test]
    fn few_finds_that_take_long_each_are_ended() {
        let (wide, started) = (Regex::new(&"(a|b)?".repeat(2000)).unwrap(), Instant::now());
        let error = wide.places(&"ab".repeat(200_000)).unwrap_err().to_string();
        assert!(error.contains("too long"), "{error}");
        // Without optimization a find takes seconds.
        assert!(started.elapsed() < Duration::from_secs(100), "{:?}", started.elapsed());
    }

    #[test]
    fn expressions_that_grow_beyond_measure_are_errors() {
        let nested = format!("{}a{}", "(".repeat(5000), ")".repeat(5000));
        let recursive = r"(?<a>\g<b>\g<b>|x)(?<b>\g<a>\g<a>|y)";
        for wrong in ["(", r"(?:\w{500}){500}", r"(?:(?=a)\w{500}){500}", recursive, &nested, &"a".repeat(LONGEST + 1)]
        {
            let error = Regex::new(wrong).unwrap_err().to_string();
            assert!(error.contains("its pattern") && error.len() < 1000, "{error}");
        }
    }
}
