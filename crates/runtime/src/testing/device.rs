//! What tests do to a device.

use crate::device::{Device, Kind};

/// Makes the device lost, as a driver that fails does. Host tensors that were read from it are no longer valid.
pub fn lose(device: &Device) {
    if let Kind::Gpu(gpu) = &device.0 {
        gpu.destroy();
    }
}

/// Bytes of the device's memory that buffers hold, where the driver's allocator tells.
pub fn allocated_bytes(device: &Device) -> Option<u64> {
    match &device.0 {
        Kind::Gpu(gpu) => gpu.allocated_bytes(),
        Kind::Reference => None,
    }
}
