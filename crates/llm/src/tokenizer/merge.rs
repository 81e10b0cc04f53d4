//! Byte-pair merging by rank, as sentencepiece and tiktoken do it.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

/// A stretch of the text, and its neighbours among those that are left.
struct Symbol {
    range: Range<usize>,
    previous: Option<usize>,
    next: Option<usize>,
}

/// Merges neighbours, the pair of the lowest rank first and the leftmost among equals, until no pair has a rank.
///
/// `symbols` are the stretches to begin with, in order and without gaps.
pub(super) fn merge<R: Ord>(
    text: &[u8],
    symbols: impl IntoIterator<Item = Range<usize>>,
    rank: impl Fn(&[u8]) -> Option<R>,
) -> Vec<Range<usize>> {
    let mut symbols: Vec<Symbol> = symbols
        .into_iter()
        .enumerate()
        .map(|(index, range)| Symbol { range, previous: index.checked_sub(1), next: Some(index + 1) })
        .collect();
    if let Some(last) = symbols.last_mut() {
        last.next = None;
    }
    let pair = |symbols: &[Symbol], left: usize| {
        let right = symbols.get(left)?.next?;
        let range = symbols.get(left)?.range.start..symbols.get(right)?.range.end;
        Some(Reverse((rank(text.get(range.clone())?)?, left, right, range.end)))
    };
    let mut queue: BinaryHeap<_> = (0..symbols.len()).filter_map(|left| pair(&symbols, left)).collect();
    while let Some(Reverse((_, left, right, end))) = queue.pop() {
        // One of the two has been merged with another neighbour since.
        if symbols[left].next != Some(right) || symbols[right].range.end != end || symbols[left].range.is_empty() {
            continue;
        }
        symbols[left].range.end = end;
        symbols[left].next = symbols[right].next;
        symbols[right].range = end..end;
        if let Some(next) = symbols[left].next {
            symbols[next].previous = Some(left);
        }
        queue.extend(pair(&symbols, left));
        queue.extend(symbols[left].previous.and_then(|previous| pair(&symbols, previous)));
    }
    symbols.into_iter().map(|symbol| symbol.range).filter(|range| !range.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn merged(text: &str, ranks: &[&str]) -> Vec<String> {
        let rank = |bytes: &[u8]| ranks.iter().position(|known| known.as_bytes() == bytes);
        let ranges = merge(text.as_bytes(), (0..text.len()).map(|at| at..at + 1), rank);
        ranges.into_iter().map(|range| text[range].to_owned()).collect()
    }

    #[test]
    fn the_lowest_rank_goes_first() {
        assert_eq!(merged("abc", &["bc", "ab"]), ["a", "bc"]);
        assert_eq!(merged("abc", &["ab", "bc"]), ["ab", "c"]);
        assert_eq!(merged("abcabc", &["bc", "abc", "abcabc"]), ["abcabc"]);
    }

    #[test]
    fn the_leftmost_of_equals_goes_first() {
        assert_eq!(merged("aaa", &["aa"]), ["aa", "a"]);
        assert_eq!(merged("aaaa", &["aa", "aaa"]), ["aa", "aa"]);
        assert_eq!(merged("aaaaa", &["aa", "aaa"]), ["aa", "aaa"]);
    }

    #[test]
    fn nothing_and_unknown_text_stay_as_they_are() {
        assert!(merged("", &["a"]).is_empty());
        assert_eq!(merged("xyz", &["ab"]), ["x", "y", "z"]);
    }

    /// Merging by looking at every pair again each time.
    fn plain(text: &str, ranks: &[String]) -> Vec<String> {
        let mut parts: Vec<_> = text.chars().map(String::from).collect();
        loop {
            let rank = |at: usize| ranks.iter().position(|known| *known == format!("{}{}", parts[at], parts[at + 1]));
            let best = (0..parts.len().saturating_sub(1)).filter_map(|at| Some((rank(at)?, at))).min();
            let Some((_, at)) = best else { return parts };
            let right = parts.remove(at + 1);
            parts[at] += &right;
        }
    }

    #[test]
    fn it_agrees_with_the_plain_way_on_random_text() {
        let mut random = crate::random::Random::new(5);
        let mut letters = |count: u64| -> String {
            (0..count).map(|_| char::from(b'a' + u8::try_from(random.bits() % 3).unwrap())).collect()
        };
        for round in 0..200 {
            let mut ranks: Vec<String> = (0..8).map(|i| letters(2 + i % 3)).collect();
            ranks.dedup();
            let text = letters(round % 20);
            let known: Vec<_> = ranks.iter().map(String::as_str).collect();
            assert_eq!(merged(&text, &known), plain(&text, &ranks), "{text} by {ranks:?}");
        }
    }
}
