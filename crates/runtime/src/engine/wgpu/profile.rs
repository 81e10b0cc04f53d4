//! Timing on the GPU: each kernel by itself, and many calls in one submit.

use std::sync::Arc;
use std::time::Duration;

use pteron_tensor::{DType, HostTensor, Shape};

use super::bind_groups::Instead;
use super::delegate::GpuDelegate;
use super::device::Gpu;
use super::inputs::Input;
use super::readback;
use super::record::{DeviceTensor, Recorder, launch_into};
use super::storage::Storage;
use crate::error::{Error, Result};
use crate::graph::{Graph, Value};
use crate::limits::Deadline;
use crate::plan::{Memory, PlannedDispatch};
use crate::types;

/// What one launch took.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct KernelTime {
    /// The operator that it belongs to.
    pub op: String,
    /// The number of the node in its graph: the exporter's, unless the graph is joined.
    pub node: u32,
    /// The kernel and its variant.
    pub kernel: String,
    /// Workgroups.
    pub grid: [u32; 3],
    /// When it began on the GPU, counted from when the first launch of the call did.
    pub start: Duration,
    /// Time on the GPU, by timestamps around the launch.
    pub time: Duration,
    /// Bytes that it moves at least.
    pub traffic: u64,
}

/// Many calls in one submit.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RepeatedRun {
    /// Calls in the submit.
    pub iterations: u32,
    /// Distinct sets of inputs and outputs that took turns.
    pub sets: usize,
    /// Bytes of inputs and outputs of all sets together.
    pub rotated_bytes: u64,
    /// Average GPU time of one call.
    pub time: Duration,
    /// Bytes that one call moves at least.
    pub traffic: u64,
    /// Launches of one call.
    pub dispatches: usize,
    /// The method's outputs for each set, after the last of its calls; nothing for one that no launch computes.
    pub outputs: Vec<Vec<Option<HostTensor>>>,
}

/// Measures passes with timestamps.
#[derive(Debug)]
pub(crate) struct Stopwatch {
    queries: wgpu::QuerySet,
    used: u32,
    capacity: u32,
    period: f64,
}

impl Stopwatch {
    /// A stopwatch for at most this many passes; more go untimed.
    pub(crate) fn new(gpu: &Gpu, passes: usize) -> Result<Stopwatch> {
        if !gpu.timestamps {
            return Err(Error::Device(format!("{} has no timestamps", gpu.report.name)));
        }
        let capacity = u32::try_from(passes.saturating_mul(2)).unwrap_or(u32::MAX).clamp(2, 4096);
        let queries = gpu.device.create_query_set(&wgpu::QuerySetDescriptor {
            label: Some("stopwatch"),
            ty: wgpu::QueryType::Timestamp,
            count: capacity,
        });
        Ok(Stopwatch { queries, used: 0, capacity, period: f64::from(gpu.queue.get_timestamp_period()) })
    }

