//! One file per command.

pub(crate) mod bench;
pub(crate) mod chat;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod demo;
pub(crate) mod doctor;
pub(crate) mod generate;
pub(crate) mod inspect;
pub(crate) mod man;
pub(crate) mod profile;
pub(crate) mod run;
pub(crate) mod verify;
pub(crate) mod web;

/// How a command that came to its end went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Exit code 0.
    Success,
    /// Exit code 1: what was checked is wrong.
    Failure,
}
