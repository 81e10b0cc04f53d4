//! How fast a device moves memory: the yardstick for kernels.

use std::sync::Arc;
use std::time::Duration;

use pteron_ops::kernel::Overrides as _;
use pteron_ops::kernels::plain_copy;

use super::device::Gpu;
use super::own_launch::{Bytes, OwnLaunch};
use super::profile::{WarmUp, time_pass};
use super::record::{Recorder, launch_into};
use crate::error::Result;

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
    let bound: [Bytes<'_>; 3] = [(&from, 0, bytes), (&to, 0, bytes), (&params, 0, params.size())];
    let grid = [(count / 1024).clamp(1, gpu.caps.max_groups), 1, 1];
    let overrides = plain_copy::Overrides { wg_size: 256 }.values();
    let copy = OwnLaunch::new(gpu, &plain_copy::KERNEL, overrides, &bound, grid)?;
    let launch = |pass: &mut wgpu::ComputePass<'_>| {
        launch_into(pass, (0..copies).map(|_| copy.launch()));
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
    Ok((2 * bytes) as f64 * f64::from(copies) / best.as_secs_f64().max(1e-12))
}
