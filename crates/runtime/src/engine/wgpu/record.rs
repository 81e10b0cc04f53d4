//! Recording launches: one compute pass and one submit for all GPU work that needs nothing from the host in between.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use pteron_tensor::{DType, HostTensor, Shape};

use super::device::Gpu;
use super::profile::Stopwatch;
use super::readback;
use super::storage::{Recording, Storage};
use crate::error::{Error, Result};
use crate::types;

/// What is wrong with an output that was kept for too long.
pub(crate) const OVERWRITTEN: &str = "a later call of its method has overwritten it";

/// A tensor that stays on the GPU between calls.
///
/// It is an output of [`Method::run_on_device`](crate::Method::run_on_device) or of
/// [`Method::submit`](crate::Method::submit), or made from a host tensor with
/// [`Device::upload`](crate::Device::upload), and an input of any method of the same device.
#[derive(Clone, Debug)]
pub struct DeviceTensor {
    pub(crate) gpu: Arc<Gpu>,
    pub(crate) buffer: Storage,
    /// The type on the device.
    pub(crate) stored: DType,
    pub(crate) shape: Shape,
    /// The type that the program declares.
    pub(crate) program: DType,
    /// How long it is valid, where it is in a delegate's own memory.
    pub(crate) lease: Option<Lease>,
}

/// A delegate's own memory, which is lent until its next call.
#[derive(Clone, Debug)]
pub(crate) struct Lease {
    /// The calls of the delegate.
    calls: Arc<AtomicU64>,
    /// The call that wrote the memory.
    call: u64,
}

impl Lease {
    /// The memory as the next of the calls leaves it.
    pub(crate) fn of_next(calls: &Arc<AtomicU64>) -> Lease {
        Lease { calls: calls.clone(), call: calls.load(Ordering::Relaxed) + 1 }
    }
}

impl DeviceTensor {
    /// A tensor in memory of its own, of one type on the device and in the program.
    pub(crate) fn new(gpu: Arc<Gpu>, buffer: Storage, dtype: DType, shape: Shape) -> DeviceTensor {
        DeviceTensor { gpu, buffer, stored: dtype, shape, program: dtype, lease: None }
    }

    /// Whether the next call of its delegate overwrites it.
    pub(crate) fn is_lent(&self) -> bool {
        self.lease.is_some()
    }

    /// Whether a later call has overwritten it.
    pub(crate) fn is_overwritten(&self) -> bool {
        self.lease.as_ref().is_some_and(|lease| lease.calls.load(Ordering::Relaxed) != lease.call)
    }

    /// The sizes.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The element type that a host copy has.
    pub fn dtype(&self) -> DType {
        self.program
    }

    /// The same memory under another shape of as many elements.
    pub(crate) fn viewed_as(&self, shape: Shape) -> Result<DeviceTensor> {
        if shape.numel() != self.shape.numel() {
            return Err(Error::Program(format!("a tensor of {} cannot be viewed as {shape}", self.shape)));
        }
        Ok(DeviceTensor { shape, ..self.clone() })
    }

    /// Copies the tensor to the host.
    pub async fn to_host_async(&self) -> Result<HostTensor> {
        if self.is_overwritten() {
            return Err(Error::Misuse(OVERWRITTEN.to_owned()));
        }
        let mut recorder = Recorder::new(self.gpu.clone());
        let download = async { readback::download(&mut recorder, std::slice::from_ref(self)).await };
        let mut copies = self.gpu.scoped(download).await?.tensors()?;
        types::to_program(copies.remove(0), self.program)
    }

    /// Copies the tensor to the host and waits for it.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn to_host(&self) -> Result<HostTensor> {
        crate::block_on(self.to_host_async())
    }

    /// The bytes of its elements.
    pub(crate) fn bytes(&self) -> u64 {
        self.shape.numel() as u64 * self.stored.size() as u64
    }
}

/// Commands of the call that is being recorded and has not been submitted.
#[derive(Debug)]
pub(crate) struct Recorder {
    pub(crate) gpu: Arc<Gpu>,
    encoder: Option<(wgpu::CommandEncoder, Recording)>,
    pass: Option<wgpu::ComputePass<'static>>,
    /// Launches recorded since the recorder was made.
    pub(crate) dispatches: u64,
    /// Submits since the recorder was made.
    pub(crate) submits: u64,
    /// Times each launch, where the caller asked for it.
    pub(crate) stopwatch: Option<Stopwatch>,
    /// Whether commands of an earlier call are among those that wait to be submitted.
    follows: bool,
    /// What the host writes between calls that are submitted together.
    later: Vec<LaterWrites>,
}

/// Bytes that are in a buffer of their own when commands are submitted, and are copied from there when it is their turn.
#[derive(Debug)]
struct LaterWrites {
    buffer: wgpu::Buffer,
    bytes: Vec<u8>,
}

/// The least that a buffer of later writes holds.
const LATER_BYTES: usize = 16 << 10;

