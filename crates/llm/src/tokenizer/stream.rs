//! Text that grows token by token, in whole characters.

use super::{Piece, Tokenizer};

/// Turns tokens into text as they come. Bytes of an unfinished character are held back.
#[derive(Clone, Debug)]
pub struct TextStream {
    tokenizer: Tokenizer,
    /// The beginning of a character, at most three bytes between calls.
    unfinished: Vec<u8>,
    /// Tokens that are decoded together, where one alone does not tell.
    context: Vec<u32>,
    /// Bytes of their text that went out.
    shown: usize,
}

/// Tokens that the next is decoded with, where one alone does not tell.
const CONTEXT: usize = 16;

impl TextStream {
    pub(super) fn new(tokenizer: Tokenizer) -> TextStream {
        TextStream { tokenizer, unfinished: Vec::new(), context: Vec::new(), shown: 0 }
    }

    /// Takes a token, and gives the text that is whole by now; it may be empty.
    pub fn push(&mut self, id: u32) -> String {
        match self.tokenizer.piece(id) {
            Piece::Bytes(bytes) => {
                self.unfinished.extend_from_slice(&bytes);
                whole(&mut self.unfinished)
            }
            Piece::InContext => self.push_in_context(id),
        }
    }

    /// The rest, when no more tokens come: an unfinished character becomes U+FFFD.
    pub fn finish(&mut self) -> String {
        String::from_utf8_lossy(&std::mem::take(&mut self.unfinished)).into_owned()
    }

    fn push_in_context(&mut self, id: u32) -> String {
        self.context.push(id);
        let text = self.tokenizer.decode_in_context(&self.context);
        let new = text.get(self.shown..).unwrap_or_default().to_owned();
        self.shown = text.len();
        if self.context.len() > 2 * CONTEXT {
            self.context.drain(..CONTEXT);
            self.shown = self.tokenizer.decode_in_context(&self.context).len();
        }
        new
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
        text += &String::from_utf8_lossy(&bytes[..valid]);
        let Some(broken) = broken else {
            bytes.drain(..valid);
            return text;
        };
        text.push(char::REPLACEMENT_CHARACTER);
        bytes.drain(..valid + broken);
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
