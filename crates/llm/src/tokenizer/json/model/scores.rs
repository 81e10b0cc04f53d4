//! A unigram model: the tokens whose scores have the largest sum.

use std::ops::Range;

use crate::error::Result;
use crate::tokenizer::lexicon::Lexicon;
use crate::tokenizer::sentencepiece::UNKNOWN_PENALTY;
use crate::tokenizer::unigram::likeliest;

/// Tokens with scores.
#[derive(Debug)]
pub(super) struct Scores {
    words: Lexicon<u32>,
    /// By ids.
    scores: Vec<f64>,
    /// The score of what is unknown.
    unknown: f64,
}

impl Scores {
    pub(super) fn new(tokens: &[(String, u32)], scores: Vec<f64>) -> Result<Scores> {
        let least = scores.iter().copied().fold(f64::INFINITY, f64::min);
        let words = Lexicon::new(tokens.iter().cloned())?;
        Ok(Scores { words, scores, unknown: least - f64::from(UNKNOWN_PENALTY) })
    }

    /// The parts of a word, with their tokens; what is unknown in a row is one part.
    pub(super) fn parts(&self, word: &str) -> Vec<(Range<usize>, Option<u32>)> {
        let mut parts = likeliest(word, self.unknown, |at| {
            let known = self.words.beginnings(word.get(at..).unwrap_or_default());
            known.map(|(length, id)| (length, id, self.scores.get(id as usize).copied().unwrap_or(f64::MIN)))
        });
        parts.dedup_by(|(later, token), (range, before)| {
            let together = token.is_none() && before.is_none();
            range.end = if together { later.end } else { range.end };
            together
        });
        parts
    }
}