impl Recorder {
    pub(crate) fn new(gpu: Arc<Gpu>) -> Recorder {
        Recorder {
            gpu,
            encoder: None,
            pass: None,
            dispatches: 0,
            submits: 0,
            stopwatch: None,
            follows: false,
            later: Vec::new(),
        }
    }

    /// The encoder, outside any pass.
    pub(crate) fn encoder(&mut self) -> &mut wgpu::CommandEncoder {
        self.pass = None;
        let gpu = &self.gpu;
        let begin = || (gpu.device.create_command_encoder(&Default::default()), gpu.retired.recording());
        &mut self.encoder.get_or_insert_with(begin).0
    }

    /// The current pass, or a new one.
    pub(crate) fn pass(&mut self) -> &mut wgpu::ComputePass<'static> {
        if self.pass.is_none() {
            let pass = self.encoder().begin_compute_pass(&Default::default()).forget_lifetime();
            self.pass = Some(pass);
        }
        // Just set.
        self.pass.as_mut().unwrap_or_else(|| unreachable!("the pass was just begun"))
    }

    /// Records launches: pipeline, bind group and workgroups of each. A stopwatch gives each a pass of its own.
    pub(crate) fn launch<'a>(
        &mut self,
        launches: impl Iterator<Item = (&'a wgpu::ComputePipeline, &'a wgpu::BindGroup, [u32; 3])>,
    ) {
        #[cfg(feature = "launch-log")]
        let gpu = self.gpu.clone();
        #[cfg(feature = "launch-log")]
        let launches = launches.inspect(|(pipeline, _, grid)| {
            if let Some(log) = &gpu.pipelines.launches {
                log.launched(pipeline, *grid);
            }
        });
        if let Some(mut stopwatch) = self.stopwatch.take() {
            for (pipeline, group, [x, y, z]) in launches {
                self.dispatches += 1;
                let mut pass = stopwatch.begin(self.encoder());
                pass.set_pipeline(pipeline);
                pass.set_bind_group(0, group, &[]);
                pass.dispatch_workgroups(x, y, z);
            }
            self.stopwatch = Some(stopwatch);
            return;
        }
        let mut recorded = 0;
        let pass = self.pass();
        // Setting a pipeline again would cost.
        let mut current = None;
        for (pipeline, group, [x, y, z]) in launches {
            if current != Some(pipeline) {
                pass.set_pipeline(pipeline);
                current = Some(pipeline);
            }
            pass.set_bind_group(0, group, &[]);
            pass.dispatch_workgroups(x, y, z);
            recorded += 1;
        }
        self.dispatches += recorded;
    }

    /// Begins another call, whose commands are submitted together with those that are recorded.
    pub(crate) fn begin_next_call(&mut self) {
        self.follows = self.encoder.is_some();
        self.dispatches = 0;
    }

    /// Writes to the beginning of a buffer, for the commands of this call and not for those of earlier ones.
    pub(crate) fn write(&mut self, buffer: &wgpu::Buffer, bytes: &[u8]) {
        if !self.follows {
            return self.gpu.write(buffer, 0, bytes);
        }
        let size = bytes.len().next_multiple_of(4);
        let has_room = |later: &LaterWrites| later.bytes.len() + size <= later.bytes.capacity();
        if !self.later.last().is_some_and(has_room) {
            let capacity = size.max(LATER_BYTES);
            let descriptor = wgpu::BufferDescriptor {
                label: Some("later writes"),
                size: capacity as u64,
                usage: wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            };
            let buffer = self.gpu.buffer(descriptor);
            self.later.push(LaterWrites { buffer, bytes: Vec::with_capacity(capacity) });
        }
        let Some(LaterWrites { buffer: source, bytes: written }) = self.later.last_mut() else { return };
        let (source, at) = (source.clone(), written.len());
        written.extend_from_slice(bytes);
        written.resize(at + size, 0);
        self.encoder().copy_buffer_to_buffer(&source, at as u64, buffer, 0, size as u64);
    }

    /// Submits what was recorded, if anything.
    pub(crate) fn submit(&mut self) -> Option<wgpu::SubmissionIndex> {
        self.pass = None;
        self.follows = false;
        for LaterWrites { buffer, bytes } in self.later.drain(..) {
            self.gpu.write(&buffer, 0, &bytes);
        }
        let (encoder, _recording) = self.encoder.take()?;
        self.submits += 1;
        Some(self.gpu.submit(Some(encoder)))
    }
}

/// Records a copy of a tensor into memory of its own.
pub(crate) fn copy(recorder: &mut Recorder, tensor: &DeviceTensor) -> DeviceTensor {
    let buffer = recorder.gpu.storage("device tensor", tensor.bytes());
    let bytes = tensor.bytes().next_multiple_of(4);
    if bytes > 0 {
        recorder.encoder().copy_buffer_to_buffer(&tensor.buffer, 0, &buffer, 0, bytes);
    }
    DeviceTensor { buffer, lease: None, ..tensor.clone() }
}
