//! How tokens become bytes.

use serde_json::Value;

use super::pattern::Pattern;
use super::splitter::Prepend;
use super::{growth, kind, steps, unsupported};
use crate::error::Result;
use crate::tokenizer::alphabet::Alphabet;
use crate::tokenizer::byte_token;

/// What is done with each token, one step after the other. All steps look at one token at a time, so that text can
/// grow token by token.
#[derive(Debug)]
pub(super) struct Decoder {
    steps: Vec<Step>,
    /// A letter that is taken from the beginning of a whole text, and how many of it at most.
    stripped: Option<(char, usize)>,
}

#[derive(Debug)]
enum Step {
    /// Characters stand for bytes.
    Bytes,
    /// `<0x0A>` stands for a byte.
    ByteFallback,
    Replace(Pattern, String),
    /// A mark stands for a space, except in the first token of a text where `first` is set.
    Marks {
        mark: String,
        first: bool,
    },
    /// A letter is taken from both ends, so many of it at most.
    Strip {
        letter: char,
        start: usize,
        stop: usize,
    },
    /// A space goes between tokens.
    Spaces,
    /// A space goes before tokens that do not continue a word, and may be taken from before punctuation.
    Pieces {
        prefix: String,
        cleanup: bool,
    },
}

/// What English wants to stand without a space, and how it does.
const CLEANUP: [(&str, &str); 11] = [
    (" .", "."),
    (" ?", "?"),
    (" !", "!"),
    (" ,", ","),
    (" ' ", "'"),
    (" n't", "n't"),
    (" 'm", "'m"),
    (" do not", " don't"),
    (" 's", "'s"),
    (" 've", "'ve"),
    (" 're", "'re"),
];

impl Decoder {
    /// Reads the steps.
    pub(super) fn read(value: &Value) -> Result<Decoder> {
        let mut decoder = Decoder { steps: Vec::new(), stripped: None };
        if value.is_null() {
            decoder.steps.push(Step::Spaces);
        }
        let mut fused = false;
        for step in steps(value, "decoders")? {
            if kind(step) == "Fuse" {
                fused = true;
                continue;
            }
            match Step::read(step)?.ok_or_else(|| unsupported("decoder", step))? {
                step if !fused => decoder.steps.push(step),
                Step::Strip { letter, start, stop: 0 } => decoder.stripped = Some((letter, start)),
                _ => return Err(unsupported("decoder after \"Fuse\"", step)),
            }
        }
        Ok(decoder)
    }

    /// The bytes of a token; `first` where a text begins with it.
    pub(super) fn bytes(&self, token: &str, first: bool) -> Vec<u8> {
        let bytes = self.token_bytes(token, first);
        let Some((letter, most)) = self.stripped.filter(|_| first) else { return bytes };
        let (mut letter_bytes, mut rest) = ([0; 4], bytes.as_slice());
        let letter = letter.encode_utf8(&mut letter_bytes).as_bytes();
        for _ in 0..most.min(bytes.len()) {
            rest = rest.strip_prefix(letter).unwrap_or(rest);
        }
        rest.to_vec()
    }

    fn token_bytes(&self, token: &str, first: bool) -> Vec<u8> {
        let mut text = token.to_owned();
        for step in &self.steps {
            match step {
                // A token outside the alphabet was added as it is.
                Step::Bytes => return Alphabet::bytes(&text).unwrap_or_else(|| text.into_bytes()),
                Step::ByteFallback => {
                    if let Some(byte) = byte_token(&text) {
                        return vec![byte];
                    }
                }
                Step::Replace(pattern, content) => text = pattern.replace(&text, content).unwrap_or(text),
                Step::Marks { mark, first: left_out } => {
                    text = text.replace(mark, if first && *left_out { "" } else { " " });
                }
                Step::Strip { letter, start, stop } => {
                    let length = |count: usize| count.saturating_mul(letter.len_utf8());
                    let left = length(text.chars().take(*start).take_while(|c| c == letter).count());
                    let right = length(text.chars().rev().take(*stop).take_while(|c| c == letter).count());
                    text = text.get(left..text.len().saturating_sub(right)).unwrap_or_default().to_owned();
                }
                Step::Spaces if first => {}
                Step::Spaces => text.insert(0, ' '),
                Step::Pieces { prefix, cleanup } => {
                    match text.strip_prefix(prefix) {
                        _ if first => {}
                        Some(rest) => text = rest.to_owned(),
                        None => text.insert(0, ' '),
                    }
                    let changes = CLEANUP.iter().filter(|_| *cleanup);
                    text = changes.fold(text, |text, (spaced, plain)| text.replace(spaced, plain));
                }
            }
            if growth::check(token.len(), text.len()).is_err() {
                text.clear();
            }
        }
        text.into_bytes()
    }
}

