//! WordPiece: the longest tokens of a word, from left to right.

use crate::error::Result;
use crate::tokenizer::lexicon::Lexicon;

/// Tokens that begin a word, and those that continue it.
#[derive(Debug)]
pub(super) struct Longest {
    beginnings: Lexicon<u32>,
    continuations: Lexicon<u32>,
    /// Characters of the longest word that is cut.
    most_characters: usize,
}

impl Longest {
    /// `prefix` marks tokens that continue a word.
    pub(super) fn new(tokens: &[(String, u32)], prefix: &str, most_characters: usize) -> Result<Longest> {
        let continuations = tokens.iter().filter_map(|(token, id)| Some((token.strip_prefix(prefix)?.to_owned(), *id)));
        Ok(Longest {
            continuations: Lexicon::new(continuations)?,
            beginnings: Lexicon::new(tokens.iter().cloned())?,
            most_characters,
        })
    }

    /// The tokens of a word; nothing where it cannot be made of them.
    pub(super) fn encode(&self, word: &str) -> Option<Vec<u32>> {
        if word.chars().count() > self.most_characters {
            return None;
        }
        let (mut ids, mut rest) = (Vec::new(), word);
        while !rest.is_empty() {
            let lexicon = if ids.is_empty() { &self.beginnings } else { &self.continuations };
            let (length, id) = lexicon.longest(rest)?;
            ids.push(id);
            rest = rest.get(length..)?;
        }
        Some(ids)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_token_is_taken() {
        let tokens = ["un", "unaff", "##aff", "##able", "##a", "able"];
        let tokens: Vec<_> = tokens.into_iter().map(str::to_owned).zip(0..).collect();
        let longest = Longest::new(&tokens, "##", 10).unwrap();
        assert_eq!(longest.encode("unaffable"), Some(vec![1, 3]));
        assert_eq!(longest.encode("unaffa"), Some(vec![1, 4]));
        assert_eq!(longest.encode("able"), Some(vec![5]));
        assert_eq!((longest.encode("unaffx"), longest.encode("ableableable")), (None, None));
    }
}
