//! Recording launches: one compute pass and one submit for all GPU work that needs nothing from the host in between.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use pteron_ops::kernel::Overrides as _;
use pteron_ops::kernels::copy_words;
use pteron_tensor::{DType, HostTensor, Shape};

use super::device::Gpu;
use super::later_writes::LaterWrites;
use super::own_launch::{Bytes, OwnLaunch};
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
    /// Commands that come before those of the encoder.
    finished: Vec<wgpu::CommandBuffer>,
    encoder: Option<wgpu::CommandEncoder>,
    /// While there are commands that are not submitted.
    recording: Option<Recording>,
    pass: Option<wgpu::ComputePass<'static>>,
    /// Launches recorded since the recorder was made.
    pub(crate) dispatches: u64,
    /// Submits since the recorder was made.
    pub(crate) submits: u64,
    /// Whether it took launches that were recorded before.
    pub(crate) recorded_ahead: bool,
    /// Times each launch, where the caller asked for it.
    pub(crate) stopwatch: Option<Stopwatch>,
    /// When commands were submitted, where launches are timed.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) submit_times: Vec<std::time::Instant>,
    /// Calls before this one whose commands wait to be submitted with it.
    earlier_calls: usize,
    /// What a launch has cleared, and no other has touched since.
    cleared: Option<Storage>,
    /// What the host writes between calls that are submitted together.
    later: LaterWrites,
    /// Whether a long call may be submitted in pieces.
    in_pieces: bool,
}

/// A launch as it is recorded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Launch<'a> {
    pub(crate) pipeline: &'a wgpu::ComputePipeline,
    pub(crate) group: &'a wgpu::BindGroup,
    /// Where the values of the call lie behind where they are bound, for a kernel that has any.
    pub(crate) call: Option<u32>,
    /// Workgroups.
    pub(crate) grid: [u32; 3],
}

impl Launch<'_> {
    fn record(&self, pass: &mut wgpu::ComputePass<'_>) {
        let [x, y, z] = self.grid;
        pass.set_bind_group(0, self.group, self.call.as_slice());
        pass.dispatch_workgroups(x, y, z);
    }
}

/// Records launches into a pass.
pub(super) fn launch_into<'a>(pass: &mut wgpu::ComputePass<'_>, launches: impl Iterator<Item = Launch<'a>>) -> u64 {
    let mut recorded = 0;
    // Setting a pipeline again would cost.
    let mut current = None;
    for launch in launches {
        if current.replace(launch.pipeline) != Some(launch.pipeline) {
            pass.set_pipeline(launch.pipeline);
        }
        launch.record(pass);
        recorded += 1;
    }
    recorded
}

#[cfg(feature = "launch-log")]
impl Gpu {
    fn log(&self, launch: &Launch<'_>) {
        if let Some(log) = &self.pipelines.launches {
            log.launched(launch.pipeline, launch.grid);
        }
    }
}

/// Launches beyond which a call is long: a host takes longer to record them than it takes to submit once more.
const LONG_CALL: usize = 64;
/// Launches of the first piece of a long call; each piece after it has twice as many.
const FIRST_PIECE: usize = 16;

/// Bytes up to which a launch copies them to their place.
const LAUNCHED_BYTES: u64 = 1 << 10;

impl Recorder {
    pub(crate) fn new(gpu: Arc<Gpu>) -> Recorder {
        Recorder {
            gpu,
            finished: Vec::new(),
            encoder: None,
            recording: None,
            pass: None,
            dispatches: 0,
            submits: 0,
            recorded_ahead: false,
            stopwatch: None,
            #[cfg(not(target_arch = "wasm32"))]
            submit_times: Vec::new(),
            earlier_calls: 0,
            cleared: None,
            later: LaterWrites::default(),
            in_pieces: false,
        }
    }

    /// The same, which submits a long call in pieces: the GPU works on the first while the others are recorded. In a
    /// browser it does not, where what goes wrong with a submit is told of only to who watches it.
    pub(crate) fn in_pieces(gpu: Arc<Gpu>) -> Recorder {
        Recorder { in_pieces: true, ..Recorder::new(gpu) }
    }

    /// The encoder, outside any pass.
    pub(crate) fn encoder(&mut self) -> &mut wgpu::CommandEncoder {
        self.pass = None;
        let gpu = &self.gpu;
        self.recording.get_or_insert_with(|| gpu.retired.recording());
        self.encoder.get_or_insert_with(|| gpu.device.create_command_encoder(&Default::default()))
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

    /// Records launches. A stopwatch gives each a pass of its own.
    pub(crate) fn launch<'a>(&mut self, launches: impl Iterator<Item = Launch<'a>>) {
        #[cfg(feature = "launch-log")]
        let gpu = self.gpu.clone();
        #[cfg(feature = "launch-log")]
        let launches = launches.inspect(|launch| gpu.log(launch));
        self.cleared = None;
        if let Some(mut stopwatch) = self.stopwatch.take() {
            for launch in launches {
                launch_into(&mut stopwatch.begin(self.encoder()), std::iter::once(launch));
                self.dispatches += 1;
            }
            self.stopwatch = Some(stopwatch);
            return;
        }
        self.dispatches += launch_into(self.pass(), launches);
    }

