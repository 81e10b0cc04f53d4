//! A loaded method that takes tokens at a position and gives the logits after them.

pub(crate) mod signature;

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use async_lock::{Mutex, MutexGuard};
use pteron_ops::DrawSettings;
use pteron_runtime::{
    DType, ErrorKind, GpuBytes, HostTensor, Method, MethodOptions, Precision, Program, State, Submitted, Value,
};

use self::signature::{Logits, Signature};
use crate::error::{Error, Result};

/// A loaded method that conversations take turns on. Each has a seat, which keeps its key-value cache.
#[derive(Debug)]
pub(crate) struct Engine {
    turns: Mutex<Turns>,
    signature: Signature,
    notes: Vec<String>,
    /// Whether the method also gives the next token, chosen on the device.
    chooses: bool,
    seats: AtomicU64,
    /// Seats whose conversations have ended. Their caches are freed at the next turn.
    gone: std::sync::Mutex<Vec<u64>>,
}

/// Whose turn it is.
#[derive(Debug)]
struct Turns {
    method: Method,
    /// The seat whose cache the method holds; nobody's before the first and after the last.
    current: Option<u64>,
    /// The caches of the others.
    parked: HashMap<u64, State>,
}

/// A conversation's place at a method.
#[derive(Debug)]
pub(crate) struct Seat {
    engine: Arc<Engine>,
    number: u64,
    dispatches: u64,
}

/// The next tokens of a conversation.
#[derive(Debug)]
pub(crate) enum Tokens<'a> {
    Host(&'a [u32]),
    /// The token that an earlier call chose and that never left the device.
    Chosen(Value),
}

/// What a call is to bring to the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Want {
    Logits,
    Token,
}

/// A call that may still run.
#[derive(Debug)]
pub(crate) struct Flight {
    submitted: Submitted,
    vocabulary: usize,
}

impl Engine {
    pub(crate) async fn load(program: &Program, name: &str, precision: Precision) -> Result<Engine> {
        let options = MethodOptions { precision, next_token: true, ..MethodOptions::default() };
        let (method, chooses) = match program.method_with_async(name, &options).await {
            Ok(method) => (method, true),
            Err(error) if error.kind() == ErrorKind::Input => {
                tracing::debug!(%error, "tokens are chosen on the host");
                let options = MethodOptions { next_token: false, ..options };
                (program.method_with_async(name, &options).await?, false)
            }
            Err(error) => return Err(error.into()),
        };
        let (mut inputs, mut outputs) = (method.inputs(), method.outputs());
        if chooses {
            // The settings of the choice, and the token.
            inputs.pop();
            outputs.pop();
        }
        Ok(Engine {
            signature: Signature::of(&inputs, &outputs)?,
            notes: method.notes(),
            chooses,
            turns: Mutex::new(Turns { method, current: None, parked: HashMap::new() }),
            seats: AtomicU64::new(0),
            gone: std::sync::Mutex::default(),
        })
    }

    /// A new seat, with an empty cache.
    pub(crate) async fn seat(self: &Arc<Engine>) -> Result<Seat> {
        let number = self.seats.fetch_add(1, Ordering::Relaxed);
        let mut turns = self.turns().await;
        if turns.current.is_none() {
            turns.current = Some(number);
        } else {
            let state = turns.method.new_state()?;
            turns.parked.insert(number, state);
        }
        Ok(Seat { engine: self.clone(), number, dispatches: 0 })
    }

    pub(crate) fn signature(&self) -> Signature {
        self.signature
    }

    pub(crate) fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The memory on the GPU, with all caches.
    pub(crate) async fn gpu_bytes(&self) -> GpuBytes {
        let turns = self.turns().await;
        let mut bytes = turns.method.gpu_bytes();
        bytes.state += turns.parked.values().map(State::gpu_bytes).sum::<u64>();
        bytes
    }

    /// The method, without the caches of conversations that have ended.
    async fn turns(&self) -> MutexGuard<'_, Turns> {
        let mut turns = self.turns.lock().await;
        let gone = self.gone.lock().map(|mut gone| std::mem::take(&mut *gone)).unwrap_or_default();
        for number in gone {
            turns.parked.remove(&number);
            turns.current = turns.current.filter(|current| *current != number);
        }
        turns
    }
}

