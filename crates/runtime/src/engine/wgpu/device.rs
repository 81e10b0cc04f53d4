//! Finding and opening a WebGPU device.

use std::sync::Arc;

use pteron_ops::{Caps, SubgroupSizes};

use super::buffers::StagingPool;
use super::constants::Holders;
use super::faults::Faults;
use super::pipelines::Pipelines;
#[cfg(not(target_arch = "wasm32"))]
use super::poller::Poller;
use super::storage::Retired;
#[cfg(not(target_arch = "wasm32"))]
use super::waiting::LastWait;
use crate::device::{Device, DeviceOptions, PipelineCache};
use crate::error::{Error, Result};
use crate::limits::Deadline;

/// What an adapter says about itself.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct AdapterReport {
    /// The adapter's name.
    pub name: String,
    /// Vulkan, Metal, Dx12 or BrowserWebGpu.
    pub backend: String,
    /// Discrete, integrated, software.
    pub kind: String,
    /// The driver and its version.
    pub driver: String,
    /// Its address on the PCI bus, such as `0000:3b:00.0`, where the backend tells it.
    pub pci: Option<String>,
    /// Whether it computes in software.
    pub software: bool,
    /// What plans depend on.
    pub caps: Caps,
    /// Optional features that it has, of those that pteron uses or could use.
    pub features: Vec<&'static str>,
}

/// An open device, and everything that lives as long as it does.
#[derive(Debug)]
pub(crate) struct Gpu {
    pub(crate) report: AdapterReport,
    pub(crate) device: wgpu::Device,
    pub(crate) queue: wgpu::Queue,
    pub(crate) caps: Caps,
    pub(crate) pipelines: Pipelines,
    pub(crate) staging: StagingPool,
    pub(crate) timestamps: bool,
    pub(super) faults: Faults,
    pub(super) holders: Holders,
    /// What its self-test found wrong.
    pub(crate) warnings: Vec<String>,
    /// How it was opened; nothing where the application did.
    pub(crate) options: Option<DeviceOptions>,
    /// The device that takes its place when it is lost.
    pub(crate) successor: async_lock::Mutex<Option<Device>>,
    pub(super) retired: Retired,
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) poller: Poller,
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) last_wait: LastWait,
}

/// Every adapter that WebGPU runs on, best first.
pub(crate) async fn adapters() -> Vec<wgpu::Adapter> {
    let mut adapters = every_adapter().await;
    adapters.retain(compliant);
    adapters
}

/// The adapters that this machine has and WebGPU does not run on.
pub(crate) async fn unfit_adapters() -> Vec<wgpu::Adapter> {
    let mut adapters = every_adapter().await;
    adapters.retain(|adapter| !compliant(adapter));
    adapters
}

fn compliant(adapter: &wgpu::Adapter) -> bool {
    adapter.get_downlevel_capabilities().is_webgpu_compliant()
}

/// Every adapter that this machine has, best first.
async fn every_adapter() -> Vec<wgpu::Adapter> {
    // Where there is neither a window nor a dedicated worker, wgpu panics instead of finding nothing.
    if cfg!(target_arch = "wasm32") && !wgpu::util::is_browser_webgpu_supported().await {
        return Vec::new();
    }
    let instance = instance();
    if cfg!(target_arch = "wasm32") {
        let options = wgpu::RequestAdapterOptions {
            power_preference: wgpu::PowerPreference::HighPerformance,
            ..Default::default()
        };
        return instance.request_adapter(&options).await.into_iter().collect();
    }
    let mut adapters = instance.enumerate_adapters(wgpu::Backends::PRIMARY).await;
    adapters.sort_by_key(|adapter| match adapter.get_info().device_type {
        wgpu::DeviceType::DiscreteGpu => 0,
        wgpu::DeviceType::IntegratedGpu => 1,
        wgpu::DeviceType::VirtualGpu => 2,
        wgpu::DeviceType::Other => 3,
        wgpu::DeviceType::Cpu => 4,
    });
    adapters
}

fn instance() -> wgpu::Instance {
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
    descriptor.backends = wgpu::Backends::PRIMARY;
    descriptor.flags = wgpu::InstanceFlags::empty();
    wgpu::Instance::new(descriptor)
}

