//! What `pteron.runtime` and `pteron.portable_lib` need to know of programs and bundles beyond `pteron.load`.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use bytes::Bytes;
use pteron::pte::bundle::{Bundle, BundleValue};
use pteron::{HostTensor, MethodOptions, Value};
use pteron_cli::recording::{Recording, Span};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

use crate::method::Method;
use crate::program::{Program, Spec};
use crate::{buffer, convert, errors};

/// The names of the operators outside delegates that run here.
#[pyfunction]
#[pyo3(name = "_operator_names")]
pub(crate) fn operator_names() -> Vec<&'static str> {
    pteron_ops::catalogue::all().filter_map(|op| op.portable).collect()
}

/// Inputs and expected outputs of a case in a bundle; nothing where there is no such case.
#[pyfunction]
#[pyo3(name = "_bundled_case")]
pub(crate) fn bundled_case<'py>(
    bundle: &Bound<'py, PyAny>,
    method: &str,
    index: usize,
) -> PyResult<Option<(Bound<'py, PyList>, Bound<'py, PyList>)>> {
    let py = bundle.py();
    let bytes = buffer::bytes(bundle)?;
    let format = |error: pteron::pte::Error| errors::runtime(error.into());
    let bundle = Bundle::parse(&bytes).map_err(format)?;
    for suite in bundle.suites() {
        let suite = suite.map_err(format)?;
        if suite.method != method {
            continue;
        }
        let Some(case) = suite.cases().nth(index) else { return Ok(None) };
        let case = case.map_err(format)?;
        let list = |values: Vec<pteron::pte::Result<BundleValue<'_>>>| -> PyResult<Bound<'py, PyList>> {
            let values = values.into_iter().map(|value| {
                let value = host_value(&value.map_err(format)?)?;
                convert::output(py, value, None, "cpu")
            });
            PyList::new(py, values.collect::<PyResult<Vec<_>>>()?)
        };
        return Ok(Some((list(case.inputs().collect())?, list(case.expected().collect())?)));
    }
    Ok(None)
}

fn host_value(value: &BundleValue<'_>) -> PyResult<Value> {
    Ok(match value {
        BundleValue::Tensor { dim_order, .. } if !dim_order.is_sorted() => {
            return Err(errors::wrong_input("a tensor of the bundle has its dimensions in another order"));
        }
        BundleValue::Tensor { dtype, sizes, data, .. } => {
            let dims: Vec<usize> = sizes.iter().map(|size| usize::try_from(size).unwrap_or(usize::MAX)).collect();
            let tensor = HostTensor::new(*dtype, &dims, Bytes::copy_from_slice(data));
            Value::Tensor(tensor.map_err(|error| errors::runtime(error.into()))?)
        }
        BundleValue::Int(value) => Value::Int(*value),
        BundleValue::Bool(value) => Value::Bool(*value),
        BundleValue::Double(value) => Value::Double(*value),
        _ => return Err(errors::wrong_input("a value of the bundle is of an unknown kind")),
    })
}

/// The tensors of a method that the exporter has named: name, number, and what is known of each.
#[pyfunction]
#[pyo3(name = "_named_tensors")]
pub(crate) fn named_tensors(program: &Program, method: &str) -> PyResult<Vec<(String, u32, Spec)>> {
    program.named(method).map_err(errors::runtime)
}

/// Loads a method so that every value of the program can be asked for between calls, which costs speed.
#[pyfunction]
#[pyo3(name = "_load_apart")]
pub(crate) fn load_apart(py: Python<'_>, program: &Program, method: &str) -> PyResult<Method> {
    program.load(py, method, MethodOptions::default().with_join(false))
}

/// What a value of the program holds between calls.
#[pyfunction]
#[pyo3(name = "_kept_value")]
pub(crate) fn kept_value<'py>(py: Python<'py>, method: &Method, id: u32) -> PyResult<Option<Bound<'py, PyAny>>> {
    method.kept_value(py, id).map(|value| convert::output(py, value, None, "cpu")).transpose()
}

/// Ends the device of a program, as a driver that fails does, for tests of what comes after.
#[pyfunction]
#[pyo3(name = "_lose_device")]
pub(crate) fn lose_device(program: &Program) {
    program.lose_device();
}

/// How many bytes of a program and its data files were read so far, and of how many, for tests of what a terminal shows.
#[pyfunction]
#[pyo3(name = "_read_so_far")]
pub(crate) fn read_so_far(program: &Program) -> (u64, u64) {
    program.read_so_far()
}

/// What is recorded of loads and calls.
#[pyclass(name = "_Recording", module = "pteron._pteron", frozen)]
pub(crate) struct Recorder(Mutex<Recording>);

#[pymethods]
impl Recorder {
    #[new]
    fn new() -> Recorder {
        Recorder(Mutex::new(Recording::default()))
    }

    /// Loads a method.
    fn load(&self, py: Python<'_>, program: &Program, name: &str) -> PyResult<Method> {
        let now = || self.0.lock().unwrap_or_else(PoisonError::into_inner).now();
        let start = now();
        let method = program.method(py, name, "exact", 0)?;
        let span = Span { name: name.to_owned(), start, end: now() };
        self.0.lock().unwrap_or_else(PoisonError::into_inner).loads.push(span);
        Ok(method)
    }

    /// Calls a method.
    fn call<'py>(
        &self,
        py: Python<'py>,
        method: &Method,
        inputs: &Bound<'py, PyTuple>,
    ) -> PyResult<Bound<'py, PyList>> {
        method.record(py, inputs, &self.0)
    }

    /// Writes what was recorded, for ExecuTorch's Inspector.
    fn write_etdump(&self, path: PathBuf) -> PyResult<()> {
        let bytes = self.0.lock().unwrap_or_else(PoisonError::into_inner).etdump();
        Ok(std::fs::write(path, bytes)?)
    }

    /// Writes what was recorded, for Perfetto.
    fn write_trace(&self, path: PathBuf) -> PyResult<()> {
        let trace = self.0.lock().unwrap_or_else(PoisonError::into_inner).trace();
        Ok(std::fs::write(path, trace.to_string())?)
    }
}
