//! Errors of Rust as the exceptions of `pteron/errors.py`.

use std::io;

use pteron::llm::{Error as LanguageError, ErrorKind as LanguageKind};
use pteron::{Error, ErrorKind, Limit, UnsupportedNode};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyTuple;

/// A place in a program: where it is, the operator, and what is wrong.
type Place = (String, String, String);

/// The module that has the classes.
static ERRORS: PyOnceLock<Py<PyModule>> = PyOnceLock::new();

/// An exception of the class with this name, with places in a program.
fn exception(class: &str, message: &str, nodes: &[Place]) -> PyErr {
    Python::attach(|py| build(py, class, message, nodes).unwrap_or_else(|error| error))
}

fn build(py: Python<'_>, class: &str, message: &str, nodes: &[Place]) -> PyResult<PyErr> {
    let module = ERRORS.get_or_try_init(py, || py.import("pteron.errors").map(Bound::unbind))?.bind(py);
    let exception = module.getattr(class)?.call1((message,))?;
    if !nodes.is_empty() {
        let node = module.getattr("Node")?;
        let places = nodes.iter().map(|(at, op, reason)| node.call1((at, op, reason)));
        exception.setattr("nodes", PyTuple::new(py, places.collect::<PyResult<Vec<_>>>()?)?)?;
    }
    Ok(PyErr::from_value(exception))
}

/// A file that cannot be read, with its name and the system's number as Python's own errors have them.
fn file(name: &str, source: &io::Error) -> PyErr {
    let class = if source.kind() == io::ErrorKind::NotFound { "FileMissingError" } else { "FileError" };
    let Some(number) = source.raw_os_error() else { return exception(class, &format!("{name}: {source}"), &[]) };
    let build = |py: Python<'_>| -> PyResult<PyErr> {
        let text = py.import("os")?.call_method1("strerror", (number,))?;
        let error = py.import("pteron.errors")?.getattr(class)?.call1((number, text, name))?;
        Ok(PyErr::from_value(error))
    };
    Python::attach(|py| build(py).unwrap_or_else(|error| error))
}

/// An input of a type that nothing takes.
pub(crate) fn wrong_type(message: &str) -> PyErr {
    exception("InputTypeError", message, &[])
}

/// An input or option that does not fit.
pub(crate) fn wrong_input(message: &str) -> PyErr {
    exception("InputError", message, &[])
}

/// A device that cannot do something.
pub(crate) fn device(message: &str) -> PyErr {
    exception("DeviceError", message, &[])
}

/// The same error, said with the number of the input that it tells of.
pub(crate) fn of_input(py: Python<'_>, index: usize, error: PyErr) -> PyErr {
    let message = error.value(py).str().map(|text| format!("input {index}: {text}"));
    let renamed = message.and_then(|message| error.value(py).setattr("args", (message,)));
    renamed.map_or_else(|failure| failure, |()| error)
}

/// An error of the runtime.
pub(crate) fn runtime(error: Error) -> PyErr {
    let message = match &error {
        Error::Limit { limit, .. } => in_python(&error.to_string(), *limit),
        Error::Time { .. } => in_python(&error.to_string(), Limit::CallTime),
        _ => error.to_string(),
    };
    let (class, nodes) = match &error {
        Error::Io { name, source } => return file(name, source),
        Error::Unsupported(unsupported) => {
            let place = |node: &UnsupportedNode| (node.at.clone(), node.op.clone(), node.reason.clone());
            ("UnsupportedError", unsupported.nodes.iter().map(place).collect())
        }
        Error::Node(node) => ("InputError", vec![(node.at.clone(), node.op.clone(), node.source.to_string())]),
        _ => (class_of(error.kind()), Vec::new()),
    };
    exception(class, &message, &nodes)
}

/// A message that names the limit as `pteron.load` takes it.
fn in_python(message: &str, limit: Limit) -> String {
    let option = match limit {
        Limit::GpuBytes => "gpu_bytes",
        Limit::HostBytes => "host_bytes",
        Limit::Nodes => "nodes",
        Limit::Values => "values",
        _ => "call_seconds",
    };
    let before = message.rsplit_once(": ").map_or(message, |(before, _)| before);
    format!("{before}: limits={{\"{option}\": …}} allows more")
}

fn class_of(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::Io => "FileError",
        ErrorKind::Format => "FormatError",
        ErrorKind::Unsupported => "UnsupportedError",
        ErrorKind::NotFound => "NotFoundError",
        ErrorKind::Input => "InputError",
        ErrorKind::Device => "DeviceError",
        ErrorKind::Limit => "LimitError",
        _ => "Error",
    }
}

/// An error of a language model.
pub(crate) fn language(error: LanguageError) -> PyErr {
    let class = match (&error, error.kind()) {
        (LanguageError::Runtime(_), _) => {
            let LanguageError::Runtime(error) = error else { unreachable!("it is one") };
            return runtime(error);
        }
        (LanguageError::Io { name, source }, _) => return file(name, source),
        (_, LanguageKind::File) => "FormatError",
        (_, LanguageKind::Input) => "InputError",
        (_, LanguageKind::Unsupported) => "UnsupportedError",
        (_, LanguageKind::Device) => "DeviceError",
        (_, LanguageKind::Limit) => "LimitError",
        _ => "Error",
    };
    exception(class, &error.to_string(), &[])
}
