//! What steps look for in a text.

use std::ops::Range;

use serde_json::Value;

use super::growth;
use crate::error::Result;
use crate::tokenizer::regex::Regex;

/// A text or a regular expression.
#[derive(Debug)]
pub(super) enum Pattern {
    Text(String),
    Regex(Regex),
}

impl Pattern {
    /// Reads `{"String": ..}` or `{"Regex": ..}`; nothing where it is neither.
    pub(super) fn read(value: &Value) -> Result<Option<Pattern>> {
        match (value["String"].as_str(), value["Regex"].as_str()) {
            (Some(text), _) => Ok(Some(Pattern::Text(text.to_owned()))),
            (None, Some(expression)) => Pattern::regex(expression).map(Some),
            (None, None) => Ok(None),
        }
    }

    pub(super) fn regex(expression: &str) -> Result<Pattern> {
        Regex::new(expression).map(Pattern::Regex)
    }

    /// Where it is in a text, from left to right and without overlap. No place is empty.
    pub(super) fn places(&self, text: &str) -> Result<Vec<Range<usize>>> {
        match self {
            Pattern::Text(wanted) if wanted.is_empty() => Ok(Vec::new()),
            Pattern::Text(wanted) => {
                Ok(text.match_indices(wanted).map(|(at, found)| at..at.saturating_add(found.len())).collect())
            }
            Pattern::Regex(regex) => regex.places(text),
        }
    }

    /// A text with each place replaced. An error where it would grow beyond measure.
    pub(super) fn replace(&self, text: &str, replacement: &str) -> Result<String> {
        let places = self.places(text)?;
        growth::check(text.len(), places.len().saturating_mul(replacement.len()))?;
        let (mut out, mut end) = (String::with_capacity(text.len()), 0);
        for place in places {
            out += text.get(end..place.start).unwrap_or_default();
            out += replacement;
            end = place.end;
        }
        out += text.get(end..).unwrap_or_default();
        Ok(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_found_and_replaced() {
        let spaces = Pattern::regex(r"\s+").unwrap();
        assert_eq!(spaces.places("a  b c").unwrap(), [1..3, 4..5]);
        assert_eq!(spaces.replace("a  b c", "$0").unwrap(), "a$0b$0c");
        let text = Pattern::Text("aa".to_owned());
        assert_eq!(text.replace("aaab", "x").unwrap(), "xab");
        assert_eq!(Pattern::Text(String::new()).replace("ab", "x").unwrap(), "ab");
        assert!(Pattern::Text("a".to_owned()).replace(&"a".repeat(1000), &"b".repeat(100)).is_err());
    }
}
