//! Choosing where a program runs.

mod options;
mod outcomes;
mod pci;
mod self_test;
mod shared;

use std::fmt;
use std::sync::Arc;

use pteron_ops::Caps;
use pteron_tensor::HostTensor;

pub use self::options::{DeviceChoice, DeviceOptions, PipelineCache};
pub use self::outcomes::{KeepOutcomes, Outcomes};
use self::pci::PciAddress;
#[cfg(not(target_arch = "wasm32"))]
use crate::blocking::apart;
use crate::engine::wgpu::{self as engine, AdapterReport, DeviceTensor, Gpu};
use crate::error::{Error, Result};

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

    /// Opens a device and waits for it.
    ///
    /// ```
    /// use pteron_runtime::{Device, DeviceChoice, DeviceOptions};
    ///
    /// let best = Device::open(DeviceChoice::Auto)?;
    /// let least = Device::open(DeviceOptions::new(DeviceChoice::Auto).with_webgpu_minimum())?;
    /// # Ok::<(), pteron_runtime::Error>(())
    /// ```
    #[cfg(not(target_arch = "wasm32"))]
    pub fn open(options: impl Into<DeviceOptions>) -> Result<Device> {
        crate::block_on(Device::open_async(options))
    }

    /// Opens a device.
    pub async fn open_async(options: impl Into<DeviceOptions>) -> Result<Device> {
        let options = options.into();
        // Drivers take their time, and natively wgpu waits for them.
        #[cfg(not(target_arch = "wasm32"))]
        {
            apart(move || pollster::block_on(Device::find(&options))).await?
        }
        #[cfg(target_arch = "wasm32")]
        Device::find(&options).await
    }

    #[cfg_attr(
        target_arch = "wasm32",
        expect(clippy::arc_with_non_send_sync, reason = "natively it is both, and one type serves both targets")
    )]
    pub(crate) fn of_gpu(gpu: Gpu) -> Device {
        Device(Kind::Gpu(Arc::new(gpu)))
    }

    async fn find(options: &DeviceOptions) -> Result<Device> {
        if options.choice == DeviceChoice::Cpu {
            return Ok(Device::cpu());
        }
        match (Device::open_adapter(options).await, &options.choice) {
            (Ok(Some(device)), _) => Ok(device),
            (Ok(None), DeviceChoice::Auto) => Ok(Device::cpu()),
            (Ok(None), _) => Err(Error::Device(NO_ADAPTER.to_owned())),
            (Err(error), DeviceChoice::Auto) => {
                tracing::warn!(%error, "falling back to the reference engine");
                Ok(Device::cpu())
            }
            (Err(error), _) => Err(error),
        }
    }

    /// Opens an adapter, with as much as it computes rightly; nothing where there is none.
    async fn open_adapter(options: &DeviceOptions) -> Result<Option<Device>> {
        let (mut options, mut warnings) = (options.clone(), Vec::new());
        loop {
            // A browser has an adapter opened once.
            let Some(adapter) = Device::find_adapter(&options.choice).await? else { return Ok(None) };
            let mut gpu = Gpu::open(&adapter, &options).await?;
            gpu.warnings.clone_from(&warnings);
            let device = Device::of_gpu(gpu);
            let instead = if options.self_test { self_test::judge(&device, &options).await? } else { None };
            // Each time it is opened with less.
            let Some(instead) = instead else { return Ok(Some(device)) };
            device.close();
            options = instead.options;
            warnings.push(instead.warning);
        }
    }

    async fn find_adapter(choice: &DeviceChoice) -> Result<Option<engine::Adapter>> {
        let adapters = engine::adapters().await;
        let at = match choice {
            DeviceChoice::Named(_) | DeviceChoice::Index(_) | DeviceChoice::Pci(_) => {
                let reports: Vec<_> = adapters.iter().map(engine::report).collect();
                chosen(choice, &reports)?
            }
            _ => 0,
        };
        Ok(adapters.into_iter().nth(at))
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

    /// The device that takes the place of this one, and waits for it.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn reopen(&self) -> Result<Device> {
        crate::block_on(self.reopen_async())
    }

    /// The device that takes the place of this one: itself, or where it is lost one like it, opened once for all who ask.
    ///
    /// A device of the application is the application's to open again.
    pub async fn reopen_async(&self) -> Result<Device> {
        let mut device = self.clone();
        while let Kind::Gpu(gpu) = &device.0
            && gpu.is_lost()
        {
            let Some(options) = &gpu.options else {
                return Err(Error::Device("the device is the application's, which must open another".to_owned()));
            };
            let mut successor = gpu.successor.lock().await;
            let next = match &*successor {
                Some(successor) => successor.clone(),
                None => Device::open_async(options).await?,
            };
            *successor = Some(next.clone());
            drop(successor);
            device = next;
        }
        Ok(device)
    }

    /// Whether it is lost, and nothing runs on it any more. [`Device::reopen`] gives one in its place.
    pub fn is_lost(&self) -> bool {
        match &self.0 {
            Kind::Reference => false,
            Kind::Gpu(gpu) => gpu.is_lost(),
        }
    }

    /// Ends the device: it is lost when it has done its work, and all of its memory is free. Host tensors that were read
    /// from it are no longer valid.
    pub fn close(&self) {
        if let Kind::Gpu(gpu) = &self.0 {
            gpu.destroy();
        }
    }

    /// Every adapter of this machine, best first. It waits for the drivers.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn adapters() -> Vec<AdapterReport> {
        crate::block_on(Device::adapters_async())
    }

    /// Every adapter of this machine, best first.
    pub async fn adapters_async() -> Vec<AdapterReport> {
        engine::adapters().await.iter().map(engine::report).collect()
    }

    /// The adapters of this machine that lack something WebGPU needs, and are never used. It waits for the drivers.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn unfit_adapters() -> Vec<AdapterReport> {
        crate::block_on(Device::unfit_adapters_async())
    }

    /// The adapters of this machine that lack something WebGPU needs, and are never used.
    pub async fn unfit_adapters_async() -> Vec<AdapterReport> {
        engine::unfit_adapters().await.iter().map(engine::report).collect()
    }

    /// The device's name.
    pub fn name(&self) -> &str {
        match &self.0 {
            Kind::Reference => "cpu (reference engine)",
            Kind::Gpu(gpu) => &gpu.report.name,
        }
    }

    /// Awaits something that is done with the device; what goes wrong with the device is its error.
    pub(crate) async fn scoped<T>(&self, work: impl Future<Output = Result<T>>) -> Result<T> {
        match &self.0 {
            Kind::Reference => work.await,
            Kind::Gpu(gpu) => gpu.scoped(work).await,
        }
    }

    /// Like [`Device::scoped`], for what need not be awaited.
    pub(crate) fn scoped_now<T>(&self, work: impl FnOnce() -> Result<T>) -> Result<T> {
        match &self.0 {
            Kind::Reference => work(),
            Kind::Gpu(gpu) => gpu.scoped_now(work),
        }
    }

    /// What the adapter says about itself, where there is one.
    pub fn adapter(&self) -> Option<&AdapterReport> {
        match &self.0 {
            Kind::Reference => None,
            Kind::Gpu(gpu) => Some(&gpu.report),
        }
    }

    /// What its self-test found wrong, and what takes its place.
    pub fn warnings(&self) -> &[String] {
        match &self.0 {
            Kind::Reference => &[],
            Kind::Gpu(gpu) => &gpu.warnings,
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
            Kind::Reference => Caps::unlimited(),
            Kind::Gpu(gpu) => gpu.caps.clone(),
        }
    }

    /// Copies a tensor to the GPU, to be an input of several calls.
    pub fn upload(&self, tensor: &HostTensor) -> Result<DeviceTensor> {
        match &self.0 {
            Kind::Reference => Err(Error::Device("the reference engine has no memory of its own".to_owned())),
            Kind::Gpu(gpu) => gpu.scoped_now(|| engine::upload(gpu, tensor)),
        }
    }

    /// Measures how fast the device copies memory, in bytes read and written per second, and waits for that.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn measure_bandwidth(&self) -> Result<f64> {
        crate::block_on(self.measure_bandwidth_async())
    }

    /// Measures how fast the device copies memory, in bytes read and written per second.
    pub async fn measure_bandwidth_async(&self) -> Result<f64> {
        match &self.0 {
            Kind::Reference => Err(Error::Device("the reference engine has no memory of its own".to_owned())),
            Kind::Gpu(gpu) => gpu.scoped(engine::measure_bandwidth(gpu)).await,
        }
    }
}

