//! Recording launches: one compute pass and one submit for each stretch of GPU work.

use std::sync::Arc;

use pteron_tensor::{DType, HostTensor, Shape};

use super::device::Gpu;
use super::profile::Stopwatch;
use super::readback;
use crate::boundary;
use crate::error::{Error, Result};

/// A tensor that stays on the GPU between calls.
///
/// It is an output of [`Method::run_on_device`](crate::Method::run_on_device), or made from a host tensor with
/// [`Device::upload`](crate::Device::upload), and an input of any method of the same device.
#[derive(Clone, Debug)]
pub struct DeviceTensor {
    pub(crate) gpu: Arc<Gpu>,
    pub(crate) buffer: wgpu::Buffer,
    /// The type on the device.
    pub(crate) stored: DType,
    pub(crate) shape: Shape,
    /// The type that the program declares.
    pub(crate) program: DType,
}

impl DeviceTensor {
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
        let mut recorder = Recorder::new(self.gpu.clone());
        let mut copies = readback::download(&mut recorder, std::slice::from_ref(self)).await?.tensors()?;
        boundary::widen(copies.remove(0), self.program)
    }

    /// Copies the tensor to the host and waits for it.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn to_host(&self) -> Result<HostTensor> {
        pollster::block_on(self.to_host_async())
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
    encoder: Option<wgpu::CommandEncoder>,
    pass: Option<wgpu::ComputePass<'static>>,
    /// The pipeline that the pass has set; setting it again would cost.
    current: Option<wgpu::ComputePipeline>,
    /// Launches recorded since the recorder was made.
    pub(crate) dispatches: u64,
    /// Times each launch, where the caller asked for it.
    pub(crate) stopwatch: Option<Stopwatch>,
}

impl Recorder {
    pub(crate) fn new(gpu: Arc<Gpu>) -> Recorder {
        Recorder { gpu, encoder: None, pass: None, current: None, dispatches: 0, stopwatch: None }
    }

    /// The encoder, outside any pass.
    pub(crate) fn encoder(&mut self) -> &mut wgpu::CommandEncoder {
        self.pass = None;
        let device = &self.gpu.device;
        self.encoder.get_or_insert_with(|| device.create_command_encoder(&Default::default()))
    }

    /// The current pass, or a new one.
    pub(crate) fn pass(&mut self) -> &mut wgpu::ComputePass<'static> {
        if self.pass.is_none() {
            let pass = self.encoder().begin_compute_pass(&Default::default()).forget_lifetime();
            self.pass = Some(pass);
            self.current = None;
        }
        // Just set.
        self.pass.as_mut().unwrap_or_else(|| unreachable!("the pass was just begun"))
    }

    /// Records one launch; a stopwatch gives it a pass of its own.
    pub(crate) fn launch(&mut self, pipeline: &wgpu::ComputePipeline, group: &wgpu::BindGroup, grid: [u32; 3]) {
        self.dispatches += 1;
        if let Some(mut stopwatch) = self.stopwatch.take() {
            self.pass = None;
            let mut pass = stopwatch.begin(self.encoder());
            pass.set_pipeline(pipeline);
            pass.set_bind_group(0, group, &[]);
            pass.dispatch_workgroups(grid[0], grid[1], grid[2]);
            drop(pass);
            self.stopwatch = Some(stopwatch);
            return;
        }
        self.pass();
        let again = self.current.as_ref() == Some(pipeline);
        if !again {
            self.current = Some(pipeline.clone());
        }
        let pass = self.pass();
        if !again {
            pass.set_pipeline(pipeline);
        }
        pass.set_bind_group(0, group, &[]);
        pass.dispatch_workgroups(grid[0], grid[1], grid[2]);
    }

    /// Submits what was recorded, if anything.
    pub(crate) fn submit(&mut self) {
        self.pass = None;
        if let Some(encoder) = self.encoder.take() {
            self.gpu.queue.submit([encoder.finish()]);
        }
    }
}

/// Records a copy of a tensor into memory of its own.
pub(crate) fn copy(recorder: &mut Recorder, tensor: &DeviceTensor) -> DeviceTensor {
    let buffer = recorder.gpu.storage("device tensor", tensor.bytes());
    let bytes = tensor.bytes().next_multiple_of(4);
    if bytes > 0 {
        recorder.encoder().copy_buffer_to_buffer(&tensor.buffer, 0, &buffer, 0, bytes);
    }
    DeviceTensor { buffer, ..tensor.clone() }
}
