//! `tokenizer.json`, through the `tokenizers` crate.

use std::borrow::Cow;
use std::collections::HashMap;

use serde_json::Value;

use super::Piece;
use crate::error::{Error, Result};

/// A tokenizer of the `tokenizers` crate, and how its tokens become bytes.
#[derive(Debug)]
pub(super) struct Json {
    tokenizer: tokenizers::Tokenizer,
    pieces: Pieces,
    added: HashMap<u32, tokenizers::AddedToken>,
}

/// How tokens become bytes. The crate decodes lists of tokens; text that grows needs each token alone.
#[derive(Debug)]
enum Pieces {
    /// Each character stands for a byte.
    ByteLevel(HashMap<char, u8>),
    /// Marks stand for other text, and `<0x0A>` for a byte.
    Marked { marks: Vec<(String, String)>, bytes: bool, space: bool },
    /// Another way, which only the crate knows.
    Other,
}

impl Json {
    pub(super) fn parse(bytes: &[u8]) -> Result<Json> {
        // The crate panics on some broken JSON, so it must be sound before the crate sees it.
        serde_json::from_slice::<serde::de::IgnoredAny>(bytes)
            .map_err(|error| Error::Tokenizer(format!("it is broken JSON: {error}")))?;
        let wrong = |error: tokenizers::Error| {
            let hint = match serde_json::from_slice::<Value>(bytes) {
                Ok(json) if json.get("model").is_none() => {
                    "; it has no \"model\", so it is some other JSON file: give tokenizer.json"
                }
                _ => "",
            };
            Error::Tokenizer(format!("{error}{hint}"))
        };
        let mut tokenizer = tokenizers::Tokenizer::from_bytes(bytes).map_err(wrong)?;
        // Cutting and padding are for training; a prompt that is too long is an error here.
        tokenizer.with_padding(None).with_truncation(None).map_err(wrong)?;
        let decoder = serde_json::to_value(tokenizer.get_decoder()).unwrap_or_default();
        let added = tokenizer.get_added_tokens_decoder().into_iter().collect();
        Ok(Json { pieces: Pieces::of(&decoder), tokenizer, added })
    }

    pub(super) fn encode(&self, text: &str, add_special: bool) -> Result<Vec<u32>> {
        let encoding = self.tokenizer.encode_fast(text, add_special);
        Ok(encoding.map_err(|error| Error::Tokenizer(error.to_string()))?.get_ids().to_vec())
    }

    pub(super) fn decode(&self, ids: &[u32]) -> String {
        self.tokenizer.decode(ids, true).unwrap_or_default()
    }

    pub(super) fn vocabulary(&self) -> usize {
        self.tokenizer.get_vocab_size(false)
    }

    pub(super) fn id(&self, token: &str) -> Option<u32> {
        self.tokenizer.token_to_id(token)
    }

    pub(super) fn adds_space(&self) -> bool {
        matches!(self.pieces, Pieces::Marked { space: true, .. })
    }

    pub(super) fn piece(&self, id: u32) -> Piece<'_> {
        if let Some(added) = self.added.get(&id) {
            let text = if added.special { "" } else { &added.content };
            return Piece::Bytes(Cow::Borrowed(text.as_bytes()));
        }
        if let Pieces::Other = self.pieces {
            return Piece::InContext;
        }
        let token = self.tokenizer.id_to_token(id).unwrap_or_default();
        Piece::Bytes(Cow::Owned(self.pieces.bytes(token)))
    }
}

