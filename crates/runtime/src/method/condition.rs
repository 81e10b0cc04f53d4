//! Whether a method can go on after something went wrong, and bringing it back where it cannot.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::Method;
use crate::error::Result;
use crate::program::Program;

/// Whether calls of a method can be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Condition {
    /// They can.
    Ready,
    /// A call that was submitted failed or was given up, and what persists between calls may be half of what it left.
    /// [`Method::reset`] makes the method ready, and so does a state of its own that it is given.
    InvalidState,
    /// The device is lost. [`Program::restore`] makes the method ready, with its first state.
    Lost,
}

/// Whether a state is what the calls before have left.
#[derive(Clone, Debug)]
pub(super) struct Validity(Arc<AtomicBool>);

impl Validity {
    /// That of a state which no call has touched.
    pub(super) fn new() -> Validity {
        Validity(Arc::new(AtomicBool::new(true)))
    }

    /// Says that a call on the state has failed.
    pub(super) fn revoke(&self) {
        self.0.store(false, Ordering::Relaxed);
    }
}

/// A call that is submitted and not yet known to have gone well. Dropped before that, because nobody awaits it any more, it
/// leaves a state that is not valid.
#[derive(Debug)]
pub(super) struct Unsettled(Option<Validity>);

impl Unsettled {
    pub(super) fn new(validity: &Validity) -> Unsettled {
        Unsettled(Some(validity.clone()))
    }

    /// Says that it has gone well.
    pub(super) fn settle(mut self) {
        self.0 = None;
    }
}

impl Drop for Unsettled {
    fn drop(&mut self) {
        self.0.iter().for_each(Validity::revoke);
    }
}

impl Method {
    /// Whether calls can be made.
    pub fn condition(&self) -> Condition {
        if self.device.is_lost() {
            Condition::Lost
        } else if self.has_state && !self.validity.0.load(Ordering::Relaxed) {
            Condition::InvalidState
        } else {
            Condition::Ready
        }
    }
}

impl Program {
    /// Loads a method of this program anew, and waits for it.
    ///
    /// ```no_run
    /// use pteron_runtime::{Condition, Program};
    ///
    /// let program = Program::open("model.pte")?;
    /// let mut forward = program.method("forward")?;
    /// if forward.condition() == Condition::Lost {
    ///     program.restore(&mut forward)?;
    /// }
    /// # Ok::<(), pteron_runtime::Error>(())
    /// ```
    #[cfg(not(target_arch = "wasm32"))]
    pub fn restore(&self, method: &mut Method) -> Result<()> {
        crate::block_on(self.restore_async(method))
    }

    /// Loads a method of this program anew, with the options that it was loaded with and its first state.
    ///
    /// It goes to the device that the program was put on, or, where that is lost, to the one that takes its place: see
    /// [`Device::reopen`](crate::Device::reopen). States of the method from before do not fit it any more. An error leaves
    /// the method as it is.
    pub async fn restore_async(&self, method: &mut Method) -> Result<()> {
        let device = match self.device() {
            Some(device) if !device.is_lost() => device.clone(),
            _ => method.device.reopen_async().await?,
        };
        let restored = self.clone().on(&device).load_async(&method.graph.name, &method.options).await?;
        *method = restored;
        Ok(())
    }
}