impl Step {
    fn read(step: &Value) -> Result<Option<Step>> {
        let count = |name: &str| usize::try_from(step[name].as_u64()?).ok();
        Ok(match kind(step) {
            "ByteLevel" => Some(Step::Bytes),
            "ByteFallback" => Some(Step::ByteFallback),
            "WordPiece" => Some(Step::Pieces {
                prefix: step["prefix"].as_str().unwrap_or("##").to_owned(),
                cleanup: step["cleanup"].as_bool().unwrap_or(true),
            }),
            "Replace" => match (Pattern::read(&step["pattern"])?, step["content"].as_str()) {
                (Some(pattern), Some(content)) => Some(Step::Replace(pattern, content.to_owned())),
                _ => None,
            },
            "Metaspace" => step["replacement"]
                .as_str()
                .filter(|mark| !mark.is_empty())
                .map(|mark| Step::Marks { mark: mark.to_owned(), first: Prepend::read(step) != Prepend::Never }),
            "Strip" => {
                let letter = step["content"].as_str().and_then(|content| content.parse().ok());
                match (letter, count("start"), count("stop")) {
                    (Some(letter), Some(start), Some(stop)) => Some(Step::Strip { letter, start, stop }),
                    _ => None,
                }
            }
            _ => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn text(decoder: &Decoder, tokens: &[&str]) -> String {
        let bytes = tokens.iter().enumerate().flat_map(|(at, token)| decoder.bytes(token, at == 0));
        String::from_utf8_lossy(&bytes.collect::<Vec<u8>>()).into_owned()
    }

    #[test]
    fn tokens_become_text_step_by_step() {
        let sentencepiece = json!({"type": "Sequence", "decoders": [
            {"type": "Replace", "pattern": {"String": "▁"}, "content": " "},
            {"type": "ByteFallback"}, {"type": "Fuse"},
            {"type": "Strip", "content": " ", "start": 1, "stop": 0},
        ]});
        let decoder = Decoder::read(&sentencepiece).unwrap();
        assert_eq!(text(&decoder, &["▁▁wing", "▁a", "<0xE7>", "<0xBF>", "<0xBC>", "<0xE>"]), " wing a翼<0xE>");
        let byte_level = Decoder::read(&json!({"type": "ByteLevel", "add_prefix_space": true})).unwrap();
        assert_eq!(text(&byte_level, &["ĠA", "Ã©", "翼"]), " Aé翼");
        let spaces = Decoder::read(&Value::Null).unwrap();
        assert_eq!(text(&spaces, &["a", "b"]), "a b");
        let letters = Decoder::read(&json!({"type": "Strip", "content": "_", "start": 2, "stop": 1})).unwrap();
        assert_eq!(text(&letters, &["___a__", "_b"]), "_a_b");
        let pieces = Decoder::read(&json!({"type": "WordPiece", "prefix": "##", "cleanup": true})).unwrap();
        assert_eq!(text(&pieces, &["un", "##able", "to", ".", "##.", "##"]), "unable to..");
    }

    #[test]
    fn marks_of_the_first_token_are_left_out_where_one_was_put_there() {
        let read = |scheme: &str| {
            Decoder::read(&json!({"type": "Metaspace", "replacement": "▁", "prepend_scheme": scheme})).unwrap()
        };
        assert_eq!(text(&read("always"), &["▁a", "▁b"]), "a b");
        assert_eq!(text(&read("never"), &["▁a", "▁b"]), " a b");
    }

    #[test]
    fn texts_that_grow_beyond_measure_are_left_out() {
        let double = json!({"type": "Replace", "pattern": {"String": "a"}, "content": "aa"});
        let decoder = Decoder::read(&json!({"type": "Sequence", "decoders": vec![double; 60]})).unwrap();
        assert_eq!(text(&decoder, &["b", "a"]), "b");
    }

    #[test]
    fn unknown_steps_are_named() {
        for step in [
            json!({"type": "CTC"}),
            json!({"type": "Strip", "content": "ab", "start": 1, "stop": 0}),
            json!({"type": "Sequence", "decoders": [{"type": "Fuse"}, {"type": "ByteLevel"}]}),
        ] {
            let error = Decoder::read(&step).unwrap_err().to_string();
            assert!(error.contains("is not supported"), "{error}");
        }
    }
}
