//! Byte-pair merging over the stretches that a pattern cuts, as tiktoken does it.

use std::collections::HashMap;

use super::lexicon::Lexicon;
use super::merge::{Symbol, merge};
use super::regex::Regex;
use super::special::{Part, split};
use crate::error::{Error, Result};

/// A tokenizer of bytes with ranks.
#[derive(Debug)]
pub(super) struct Ranks {
    /// The bytes of each token, in the order of their ranks.
    tokens: Vec<Vec<u8>>,
    ranks: HashMap<Vec<u8>, u32>,
    /// The id of the first rank.
    first: u32,
    /// Bytes of the longest token.
    longest: usize,
    pattern: Regex,
    specials: Lexicon<u32>,
}

impl Ranks {
    /// Tokens in the order of their ranks, the id of the first, the pattern that cuts text, and special tokens.
    pub(super) fn new(
        tokens: Vec<Vec<u8>>,
        first: u32,
        pattern: &str,
        specials: impl IntoIterator<Item = (String, u32)>,
    ) -> Result<Ranks> {
        let pattern = Regex::new(pattern)?;
        let ranks = (0..).zip(&tokens).map(|(rank, token)| (token.clone(), rank)).collect();
        let longest = tokens.iter().map(Vec::len).max().unwrap_or_default();
        Ok(Ranks { tokens, ranks, first, pattern, specials: Lexicon::new(specials)?, longest })
    }

    pub(super) fn encode(&self, text: &str) -> Result<Vec<u32>> {
        let mut ids = Vec::new();
        for part in split(&self.specials, text) {
            match part {
                Part::Special(id) => ids.push(id),
                Part::Text(text) => self.encode_text(text, &mut ids)?,
            }
        }
        Ok(ids)
    }

    fn encode_text(&self, text: &str, ids: &mut Vec<u32>) -> Result<()> {
        for place in self.pattern.places(text)? {
            let word = text.get(place).unwrap_or_default().as_bytes();
            if let Some(&rank) = self.ranks.get(word) {
                ids.push(self.first.saturating_add(rank));
                continue;
            }
            let bytes = (0..word.len()).map(|at| Symbol { range: at..at.saturating_add(1), token: 0 });
            let join = |left: &Symbol<u32>, right: &Symbol<u32>| {
                let pair = word.get(left.range.start..right.range.end).filter(|pair| pair.len() <= self.longest)?;
                let rank = *self.ranks.get(pair)?;
                Some((rank, rank))
            };
            // The pattern has cut the text into short words.
            let symbols = merge(bytes, |_, _| false, join);
            for symbol in symbols {
                let bytes = word.get(symbol.range).unwrap_or_default();
                let missing = || Error::Tokenizer(format!("it has no token for the bytes {bytes:02x?}"));
                ids.push(self.first.saturating_add(*self.ranks.get(bytes).ok_or_else(missing)?));
            }
        }
        Ok(())
    }

    /// The bytes of a token; special tokens have none.
    pub(super) fn bytes(&self, id: u32) -> &[u8] {
        let token = id.checked_sub(self.first).and_then(|rank| self.tokens.get(rank as usize));
        token.map(Vec::as_slice).unwrap_or_default()
    }

    /// One more than the largest id of a rank.
    pub(super) fn vocabulary(&self) -> usize {
        self.tokens.len().saturating_add(self.first as usize)
    }

    pub(super) fn id(&self, token: &str) -> Option<u32> {
        let rank = || self.ranks.get(token.as_bytes()).map(|rank| self.first.saturating_add(*rank));
        self.specials.get(token).or_else(rank)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokenizer::tiktoken::LLAMA3_PATTERN;

    /// Every byte, then some merges; ids from 10 on.
    fn small() -> Ranks {
        let mut tokens: Vec<Vec<u8>> = (0..=255).map(|byte| vec![byte]).collect();
        tokens.extend(["in", "wing", " w", " wing", "翼", "12"].map(|text| text.as_bytes().to_vec()));
        let specials = [("<a>", 3), ("<b>", 900)].map(|(name, id)| (name.to_owned(), id));
        Ranks::new(tokens, 10, LLAMA3_PATTERN, specials).unwrap()
    }

    fn parts(text: &str) -> Vec<String> {
        let tokenizer = small();
        let ids = tokenizer.encode(text).unwrap();
        ids.iter().map(|&id| String::from_utf8_lossy(tokenizer.bytes(id)).into_owned()).collect()
    }

    #[test]
    fn text_is_cut_and_merged_by_rank() {
        // A whole word is one token, although no merges lead to it: "wing" needs "w" + "ing".
        assert_eq!(parts("wing wing"), ["wing", " wing"]);
        assert_eq!(parts("wings"), ["w", "in", "g", "s"]);
        assert_eq!(parts("1234"), ["12", "3", "4"]);
        // The last space of several belongs to the word that follows.
        assert_eq!(parts("a  wing"), ["a", " ", " wing"]);
        assert_eq!(parts("翼"), ["翼"]);
    }

    #[test]
    fn special_tokens_are_found_in_text_and_have_none() {
        let tokenizer = small();
        assert_eq!(tokenizer.encode("<a>a<b>").unwrap(), [3, 107, 900]);
        assert_eq!((tokenizer.bytes(3), tokenizer.bytes(900), tokenizer.bytes(107)), (&b""[..], &b""[..], &b"a"[..]));
        assert_eq!((tokenizer.id("<b>"), tokenizer.id("in"), tokenizer.id("none")), (Some(900), Some(266), None));
        assert_eq!(tokenizer.vocabulary(), 272);
    }

    #[test]
    fn bytes_without_a_token_are_an_error() {
        let tokenizer = Ranks::new(vec![b"a".to_vec()], 0, LLAMA3_PATTERN, []).unwrap();
        assert_eq!(tokenizer.encode("aa").unwrap(), [0, 0]);
        assert!(tokenizer.encode("ab").unwrap_err().to_string().contains("62"));
        assert!(Ranks::new(Vec::new(), 0, "(", []).is_err());
    }
}
