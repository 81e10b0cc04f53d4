//! Buffers: constants streamed to the GPU, and staging memory for readback that is used again.

use std::sync::{Arc, Mutex};

use pteron_tensor::HostTensor;

use super::device::Gpu;
use super::record::DeviceTensor;
use super::storage::Storage;
use crate::data::DataFiles;
use crate::error::{Error, Result};
use crate::graph::Constant;
use crate::limits::Deadline;
use crate::plan::buffer_bytes;
use crate::types;

/// Bytes of a constant that travel at a time.
const CHUNK: u64 = 4 << 20;
/// Bytes that may be on their way before the GPU must catch up. wgpu keeps a host copy of each until then.
const IN_FLIGHT: u64 = 16 << 20;

impl Gpu {
    /// A buffer that kernels can use.
    pub(crate) fn storage(&self, label: &str, bytes: u64) -> Storage {
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC;
        let size = buffer_bytes(bytes);
        let descriptor = wgpu::BufferDescriptor { label: Some(label), size, usage, mapped_at_creation: false };
        #[cfg(feature = "fault-injection")]
        if let Some(guarded) = self.guarded(&descriptor) {
            return guarded;
        }
        // Whether there is memory is looked at before the buffer is used.
        Storage::new(self.buffer(descriptor), &self.retired)
    }

    /// A buffer. What goes wrong is noted.
    pub(super) fn buffer(&self, descriptor: wgpu::BufferDescriptor<'_>) -> wgpu::Buffer {
        #[cfg(feature = "fault-injection")]
        let descriptor = self.failing_buffer(descriptor);
        self.faults.during(&self.device, || self.device.create_buffer(&descriptor))
    }

    /// What is made in the place of a buffer, where a test has that fail.
    #[cfg(feature = "fault-injection")]
    fn failing_buffer<'a>(&self, descriptor: wgpu::BufferDescriptor<'a>) -> wgpu::BufferDescriptor<'a> {
        use super::inject::{Fault, Site};

        // No buffer can be all of this.
        let usage = wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::STORAGE;
        match self.faults.injector().at(Site::Allocation) {
            Some(Fault::Lost) => self.destroy(),
            Some(Fault::OutOfMemory) => {
                self.faults.note("out of memory".to_owned());
                return wgpu::BufferDescriptor { usage, ..descriptor };
            }
            Some(Fault::Refused) => return wgpu::BufferDescriptor { usage, ..descriptor },
            Some(Fault::Stuck | Fault::Untold) | None => {}
        }
        descriptor
    }

    /// Submits commands. What goes wrong is noted.
    pub(super) fn submit(&self, encoder: Option<wgpu::CommandEncoder>) -> wgpu::SubmissionIndex {
        self.submit_after(Vec::new(), encoder)
    }

    /// The same, with commands that come before those of the encoder.
    pub(super) fn submit_after(
        &self,
        finished: Vec<wgpu::CommandBuffer>,
        encoder: Option<wgpu::CommandEncoder>,
    ) -> wgpu::SubmissionIndex {
        #[cfg(feature = "fault-injection")]
        let encoder = self.failing_commands(encoder);
        self.queue.submit(finished.into_iter().chain(encoder.map(wgpu::CommandEncoder::finish)))
    }

    /// What is submitted in the place of commands, where a test has that fail.
    #[cfg(feature = "fault-injection")]
    fn failing_commands(&self, encoder: Option<wgpu::CommandEncoder>) -> Option<wgpu::CommandEncoder> {
        use super::inject::{Fault, Site};

        match self.faults.injector().at(Site::Submit) {
            Some(Fault::Lost) => self.destroy(),
            Some(Fault::OutOfMemory | Fault::Refused) => {
                let mut encoder = encoder.unwrap_or_else(|| self.device.create_command_encoder(&Default::default()));
                // A group that was never begun.
                encoder.pop_debug_group();
                return Some(encoder);
            }
            Some(Fault::Stuck | Fault::Untold) | None => {}
        }
        encoder
    }

    /// A buffer for uniforms.
    pub(crate) fn uniforms(&self, bytes: u64) -> wgpu::Buffer {
        self.buffer(wgpu::BufferDescriptor {
            label: Some("uniforms"),
            size: buffer_bytes(bytes),
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        })
    }

    /// Writes bytes to the start of a buffer. Whatever pads the last word is zero.
    pub(crate) fn write(&self, buffer: &wgpu::Buffer, offset: u64, bytes: &[u8]) {
        let whole = bytes.len() / 4 * 4;
        if whole > 0 {
            self.queue.write_buffer(buffer, offset, &bytes[..whole]);
        }
        if whole < bytes.len() {
            let mut word = [0; 4];
            word[..bytes.len() - whole].copy_from_slice(&bytes[whole..]);
            self.queue.write_buffer(buffer, offset + whole as u64, &word);
        }
    }
}

