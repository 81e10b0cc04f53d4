//! Tensors that stay on the GPU: JavaScript holds their numbers.

use std::cell::RefCell;
use std::collections::HashMap;

use js_sys::Promise;
use pteron_runtime::{DeviceTensor, Error};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_futures::future_to_promise;

use crate::device::Device;
use crate::error::{Result, WebError};
use crate::value::{object, sizes, tensor_from_js, tensor_to_js};

thread_local! {
    static TENSORS: RefCell<Kept> = RefCell::default();
}

#[derive(Default)]
struct Kept {
    next: u32,
    tensors: HashMap<u32, DeviceTensor>,
}

/// Keeps a tensor until it is released, and describes it.
pub(crate) fn keep(tensor: &DeviceTensor) -> JsValue {
    let id = TENSORS.with_borrow_mut(|kept| {
        kept.next += 1;
        kept.tensors.insert(kept.next, tensor.clone());
        kept.next
    });
    object([
        ("deviceTensor", id.into()),
        ("dtype", tensor.dtype().name().into()),
        ("shape", sizes(tensor.shape().iter())),
    ])
}

/// The tensor of a number.
pub(crate) fn find(id: u32) -> Option<DeviceTensor> {
    TENSORS.with_borrow(|kept| kept.tensors.get(&id).cloned())
}

fn known(id: u32) -> Result<DeviceTensor> {
    find(id).ok_or_else(|| Error::Misuse("the tensor was disposed of".to_owned()).into())
}

/// Copies a tensor to the host.
#[wasm_bindgen(js_name = tensorToHost)]
pub fn tensor_to_host(id: u32) -> Promise {
    future_to_promise(async move {
        let tensor = known(id)?.to_host_async().await.map_err(WebError::from)?;
        Ok(tensor_to_js(&tensor))
    })
}

/// Copies a tensor to a device.
#[wasm_bindgen(js_name = uploadTensor)]
pub fn upload_tensor(device: &Device, tensor: JsValue) -> Result<JsValue, JsValue> {
    let tensor = tensor_from_js(&tensor).map_err(WebError::argument)?;
    Ok(keep(&device.device.upload(&tensor).map_err(WebError::from)?))
}

/// Lets a tensor go. One that is not known is let go already.
#[wasm_bindgen(js_name = releaseTensor)]
pub fn release_tensor(id: u32) {
    TENSORS.with_borrow_mut(|kept| kept.tensors.remove(&id));
}
