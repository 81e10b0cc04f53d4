//! Runs graphs on WebGPU. Only this module names `wgpu`.

mod ahead;
mod bandwidth;
mod bind_groups;
mod buffers;
mod compiled;
mod constants;
mod delegate;
mod device;
mod faults;
#[cfg(feature = "fault-injection")]
pub(crate) mod guards;
#[cfg(feature = "fault-injection")]
pub(crate) mod inject;
mod inputs;
#[cfg(feature = "wgpu")]
mod interop;
mod kept;
mod later_writes;
#[cfg(feature = "launch-log")]
mod launches;
mod memory;
mod own_launch;
mod pipelines;
#[cfg(not(target_arch = "wasm32"))]
mod poller;
mod profile;
mod readback;
mod record;
mod room;
mod state;
mod storage;
mod waiting;

pub(crate) use ::wgpu::Adapter;
pub(crate) use bandwidth::measure_bandwidth;
pub(crate) use buffers::upload;
pub(crate) use constants::SharedConstants;
pub(crate) use delegate::GpuDelegate;
pub use device::AdapterReport;
pub(crate) use device::{Gpu, adapters, report, unfit_adapters};
pub(crate) use inputs::Input;
#[cfg(feature = "wgpu")]
pub use interop::TensorBuffer;
pub(crate) use kept::KeptResults;
#[cfg(not(target_arch = "wasm32"))]
pub(crate) use pipelines::write_whole;
pub use profile::{KernelTime, RepeatedRun};
pub(crate) use profile::{Stopwatch, repeat, untimed};
pub(crate) use readback::{Reading, RecordedCopies, begin, record_copies};
pub use record::DeviceTensor;
pub(crate) use record::{OVERWRITTEN, Recorder, copy};
pub(crate) use room::Room;
pub(crate) use state::GpuState;
pub(crate) use storage::Storage;
