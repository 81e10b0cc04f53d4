//! How a word becomes tokens.

mod file;
mod longest;
mod pairs;
mod scores;

use std::collections::HashMap;

pub(super) use self::file::ModelFile;
use self::longest::Longest;
use self::pairs::Pairs;
use self::scores::Scores;
use crate::error::{Error, Result};
use crate::tokenizer::merge::{Symbol, merge};

/// Characters of the longest word that WordPiece cuts, where a file does not say.
const MOST_CHARACTERS: usize = 100;

/// A vocabulary, and how words are made of it.
#[derive(Debug)]
pub(super) struct Model {
    ids: HashMap<String, u32>,
    tokens: HashMap<u32, String>,
    kind: Kind,
    unknown: Unknown,
    /// Whether several unknown characters in a row are one token of pairs.
    fuse_unknown: bool,
    /// The tokens of bytes, where what is unknown is spelled in bytes.
    bytes: HashMap<u8, u32>,
}

#[derive(Debug)]
enum Kind {
    /// Merging pairs of tokens.
    Pairs {
        pairs: Pairs,
        /// Whether a word that is a token needs no merging.
        ignore_merges: bool,
        /// What goes before every character of a word but the first, and after the last.
        prefix: String,
        suffix: String,
    },
    /// Tokens with scores.
    Scores(Scores),
    Longest(Longest),
    /// Words that are tokens.
    Words,
}

/// What stands for text that the vocabulary lacks.
#[derive(Debug)]
enum Unknown {
    Nothing,
    Token(u32),
    /// A name that the vocabulary lacks too.
    Missing(String),
}

impl Model {
    pub(super) fn new(file: ModelFile) -> Result<Model> {
        let (tokens, scores) = file.vocabulary.into_tokens();
        let ids: HashMap<String, u32> = tokens.iter().map(|(token, id)| (token.clone(), *id)).collect();
        let unknown = match (file.unknown_name, file.unknown_id) {
            (Some(name), _) => ids.get(&name).map_or(Unknown::Missing(name), |id| Unknown::Token(*id)),
            (None, Some(id)) => Unknown::Token(id),
            (None, None) => Unknown::Nothing,
        };
        let kind = match (file.kind.as_deref(), scores) {
            (Some("BPE") | None, None) => Kind::Pairs {
                pairs: Pairs::new(&file.merges, &ids, &file.prefix)?,
                ignore_merges: file.ignore_merges,
                prefix: file.prefix,
                suffix: file.suffix,
            },
            (Some("Unigram") | None, Some(scores)) => Kind::Scores(Scores::new(&tokens, scores)?),
            (Some("WordPiece"), None) => {
                let most = file.most_characters.unwrap_or(MOST_CHARACTERS);
                Kind::Longest(Longest::new(&tokens, &file.prefix, most)?)
            }
            (Some("WordLevel"), None) => Kind::Words,
            (kind, scores) => {
                let (kind, scores) = (kind.unwrap_or("of no kind"), if scores.is_some() { "" } else { "out" });
                return Err(Error::Tokenizer(format!(
                    "its model is {kind:?} with{scores} scores: it is not supported"
                )));
            }
        };
        let byte = |byte: u8| Some((byte, *ids.get(&format!("<0x{byte:02X}>"))?));
        let bytes = if file.byte_fallback { (0..=255).filter_map(byte).collect() } else { HashMap::new() };
        let tokens = tokens.into_iter().map(|(token, id)| (id, token)).collect();
        Ok(Model { ids, tokens, kind, unknown, fuse_unknown: file.fuse_unknown, bytes })
    }

