//! Waiting for the GPU, and learning what went wrong on it.

use std::sync::Arc;
#[cfg(target_arch = "wasm32")]
use std::{future::Future, pin::Pin};

use super::device::Gpu;
use crate::error::{Error, Result};

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
        error.map_or(Ok(()), |what| Err(Error::Device(format!("{}: {what}", self.gpu.report.name))))
    }
}

impl Gpu {
    /// An error if anything went wrong on the device since the last look.
    pub(crate) fn check(&self) -> Result<()> {
        let fault = self.faults.take();
        fault.map_or(Ok(()), |what| Err(Error::Device(format!("{}: {what}", self.report.name))))
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

    /// Asks the GPU over and over for a moment: a short call is done before a sleeping thread would wake up.
    pub(crate) fn spin<T>(&self, mut ready: impl FnMut() -> Option<T>) -> Option<T> {
        const MOMENT: std::time::Duration = std::time::Duration::from_micros(300);
        if self.report.software || cfg!(target_arch = "wasm32") {
            return None;
        }
        let started = std::time::Instant::now();
        while started.elapsed() < MOMENT {
            self.device.poll(wgpu::PollType::Poll).ok()?;
            if let Some(result) = ready() {
                return Some(result);
            }
        }
        None
    }

    /// Waits natively until the GPU has done everything; a browser calls back by itself.
    pub(crate) fn wait(&self) -> Result<()> {
        self.wait_for(None)
    }

    /// Waits natively for one submission and those before it, or for all; a browser calls back by itself.
    pub(crate) fn wait_for(&self, submission_index: Option<wgpu::SubmissionIndex>) -> Result<()> {
        let lost = |e| Error::Device(format!("{}: waiting failed: {e}", self.report.name));
        self.device.poll(wgpu::PollType::Wait { submission_index, timeout: None }).map_err(lost)?;
        self.check()
    }
}
