//! Byte-pair merging: neighbours become one token, the best pair first.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

/// A stretch of the text, and what it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Symbol<T> {
    /// Where it lies. No stretch is empty.
    pub(super) range: Range<usize>,
    pub(super) token: T,
}

/// A symbol, and its neighbours among those that are left.
struct Link<T> {
    symbol: Symbol<T>,
    previous: Option<usize>,
    next: Option<usize>,
}

/// Merges neighbours, the pair of the lowest rank first and the leftmost among equals, until no pair has a rank.
///
/// `symbols` are in order and without gaps. `join` gives the rank of a pair and the token that it becomes. `apart` says of
/// two neighbours that nothing ever joins what ends with the one and what begins with the other, so that a long text is
/// merged in short runs.
pub(super) fn merge<T: Copy + Ord, R: Ord>(
    symbols: impl IntoIterator<Item = Symbol<T>>,
    apart: impl Fn(&Symbol<T>, &Symbol<T>) -> bool,
    join: impl Fn(&Symbol<T>, &Symbol<T>) -> Option<(R, T)>,
) -> Vec<Symbol<T>> {
    let mut merged = Vec::new();
    let mut run: Vec<Link<T>> = Vec::new();
    for symbol in symbols {
        if run.last().is_some_and(|last| apart(&last.symbol, &symbol)) {
            merge_run(&mut run, &mut merged, &join);
        }
        let here = run.len();
        run.last_mut().into_iter().for_each(|last| last.next = Some(here));
        run.push(Link { symbol, previous: here.checked_sub(1), next: None });
    }
    merge_run(&mut run, &mut merged, &join);
    merged
}

/// Takes the symbols of a run, and adds what they become.
fn merge_run<T: Copy + Ord, R: Ord>(
    links: &mut Vec<Link<T>>,
    merged: &mut Vec<Symbol<T>>,
    join: impl Fn(&Symbol<T>, &Symbol<T>) -> Option<(R, T)>,
) {
    let pair = |links: &[Link<T>], left: usize| {
        let right = links.get(left)?.next?;
        let (first, second) = (&links.get(left)?.symbol, &links.get(right)?.symbol);
        let (rank, token) = join(first, second)?;
        Some(Reverse((rank, left, right, second.range.end, token)))
    };
    let mut queue: BinaryHeap<_> = (0..links.len()).filter_map(|left| pair(links, left)).collect();
    while let Some(Reverse((_, left, right, end, token))) = queue.pop() {
        let Ok([first, second]) = links.get_disjoint_mut([left, right]) else { continue };
        // One of the two has been merged with another neighbour since.
        let gone = first.symbol.range.is_empty();
        if gone || first.next != Some(right) || second.symbol.range.end != end {
            continue;
        }
        first.symbol = Symbol { range: first.symbol.range.start..end, token };
        first.next = second.next;
        second.symbol.range = end..end;
        let (previous, next) = (first.previous, first.next);
        if let Some(next) = next.and_then(|next| links.get_mut(next)) {
            next.previous = Some(left);
        }
        queue.extend(pair(links, left));
        queue.extend(previous.and_then(|previous| pair(links, previous)));
    }
    merged.extend(links.drain(..).map(|link| link.symbol).filter(|symbol| !symbol.range.is_empty()));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn merged(text: &str, ranks: &[&str]) -> Vec<String> {
        let rank = |bytes: &str| ranks.iter().position(|known| *known == bytes);
        let symbols = (0..text.len()).map(|at| Symbol { range: at..at + 1, token: 0 });
        // Letters that are neighbours in no pair are apart.
        let apart = |left: &Symbol<usize>, right: &Symbol<usize>| {
            !ranks.iter().any(|known| known.contains(&text[left.range.end - 1..=right.range.start]))
        };
        let join = |left: &Symbol<usize>, right: &Symbol<usize>| {
            rank(&text[left.range.start..right.range.end]).map(|rank| (rank, 1))
        };
        let whole = merge(symbols.clone(), |_, _| false, join);
        let symbols = merge(symbols, apart, join);
        assert_eq!(symbols, whole);
        assert!(symbols.iter().all(|symbol| symbol.token == usize::from(symbol.range.len() > 1)));
        symbols.into_iter().map(|symbol| text[symbol.range].to_owned()).collect()
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
            (0..count).map(|_| char::from(b'a' + u8::try_from(random.bits() % 4).unwrap())).collect()
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
