//! Special tokens that are named in a text.

use std::collections::HashMap;

use fancy_regex::Regex;

use crate::error::{Error, Result};

/// Finds special tokens in text.
#[derive(Debug)]
pub(super) struct Specials {
    ids: HashMap<String, u32>,
    /// Any of them, the longest first; nothing where there are none.
    pattern: Option<Regex>,
}

/// A stretch of a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Part<'a> {
    Special(u32),
    Text(&'a str),
}

impl Specials {
    pub(super) fn new(ids: HashMap<String, u32>) -> Result<Specials> {
        let mut names: Vec<&str> = ids.keys().map(String::as_str).filter(|name| !name.is_empty()).collect();
        names.sort_unstable_by_key(|name| (std::cmp::Reverse(name.len()), *name));
        let any = names.iter().map(|name| fancy_regex::escape(name)).collect::<Vec<_>>().join("|");
        let pattern = (!names.is_empty()).then(|| Regex::new(&any)).transpose();
        Ok(Specials { pattern: pattern.map_err(|error| Error::Tokenizer(error.to_string()))?, ids })
    }

    pub(super) fn id(&self, name: &str) -> Option<u32> {
        self.ids.get(name).copied()
    }

    /// Cuts a text at its special tokens. No part is empty.
    pub(super) fn split<'a>(&self, text: &'a str) -> Result<Vec<Part<'a>>> {
        let mut parts = Vec::new();
        let mut rest = 0;
        let plain = |range: std::ops::Range<usize>, parts: &mut Vec<Part<'a>>| {
            parts.extend(text.get(range).filter(|text| !text.is_empty()).map(Part::Text));
        };
        for found in self.pattern.iter().flat_map(|pattern| pattern.find_iter(text)) {
            let found = found.map_err(|error| Error::Tokenizer(error.to_string()))?;
            plain(rest..found.start(), &mut parts);
            parts.extend(self.id(found.as_str()).map(Part::Special));
            rest = found.end();
        }
        plain(rest..text.len(), &mut parts);
        Ok(parts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_cut_at_the_longest_names() {
        let ids = [("<s>", 1), ("<s>>", 2), ("a.b", 3)].map(|(name, id)| (name.to_owned(), id));
        let specials = Specials::new(ids.into()).unwrap();
        let parts = specials.split("<s>x<s>>axba.b").unwrap();
        assert_eq!(parts, [Part::Special(1), Part::Text("x"), Part::Special(2), Part::Text("axb"), Part::Special(3)]);
        assert!(specials.split("").unwrap().is_empty());
        assert_eq!(Specials::new(HashMap::new()).unwrap().split("<s>").unwrap(), [Part::Text("<s>")]);
    }
}
