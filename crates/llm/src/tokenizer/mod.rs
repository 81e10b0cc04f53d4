//! Text to tokens and back, by the tokenizer files that exporters' users have.

mod json;
mod merge;
mod protobuf;
mod sentencepiece;
mod special;
mod stream;
mod tiktoken;

use std::borrow::Cow;
use std::sync::Arc;

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
#[expect(clippy::large_enum_variant, reason = "there is one, behind a pointer")]
enum Format {
    Json(json::Json),
    SentencePiece(sentencepiece::SentencePiece),
    Tiktoken(tiktoken::Tiktoken),
}

/// What a token is in text.
enum Piece<'a> {
    /// These bytes, which may be part of a character.
    Bytes(Cow<'a, [u8]>),
    /// Only the tokens around it tell.
    InContext,
}

impl Tokenizer {
    /// Reads a `tokenizer.json`, a sentencepiece model or Llama 3's tiktoken file; the content decides which.
    pub fn from_bytes(bytes: &[u8]) -> Result<Tokenizer> {
        if bytes.trim_ascii_start().starts_with(b"{") {
            let json = json::Json::parse(bytes)?;
            return Ok(Tokenizer { format: Arc::new(Format::Json(json)), beginning: None, ends: Vec::new() });
        }
        if tiktoken::looks_like(bytes) {
            let tiktoken = tiktoken::Tiktoken::llama3(bytes)?;
            let (beginning, ends) = (tiktoken.beginning(), tiktoken.ends());
            return Ok(Tokenizer { format: Arc::new(Format::Tiktoken(tiktoken)), beginning, ends });
        }
        let Some(model) = sentencepiece::SentencePiece::parse(bytes)? else {
            return Err(Error::Tokenizer(
                "it is no tokenizer.json, no sentencepiece model and no tiktoken file".to_owned(),
            ));
        };
        let (beginning, ends) = (model.beginning(), model.end().into_iter().collect());
        Ok(Tokenizer { format: Arc::new(Format::SentencePiece(model)), beginning, ends })
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
            Format::SentencePiece(_) | Format::Tiktoken(_) => {
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
            Format::SentencePiece(model) => model.encode(text),
            Format::Tiktoken(tiktoken) => tiktoken.encode(text),
        }
    }

    /// The text of tokens. Special tokens have none, and bytes that are no character become U+FFFD.
    pub fn decode(&self, ids: &[u32]) -> String {
        let mut stream = self.stream();
        let mut text: String = ids.iter().map(|&id| stream.push(id)).collect();
        text += &stream.finish();
        // The tokenizer put a space before the first word, so that it is the same token as within a text.
        if self.adds_space() && text.starts_with(' ') { text.split_off(1) } else { text }
    }

    /// Text that grows token by token, as a continuation of what came before.
    pub fn stream(&self) -> TextStream {
        TextStream::new(self.clone())
    }

    /// One more than the largest id, special tokens that were added aside.
    pub fn vocabulary(&self) -> usize {
        match &*self.format {
            Format::Json(json) => json.vocabulary(),
            Format::SentencePiece(model) => model.vocabulary(),
            Format::Tiktoken(tiktoken) => tiktoken.vocabulary(),
        }
    }

    /// The id of a token by its name in the tokenizer, such as `<|im_end|>`.
    pub fn id(&self, token: &str) -> Option<u32> {
        match &*self.format {
            Format::Json(json) => json.id(token),
            Format::SentencePiece(model) => model.id(token),
            Format::Tiktoken(tiktoken) => tiktoken.id(token),
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
        matches!(*self.format, Format::Tiktoken(_))
    }

    fn piece(&self, id: u32) -> Piece<'_> {
        match &*self.format {
            Format::Json(json) => json.piece(id),
            Format::SentencePiece(model) => Piece::Bytes(model.bytes(id)),
            Format::Tiktoken(tiktoken) => Piece::Bytes(Cow::Borrowed(tiktoken.bytes(id))),
        }
    }

    /// The text of tokens that are decoded together, where one alone does not tell.
    fn decode_in_context(&self, ids: &[u32]) -> String {
        match &*self.format {
            Format::Json(json) => json.decode(ids),
            Format::SentencePiece(_) | Format::Tiktoken(_) => String::new(),
        }
    }

    fn adds_space(&self) -> bool {
        match &*self.format {
            Format::Json(json) => json.adds_space(),
            Format::SentencePiece(model) => model.adds_space(),
            Format::Tiktoken(_) => false,
        }
    }
}
