//! Learning what went wrong on a device.

use std::future::{Future, poll_fn};
#[cfg(target_arch = "wasm32")]
use std::pin::Pin;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::task::{Context, Poll, Waker};

use super::device::Gpu;
use crate::error::{Error, Result};

/// What went wrong on a device: the first fault that was not yet reported, and whether the device is lost.
#[derive(Clone, Debug, Default)]
pub(super) struct Faults(Arc<Noted>);

#[derive(Debug, Default)]
struct Noted {
    first: Mutex<Option<String>>,
    lost: OnceLock<String>,
    is_destroyed: AtomicBool,
    /// Whether the device belongs to the application, whose handlers are left alone.
    is_foreign: bool,
    /// What tests have go wrong.
    #[cfg(feature = "fault-injection")]
    injector: super::inject::Injector,
    /// What tests put around tensors.
    #[cfg(feature = "fault-injection")]
    guards: super::guards::Guards,
}

impl Faults {
    /// What tests have go wrong.
    #[cfg(feature = "fault-injection")]
    pub(super) fn injector(&self) -> &super::inject::Injector {
        &self.0.injector
    }

    /// What tests put around tensors.
    #[cfg(feature = "fault-injection")]
    pub(super) fn guards(&self) -> &super::guards::Guards {
        &self.0.guards
    }

    /// Those of a device that belongs to the application.
    #[cfg(feature = "wgpu")]
    pub(super) fn of_application() -> Faults {
        Faults(Arc::new(Noted { is_foreign: true, ..Noted::default() }))
    }

    /// Whether the device belongs to the application.
    pub(super) fn is_foreign(&self) -> bool {
        self.0.is_foreign
    }

    /// Does something with a device. What goes wrong is noted, also where the device's handler is the application's.
    ///
    /// Natively error scopes belong to a thread, and what they caught is there when they end. In a browser the handler is
    /// told of what [`Gpu::watch`] does not catch.
    pub(super) fn during<T>(&self, device: &wgpu::Device, work: impl FnOnce() -> T) -> T {
        if !self.is_foreign() || cfg!(target_arch = "wasm32") {
            return work();
        }
        let filters = [wgpu::ErrorFilter::Internal, wgpu::ErrorFilter::OutOfMemory, wgpu::ErrorFilter::Validation];
        let scopes = filters.map(|filter| device.push_error_scope(filter));
        let result = work();
        for scope in scopes.into_iter().rev() {
            let caught = pin!(scope.pop()).poll(&mut Context::from_waker(Waker::noop()));
            if let Poll::Ready(Some(error)) = caught {
                self.note(error.to_string());
            }
        }
        result
    }

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

    /// Notes that the device takes no more work, and will be lost when it has done what it has.
    pub(super) fn note_destroyed(&self) {
        self.0.is_destroyed.store(true, Ordering::Relaxed);
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
        let Some(what) = self.faults.take() else { return Ok(()) };
        // What is done with a lost device goes wrong for other reasons before wgpu tells of the loss.
        if self.is_lost() || self.faults.0.is_destroyed.load(Ordering::Relaxed) {
            return Err(self.error(self.faults.lost().unwrap_or("the device was lost: it was destroyed")));
        }
        Err(self.error(what))
    }

    /// An error of this device.
    pub(super) fn error(&self, what: impl std::fmt::Display) -> Error {
        Error::Device(format!("{}: {what}", self.report.name))
    }

    /// Whether nothing runs on the device any more.
    pub(crate) fn is_lost(&self) -> bool {
        // wgpu tells of a device that was destroyed only when it is asked for anything else.
        let _ = self.poll(wgpu::PollType::Poll);
        self.faults.lost().is_some() || self.faults.0.is_destroyed.load(Ordering::Relaxed)
    }

    /// Awaits something that is done with the device. What went wrong is its error, also where the device's handler is the
    /// application's.
    pub(crate) async fn scoped<T>(&self, work: impl Future<Output = Result<T>>) -> Result<T> {
        if !self.faults.is_foreign() {
            return work.await;
        }
        let mut work = pin!(work);
        // A scope must not stay while others use the thread.
        let result = poll_fn(|context| self.faults.during(&self.device, || work.as_mut().poll(context))).await;
        self.check().and(result)
    }

    /// Like [`Gpu::scoped`], for what need not be awaited.
    pub(crate) fn scoped_now<T>(&self, work: impl FnOnce() -> Result<T>) -> Result<T> {
        if !self.faults.is_foreign() {
            return work();
        }
        let result = self.faults.during(&self.device, work);
        self.check().and(result)
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
