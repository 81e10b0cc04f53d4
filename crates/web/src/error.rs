//! Errors as JavaScript sees them: an `Error` with a `kind`.

use js_sys::{Array, JsString, Reflect};
use pteron_runtime::{Error, ErrorKind, TensorError};
use wasm_bindgen::{JsCast, JsValue};

use crate::value::object;

/// What went wrong at the boundary or behind it.
#[derive(Debug)]
pub(crate) enum WebError {
    /// The runtime refused or failed.
    Runtime(Error),
    /// The caller gave something that is no value of the kind asked for.
    Argument(String),
    /// A language model refused or failed.
    #[cfg(feature = "llm")]
    Model(pteron_llm::Error),
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
                ErrorKind::Limit => "limit",
                _ => "other",
            },
            #[cfg(feature = "llm")]
            WebError::Model(error) => match error.kind() {
                pteron_llm::ErrorKind::File => "format",
                pteron_llm::ErrorKind::Input => "input",
                pteron_llm::ErrorKind::Unsupported => "unsupported",
                pteron_llm::ErrorKind::Device => "device",
                pteron_llm::ErrorKind::Limit => "limit",
                _ => "other",
            },
        }
    }

    fn message(&self) -> String {
        match self {
            WebError::Runtime(error) => error.to_string(),
            WebError::Argument(message) => message.clone(),
            #[cfg(feature = "llm")]
            WebError::Model(error) => error.to_string(),
        }
    }

    /// The nodes of the program that it tells of.
    fn nodes(&self) -> Array {
        let node = |at: &str, op: &str, reason: &str| {
            object([("at", at.into()), ("op", op.into()), ("reason", reason.into())])
        };
        match self {
            WebError::Runtime(Error::Unsupported(unsupported)) => {
                unsupported.nodes.iter().map(|it| node(&it.at, &it.op, &it.reason)).collect()
            }
            WebError::Runtime(Error::Node(error)) => {
                [node(&error.at, &error.op, &error.source.to_string())].iter().collect()
            }
            _ => Array::new(),
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

#[cfg(feature = "llm")]
impl From<pteron_llm::Error> for WebError {
    fn from(error: pteron_llm::Error) -> WebError {
        match error {
            pteron_llm::Error::Runtime(error) => WebError::Runtime(error),
            error => WebError::Model(error),
        }
    }
}

impl From<WebError> for JsValue {
    fn from(error: WebError) -> JsValue {
        let thrown = js_sys::Error::new(&error.message());
        thrown.set_name("PteronError");
        // Setting a property of an object that was just made cannot fail.
        let set = |name: &str, value: &JsValue| Reflect::set(&thrown, &JsString::from(name), value).unwrap_or_default();
        set("kind", &error.kind().into());
        let nodes = error.nodes();
        if nodes.length() > 0 {
            set("nodes", &nodes);
        }
        thrown.into()
    }
}

/// The message of something that JavaScript threw.
pub(crate) fn message(thrown: &JsValue) -> String {
    match thrown.dyn_ref::<js_sys::Error>() {
        Some(error) => error.message().into(),
        None => thrown.as_string().unwrap_or_else(|| "an error without a message".to_owned()),
    }
}
