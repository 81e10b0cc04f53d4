//! Reading results: one staging buffer for all outputs of a call, mapped and handed out without another copy.

use std::sync::Arc;

use bytes::Bytes;
use futures_channel::oneshot;
use pteron_tensor::{DType, HostTensor, Shape};

use super::buffers::StagingPool;
use super::device::Gpu;
use super::faults::Outcome;
#[cfg(feature = "fault-injection")]
use super::inject::Fault;
use super::record::{DeviceTensor, Recorder};
use crate::error::{Error, Result};
use crate::limits::Deadline;

/// Results on the host.
#[derive(Debug)]
pub(crate) struct Download {
    bytes: Bytes,
    regions: Vec<Region>,
}

/// Where a tensor begins in the staging buffer, its type on the device, and its shape.
pub(super) type Region = (usize, DType, Shape);

impl Download {
    /// The tensors, in the order that they were asked for, with the device's types.
    pub(crate) fn tensors(&self) -> Result<Vec<HostTensor>> {
        let tensor = |&(offset, dtype, shape): &Region| {
            let bytes = shape.numel() * dtype.size();
            Ok(HostTensor::with_shape(dtype, shape, self.bytes.slice(offset..offset + bytes))?)
        };
        self.regions.iter().map(tensor).collect()
    }
}

/// Results on their way to the host.
#[derive(Debug)]
pub(crate) struct Reading {
    gpu: Arc<Gpu>,
    submitted: Outcome,
    regions: Vec<Region>,
    /// Nothing where no bytes are read.
    staging: Option<Staging>,
}

#[derive(Debug)]
struct Staging {
    buffer: wgpu::Buffer,
    bytes: u64,
    submission: Option<wgpu::SubmissionIndex>,
    mapped: oneshot::Receiver<Result<(), wgpu::BufferAsyncError>>,
}

/// Copies of tensors for the host that are recorded and not submitted.
#[derive(Debug)]
pub(crate) struct RecordedCopies {
    gpu: Arc<Gpu>,
    regions: Vec<Region>,
    /// A staging buffer and its size; nothing where no bytes are read.
    staging: Option<(wgpu::Buffer, u64)>,
}

/// Submits what is recorded, with copies of tensors for the host, and does not wait.
pub(crate) fn begin(recorder: &mut Recorder, tensors: &[DeviceTensor]) -> Result<Reading> {
    let copies = record_copies(recorder, tensors)?;
    let gpu = recorder.gpu.clone();
    let (submission, submitted) = gpu.watch(|| recorder.submit());
    Ok(copies.begin(submission, submitted))
}

/// Records copies of tensors for the host.
pub(crate) fn record_copies(recorder: &mut Recorder, tensors: &[DeviceTensor]) -> Result<RecordedCopies> {
    const ALIGNMENT: u64 = 256;
    let mut regions = Vec::with_capacity(tensors.len());
    let mut total = 0u64;
    for tensor in tensors {
        let offset = usize::try_from(total).map_err(|_| Error::Device("the outputs are too large".to_owned()))?;
        regions.push((offset, tensor.stored, tensor.shape));
        total += tensor.bytes().next_multiple_of(ALIGNMENT);
    }
    let gpu = recorder.gpu.clone();
    if total == 0 {
        return Ok(RecordedCopies { gpu, regions, staging: None });
    }
    let buffer = gpu.staging.take(&gpu, total);
    for (tensor, &(offset, ..)) in tensors.iter().zip(&regions) {
        let bytes = tensor.bytes().next_multiple_of(4);
        if bytes > 0 {
            recorder.encoder().copy_buffer_to_buffer(&tensor.buffer, 0, &buffer, offset as u64, bytes);
        }
    }
    Ok(RecordedCopies { gpu, regions, staging: Some((buffer, total)) })
}

impl RecordedCopies {
    /// Copies that fill a staging buffer, of which tensors are regions.
    pub(super) fn new(gpu: Arc<Gpu>, regions: Vec<Region>, staging: Option<(wgpu::Buffer, u64)>) -> RecordedCopies {
        RecordedCopies { gpu, regions, staging }
    }

