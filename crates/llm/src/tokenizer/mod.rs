//! Text to tokens and back, by the tokenizer files that exporters' users have.
//!
//! The files come from strangers. Whatever they hold, nothing here panics, and time and memory are bounded by the sizes of
//! the file and of the text.

#![deny(
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::arithmetic_side_effects
)]
#![cfg_attr(
    test,
    allow(
        clippy::indexing_slicing,
        clippy::string_slice,
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::arithmetic_side_effects,
        reason = "tests may panic"
    )
)]

mod alphabet;
mod characters;
mod json;
mod lexicon;
mod merge;
mod protobuf;
mod ranks;
mod regex;
mod sentencepiece;
mod special;
mod stream;
mod tekken;
mod tiktoken;
mod unicode;
mod unigram;

use std::borrow::Cow;
use std::sync::Arc;

use serde::Deserialize;
use serde::de::IgnoredAny;

pub use self::stream::TextStream;
use crate::config::Config;
use crate::error::{Error, Result};

/// A tokenizer. Clones share it.
///
/// ```no_run
/// use pteron_llm::Tokenizer;
///
/// let tokenizer = Tokenizer::from_bytes(&std::fs::read("tokenizer.json")?)?;
/// let ids = tokenizer.encode("A wing")?;
/// assert_eq!(tokenizer.decode(&ids), "A wing");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Tokenizer {
    format: Arc<Format>,
    /// The token that begins a text, where one is known.
    beginning: Option<u32>,
    /// Tokens that end a text.
    ends: Vec<u32>,
}

#[derive(Debug)]
enum Format {
    Json(Box<json::Json>),
    SentencePiece(Box<sentencepiece::SentencePiece>),
    Ranks { ranks: ranks::Ranks, llama3: bool },
}

/// What a file of JSON has, by which its kind is told.
#[derive(Deserialize)]
struct Outline {
    model: Option<IgnoredAny>,
    config: Option<IgnoredAny>,
    vocab: Option<IgnoredAny>,
}

impl Tokenizer {
    /// Reads a `tokenizer.json`, a sentencepiece model, Mistral's Tekken file or a tiktoken file of a model that is known;
    /// the content decides which.
    pub fn from_bytes(bytes: &[u8]) -> Result<Tokenizer> {
        if bytes.trim_ascii_start().starts_with(b"{") {
            return Tokenizer::from_json(bytes);
        }
        if tiktoken::looks_like(bytes) {
            let tiktoken = tiktoken::Tiktoken::parse(bytes)?;
            let format = Format::Ranks { ranks: tiktoken.ranks, llama3: *tiktoken.known == tiktoken::LLAMA3 };
            return Ok(Tokenizer::new(format, tiktoken.beginning, tiktoken.ends));
        }
        let Some(model) = sentencepiece::SentencePiece::parse(bytes)? else {
            return Err(Error::Tokenizer(
                "it is no tokenizer.json, no sentencepiece model, no Tekken file and no tiktoken file".to_owned(),
            ));
        };
        let (beginning, ends) = (model.beginning(), model.end().into_iter().collect());
        Ok(Tokenizer::new(Format::SentencePiece(Box::new(model)), beginning, ends))
    }

    fn from_json(bytes: &[u8]) -> Result<Tokenizer> {
        let outline: Outline =
            serde_json::from_slice(bytes).map_err(|error| Error::Tokenizer(format!("it is broken JSON: {error}")))?;
        match outline {
            Outline { model: Some(_), .. } => {
                let json = Box::new(json::Json::parse(bytes)?);
                Ok(Tokenizer::new(Format::Json(json), None, Vec::new()))
            }
            Outline { config: Some(_), vocab: Some(_), .. } => {
                let ranks = tekken::parse(bytes)?;
                let (beginning, ends) = (ranks.id("<s>"), ranks.id("</s>").into_iter().collect());
                Ok(Tokenizer::new(Format::Ranks { ranks, llama3: false }, beginning, ends))
            }
            _ => Err(Error::Tokenizer(
                "it has no \"model\", so it is some other JSON file: give tokenizer.json".to_owned(),
            )),
        }
    }

