//! Waiting on the calling thread.

use std::cell::Cell;
use std::future::{Future, poll_fn};
use std::pin::pin;

use futures_channel::oneshot;

use crate::error::{Error, Result};

thread_local! {
    /// Whether this thread waits for a future in any case.
    static BLOCKS: Cell<bool> = const { Cell::new(false) };
}

/// Waits for a future on this thread.
///
/// What the future awaits of this crate, it waits for in place: that takes less time than to be woken by another thread.
/// Every function that blocks does this with its `_async` twin.
pub fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    pollster::block_on(poll_fn(|context| {
        let _entered = Entered::new();
        future.as_mut().poll(context)
    }))
}

/// Whether the calling thread is in [`block_on`], so that a future may wait in place.
pub(crate) fn may_block() -> bool {
    BLOCKS.get()
}

/// Does work that takes long: in place where the calling thread waits anyway, and otherwise on a thread of its own.
pub(crate) async fn apart<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    if may_block() {
        return Ok(work());
    }
    let (done, result) = oneshot::channel();
    let work = move || {
        // Nobody listens where the result was given up.
        let _ = done.send(work());
    };
    let started = std::thread::Builder::new().name("pteron-work".to_owned()).spawn(work);
    started.map_err(|why| Error::Device(format!("no thread can be started: {why}")))?;
    result.await.map_err(|_| Error::Device("a thread ended before its work was done".to_owned()))
}

/// A thread in [`block_on`]; dropped, it is as it was before.
struct Entered {
    before: bool,
}

impl Entered {
    fn new() -> Entered {
        Entered { before: BLOCKS.replace(true) }
    }
}

impl Drop for Entered {
    fn drop(&mut self) {
        BLOCKS.set(self.before);
    }
}
