//! Waiting for work without the interpreter's lock, and not for ever: Ctrl-C ends the wait.

use std::cell::Cell;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use pyo3::prelude::*;

use crate::errors;

/// How long a wait lasts before it is asked whether the user wants to go on.
const TICK: Duration = Duration::from_millis(50);

thread_local! {
    /// Whether Python handles signals on this thread, once it is known.
    static HANDLES_SIGNALS: Cell<Option<bool>> = const { Cell::new(None) };
}

/// Whether Python handles signals on this thread, which is the main one.
pub(crate) fn handles_signals(py: Python<'_>) -> bool {
    HANDLES_SIGNALS.get().unwrap_or_else(|| {
        let ask = || -> PyResult<bool> {
            let threading = py.import("threading")?;
            let main: u64 = threading.call_method0("main_thread")?.getattr("ident")?.extract()?;
            Ok(main == threading.call_method0("get_ident")?.extract::<u64>()?)
        };
        let answer = ask().unwrap_or(false);
        HANDLES_SIGNALS.set(Some(answer));
        answer
    })
}

/// Does work on a thread of its own and waits for it. Ctrl-C abandons the wait, not the work. `tick` is called now and then.
pub(crate) fn interruptible<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send + 'static,
    mut tick: impl FnMut(Python<'_>) -> PyResult<()>,
) -> PyResult<T> {
    let (done, result) = mpsc::channel();
    let work = move || {
        // Nobody listens where the wait was abandoned.
        let _ = done.send(work());
    };
    let started = std::thread::Builder::new().name("pteron-python".to_owned()).spawn(work);
    started.map_err(|why| errors::device(&format!("no thread can be started: {why}")))?;
    let result = Mutex::new(result);
    loop {
        match receive(py, &result) {
            Ok(value) => return Ok(value),
            Err(RecvTimeoutError::Timeout) => {
                py.check_signals()?;
                tick(py)?;
            }
            Err(RecvTimeoutError::Disconnected) => {
                return Err(errors::device("a thread ended before its work was done"));
            }
        }
    }
}

/// Waits a moment for what comes from another thread.
pub(crate) fn receive<T: Send>(py: Python<'_>, from: &Mutex<Receiver<T>>) -> Result<T, RecvTimeoutError> {
    py.detach(|| from.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(TICK))
}
