//! What can go wrong between a prompt and its answer.

/// Shorthand for results of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Anything that can go wrong. [`Error::kind`] says which party can do something about it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The program could not be loaded or run.
    #[error(transparent)]
    Runtime(#[from] pteron_runtime::Error),
    /// A file of the tokenizer or template could not be read.
    #[error("{name}: {source}")]
    Io {
        /// The file.
        name: String,
        /// Why.
        source: std::io::Error,
    },
    /// The program runs, but it is no language model that can be driven here.
    #[error("this program is no language model that runs here: {0}")]
    Program(String),
    /// The bytes are no tokenizer.
    #[error("the tokenizer cannot be used: {0}")]
    Tokenizer(String),
    /// The chat template is wrong, or refuses these messages.
    #[error("the chat template: {0}")]
    Template(String),
    /// The tokenizer makes ids that the model does not have.
    #[error(
        "the tokenizer's token {id} is outside the model's vocabulary of {vocabulary} tokens: it belongs to another \
         model, so give the tokenizer that this model was exported with"
    )]
    WrongTokenizer {
        /// An id that the model does not have.
        id: u32,
        /// Tokens of the model.
        vocabulary: usize,
    },
    /// An id of a prompt that the model does not have.
    #[error("token {id} at place {index} is outside the model's vocabulary of {vocabulary} tokens: ids are 0 to {}", vocabulary.saturating_sub(1))]
    UnknownToken {
        /// The id.
        id: u32,
        /// Its place in the prompt.
        index: usize,
        /// Tokens of the model.
        vocabulary: usize,
    },
    /// A prompt without tokens.
    #[error("the prompt has no tokens: give at least one")]
    EmptyPrompt,
    /// A prompt that does not fit the context.
    #[error(
        "the prompt has {tokens} tokens, and the model's context holds {context}: shorten it, or export the model with \
         a larger --max_context_length"
    )]
    PromptTooLong {
        /// Tokens of the prompt.
        tokens: usize,
        /// Tokens that the context holds.
        context: usize,
    },
    /// An option that makes no sense.
    #[error("{name} is {value}: {reason}")]
    Option {
        /// Its name.
        name: &'static str,
        /// What was given.
        value: String,
        /// What would do.
        reason: &'static str,
    },
    /// Something was asked of a model that was loaded without it.
    #[error("{0}")]
    Missing(&'static str),
    /// The model computed something that is no number.
    #[error("the logits after {tokens} tokens hold no finite number: the model or the device computes wrongly")]
    NotFinite {
        /// Tokens before the logits.
        tokens: usize,
    },
}

/// Which party can do something about an [`Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A file cannot be read, or holds something else.
    File,
    /// The caller's prompt or options do not fit the model.
    Input,
    /// The program cannot be driven here.
    Unsupported,
    /// The device failed, or what it computed is wrong.
    Device,
    /// The program needs more than its limits allow.
    Limit,
}

impl Error {
    /// Which party can do something about it.
    pub fn kind(&self) -> ErrorKind {
        use pteron_runtime::ErrorKind as Runtime;
        match self {
            Error::Runtime(error) => match error.kind() {
                Runtime::Io | Runtime::Format => ErrorKind::File,
                Runtime::Input | Runtime::NotFound => ErrorKind::Input,
                Runtime::Unsupported => ErrorKind::Unsupported,
                Runtime::Limit => ErrorKind::Limit,
                _ => ErrorKind::Device,
            },
            Error::Io { .. } | Error::Tokenizer(_) => ErrorKind::File,
            Error::Program(_) => ErrorKind::Unsupported,
            Error::NotFinite { .. } => ErrorKind::Device,
            Error::Template(_)
            | Error::WrongTokenizer { .. }
            | Error::UnknownToken { .. }
            | Error::EmptyPrompt
            | Error::PromptTooLong { .. }
            | Error::Option { .. }
            | Error::Missing(_) => ErrorKind::Input,
        }
    }
}
