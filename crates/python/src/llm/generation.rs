//! An answer that is being generated, on a thread of its own.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};

use pteron::llm::{self, Cancel, Event, Finish, Generate};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::Idle;
use crate::{errors, wait};

/// Pieces of text that may wait to be read before the generation waits too.
const AHEAD: usize = 64;

/// How far a generation is ahead of whoever reads it.
#[derive(Default)]
struct Lead {
    unread: Mutex<usize>,
    changed: Condvar,
}

impl Lead {
    /// Counts a piece, once there is room for it or nobody waits for more.
    fn grow(&self, cancel: &Cancel) {
        let unread = self.unread.lock().unwrap_or_else(PoisonError::into_inner);
        let full = |unread: &mut usize| *unread >= AHEAD && !cancel.is_cancelled();
        *self.changed.wait_while(unread, full).unwrap_or_else(PoisonError::into_inner) += 1;
    }

    fn shrink(&self) {
        let mut unread = self.unread.lock().unwrap_or_else(PoisonError::into_inner);
        *unread = unread.saturating_sub(1);
        self.changed.notify_all();
    }

    fn cancel(&self, cancel: &Cancel) {
        // Whoever waits looks at it with the lock, and sees it before it sleeps or is woken after.
        let _unread = self.unread.lock().unwrap_or_else(PoisonError::into_inner);
        cancel.cancel();
        self.changed.notify_all();
    }
}

/// Where an answer is generated.
pub(super) enum Place {
    /// In a conversation that nobody has, and that becomes idle again.
    Idle(llm::Conversation, Idle),
    /// In a conversation of the user's.
    Kept(Arc<Mutex<llm::Conversation>>),
}

/// An answer that is being generated. Iterating over it gives text, as it grows; dropping it ends the generation.
#[pyclass(module = "pteron.llm", frozen, weakref)]
pub(crate) struct Generation {
    pieces: Mutex<Receiver<String>>,
    ended: Arc<OnceLock<Result<Finish, Mutex<Option<llm::Error>>>>>,
    cancel: Cancel,
    lead: Arc<Lead>,
    prompt_tokens: usize,
    read: Mutex<String>,
}

impl Drop for Generation {
    fn drop(&mut self) {
        self.lead.cancel(&self.cancel);
    }
}

impl Generation {
    pub(super) fn start(place: Place, prompt: Vec<u32>, options: Generate) -> PyResult<Generation> {
        let (send, pieces) = mpsc::channel();
        let lead = Arc::new(Lead::default());
        let ended = Arc::new(OnceLock::new());
        let (cancel, prompt_tokens) = (options.cancel.clone(), prompt.len());
        let (outcome, ahead) = (ended.clone(), lead.clone());
        let work = move || {
            let on_event = |event: Event<'_>| {
                if let Event::Token { text, .. } | Event::Rest { text } = event
                    && !text.is_empty()
                {
                    ahead.grow(&options.cancel);
                    // Nobody reads any more where it is refused, and it is cancelled by then.
                    let _ = send.send(text.to_owned());
                }
            };
            let result = match place {
                Place::Idle(mut conversation, idle) => {
                    let result = conversation.generate(&prompt, &options, on_event);
                    idle.lock().unwrap_or_else(PoisonError::into_inner).push(conversation);
                    result
                }
                Place::Kept(conversation) => {
                    let mut conversation = conversation.lock().unwrap_or_else(PoisonError::into_inner);
                    conversation.generate(&prompt, &options, on_event)
                }
            };
            // It is set once, here. The channel closes after it, so that whoever sees the end knows the outcome.
            let _ = outcome.set(result.map_err(|error| Mutex::new(Some(error))));
            drop(send);
        };
        let started = std::thread::Builder::new().name("pteron-generate".to_owned()).spawn(work);
        started.map_err(|why| errors::device(&format!("no thread can be started: {why}")))?;
        Ok(Generation { pieces: Mutex::new(pieces), ended, cancel, lead, prompt_tokens, read: Mutex::default() })
    }

    /// Whether it goes on, and nobody has asked it to end.
    pub(super) fn goes_on(&self) -> bool {
        self.ended.get().is_none() && !self.cancel.is_cancelled()
    }

    fn finish(&self) -> Option<&Finish> {
        self.ended.get()?.as_ref().ok()
    }

    fn read(&self) -> MutexGuard<'_, String> {
        self.read.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next piece of text; nothing at the end.
    fn next(&self, py: Python<'_>) -> PyResult<Option<String>> {
        loop {
            match wait::receive(py, &self.pieces) {
                Ok(piece) => {
                    self.lead.shrink();
                    self.read().push_str(&piece);
                    py.check_signals().inspect_err(|_| self.cancel())?;
                    return Ok(Some(piece));
                }
                Err(RecvTimeoutError::Timeout) => py.check_signals().inspect_err(|_| self.cancel())?,
                Err(RecvTimeoutError::Disconnected) => return self.end(),
            }
        }
    }

    /// Says how it failed, where it did; once.
    fn end(&self) -> PyResult<Option<String>> {
        match self.ended.get() {
            Some(Ok(_)) => Ok(None),
            Some(Err(error)) => match error.lock().unwrap_or_else(PoisonError::into_inner).take() {
                Some(error) => Err(errors::language(error)),
                None => Ok(None),
            },
            None => Err(errors::device("a thread ended before its work was done")),
        }
    }
}

