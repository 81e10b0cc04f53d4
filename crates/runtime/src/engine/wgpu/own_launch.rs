//! Launches of kernels that belong to no operator: those of the engine itself.

use std::sync::Arc;

use pteron_ops::Parts;
use pteron_ops::kernel::{Kernel, OverrideValues};
use pteron_ops::plan::Dispatch;

use super::bind_groups::entry;
use super::device::Gpu;
use super::pipelines::Pipeline;
use super::record::Launch;
use crate::error::{Error, Result};

/// Storage bindings start at multiples of this on every device.
pub(super) const STORAGE_ALIGNMENT: u32 = 256;

/// A launch of the engine's own.
#[derive(Debug)]
pub(super) struct OwnLaunch {
    pipeline: Arc<Pipeline>,
    group: wgpu::BindGroup,
    grid: [u32; 3],
}

/// Bytes of a buffer, from an offset on.
pub(super) type Bytes<'a> = (&'a wgpu::Buffer, u64, u64);

impl OwnLaunch {
    /// A launch of a kernel's only variant, with bytes for each of its bindings.
    pub(super) fn new(
        gpu: &Gpu,
        kernel: &'static Kernel,
        overrides: OverrideValues,
        bound: &[Bytes<'_>],
        grid: [u32; 3],
    ) -> Result<OwnLaunch> {
        let (tensors, parts) = (Vec::new(), Parts::default());
        let (params, call) = (Vec::new(), Vec::new());
        let dispatch = Dispatch { kernel, variant: 0, overrides, tensors, parts, params, call, grid, traffic: 0 };
        let pipeline = gpu.pipelines.get(&gpu.device, &[&dispatch])?.pop();
        let pipeline = pipeline.ok_or_else(|| Error::Device(format!("{} was not compiled", kernel.name)))?;
        #[cfg_attr(not(feature = "fault-injection"), expect(unused_mut, reason = "tests have kernels watched"))]
        let mut entries: Vec<_> =
            (0..).zip(bound).map(|(binding, &(buffer, offset, bytes))| entry(binding, buffer, offset, bytes)).collect();
        #[cfg(feature = "fault-injection")]
        let outside = gpu.outside(kernel);
        #[cfg(feature = "fault-injection")]
        entries.extend(outside.as_ref().map(|outside| entry(Kernel::WATCH_BINDING, outside, 0, outside.size())));
        let group = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some(kernel.name),
            layout: &pipeline.layout,
            entries: &entries,
        });
        Ok(OwnLaunch { pipeline, group, grid })
    }

    /// The launch, to be recorded.
    pub(super) fn launch(&self) -> Launch<'_> {
        Launch { pipeline: &self.pipeline.pipeline, group: &self.group, call: None, grid: self.grid }
    }
}
