//! How a text is changed before it is cut.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use super::pattern::Pattern;
use super::{growth, kind, steps, unsupported};
use crate::error::Result;
use crate::tokenizer::alphabet::Alphabet;
use crate::tokenizer::characters::CharacterMap;
use crate::tokenizer::unicode::{Form, is_mark, normalize};

/// A step.
#[derive(Debug)]
pub(super) enum Normalizer {
    Normal(Form),
    Lowercase,
    StripAccents,
    Strip {
        left: bool,
        right: bool,
    },
    Prepend(String),
    Replace(Pattern, String),
    Characters(CharacterMap),
    /// Characters that stand for the bytes.
    Bytes,
    /// Spaces around ideographs.
    Ideographs,
}

/// What BERT takes out of a text.
const CONTROLS: &str = r"[\x{fffd}\p{Cc}\p{Cf}\p{Co}&&[^\t\n\r]]";

/// Reads the steps.
pub(super) fn read(value: &Value) -> Result<Vec<Normalizer>> {
    let mut normalizers = Vec::new();
    for step in steps(value, "normalizers")? {
        if kind(step) == "BertNormalizer" {
            normalizers.extend(bert(step)?);
        } else {
            normalizers.push(Normalizer::read(step)?.ok_or_else(|| unsupported("normalizer", step))?);
        }
    }
    Ok(normalizers)
}

/// A text after all steps.
pub(super) fn apply(normalizers: &[Normalizer], text: &str) -> Result<String> {
    normalizers.iter().try_fold(text.to_owned(), |changed, normalizer| {
        let changed = normalizer.apply(changed)?;
        growth::check(text.len(), changed.len())?;
        Ok(changed)
    })
}

/// The steps that BERT's normalizer stands for.
fn bert(step: &Value) -> Result<Vec<Normalizer>> {
    let flag = |name: &str, default: bool| step[name].as_bool().unwrap_or(default);
    let replace = |pattern: &str, content: &str| {
        Ok::<_, crate::error::Error>(Normalizer::Replace(Pattern::regex(pattern)?, content.to_owned()))
    };
    let mut steps = Vec::new();
    if flag("clean_text", true) {
        steps.extend([replace(CONTROLS, "")?, replace(r"\s", " ")?]);
    }
    if flag("handle_chinese_chars", true) {
        steps.push(Normalizer::Ideographs);
    }
    let lowercase = flag("lowercase", true);
    if flag("strip_accents", lowercase) {
        steps.extend([Normalizer::Normal(Form::Nfd), replace(r"\p{Mn}", "")?]);
    }
    steps.extend(lowercase.then_some(Normalizer::Lowercase));
    Ok(steps)
}

impl Normalizer {
    fn read(step: &Value) -> Result<Option<Normalizer>> {
        let text = |name: &str| step[name].as_str().map(str::to_owned);
        Ok(match kind(step) {
            "NFC" => Some(Normalizer::Normal(Form::Nfc)),
            "NFD" => Some(Normalizer::Normal(Form::Nfd)),
            "NFKC" => Some(Normalizer::Normal(Form::Nfkc)),
            "NFKD" => Some(Normalizer::Normal(Form::Nfkd)),
            "Lowercase" => Some(Normalizer::Lowercase),
            "StripAccents" => Some(Normalizer::StripAccents),
            "Strip" => Some(Normalizer::Strip {
                left: step["strip_left"].as_bool().unwrap_or(true),
                right: step["strip_right"].as_bool().unwrap_or(true),
            }),
            "ByteLevel" => Some(Normalizer::Bytes),
            "Prepend" => text("prepend").map(Normalizer::Prepend),
            "Replace" => match (Pattern::read(&step["pattern"])?, text("content")) {
                (Some(pattern), Some(content)) => Some(Normalizer::Replace(pattern, content)),
                _ => None,
            },
            "Precompiled" => {
                let map = step["precompiled_charsmap"].as_str().and_then(|map| STANDARD.decode(map).ok());
                map.and_then(|map| CharacterMap::read(&map)).map(Normalizer::Characters)
            }
            _ => None,
        })
    }

