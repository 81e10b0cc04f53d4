//! Methods: calls take turns, in the order in which they were made.

use std::cell::{Cell, RefCell};
use std::future::Future;
use std::rc::Rc;

use futures_channel::oneshot;
use js_sys::Promise;
use pteron_runtime::{Error, Spec};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_futures::future_to_promise;

use crate::device::Device;
use crate::error::Result;
use crate::value::{inputs_from_js, outputs_to_js, specs_to_js};

/// A method on a device, with the state that persists between its calls.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Method(Rc<Shared>);

#[derive(Debug)]
struct Shared {
    name: String,
    inputs: Vec<Spec>,
    outputs: Vec<Spec>,
    notes: Vec<String>,
    device: Device,
    /// Taken by the call that runs.
    method: RefCell<Option<pteron_runtime::Method>>,
    /// Ends with the last call that was made.
    last: RefCell<Option<oneshot::Receiver<()>>>,
    dispatches: Cell<u64>,
}

impl Method {
    pub(crate) fn new(method: pteron_runtime::Method, device: Device) -> Method {
        Method(Rc::new(Shared {
            name: method.name().to_owned(),
            inputs: method.inputs(),
            outputs: method.outputs(),
            notes: method.notes(),
            device,
            method: RefCell::new(Some(method)),
            last: RefCell::default(),
            dispatches: Cell::default(),
        }))
    }
}

#[wasm_bindgen]
impl Method {
    /// The method's name.
    #[wasm_bindgen(getter)]
    pub fn name(&self) -> String {
        self.0.name.clone()
    }

    /// What it takes.
    #[wasm_bindgen(unchecked_return_type = "Spec[]")]
    pub fn inputs(&self) -> JsValue {
        specs_to_js(&self.0.inputs).into()
    }

    /// What it gives.
    #[wasm_bindgen(unchecked_return_type = "Spec[]")]
    pub fn outputs(&self) -> JsValue {
        specs_to_js(&self.0.outputs).into()
    }

    /// What a user should know about how it runs on this device.
    pub fn notes(&self) -> Vec<String> {
        self.0.notes.clone()
    }

    /// What it runs on.
    #[wasm_bindgen(unchecked_return_type = "DeviceInfo")]
    pub fn device(&self) -> JsValue {
        self.0.device.info()
    }

    /// GPU launches of the last call that has ended well.
    #[wasm_bindgen(getter)]
    pub fn dispatches(&self) -> f64 {
        self.0.dispatches.get() as f64
    }

    /// Runs the method. Inputs are copied before this returns; a call that fails leaves the method as it was.
    #[wasm_bindgen(unchecked_return_type = "Promise<Value[]>")]
    pub fn run(&self, #[wasm_bindgen(unchecked_param_type = "Value[]")] inputs: JsValue) -> Promise {
        let inputs = match inputs_from_js(&inputs, &self.0.inputs) {
            Ok(inputs) => inputs,
            Err(error) => return Promise::reject(&error.into()),
        };
        let (shared, turn) = (self.0.clone(), self.0.turn());
        future_to_promise(async move {
            let run = async |method: &mut pteron_runtime::Method| {
                let outputs = method.run_async(&inputs).await?;
                shared.dispatches.set(method.dispatches());
                outputs_to_js(&outputs)
            };
            Ok(shared.exclusively(turn, run).await?.into())
        })
    }

    /// Sets all state back to what it was when the method was loaded.
    #[wasm_bindgen(unchecked_return_type = "Promise<void>")]
    pub fn reset(&self) -> Promise {
        let (shared, turn) = (self.0.clone(), self.0.turn());
        future_to_promise(async move {
            shared.exclusively(turn, async |method: &mut pteron_runtime::Method| Ok(method.reset()?)).await?;
            Ok(JsValue::UNDEFINED)
        })
    }
}

impl Shared {
    /// A place behind every call made so far. What it gives ends the turn when it is dropped.
    fn turn(&self) -> impl Future<Output = oneshot::Sender<()>> + use<> {
        let (done, finished) = oneshot::channel();
        let before = self.last.replace(Some(finished));
        async move {
            if let Some(before) = before {
                // Always an error: the sender is dropped, never used.
                let _ = before.await;
            }
            done
        }
    }

    /// Does something with the method when the turn has come.
    async fn exclusively<T>(
        &self,
        turn: impl Future<Output = oneshot::Sender<()>>,
        work: impl AsyncFnOnce(&mut pteron_runtime::Method) -> Result<T>,
    ) -> Result<T> {
        let _turn = turn.await;
        // Only a defect that ended an earlier call half-way leaves nothing here.
        let lost = || Error::Device(format!("method {} was lost in an earlier failure", self.name));
        let mut method = self.method.take().ok_or_else(lost)?;
        let result = work(&mut method).await;
        self.method.replace(Some(method));
        result
    }
}
