//! Choosing where a program runs.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use pteron_ops::Caps;
use pteron_tensor::HostTensor;

#[cfg(not(target_arch = "wasm32"))]
use crate::blocking::apart;
use crate::engine::wgpu::{self as engine, AdapterReport, DeviceTensor, Gpu, GpuOptions};
use crate::error::{Error, Result};
use crate::shared;

/// What to run on.
///
/// ```
/// # use pteron_runtime::DeviceChoice;
/// assert_eq!("cpu".parse(), Ok(DeviceChoice::Cpu));
/// assert_eq!("llvmpipe".parse(), Ok(DeviceChoice::Named("llvmpipe".to_owned())));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum DeviceChoice {
    /// The best WebGPU adapter, or the reference engine where there is none.
    #[default]
    Auto,
    /// The reference engine.
    Cpu,
    /// The best WebGPU adapter, a software one too, and never the reference engine.
    Gpu,
    /// The first adapter whose name contains this text, in any case.
    Named(String),
}

impl FromStr for DeviceChoice {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<DeviceChoice, Self::Err> {
        Ok(match text {
            "auto" => DeviceChoice::Auto,
            "cpu" => DeviceChoice::Cpu,
            "gpu" => DeviceChoice::Gpu,
            name => DeviceChoice::Named(name.to_owned()),
        })
    }
}

#[cfg(not(target_arch = "wasm32"))]
const NO_ADAPTER: &str = "no WebGPU adapter was found: install a Vulkan driver (Debian: mesa-vulkan-drivers and \
                          libvulkan1 give a software one), or use the reference engine with --device cpu";
#[cfg(target_arch = "wasm32")]
const NO_ADAPTER: &str = "no WebGPU adapter was found: this browser has none, keeps it switched off, or gives it only to \
                          pages served over https or from localhost";

/// A device that programs run on. Clones are the same device.
#[derive(Clone)]
pub struct Device(pub(crate) Kind);

#[derive(Clone)]
pub(crate) enum Kind {
    Reference,
    Gpu(Arc<Gpu>),
}

impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Device").field(&self.name()).finish()
    }
}

/// Whether both are the same open device.
impl PartialEq for Device {
    fn eq(&self, other: &Device) -> bool {
        match (&self.0, &other.0) {
            (Kind::Reference, Kind::Reference) => true,
            (Kind::Gpu(gpu), Kind::Gpu(other)) => Arc::ptr_eq(gpu, other),
            _ => false,
        }
    }
}

impl Eq for Device {}

impl Device {
    /// The reference engine: plain Rust, on any machine.
    pub fn cpu() -> Device {
        Device(Kind::Reference)
    }

    /// Opens a device.
    pub async fn request(choice: &DeviceChoice) -> Result<Device> {
        Device::request_with(choice, &GpuOptions::default()).await
    }

    /// Opens a device with limits below its own.
    pub async fn request_with(choice: &DeviceChoice, options: &GpuOptions) -> Result<Device> {
        #[cfg(not(target_arch = "wasm32"))]
        {
            // Drivers take their time, and natively wgpu waits for them.
            let (choice, options) = (choice.clone(), options.clone());
            apart(move || pollster::block_on(Device::find(&choice, &options))).await?
        }
        #[cfg(target_arch = "wasm32")]
        Device::find(choice, options).await
    }

