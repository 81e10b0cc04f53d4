//! The model in a `tokenizer.json`.

use std::fmt;

use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, de};

/// A model as it is written.
#[derive(Debug, Deserialize)]
pub(in crate::tokenizer::json) struct ModelFile {
    #[serde(rename = "type")]
    pub(super) kind: Option<String>,
    #[serde(rename = "vocab")]
    pub(super) vocabulary: Vocabulary,
    #[serde(default)]
    pub(super) merges: Merges,
    #[serde(default, rename = "unk_token")]
    pub(super) unknown_name: Option<String>,
    #[serde(default, rename = "unk_id")]
    pub(super) unknown_id: Option<u32>,
    #[serde(default, rename = "fuse_unk", deserialize_with = "or_default")]
    pub(super) fuse_unknown: bool,
    #[serde(default, deserialize_with = "or_default")]
    pub(super) byte_fallback: bool,
    #[serde(default, deserialize_with = "or_default")]
    pub(super) ignore_merges: bool,
    #[serde(default, rename = "continuing_subword_prefix", deserialize_with = "or_default")]
    pub(super) prefix: String,
    #[serde(default, rename = "end_of_word_suffix", deserialize_with = "or_default")]
    pub(super) suffix: String,
    #[serde(default, rename = "max_input_chars_per_word")]
    pub(super) most_characters: Option<usize>,
}

/// A value, or its default for null.
fn or_default<'de, D: Deserializer<'de>, T: Default + Deserialize<'de>>(deserializer: D) -> Result<T, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

/// The tokens of a model.
#[derive(Debug)]
pub(super) enum Vocabulary {
    /// With their ids.
    Ids(Vec<(String, u32)>),
    /// In the order of their ids, with their scores.
    Scores(Vec<(String, f64)>),
}

impl Vocabulary {
    /// The tokens with their ids, and their scores in the order of the ids where they have any.
    pub(super) fn into_tokens(self) -> (Vec<(String, u32)>, Option<Vec<f64>>) {
        match self {
            Vocabulary::Ids(tokens) => (tokens, None),
            Vocabulary::Scores(tokens) => {
                let (names, scores): (Vec<String>, Vec<f64>) = tokens.into_iter().unzip();
                (names.into_iter().zip(0..).collect(), Some(scores))
            }
        }
    }
}

impl<'de> Deserialize<'de> for Vocabulary {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Vocabulary, D::Error> {
        struct Reader;

        impl<'de> Visitor<'de> for Reader {
            type Value = Vocabulary;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("tokens with their ids, or a list of tokens with their scores")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Vocabulary, A::Error> {
                let mut tokens = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    tokens.push(entry);
                }
                Ok(Vocabulary::Ids(tokens))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vocabulary, A::Error> {
                let mut tokens = Vec::new();
                while let Some(entry) = list.next_element()? {
                    tokens.push(entry);
                }
                Ok(Vocabulary::Scores(tokens))
            }
        }

        deserializer.deserialize_any(Reader)
    }
}

/// Pairs of tokens that become one, the first to be merged first.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Merges(pub(super) Vec<Merge>);

/// A pair, which is written as `"a b"` or as `["a", "b"]`.
#[derive(Debug)]
pub(super) struct Merge(pub(super) String, pub(super) String);

impl<'de> Deserialize<'de> for Merge {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Merge, D::Error> {
        struct Reader;

        impl<'de> Visitor<'de> for Reader {
            type Value = Merge;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("a pair of tokens")
            }

            fn visit_str<E: de::Error>(self, pair: &str) -> Result<Merge, E> {
                let (left, right) = pair.split_once(' ').ok_or_else(|| E::custom("a merge is no pair of tokens"))?;
                Ok(Merge(left.to_owned(), right.to_owned()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Merge, A::Error> {
                match (list.next_element()?, list.next_element()?) {
                    (Some(left), Some(right)) => Ok(Merge(left, right)),
                    _ => Err(de::Error::custom("a merge is no pair of tokens")),
                }
            }
        }

        deserializer.deserialize_any(Reader)
    }
}
