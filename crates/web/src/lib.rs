//! pteron in a web page: programs are loaded from bytes and run on WebGPU, or on the reference engine.
//!
//! This is a thin face over `pteron-runtime` for JavaScript. Everything that waits is a promise; everything that goes
//! wrong is an `Error` with a `kind`. On targets other than wasm32 the crate is empty.

#[cfg(target_arch = "wasm32")]
mod device;
#[cfg(target_arch = "wasm32")]
mod error;
#[cfg(target_arch = "wasm32")]
mod method;
#[cfg(target_arch = "wasm32")]
mod program;
#[cfg(target_arch = "wasm32")]
mod source;
#[cfg(target_arch = "wasm32")]
mod types;
#[cfg(target_arch = "wasm32")]
mod value;

#[cfg(target_arch = "wasm32")]
pub use crate::{
    device::{Device, open_device},
    method::Method,
    program::{Program, load},
};

/// Prints a panic's message to the console: a trap alone says nothing.
#[cfg(target_arch = "wasm32")]
#[wasm_bindgen::prelude::wasm_bindgen(start, skip_typescript)]
fn start() {
    console_error_panic_hook::set_once();
}
