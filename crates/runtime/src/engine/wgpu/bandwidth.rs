//! How fast a device moves memory: the yardstick for kernels.

use std::sync::Arc;

use super::device::Gpu;
use super::profile::Stopwatch;
use super::record::Recorder;
use crate::error::Result;

/// Measures copies of a buffer that is larger than any cache, in bytes read and written per second.
pub(crate) async fn measure_bandwidth(gpu: &Arc<Gpu>) -> Result<f64> {
    // A software adapter needs no large buffer to be slow.
    let bytes: u64 = if gpu.report.software { 16 << 20 } else { (512 << 20).min(gpu.caps.max_buffer_bytes) };
    let copies: u32 = if gpu.report.software { 2 } else { 16 };
    let (from, to) = (gpu.storage("bandwidth", bytes), gpu.storage("bandwidth", bytes));
    gpu.check()?;
    let mut best = f64::INFINITY;
    for _ in 0..3 {
        let mut recorder = Recorder::new(gpu.clone());
        // Two empty passes mark the time before and after.
        let mut stopwatch = Stopwatch::new(gpu, 2)?;
        drop(stopwatch.begin(recorder.encoder()));
        for _ in 0..copies {
            recorder.encoder().copy_buffer_to_buffer(&from, 0, &to, 0, bytes);
        }
        drop(stopwatch.begin(recorder.encoder()));
        best = best.min(stopwatch.read_span(&mut recorder).await?.as_secs_f64());
    }
    Ok(2.0 * bytes as f64 * f64::from(copies) / best)
}
