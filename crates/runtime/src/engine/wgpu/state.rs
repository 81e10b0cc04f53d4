//! The state of a delegate on the GPU: one buffer for each value that persists between calls.

use std::collections::HashMap;
use std::sync::{Arc, Weak};

use super::device::Gpu;
use super::storage::Storage;
use crate::graph::{Graph, Role, TensorValue, Value};
use crate::plan::buffer_bytes;

/// The state of a delegate: a buffer for each value that persists between calls.
#[derive(Debug)]
pub(crate) struct GpuState {
    /// What bind groups know it by; it is gone when the state is.
    identity: Arc<()>,
    /// By value id.
    buffers: HashMap<u32, Storage>,
}

impl GpuState {
    /// A state with its first values, which are copied from one buffer per entry of [`Graph::constants`].
    pub(super) fn new(gpu: &Gpu, graph: &Graph, constants: &[Storage]) -> GpuState {
        let buffers = values(graph).map(|(id, tensor, _)| (id, gpu.storage("state", bytes(tensor))));
        let state = GpuState { identity: Arc::new(()), buffers: buffers.collect() };
        state.reset(gpu, graph, constants);
        state
    }

    /// Sets every value back to its first.
    pub(super) fn reset(&self, gpu: &Gpu, graph: &Graph, constants: &[Storage]) {
        if self.buffers.is_empty() {
            return;
        }
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        for (id, tensor, constant) in values(graph) {
            let bytes = buffer_bytes(bytes(tensor));
            encoder.copy_buffer_to_buffer(&constants[constant], 0, &self.buffers[&id], 0, bytes);
        }
        gpu.submit(Some(encoder));
    }

    /// A copy, as the calls that are submitted leave the state.
    pub(super) fn copied(&self, gpu: &Gpu) -> GpuState {
        let buffers = self.buffers.iter().map(|(&id, buffer)| (id, gpu.storage("state", buffer.size())));
        let copy = GpuState { identity: Arc::new(()), buffers: buffers.collect() };
        copy.copy_from(gpu, self);
        copy
    }

    /// Sets every value to that of another state of the same graph.
    pub(super) fn copy_from(&self, gpu: &Gpu, other: &GpuState) {
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        for (id, buffer) in &self.buffers {
            if let Some(from) = other.buffers.get(id) {
                encoder.copy_buffer_to_buffer(from, 0, buffer, 0, buffer.size());
            }
        }
        gpu.submit(Some(encoder));
    }

    /// The buffer of a value that persists.
    pub(super) fn buffer(&self, id: u32) -> Option<&Storage> {
        self.buffers.get(&id)
    }

    /// What outlives the state without keeping its memory.
    pub(super) fn identity(&self) -> Weak<()> {
        Arc::downgrade(&self.identity)
    }

    /// Bytes of GPU memory.
    pub(crate) fn bytes(&self) -> u64 {
        self.buffers.values().map(|buffer| buffer.size()).sum()
    }
}

fn bytes(tensor: &TensorValue) -> u64 {
    tensor.shape.numel() as u64 * tensor.dtype.size() as u64
}

/// The values that persist, each with the constant that it begins as.
fn values(graph: &Graph) -> impl Iterator<Item = (u32, &TensorValue, usize)> {
    (0u32..).zip(&graph.values).filter_map(|(id, value)| match value {
        Value::Tensor(tensor) => match tensor.role {
            Role::State(constant) => Some((id, tensor, constant)),
            _ => None,
        },
        _ => None,
    })
}
