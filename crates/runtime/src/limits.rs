//! How much of the machine a program may take.

use std::time::Duration;

use pteron_ops::Clock;
use web_time::Instant;

use crate::error::{Error, Result};
use crate::graph::MethodGraph;

/// How much of the machine a program may take. What needs more is an error that says how much, and is refused before it is
/// allocated.
///
/// The defaults are for files from strangers: room for models that people run, and an end for what a damaged or hostile file
/// claims. A program of one's own may be given more, or [`Limits::unlimited`].
///
/// ```
/// use std::time::Duration;
///
/// use pteron_runtime::Limits;
///
/// let limits = Limits::default().with_gpu_bytes(4 << 30).with_call_time(Duration::from_secs(5));
/// assert_eq!(limits.nodes, Limits::default().nodes);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes on the GPU for each method that is loaded: constants, one state, and what its largest call needs.
    pub gpu_bytes: u64,
    /// Bytes of tensors in host memory for each method that is loaded: what is made of constants there, and the tensors of a
    /// call. A mapped file does not count.
    pub host_bytes: u64,
    /// Operators and instructions of a method, those in its delegates included.
    pub nodes: u64,
    /// Values of a method, those in its delegates included.
    pub values: u64,
    /// How long one call may take. The host looks at the time between operators, within those that do much with little, and
    /// while it waits for the GPU.
    pub call_time: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            gpu_bytes: 128 << 30,
            host_bytes: 16 << 30,
            nodes: 1 << 17,
            values: 1 << 19,
            call_time: Duration::from_secs(600),
        }
    }
}

impl Limits {
    /// No limits, for programs that one has made oneself.
    pub fn unlimited() -> Limits {
        Limits {
            gpu_bytes: u64::MAX,
            host_bytes: u64::MAX,
            nodes: u64::MAX,
            values: u64::MAX,
            call_time: Duration::MAX,
        }
    }

    /// With this many bytes on the GPU.
    #[must_use]
    pub fn with_gpu_bytes(self, gpu_bytes: u64) -> Limits {
        Limits { gpu_bytes, ..self }
    }

    /// With this many bytes of tensors in host memory.
    #[must_use]
    pub fn with_host_bytes(self, host_bytes: u64) -> Limits {
        Limits { host_bytes, ..self }
    }

    /// With this many operators and instructions.
    #[must_use]
    pub fn with_nodes(self, nodes: u64) -> Limits {
        Limits { nodes, ..self }
    }

    /// With this many values.
    #[must_use]
    pub fn with_values(self, values: u64) -> Limits {
        Limits { values, ..self }
    }

    /// With calls that take no longer than this.
    #[must_use]
    pub fn with_call_time(self, call_time: Duration) -> Limits {
        Limits { call_time, ..self }
    }

    /// An error where `needed` bytes on the GPU are too many.
    pub(crate) fn check_gpu(&self, what: &str, needed: u64) -> Result<()> {
        check(what, needed, self.gpu_bytes, Limit::GpuBytes)
    }

    /// An error where `needed` bytes in host memory are too many.
    pub fn check_host(&self, what: &str, needed: u64) -> Result<()> {
        check(what, needed, self.host_bytes, Limit::HostBytes)
    }

    /// An error where so many operators and instructions are too many.
    pub(crate) fn check_nodes(&self, what: &str, needed: u64) -> Result<()> {
        check(what, needed, self.nodes, Limit::Nodes)
    }

    /// An error where so many values are too many.
    pub(crate) fn check_values(&self, what: &str, needed: u64) -> Result<()> {
        check(what, needed, self.values, Limit::Values)
    }

    /// An error where a method is larger than a program may be.
    pub(crate) fn check_graph(&self, graph: &MethodGraph) -> Result<()> {
        let nodes = graph.delegates.iter().map(|delegate| delegate.nodes.len()).chain([graph.steps.len()]);
        let values = graph.delegates.iter().map(|delegate| delegate.values.len()).chain([graph.values.len()]);
        self.check_nodes(&graph.name, total(nodes.map(|count| count as u64)))?;
        self.check_values(&graph.name, total(values.map(|count| count as u64)))
    }
}

