//! Devices: where programs of a page run.

use js_sys::{Array, Function, Promise};
use pteron_runtime::{DeviceChoice, DeviceOptions, KeepOutcomes, Outcomes};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

use crate::error::{Result, WebError};
use crate::value::{object, property};

/// An open device. Programs that share one share its compiled kernels.
#[wasm_bindgen]
#[derive(Clone, Debug)]
pub struct Device {
    pub(crate) device: pteron_runtime::Device,
    name: String,
    /// Why the reference engine was taken although WebGPU would have been preferred.
    fallback: Option<String>,
}

#[wasm_bindgen]
extern "C" {
    /// What self-tests found, by what it holds for.
    pub type KnownOutcomes;

    #[wasm_bindgen(method)]
    fn get(this: &KnownOutcomes, subject: &str) -> Option<String>;

    #[wasm_bindgen(method)]
    fn set(this: &KnownOutcomes, subject: &str, outcome: &str);
}

impl KeepOutcomes for KnownOutcomes {
    fn read(&self, subject: &str) -> Option<String> {
        self.get(subject)
    }

    fn write(&self, subject: &str, outcome: &str) {
        self.set(subject, outcome);
    }
}

/// Opens a device: `"auto"` unless told otherwise. `subgroups` says that the browser will give it subgroups. Without a place
/// for what its self-test finds there is none.
#[wasm_bindgen(js_name = openDevice)]
pub async fn open_device(choice: JsValue, subgroups: bool, outcomes: Option<KnownOutcomes>) -> Result<Device, JsValue> {
    Ok(Device::open(&choice, subgroups, outcomes).await?)
}

#[wasm_bindgen]
impl Device {
    /// What this device is.
    pub fn info(&self) -> JsValue {
        let adapter = self.device.adapter();
        let name = self.name.as_str();
        let description = match (&self.fallback, adapter) {
            (Some(reason), _) => format!("reference engine, since {reason}"),
            (None, Some(_)) => format!("WebGPU: {name}"),
            (None, None) => "reference engine".to_owned(),
        };
        let features = adapter.into_iter().flat_map(|adapter| &adapter.features).map(|&feature| JsValue::from(feature));
        let caps = self.device.caps();
        let warnings = self.device.warnings().iter().map(JsValue::from);
        let limit = |limit: u64| JsValue::from(limit as f64);
        let limits = object([
            ("bindingBytes", limit(caps.max_binding_bytes)),
            ("bufferBytes", limit(caps.max_buffer_bytes)),
            ("workgroupBytes", limit(caps.max_workgroup_bytes.into())),
            ("invocations", limit(caps.max_invocations.into())),
            ("storageBuffers", limit(caps.max_storage_buffers.into())),
        ]);
        object([
            ("description", description.into()),
            ("engine", if self.device.is_cpu() { "reference" } else { "webgpu" }.into()),
            ("name", name.into()),
            ("software", adapter.is_none_or(|adapter| adapter.software).into()),
            ("features", features.collect::<Array>().into()),
            ("limits", if self.device.is_cpu() { JsValue::UNDEFINED } else { limits }),
            ("warnings", warnings.collect::<Array>().into()),
            ("fallback", self.fallback.as_deref().map_or(JsValue::UNDEFINED, JsValue::from)),
        ])
    }

    /// Whether nothing runs on it any more.
    #[wasm_bindgen(js_name = isLost)]
    pub fn is_lost(&self) -> bool {
        self.device.is_lost()
    }

    /// Ends the device and frees all of its memory.
    pub fn close(&self) {
        self.device.close();
    }
}

impl Device {
    /// Opens what a `DeviceChoice` of JavaScript names.
    async fn open(choice: &JsValue, subgroups: bool, outcomes: Option<KnownOutcomes>) -> Result<Device> {
        let choice = match choice.as_string().as_deref() {
            None if choice.is_undefined() || choice.is_null() => DeviceChoice::Auto,
            Some("auto") => DeviceChoice::Auto,
            Some("gpu") => DeviceChoice::Gpu,
            Some("cpu") => DeviceChoice::Cpu,
            _ => return Err(WebError::argument("a device is one of \"auto\", \"gpu\" and \"cpu\"")),
        };
        let wanted = if choice == DeviceChoice::Auto { DeviceChoice::Gpu } else { choice.clone() };
        let mut options = DeviceOptions::new(wanted).with_browser_subgroups(subgroups);
        options.outcomes = outcomes.map(Outcomes::new);
        let (device, fallback) = match pteron_runtime::Device::open_async(options).await {
            Ok(device) => (device, None),
            Err(error) if choice == DeviceChoice::Auto => (pteron_runtime::Device::cpu(), Some(error.to_string())),
            Err(error) => return Err(error.into()),
        };
        let said = if device.is_cpu() { None } else { adapter_name().await };
        let name = said.unwrap_or_else(|| device.name().to_owned());
        Ok(Device { device, name, fallback })
    }
}

/// What the browser calls the adapter. Most tell a vendor and an architecture only, which wgpu passes over.
async fn adapter_name() -> Option<String> {
    let gpu = property(&property(&js_sys::global(), "navigator"), "gpu");
    let request: Function = property(&gpu, "requestAdapter").dyn_into().ok()?;
    let options = object([("powerPreference", "high-performance".into())]);
    let adapter: Promise = request.call1(&gpu, &options).ok()?.dyn_into().ok()?;
    let info = property(&JsFuture::from(adapter).await.ok()?, "info");
    let text = |name| property(&info, name).as_string().filter(|text| !text.is_empty());
    text("description").or_else(|| {
        let words: Vec<_> = [text("vendor"), text("architecture")].into_iter().flatten().collect();
        (!words.is_empty()).then(|| words.join(" "))
    })
}