/// What an adapter says about itself.
pub(crate) fn report(adapter: &wgpu::Adapter) -> AdapterReport {
    let info = adapter.get_info();
    let features = [
        (wgpu::Features::SHADER_F16, "f16"),
        (wgpu::Features::SUBGROUP, "subgroups"),
        (wgpu::Features::TIMESTAMP_QUERY, "timestamps"),
        (wgpu::Features::IMMEDIATES, "immediates"),
        (wgpu::Features::PIPELINE_CACHE, "pipeline-cache"),
        (wgpu::Features::EXPERIMENTAL_COOPERATIVE_MATRIX, "cooperative-matrix"),
    ];
    let has = adapter.features();
    AdapterReport {
        name: if info.name.is_empty() { "unnamed adapter".to_owned() } else { info.name.clone() },
        backend: format!("{:?}", info.backend),
        kind: match info.device_type {
            wgpu::DeviceType::DiscreteGpu => "discrete GPU",
            wgpu::DeviceType::IntegratedGpu => "integrated GPU",
            wgpu::DeviceType::VirtualGpu => "virtual GPU",
            wgpu::DeviceType::Cpu => "software",
            wgpu::DeviceType::Other => "other",
        }
        .to_owned(),
        driver: format!("{} {}", info.driver, info.driver_info).trim().to_owned(),
        pci: (!info.device_pci_bus_id.is_empty()).then(|| info.device_pci_bus_id.clone()),
        software: info.device_type == wgpu::DeviceType::Cpu,
        caps: caps_of(adapter, &adapter.limits(), has),
        features: features.into_iter().filter(|(feature, _)| has.contains(*feature)).map(|(_, name)| name).collect(),
    }
}

/// What kernels for matrix units need besides 16-bit floats and subgroups: the units, and barriers of one subgroup.
const MATRIX_FEATURES: wgpu::Features =
    wgpu::Features::EXPERIMENTAL_COOPERATIVE_MATRIX.union(wgpu::Features::SUBGROUP_BARRIER);

/// Whether subgroups of 32 lanes multiply the matrices that kernels are written for.
fn multiplies_matrices(adapter: &wgpu::Adapter, features: wgpu::Features) -> bool {
    let needed = MATRIX_FEATURES | wgpu::Features::SHADER_F16 | wgpu::Features::SUBGROUP;
    let info = adapter.get_info();
    features.contains(needed)
        && (info.subgroup_min_size, info.subgroup_max_size) == (32, 32)
        && adapter.cooperative_matrix_properties().iter().any(|matrix| {
            (matrix.m_size, matrix.n_size, matrix.k_size) == (16, 16, 16)
                && matrix.ab_type == wgpu::CooperativeScalarType::F16
                && matrix.cr_type == wgpu::CooperativeScalarType::F32
        })
}

fn caps_of(adapter: &wgpu::Adapter, limits: &wgpu::Limits, features: wgpu::Features) -> Caps {
    let info = adapter.get_info();
    let sizes = SubgroupSizes { min: info.subgroup_min_size, max: info.subgroup_max_size };
    let mut caps = Caps::webgpu_minimum();
    caps.f16 = features.contains(wgpu::Features::SHADER_F16);
    caps.subgroups = features.contains(wgpu::Features::SUBGROUP).then_some(sizes);
    caps.matrix = multiplies_matrices(adapter, features);
    // Metal has no such instruction, and a browser does not say.
    caps.packed_dot = matches!(info.backend, wgpu::Backend::Vulkan | wgpu::Backend::Dx12);
    caps.max_binding_bytes = limits.max_storage_buffer_binding_size;
    caps.max_buffer_bytes = limits.max_buffer_size;
    caps.offset_alignment = u64::from(limits.min_storage_buffer_offset_alignment);
    caps.max_storage_buffers = limits.max_storage_buffers_per_shader_stage;
    caps.max_groups = limits.max_compute_workgroups_per_dimension;
    caps.max_invocations = limits.max_compute_invocations_per_workgroup;
    caps.max_workgroup_size =
        [limits.max_compute_workgroup_size_x, limits.max_compute_workgroup_size_y, limits.max_compute_workgroup_size_z];
    caps.max_workgroup_bytes = limits.max_compute_workgroup_storage_size;
    // It counts 65,535 rounds of all loops of an invocation, and some loops twice.
    if info.driver == "llvmpipe" {
        caps.max_rounds = 65_535 / 2;
    }
    // A software adapter is taken for a large GPU, so that tests run what those run.
    if info.device_type == wgpu::DeviceType::IntegratedGpu {
        caps.groups_at_once = 96;
    }
    caps
}