/// A sum that stays at the largest number.
pub(crate) fn total(numbers: impl IntoIterator<Item = u64>) -> u64 {
    numbers.into_iter().fold(0, u64::saturating_add)
}

/// Which of the [`Limits`] something does not keep to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Limit {
    /// [`Limits::gpu_bytes`].
    GpuBytes,
    /// [`Limits::host_bytes`].
    HostBytes,
    /// [`Limits::nodes`].
    Nodes,
    /// [`Limits::values`].
    Values,
    /// [`Limits::call_time`].
    CallTime,
}

impl Limit {
    /// What it counts.
    pub(crate) fn unit(self) -> &'static str {
        match self {
            Limit::GpuBytes => "bytes on the GPU",
            Limit::HostBytes => "bytes in host memory",
            Limit::Nodes => "nodes",
            Limit::Values => "values",
            Limit::CallTime => "seconds",
        }
    }

    /// The field of [`Limits`] and the option of the command line that allow more.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn options(self) -> &'static str {
        match self {
            Limit::GpuBytes => "Limits::gpu_bytes (--max-gpu-bytes)",
            Limit::HostBytes => "Limits::host_bytes (--max-host-bytes)",
            Limit::Nodes => "Limits::nodes (--max-nodes)",
            Limit::Values => "Limits::values (--max-values)",
            Limit::CallTime => "Limits::call_time (--max-call-seconds)",
        }
    }

    /// The option of pages that allows more.
    #[cfg(target_arch = "wasm32")]
    pub(crate) fn options(self) -> &'static str {
        match self {
            Limit::GpuBytes => "limits.gpuBytes",
            Limit::HostBytes => "limits.hostBytes",
            Limit::Nodes => "limits.nodes",
            Limit::Values => "limits.values",
            Limit::CallTime => "limits.callSeconds",
        }
    }
}

fn check(what: &str, needed: u64, allowed: u64, limit: Limit) -> Result<()> {
    if needed <= allowed {
        return Ok(());
    }
    Err(Error::Limit { what: what.to_owned(), needed, allowed, limit })
}

/// When a call must have come to its end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadline {
    end: Option<Instant>,
    limit: Duration,
}

impl Deadline {
    /// The end of something that begins here and belongs to no call of a program.
    pub(crate) fn usual() -> Deadline {
        Deadline::after(Limits::default().call_time)
    }

    /// The end of a call that begins here and may take this long.
    pub(crate) fn after(limit: Duration) -> Deadline {
        Deadline { end: Instant::now().checked_add(limit), limit }
    }

    /// An error where the time is over.
    pub(crate) fn check(&self) -> Result<()> {
        if self.left() == Some(Duration::ZERO) {
            return Err(self.error());
        }
        Ok(())
    }

    /// What ends operators that run on the host.
    pub(crate) fn clock(&self) -> Clock {
        Clock::until(self.end)
    }

    /// The time that is left; nothing where there is no end.
    pub(crate) fn left(&self) -> Option<Duration> {
        self.end.map(|end| end.saturating_duration_since(Instant::now()))
    }

    /// The error of a call that took too long.
    pub(crate) fn error(&self) -> Error {
        Error::Time { limit: self.limit }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_much_is_an_error_that_names_the_option() {
        let limits = Limits::default().with_gpu_bytes(4096);
        limits.check_gpu("forward", 4096).expect("as much as is allowed");
        let error = limits.check_gpu("forward", 4097).expect_err("one byte more").to_string();
        assert_eq!(
            error,
            "forward needs 4097 bytes on the GPU, and 4096 are allowed: Limits::gpu_bytes (--max-gpu-bytes) allows more"
        );
        assert_eq!(total([u64::MAX, 1]), u64::MAX);
    }

    #[test]
    fn a_time_that_is_over_is_an_error() {
        Deadline::after(Duration::MAX).check().expect("there is no end");
        Deadline::after(Duration::from_secs(3600)).check().expect("an hour is left");
        let error = Deadline::after(Duration::ZERO).check().expect_err("no time at all").to_string();
        assert_eq!(error, "the call took longer than 0ns: Limits::call_time (--max-call-seconds) allows more");
    }
}
