//! Methods: calls take turns, in the order in which they were made.

use js_sys::Promise;
use pteron_runtime::Spec;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_futures::future_to_promise;

use crate::device::Device;
use crate::turns::Turns;
use crate::value::{gpu_bytes, inputs_from_js, object, outputs_to_js, specs_to_js};

/// A method on a device, with the state that persists between its calls.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Method {
    name: String,
    inputs: Vec<Spec>,
    outputs: Vec<Spec>,
    notes: Vec<String>,
    device: Device,
    method: Turns<pteron_runtime::Method>,
}

impl Method {
    pub(crate) fn new(method: pteron_runtime::Method, device: Device) -> Method {
        Method {
            name: method.name().to_owned(),
            inputs: method.inputs(),
            outputs: method.outputs(),
            notes: method.notes(),
            device,
            method: Turns::new(method),
        }
    }
}

#[wasm_bindgen]
impl Method {
    /// The method's name.
    #[wasm_bindgen(getter)]
    pub fn name(&self) -> String {
        self.name.clone()
    }

    /// What it takes.
    pub fn inputs(&self) -> JsValue {
        specs_to_js(&self.inputs).into()
    }

    /// What it gives.
    pub fn outputs(&self) -> JsValue {
        specs_to_js(&self.outputs).into()
    }

    /// What a user should know about how it runs on this device.
    pub fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }

    /// Runs the method. Inputs are copied before this returns; a call that fails leaves the method as it was.
    ///
    /// It gives the outputs, on the GPU where `on_device` says so, and how many launches and waits there were.
    pub fn run(&self, inputs: JsValue, on_device: bool) -> Promise {
        let inputs = match inputs_from_js(&inputs, &self.inputs) {
            Ok(inputs) => inputs,
            Err(error) => return Promise::reject(&error.into()),
        };
        let (method, turn) = (self.method.clone(), self.method.turn());
        future_to_promise(async move {
            let run = async |method: &mut pteron_runtime::Method| {
                let outputs = match on_device {
                    true => method.run_on_device_async(&inputs).await?,
                    false => method.run_async(&inputs).await?,
                };
                Ok(object([
                    ("outputs", outputs_to_js(&outputs)?.into()),
                    ("dispatches", (method.dispatches() as f64).into()),
                    ("roundTrips", (method.host_round_trips() as f64).into()),
                ]))
            };
            Ok(method.exclusively(turn, run).await?)
        })
    }

    /// Sets all state back to what it was when the method was loaded.
    pub fn reset(&self) -> Promise {
        let (method, turn) = (self.method.clone(), self.method.turn());
        future_to_promise(async move {
            method.exclusively(turn, async |method: &mut pteron_runtime::Method| Ok(method.reset()?)).await?;
            Ok(JsValue::UNDEFINED)
        })
    }

    /// The memory that it holds on the GPU.
    #[wasm_bindgen(js_name = gpuBytes)]
    pub fn gpu_bytes(&self) -> Promise {
        let (method, turn) = (self.method.clone(), self.method.turn());
        future_to_promise(async move {
            let bytes = method.exclusively(turn, async |method: &mut pteron_runtime::Method| Ok(method.gpu_bytes()));
            Ok(gpu_bytes(bytes.await?))
        })
    }

    /// Runs the method with every launch timed: what each took.
    pub fn profile(&self, inputs: JsValue) -> Promise {
        let inputs = match inputs_from_js(&inputs, &self.inputs) {
            Ok(inputs) => inputs,
            Err(error) => return Promise::reject(&error.into()),
        };
        let (method, turn) = (self.method.clone(), self.method.turn());
        future_to_promise(async move {
            let run = async |method: &mut pteron_runtime::Method| {
                let times = method.profile_async(&inputs).await?;
                let time = |time: &pteron_runtime::KernelTime| {
                    object([
                        ("kernel", time.kernel.as_str().into()),
                        ("op", time.op.as_str().into()),
                        ("nanoseconds", (time.time.as_nanos() as f64).into()),
                        ("bytes", (time.traffic as f64).into()),
                    ])
                };
                Ok(times.iter().map(time).collect::<js_sys::Array>().into())
            };
            method.exclusively(turn, run).await.map_err(JsValue::from)
        })
    }

    /// What it runs on.
    pub fn device(&self) -> Device {
        self.device.clone()
    }
}