    /// Adds the tokens of a word.
    pub(super) fn encode(&self, word: &str, ids: &mut Vec<u32>) -> Result<()> {
        match &self.kind {
            Kind::Pairs { pairs, ignore_merges, prefix, suffix } => {
                if let Some(&id) = self.ids.get(word).filter(|_| *ignore_merges) {
                    ids.push(id);
                    return Ok(());
                }
                let characters = self.spell(word, prefix, suffix)?.into_iter().enumerate();
                let symbols = characters.map(|(at, token)| Symbol { range: at..at.saturating_add(1), token });
                let merged = merge(
                    symbols,
                    |left, right| pairs.apart(left.token, right.token),
                    |left, right| pairs.merges.get(&(left.token, right.token)).copied(),
                );
                ids.extend(merged.into_iter().map(|symbol| symbol.token));
            }
            Kind::Scores(scores) => {
                for (range, token) in scores.parts(word) {
                    let text = word.get(range).unwrap_or_default();
                    match token {
                        Some(token) => ids.push(token),
                        None if self.push_bytes(text, ids) => {}
                        None => ids.push(self.unknown(text)?.ok_or_else(|| lacks(text))?),
                    }
                }
            }
            Kind::Longest(longest) => match longest.encode(word) {
                Some(tokens) => ids.extend(tokens),
                None => ids.push(self.unknown(word)?.ok_or_else(|| lacks(word))?),
            },
            Kind::Words => match self.ids.get(word) {
                Some(&id) => ids.push(id),
                None => ids.push(self.unknown(word)?.ok_or_else(|| lacks(word))?),
            },
        }
        Ok(())
    }

    /// The tokens of a word's characters. An unknown character has none where nothing stands for it.
    fn spell(&self, word: &str, prefix: &str, suffix: &str) -> Result<Vec<u32>> {
        let mut tokens = Vec::with_capacity(word.len());
        let mut unknown = None;
        let mut characters = word.char_indices().peekable();
        while let Some((at, _)) = characters.next() {
            let end = characters.peek().map_or(word.len(), |(next, _)| *next);
            let before = if at == 0 { "" } else { prefix };
            let after = if end == word.len() { suffix } else { "" };
            let text = word.get(at..end).unwrap_or_default();
            let known = if before.is_empty() && after.is_empty() {
                self.ids.get(text)
            } else {
                self.ids.get(&format!("{before}{text}{after}"))
            };
            match known {
                Some(&id) => {
                    tokens.extend(unknown.take());
                    tokens.push(id);
                }
                None if self.push_bytes(text, &mut tokens) => {}
                None => {
                    tokens.extend(unknown.take().filter(|_| !self.fuse_unknown));
                    unknown = self.unknown(text)?;
                }
            }
        }
        tokens.extend(unknown);
        Ok(tokens)
    }

    /// Adds the tokens of a text's bytes, where each has one, and says whether.
    fn push_bytes(&self, text: &str, tokens: &mut Vec<u32>) -> bool {
        let bytes: Option<Vec<u32>> = text.bytes().map(|byte| self.bytes.get(&byte).copied()).collect();
        let known = bytes.is_some();
        tokens.extend(bytes.into_iter().flatten());
        known
    }

    /// The token for a text that the vocabulary lacks.
    fn unknown(&self, text: &str) -> Result<Option<u32>> {
        match &self.unknown {
            Unknown::Nothing => Ok(None),
            Unknown::Token(id) => Ok(Some(*id)),
            Unknown::Missing(name) => {
                Err(Error::Tokenizer(format!("it has no token for {text:?}, and lacks {name:?}, which stands for it")))
            }
        }
    }

    pub(super) fn id(&self, token: &str) -> Option<u32> {
        self.ids.get(token).copied()
    }

    pub(super) fn token(&self, id: u32) -> Option<&str> {
        self.tokens.get(&id).map(String::as_str)
    }

    /// One more than the largest id.
    pub(super) fn vocabulary(&self) -> usize {
        self.tokens.keys().max().map_or(0, |id| (*id as usize).saturating_add(1))
    }
}

