//! pteron in Python: the extension module behind the package `pteron`.
//!
//! It holds no logic of the runtime. `convert` turns Python's values into those of methods, `buffer`, `dlpack` and `torch`
//! read tensors where they are, and `wait` lets go of the interpreter's lock. What needs no speed is in `python/pteron`.

mod buffer;
mod convert;
mod device;
mod dlpack;
mod drop_in;
mod dtype;
mod errors;
mod llm;
mod method;
mod program;
mod source;
mod strided;
mod tensor;
mod torch;
mod wait;

use std::ffi::OsString;

use pyo3::prelude::*;

/// Runs the command `pteron` with these arguments, the first of which is the program, and gives its exit code.
#[pyfunction]
fn command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| pteron_cli::run(arguments))
}

#[pymodule]
fn _pteron(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<drop_in::Recorder>()?;
    module.add_class::<llm::Conversation>()?;
    module.add_class::<llm::Generation>()?;
    module.add_class::<llm::Model>()?;
    module.add_class::<method::Method>()?;
    module.add_class::<program::Program>()?;
    module.add_class::<program::Spec>()?;
    module.add_class::<tensor::Tensor>()?;
    module.add_function(wrap_pyfunction!(command, module)?)?;
    module.add_function(wrap_pyfunction!(device::after_fork, module)?)?;
    module.add_function(wrap_pyfunction!(device::devices, module)?)?;
    module.add_function(wrap_pyfunction!(drop_in::bundled_case, module)?)?;
    module.add_function(wrap_pyfunction!(drop_in::kept_value, module)?)?;
    module.add_function(wrap_pyfunction!(drop_in::load_apart, module)?)?;
    module.add_function(wrap_pyfunction!(drop_in::lose_device, module)?)?;
    module.add_function(wrap_pyfunction!(drop_in::named_tensors, module)?)?;
    module.add_function(wrap_pyfunction!(drop_in::operator_names, module)?)?;
    module.add_function(wrap_pyfunction!(drop_in::read_so_far, module)?)?;
    module.add_function(wrap_pyfunction!(program::load, module)?)?;
    module.add_function(wrap_pyfunction!(tensor::of_bytes, module)?)
}
