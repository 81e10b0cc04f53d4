//! A list of words, and those of them that begin a text.

use crate::error::{Error, Result};

/// Bytes that a word may have: each place of a text may be read as far as its longest words go.
const LONGEST: usize = 1024;

/// Words with what they stand for, in order.
#[derive(Debug)]
pub(super) struct Lexicon<V> {
    words: Vec<(Box<[u8]>, V)>,
    /// Bytes that begin a word: most places of a text begin none.
    firsts: Box<[bool; 256]>,
}

impl<V: Copy> Lexicon<V> {
    /// Of a word that comes twice, the last counts. Empty words are left out.
    pub(super) fn new(words: impl IntoIterator<Item = (String, V)>) -> Result<Lexicon<V>> {
        let words = words.into_iter().filter(|(word, _)| !word.is_empty());
        let mut words: Vec<(Box<[u8]>, V)> = words.map(|(word, value)| (word.into_bytes().into(), value)).collect();
        if let Some((word, _)) = words.iter().find(|(word, _)| word.len() > LONGEST) {
            return Err(Error::Tokenizer(format!("one of its tokens has {} bytes, more than {LONGEST}", word.len())));
        }
        words.reverse();
        words.sort_by(|a, b| a.0.cmp(&b.0));
        words.dedup_by(|later, first| later.0 == first.0);
        let mut firsts = Box::new([false; 256]);
        for first in words.iter().filter_map(|(word, _)| word.first()) {
            firsts.get_mut(usize::from(*first)).into_iter().for_each(|known| *known = true);
        }
        Ok(Lexicon { words, firsts })
    }

    pub(super) fn get(&self, word: &str) -> Option<V> {
        let at = self.words.binary_search_by(|(known, _)| (**known).cmp(word.as_bytes())).ok()?;
        self.words.get(at).map(|(_, value)| *value)
    }

    /// The words that a text begins with, the shortest first: their lengths, and what they stand for.
    pub(super) fn beginnings<'a>(&'a self, text: &'a str) -> impl Iterator<Item = (usize, V)> + 'a {
        // Words that begin with the bytes so far, those that end there in front.
        let mut words = self.words.as_slice();
        text.bytes()
            .enumerate()
            .map_while(move |(at, byte)| {
                let from = words.partition_point(|(word, _)| word.get(at).is_none_or(|&own| own < byte));
                words = words.get(from..)?;
                words = words.get(..words.partition_point(|(word, _)| word.get(at) == Some(&byte)))?;
                let (word, value) = words.first()?;
                let length = at.saturating_add(1);
                Some((word.len() == length).then_some((length, *value)))
            })
            .flatten()
    }

    /// The longest word that a text begins with.
    pub(super) fn longest(&self, text: &str) -> Option<(usize, V)> {
        self.beginnings(text).last()
    }

    /// The first place in a text where a word is, the longest of those there: its beginning, its end and its value.
    pub(super) fn find(&self, text: &str) -> Option<(usize, usize, V)> {
        let known = |first: u8| self.firsts.get(usize::from(first)) == Some(&true);
        let places = text.bytes().enumerate().filter(|&(_, first)| known(first));
        places.into_iter().find_map(|(at, _)| {
            let (length, value) = self.longest(text.get(at..)?)?;
            Some((at, at.saturating_add(length), value))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lexicon() -> Lexicon<u32> {
        let words = [("a", 1), ("ab", 2), ("abcd", 3), ("b", 4), ("ü", 5), ("", 6), ("a", 7)];
        Lexicon::new(words.map(|(word, value)| (word.to_owned(), value))).unwrap()
    }

    #[test]
    fn words_are_found_at_the_beginning() {
        let lexicon = lexicon();
        let beginnings = |text| lexicon.beginnings(text).collect::<Vec<_>>();
        assert_eq!(beginnings("abcde"), [(1, 7), (2, 2), (4, 3)]);
        assert_eq!(beginnings("abc"), [(1, 7), (2, 2)]);
        assert_eq!(beginnings("ü"), [(2, 5)]);
        assert!(beginnings("").is_empty() && beginnings("c").is_empty());
        assert_eq!((lexicon.get("ab"), lexicon.get("abc"), lexicon.get("")), (Some(2), None, None));
    }

    #[test]
    fn the_longest_word_is_found_within() {
        let lexicon = lexicon();
        assert_eq!(lexicon.find("xyabcdb"), Some((2, 6, 3)));
        assert_eq!(lexicon.find("ö ü"), Some((3, 5, 5)));
        assert_eq!(lexicon.find("xyz"), None);
        assert_eq!(Lexicon::<u32>::new([]).unwrap().find("a"), None);
        assert!(
            Lexicon::new([("a".repeat(LONGEST), 1)]).is_ok() && Lexicon::new([("a".repeat(LONGEST + 1), 1)]).is_err()
        );
    }
}
