//! Learning what went wrong on a device.

use std::sync::{Arc, Mutex, OnceLock};
#[cfg(target_arch = "wasm32")]
use std::{future::Future, pin::Pin};

use super::device::Gpu;
use crate::error::{Error, Result};

/// What went wrong on a device: the first fault that was not yet reported, and whether the device is lost.
#[derive(Clone, Debug, Default)]
pub(super) struct Faults(Arc<Noted>);

#[derive(Debug, Default)]
struct Noted {
    first: Mutex<Option<String>>,
    lost: OnceLock<String>,
}

impl Faults {
    /// Notes a fault, unless an earlier one waits to be reported.
    pub(super) fn note(&self, what: String) {
        if let Ok(mut first) = self.0.first.lock() {
            first.get_or_insert(what);
        }
    }

    /// Notes that the device is lost, which everything that is done with it reports from then on.
    pub(super) fn note_lost(&self, why: &str) {
        let why = why.trim();
        self.0.lost.get_or_init(|| match why {
            "" => "the device was lost".to_owned(),
            why => format!("the device was lost: {why}"),
        });
    }

    /// Why nothing runs on the device any more, if so.
    pub(super) fn lost(&self) -> Option<&str> {
        self.0.lost.get().map(String::as_str)
    }

    /// What went wrong, which is then reported. That a device is lost is reported again and again.
    fn take(&self) -> Option<String> {
        let first = self.0.first.lock().ok().and_then(|mut first| first.take());
        self.0.lost.get().cloned().or(first)
    }
}

/// Whether something that was done with the device went wrong, which a browser tells later.
pub(crate) struct Outcome {
    gpu: Arc<Gpu>,
    #[cfg(target_arch = "wasm32")]
    error: Pin<Box<dyn Future<Output = Option<wgpu::Error>>>>,
}

impl std::fmt::Debug for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Outcome")
    }
}

impl Outcome {
    /// An error if anything went wrong.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) async fn check(self) -> Result<()> {
        self.gpu.check()
    }

    /// An error if anything went wrong.
    #[cfg(target_arch = "wasm32")]
    pub(crate) async fn check(self) -> Result<()> {
        let error = self.error.await;
        // What was noted came first, and says more than what followed from it.
        self.gpu.check()?;
        error.map_or(Ok(()), |what| Err(self.gpu.error(what)))
    }
}

impl Gpu {
    /// An error if anything went wrong on the device since the last look, or if it is lost.
    pub(crate) fn check(&self) -> Result<()> {
        self.faults.take().map_or(Ok(()), |what| Err(self.error(what)))
    }

    /// An error of this device.
    pub(super) fn error(&self, what: impl std::fmt::Display) -> Error {
        Error::Device(format!("{}: {what}", self.report.name))
    }

    /// Whether nothing runs on the device any more.
    pub(crate) fn is_lost(&self) -> bool {
        // wgpu tells of a device that was destroyed only when it is asked for anything else.
        let _ = self.poll(wgpu::PollType::Poll);
        self.faults.lost().is_some()
    }

    /// Does something with the device; the outcome says whether anything went wrong with it.
    ///
    /// A browser tells that later, and perhaps after the results, so the work is put into an error scope. Scopes are a
    /// stack: work that waits would take another call's errors for its own.
    pub(crate) fn watch<T>(self: &Arc<Gpu>, work: impl FnOnce() -> T) -> (T, Outcome) {
        #[cfg(target_arch = "wasm32")]
        let scope = self.device.push_error_scope(wgpu::ErrorFilter::Validation);
        let result = work();
        let outcome = Outcome {
            gpu: self.clone(),
            #[cfg(target_arch = "wasm32")]
            error: Box::pin(scope.pop()),
        };
        (result, outcome)
    }
}
