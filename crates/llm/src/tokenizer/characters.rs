//! How a sentencepiece model normalizes characters: a double-array trie from text to its replacement.
//!
//! The crates that read this format trust it, and panic on a damaged one.

use std::borrow::Cow;

use super::unicode::graphemes;

/// Bytes that a replacement may have, so that a text does not grow without bounds.
const LONGEST: usize = 255;

/// Bytes of a grapheme that is looked up whole.
const LONGEST_GRAPHEME: usize = 5;

/// A map from stretches of text to what they become.
#[derive(Debug)]
pub(super) struct CharacterMap {
    /// The trie: each unit has the label of the byte that leads to it, and where its children lie.
    units: Vec<u32>,
    /// The replacements, each ended by a zero byte.
    replacements: Vec<u8>,
}

impl CharacterMap {
    /// Reads the map of a model file: the bytes of the trie, the trie, and the replacements.
    pub(super) fn read(bytes: &[u8]) -> Option<CharacterMap> {
        let (size, rest) = bytes.split_first_chunk()?;
        let (trie, replacements) = rest.split_at_checked(usize::try_from(u32::from_le_bytes(*size)).ok()?)?;
        let (units, []) = trie.as_chunks() else { return None };
        if replacements.split(|&byte| byte == 0).any(|replacement| replacement.len() > LONGEST) {
            return None;
        }
        Some(CharacterMap {
            units: units.iter().map(|unit| u32::from_le_bytes(*unit)).collect(),
            replacements: replacements.to_vec(),
        })
    }

    /// What a text begins with, the longest stretch that is known or one character: its bytes, and what it becomes.
    pub(super) fn first<'a>(&'a self, text: &'a str) -> Option<(usize, Cow<'a, str>)> {
        // A trie that ends within a character is damaged.
        let known = self.known(text.as_bytes()).last().filter(|(length, _)| text.is_char_boundary(*length));
        let (length, replacement) = known.unwrap_or((text.chars().next()?.len_utf8(), None));
        Some((length, replacement.or_else(|| text.get(..length).map(Cow::Borrowed))?))
    }

    /// Replaces whole graphemes or else characters, as Hugging Face's tokenizers read such a map: what begins with a
    /// stretch that is known becomes all of it what the shortest such stretch becomes.
    pub(super) fn apply(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        for grapheme in graphemes(text) {
            if let Some(replacement) = self.shortest(grapheme).filter(|_| grapheme.len() <= LONGEST_GRAPHEME) {
                out.push_str(&replacement);
                continue;
            }
            for character in grapheme.chars() {
                match self.shortest(character.encode_utf8(&mut [0; 4])) {
                    Some(replacement) => out.push_str(&replacement),
                    None => out.push(character),
                }
            }
        }
        out
    }

    /// What the shortest known beginning of a text becomes.
    fn shortest(&self, text: &str) -> Option<Cow<'_, str>> {
        self.known(text.as_bytes()).next()?.1
    }

    /// The beginnings of a text that the trie knows, the shortest first: their bytes, and their replacements.
    fn known<'a>(&'a self, text: &[u8]) -> impl Iterator<Item = (usize, Option<Cow<'a, str>>)> {
        let mut node = self.units.first().map(|root| offset(*root));
        let steps =
            text.iter().zip(1..).map_while(move |(&byte, length)| {
                let here = node? ^ usize::from(byte);
                let unit = *self.units.get(here).filter(|unit| **unit & 0x8000_00ff == u32::from(byte))?;
                let children = here ^ offset(unit);
                node = Some(children);
                let ends = unit >> 8 & 1 == 1;
                Some(ends.then(|| {
                    (length, self.units.get(children).and_then(|value| self.replacement(value & 0x7fff_ffff)))
                }))
            });
        steps.flatten()
    }

    fn replacement(&self, at: u32) -> Option<Cow<'_, str>> {
        let bytes = self.replacements.get(usize::try_from(at).ok()?..)?.split(|&byte| byte == 0).next()?;
        Some(String::from_utf8_lossy(bytes))
    }
}

/// Where the children of a unit lie, relative to it.
fn offset(unit: u32) -> usize {
    let shift = (unit & 1 << 9) >> 6;
    usize::try_from(u64::from(unit >> 10) << shift).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A trie that makes `b` of `a`, by hand.
    fn map() -> CharacterMap {
        let (root, leaf) = (1u32 << 10, usize::from(b'a') ^ 1);
        let mut units = vec![0u32; 256];
        units[0] = root;
        units[leaf] = 2 << 10 | 1 << 8 | u32::from(b'a');
        units[leaf ^ 2] = 0x8000_0000;
        let trie: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
        let file = [&1024u32.to_le_bytes()[..], &trie, b"b\0"].concat();
        CharacterMap::read(&file).unwrap()
    }

    #[test]
    fn what_is_known_is_replaced() {
        assert_eq!(map().apply("abba, 翼a"), "bbbb, 翼b");
        assert_eq!(map().apply("a\u{301}"), "b", "a short grapheme is replaced whole");
        assert_eq!(map().apply("a\u{301}\u{301}\u{301}"), "b\u{301}\u{301}\u{301}");
        assert_eq!(map().first("a\u{301}"), Some((1, "b".into())));
        assert_eq!((map().first("翼a"), map().first("")), (Some((3, "翼".into())), None));
    }

    #[test]
    fn broken_maps_are_none() {
        for wrong in [&b""[..], &[1, 0, 0], &[8, 0, 0, 0, 1, 2, 3], &[3, 0, 0, 0, 1, 2, 3]] {
            assert!(CharacterMap::read(wrong).is_none(), "{wrong:?}");
        }
        let long = [&4u32.to_le_bytes()[..], &[0; 4], &[b'b'; LONGEST + 1]].concat();
        assert!(CharacterMap::read(&long).is_none() && CharacterMap::read(&long[1..]).is_none());
        assert!(CharacterMap::read(&long[..long.len() - 1]).is_some());
    }
}