#[pymethods]
impl Generation {
    fn __iter__(slf: PyRef<'_, Generation>) -> PyRef<'_, Generation> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<String>> {
        self.next(py)
    }

    /// Waits for the end and gives the whole text.
    fn result(&self, py: Python<'_>) -> PyResult<String> {
        while self.next(py)?.is_some() {}
        Ok(self.read().clone())
    }

    /// Ends the generation before its next token. What was generated can still be read.
    pub(super) fn cancel(&self) {
        self.lead.cancel(&self.cancel);
    }

    /// The text that was read so far.
    #[getter]
    fn text(&self) -> String {
        self.read().clone()
    }

    /// The tokens that were chosen; nothing before the end.
    #[getter]
    fn ids(&self) -> Option<Vec<u32>> {
        self.finish().map(|finish| finish.ids.clone())
    }

    /// Why it ended: `end_of_text`, `stop_string`, `stop_id`, `max_tokens`, `context_full` or `cancelled`.
    #[getter]
    fn finish_reason(&self) -> Option<&'static str> {
        self.finish().map(|finish| finish.reason.name())
    }

    /// Tokens of the prompt and of the answer, and those of the prompt that needed not be fed again.
    #[getter]
    fn usage<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(finish) = self.finish() else { return Ok(None) };
        let usage = PyDict::new(py);
        usage.set_item("prompt_tokens", self.prompt_tokens)?;
        usage.set_item("completion_tokens", finish.ids.len())?;
        usage.set_item("total_tokens", self.prompt_tokens + finish.ids.len())?;
        usage.set_item("reused_tokens", finish.timings.reused_tokens)?;
        Ok(Some(usage))
    }

    /// Seconds until the logits after the prompt, until the first token and from there to the last, and tokens a second.
    #[getter]
    fn timings<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(finish) = self.finish() else { return Ok(None) };
        let (timings, entry) = (finish.timings, PyDict::new(py));
        entry.set_item("prefill_seconds", timings.prefill.as_secs_f64())?;
        entry.set_item("first_token_seconds", timings.first_token.map(|time| time.as_secs_f64()))?;
        entry.set_item("decode_seconds", timings.decode.as_secs_f64())?;
        entry.set_item("prefill_rate", timings.prefill_rate())?;
        entry.set_item("decode_rate", timings.decode_rate())?;
        Ok(Some(entry))
    }

    fn __repr__(&self) -> String {
        let state = self.finish_reason().unwrap_or(if self.goes_on() { "running" } else { "ended" });
        format!("pteron.llm.Generation({state})")
    }
}