/// Moves constants from files to the GPU in pieces, so that the host never holds more than a few of them.
#[derive(Debug)]
pub(crate) struct Uploader<'a> {
    gpu: &'a Gpu,
    in_flight: u64,
}

impl<'a> Uploader<'a> {
    pub(crate) fn new(gpu: &'a Gpu) -> Uploader<'a> {
        Uploader { gpu, in_flight: 0 }
    }

    /// A new buffer with a constant's bytes. `sent` is told of every piece.
    pub(crate) async fn upload(
        &mut self,
        constant: &Constant,
        files: &DataFiles,
        sent: &mut impl FnMut(u64),
    ) -> Result<Storage> {
        let bytes = constant.shape.numel() as u64 * constant.dtype.size() as u64;
        let buffer = self.gpu.storage("constant", bytes);
        self.gpu.check()?;
        let total = constant.shape.numel() as u64 * constant.stored.size() as u64;
        let mut at = 0;
        while at < total {
            let end = constant.data.piece_end(at, CHUNK).min(total);
            let piece = files.load_piece(&constant.data, at..end, total).await?;
            let converted = types::constant_to_device(&piece, constant.stored, constant.dtype)?;
            self.gpu.write(&buffer, at / constant.stored.size() as u64 * constant.dtype.size() as u64, &converted);
            self.in_flight += end - at;
            sent(end - at);
            at = end;
            if self.in_flight >= IN_FLIGHT {
                self.flush().await?;
            }
        }
        Ok(buffer)
    }

    /// Waits until everything has arrived.
    pub(crate) async fn flush(&mut self) -> Result<()> {
        let submission = self.gpu.submit(None);
        self.in_flight = 0;
        self.gpu.finished(Some(submission), &Deadline::usual()).await
    }
}

/// Buffers for readback that are not in use.
#[derive(Clone, Debug, Default)]
pub(crate) struct StagingPool(Arc<Mutex<Vec<wgpu::Buffer>>>);

impl StagingPool {
    /// The most that waits for use; more is let go.
    const KEPT: usize = 64;

    /// A buffer of at least this size.
    pub(super) fn take(&self, gpu: &Gpu, bytes: u64) -> wgpu::Buffer {
        if let Ok(mut pool) = self.0.lock() {
            let fits = |buffer: &wgpu::Buffer| buffer.size() >= bytes && buffer.size() / 4 <= bytes.max(4096);
            if let Some(at) = pool.iter().position(fits) {
                return pool.swap_remove(at);
            }
        }
        gpu.buffer(wgpu::BufferDescriptor {
            label: Some("readback"),
            size: buffer_bytes(bytes).next_power_of_two(),
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        })
    }

    /// Gives back a buffer that is not mapped.
    pub(crate) fn give(&self, buffer: wgpu::Buffer) {
        if let Ok(mut pool) = self.0.lock()
            && pool.len() < Self::KEPT
        {
            pool.push(buffer);
        }
    }
}

/// Copies a host tensor to the GPU, with the type that a program has for it there.
pub(crate) fn upload(gpu: &Arc<Gpu>, tensor: &HostTensor) -> Result<DeviceTensor> {
    // What no kernel reads lies there as it is.
    let dtype = types::on_device(tensor.dtype(), &gpu.caps).unwrap_or(tensor.dtype());
    let converted = types::to_device(tensor, dtype).map_err(|mismatch| mismatch.of_input(0))?;
    let bytes = converted.bytes();
    if bytes.len() as u64 > gpu.caps.max_buffer_bytes {
        return Err(Error::Device(format!("{} bytes do not fit a buffer of this device", bytes.len())));
    }
    let buffer = gpu.storage("device tensor", bytes.len() as u64);
    gpu.write(&buffer, 0, bytes);
    gpu.check()?;
    let uploaded = DeviceTensor::new(gpu.clone(), buffer, dtype, *tensor.shape());
    Ok(DeviceTensor { program: tensor.dtype(), ..uploaded })
}
