//! Ctrl-C: it stops the answer that is being generated, and ends the program otherwise.

use std::sync::{Mutex, PoisonError};

use anyhow::{Context as _, Result};
use pteron_llm::Cancel;

/// What a shell expects of a program that Ctrl-C ended.
const INTERRUPTED: i32 = 130;

/// The answer that is being generated.
static ANSWER: Mutex<Option<Cancel>> = Mutex::new(None);

/// Watches for Ctrl-C from now on. Once in a program.
pub(crate) fn watch() -> Result<()> {
    let stop = || match current().as_ref().filter(|answer| !answer.is_cancelled()) {
        Some(answer) => answer.cancel(),
        // Nothing to stop, or a second time: the user has waited long enough.
        None => std::process::exit(INTERRUPTED),
    };
    ctrlc::set_handler(stop).context("cannot watch for Ctrl-C")
}

/// Does `work`, which Ctrl-C stops by this handle.
pub(crate) fn during<T>(cancel: &Cancel, work: impl FnOnce() -> T) -> T {
    *current() = Some(cancel.clone());
    let result = work();
    *current() = None;
    result
}

fn current() -> std::sync::MutexGuard<'static, Option<Cancel>> {
    ANSWER.lock().unwrap_or_else(PoisonError::into_inner)
}
