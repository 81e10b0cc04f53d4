//! How much memory the delegates of a method may take for their calls.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::Result;
use crate::graph::MethodGraph;
use crate::limits::{Limits, total};

/// What a method may take on the GPU, and what its delegates have taken.
#[derive(Debug)]
pub(crate) struct Room {
    limits: Limits,
    name: String,
    /// Constants and one state.
    held: u64,
    /// Inputs, outputs and intermediates of all delegates.
    taken: AtomicU64,
}

impl Room {
    /// The room of a method that holds its constants and one state.
    pub(crate) fn new(limits: Limits, graph: &MethodGraph) -> Room {
        Room { limits, name: graph.name.clone(), held: graph.gpu_bytes_held(), taken: AtomicU64::new(0) }
    }

    /// Takes room for bytes in the place of others. An error takes none.
    pub(super) fn exchange(&self, old: u64, new: u64) -> Result<()> {
        // A method records one call at a time, so nobody comes between.
        let others = self.taken.load(Ordering::Relaxed).saturating_sub(old);
        self.limits.check_gpu(&self.name, total([self.held, others, new]))?;
        self.taken.store(others.saturating_add(new), Ordering::Relaxed);
        Ok(())
    }
}
