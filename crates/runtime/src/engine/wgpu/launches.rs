//! Which kernel variants were really launched, so that tests can tell what they exercised.

use std::collections::HashMap;
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Mutex;

/// Appends the name of a kernel variant to a file, a line each, when it is first launched.
#[derive(Debug)]
pub(crate) struct LaunchLog {
    path: PathBuf,
    /// Names of compiled variants that have not been launched.
    waiting: Mutex<HashMap<wgpu::ComputePipeline, String>>,
}

impl LaunchLog {
    /// The log that `$PTERON_LAUNCHES` asks for.
    pub(crate) fn from_environment() -> Option<LaunchLog> {
        let path = std::env::var_os("PTERON_LAUNCHES")?.into();
        Some(LaunchLog { path, waiting: Mutex::default() })
    }

    /// Notes what a pipeline is.
    pub(crate) fn compiled(&self, pipeline: &wgpu::ComputePipeline, name: String) {
        if let Ok(mut waiting) = self.waiting.lock() {
            waiting.insert(pipeline.clone(), name);
        }
    }

    /// Notes a launch of as many workgroups; of none, nothing runs.
    pub(crate) fn launched(&self, pipeline: &wgpu::ComputePipeline, grid: [u32; 3]) {
        let Ok(mut waiting) = self.waiting.lock() else { return };
        if grid.contains(&0) {
            return;
        }
        if let Some(name) = waiting.remove(pipeline) {
            let file = std::fs::OpenOptions::new().create(true).append(true).open(&self.path);
            // One write, so that lines of several processes do not mix.
            if let Err(error) = file.and_then(|mut file| file.write_all(format!("{name}\n").as_bytes())) {
                tracing::warn!(%error, path = %self.path.display(), "a launch was not noted");
            }
        }
    }
}