    /// Begins a pass that is timed.
    pub(crate) fn begin<'e>(&mut self, encoder: &'e mut wgpu::CommandEncoder) -> wgpu::ComputePass<'e> {
        let timed = self.used + 2 <= self.capacity;
        let writes = timed.then(|| wgpu::ComputePassTimestampWrites {
            query_set: &self.queries,
            beginning_of_pass_write_index: Some(self.used),
            end_of_pass_write_index: Some(self.used + 1),
        });
        self.used += if timed { 2 } else { 0 };
        encoder.begin_compute_pass(&wgpu::ComputePassDescriptor { label: None, timestamp_writes: writes })
    }

    /// Submits the recorder and reads of each pass when it began, counted from the first, and how long it took.
    pub(crate) async fn read(self, recorder: &mut Recorder) -> Result<Vec<(Duration, Duration)>> {
        let period = self.period;
        let ticks = self.read_ticks(recorder).await?;
        let first = ticks.first().copied().unwrap_or_default();
        let times = |pair: &[i64]| (elapsed(first, pair[0], period), elapsed(pair[0], pair[1], period));
        Ok(ticks.chunks_exact(2).map(times).collect())
    }

    async fn read_ticks(self, recorder: &mut Recorder) -> Result<Vec<i64>> {
        let gpu = recorder.gpu.clone();
        let bytes = u64::from(self.used) * 8;
        let resolved = gpu.buffer(wgpu::BufferDescriptor {
            label: Some("timestamps"),
            size: bytes.max(16),
            usage: wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC,
            mapped_at_creation: false,
        });
        recorder.encoder().resolve_query_set(&self.queries, 0..self.used, &resolved, 0);
        let shape = Shape::new(&[self.used as usize])?;
        let ticks = DeviceTensor::new(gpu.clone(), Storage::new(resolved, &gpu.retired), DType::I64, shape);
        let ticks = readback::download(recorder, &[ticks]).await?.tensors()?.remove(0);
        Ok(ticks.to_i64s())
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole nanoseconds of a short time")]
fn elapsed(start: i64, end: i64, period: f64) -> Duration {
    Duration::from_nanos((end.saturating_sub(start).max(0) as f64 * period) as u64)
}

/// Says how long work is repeated until the clocks of a GPU have risen: an idle one runs at a fraction of its speed.
pub(crate) struct WarmUp(Option<std::time::Instant>);

impl WarmUp {
    pub(crate) fn begin(gpu: &Gpu) -> Self {
        let needed = !gpu.report.software && !cfg!(target_arch = "wasm32");
        Self(needed.then(std::time::Instant::now))
    }

    pub(crate) fn goes_on(&self) -> bool {
        const LONG_ENOUGH: Duration = Duration::from_millis(300);
        self.0.is_some_and(|started| started.elapsed() < LONG_ENOUGH)
    }
}

/// Times one pass, whose launches `launch` records.
pub(crate) async fn time_pass(
    gpu: &Gpu,
    recorder: &mut Recorder,
    launch: impl Fn(&mut wgpu::ComputePass<'_>),
) -> Result<Duration> {
    let mut stopwatch = Stopwatch::new(gpu, 1)?;
    launch(&mut stopwatch.begin(recorder.encoder()));
    Ok(stopwatch.read(recorder).await?.first().map_or(Duration::MAX, |&(_, time)| time))
}

/// The launches of one call, in order, before they are timed.
pub(crate) fn untimed(graph: &Graph, dispatches: &[PlannedDispatch]) -> impl Iterator<Item = KernelTime> {
    dispatches.iter().map(|planned| {
        let (node, dispatch) = (&graph.nodes[planned.node], &planned.dispatch);
        KernelTime {
            op: node.op.name.to_owned(),
            node: node.id,
            kernel: dispatch.name(),
            grid: dispatch.grid,
            start: Duration::ZERO,
            time: Duration::ZERO,
            traffic: dispatch.traffic,
        }
    })
}

/// Runs a delegate many times in one submit, with sets of inputs and outputs taking turns, and times the whole pass.
pub(crate) async fn repeat(
    gpu: &Arc<Gpu>,
    graph: &Graph,
    delegate: &mut GpuDelegate,
    sets: &[Vec<HostTensor>],
    iterations: u32,
) -> Result<RepeatedRun> {
    let Some(first) = sets.first() else { return Err(Error::NotFound("there are no inputs to repeat".to_owned())) };
    let inputs: Vec<_> = first.iter().cloned().map(Input::Host).collect();
    // Records and runs one call, so that uniforms and state are as in a plain call.
    let mut recorder = Recorder::new(gpu.clone());
    delegate.record(graph, &inputs, &mut recorder)?;
    recorder.submit();
    delegate.end_leases();
    let plan = delegate.last_plan()?;

    let mut rotated_bytes = 0;
    let mut bound = Vec::new();
    for set in sets {
        if !set.iter().zip(first).all(|(a, b)| a.shape() == b.shape()) || set.len() != first.len() {
            return Err(Error::NotFound("the sets of inputs differ in shape".to_owned()));
        }
        let mut buffers = Instead::new();
        for (number, (host, &id)) in set.iter().zip(&graph.inputs).enumerate() {
            let Value::Tensor(value) = &graph.values[id as usize] else { continue };
            let input = types::to_device(host, value.dtype).map_err(|mismatch| mismatch.of_input(number))?;
            let buffer = gpu.storage("rotated input", input.bytes().len() as u64);
            gpu.write(&buffer, 0, input.bytes());
            rotated_bytes += buffer.size();
            buffers.insert(Memory::Boundary(id), buffer);
        }
        let mut outputs = Vec::new();
        for output in &plan.plan.outputs {
            let buffer = buffers.entry(output.memory).or_insert_with(|| {
                rotated_bytes += output.bytes();
                gpu.storage("rotated output", output.bytes())
            });
            outputs.push(DeviceTensor::new(gpu.clone(), buffer.clone(), output.dtype, output.shape));
        }
        bound.push((delegate.bind_instead(&buffers)?, outputs));
    }
    gpu.finished(Some(gpu.submit(None)), &Deadline::usual()).await?;

    let dispatches = &plan.plan.dispatches;
    let launch = |pass: &mut wgpu::ComputePass<'_>| {
        for iteration in 0..iterations as usize {
            launch_into(pass, plan.launches_with(&bound[iteration % bound.len()].0, 0));
        }
    };
    // Running more often than asked would change state more often.
    let warm_up = WarmUp::begin(gpu);
    while !graph.has_state() && warm_up.goes_on() {
        time_pass(gpu, &mut recorder, launch).await?;
    }
    let total = time_pass(gpu, &mut recorder, launch).await?;
    let mut outputs = Vec::new();
    for (_, set) in &bound {
        let tensors = readback::download(&mut recorder, set).await?.tensors()?;
        outputs.push(tensors.into_iter().map(Some).collect());
    }
    Ok(RepeatedRun {
        iterations,
        sets: sets.len(),
        rotated_bytes,
        time: total / iterations.max(1),
        traffic: dispatches.iter().map(|planned| planned.dispatch.traffic).sum(),
        dispatches: dispatches.len(),
        outputs,
    })
}
