//! Which device to open, and how.

use std::path::PathBuf;
use std::str::FromStr;

use super::Outcomes;

/// What to run on.
///
/// ```
/// # use pteron_runtime::DeviceChoice;
/// assert_eq!("cpu".parse(), Ok(DeviceChoice::Cpu));
/// assert_eq!("llvmpipe".parse(), Ok(DeviceChoice::Named("llvmpipe".to_owned())));
/// assert_eq!("pci:0000:3b:00.0".parse(), Ok(DeviceChoice::Pci("0000:3b:00.0".to_owned())));
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
    /// The adapter with this number in [`Device::adapters`](crate::Device::adapters).
    Index(usize),
    /// The adapter at this address of the PCI bus, in any case and with or without its domain. Vulkan alone tells it.
    Pci(String),
}

impl FromStr for DeviceChoice {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<DeviceChoice, Self::Err> {
        Ok(match &*text.to_ascii_lowercase() {
            "auto" => DeviceChoice::Auto,
            "cpu" => DeviceChoice::Cpu,
            "gpu" => DeviceChoice::Gpu,
            _ => match text.strip_prefix("pci:") {
                Some(address) => DeviceChoice::Pci(address.to_owned()),
                None => DeviceChoice::Named(text.to_owned()),
            },
        })
    }
}

/// Where compiled kernels are kept from one run of the process to the next, on drivers that can.
///
/// ```
/// # use pteron_runtime::PipelineCache;
/// assert_eq!("off".parse(), Ok(PipelineCache::Off));
/// assert_eq!("target/kernels".parse(), Ok(PipelineCache::Folder("target/kernels".into())));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum PipelineCache {
    /// In `pteron` in the user's folder for caches.
    #[default]
    User,
    /// In a folder, which is made if it is not there. Who can write to it decides what the driver runs.
    Folder(PathBuf),
    /// Nowhere.
    Off,
}

#[cfg(not(target_arch = "wasm32"))]
impl PipelineCache {
    /// The folder, where there is one.
    pub(crate) fn folder(&self) -> Option<PathBuf> {
        use etcetera::BaseStrategy as _;

        match self {
            PipelineCache::Off => None,
            PipelineCache::Folder(folder) => Some(folder.clone()),
            PipelineCache::User => Some(etcetera::choose_base_strategy().ok()?.cache_dir().join("pteron")),
        }
    }
}

impl FromStr for PipelineCache {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<PipelineCache, Self::Err> {
        Ok(match text {
            "user" => PipelineCache::User,
            "off" => PipelineCache::Off,
            folder => PipelineCache::Folder(folder.into()),
        })
    }
}

/// Which device to open, and how. A [`DeviceChoice`] is enough where nothing else matters.
///
/// ```
/// use pteron_runtime::{DeviceChoice, DeviceOptions, PipelineCache};
///
/// let options = DeviceOptions::new(DeviceChoice::Gpu).with_f16(false).with_pipeline_cache(PipelineCache::Off);
/// assert!(options.subgroups);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DeviceOptions {
    /// What to run on.
    pub choice: DeviceChoice,
    /// Where compiled kernels are kept.
    pub pipeline_cache: PipelineCache,
    /// The largest storage binding in bytes, if it is to be below the adapter's own.
    pub max_binding_bytes: Option<u64>,
    /// Workgroup memory in bytes, if it is to be below the adapter's own.
    pub max_workgroup_bytes: Option<u32>,
    /// Whether to use 16-bit floats where the adapter has them. Matrix units need them.
    pub f16: bool,
    /// Whether to use subgroups where the adapter has them. Matrix units need them.
    pub subgroups: bool,
    /// Whether to use matrix units where the adapter has them.
    pub matrix: bool,
    /// Whether all products of floats take the kernels for matrix units, which without such units do their work in plain
    /// arithmetic: slow, and for tests.
    pub matrix_always: bool,
    /// Whether who opens the device sees to it that the browser gives it subgroups, which wgpu does not ask for.
    #[cfg(target_arch = "wasm32")]
    pub browser_subgroups: bool,
    /// Whether kernels are compared with the reference when an adapter and driver are met for the first time; those that are
    /// wrong are not used. Without a place for what was found nothing is compared.
    pub self_test: bool,
    /// Where that is kept, if not beside the compiled kernels. In a browser there is no other place.
    pub outcomes: Option<Outcomes>,
}