/// The error for a text that has no token.
fn lacks(text: &str) -> Error {
    Error::Tokenizer(format!("it has no token for {text:?}, and none for what is unknown"))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn model(file: Value) -> Result<Model> {
        Model::new(serde_json::from_value(file).unwrap())
    }

    fn encode(model: &Model, word: &str) -> Vec<u32> {
        let mut ids = Vec::new();
        model.encode(word, &mut ids).unwrap();
        ids
    }

    #[test]
    fn pairs_are_merged_by_their_order_and_not_by_their_text() {
        let vocabulary = json!({"a": 0, "b": 1, "c": 2, "ab": 3, "bc": 4, "abc": 5, "[?]": 6});
        let file = json!({"type": "BPE", "vocab": vocabulary, "merges": ["b c", ["a", "b"], ["ab", "c"]]});
        let plain = model(file.clone()).unwrap();
        // "a" + "bc" would be "abc" too, but no merge makes it of the two.
        assert_eq!(encode(&plain, "abc"), [0, 4]);
        assert_eq!(encode(&plain, "abab"), [3, 3]);
        assert_eq!(encode(&plain, "axxb"), [3], "what is unknown has no token");
        let with = |name: &str, value: Value| {
            let mut file = file.clone();
            file["unk_token"] = "[?]".into();
            file[name] = value;
            model(file).unwrap()
        };
        assert_eq!(encode(&with("ignore_merges", true.into()), "abc"), [5]);
        assert_eq!(encode(&with("fuse_unk", false.into()), "axxb"), [0, 6, 6, 1]);
        assert_eq!(encode(&with("fuse_unk", true.into()), "axxbx"), [0, 6, 1, 6]);
        assert_eq!((plain.id("bc"), plain.token(5), plain.vocabulary()), (Some(4), Some("abc"), 7));
    }

    #[test]
    fn parts_of_words_may_be_marked() {
        let file = json!({
            "type": "BPE", "vocab": {"a": 0, "#b": 1, "#b$": 2, "a#b": 3, "ab$": 4}, "merges": ["a #b$"],
            "continuing_subword_prefix": "#", "end_of_word_suffix": "$",
        });
        assert_eq!(encode(&model(file).unwrap(), "ab"), [4]);
    }

    #[test]
    fn what_is_unknown_is_spelled_in_bytes() {
        let mut vocabulary: serde_json::Map<String, Value> =
            (0..=255).map(|byte| (format!("<0x{byte:02X}>"), byte.into())).collect();
        vocabulary.insert("a".to_owned(), 300.into());
        let file = json!({"type": "BPE", "vocab": vocabulary, "merges": [], "byte_fallback": true});
        assert_eq!(encode(&model(file).unwrap(), "aé"), [300, 0xc3, 0xa9]);
    }

    #[test]
    fn the_likeliest_tokens_are_taken() {
        let vocabulary = json!([["<unk>", 0.0], ["a", -3.0], ["b", -3.0], ["ab", -4.0], ["bc", -1.0]]);
        let model = model(json!({"type": "Unigram", "vocab": vocabulary, "unk_id": 0})).unwrap();
        assert_eq!(encode(&model, "ab"), [3]);
        assert_eq!(encode(&model, "abc"), [1, 4]);
        assert_eq!(encode(&model, "axyb"), [1, 0, 2]);
    }

    #[test]
    fn words_are_tokens_or_made_of_the_longest() {
        let vocabulary = json!({"[UNK]": 0, "un": 1, "##able": 2});
        let file = json!({"type": "WordPiece", "vocab": vocabulary, "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 6});
        let pieces = model(file).unwrap();
        assert_eq!(
            (encode(&pieces, "unable"), encode(&pieces, "unx"), encode(&pieces, "ununable")),
            (vec![1, 2], vec![0], vec![0])
        );
        let words = model(json!({"type": "WordLevel", "vocab": vocabulary, "unk_token": "[UNK]"})).unwrap();
        assert_eq!((encode(&words, "un"), encode(&words, "unable")), (vec![1], vec![0]));
    }

    #[test]
    fn what_is_unknown_is_an_error_where_nothing_stands_for_it() {
        for file in [
            json!({"type": "BPE", "vocab": {"a": 0}, "merges": [], "unk_token": "?"}),
            json!({"type": "Unigram", "vocab": [["a", 0.0]]}),
            json!({"type": "WordLevel", "vocab": {"a": 0}, "unk_token": "?"}),
            json!({"type": "WordPiece", "vocab": {"a": 0}, "unk_token": "?"}),
        ] {
            let model = model(file.clone()).unwrap();
            assert_eq!(encode(&model, "a"), [0], "{file}");
            assert!(model.encode("b", &mut Vec::new()).unwrap_err().to_string().contains("\"b\""), "{file}");
        }
    }

    #[test]
    fn models_that_contradict_themselves_are_errors() {
        for (file, expected) in [
            (json!({"type": "BPE", "vocab": {"a": 0}, "merges": ["a b"]}), "\"b\""),
            (json!({"type": "BPE", "vocab": {"a": 0, "b": 1}, "merges": ["a b"]}), "\"ab\""),
            (json!({"type": "WordPiece", "vocab": [["a", 0.0]]}), "\"WordPiece\""),
            (json!({"type": "Other", "vocab": {"a": 0}}), "\"Other\""),
            (json!({"type": "Unigram", "vocab": {"a": 0}}), "\"Unigram\""),
        ] {
            let error = model(file).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}
