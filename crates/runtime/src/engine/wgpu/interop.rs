//! Devices and buffers that an application with `wgpu` of its own shares with its programs.

use pteron_ops::Caps;
use pteron_tensor::{DType, Shape};

use super::device::Gpu;
use super::faults::Faults;
use super::record::{DeviceTensor, OVERWRITTEN};
use crate::device::{Device, PipelineCache};
use crate::error::{Error, Result};

/// Uniform bindings start at multiples of this.
const UNIFORM_ALIGNMENT: u32 = 256;

impl Device {
    /// A device that the application has opened, so that it can draw and compute with results where they are.
    ///
    /// It can do what it was opened with. The features `SHADER_F16`, `SUBGROUP`, `TIMESTAMP_QUERY` and `PIPELINE_CACHE`
    /// are of use, and so are the adapter's own limits of buffers and bindings. A device whose limits for compute are
    /// below those that WebGPU guarantees is refused.
    ///
    /// The handlers of the device stay the application's. Natively, errors of what is done here are caught in error scopes
    /// and returned; in a browser some reach the handler. Callbacks run on whichever thread waits for the device, which
    /// may be one of this crate's. Results that come to the host are copies, so the application may destroy the device.
    pub fn from_wgpu(adapter: &wgpu::Adapter, device: wgpu::Device, queue: wgpu::Queue) -> Result<Device> {
        let alignment = device.limits().min_uniform_buffer_offset_alignment;
        let faults = Faults::of_application();
        let gpu =
            faults.clone().during(&device.clone(), || Gpu::new(adapter, device, queue, faults, &PipelineCache::User));
        gpu.check()?;
        if let Some(what) = lacking(&gpu.caps, alignment) {
            return Err(gpu.error(format!("the device was opened with too little: {what}")));
        }
        Ok(Device::of_gpu(gpu))
    }
}

/// What a device has less of than WebGPU guarantees.
fn lacking(caps: &Caps, uniform_alignment: u32) -> Option<String> {
    let least = Caps::webgpu_minimum();
    let [x, y, z] = caps.max_workgroup_size.map(u64::from);
    let [least_x, least_y, least_z] = least.max_workgroup_size.map(u64::from);
    let limits = [
        ("max_storage_buffer_binding_size", caps.max_binding_bytes, least.max_binding_bytes),
        ("max_buffer_size", caps.max_buffer_bytes, least.max_buffer_bytes),
        ("max_storage_buffers_per_shader_stage", caps.max_storage_buffers.into(), least.max_storage_buffers.into()),
        ("max_compute_workgroups_per_dimension", caps.max_groups.into(), least.max_groups.into()),
        ("max_compute_invocations_per_workgroup", caps.max_invocations.into(), least.max_invocations.into()),
        ("max_compute_workgroup_size_x", x, least_x),
        ("max_compute_workgroup_size_y", y, least_y),
        ("max_compute_workgroup_size_z", z, least_z),
        ("max_compute_workgroup_storage_size", caps.max_workgroup_bytes.into(), least.max_workgroup_bytes.into()),
    ];
    let below = limits.iter().find(|(_, has, needed)| has < needed);
    let alignments = [
        ("min_storage_buffer_offset_alignment", caps.offset_alignment, least.offset_alignment),
        ("min_uniform_buffer_offset_alignment", uniform_alignment.into(), UNIFORM_ALIGNMENT.into()),
    ];
    let above = alignments.iter().find(|(_, has, needed)| has > needed);
    let (name, has, needed) = below.or(above)?;
    Some(format!("{name} is {has}, and must be {needed}"))
}

/// The memory of a [`DeviceTensor`], for commands of the application on the same device.
///
/// Elements lie one after the other, the last dimension innermost, from the first byte on. Types of 8 bits lie four to a
/// word and types of 16 bits two. The buffer can be bound as storage, and copied from and to.
///
/// Commands that are submitted after the call that computes the tensor find its values; those of an input must be
/// submitted before the call.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct TensorBuffer<'a> {
    /// The buffer, which may be longer than the tensor.
    pub buffer: &'a wgpu::Buffer,
    /// The type of the elements on the device, which may be narrower than [`DeviceTensor::dtype`].
    pub dtype: DType,
    /// The sizes.
    pub shape: Shape,
    /// The bytes that the elements take.
    pub bytes: u64,
}

impl DeviceTensor {
    /// Its memory, for commands of the application on the same device. One that a later call has overwritten is an error.
    pub fn buffer(&self) -> Result<TensorBuffer<'_>> {
        if self.is_overwritten() {
            return Err(Error::Misuse(OVERWRITTEN.to_owned()));
        }
        Ok(TensorBuffer { buffer: &self.buffer, dtype: self.stored, shape: self.shape, bytes: self.bytes() })
    }
}
