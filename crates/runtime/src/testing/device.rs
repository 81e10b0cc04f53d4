//! What tests do to a device.

use crate::device::{Device, Kind};
#[cfg(feature = "fault-injection")]
pub use crate::engine::wgpu::inject::{Fault, Site};

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
