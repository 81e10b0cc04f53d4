//! A loaded method that takes tokens at a position and gives the logits after them.

mod draw;
mod session;
mod signature;

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use async_lock::{Mutex, MutexGuard};
use pteron_runtime::{Device, GpuBytes, Method, MethodOptions, Program, State};

use self::draw::DrawPorts;
pub(crate) use self::draw::PendingDraw;
pub(crate) use self::session::{Session, Tokens};
pub(crate) use self::signature::{Hints, Signature};
use crate::error::Result;

/// A loaded method that sessions share. Each has a key-value cache of its own.
#[derive(Debug)]
pub(crate) struct Engine {
    sessions: Mutex<Sessions>,
    signature: Signature,
    notes: Vec<String>,
    /// Where the method draws the next token, where it does.
    draw: Option<DrawPorts>,
    next_session: AtomicU64,
    /// How often the caches of all sessions were lost with their device.
    losses: AtomicU64,
    /// Sessions that have ended. Their caches are freed before the next call.
    ended: std::sync::Mutex<Vec<u64>>,
}

/// The method, and the caches of all sessions.
#[derive(Debug)]
struct Sessions {
    method: Method,
    /// The session whose cache the method holds; none before the first and after the last.
    active: Option<u64>,
    /// The caches of the others.
    inactive: HashMap<u64, State>,
}

impl Engine {
    /// Loads a method; the device draws tokens where the method lets it.
    pub(crate) async fn load(program: &Program, name: &str, options: &MethodOptions, hints: Hints) -> Result<Engine> {
        let specs = program.signature(name)?;
        let signature = Signature::of(&specs.inputs, &specs.outputs, hints)?;
        let (method, draw) = match load_with_draw(program, name, options, &signature).await? {
            Some((method, ports)) => (method, Some(ports)),
            None => (program.load_async(name, options).await?, None),
        };
        Ok(Engine {
            signature,
            notes: method.notes(),
            draw,
            sessions: Mutex::new(Sessions { method, active: None, inactive: HashMap::new() }),
            next_session: AtomicU64::new(0),
            losses: AtomicU64::new(0),
            ended: std::sync::Mutex::default(),
        })
    }

    /// A new session, with an empty cache.
    pub(crate) async fn session(self: &Arc<Engine>) -> Result<Session> {
        let id = self.next_session.fetch_add(1, Ordering::Relaxed);
        let mut sessions = self.sessions().await;
        if sessions.active.is_none() {
            sessions.active = Some(id);
        } else {
            let state = sessions.method.new_state()?;
            sessions.inactive.insert(id, state);
        }
        Ok(Session::new(self.clone(), id, self.losses()))
    }

    /// Loads the method anew, on a device in the place of one that is lost. All caches are empty after that.
    pub(crate) async fn restore(&self, program: &Program) -> Result<Device> {
        let mut sessions = self.sessions().await;
        program.restore_async(&mut sessions.method).await?;
        sessions.active = None;
        sessions.inactive.clear();
        self.losses.fetch_add(1, Ordering::Relaxed);
        Ok(sessions.method.device().clone())
    }

    /// How often the caches of all sessions were lost.
    pub(crate) fn losses(&self) -> u64 {
        self.losses.load(Ordering::Relaxed)
    }

    pub(crate) fn signature(&self) -> Signature {
        self.signature
    }

    pub(crate) fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The memory on the GPU, with all caches.
    pub(crate) async fn gpu_bytes(&self) -> GpuBytes {
        let sessions = self.sessions().await;
        let mut bytes = sessions.method.gpu_bytes();
        bytes.state += sessions.inactive.values().map(State::gpu_bytes).sum::<u64>();
        bytes
    }

    /// The method, without the caches of sessions that have ended.
    async fn sessions(&self) -> MutexGuard<'_, Sessions> {
        let mut sessions = self.sessions.lock().await;
        let ended = self.ended.lock().map(|mut ended| std::mem::take(&mut *ended)).unwrap_or_default();
        for id in ended {
            sessions.inactive.remove(&id);
            sessions.active = sessions.active.filter(|active| *active != id);
        }
        sessions
    }
}

/// Loads a method that also draws tokens. There is none where the logits are not one row, or not a delegate's result.
async fn load_with_draw(
    program: &Program,
    name: &str,
    options: &MethodOptions,
    signature: &Signature,
) -> Result<Option<(Method, DrawPorts)>> {
    if !signature.is_one_row {
        return Ok(None);
    }
    match program.load_async(name, &draw::options(options, signature)?).await {
        Ok(method) => {
            let ports = DrawPorts::of(&method)?;
            Ok(Some((method, ports)))
        }
        Err(error @ pteron_runtime::Error::Append { .. }) => {
            tracing::debug!(%error, "tokens are chosen on the host");
            Ok(None)
        }
        Err(error) => Err(error.into()),
    }
}

impl Sessions {
    /// Gives the method to a session.
    fn activate(&mut self, id: u64) -> Result<()> {
        if self.active == Some(id) {
            return Ok(());
        }
        let mut state = match self.inactive.remove(&id) {
            Some(state) => state,
            // The cache was lost with its device. That of the method is as good as a new one where nobody has it.
            None if self.active.is_none() => {
                self.active = Some(id);
                return Ok(());
            }
            None => self.method.new_state()?,
        };
        match self.method.swap_state(&mut state) {
            Ok(()) => {
                self.active.replace(id).map(|before| self.inactive.insert(before, state));
                Ok(())
            }
            Err(error) => {
                self.inactive.insert(id, state);
                Err(error.into())
            }
        }
    }
}
