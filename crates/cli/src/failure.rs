//! Errors on their way out: what the user reads, and the exit code.

use std::fmt;

use pteron_llm::{Error as LanguageError, ErrorKind as LanguageErrorKind};
use pteron_runtime::{Error as RuntimeError, ErrorKind};
use pteron_testkit::CaseError;

/// Something that the user can put right on the command line or in a file that it names.
#[derive(Debug)]
pub(crate) struct Usage(String);

impl Usage {
    /// An error that ends the command with exit code 2.
    pub(crate) fn error(text: impl Into<String>) -> anyhow::Error {
        anyhow::Error::new(Usage(text.into()))
    }
}

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

/// 2 for bad usage and files that cannot be read, 1 for everything else.
pub(crate) fn exit_code(error: &anyhow::Error) -> u8 {
    let usage = error.chain().any(|cause| {
        if let Some(error) = cause.downcast_ref::<RuntimeError>() {
            let kinds = [ErrorKind::Io, ErrorKind::Format, ErrorKind::NotFound, ErrorKind::Input, ErrorKind::Limit];
            return kinds.contains(&error.kind());
        }
        if let Some(error) = cause.downcast_ref::<LanguageError>() {
            let kinds = [LanguageErrorKind::File, LanguageErrorKind::Input, LanguageErrorKind::Limit];
            return kinds.contains(&error.kind());
        }
        cause.is::<Usage>() || cause.is::<CaseError>() || cause.is::<pteron_pte::Error>()
    });
    if usage { 2 } else { 1 }
}

/// Whether the error is that nobody reads standard output any more.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let broken = |error: &std::io::Error| error.kind() == std::io::ErrorKind::BrokenPipe;
    error.chain().any(|cause| cause.downcast_ref().is_some_and(broken))
}

/// The chain of causes, outermost first, without causes that the text before already ends with.
pub(crate) fn chain(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if text.is_empty() {
            text = cause;
        } else if !text.ends_with(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use anyhow::Context as _;

    use super::*;

    #[test]
    fn a_cause_is_said_once() {
        let missing = std::io::Error::from(std::io::ErrorKind::NotFound);
        let error = RuntimeError::Io { name: "x.pte".to_owned(), source: missing };
        let error = anyhow::Error::new(error).context("cannot open x.pte");
        assert_eq!(chain(&error), "cannot open x.pte: x.pte: entity not found");
        assert_eq!(exit_code(&error), 2);
    }

    #[test]
    fn exit_codes_tell_usage_from_failure() {
        assert_eq!(exit_code(&Usage::error("no")), 2);
        assert_eq!(exit_code(&Err::<(), _>(Usage::error("no")).context("while").unwrap_err()), 2);
        assert_eq!(exit_code(&anyhow::Error::new(RuntimeError::Device("lost".to_owned()))), 1);
        assert_eq!(exit_code(&anyhow::Error::new(LanguageError::EmptyPrompt)), 2);
        assert_eq!(exit_code(&anyhow::Error::new(LanguageError::NotFinite { tokens: 1 })), 1);
        assert!(is_broken_pipe(&std::io::Error::from(std::io::ErrorKind::BrokenPipe).into()));
    }
}
