//! A handle that stops a generation from elsewhere.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Stops a generation before its next call of the model. Clones are the same handle.
///
/// ```
/// # use pteron_llm::Cancel;
/// let cancel = Cancel::new();
/// let handle = cancel.clone();
/// handle.cancel();
/// assert!(cancel.is_cancelled());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// A handle that has not been used.
    pub fn new() -> Cancel {
        Cancel::default()
    }

    /// Stops every generation that has this handle. It may be called from any thread, and from a signal handler.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it was called.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
