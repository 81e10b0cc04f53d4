//! What the host writes between calls that are submitted together.

use super::device::Gpu;
use super::own_launch::STORAGE_ALIGNMENT;

/// The least that a buffer holds.
const LEAST_BYTES: usize = 16 << 10;

/// Bytes that are in buffers of their own when commands are submitted, and come to their place when it is their turn.
#[derive(Debug, Default)]
pub(super) struct LaterWrites(Vec<(wgpu::Buffer, Vec<u8>)>);

impl LaterWrites {
    /// Takes bytes, and says where they will be.
    pub(super) fn put(&mut self, gpu: &Gpu, bytes: &[u8]) -> (wgpu::Buffer, u64) {
        let size = bytes.len().next_multiple_of(STORAGE_ALIGNMENT as usize);
        let has_room = |(_, taken): &(wgpu::Buffer, Vec<u8>)| taken.len() + size <= taken.capacity();
        if !self.0.last().is_some_and(has_room) {
            let capacity = size.max(LEAST_BYTES);
            let buffer = gpu.buffer(wgpu::BufferDescriptor {
                label: Some("later writes"),
                size: capacity as u64,
                usage: wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::STORAGE,
                mapped_at_creation: false,
            });
            self.0.push((buffer, Vec::with_capacity(capacity)));
        }
        let last = self.0.len() - 1;
        let (buffer, taken) = &mut self.0[last];
        let at = taken.len();
        taken.extend_from_slice(bytes);
        taken.resize(at + size, 0);
        (buffer.clone(), at as u64)
    }

    /// Writes all, for the commands that are submitted next.
    pub(super) fn flush(&mut self, gpu: &Gpu) {
        for (buffer, bytes) in self.0.drain(..) {
            gpu.write(&buffer, 0, &bytes);
        }
    }
}
