//! How fast a device moves memory: the yardstick for kernels.

use std::sync::Arc;
use std::time::Duration;

use pteron_ops::Parts;
use pteron_ops::kernel::Overrides as _;
use pteron_ops::kernels::plain_copy;
use pteron_ops::plan::Dispatch;

use super::device::Gpu;
use super::profile::{WarmUp, time_pass};
use super::record::Recorder;
use crate::error::{Error, Result};

/// Measures a kernel that copies a buffer larger than any cache, in bytes read and written per second.
pub(crate) async fn measure_bandwidth(gpu: &Arc<Gpu>) -> Result<f64> {
    // A software adapter needs no large buffer to be slow.
    let (wanted, copies) = if gpu.report.software { (8 << 20, 1) } else { (512 << 20, 8) };
    let bytes = u64::min(wanted, gpu.caps.max_binding_bytes.min(gpu.caps.max_buffer_bytes)) / 16 * 16;
    let (from, to) = (gpu.storage("bandwidth", bytes), gpu.storage("bandwidth", bytes));
    let params = gpu.uniforms(16);
    let count = u32::try_from(bytes / 16).unwrap_or(u32::MAX);
    gpu.write(&params, 0, &count.to_le_bytes());
    gpu.check()?;
    let dispatch = Dispatch {
        kernel: &plain_copy::KERNEL,
        variant: 0,
        overrides: plain_copy::Overrides { wg_size: 256 }.values(),
        tensors: Vec::new(),
        parts: Parts::default(),
        params: Vec::new(),
        call: Vec::new(),
        grid: [(count / 1024).clamp(1, gpu.caps.max_groups), 1, 1],
        traffic: 2 * bytes,
    };
    let pipelines = gpu.pipelines.get(&gpu.device, &[&dispatch])?;
    let pipeline = pipelines.first().ok_or_else(|| Error::Device("the copy was not compiled".to_owned()))?;
    let entry = |binding, buffer| wgpu::BindGroupEntry { binding, resource: wgpu::Buffer::as_entire_binding(buffer) };
    let entries = vec![entry(0, &from), entry(1, &to), entry(2, &params)];
    #[cfg(feature = "fault-injection")]
    let outside = gpu.outside(dispatch.kernel);
    #[cfg(feature = "fault-injection")]
    let entries = {
        let mut entries = entries;
        entries.extend(outside.as_ref().map(|outside| entry(pteron_ops::kernel::Kernel::WATCH_BINDING, outside)));
        entries
    };
    let group = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("bandwidth"),
        layout: &pipeline.layout,
        entries: &entries,
    });
    let launch = |pass: &mut wgpu::ComputePass<'_>| {
        pass.set_pipeline(&pipeline.pipeline);
        pass.set_bind_group(0, &group, &[]);
        for _ in 0..copies {
            pass.dispatch_workgroups(dispatch.grid[0], 1, 1);
        }
    };
    let mut recorder = Recorder::new(gpu.clone());
    let warm_up = WarmUp::begin(gpu);
    while warm_up.goes_on() {
        time_pass(gpu, &mut recorder, launch).await?;
    }
    let mut best = Duration::MAX;
    for _ in 0..3 {
        best = best.min(time_pass(gpu, &mut recorder, launch).await?);
    }
    Ok(dispatch.traffic as f64 * f64::from(copies) / best.as_secs_f64().max(1e-12))
}
