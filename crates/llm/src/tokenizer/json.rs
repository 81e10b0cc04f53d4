//! `tokenizer.json`, the form that Hugging Face's tokenizers have.
//!
//! A text goes through the steps that the file lists: added tokens are cut out, the rest is normalized, cut into words,
//! and each word becomes tokens by the model. What a file asks for and is not known here is an error that names it.

mod added;
mod cut;
mod decoder;
mod growth;
mod model;
mod normalizer;
mod pattern;
mod splitter;
mod template;

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::Value;

use self::added::{Added, AddedToken, Part};
use self::decoder::Decoder;
use self::model::{Model, ModelFile};
use self::normalizer::Normalizer;
use self::splitter::{Splitter, Word};
use self::template::Template;
use crate::error::{Error, Result};

/// A tokenizer of a `tokenizer.json`.
#[derive(Debug)]
pub(super) struct Json {
    added: Added,
    normalizers: Vec<Normalizer>,
    splitters: Vec<Splitter>,
    model: Model,
    template: Template,
    decoder: Decoder,
}

/// The file. Cutting and padding are for training: a prompt that is too long is an error here.
#[derive(Deserialize)]
struct File {
    #[serde(default)]
    added_tokens: Vec<AddedToken>,
    #[serde(default)]
    normalizer: Value,
    #[serde(default)]
    pre_tokenizer: Value,
    #[serde(default)]
    post_processor: Value,
    #[serde(default)]
    decoder: Value,
    model: ModelFile,
}

impl Json {
    /// Reads a file whose JSON is sound.
    pub(super) fn parse(bytes: &[u8]) -> Result<Json> {
        let file: File = serde_json::from_slice(bytes).map_err(|error| Error::Tokenizer(error.to_string()))?;
        let normalizers = normalizer::read(&file.normalizer)?;
        let model = Model::new(file.model)?;
        let added = Added::new(file.added_tokens, |name| model.id(name), |text| normalizer::apply(&normalizers, text))?;
        Ok(Json {
            splitters: splitter::read(&file.pre_tokenizer)?,
            template: Template::read(&file.post_processor, |name| added.id(name).or_else(|| model.id(name)))?,
            decoder: Decoder::read(&file.decoder)?,
            normalizers,
            model,
            added,
        })
    }

    /// The tokens of a text; with those around it where it is whole.
    pub(super) fn encode(&self, text: &str, whole: bool) -> Result<Vec<u32>> {
        let mut ids = Vec::new();
        ids.extend(self.template.before.iter().filter(|_| whole));
        for (at, part) in self.added.split(text) {
            match part {
                Part::Token(id) => ids.push(id),
                Part::Text(text) => self.encode_text(text, at == 0, &mut ids)?,
            }
        }
        ids.extend(self.template.after.iter().filter(|_| whole));
        Ok(ids)
    }

    fn encode_text(&self, text: &str, first: bool, ids: &mut Vec<u32>) -> Result<()> {
        let text = normalizer::apply(&self.normalizers, text)?;
        for (at, part) in self.added.split_normalized(&text) {
            match part {
                Part::Token(id) => ids.push(id),
                Part::Text(text) => {
                    let word = Word { text: Cow::Borrowed(text), first: first && at == 0 };
                    for word in splitter::apply(&self.splitters, word)? {
                        self.model.encode(&word.text, ids)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// The bytes of a token; special tokens have none. `first` says that no token came before, and is taken back here.
    pub(super) fn bytes(&self, id: u32, first: &mut bool) -> Cow<'_, [u8]> {
        let token = match self.added.get(id) {
            Some(added) if added.special => return Cow::Borrowed(b""),
            Some(added) => &added.text,
            None => self.model.token(id).unwrap_or_default(),
        };
        let bytes = self.decoder.bytes(token, *first);
        *first = false;
        Cow::Owned(bytes)
    }

    pub(super) fn vocabulary(&self) -> usize {
        self.model.vocabulary()
    }

    pub(super) fn id(&self, token: &str) -> Option<u32> {
        self.added.id(token).or_else(|| self.model.id(token))
    }
}

/// What kind of step an object is.
fn kind(step: &Value) -> &str {
    step["type"].as_str().unwrap_or_default()
}

/// Steps that a list may have: each takes time for every text, and common files have less than ten.
const MOST_STEPS: usize = 64;

/// The steps of a value: none for null, those of a sequence one after the other, or the value itself.
fn steps<'a>(value: &'a Value, list: &str) -> Result<Vec<&'a Value>> {
    fn add<'a>(value: &'a Value, list: &str, found: &mut Vec<&'a Value>) {
        match value {
            Value::Null => {}
            _ if kind(value) == "Sequence" => {
                value[list].as_array().into_iter().flatten().for_each(|step| add(step, list, found));
            }
            _ => found.push(value),
        }
    }
    let mut found = Vec::new();
    add(value, list, &mut found);
    if found.len() > MOST_STEPS {
        return Err(Error::Tokenizer(format!("it has {} {list}, more than {MOST_STEPS}", found.len())));
    }
    Ok(found)
}

/// The error for a step that is not known, or not complete.
fn unsupported(what: &str, step: &Value) -> Error {
    let text: String = step.to_string().chars().take(200).collect();
    Error::Tokenizer(format!("its {what} is not supported: {text}"))
}