    fn new(format: Format, beginning: Option<u32>, ends: Vec<u32>) -> Tokenizer {
        Tokenizer { format: Arc::new(format), beginning, ends }
    }

    /// Takes the tokens that begin and end a text from a `tokenizer_config.json`, where it names them.
    pub fn with_config(mut self, config: &Config) -> Tokenizer {
        let id = |token: &Option<String>| token.as_deref().and_then(|token| self.id(token));
        let (beginning, end) = (id(&config.bos_token), id(&config.eos_token));
        self.beginning = beginning.or(self.beginning);
        self.ends.extend(end.filter(|end| !self.ends.contains(end)));
        self
    }

    /// The tokens of a text, with those that the tokenizer puts around every text.
    pub fn encode(&self, text: &str) -> Result<Vec<u32>> {
        match &*self.format {
            Format::Json(json) => json.encode(text, true),
            Format::SentencePiece(_) | Format::Ranks { .. } => {
                let ids = self.encode_as_is(text)?;
                let missing = self.beginning.filter(|beginning| ids.first() != Some(beginning));
                Ok(missing.into_iter().chain(ids).collect())
            }
        }
    }

    /// The tokens of a text that names its special tokens itself, as chat templates do.
    pub fn encode_as_is(&self, text: &str) -> Result<Vec<u32>> {
        match &*self.format {
            Format::Json(json) => json.encode(text, false),
            Format::SentencePiece(model) => Ok(model.encode(text)),
            Format::Ranks { ranks, .. } => ranks.encode(text),
        }
    }

    /// The text of tokens. Special tokens have none, and bytes that are no character become U+FFFD.
    pub fn decode(&self, ids: &[u32]) -> String {
        // A tokenizer may put a space before the first word, so that it is the same token as within a text.
        let mut stream = TextStream::new(self.clone(), true);
        let text: String = ids.iter().map(|&id| stream.push(id)).collect();
        text + &stream.finish()
    }

    /// Text that grows token by token, as a continuation of what came before.
    pub fn stream(&self) -> TextStream {
        TextStream::new(self.clone(), false)
    }

    /// One more than the largest id, special tokens that were added aside.
    pub fn vocabulary(&self) -> usize {
        match &*self.format {
            Format::Json(json) => json.vocabulary(),
            Format::SentencePiece(model) => model.vocabulary(),
            Format::Ranks { ranks, .. } => ranks.vocabulary(),
        }
    }

    /// The id of a token by its name in the tokenizer, such as `<|im_end|>`.
    pub fn id(&self, token: &str) -> Option<u32> {
        match &*self.format {
            Format::Json(json) => json.id(token),
            Format::SentencePiece(model) => model.id(token),
            Format::Ranks { ranks, .. } => ranks.id(token),
        }
    }

    /// The token that begins a text, where one is known.
    pub fn beginning(&self) -> Option<u32> {
        self.beginning
    }

    /// The tokens that are known to end a text.
    pub fn ends(&self) -> &[u32] {
        &self.ends
    }

    /// Whether this is the tokenizer of Llama 3, whose file carries no chat template.
    pub fn is_llama3(&self) -> bool {
        matches!(*self.format, Format::Ranks { llama3: true, .. })
    }

    /// The bytes of a token, which may be part of a character. `first` says that the text begins with it.
    fn bytes(&self, id: u32, first: &mut bool) -> Cow<'_, [u8]> {
        match &*self.format {
            Format::Json(json) => json.bytes(id, first),
            Format::SentencePiece(model) => model.bytes(id, first),
            Format::Ranks { ranks, .. } => Cow::Borrowed(ranks.bytes(id)),
        }
    }
}

/// The byte that a token such as `<0x0A>` stands for.
fn byte_token(token: &str) -> Option<u8> {
    let digits = token.strip_prefix("<0x")?.strip_suffix('>')?;
    (digits.len() == 2).then(|| u8::from_str_radix(digits, 16).ok())?
}
