//! One conversation on a model: the tokens that its key-value cache holds.

use pteron_runtime::Condition;
use web_time::Instant;

use crate::cancel::Cancel;
use crate::decode::{Acceptor, device, host};
use crate::engine::Session;
use crate::error::{Error, Result};
use crate::generate::{Event, Finish, Generate, StopReason};
use crate::model::Model;

/// A conversation, with a key-value cache of its own.
///
/// After a call that failed or was cancelled it is usable: [`Conversation::ids`] is what the cache holds. Where the device
/// is lost, [`Model::restore`] brings the conversation back, and its next prompt is fed from the beginning.
#[derive(Debug)]
pub struct Conversation {
    model: Model,
    pub(crate) session: Session,
    /// What the cache holds. Rows after these are old, and are overwritten before they are read.
    pub(crate) ids: Vec<u32>,
}

impl Conversation {
    pub(crate) fn new(model: Model, session: Session) -> Conversation {
        Conversation { model, session, ids: Vec::new() }
    }

    /// The model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The tokens that the cache holds.
    pub fn ids(&self) -> &[u32] {
        &self.ids
    }

    /// Forgets all but the first `count` tokens.
    pub fn rewind(&mut self, count: usize) {
        self.ids.truncate(count);
    }

    /// Whether it can go on.
    pub fn condition(&self) -> Condition {
        if self.model.device().is_lost() { Condition::Lost } else { Condition::Ready }
    }

    /// GPU launches of the last call.
    pub fn dispatches(&self) -> u64 {
        self.session.dispatches()
    }

    /// Feeds a whole prompt and waits for the logits after it.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn logits(&mut self, prompt: &[u32], chunk: Option<usize>) -> Result<Vec<f32>> {
        pteron_runtime::block_on(self.logits_async(prompt, chunk))
    }

    /// The logits after a whole prompt, fed in chunks of at most `chunk` tokens.
    ///
    /// What the prompt has in common with the tokens in the cache is not fed again.
    pub async fn logits_async(&mut self, prompt: &[u32], chunk: Option<usize>) -> Result<Vec<f32>> {
        let options = Generate::default().with_chunk(chunk);
        options.check()?;
        self.model.check_prompt(prompt)?;
        // Nobody else has the handle that would cancel it.
        let last = self.prefill(prompt, chunk, &options.cancel, |_| {}).await?.ok_or(Error::EmptyPrompt)?;
        let logits = self.session.logits(last, self.ids.len()).await?;
        self.ids.extend_from_slice(last);
        Ok(logits.as_slice().to_vec())
    }

    /// Generates an answer and waits for it; events come as it grows.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn generate(&mut self, prompt: &[u32], options: &Generate, on_event: impl FnMut(Event<'_>)) -> Result<Finish> {
        pteron_runtime::block_on(self.generate_async(prompt, options, on_event))
    }

    /// Generates an answer to a whole prompt; events come as it grows.
    ///
    /// What the prompt has in common with the tokens in the cache is not fed again. Everything that is wrong with the
    /// prompt or the options is an error before anything runs.
    pub async fn generate_async(
        &mut self,
        prompt: &[u32],
        options: &Generate,
        on_event: impl FnMut(Event<'_>),
    ) -> Result<Finish> {
        options.check()?;
        self.model.check_prompt(prompt)?;
        if !options.stop.is_empty() && self.model.tokenizer().is_none() {
            return Err(Error::Missing("stop strings need a tokenizer, and the model was loaded without one"));
        }
        let start = Instant::now();
        let model = self.model.clone();
        let mut acceptor = Acceptor::new(&model, options, on_event, prompt.len());
        self.forget_lost();
        let reused = self.reusable(prompt);
        let last = self.prefill(prompt, options.chunk, &options.cancel, |tokens| acceptor.prefilled(tokens)).await?;
        let reason = match last {
            None => StopReason::Cancelled,
            Some(last) if options.sampling.on_device(0).is_some() && self.session.draws_on_gpu().await => {
                device::decode(self, last, options, &mut acceptor).await?
            }
            Some(last) => host::decode(self, last, options, &mut acceptor).await?,
        };
        Ok(acceptor.finish(reason, start, reused))
    }

    /// Forgets the tokens of a cache that was lost with its device.
    fn forget_lost(&mut self) {
        if self.session.take_loss() {
            self.ids.clear();
        }
    }

    /// Tokens that a prompt has in common with the cache; at least one remains to be fed, so that there are logits.
    fn reusable(&self, prompt: &[u32]) -> usize {
        let common = self.ids.iter().zip(prompt).take_while(|(held, wanted)| held == wanted).count();
        common.min(prompt.len().saturating_sub(1))
    }

    /// Makes the cache hold a prompt up to its last chunk, which it gives back; nothing where it was cancelled.
    async fn prefill<'a>(
        &mut self,
        prompt: &'a [u32],
        chunk: Option<usize>,
        cancel: &Cancel,
        mut progress: impl FnMut(usize),
    ) -> Result<Option<&'a [u32]>> {
        let most = self.model.limits().chunk;
        self.forget_lost();
        self.ids.truncate(self.reusable(prompt));
        let mut parts = prompt.get(self.ids.len()..).unwrap_or_default().chunks(chunk.unwrap_or(most).clamp(1, most));
        let last = parts.next_back();
        for part in parts {
            if cancel.is_cancelled() {
                return Ok(None);
            }
            self.session.feed(part, self.ids.len()).await?;
            self.ids.extend_from_slice(part);
            progress(self.ids.len());
        }
        Ok(last.filter(|_| !cancel.is_cancelled()))
    }

    /// Whether a cache with so many tokens holds no more.
    pub(crate) fn is_full(&self, tokens: usize) -> bool {
        tokens >= self.model.limits().context
    }
}
