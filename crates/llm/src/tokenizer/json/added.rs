//! Tokens that were added to a model's own: special ones, and others that are kept whole.

use std::collections::HashMap;

use serde::Deserialize;

use crate::error::Result;
use crate::tokenizer::lexicon::Lexicon;
use crate::tokenizer::unicode::is_mark;

/// A token in the file.
#[derive(Debug, Deserialize)]
pub(super) struct AddedToken {
    id: u32,
    content: String,
    /// Whether it is none within a word.
    #[serde(default)]
    single_word: bool,
    /// Whether spaces before it belong to it.
    #[serde(default)]
    lstrip: bool,
    /// Whether spaces after it belong to it.
    #[serde(default)]
    rstrip: bool,
    /// Whether it is looked for in the text after normalizing, in its own normalized form.
    #[serde(default)]
    normalized: bool,
    /// Whether it has no text.
    #[serde(default)]
    pub(super) special: bool,
    /// Its text as it is looked for.
    #[serde(skip)]
    pub(super) text: String,
}

/// The added tokens of a tokenizer.
#[derive(Debug)]
pub(super) struct Added {
    tokens: HashMap<u32, AddedToken>,
    names: HashMap<String, u32>,
    /// Those that are looked for in a text as it is.
    plain: Lexicon<u32>,
    /// Those that are looked for after normalizing.
    normalized: Lexicon<u32>,
}

/// A stretch of a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Part<'a> {
    Token(u32),
    Text(&'a str),
}

impl Added {
    /// A token that the model has too has the model's id.
    pub(super) fn new(
        listed: Vec<AddedToken>,
        id: impl Fn(&str) -> Option<u32>,
        normalize: impl Fn(&str) -> Result<String>,
    ) -> Result<Added> {
        let (mut tokens, mut names) = (HashMap::new(), HashMap::new());
        let (mut plain, mut normalized) = (Vec::new(), Vec::new());
        for mut token in listed {
            token.id = id(&token.content).unwrap_or(token.id);
            token.text = if token.normalized { normalize(&token.content)? } else { token.content.clone() };
            names.insert(token.content.clone(), token.id);
            if token.normalized { &mut normalized } else { &mut plain }.push((token.text.clone(), token.id));
            tokens.insert(token.id, token);
        }
        Ok(Added { plain: Lexicon::new(plain)?, normalized: Lexicon::new(normalized)?, tokens, names })
    }

    pub(super) fn get(&self, id: u32) -> Option<&AddedToken> {
        self.tokens.get(&id)
    }

    pub(super) fn id(&self, name: &str) -> Option<u32> {
        self.names.get(name).copied()
    }

    /// Cuts a text at the tokens that are looked for before normalizing. Each part has its place; none is empty.
    pub(super) fn split<'a>(&self, text: &'a str) -> Vec<(usize, Part<'a>)> {
        self.split_at(&self.plain, text)
    }

    /// Cuts a text at those that are looked for after it.
    pub(super) fn split_normalized<'a>(&self, text: &'a str) -> Vec<(usize, Part<'a>)> {
        self.split_at(&self.normalized, text)
    }

    fn split_at<'a>(&self, words: &Lexicon<u32>, text: &'a str) -> Vec<(usize, Part<'a>)> {
        let (mut parts, mut done, mut from) = (Vec::new(), 0, 0);
        while let Some((start, end, id)) = words.find(text.get(from..).unwrap_or_default()) {
            let (start, end) = (from.saturating_add(start), from.saturating_add(end));
            // Spaces that a token takes may be tokens too; those of Hugging Face count both.
            from = end;
            let (before, after) = text.split_at_checked(start).unwrap_or_default();
            let after = after.get(end.saturating_sub(start)..).unwrap_or_default();
            let Some(token) = self.tokens.get(&id) else { continue };
            if token.single_word && (before.ends_with(is_word) || after.starts_with(is_word)) {
                continue;
            }
            let start = if token.lstrip { before.trim_end().len().max(done) } else { start };
            let end = if token.rstrip { text.len().saturating_sub(after.trim_start().len()) } else { end };
            parts.extend(text.get(done..start).filter(|text| !text.is_empty()).map(|text| (done, Part::Text(text))));
            parts.push((start, Part::Token(id)));
            done = end;
        }
        parts.extend(text.get(done..).filter(|text| !text.is_empty()).map(|text| (done, Part::Text(text))));
        parts
    }
}

/// Whether a character is part of a word.
fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_' || is_mark(character)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn added() -> Added {
        let listed = serde_json::json!([
            {"id": 7, "content": "<s>", "special": true},
            {"id": 1, "content": "<l>", "lstrip": true},
            {"id": 2, "content": "<r>", "rstrip": true},
            {"id": 3, "content": "wing", "single_word": true},
            {"id": 4, "content": "Sea", "normalized": true},
            {"id": 5, "content": ""},
        ]);
        let known = |name: &str| (name == "<s>").then_some(0);
        Added::new(serde_json::from_value(listed).unwrap(), known, |text| Ok(text.to_lowercase())).unwrap()
    }

    #[test]
    fn flags_decide_what_belongs_to_a_token() {
        let added = added();
        let parts = |text| added.split(text).into_iter().map(|(_, part)| part).collect::<Vec<_>>();
        assert_eq!(parts("a<s> b"), [Part::Text("a"), Part::Token(0), Part::Text(" b")]);
        assert_eq!(parts("a \n<l> b"), [Part::Text("a"), Part::Token(1), Part::Text(" b")]);
        assert_eq!(parts(" <r> \t<l>"), [Part::Text(" "), Part::Token(2), Part::Token(1)]);
        assert_eq!(
            parts("wings a wing, wing"),
            [Part::Text("wings a "), Part::Token(3), Part::Text(", "), Part::Token(3)]
        );
        assert!(parts("").is_empty());
        assert_eq!(added.split("ab<s>c")[2], (5, Part::Text("c")));
    }

    #[test]
    fn normalized_tokens_are_found_after_normalizing() {
        let added = added();
        assert_eq!(added.split("Sea"), [(0, Part::Text("Sea"))]);
        assert_eq!(added.split_normalized("a sea"), [(0, Part::Text("a ")), (2, Part::Token(4))]);
        assert_eq!((added.id("Sea"), added.id("sea"), added.id("<s>")), (Some(4), None, Some(0)));
    }
}
