//! The thread that waits for a device on behalf of futures, so that they are woken and executors are not held up.

use std::sync::mpsc::{self, Receiver, SendError, Sender};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use futures_channel::oneshot;

use super::device::Gpu;
use super::faults::Faults;
use super::waiting::{DISTURBANCES, Unfinished, poll};
use crate::limits::Deadline;

/// How long it waits at a time. After that, calls that were done in another order than they are waited for are told, and
/// others get at locks that wgpu holds while it waits.
const TURN: Duration = Duration::from_millis(2);

/// Waits for a device on a thread that is started on first need, sleeps while nobody waits, and ends with the device.
#[derive(Debug, Default)]
pub(super) struct Poller(Mutex<Option<Sender<Request>>>);

/// A submission that somebody waits for.
struct Request {
    // Kept here and not by the thread, which does not keep a device open that nobody waits for.
    device: wgpu::Device,
    faults: Faults,
    submission: Option<wgpu::SubmissionIndex>,
    deadline: Deadline,
    done: oneshot::Sender<Result<(), Unfinished>>,
}

impl Poller {
    /// Waits for one submission and those before it, or for all. The receiver is told when they are done, or why they
    /// never will be.
    pub(super) fn wait_for(
        &self,
        gpu: &Gpu,
        submission: Option<wgpu::SubmissionIndex>,
        deadline: Deadline,
    ) -> std::io::Result<oneshot::Receiver<Result<(), Unfinished>>> {
        let (done, waited) = oneshot::channel();
        let (device, faults) = (gpu.device.clone(), gpu.faults.clone());
        let mut request = Request { device, faults, submission, deadline, done };
        let mut thread = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(requests) = &*thread {
            match requests.send(request) {
                Ok(()) => return Ok(waited),
                Err(SendError(returned)) => request = returned,
            }
        }
        let (requests, received) = mpsc::channel();
        std::thread::Builder::new().name("pteron-poll".to_owned()).spawn(move || serve(&received))?;
        // If the thread has ended already, the receiver is told so.
        let _ = requests.send(request);
        *thread = Some(requests);
        Ok(waited)
    }
}

/// Waits for one request after the other, until nobody can make any more.
fn serve(requests: &Receiver<Request>) {
    while let Ok(request) = requests.recv() {
        let outcome = request.wait();
        // Nobody listens where the results were given up, or came while another was waited for.
        let _ = request.done.send(outcome);
    }
}

impl Request {
    fn wait(&self) -> Result<(), Unfinished> {
        let mut disturbances = 0;
        while !self.done.is_canceled() {
            let submission_index = self.submission.clone();
            let turn = wgpu::PollType::Wait { submission_index, timeout: Some(TURN) };
            match poll(&self.device, &self.faults, turn) {
                Ok(()) => return Ok(()),
                Err(Unfinished::Timeout) if self.deadline.check().is_err() => return Err(Unfinished::Timeout),
                Err(Unfinished::Timeout) => disturbances = 0,
                Err(Unfinished::Disturbed) if disturbances < DISTURBANCES => disturbances += 1,
                Err(Unfinished::Disturbed) => {
                    self.faults.note_lost("waiting failed");
                    return Err(Unfinished::Failed("waiting failed".to_owned()));
                }
                Err(failed @ Unfinished::Failed(_)) => return Err(failed),
            }
        }
        Ok(())
    }
}
