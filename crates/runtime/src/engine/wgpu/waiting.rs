//! Waiting for the GPU.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::device::Gpu;
use crate::error::Result;

impl Gpu {
    /// Asks the GPU over and over for a moment: a short call is done before a sleeping thread would wake up.
    pub(crate) fn spin<T>(&self, mut ready: impl FnMut() -> Option<T>) -> Option<T> {
        const MOMENT: std::time::Duration = std::time::Duration::from_micros(300);
        if self.report.software || cfg!(target_arch = "wasm32") {
            return None;
        }
        let started = std::time::Instant::now();
        while started.elapsed() < MOMENT {
            self.poll(wgpu::PollType::Poll).ok()?;
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
        let waited = self.poll(wgpu::PollType::Wait { submission_index, timeout: None });
        // Why a device was lost says more than that waiting for it failed.
        self.check()?;
        waited.map_err(|why| self.error(why))
    }

    /// Runs the callbacks of what is done, and waits where it is told to.
    pub(super) fn poll(&self, poll_type: wgpu::PollType) -> Result<(), String> {
        if let Some(lost) = self.faults.lost() {
            return Err(lost.to_owned());
        }
        // wgpu panics where the device turns out to be lost.
        match catch_unwind(AssertUnwindSafe(|| self.device.poll(poll_type))) {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(error)) => Err(format!("waiting failed: {error}")),
            Err(_) => {
                self.faults.note_lost("");
                Err("waiting failed".to_owned())
            }
        }
    }
}