    /// Records the launches of a call that waits for no other, and submits them in pieces where they are many and that is
    /// allowed.
    pub(crate) fn launch_at_once<'a>(&mut self, mut launches: impl ExactSizeIterator<Item = Launch<'a>>) {
        let in_pieces = self.in_pieces && !cfg!(target_arch = "wasm32");
        if in_pieces && self.earlier_calls == 0 && launches.len() > LONG_CALL {
            let mut piece = FIRST_PIECE;
            while launches.len() > 2 * piece {
                self.launch(launches.by_ref().take(piece));
                self.submit();
                piece *= 2;
            }
        }
        self.launch(launches);
    }

    /// Whether the launches of a call may be commands that were recorded before it.
    pub(crate) fn takes_recorded(&self) -> bool {
        self.earlier_calls == 0 && self.stopwatch.is_none()
    }

    /// Takes launches that were recorded before the call.
    pub(crate) fn launch_recorded<'a>(
        &mut self,
        commands: wgpu::CommandBuffer,
        launches: impl ExactSizeIterator<Item = Launch<'a>>,
    ) {
        self.pass = None;
        self.cleared = None;
        self.dispatches += launches.len() as u64;
        self.recorded_ahead = true;
        #[cfg(feature = "launch-log")]
        launches.for_each(|launch| self.gpu.log(&launch));
        self.recording.get_or_insert_with(|| self.gpu.retired.recording());
        self.finished.extend(self.encoder.take().map(wgpu::CommandEncoder::finish));
        self.finished.push(commands);
    }

    /// Clears a buffer for the commands that follow, unless it is clear.
    pub(crate) fn clear(&mut self, buffer: &Storage) {
        if self.cleared.as_ref() != Some(buffer) {
            self.encoder().clear_buffer(buffer, 0, Some(buffer.size()));
        }
    }

    /// Takes note that the last launch has cleared a buffer.
    pub(super) fn note_cleared(&mut self, buffer: &Storage) {
        self.cleared = Some(buffer.clone());
    }

    /// Begins another call, whose commands are submitted together with those that are recorded.
    pub(crate) fn begin_next_call(&mut self) {
        self.earlier_calls = if self.recording.is_some() { self.earlier_calls + 1 } else { 0 };
        (self.dispatches, self.recorded_ahead) = (0, false);
    }

    /// Calls before this one whose commands wait to be submitted with it.
    pub(super) fn earlier_calls(&self) -> usize {
        self.earlier_calls
    }

    /// Writes to a buffer, for the commands of this call and not for those of earlier ones.
    pub(crate) fn write(&mut self, buffer: &wgpu::Buffer, offset: u64, bytes: &[u8]) {
        if self.earlier_calls == 0 {
            return self.gpu.write(buffer, offset, bytes);
        }
        let size = bytes.len().next_multiple_of(4) as u64;
        let (source, at) = self.later.put(&self.gpu, bytes);
        // A pass that goes on costs less than one that ends for a copy.
        let launches = (1..=LAUNCHED_BYTES).contains(&size) && buffer.usage().contains(wgpu::BufferUsages::STORAGE);
        let bound: [Bytes<'_>; 2] = [(&source, at, size), (buffer, offset, size)];
        let overrides = copy_words::Overrides { wg_size: 64 }.values();
        let copy = launches.then(|| OwnLaunch::new(&self.gpu, &copy_words::KERNEL, overrides, &bound, [1; 3]));
        match copy {
            Some(Ok(copy)) => self.launch(std::iter::once(copy.launch())),
            _ => self.encoder().copy_buffer_to_buffer(&source, at, buffer, offset, size),
        }
    }

    /// Submits what was recorded, if anything.
    pub(crate) fn submit(&mut self) -> Option<wgpu::SubmissionIndex> {
        self.pass = None;
        self.earlier_calls = 0;
        self.cleared = None;
        self.later.flush(&self.gpu);
        let _recording = self.recording.take()?;
        self.submits += 1;
        #[cfg(not(target_arch = "wasm32"))]
        if self.stopwatch.is_some() {
            self.submit_times.push(std::time::Instant::now());
        }
        Some(self.gpu.submit_after(std::mem::take(&mut self.finished), self.encoder.take()))
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
