//! What a generation is asked for, what it tells on the way, and how it ends.

use crate::cancel::Cancel;
use crate::error::{Error, Result};
use crate::sampling::Sampling;
use crate::timings::Timings;

/// What a generation is asked for. The default is greedy, until the model ends the text or the context is full.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Generate {
    /// How tokens are chosen.
    pub sampling: Sampling,
    /// The most tokens to generate.
    pub max_new_tokens: Option<usize>,
    /// Strings that end the text, and are not part of it. They may span tokens.
    pub stop: Vec<String>,
    /// Tokens that end the text.
    pub stop_ids: Vec<u32>,
    /// Whether to go on where the model ends the text.
    pub ignore_end: bool,
    /// The most tokens of the prompt in one call; as many as the program takes unless said.
    pub chunk: Option<usize>,
    /// Stops the generation from elsewhere.
    pub cancel: Cancel,
}

impl Generate {
    /// With tokens chosen so.
    #[must_use]
    pub fn with_sampling(self, sampling: Sampling) -> Generate {
        Generate { sampling, ..self }
    }

    /// With no more new tokens than these.
    #[must_use]
    pub fn with_max_new_tokens(self, max_new_tokens: impl Into<Option<usize>>) -> Generate {
        Generate { max_new_tokens: max_new_tokens.into(), ..self }
    }

    /// Until one of these strings.
    #[must_use]
    pub fn with_stop(self, stop: impl Into<Vec<String>>) -> Generate {
        Generate { stop: stop.into(), ..self }
    }

    /// Until one of these tokens.
    #[must_use]
    pub fn with_stop_ids(self, stop_ids: impl Into<Vec<u32>>) -> Generate {
        Generate { stop_ids: stop_ids.into(), ..self }
    }

    /// On or not where the model ends the text.
    #[must_use]
    pub fn with_ignore_end(self, ignore_end: bool) -> Generate {
        Generate { ignore_end, ..self }
    }

    /// With no more tokens of the prompt in one call than these.
    #[must_use]
    pub fn with_chunk(self, chunk: impl Into<Option<usize>>) -> Generate {
        Generate { chunk: chunk.into(), ..self }
    }

    /// Until it is cancelled there.
    #[must_use]
    pub fn with_cancel(self, cancel: Cancel) -> Generate {
        Generate { cancel, ..self }
    }
}

/// What a generation tells on the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event<'a> {
    /// So many tokens of the prompt are in the cache.
    Prefill {
        /// Tokens of the prompt that the cache holds.
        tokens: usize,
        /// Tokens of the prompt.
        of: usize,
    },
    /// A token was chosen.
    Token {
        /// Its id.
        id: u32,
        /// The text that is whole by now; it may be empty, or more than this token's.
        text: &'a str,
    },
    /// Text that was held back, after the last token.
    Rest {
        /// The text.
        text: &'a str,
    },
}

/// How a generation ended.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Finish {
    /// Why it ended.
    pub reason: StopReason,
    /// The tokens that were chosen, with the one that ended the text.
    pub ids: Vec<u32>,
    /// Their text; empty without a tokenizer.
    pub text: String,
    /// Where the time went.
    pub timings: Timings,
}

/// Why a generation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StopReason {
    /// The model ended the text with this token.
    EndOfText(u32),
    /// A stop string is complete.
    StopString,
    /// One of the tokens to stop at was chosen.
    StopId(u32),
    /// As many tokens as asked for.
    MaxTokens,
    /// The context holds no more tokens.
    ContextFull,
    /// It was cancelled.
    Cancelled,
}

impl StopReason {
    /// The reason as a word, for reports.
    pub fn name(self) -> &'static str {
        match self {
            StopReason::EndOfText(_) => "end_of_text",
            StopReason::StopString => "stop_string",
            StopReason::StopId(_) => "stop_id",
            StopReason::MaxTokens => "max_tokens",
            StopReason::ContextFull => "context_full",
            StopReason::Cancelled => "cancelled",
        }
    }
}

impl Generate {
    /// Says what is wrong with the options, if anything is.
    pub(crate) fn check(&self) -> Result<()> {
        if self.chunk == Some(0) {
            return Err(Error::Option { name: "chunk", value: "0".to_owned(), reason: "it is at least one token" });
        }
        if self.stop.iter().any(String::is_empty) {
            return Err(Error::Option {
                name: "stop string",
                value: "empty".to_owned(),
                reason: "every text contains it",
            });
        }
        self.sampling.check()
    }
}
