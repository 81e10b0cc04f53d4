//! The memory of a graph on the GPU: constants, inputs and outputs, and buffers that intermediates share.

use std::collections::HashMap;
use std::sync::Arc;

use super::device::Gpu;
use super::room::Room;
use super::state::GpuState;
use super::storage::Storage;
use crate::error::{Error, Result};
use crate::plan::{Memory, MemoryPlan, buffer_bytes};

/// The memory of a graph, except its state. Buffers grow with the plans that use them, and never shrink.
#[derive(Debug)]
pub(super) struct GraphMemory {
    gpu: Arc<Gpu>,
    room: Arc<Room>,
    /// One buffer per entry of [`Graph::constants`](crate::graph::Graph::constants).
    pub(super) constants: Vec<Storage>,
    /// Buffers of inputs and outputs, by value id.
    boundary: HashMap<u32, Storage>,
    intermediates: Vec<Storage>,
    /// Where kernels report what only they can know.
    pub(super) status: Storage,
    /// Grows when a buffer is replaced, which outdates bind groups.
    pub(super) generation: u64,
}

impl GraphMemory {
    /// Constants, and nothing for any plan.
    pub(super) fn new(gpu: Arc<Gpu>, constants: Vec<Storage>, room: Arc<Room>) -> GraphMemory {
        let status = gpu.storage("status", 16);
        let (boundary, intermediates) = (HashMap::new(), Vec::new());
        GraphMemory { gpu, room, constants, boundary, intermediates, status, generation: 0 }
    }

    /// Makes every buffer that a plan uses large enough; whether any was replaced. An error leaves all as they are.
    pub(super) fn make_room(&mut self, plan: &MemoryPlan) -> Result<bool> {
        let boundary = plan.boundary.iter().map(|&(id, bytes)| (Memory::Boundary(id), "boundary", bytes));
        let intermediates = (0..).zip(&plan.intermediates);
        let intermediates = intermediates.map(|(at, &bytes)| (Memory::Intermediate(at), "intermediate", bytes));
        let limit = self.gpu.caps.max_buffer_bytes;
        let (mut grown, mut old_bytes, mut new_bytes) = (Vec::new(), 0, 0u64);
        for (memory, label, bytes) in boundary.chain(intermediates) {
            let old = match memory {
                Memory::Boundary(id) => self.boundary.get(&id),
                Memory::Intermediate(at) => self.intermediates.get(at),
                Memory::Constant(_) | Memory::State(_) => continue,
            };
            if old.is_some_and(|buffer| buffer.size() >= buffer_bytes(bytes)) {
                continue;
            }
            if bytes > limit {
                return Err(Error::Device(format!("a tensor takes {bytes} bytes, and buffers hold at most {limit}")));
            }
            old_bytes += old.map_or(0, |buffer| buffer.size());
            new_bytes = new_bytes.saturating_add(buffer_bytes(bytes));
            grown.push((memory, label, bytes));
        }
        if grown.is_empty() {
            return Ok(false);
        }
        self.room.exchange(old_bytes, new_bytes)?;
        let allocate = |(memory, label, bytes)| (memory, self.gpu.storage(label, bytes));
        let grown: Vec<_> = grown.into_iter().map(allocate).collect();
        if let Err(error) = self.gpu.check() {
            self.room.exchange(new_bytes, old_bytes)?;
            return Err(error);
        }
        for (memory, buffer) in grown {
            match memory {
                Memory::Boundary(id) => drop(self.boundary.insert(id, buffer)),
                Memory::Intermediate(at) if at < self.intermediates.len() => self.intermediates[at] = buffer,
                // In the order of their numbers.
                _ => self.intermediates.push(buffer),
            }
        }
        self.generation += 1;
        Ok(true)
    }

    /// The buffer of some memory, where a plan was given room for it.
    pub(super) fn buffer<'a>(&'a self, memory: Memory, state: &'a GpuState) -> Result<&'a Storage> {
        let buffer = match memory {
            Memory::Constant(constant) => self.constants.get(constant),
            Memory::State(id) => state.buffer(id),
            Memory::Boundary(id) => self.boundary.get(&id),
            Memory::Intermediate(at) => self.intermediates.get(at),
        };
        buffer.ok_or_else(|| Error::Program(format!("{memory:?} was given no room")))
    }

    /// The buffer of an input or output.
    pub(super) fn boundary(&self, id: u32) -> Option<&Storage> {
        self.boundary.get(&id)
    }

    /// Bytes of inputs, outputs and intermediates.
    pub(super) fn scratch_bytes(&self) -> u64 {
        self.boundary.values().chain(&self.intermediates).map(|buffer| buffer.size()).sum()
    }
}
