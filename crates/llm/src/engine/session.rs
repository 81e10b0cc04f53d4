//! A conversation's part of an engine: calls on a key-value cache of its own.

use std::ops::Range;
use std::sync::Arc;

use pteron_ops::DrawSettings;
use pteron_runtime::{DType, HostTensor, Shape, Value};

use super::Engine;
use super::draw::PendingDraw;
use super::signature::{Logits, Positions, Signature};
use crate::error::{Error, Result};

/// A key-value cache on an engine, and the calls on it.
#[derive(Debug)]
pub(crate) struct Session {
    engine: Arc<Engine>,
    id: u64,
    dispatches: u64,
    /// How often the caches of all sessions were lost when this one's was looked at last.
    losses: u64,
}

/// The next tokens of a conversation.
#[derive(Debug)]
pub(crate) enum Tokens<'a> {
    Host(&'a [u32]),
    /// The token that an earlier call drew and that never left the device.
    Device(Value),
}

impl Session {
    pub(super) fn new(engine: Arc<Engine>, id: u64, losses: u64) -> Session {
        Session { engine, id, dispatches: 0, losses }
    }

    /// Whether the cache was lost since this was asked last, and is empty.
    pub(crate) fn take_loss(&mut self) -> bool {
        let losses = self.engine.losses();
        std::mem::replace(&mut self.losses, losses) != losses
    }

    /// An error where the cache was lost since that was asked last: what the caller thinks is in it is not.
    fn check_cache(&self) -> Result<()> {
        if self.losses == self.engine.losses() {
            return Ok(());
        }
        let text = "the key-value cache was lost with its device while it was in use: ask again";
        Err(pteron_runtime::Error::Device(text.to_owned()).into())
    }

    /// Whether tokens can be drawn on a GPU, so that calls need not wait for each other.
    pub(crate) async fn draws_on_gpu(&self) -> bool {
        self.engine.draw.is_some() && !self.engine.sessions().await.method.device().is_cpu()
    }

    /// GPU launches of the last call.
    pub(crate) fn dispatches(&self) -> u64 {
        self.dispatches
    }

    /// Feeds tokens that stand at `position` and after it, draws the next one, feeds that, and so on: a token for each of
    /// `settings`, in one submit. It does not wait. Whatever the cache held from `position` on is gone.
    ///
    /// Nothing happens and nothing comes back where a token on the device is to be fed that another session has
    /// overwritten since.
    pub(crate) async fn draw(
        &mut self,
        tokens: Tokens<'_>,
        position: usize,
        settings: &[DrawSettings],
    ) -> Result<Option<Vec<PendingDraw>>> {
        let ports = self.engine.draw.ok_or_else(|| Error::Program("it draws no tokens".to_owned()))?;
        let engine = self.engine.clone();
        let mut sessions = engine.sessions().await;
        let (tokens, count) = match tokens {
            Tokens::Host(ids) => (self.ids(ids)?, ids.len()),
            Tokens::Device(_) if sessions.active != Some(self.id) => return Ok(None),
            Tokens::Device(token) => (token, 1),
        };
        // The first call takes all tokens, and each after it the one that was drawn.
        let first = position.saturating_add(count);
        let later = (first..).map(|position| position..position.saturating_add(1));
        let positions = std::iter::once(position..first).chain(later);
        let calls =
            positions.zip(settings).map(|(positions, &settings)| self.inputs(tokens.clone(), positions, settings));
        let mut calls = calls.collect::<Result<Vec<_>>>()?;
        self.check_cache()?;
        sessions.activate(self.id)?;
        let inputs = |call: usize, before: &[Value]| {
            let mut inputs = std::mem::take(&mut calls[call]);
            if let (Some(input), Some(token)) = (inputs.first_mut(), before.get(ports.token)) {
                *input = token.clone();
            }
            inputs
        };
        let submitted = sessions.method.submit_series_async(settings.len(), &[ports.token], inputs).await?;
        self.dispatches = sessions.method.dispatches();
        Ok(Some(submitted.into_iter().map(|submitted| PendingDraw { submitted, token: ports.token }).collect()))
    }

    /// Feeds tokens of the host, and waits until they are in the cache.
    pub(crate) async fn feed(&mut self, ids: &[u32], position: usize) -> Result<()> {
        // The smallest result that tells when the call is done.
        let smallest = self.engine.draw.map_or(self.engine.signature.logits, |ports| ports.token);
        self.call(ids, position, smallest).await?;
        Ok(())
    }

    /// Feeds tokens of the host, and waits for the logits after them.
    pub(crate) async fn logits(&mut self, ids: &[u32], position: usize) -> Result<Logits> {
        let Signature { logits, vocabulary, .. } = self.engine.signature;
        Logits::last(&self.call(ids, position, logits).await?, vocabulary)
    }

    /// Feeds tokens of the host, and waits for an output.
    async fn call(&mut self, ids: &[u32], position: usize, output: usize) -> Result<HostTensor> {
        let engine = self.engine.clone();
        let tokens = self.ids(ids)?;
        let mut sessions = engine.sessions().await;
        let positions = position..position.saturating_add(ids.len());
        let inputs = self.inputs(tokens, positions, DrawSettings::default())?;
        self.check_cache()?;
        sessions.activate(self.id)?;
        let submitted = sessions.method.submit_async(&inputs, &[output]).await?;
        self.dispatches = sessions.method.dispatches();
        drop(sessions);
        let mut results = submitted.read_async().await?.into_iter();
        results.next().ok_or_else(|| Error::Program(format!("a call gave no output {output}")))
    }

    /// The inputs of a call.
    fn inputs(&self, tokens: Value, positions: Range<usize>, settings: DrawSettings) -> Result<Vec<Value>> {
        let signature = self.engine.signature;
        let count = match signature.positions {
            Positions::First => 1,
            Positions::Each => positions.len(),
        };
        let positions = positions.take(count).map(|position| i64::try_from(position).unwrap_or(i64::MAX));
        let positions = integers(signature.position_type, positions, &[count])?;
        let mut inputs = vec![tokens, positions];
        if let Some(ports) = self.engine.draw {
            inputs.resize(inputs.len().max(ports.settings + 1), Value::Null);
            inputs[ports.settings] = settings.to_tensor().map_err(pteron_runtime::Error::from)?.into();
        }
        Ok(inputs)
    }

    fn ids(&self, ids: &[u32]) -> Result<Value> {
        integers(self.engine.signature.token_type, ids.iter().map(|&id| i64::from(id)), &[1, ids.len()])
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        if let Ok(mut ended) = self.engine.ended.lock() {
            ended.push(self.id);
        }
    }
}

fn integers(dtype: DType, values: impl IntoIterator<Item = i64>, dims: &[usize]) -> Result<Value> {
    let shape = Shape::new(dims).map_err(pteron_runtime::Error::from)?;
    Ok(HostTensor::from_i64s(dtype, shape, values).map_err(pteron_runtime::Error::from)?.into())
}
