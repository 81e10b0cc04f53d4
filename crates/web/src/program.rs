//! Programs: loaded from bytes, with the methods that they hold.

use std::sync::Arc;

use js_sys::{Array, Uint8Array};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

use crate::device::Device;
use crate::error::{Result, WebError};
use crate::method::Method;
use crate::source::ArraySource;
use crate::value::{array_kind, property};

/// A program on a device.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Program {
    program: pteron_runtime::Program,
    device: Device,
}

/// Loads a program (`.pte` or `.bpte`) and opens a device for it.
///
/// The bytes are not copied, and must not change while the program is in use. A page with several programs opens one
/// device with `openDevice` and loads them with its `load`.
#[wasm_bindgen]
pub async fn load(
    #[wasm_bindgen(unchecked_param_type = "Uint8Array")] bytes: JsValue,
    #[wasm_bindgen(unchecked_optional_param_type = "LoadOptions")] options: JsValue,
) -> Result<Program, JsValue> {
    let device = Device::open(&property(&options, "device")).await?;
    Ok(open(bytes, &property(&options, "data"), device).await?)
}

#[wasm_bindgen]
impl Program {
    /// The names of the program's methods.
    pub fn methods(&self) -> Result<Vec<String>, JsValue> {
        Ok(self.program.methods().map_err(WebError::from)?)
    }

    /// Loads a method: plans it, compiles its kernels, and moves its constants to the device.
    pub async fn method(&self, name: String) -> Result<Method, JsValue> {
        let method = self.program.method_async(&name).await.map_err(WebError::from)?;
        Ok(Method::new(method, self.device.clone()))
    }

    /// What the program runs on.
    #[wasm_bindgen(unchecked_return_type = "DeviceInfo")]
    pub fn device(&self) -> JsValue {
        self.device.info()
    }
}

/// Opens a program on a device, with external data where there is any.
pub(crate) async fn open(bytes: JsValue, data: &JsValue, device: Device) -> Result<Program> {
    let mut program = pteron_runtime::Program::from_source_async(source("program", bytes)?).await?.on(&device.device);
    if !data.is_undefined() && !data.is_null() {
        let files = data.dyn_ref::<Array>().ok_or_else(|| WebError::argument("data is no array of Uint8Array"))?;
        for file in files.iter() {
            program = program.with_data_source_async(source("external data", file)?).await?;
        }
    }
    Ok(Program { program, device })
}

fn source(name: &'static str, bytes: JsValue) -> Result<Arc<ArraySource>> {
    if array_kind(&bytes).as_deref() != Some("Uint8Array") {
        return Err(WebError::argument(format!("{name}: the bytes are no Uint8Array")));
    }
    // `Uint8Array::length` counts in 32 bits.
    if property(&bytes, "length").as_f64().is_none_or(|length| length > f64::from(u32::MAX)) {
        return Err(WebError::argument(format!("{name}: the bytes are more than a page can address")));
    }
    Ok(Arc::new(ArraySource::new(name, bytes.unchecked_into::<Uint8Array>())))
}