    /// Begins to read what was submitted.
    pub(crate) fn begin(self, submission: Option<wgpu::SubmissionIndex>, submitted: Outcome) -> Reading {
        let RecordedCopies { gpu, regions, staging } = self;
        let staging = staging.map(|(buffer, bytes)| {
            let (done, mapped) = oneshot::channel();
            #[cfg(feature = "fault-injection")]
            let fault = fault_of_mapping(&gpu);
            #[cfg(feature = "fault-injection")]
            if matches!(fault, Some(Fault::OutOfMemory | Fault::Refused)) {
                return Staging { buffer, bytes, submission, mapped };
            }
            buffer.map_async(wgpu::MapMode::Read, ..bytes, move |result| {
                #[cfg(feature = "fault-injection")]
                if fault == Some(Fault::Untold) {
                    return;
                }
                // The receiver is gone only when the results were given up.
                let _ = done.send(result);
            });
            Staging { buffer, bytes, submission, mapped }
        });
        Reading { gpu, submitted, regions, staging }
    }
}

/// How a test has mapping fail: who waits for it is never told.
#[cfg(feature = "fault-injection")]
fn fault_of_mapping(gpu: &Gpu) -> Option<Fault> {
    let fault = gpu.faults.injector().at(super::inject::Site::Map);
    if fault == Some(Fault::Lost) {
        gpu.destroy();
    }
    fault
}

/// Submits what is recorded, and copies tensors to the host.
pub(crate) async fn download(recorder: &mut Recorder, tensors: &[DeviceTensor]) -> Result<Download> {
    begin(recorder, tensors)?.finish(&Deadline::usual()).await
}

impl Reading {
    /// The results, when they are there. Natively this waits for no work that was submitted later.
    pub(crate) async fn finish(self, deadline: &Deadline) -> Result<Download> {
        let gpu = self.gpu.clone();
        gpu.scoped(self.receive(deadline)).await
    }

    async fn receive(self, deadline: &Deadline) -> Result<Download> {
        let Reading { gpu, submitted, regions, staging } = self;
        let Some(Staging { buffer, bytes, submission, mapped }) = staging else {
            submitted.check().await?;
            return Ok(Download { bytes: Bytes::new(), regions });
        };
        let outcome = gpu.receive(submission, mapped, deadline).await?;
        submitted.check().await?;
        let unread = || Error::Device(format!("{}: results could not be read", gpu.report.name));
        let view = match outcome {
            Some(Ok(())) => buffer.get_mapped_range(..bytes).map_err(|e| Error::Device(e.to_string()))?,
            // Where wgpu panics in a thread that waits, it forgets whom to tell of what it has mapped: see `Unfinished::Disturbed`.
            None if !cfg!(target_arch = "wasm32") => buffer.get_mapped_range(..bytes).map_err(|_| unread())?,
            Some(Err(_)) | None => return Err(unread()),
        };
        Ok(Download { bytes: own(view, buffer, &gpu), regions })
    }
}

/// Bytes that keep the buffer mapped and give it back when the last of them is dropped.
#[cfg(not(target_arch = "wasm32"))]
fn own(view: wgpu::BufferView, buffer: wgpu::Buffer, gpu: &Gpu) -> Bytes {
    // An application may destroy its device, and with it what is mapped.
    if gpu.faults.is_foreign() {
        return copy(view, buffer, &gpu.staging);
    }
    struct Mapped {
        view: Option<wgpu::BufferView>,
        buffer: wgpu::Buffer,
        pool: StagingPool,
    }
    impl AsRef<[u8]> for Mapped {
        fn as_ref(&self) -> &[u8] {
            self.view.as_deref().unwrap_or_default()
        }
    }
    impl Drop for Mapped {
        fn drop(&mut self) {
            self.view = None;
            self.buffer.unmap();
            self.pool.give(self.buffer.clone());
        }
    }
    Bytes::from_owner(Mapped { view: Some(view), buffer, pool: gpu.staging.clone() })
}

/// In a browser a mapped range belongs to one thread and is copied into memory anyway.
#[cfg(target_arch = "wasm32")]
fn own(view: wgpu::BufferView, buffer: wgpu::Buffer, gpu: &Gpu) -> Bytes {
    copy(view, buffer, &gpu.staging)
}

/// A copy of the bytes. The buffer is given back.
fn copy(view: wgpu::BufferView, buffer: wgpu::Buffer, pool: &StagingPool) -> Bytes {
    let bytes = Bytes::copy_from_slice(&view);
    drop(view);
    buffer.unmap();
    pool.give(buffer);
    bytes
}
