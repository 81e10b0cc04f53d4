//! A conversation that remembers.

use std::sync::{Arc, Mutex, PoisonError};

use pteron::llm::{self, Message};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyWeakrefReference};

use super::generation::{Generation, Place};
use super::options;
use crate::errors;

/// One conversation on a model, with a key-value cache of its own. Several share the model's weights.
#[pyclass(module = "pteron.llm", frozen, weakref)]
pub(crate) struct Conversation {
    model: llm::Model,
    conversation: Arc<Mutex<llm::Conversation>>,
    /// The answer that was asked for last.
    current: Mutex<Option<Py<PyWeakrefReference>>>,
}

impl Conversation {
    pub(super) fn new(model: llm::Model, conversation: llm::Conversation) -> Conversation {
        Conversation { model, conversation: Arc::new(Mutex::new(conversation)), current: Mutex::default() }
    }

    fn start<'py>(
        &self,
        py: Python<'py>,
        tokens: Vec<u32>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, Generation>> {
        let options = options::parse(options)?;
        super::check_process(&self.model)?;
        if let Some(before) = self.running(py) {
            before.get().cancel();
        }
        let place = Place::Kept(self.conversation.clone());
        let generation = Bound::new(py, Generation::start(place, tokens, options)?)?;
        let reference = PyWeakrefReference::new(generation.as_any())?.unbind();
        *self.current.lock().unwrap_or_else(PoisonError::into_inner) = Some(reference);
        Ok(generation)
    }

    /// The answer that was asked for last, where it goes on.
    fn running<'py>(&self, py: Python<'py>) -> Option<Bound<'py, Generation>> {
        let current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        let object = current.as_ref()?.bind(py).upgrade()?;
        object.cast_into::<Generation>().ok().filter(|generation| generation.get().goes_on())
    }

    /// An answer that goes on holds the cache, and waits for somebody to read it.
    fn check_free(&self, py: Python<'_>) -> PyResult<()> {
        match self.running(py) {
            None => Ok(()),
            Some(_) => {
                Err(errors::wrong_input("the conversation's last answer is not at its end: read it, or cancel() it"))
            }
        }
    }
}

#[pymethods]
impl Conversation {
    /// Continues a whole prompt, which is a text or tokens; only what differs from the conversation's tokens is fed. An answer of
    /// the conversation that was not read to its end is cancelled.
    #[pyo3(signature = (prompt, **options))]
    fn generate<'py>(
        &self,
        prompt: &Bound<'py, PyAny>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, Generation>> {
        let tokens = options::prompt(&self.model, prompt)?;
        self.start(prompt.py(), tokens, options)
    }

    /// Answers a whole chat: messages as dictionaries of `role` and `content`; only what is new of it is fed.
    #[pyo3(signature = (messages, **options))]
    fn chat<'py>(
        &self,
        messages: &Bound<'py, PyAny>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, Generation>> {
        let listed: Vec<Message> = options::messages(messages)?;
        let tokens = self.model.encode_chat(&listed).map_err(errors::language)?;
        self.start(messages.py(), tokens, options)
    }

    /// The tokens that the cache holds.
    #[getter]
    fn ids(&self, py: Python<'_>) -> PyResult<Vec<u32>> {
        self.check_free(py)?;
        let conversation = &*self.conversation;
        Ok(py.detach(|| conversation.lock().unwrap_or_else(PoisonError::into_inner).ids().to_vec()))
    }

    /// Forgets all but the first `count` tokens.
    fn rewind(&self, py: Python<'_>, count: usize) -> PyResult<()> {
        self.check_free(py)?;
        let conversation = &*self.conversation;
        py.detach(|| conversation.lock().unwrap_or_else(PoisonError::into_inner).rewind(count));
        Ok(())
    }
}