impl Pieces {
    /// Reads a decoder in the form that `tokenizer.json` has it.
    fn of(decoder: &Value) -> Pieces {
        let kind = |decoder: &Value| decoder["type"].as_str().unwrap_or_default().to_owned();
        let single = std::slice::from_ref(decoder);
        let steps = match kind(decoder).as_str() {
            "Sequence" => decoder["decoders"].as_array().map(Vec::as_slice).unwrap_or_default(),
            _ => single,
        };
        if let [step] = steps
            && kind(step) == "ByteLevel"
        {
            return Pieces::ByteLevel(byte_characters());
        }
        let (mut marks, mut bytes, mut space) = (Vec::new(), false, false);
        for step in steps {
            match kind(step).as_str() {
                "ByteFallback" => bytes = true,
                "Fuse" => {}
                "Strip" if step["content"] == " " && step["start"] == 1 && step["stop"] == 0 => space = true,
                "Replace" => match (step["pattern"]["String"].as_str(), step["content"].as_str()) {
                    (Some(mark), Some(text)) => marks.push((mark.to_owned(), text.to_owned())),
                    _ => return Pieces::Other,
                },
                "Metaspace" => match step["replacement"].as_str() {
                    Some(mark) => {
                        marks.push((mark.to_owned(), " ".to_owned()));
                        space = step["prepend_scheme"] != "never";
                    }
                    None => return Pieces::Other,
                },
                _ => return Pieces::Other,
            }
        }
        Pieces::Marked { marks, bytes, space }
    }

    fn bytes(&self, token: String) -> Vec<u8> {
        match self {
            Pieces::ByteLevel(characters) => {
                let bytes: Option<Vec<u8>> = token.chars().map(|c| characters.get(&c).copied()).collect();
                // A token outside the alphabet was added as it is.
                bytes.unwrap_or_else(|| token.into_bytes())
            }
            Pieces::Marked { marks, bytes, .. } => {
                if let Some(byte) = byte_token(&token).filter(|_| *bytes) {
                    return vec![byte];
                }
                let text = marks.iter().fold(token, |text, (mark, meaning)| text.replace(mark, meaning));
                text.into_bytes()
            }
            Pieces::Other => token.into_bytes(),
        }
    }
}

/// The byte that a token such as `<0x0A>` stands for.
pub(super) fn byte_token(token: &str) -> Option<u8> {
    let digits = token.strip_prefix("<0x")?.strip_suffix('>')?;
    (digits.len() == 2).then(|| u8::from_str_radix(digits, 16).ok())?
}

/// GPT-2's alphabet: bytes that print stand for themselves, and the others for characters from U+0100 on.
fn byte_characters() -> HashMap<char, u8> {
    let prints = |byte: u8| matches!(byte, b'!'..=b'~' | 0xa1..=0xac | 0xae..=0xff);
    let mut others = '\u{100}'..;
    let mut character = |byte: u8| if prints(byte) { Some(char::from(byte)) } else { others.next() };
    (0..=255).filter_map(|byte| Some((character(byte)?, byte))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_alphabet_covers_every_byte_once() {
        let characters = byte_characters();
        let mut bytes: Vec<u8> = characters.values().copied().collect();
        bytes.sort_unstable();
        assert_eq!(bytes, (0..=255).collect::<Vec<u8>>());
        assert_eq!((characters[&'A'], characters[&'Ġ'], characters[&'Ċ']), (b'A', b' ', b'\n'));
    }

    #[test]
    fn decoders_are_understood_or_left_to_the_crate() {
        let sentencepiece = serde_json::json!({"type": "Sequence", "decoders": [
            {"type": "Replace", "pattern": {"String": "▁"}, "content": " "},
            {"type": "ByteFallback"}, {"type": "Fuse"},
            {"type": "Strip", "content": " ", "start": 1, "stop": 0},
        ]});
        let pieces = Pieces::of(&sentencepiece);
        assert_eq!(pieces.bytes("▁wing".to_owned()), b" wing");
        assert_eq!(pieces.bytes("<0xE7>".to_owned()), [0xe7]);
        assert_eq!(pieces.bytes("<0xE>".to_owned()), b"<0xE>");
        assert!(matches!(pieces, Pieces::Marked { space: true, .. }));
        let metaspace = serde_json::json!({"type": "Metaspace", "replacement": "▁", "prepend_scheme": "never"});
        assert!(matches!(Pieces::of(&metaspace), Pieces::Marked { space: false, bytes: false, .. }));
        let byte_level = serde_json::json!({"type": "ByteLevel", "add_prefix_space": true});
        assert_eq!(Pieces::of(&byte_level).bytes("Ġé".to_owned()), [b' ', 0xe9]);
        for other in [serde_json::json!({"type": "WordPiece", "prefix": "##"}), Value::Null] {
            assert!(matches!(Pieces::of(&other), Pieces::Other), "{other}");
        }
    }
}
