//! GPT-2's alphabet, in which every byte is a character that prints.

use std::sync::LazyLock;

/// Bytes as characters: those that print stand for themselves, and the others for characters from U+0100 on.
#[derive(Debug)]
pub(super) struct Alphabet {
    characters: [char; 256],
}

static ALPHABET: LazyLock<Alphabet> = LazyLock::new(|| {
    let prints = |byte: u8| matches!(byte, b'!'..=b'~' | 0xa1..=0xac | 0xae..=0xff);
    let mut characters = ['\0'; 256];
    let mut others = '\u{100}'..;
    for (byte, character) in (0..=255).zip(&mut characters) {
        *character = if prints(byte) { char::from(byte) } else { others.next().unwrap_or_default() };
    }
    Alphabet { characters }
});

impl Alphabet {
    /// The text that stands for bytes.
    pub(super) fn text(bytes: &[u8]) -> String {
        bytes.iter().filter_map(|&byte| ALPHABET.character(byte)).collect()
    }

    /// The bytes that a text stands for; nothing where a character is none of the alphabet's.
    pub(super) fn bytes(text: &str) -> Option<Vec<u8>> {
        let byte = |character: char| {
            let found = if u32::from(character) < 0x100 {
                u8::try_from(character).ok()
            } else {
                let at = ALPHABET.characters.iter().position(|own| *own == character)?;
                u8::try_from(at).ok()
            };
            found.filter(|&byte| ALPHABET.character(byte) == Some(character))
        };
        text.chars().map(byte).collect()
    }

    fn character(&self, byte: u8) -> Option<char> {
        self.characters.get(usize::from(byte)).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_has_a_character_of_its_own() {
        let bytes: Vec<u8> = (0..=255).collect();
        let text = Alphabet::text(&bytes);
        assert_eq!(text.chars().filter(|c| c.is_control() || c.is_whitespace()).count(), 0);
        assert_eq!(Alphabet::bytes(&text), Some(bytes));
        assert_eq!((Alphabet::text("A \né".as_bytes()).as_str(), Alphabet::bytes("Ġ翼")), ("AĠĊÃ©", None));
        assert_eq!(Alphabet::bytes(" "), None, "a space is no letter of it");
    }
}
