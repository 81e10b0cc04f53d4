//! How a sentencepiece model normalizes characters: a double-array trie from text to its replacement.
//!
//! The crates that read this format trust it, and panic on a damaged one.

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
        Some(CharacterMap {
            units: units.iter().map(|unit| u32::from_le_bytes(*unit)).collect(),
            replacements: replacements.to_vec(),
        })
    }

    /// Replaces the longest known stretch at each place, and keeps what is not known.
    pub(super) fn apply(&self, text: &str) -> String {
        let (mut out, mut rest) = (String::with_capacity(text.len()), text);
        while let Some(first) = rest.chars().next() {
            // A trie that ends within a character is damaged.
            let known = self.longest(rest.as_bytes()).filter(|(length, _)| rest.is_char_boundary(*length));
            let (length, replacement) = known.unwrap_or((first.len_utf8(), None));
            let (stretch, after) = rest.split_at(length);
            out += &replacement.unwrap_or(stretch.into());
            rest = after;
        }
        out
    }

    /// The longest beginning of a text that the trie knows, with its replacement.
    fn longest(&self, text: &[u8]) -> Option<(usize, Option<std::borrow::Cow<'_, str>>)> {
        let mut node = offset(*self.units.first()?);
        let mut found = None;
        for (&byte, length) in text.iter().zip(1..) {
            node ^= usize::from(byte);
            let Some(&unit) = self.units.get(node).filter(|unit| **unit & 0x8000_00ff == u32::from(byte)) else {
                break;
            };
            node ^= offset(unit);
            if unit >> 8 & 1 == 1 {
                let value = self.units.get(node)? & 0x7fff_ffff;
                found = Some((length, self.replacement(value)));
            }
        }
        found
    }

    fn replacement(&self, at: u32) -> Option<std::borrow::Cow<'_, str>> {
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
    }

    #[test]
    fn broken_maps_are_none() {
        for wrong in [&b""[..], &[1, 0, 0], &[8, 0, 0, 0, 1, 2, 3], &[3, 0, 0, 0, 1, 2, 3]] {
            assert!(CharacterMap::read(wrong).is_none(), "{wrong:?}");
        }
    }
}
