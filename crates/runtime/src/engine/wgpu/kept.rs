//! Small results of calls that are submitted together: a launch keeps those of each call before the next one overwrites them,
//! so that nothing but launches lies between the calls.

use std::sync::Arc;

use pteron_ops::kernel::Overrides as _;
use pteron_ops::kernels::take_result;
use pteron_tensor::{DType, Shape};

use super::device::Gpu;
use super::own_launch::{Bytes, OwnLaunch, STORAGE_ALIGNMENT};
use super::readback::RecordedCopies;
use super::record::{DeviceTensor, Recorder};
use super::storage::Storage;
use crate::error::Result;

/// Bytes of a result up to which a launch keeps it.
const LARGEST: u64 = 1 << 10;
/// Bytes that are kept of all calls of a submit.
const CAPACITY: u64 = 16 << 10;
/// Bytes of a status, which is kept before each result.
const STATUS_BYTES: u64 = 8;

/// Where results are kept until the calls of a submit are all recorded.
#[derive(Debug)]
pub(crate) struct KeptResults {
    gpu: Arc<Gpu>,
    buffer: Storage,
    used: u64,
    /// Staging buffers, and where their bytes begin and end.
    copies: Vec<(wgpu::Buffer, u64, u64)>,
}

impl KeptResults {
    /// Room for results, in a buffer that earlier submits have used or in a new one.
    pub(crate) fn new(gpu: Arc<Gpu>, earlier: Option<Storage>) -> Result<KeptResults> {
        let buffer = match earlier {
            Some(buffer) => buffer,
            None => {
                let buffer = gpu.storage("kept results", CAPACITY);
                gpu.check()?;
                buffer
            }
        };
        Ok(KeptResults { gpu, buffer, used: 0, copies: Vec::new() })
    }

    /// Keeps tensors of the call that was recorded last, and its status, which is clear afterwards. They are read in this
    /// order, the status where that is asked for. Nothing where there is no tensor, or no room.
    pub(crate) fn keep(
        &mut self,
        recorder: &mut Recorder,
        tensors: &[DeviceTensor],
        status: &Storage,
        reads_status: bool,
    ) -> Result<Option<RecordedCopies>> {
        let mut places = Vec::with_capacity(tensors.len());
        let mut end = self.used;
        for tensor in tensors {
            let bytes = tensor.bytes().next_multiple_of(4);
            if !(1..=LARGEST).contains(&bytes) {
                return Ok(None);
            }
            places.push((tensor, end, bytes));
            end += (STATUS_BYTES + bytes).next_multiple_of(STORAGE_ALIGNMENT.into());
        }
        if tensors.is_empty() || end > CAPACITY {
            return Ok(None);
        }
        let start = std::mem::replace(&mut self.used, end);
        let mut regions = Vec::with_capacity(tensors.len() + 1);
        for (tensor, at, bytes) in places {
            self.take(recorder, tensor, bytes, status, at)?;
            let offset = usize::try_from(at - start + STATUS_BYTES).unwrap_or(usize::MAX);
            regions.push((offset, tensor.stored, tensor.shape));
        }
        recorder.note_cleared(status);
        if reads_status {
            // The first launch has it; those after it found it clear.
            regions.push((0, DType::I32, Shape::new(&[2])?));
        }
        let staging = self.gpu.staging.take(&self.gpu, end - start);
        self.copies.push((staging.clone(), start, end));
        Ok(Some(RecordedCopies::new(self.gpu.clone(), regions, Some((staging, end - start)))))
    }

    /// Records the launch that keeps one tensor and the status at a place.
    fn take(
        &self,
        recorder: &mut Recorder,
        tensor: &DeviceTensor,
        bytes: u64,
        status: &Storage,
        at: u64,
    ) -> Result<()> {
        let bound: [Bytes<'_>; 3] =
            [(&tensor.buffer, 0, bytes), (status, 0, STATUS_BYTES), (&self.buffer, at, STATUS_BYTES + bytes)];
        let overrides = take_result::Overrides { wg_size: 64 }.values();
        let take = OwnLaunch::new(&self.gpu, &take_result::KERNEL, overrides, &bound, [1; 3])?;
        recorder.launch(std::iter::once(take.launch()));
        Ok(())
    }

    /// Records the copies for the host of all that was kept, and gives back the buffer for later submits.
    pub(crate) fn copy_out(self, recorder: &mut Recorder) -> Storage {
        for (staging, start, end) in &self.copies {
            recorder.encoder().copy_buffer_to_buffer(&self.buffer, *start, staging, 0, end - start);
        }
        self.buffer
    }
}