impl Turns {
    /// Gives the method to a seat.
    fn take(&mut self, number: u64) -> Result<()> {
        if self.current == Some(number) {
            return Ok(());
        }
        let Some(mut state) = self.parked.remove(&number) else {
            return Err(Error::Program("the key-value cache of a conversation is lost".to_owned()));
        };
        let swapped = self.method.swap_state(&mut state);
        match (swapped, self.current) {
            (Ok(()), current) => {
                current.map(|current| self.parked.insert(current, state));
                self.current = Some(number);
                Ok(())
            }
            (Err(error), _) => {
                self.parked.insert(number, state);
                Err(error.into())
            }
        }
    }
}

impl Seat {
    /// Whether tokens can be chosen on a GPU, so that calls need not wait for each other.
    pub(crate) async fn chooses_on_gpu(&self) -> bool {
        self.engine.chooses && !self.engine.turns().await.method.device().is_cpu()
    }

    /// GPU launches of the last call.
    pub(crate) fn dispatches(&self) -> u64 {
        self.dispatches
    }

    /// Feeds tokens that stand at `position` and after it, and does not wait. Whatever the cache held from there on is
    /// gone.
    ///
    /// Nothing happens and nothing comes back where a chosen token is to be fed that another conversation has
    /// overwritten since.
    pub(crate) async fn submit(
        &mut self,
        tokens: Tokens<'_>,
        position: usize,
        settings: DrawSettings,
        want: Want,
    ) -> Result<Option<Flight>> {
        let Signature { tokens: token_type, position: position_type, vocabulary, .. } = self.engine.signature;
        let mut turns = self.engine.turns().await;
        let tokens = match tokens {
            Tokens::Host(ids) => integers(token_type, ids.iter().map(|&id| i64::from(id)), &[1, ids.len()])?,
            Tokens::Chosen(_) if turns.current != Some(self.number) => return Ok(None),
            Tokens::Chosen(token) => token,
        };
        let position = i64::try_from(position).unwrap_or(i64::MAX);
        let mut inputs = vec![tokens, integers(position_type, [position], &[1])?];
        if self.engine.chooses {
            inputs.push(settings.to_tensor().map_err(pteron_runtime::Error::from)?.into());
        }
        let wanted: &[usize] = match want {
            Want::Logits => &[0],
            Want::Token => &[1],
        };
        turns.take(self.number)?;
        let submitted = turns.method.submit_async(&inputs, wanted).await?;
        self.dispatches = turns.method.dispatches();
        Ok(Some(Flight { submitted, vocabulary }))
    }

    /// Feeds tokens of the host, and waits until they are in the cache.
    pub(crate) async fn advance(&mut self, ids: &[u32], position: usize) -> Result<()> {
        // The smallest result that tells when the call is done.
        let want = if self.engine.chooses { Want::Token } else { Want::Logits };
        if let Some(flight) = self.submit(Tokens::Host(ids), position, DrawSettings::default(), want).await? {
            flight.submitted.read().await?;
        }
        Ok(())
    }

    /// Feeds tokens of the host, and waits for the logits after them.
    pub(crate) async fn feed(&mut self, ids: &[u32], position: usize) -> Result<Logits> {
        let flight = self.submit(Tokens::Host(ids), position, DrawSettings::default(), Want::Logits).await?;
        let lost = || Error::Program("a call gave nothing".to_owned());
        flight.ok_or_else(lost)?.logits().await
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        if let Ok(mut gone) = self.engine.gone.lock() {
            gone.push(self.number);
        }
    }
}

impl Flight {
    /// The token that the call chooses, on the device.
    pub(crate) fn chosen(&self) -> Option<Value> {
        self.submitted.outputs().get(1).cloned()
    }

    /// Waits for the logits, where they are what the call is to bring.
    pub(crate) async fn logits(self) -> Result<Logits> {
        let results = self.submitted.read().await?;
        let logits = results.first().ok_or_else(|| Error::Program("a call gave no logits".to_owned()))?;
        Logits::last(logits, self.vocabulary)
    }

    /// Waits for the token, where it is what the call is to bring; there is none where no logit is a finite number.
    pub(crate) async fn token(self) -> Result<Option<u32>> {
        let results = self.submitted.read().await?;
        let token = results.first().and_then(|token| token.to_i64s().first().copied());
        let token = token.ok_or_else(|| Error::Program("a call gave no token".to_owned()))?;
        Ok(u32::try_from(token).ok())
    }
}

fn integers(dtype: DType, values: impl IntoIterator<Item = i64>, dims: &[usize]) -> Result<Value> {
    let shape = pteron_runtime::Shape::new(dims).map_err(pteron_runtime::Error::from)?;
    Ok(HostTensor::from_i64s(dtype, shape, values).map_err(pteron_runtime::Error::from)?.into())
}
