//! Programs: opened from files of JavaScript, with the methods that they hold.

use std::sync::Arc;
use std::time::Duration;

use js_sys::{Array, Function, Promise};
use pteron_runtime::{Limits, LoadProgress, MethodOptions, OnProgress};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::future_to_promise;

use crate::device::Device;
use crate::error::{Result, WebError};
use crate::inspect;
use crate::method::Method;
use crate::source::JsSource;
use crate::value::{object, property};

/// A program on a device.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Program {
    pub(crate) program: pteron_runtime::Program,
    pub(crate) device: Device,
}

/// Opens a program (`.pte` or `.bpte`) on a device, with files of external data.
///
/// The files are read as needed, and must not change while the program is in use. `limits` are the program's; where one is not
/// given, it is the usual one.
#[wasm_bindgen(js_name = openProgram)]
pub fn open_program(device: &Device, file: JsValue, data: Array, limits: JsValue) -> Promise {
    let (device, limits) = (device.clone(), limits_from_js(&limits));
    future_to_promise(async move { Ok(open(device, file, data, limits).await?.into()) })
}

/// Limits that JavaScript gives. What is no number, or less than 0, allows nothing.
fn limits_from_js(given: &JsValue) -> Limits {
    let usual = Limits::default();
    let number = |name| {
        let value = property(given, name);
        (!value.is_undefined()).then(|| value.as_f64().unwrap_or_default().max(0.0))
    };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a cast saturates")]
    let limit = |name, usual| number(name).map_or(usual, |number| number as u64);
    let time = |seconds| Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
    usual
        .with_gpu_bytes(limit("gpuBytes", usual.gpu_bytes))
        .with_host_bytes(limit("hostBytes", usual.host_bytes))
        .with_nodes(limit("nodes", usual.nodes))
        .with_values(limit("values", usual.values))
        .with_call_time(number("callSeconds").map_or(usual.call_time, time))
}

async fn open(device: Device, file: JsValue, data: Array, limits: Limits) -> Result<Program> {
    let source = Arc::new(JsSource::new(file)?);
    let program = pteron_runtime::Program::from_source_async(source).await?;
    let mut program = program.with_limits(limits).on(&device.device);
    for file in data.iter() {
        program = program.with_data_source_async(Arc::new(JsSource::new(file)?)).await?;
    }
    Ok(Program { program, device })
}

#[wasm_bindgen]
impl Program {
    /// The names of the program's methods.
    pub fn methods(&self) -> Result<Vec<String>, JsValue> {
        Ok(self.program.methods().map_err(WebError::from)?)
    }

    /// Loads a method: plans it, moves its constants to the device, and compiles its kernels. `on_progress` is told of it.
    pub fn method(&self, name: String, on_progress: JsValue) -> Promise {
        let (program, device) = (self.program.clone(), self.device.clone());
        future_to_promise(async move {
            let options = MethodOptions::default().with_on_progress(listener(&on_progress));
            let method = program.load_async(&name, &options).await.map_err(WebError::from)?;
            Ok(Method::new(method, device).into())
        })
    }

    /// What the program is, and whether it runs on its device.
    pub fn inspect(&self) -> Promise {
        let (program, device) = (self.program.clone(), self.device.clone());
        future_to_promise(async move { Ok(inspect::describe(&program, &device).await?) })
    }
}

/// A listener of JavaScript, which gets the phase and what of it is done.
pub(crate) fn listener(function: &JsValue) -> OnProgress {
    let Some(function) = function.dyn_ref::<Function>().cloned() else { return OnProgress::default() };
    OnProgress::new(move |progress| {
        let (phase, loaded, total) = match progress {
            LoadProgress::Upload { bytes, of } => ("upload", bytes as f64, of as f64),
            LoadProgress::Compile { graphs, of } => ("compile", graphs as f64, of as f64),
            _ => return,
        };
        let told = object([("phase", phase.into()), ("loaded", loaded.into()), ("total", total.into())]);
        // What a listener throws is its own affair.
        let _ = function.call1(&JsValue::UNDEFINED, &told);
    })
}
