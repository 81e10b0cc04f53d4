//! Errors as JavaScript sees them: an `Error` with a `kind`.

use js_sys::{JsString, Reflect};
use pteron_runtime::{Error, ErrorKind, TensorError};
use wasm_bindgen::JsValue;

/// What went wrong at the boundary or behind it.
#[derive(Debug)]
pub(crate) enum WebError {
    /// The runtime refused or failed.
    Runtime(Error),
    /// The caller gave something that is no value of the kind asked for.
    Argument(String),
}

/// Shorthand for results of this crate.
pub(crate) type Result<T, E = WebError> = std::result::Result<T, E>;

impl WebError {
    /// An argument that is not what it should be.
    pub(crate) fn argument(message: impl Into<String>) -> WebError {
        WebError::Argument(message.into())
    }

    fn kind(&self) -> &'static str {
        match self {
            WebError::Argument(_) => "input",
            WebError::Runtime(error) => match error.kind() {
                ErrorKind::Io => "io",
                ErrorKind::Format => "format",
                ErrorKind::Unsupported => "unsupported",
                ErrorKind::NotFound => "not-found",
                ErrorKind::Input => "input",
                ErrorKind::Device => "device",
                _ => "other",
            },
        }
    }
}

impl From<Error> for WebError {
    fn from(error: Error) -> WebError {
        WebError::Runtime(error)
    }
}

impl From<TensorError> for WebError {
    fn from(error: TensorError) -> WebError {
        WebError::Runtime(error.into())
    }
}

impl From<WebError> for JsValue {
    fn from(error: WebError) -> JsValue {
        let message = match &error {
            WebError::Runtime(error) => error.to_string(),
            WebError::Argument(message) => message.clone(),
        };
        let thrown = js_sys::Error::new(&message);
        thrown.set_name("PteronError");
        // Setting a property of an object that was just made cannot fail.
        let _ = Reflect::set(&thrown, &JsString::from("kind"), &JsString::from(error.kind()));
        thrown.into()
    }
}
