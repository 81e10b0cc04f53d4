//! Something that one caller uses at a time, in the order in which they asked.

use std::cell::RefCell;
use std::future::Future;
use std::rc::Rc;

use futures_channel::oneshot;
use pteron_runtime::Error;

use crate::error::{Result, WebError};

/// Something that callers use in turns. Clones are the same.
#[derive(Debug)]
pub(crate) struct Turns<T>(Rc<Shared<T>>);

#[derive(Debug)]
struct Shared<T> {
    /// Taken by the call that runs.
    value: RefCell<Option<T>>,
    /// Ends with the last call that was made.
    last: RefCell<Option<oneshot::Receiver<()>>>,
}

impl<T> Clone for Turns<T> {
    fn clone(&self) -> Turns<T> {
        Turns(self.0.clone())
    }
}

impl<T> Turns<T> {
    pub(crate) fn new(value: T) -> Turns<T> {
        Turns(Rc::new(Shared { value: RefCell::new(Some(value)), last: RefCell::default() }))
    }

    /// A place behind every call made so far. What it gives ends the turn when it is dropped.
    pub(crate) fn turn(&self) -> impl Future<Output = oneshot::Sender<()>> + use<T> {
        let (done, finished) = oneshot::channel();
        let before = self.0.last.replace(Some(finished));
        async move {
            if let Some(before) = before {
                // Always an error: the sender is dropped, never used.
                let _ = before.await;
            }
            done
        }
    }

    /// Does something with it when the turn has come.
    pub(crate) async fn exclusively<R>(
        &self,
        turn: impl Future<Output = oneshot::Sender<()>>,
        work: impl AsyncFnOnce(&mut T) -> Result<R>,
    ) -> Result<R> {
        let _turn = turn.await;
        // Only a defect that ended an earlier call half-way leaves nothing here.
        let lost = || WebError::Runtime(Error::Device("it was lost in an earlier failure".to_owned()));
        let mut value = self.0.value.take().ok_or_else(lost)?;
        let result = work(&mut value).await;
        self.0.value.replace(Some(value));
        result
    }
}