impl Gpu {
    /// Opens an adapter with its own limits and those features that pteron uses.
    pub(crate) async fn open(adapter: &wgpu::Adapter, options: &DeviceOptions) -> Result<Gpu> {
        let mut wanted = wgpu::Features::TIMESTAMP_QUERY | wgpu::Features::PIPELINE_CACHE;
        if options.f16 {
            wanted |= wgpu::Features::SHADER_F16;
        }
        if options.subgroups {
            wanted |= wgpu::Features::SUBGROUP;
        }
        // An experimental feature is asked for only where it is of use.
        let fit = options.matrix && options.subgroups && options.f16;
        if fit && multiplies_matrices(adapter, adapter.features()) {
            wanted |= MATRIX_FEATURES;
        }
        let features = adapter.features() & wanted;
        let experimental = features.contains(wgpu::Features::EXPERIMENTAL_COOPERATIVE_MATRIX);
        let mut limits = adapter.limits();
        if let Some(bytes) = options.max_binding_bytes {
            limits.max_storage_buffer_binding_size = limits.max_storage_buffer_binding_size.min(bytes);
        }
        if let Some(bytes) = options.max_workgroup_bytes {
            limits.max_compute_workgroup_storage_size = limits.max_compute_workgroup_storage_size.min(bytes);
        }
        #[expect(unsafe_code, reason = "matrix units are an experimental feature")]
        let (device, queue) = adapter
            .request_device(&wgpu::DeviceDescriptor {
                label: Some("pteron"),
                required_features: features,
                required_limits: limits,
                experimental_features: match experimental {
                    // SAFETY: the one experimental feature is used by kernels that are validated at build time and keep
                    // to matrices within workgroup memory of their own.
                    true => unsafe { wgpu::ExperimentalFeatures::enabled() },
                    false => wgpu::ExperimentalFeatures::disabled(),
                },
                ..Default::default()
            })
            .await
            .map_err(|e| Error::Device(format!("{} cannot be opened: {e}", report(adapter).name)))?;

        let faults = Faults::default();
        let note = faults.clone();
        // Without a handler of our own, wgpu panics.
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| note.note(error.to_string())));
        let note = faults.clone();
        device.set_device_lost_callback(move |reason, message| match reason {
            wgpu::DeviceLostReason::Destroyed => note.note_lost("it was destroyed"),
            wgpu::DeviceLostReason::Unknown => note.note_lost(&message),
        });
        let mut gpu = Gpu::new(adapter, device, queue, faults, &options.pipeline_cache);
        #[cfg(target_arch = "wasm32")]
        if options.subgroups && options.browser_subgroups {
            let info = adapter.get_info();
            gpu.caps.subgroups = Some(SubgroupSizes { min: info.subgroup_min_size, max: info.subgroup_max_size });
            gpu.report.features.push("subgroups");
        }
        if options.matrix_always {
            // As on a small device, so that not only large products take large tiles.
            gpu.caps.matrix_always = true;
            gpu.caps.groups_at_once = 8;
        }
        gpu.options = Some(options.clone());
        Ok(gpu)
    }

    /// An open device and what lives as long as it does. It can do what it was opened with.
    pub(super) fn new(
        adapter: &wgpu::Adapter,
        device: wgpu::Device,
        queue: wgpu::Queue,
        faults: Faults,
        cache: &PipelineCache,
    ) -> Gpu {
        let features = device.features();
        Gpu {
            report: report(adapter),
            caps: caps_of(adapter, &device.limits(), features),
            pipelines: Pipelines::new(&device, &adapter.get_info(), cache, faults.clone()),
            device,
            queue,
            staging: StagingPool::default(),
            timestamps: features.contains(wgpu::Features::TIMESTAMP_QUERY),
            retired: Retired::of(faults.is_foreign()),
            faults,
            holders: Holders::default(),
            warnings: Vec::new(),
            options: None,
            successor: async_lock::Mutex::new(None),
            #[cfg(not(target_arch = "wasm32"))]
            poller: Poller::default(),
            #[cfg(not(target_arch = "wasm32"))]
            last_wait: LastWait::default(),
        }
    }

    /// Makes the device lost when it has done its work.
    pub(crate) fn destroy(&self) {
        self.faults.note_destroyed();
        self.device.destroy();
    }

    /// Bytes that buffers hold, where wgpu's allocator tells, without those that wait to be freed.
    pub(crate) fn allocated_bytes(&self) -> Option<u64> {
        self.wait_for(None, &Deadline::usual()).ok()?;
        self.device.generate_allocator_report().map(|report| report.total_allocated_bytes)
    }
}
