//! Programs: opened from files of JavaScript, with the methods that they hold.

use std::sync::Arc;

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
use crate::value::object;

/// A program on a device.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Program {
    pub(crate) program: pteron_runtime::Program,
    pub(crate) device: Device,
}

/// Opens a program (`.pte` or `.bpte`) on a device, with files of external data.
///
/// The files are read as needed, and must not change while the program is in use. The numbers are the program's limits; where
/// none is given, it is the usual one.
#[wasm_bindgen(js_name = openProgram)]
pub fn open_program(
    device: &Device,
    file: JsValue,
    data: Array,
    gpu_bytes: Option<f64>,
    host_bytes: Option<f64>,
    nodes: Option<f64>,
    values: Option<f64>,
) -> Promise {
    let (device, usual) = (device.clone(), Limits::default());
    let limits = usual
        .with_gpu_bytes(limit(gpu_bytes, usual.gpu_bytes))
        .with_host_bytes(limit(host_bytes, usual.host_bytes))
        .with_nodes(limit(nodes, usual.nodes))
        .with_values(limit(values, usual.values));
    future_to_promise(async move { Ok(open(device, file, data, limits).await?.into()) })
}

/// A limit that JavaScript gives. What is no number, or less than 0, allows nothing.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a cast saturates")]
fn limit(given: Option<f64>, usual: u64) -> u64 {
    given.map_or(usual, |number| number as u64)
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
