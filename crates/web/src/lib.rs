//! pteron in a web page: what the JavaScript of the package `pteron` is written on.
//!
//! This is a thin face over `pteron-runtime` and `pteron-llm`. Everything that waits is a promise; everything that goes
//! wrong is an `Error` with a `kind`. What web developers see is in `js`. On targets other than wasm32 the crate is empty.

#[cfg(target_arch = "wasm32")]
mod device;
#[cfg(target_arch = "wasm32")]
mod digest;
#[cfg(target_arch = "wasm32")]
mod error;
#[cfg(target_arch = "wasm32")]
mod inspect;
#[cfg(target_arch = "wasm32")]
mod method;
#[cfg(all(target_arch = "wasm32", feature = "llm"))]
mod model;
#[cfg(target_arch = "wasm32")]
mod program;
#[cfg(target_arch = "wasm32")]
mod source;
#[cfg(target_arch = "wasm32")]
mod tensors;
#[cfg(target_arch = "wasm32")]
mod turns;
#[cfg(target_arch = "wasm32")]
mod value;

#[cfg(all(target_arch = "wasm32", feature = "llm"))]
pub use crate::model::{Cancel, Conversation, Model};
#[cfg(target_arch = "wasm32")]
pub use crate::{
    device::{Device, open_device},
    digest::Sha256,
    method::Method,
    program::{Program, open_program},
    tensors::{release_tensor, tensor_to_host, upload_tensor},
};

/// Prints a panic's message to the console: a trap alone says nothing.
#[cfg(target_arch = "wasm32")]
#[wasm_bindgen::prelude::wasm_bindgen(start, skip_typescript)]
fn start() {
    console_error_panic_hook::set_once();
}

/// Bytes of the module's memory.
#[cfg(target_arch = "wasm32")]
#[wasm_bindgen::prelude::wasm_bindgen(js_name = memoryBytes)]
pub fn memory_bytes() -> f64 {
    use wasm_bindgen::JsCast;
    let memory: js_sys::WebAssembly::Memory = wasm_bindgen::memory().unchecked_into();
    let buffer: js_sys::ArrayBuffer = memory.buffer().unchecked_into();
    f64::from(buffer.byte_length())
}
