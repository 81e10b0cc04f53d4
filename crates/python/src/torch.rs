//! Tensors of PyTorch, where the user has it. It is never imported here.

use bytes::Bytes;
use pteron::{DType, HostTensor};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyTuple;

use crate::errors;

/// What is used of PyTorch, once it was imported by somebody else.
pub(crate) struct Torch {
    tensor: Py<PyAny>,
    empty: Py<PyAny>,
    strided: Py<PyAny>,
    /// Its element types, which are single objects.
    types: Vec<(DType, Py<PyAny>)>,
}

const TYPES: [(DType, &str); 12] = [
    (DType::F32, "float32"),
    (DType::I64, "int64"),
    (DType::F16, "float16"),
    (DType::BF16, "bfloat16"),
    (DType::I32, "int32"),
    (DType::Bool, "bool"),
    (DType::U8, "uint8"),
    (DType::I8, "int8"),
    (DType::I16, "int16"),
    (DType::F64, "float64"),
    (DType::C64, "complex64"),
    (DType::C128, "complex128"),
];

static TORCH: PyOnceLock<Torch> = PyOnceLock::new();

/// PyTorch, where it is imported.
pub(crate) fn get(py: Python<'_>) -> PyResult<Option<&Torch>> {
    if let Some(torch) = TORCH.get(py) {
        return Ok(Some(torch));
    }
    let modules = py.import("sys")?.getattr("modules")?;
    let module = modules.call_method1("get", ("torch",))?;
    // A module that is being imported has not got everything yet.
    if module.is_none() || !module.hasattr("complex128")? || !module.hasattr("empty")? || !module.hasattr("Tensor")? {
        return Ok(None);
    }
    TORCH.get_or_try_init(py, || Torch::new(&module)).map(Some)
}

impl Torch {
    fn new(module: &Bound<'_, PyAny>) -> PyResult<Torch> {
        let types = TYPES.iter().map(|&(dtype, name)| Ok((dtype, module.getattr(name)?.unbind())));
        Ok(Torch {
            tensor: module.getattr("Tensor")?.unbind(),
            empty: module.getattr("empty")?.unbind(),
            strided: module.getattr("strided")?.unbind(),
            types: types.collect::<PyResult<_>>()?,
        })
    }

    /// Whether an object is a tensor of PyTorch.
    pub(crate) fn is_tensor(&self, object: &Bound<'_, PyAny>) -> PyResult<bool> {
        object.is_instance(self.tensor.bind(object.py()))
    }

    /// The elements of a tensor of PyTorch. Contiguous ones are not copied unless they are to be `owned`.
    pub(crate) fn take(&self, object: &Bound<'_, PyAny>, owned: bool) -> PyResult<HostTensor> {
        let py = object.py();
        let mut tensor = object.clone();
        if !tensor.getattr(intern!(py, "is_cpu"))?.is_truthy()? {
            return Err(errors::wrong_type("the tensor is in the memory of another device: give tensor.cpu()"));
        }
        if !tensor.getattr(intern!(py, "layout"))?.is(&self.strided) {
            return Err(errors::wrong_type("the tensor is sparse: give tensor.to_dense()"));
        }
        let dtype = tensor.getattr(intern!(py, "dtype"))?;
        let Some(&(dtype, _)) = self.types.iter().find(|(_, object)| dtype.is(object)) else {
            return Err(errors::wrong_type(&format!("elements of type {dtype} are not supported")));
        };
        if tensor.call_method0(intern!(py, "is_neg"))?.is_truthy()? {
            tensor = tensor.call_method0(intern!(py, "resolve_neg"))?;
        }
        if dtype.is_complex() && tensor.call_method0(intern!(py, "is_conj"))?.is_truthy()? {
            tensor = tensor.call_method0(intern!(py, "resolve_conj"))?;
        }
        if !tensor.call_method0(intern!(py, "is_contiguous"))?.is_truthy()? {
            tensor = tensor.call_method0(intern!(py, "detach"))?.call_method0(intern!(py, "contiguous"))?;
        }
        let dims: Vec<usize> = tensor.getattr(intern!(py, "shape"))?.extract()?;
        let start: usize = tensor.call_method0(intern!(py, "data_ptr"))?.extract()?;
        let length = dims.iter().product::<usize>() * dtype.size();
        // Storage can be shortened under a tensor, and there are tensors that only say what they would be.
        let held: usize =
            tensor.call_method0(intern!(py, "untyped_storage"))?.call_method0(intern!(py, "nbytes"))?.extract()?;
        let offset: usize = tensor.call_method0(intern!(py, "storage_offset"))?.extract()?;
        if length > 0 && (start == 0 || held < length.saturating_add(offset.saturating_mul(dtype.size()))) {
            return Err(errors::wrong_type("the tensor has no memory, or less than its elements need"));
        }
        let memory = Memory { start, length, _owner: tensor.unbind() };
        let bytes = if owned { Bytes::copy_from_slice(memory.as_ref()) } else { Bytes::from_owner(memory) };
        HostTensor::new(dtype, &dims, bytes).map_err(|error| errors::runtime(error.into()))
    }

    /// A tensor of PyTorch with a copy of the elements.
    pub(crate) fn give<'py>(&self, py: Python<'py>, tensor: &HostTensor) -> PyResult<Bound<'py, PyAny>> {
        let Some((_, dtype)) = self.types.iter().find(|(dtype, _)| *dtype == tensor.dtype()) else {
            return Err(errors::wrong_type(&format!("PyTorch has no elements of {}", tensor.dtype())));
        };
        let dims = PyTuple::new(py, tensor.shape().dims())?;
        let options = pyo3::types::PyDict::new(py);
        options.set_item(intern!(py, "dtype"), dtype)?;
        let made = self.empty.bind(py).call((dims,), Some(&options))?;
        let bytes = tensor.bytes();
        if !bytes.is_empty() {
            let start: usize = made.call_method0(intern!(py, "data_ptr"))?.extract()?;
            // SAFETY: the tensor was made with this type and shape, so it has as many bytes, and nobody else has it yet.
            unsafe {
                let target = std::ptr::with_exposed_provenance_mut::<u8>(start);
                std::ptr::copy_nonoverlapping(bytes.as_ptr(), target, bytes.len());
            }
        }
        Ok(made)
    }
}

/// The memory of a tensor, which is kept while this exists.
struct Memory {
    start: usize,
    length: usize,
    _owner: Py<PyAny>,
}

impl AsRef<[u8]> for Memory {
    fn as_ref(&self) -> &[u8] {
        if self.length == 0 {
            return &[];
        }
        // SAFETY: the tensor is contiguous and says that its elements begin there; it is kept alive. Like every reader we
        // rely on nobody writing there during a call.
        unsafe { std::slice::from_raw_parts(std::ptr::with_exposed_provenance(self.start), self.length) }
    }
}