    async fn find(choice: &DeviceChoice, options: &GpuOptions) -> Result<Device> {
        if *choice == DeviceChoice::Cpu {
            return Ok(Device::cpu());
        }
        let adapters = engine::adapters().await;
        let found = match choice {
            DeviceChoice::Named(name) => {
                let wanted = name.to_lowercase();
                let names: Vec<_> = adapters.iter().map(|adapter| engine::report(adapter).name).collect();
                let at = names.iter().position(|name| name.to_lowercase().contains(&wanted));
                if at.is_none() {
                    let known = if names.is_empty() { "there is none".to_owned() } else { names.join(", ") };
                    return Err(Error::Device(format!("no WebGPU adapter is named {name:?}: {known}")));
                }
                at.and_then(|at| adapters.into_iter().nth(at))
            }
            _ => adapters.into_iter().next(),
        };
        match (found, choice) {
            (Some(adapter), _) => match Gpu::open(adapter, options).await {
                Ok(gpu) => Ok(Device(Kind::Gpu(share(gpu)))),
                Err(error) if *choice == DeviceChoice::Auto => {
                    tracing::warn!(%error, "falling back to the reference engine");
                    Ok(Device::cpu())
                }
                Err(error) => Err(error),
            },
            (None, DeviceChoice::Auto) => Ok(Device::cpu()),
            (None, _) => Err(Error::Device(NO_ADAPTER.to_owned())),
        }
    }

    /// Opens a device and waits for it.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn open(choice: &DeviceChoice) -> Result<Device> {
        crate::block_on(Device::request(choice))
    }

    /// The device of every program that was put on none, which is opened on first need. It waits for that.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn shared() -> Result<Device> {
        crate::block_on(Device::shared_async())
    }

    /// The device of every program that was put on none: the best one, opened once for all threads, and a new one where
    /// it is lost.
    pub async fn shared_async() -> Result<Device> {
        shared::device().await
    }

    /// Whether it is lost, and nothing runs on it any more. Opening one like it may help.
    pub fn is_lost(&self) -> bool {
        match &self.0 {
            Kind::Reference => false,
            Kind::Gpu(gpu) => gpu.is_lost(),
        }
    }

    /// Every adapter of this machine, best first.
    pub async fn adapters() -> Vec<AdapterReport> {
        engine::adapters().await.iter().map(engine::report).collect()
    }

    /// The adapters of this machine that lack something WebGPU needs, and are never used.
    pub async fn unfit_adapters() -> Vec<AdapterReport> {
        engine::unfit_adapters().await.iter().map(engine::report).collect()
    }

    /// The device's name.
    pub fn name(&self) -> &str {
        match &self.0 {
            Kind::Reference => "cpu (reference engine)",
            Kind::Gpu(gpu) => &gpu.report.name,
        }
    }

    /// What the adapter says about itself, where there is one.
    pub fn adapter(&self) -> Option<&AdapterReport> {
        match &self.0 {
            Kind::Reference => None,
            Kind::Gpu(gpu) => Some(&gpu.report),
        }
    }

    /// Whether this is the reference engine.
    pub fn is_cpu(&self) -> bool {
        matches!(self.0, Kind::Reference)
    }

    /// What plans for this device depend on.
    pub fn caps(&self) -> Caps {
        match &self.0 {
            // The reference computes every type and has no limits of its own.
            Kind::Reference => {
                Caps { f16: true, max_binding_bytes: u64::MAX, max_buffer_bytes: u64::MAX, ..Caps::webgpu_minimum() }
            }
            Kind::Gpu(gpu) => gpu.caps.clone(),
        }
    }

    /// Copies a tensor to the GPU, to be an input of several calls.
    pub fn upload(&self, tensor: &HostTensor) -> Result<DeviceTensor> {
        match &self.0 {
            Kind::Reference => Err(Error::Device("the reference engine has no memory of its own".to_owned())),
            Kind::Gpu(gpu) => engine::upload(gpu, tensor),
        }
    }

    /// Measures how fast the device copies memory, in bytes read and written per second.
    pub async fn measure_bandwidth(&self) -> Result<f64> {
        match &self.0 {
            Kind::Reference => Err(Error::Device("the reference engine has no memory of its own".to_owned())),
            Kind::Gpu(gpu) => engine::measure_bandwidth(gpu).await,
        }
    }
}

#[cfg_attr(
    target_arch = "wasm32",
    expect(clippy::arc_with_non_send_sync, reason = "natively it is both, and one type serves both targets")
)]
fn share(gpu: Gpu) -> Arc<Gpu> {
    Arc::new(gpu)
}
