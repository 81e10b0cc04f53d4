//! What tests do to a device.

use crate::device::{Device, Kind};
#[cfg(feature = "fault-injection")]
pub use crate::engine::wgpu::guards::Guard;
#[cfg(feature = "fault-injection")]
pub use crate::engine::wgpu::inject::{Fault, Site};
#[cfg(feature = "fault-injection")]
use crate::error::Result;

/// Has a device fail when a site is reached for the `number`th time from here on, counted from 0.
#[cfg(feature = "fault-injection")]
pub fn arm(device: &Device, site: Site, number: u64, fault: Fault) {
    if let Kind::Gpu(gpu) = &device.0 {
        gpu.injector().arm(site, number, fault);
    }
}

/// Takes a fault back: how often each site of [`Site::ALL`] was reached since, and whether the fault has come.
#[cfg(feature = "fault-injection")]
pub fn disarm(device: &Device) -> ([u64; Site::ALL.len()], bool) {
    match &device.0 {
        Kind::Gpu(gpu) => gpu.injector().disarm(),
        Kind::Reference => ([0; Site::ALL.len()], false),
    }
}

/// Makes the device lost, as a driver that fails does. Host tensors that were read from it are no longer valid.
pub fn lose(device: &Device) {
    device.close();
}

/// Bytes of the device's memory that buffers hold, where the driver's allocator tells.
pub fn allocated_bytes(device: &Device) -> Option<u64> {
    match &device.0 {
        Kind::Gpu(gpu) => gpu.allocated_bytes(),
        Kind::Reference => None,
    }
}

/// Guards all tensors that a device gets from here on, and all trusted kernels that it compiles.
#[cfg(feature = "fault-injection")]
pub fn set_guards(device: &Device, guard: Guard) {
    if let Kind::Gpu(gpu) = &device.0 {
        gpu.set_guards(guard);
    }
}

/// The number of guards, and the trusted kernels that were compiled; an error where a kernel touched what is not its own.
#[cfg(feature = "fault-injection")]
pub fn check_guards(device: &Device) -> Result<(usize, std::collections::BTreeSet<&'static str>)> {
    match &device.0 {
        Kind::Gpu(gpu) => gpu.check_guards(),
        Kind::Reference => Ok(Default::default()),
    }
}

/// Has kernels do nothing that are compiled from here on and whose names contain a text, on every device of the process.
#[cfg(feature = "fault-injection")]
pub fn spoil(kernels: Option<&str>) {
    crate::engine::wgpu::inject::spoil(kernels);
}