    fn apply(&self, mut text: String) -> Result<String> {
        Ok(match self {
            Normalizer::Normal(form) => normalize(&text, *form),
            // Each character by itself: the form of a letter at the end of a word is not looked for.
            Normalizer::Lowercase => text.chars().flat_map(char::to_lowercase).collect(),
            Normalizer::StripAccents => text.chars().filter(|c| !is_mark(*c)).collect(),
            Normalizer::Strip { left, right } => {
                let text = if *left { text.trim_start() } else { &text };
                if *right { text.trim_end() } else { text }.to_owned()
            }
            Normalizer::Prepend(prefix) => {
                if !text.is_empty() {
                    text.insert_str(0, prefix);
                }
                text
            }
            Normalizer::Replace(pattern, content) => pattern.replace(&text, content)?,
            Normalizer::Characters(map) => map.apply(&text),
            Normalizer::Bytes => Alphabet::text(text.as_bytes()),
            Normalizer::Ideographs => {
                let mut spaced = String::with_capacity(text.len());
                for character in text.chars() {
                    let around = if is_ideograph(character) { " " } else { "" };
                    spaced.extend([around, character.encode_utf8(&mut [0; 4]), around]);
                }
                spaced
            }
        })
    }
}

/// Whether BERT takes a character for a word of its own.
fn is_ideograph(character: char) -> bool {
    matches!(
        u32::from(character),
        0x3400..=0x4dbf
            | 0x4e00..=0x9fff
            | 0xf900..=0xfaff
            | 0x2_0000..=0x2_a6df
            | 0x2_a700..=0x2_ceaf
            | 0x2_f800..=0x2_fa1f
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_follow_each_other() {
        let steps = serde_json::json!({"type": "Sequence", "normalizers": [
            {"type": "NFD"}, {"type": "StripAccents"}, {"type": "Lowercase"}, {"type": "Strip", "strip_right": false},
            {"type": "Sequence", "normalizers": [
                {"type": "Prepend", "prepend": "▁"}, {"type": "Replace", "pattern": {"String": " "}, "content": "▁"},
            ]},
        ]});
        let steps = read(&steps).unwrap();
        assert_eq!(apply(&steps, "  Él ΣΑΣ ").unwrap(), "▁el▁σασ▁");
        assert_eq!(apply(&steps, "").unwrap(), "");
        assert_eq!(apply(&read(&Value::Null).unwrap(), " É").unwrap(), " É");
        let compatible = read(&serde_json::json!({"type": "NFKC"})).unwrap();
        assert_eq!(apply(&compatible, "ﬁ e\u{301}").unwrap(), "fi é");
    }

    #[test]
    fn steps_of_bert_clean_a_text() {
        let plain = read(&serde_json::json!({"type": "BertNormalizer"})).unwrap();
        assert_eq!(apply(&plain, "É\u{0}\u{85}\u{ad}\tΣ翼a").unwrap(), "e σ 翼 a");
        let kept = serde_json::json!({"type": "BertNormalizer", "lowercase": false, "strip_accents": null, "handle_chinese_chars": false});
        assert_eq!(apply(&read(&kept).unwrap(), "É\t翼").unwrap(), "É 翼");
        let bytes = read(&serde_json::json!({"type": "ByteLevel"})).unwrap();
        assert_eq!(apply(&bytes, "a é").unwrap(), "aĠÃ©");
    }

    #[test]
    fn texts_that_grow_beyond_measure_are_errors() {
        let double = serde_json::json!({"type": "Replace", "pattern": {"String": "a"}, "content": "aa"});
        let sequence = |steps| read(&serde_json::json!({"type": "Sequence", "normalizers": vec![&double; steps]}));
        assert_eq!(apply(&sequence(4).unwrap(), &"a".repeat(1000)).unwrap().len(), 16_000);
        assert!(apply(&sequence(40).unwrap(), "a").unwrap_err().to_string().contains("of a text that has 1"));
        assert!(sequence(65).unwrap_err().to_string().contains("65 normalizers"));
        let long = serde_json::json!({"type": "Prepend", "prepend": "a".repeat(1000)});
        assert!(apply(&read(&long).unwrap(), "a").is_err());
    }

    #[test]
    fn unknown_steps_are_named() {
        for step in [
            serde_json::json!({"type": "Rot13"}),
            serde_json::json!({"type": "Prepend"}),
            serde_json::json!({"type": "Precompiled", "precompiled_charsmap": "AAAA"}),
            serde_json::json!([]),
        ] {
            let error = read(&step).unwrap_err().to_string();
            assert!(error.contains("normalizer is not supported"), "{error}");
        }
    }
}
