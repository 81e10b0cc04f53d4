//! One conversation on a model: the tokens that its key-value cache holds.

use web_time::Instant;

use crate::cancel::Cancel;
use crate::decode::{Acceptor, host};
use crate::engine::{Engine, Logits};
use crate::error::{Error, Result};
use crate::generate::{Event, Finish, Generate, StopReason};
use crate::model::Model;
use crate::timings::Timings;

/// A conversation, with a key-value cache of its own.
///
/// After a call that failed or was cancelled it is usable: [`Conversation::ids`] is what the cache holds.
#[derive(Debug)]
pub struct Conversation {
    model: Model,
    engine: Engine,
    /// What the cache holds. Rows after these are old, and are overwritten before they are read.
    ids: Vec<u32>,
}

impl Conversation {
    pub(crate) fn new(model: Model, engine: Engine) -> Conversation {
        Conversation { model, engine, ids: Vec::new() }
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

    /// GPU launches of the last call.
    pub fn dispatches(&self) -> u64 {
        self.engine.method().dispatches()
    }

    /// Bytes on the GPU: the model's constants, and everything else of this conversation.
    pub fn gpu_bytes(&self) -> (u64, u64) {
        self.engine.method().gpu_bytes()
    }

    /// What a user should know about how the model runs on this device.
    pub fn notes(&self) -> Vec<String> {
        self.engine.method().notes()
    }

    /// Feeds a whole prompt and waits for the logits after it.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn logits(&mut self, prompt: &[u32], chunk: Option<usize>) -> Result<Vec<f32>> {
        pollster::block_on(self.logits_async(prompt, chunk))
    }

    /// The logits after a whole prompt, fed in chunks of at most `chunk` tokens.
    ///
    /// What the prompt has in common with the tokens in the cache is not fed again.
    pub async fn logits_async(&mut self, prompt: &[u32], chunk: Option<usize>) -> Result<Vec<f32>> {
        let options = Generate { chunk, ..Generate::default() };
        options.check()?;
        self.model.check_prompt(prompt)?;
        match self.feed(prompt, chunk, &options.cancel, |_| {}).await? {
            Some(logits) => Ok(logits.as_slice().to_vec()),
            None => Err(Error::EmptyPrompt),
        }
    }

    /// Generates an answer and waits for it; events come as it grows.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn generate(&mut self, prompt: &[u32], options: &Generate, on_event: impl FnMut(Event<'_>)) -> Result<Finish> {
        pollster::block_on(self.generate_async(prompt, options, on_event))
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
        let mut acceptor = Acceptor::new(&model, options, on_event);
        let reused = self.reusable(prompt);
        let progress = |tokens| acceptor.prefilled(tokens, prompt.len());
        let logits = self.feed(prompt, options.chunk, &options.cancel, progress).await?;
        let prefill = start.elapsed();
        let fed = self.ids.len() - reused;
        let reason = match logits {
            Some(logits) => host::decode(self, logits, options, &mut acceptor).await?,
            None => StopReason::Cancelled,
        };
        acceptor.finish(reason);
        let (first_token, decode) = acceptor.times(start);
        let timings = Timings {
            prefill_tokens: fed,
            reused_tokens: reused,
            prefill,
            first_token,
            decode_tokens: acceptor.ids.len().saturating_sub(1),
            decode,
        };
        Ok(Finish { reason, ids: acceptor.ids, text: acceptor.text, timings })
    }

    /// Tokens that a prompt has in common with the cache; at least one remains to be fed, so that there are logits.
    fn reusable(&self, prompt: &[u32]) -> usize {
        let common = self.ids.iter().zip(prompt).take_while(|(held, wanted)| held == wanted).count();
        common.min(prompt.len().saturating_sub(1))
    }

    /// Makes the cache hold a prompt, and gives the logits after it; nothing where it was cancelled on the way.
    async fn feed(
        &mut self,
        prompt: &[u32],
        chunk: Option<usize>,
        cancel: &Cancel,
        mut progress: impl FnMut(usize),
    ) -> Result<Option<Logits>> {
        let most = self.model.limits().chunk;
        let reused = self.reusable(prompt);
        self.ids.truncate(reused);
        let mut logits = None;
        for part in prompt.get(reused..).unwrap_or_default().chunks(chunk.unwrap_or(most).clamp(1, most)) {
            if cancel.is_cancelled() {
                return Ok(None);
            }
            logits = Some(self.engine.feed(part, self.ids.len()).await?);
            self.ids.extend_from_slice(part);
            progress(self.ids.len());
        }
        Ok(logits)
    }

    /// Whether the cache holds as many tokens as it can.
    pub(crate) fn is_full(&self) -> bool {
        self.ids.len() >= self.model.limits().context
    }

    /// Feeds one token after those in the cache.
    pub(crate) async fn step(&mut self, id: u32) -> Result<Logits> {
        let logits = self.engine.feed(&[id], self.ids.len()).await?;
        self.ids.push(id);
        Ok(logits)
    }
}
