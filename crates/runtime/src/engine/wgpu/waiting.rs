//! Waiting for the GPU: in place where the caller blocks anyway, and otherwise by being woken.

use std::future::{Future as _, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
#[cfg(not(target_arch = "wasm32"))]
use std::pin::pin;
#[cfg(not(target_arch = "wasm32"))]
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::Poll;
#[cfg(not(target_arch = "wasm32"))]
use std::time::{Duration, Instant};

use futures_channel::oneshot;
#[cfg(target_arch = "wasm32")]
use gloo_timers::future::TimeoutFuture;

use super::device::Gpu;
use super::faults::Faults;
#[cfg(not(target_arch = "wasm32"))]
use crate::blocking::may_block;
use crate::error::Result;
use crate::limits::Deadline;

/// Why something that was waited for is not done.
#[derive(Debug)]
pub(super) enum Unfinished {
    /// The time was over.
    Timeout,
    /// wgpu panicked while the time ran. It does where the time is over and another thread finds the work done in the
    /// same moment, and where the device is lost: asking again tells.
    Disturbed,
    /// It never will be.
    #[cfg_attr(target_arch = "wasm32", expect(dead_code, reason = "a browser waits by itself"))]
    Failed(String),
}

/// Runs the callbacks of what a device has done, and waits where it is told to.
pub(super) fn poll(device: &wgpu::Device, faults: &Faults, poll_type: wgpu::PollType) -> Result<(), Unfinished> {
    // Asking a lost device would free the memory behind results that were read from it and are still in use.
    if let Some(lost) = faults.lost() {
        return Err(Unfinished::Failed(lost.to_owned()));
    }
    #[cfg(feature = "fault-injection")]
    match faults.injector().at(super::inject::Site::Poll) {
        Some(super::inject::Fault::Stuck) => return super::inject::stuck(&poll_type),
        Some(super::inject::Fault::Lost) => {
            faults.note_destroyed();
            device.destroy();
        }
        Some(_) => return Err(Unfinished::Failed("waiting failed".to_owned())),
        None => {}
    }
    let is_limited = matches!(poll_type, wgpu::PollType::Wait { timeout: Some(_), .. });
    // wgpu panics where the device turns out to be lost.
    match catch_unwind(AssertUnwindSafe(|| device.poll(poll_type))) {
        Ok(Ok(_)) => Ok(()),
        Ok(Err(wgpu::PollError::Timeout)) => Err(Unfinished::Timeout),
        Ok(Err(error)) => Err(Unfinished::Failed(format!("waiting failed: {error}"))),
        Err(_) if is_limited && faults.lost().is_none() => Err(Unfinished::Disturbed),
        Err(_) => {
            faults.note_lost("waiting failed");
            Err(Unfinished::Failed("waiting failed".to_owned()))
        }
    }
}

/// How long a thread that waits asks over and over.
#[cfg(not(target_arch = "wasm32"))]
const MOMENT: Duration = Duration::from_millis(2);
/// How much earlier than the last wait was over it begins to, and how long it sleeps until then before it looks.
#[cfg(not(target_arch = "wasm32"))]
const EARLIER: Duration = Duration::from_micros(500);
#[cfg(not(target_arch = "wasm32"))]
const BETWEEN_LOOKS: Duration = Duration::from_micros(200);

/// How long somebody waited for the GPU last, in microseconds.
#[cfg(not(target_arch = "wasm32"))]
#[derive(Debug, Default)]
pub(super) struct LastWait(AtomicU64);

#[cfg(not(target_arch = "wasm32"))]
impl LastWait {
    fn note(&self, time: Duration) {
        self.0.store(u64::try_from(time.as_micros()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    /// How long one may sleep and be awake in time, where the next wait is as long; nothing where it is short.
    fn to_sleep(&self) -> Option<Duration> {
        let last = Duration::from_micros(self.0.load(Ordering::Relaxed));
        (last > MOMENT).then(|| last - EARLIER)
    }
}

/// How often in a row wgpu may panic before the device is taken for lost.
#[cfg(not(target_arch = "wasm32"))]
pub(super) const DISTURBANCES: usize = 3;

#[cfg(not(target_arch = "wasm32"))]
fn is_disturbed(waited: &Result<(), Unfinished>) -> bool {
    matches!(waited, Err(Unfinished::Disturbed))
}

impl Gpu {
    /// Waits for one submission and those before it, or for all. A browser keeps what it is given in order by itself.
    pub(crate) async fn finished(&self, submission: Option<wgpu::SubmissionIndex>, deadline: &Deadline) -> Result<()> {
        #[cfg(not(target_arch = "wasm32"))]
        if !may_block() {
            let asked = self.poller.wait_for(self, submission, *deadline);
            let waited = asked.map_err(|why| self.error(format!("no thread can wait for it: {why}")))?.await;
            // Why a device was lost says more than that waiting for it failed.
            self.check()?;
            let ended = |_| self.error("the thread that waits for it has ended");
            return waited.map_err(ended)?.map_err(|why| self.unfinished(why, deadline));
        }
        self.wait_for(submission, deadline)
    }

    /// What a callback sends when a submission is done; nothing where it was dropped instead of being called.
    ///
    /// Natively this waits for no work that was submitted later.
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) async fn receive<T>(
        &self,
        submission: Option<wgpu::SubmissionIndex>,
        mut receiver: oneshot::Receiver<T>,
        deadline: &Deadline,
    ) -> Result<Option<T>> {
        if !may_block() {
            return self.be_woken(submission, receiver, deadline).await;
        }
        let started = Instant::now();
        let mut received = || receiver.try_recv().ok().flatten();
        let received = match self.sleep_before(deadline, &mut received).or_else(|| self.spin(received)) {
            Some(received) => Some(received),
            None => {
                self.wait_for(submission, deadline)?;
                receiver.await.ok()
            }
        };
        self.last_wait.note(started.elapsed());
        Ok(received)
    }

    /// What a callback sends when a submission is done; nothing where it was dropped instead of being called.
    #[cfg(target_arch = "wasm32")]
    pub(super) async fn receive<T>(
        &self,
        _: Option<wgpu::SubmissionIndex>,
        mut receiver: oneshot::Receiver<T>,
        deadline: &Deadline,
    ) -> Result<Option<T>> {
        self.check()?;
        // Timers of browsers take no longer times than this.
        let left = deadline.left().and_then(|left| i32::try_from(left.as_millis()).ok());
        let mut timer = left.map(|left| TimeoutFuture::new(left.unsigned_abs()));
        poll_fn(|context| {
            if let Poll::Ready(received) = Pin::new(&mut receiver).poll(context) {
                return Poll::Ready(Ok(received.ok()));
            }
            match timer.as_mut().map(|timer| Pin::new(timer).poll(context)) {
                Some(Poll::Ready(())) => Poll::Ready(Err(deadline.error())),
                _ => Poll::Pending,
            }
        })
        .await
    }

    #[cfg(not(target_arch = "wasm32"))]
    async fn be_woken<T>(
        &self,
        submission: Option<wgpu::SubmissionIndex>,
        mut receiver: oneshot::Receiver<T>,
        deadline: &Deadline,
    ) -> Result<Option<T>> {
        // It may be done, and then nobody need be woken.
        let _ = self.poll(wgpu::PollType::Poll);
        if let Ok(Some(received)) = receiver.try_recv() {
            return Ok(Some(received));
        }
        let mut finished = pin!(self.finished(submission, deadline));
        let mut is_finished = false;
        poll_fn(|context| {
            if let Poll::Ready(received) = Pin::new(&mut receiver).poll(context) {
                return Poll::Ready(Ok(received.ok()));
            }
            if !is_finished && let Poll::Ready(outcome) = finished.as_mut().poll(context) {
                // The callback may still be running, on whichever thread asked the device.
                is_finished = true;
                if let Err(error) = outcome {
                    return Poll::Ready(Err(error));
                }
            }
            Poll::Pending
        })
        .await
    }

    /// Sleeps where the last wait was long, until shortly before this one is over if it is as long, and looks now and then.
    ///
    /// wgpu can wait for so long and no longer, but panics where another thread finds the work done at that moment.
    #[cfg(not(target_arch = "wasm32"))]
    fn sleep_before<T>(&self, deadline: &Deadline, mut ready: impl FnMut() -> Option<T>) -> Option<T> {
        let end = Instant::now() + self.last_wait.to_sleep().filter(|_| !self.report.software)?;
        while Instant::now() < end && deadline.left().is_none_or(|left| !left.is_zero()) {
            std::thread::sleep(BETWEEN_LOOKS.min(end.saturating_duration_since(Instant::now())));
            self.poll(wgpu::PollType::Poll).ok()?;
            if let Some(result) = ready() {
                return Some(result);
            }
        }
        None
    }

    /// Asks the GPU over and over for a moment: a thread that sleeps wakes up a tenth of a millisecond late, which is much of a
    /// call that takes a few.
    #[cfg(not(target_arch = "wasm32"))]
    fn spin<T>(&self, mut ready: impl FnMut() -> Option<T>) -> Option<T> {
        if self.report.software {
            return None;
        }
        let started = Instant::now();
        while started.elapsed() < MOMENT {
            self.poll(wgpu::PollType::Poll).ok()?;
            if let Some(result) = ready() {
                return Some(result);
            }
            std::thread::yield_now();
        }
        None
    }

    /// Waits natively for one submission and those before it, or for all, and keeps the thread; a browser calls back by
    /// itself.
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) fn wait_for(&self, submission_index: Option<wgpu::SubmissionIndex>, deadline: &Deadline) -> Result<()> {
        let turn = || {
            let (submission_index, timeout) = (submission_index.clone(), deadline.left());
            self.poll(wgpu::PollType::Wait { submission_index, timeout })
        };
        let waited = std::iter::repeat_with(turn).take(DISTURBANCES).find(|waited| !is_disturbed(waited));
        // Why a device was lost says more than that waiting for it failed.
        self.check()?;
        match waited {
            Some(waited) => waited.map_err(|why| self.unfinished(why, deadline)),
            None => {
                self.faults.note_lost("waiting failed");
                self.check()
            }
        }
    }

    /// A browser calls back by itself.
    #[cfg(target_arch = "wasm32")]
    pub(super) fn wait_for(&self, _: Option<wgpu::SubmissionIndex>, _: &Deadline) -> Result<()> {
        self.check()
    }

    /// The error of what is not done when the time is over, or never will be.
    #[cfg(not(target_arch = "wasm32"))]
    fn unfinished(&self, why: Unfinished, deadline: &Deadline) -> crate::error::Error {
        match why {
            Unfinished::Timeout | Unfinished::Disturbed => deadline.error(),
            Unfinished::Failed(why) => self.error(why),
        }
    }

    /// Runs the callbacks of what is done, and waits where it is told to.
    pub(super) fn poll(&self, poll_type: wgpu::PollType) -> Result<(), Unfinished> {
        poll(&self.device, &self.faults, poll_type)
    }
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::*;

    #[test]
    fn who_waits_sleeps_only_where_the_last_wait_was_long() {
        let last = LastWait::default();
        assert_eq!(last.to_sleep(), None);
        last.note(MOMENT);
        assert_eq!(last.to_sleep(), None);
        last.note(Duration::from_millis(7));
        assert_eq!(last.to_sleep(), Some(Duration::from_micros(6500)));
        last.note(Duration::from_micros(90));
        assert_eq!(last.to_sleep(), None, "one short call after long ones");
    }
}