impl Default for DeviceOptions {
    fn default() -> DeviceOptions {
        DeviceOptions {
            choice: DeviceChoice::Auto,
            pipeline_cache: PipelineCache::User,
            max_binding_bytes: None,
            max_workgroup_bytes: None,
            f16: true,
            subgroups: true,
            matrix: true,
            matrix_always: false,
            #[cfg(target_arch = "wasm32")]
            browser_subgroups: false,
            self_test: true,
            outcomes: None,
        }
    }
}

impl DeviceOptions {
    /// A device of this choice, with everything that it has.
    pub fn new(choice: DeviceChoice) -> DeviceOptions {
        DeviceOptions { choice, ..DeviceOptions::default() }
    }

    /// With no more than the limits and features that every WebGPU implementation guarantees.
    pub fn with_webgpu_minimum(self) -> DeviceOptions {
        self.with_max_binding_bytes(128 << 20)
            .with_max_workgroup_bytes(16 << 10)
            .with_f16(false)
            .with_subgroups(false)
            .with_matrix(false)
    }

    /// With compiled kernels kept there.
    pub fn with_pipeline_cache(self, pipeline_cache: PipelineCache) -> DeviceOptions {
        DeviceOptions { pipeline_cache, ..self }
    }

    /// With storage bindings of no more than these bytes.
    pub fn with_max_binding_bytes(self, bytes: u64) -> DeviceOptions {
        DeviceOptions { max_binding_bytes: Some(bytes), ..self }
    }

    /// With workgroup memory of no more than these bytes.
    pub fn with_max_workgroup_bytes(self, bytes: u32) -> DeviceOptions {
        DeviceOptions { max_workgroup_bytes: Some(bytes), ..self }
    }

    /// With or without 16-bit floats.
    pub fn with_f16(self, f16: bool) -> DeviceOptions {
        DeviceOptions { f16, ..self }
    }

    /// With or without subgroups.
    pub fn with_subgroups(self, subgroups: bool) -> DeviceOptions {
        DeviceOptions { subgroups, ..self }
    }

    /// With subgroups that the browser is made to give.
    #[cfg(target_arch = "wasm32")]
    pub fn with_browser_subgroups(self, browser_subgroups: bool) -> DeviceOptions {
        DeviceOptions { browser_subgroups, ..self }
    }

    /// With or without matrix units.
    pub fn with_matrix(self, matrix: bool) -> DeviceOptions {
        DeviceOptions { matrix, ..self }
    }

    /// With or without the kernels for matrix units for all products of floats.
    pub fn with_matrix_always(self, matrix_always: bool) -> DeviceOptions {
        DeviceOptions { matrix_always, ..self }
    }

    /// With or without a self-test of kernels at the first use of a driver.
    pub fn with_self_test(self, self_test: bool) -> DeviceOptions {
        DeviceOptions { self_test, ..self }
    }

    /// With what self-tests found kept there.
    pub fn with_outcomes(self, outcomes: Outcomes) -> DeviceOptions {
        DeviceOptions { outcomes: Some(outcomes), ..self }
    }
}

impl From<DeviceChoice> for DeviceOptions {
    fn from(choice: DeviceChoice) -> DeviceOptions {
        DeviceOptions::new(choice)
    }
}

impl From<&DeviceChoice> for DeviceOptions {
    fn from(choice: &DeviceChoice) -> DeviceOptions {
        DeviceOptions::new(choice.clone())
    }
}

impl From<&DeviceOptions> for DeviceOptions {
    fn from(options: &DeviceOptions) -> DeviceOptions {
        options.clone()
    }
}
