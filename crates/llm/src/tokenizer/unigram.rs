//! Cutting a text into the pieces whose scores have the largest sum.

use std::ops::{Add, Range};

/// Cuts a text. `beginnings` gives the pieces that a text begins with: their length, token and score. A character
/// that begins with no piece of its own length is one without a token, at the score for what is unknown.
#[expect(clippy::arithmetic_side_effects, reason = "scores are floats, which do not overflow")]
pub(super) fn likeliest<S: Copy + Default + PartialOrd + Add<Output = S>, I: Iterator<Item = (usize, u32, S)>>(
    text: &str,
    unknown: S,
    beginnings: impl Fn(usize) -> I,
) -> Vec<(Range<usize>, Option<u32>)> {
    // For each end of a character: the best sum up to there, where its last piece begins, and what it is.
    let mut best: Vec<Option<(S, usize, Option<u32>)>> = vec![None; text.len().saturating_add(1)];
    for (start, character) in text.char_indices() {
        let sum = match best.get(start) {
            Some(Some((sum, ..))) => *sum,
            _ if start == 0 => S::default(),
            _ => continue,
        };
        let mut offer = |end: usize, score: S, token: Option<u32>| {
            if let Some(best) = best.get_mut(end)
                && best.is_none_or(|(known, ..)| sum + score > known)
            {
                *best = Some((sum + score, start, token));
            }
        };
        let mut single = false;
        for (length, token, score) in beginnings(start) {
            single |= length == character.len_utf8();
            offer(start.saturating_add(length), score, Some(token));
        }
        if !single {
            offer(start.saturating_add(character.len_utf8()), unknown, None);
        }
    }
    let mut parts = Vec::new();
    let mut end = text.len();
    while let Some(&Some((_, start, token))) = best.get(end).filter(|_| end > 0) {
        parts.push((start..end, token));
        end = start;
    }
    parts.reverse();
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str, pieces: &[(&str, f32)]) -> Vec<String> {
        let beginnings = |at: usize| {
            let known = pieces.iter().zip(0..).filter(move |((piece, _), _)| text[at..].starts_with(piece));
            known.map(|((piece, score), token)| (piece.len(), token, *score))
        };
        let parts = likeliest(text, -20.0, beginnings);
        parts
            .into_iter()
            .map(|(range, token)| format!("{}{}", &text[range], if token.is_some() { "" } else { "?" }))
            .collect()
    }

    #[test]
    fn the_largest_sum_wins() {
        let pieces = [("a", -3.0), ("b", -3.0), ("ab", -4.0), ("bc", -1.0)];
        assert_eq!(cut("ab", &pieces), ["ab"]);
        assert_eq!(cut("abc", &pieces), ["a", "bc"]);
        assert_eq!(cut("aüb", &pieces), ["a", "ü?", "b"]);
        assert!(cut("", &pieces).is_empty());
    }
}