/// The number of the adapter that was asked for, or what there is instead.
fn chosen(choice: &DeviceChoice, adapters: &[AdapterReport]) -> Result<usize> {
    let (at, wanted) = match choice {
        DeviceChoice::Named(name) => {
            let lower = name.to_ascii_lowercase();
            let at = adapters.iter().position(|adapter| adapter.name.to_ascii_lowercase().contains(&lower));
            (at, format!("is named {name:?}"))
        }
        DeviceChoice::Index(index) => (adapters.get(*index).map(|_| *index), format!("has the number {index}")),
        DeviceChoice::Pci(address) => {
            let wanted = PciAddress::parse(address);
            let is_there = |adapter: &AdapterReport| {
                let has = adapter.pci.as_deref().and_then(PciAddress::parse);
                wanted.zip(has).is_some_and(|(wanted, has)| wanted.is_at(has))
            };
            (adapters.iter().position(is_there), format!("is at {address} of the PCI bus"))
        }
        _ => (adapters.first().map(|_| 0), "was found".to_owned()),
    };
    at.ok_or_else(|| {
        let known: Vec<_> = adapters
            .iter()
            .map(|adapter| match (&adapter.pci, choice) {
                (Some(pci), DeviceChoice::Pci(_)) => format!("{} ({pci})", adapter.name),
                _ => adapter.name.clone(),
            })
            .collect();
        let known = if known.is_empty() { "there is none".to_owned() } else { known.join(", ") };
        Error::Device(format!("no WebGPU adapter {wanted}: {known}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn adapter(name: &str, pci: Option<&str>) -> AdapterReport {
        AdapterReport {
            name: name.to_owned(),
            backend: "Vulkan".to_owned(),
            kind: "discrete GPU".to_owned(),
            driver: String::new(),
            pci: pci.map(str::to_owned),
            software: false,
            caps: Caps::unlimited(),
            features: Vec::new(),
        }
    }

    #[test]
    fn adapters_are_chosen_by_name_number_and_address() {
        let two = [adapter("NVIDIA H200", Some("0000:3B:00.0")), adapter("llvmpipe", None)];
        let found = |choice: &str| chosen(&choice.parse().unwrap(), &two).ok();
        assert_eq!(found("LLVM"), Some(1));
        assert_eq!(found("pci:0000:3b:00.0"), Some(0));
        assert_eq!(found("pci:3b:00.0"), Some(0));
        assert_eq!(found("pci:00000000:3B:00.0"), Some(0), "as nvidia-smi has it");
        assert_eq!(found("pci:0001:3b:00.0"), None);
        assert_eq!(found("pci:0"), None);
        assert_eq!(found("pci:"), None);
        assert_eq!(chosen(&DeviceChoice::Index(1), &two).ok(), Some(1));
        let error = chosen(&DeviceChoice::Index(2), &two).unwrap_err();
        assert_eq!(error.to_string(), "no WebGPU adapter has the number 2: NVIDIA H200, llvmpipe");
        let error = chosen(&DeviceChoice::Pci("af:00.0".to_owned()), &two).unwrap_err();
        assert_eq!(
            error.to_string(),
            "no WebGPU adapter is at af:00.0 of the PCI bus: NVIDIA H200 (0000:3B:00.0), llvmpipe"
        );
    }
}
