//! Text that grows token by token, in whole characters.

use super::Tokenizer;

/// Turns tokens into text as they come. Bytes of an unfinished character are held back.
#[derive(Clone, Debug)]
pub struct TextStream {
    tokenizer: Tokenizer,
    /// Whether no text came yet, of a text from its beginning.
    first: bool,
    /// The beginning of a character, at most three bytes between calls.
    unfinished: Vec<u8>,
}

impl TextStream {
    /// `first` where the text is no continuation of another.
    pub(super) fn new(tokenizer: Tokenizer, first: bool) -> TextStream {
        TextStream { tokenizer, first, unfinished: Vec::new() }
    }

    /// Takes a token, and gives the text that is whole by now; it may be empty.
    pub fn push(&mut self, id: u32) -> String {
        self.unfinished.extend_from_slice(&self.tokenizer.bytes(id, &mut self.first));
        whole(&mut self.unfinished)
    }

    /// The rest, when no more tokens come: an unfinished character becomes U+FFFD.
    pub fn finish(&mut self) -> String {
        String::from_utf8_lossy(&std::mem::take(&mut self.unfinished)).into_owned()
    }
}

/// Takes the whole characters from the front; what can never become one is U+FFFD.
fn whole(bytes: &mut Vec<u8>) -> String {
    let mut text = String::new();
    loop {
        let (valid, broken) = match std::str::from_utf8(bytes) {
            Ok(_) => (bytes.len(), None),
            Err(error) => (error.valid_up_to(), error.error_len()),
        };
        text.push_str(&String::from_utf8_lossy(bytes.get(..valid).unwrap_or_default()));
        let Some(broken) = broken else {
            bytes.drain(..valid);
            return text;
        };
        text.push(char::REPLACEMENT_CHARACTER);
        bytes.drain(..valid.saturating_add(broken).min(bytes.len()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_go_out_whole() {
        for text in ["wing", "Flügel", "翼", "🐦!", "a\u{0}b"] {
            for piece in 1..4 {
                let (mut held, mut out) = (Vec::new(), String::new());
                for bytes in text.as_bytes().chunks(piece) {
                    held.extend_from_slice(bytes);
                    out += &whole(&mut held);
                    assert!(text.starts_with(&out), "{out:?} of {text:?}");
                }
                assert_eq!((out.as_str(), held.len()), (text, 0));
            }
        }
    }

    #[test]
    fn bytes_that_are_no_character_do_not_hold_back_the_rest() {
        let bytes = b"a\xffb\xe7\xbfc\xf0\x9f\x90\xe7\xbf\xbc\x80";
        for piece in 1..bytes.len() {
            let (mut held, mut out) = (Vec::new(), String::new());
            for bytes in bytes.chunks(piece) {
                held.extend_from_slice(bytes);
                out += &whole(&mut held);
                assert!(held.len() < 4);
            }
            assert_eq!(out, String::from_utf8_lossy(bytes), "in pieces of {piece}");
        }
    }
}
