//! `pteron.Tensor`: what methods give, on the host or on a device.

use pteron::{DType, DeviceTensor, HostTensor, Shape};
use pyo3::exceptions::{PyBufferError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyIterator, PyList, PyTuple};

use crate::{convert, device, dlpack, dtype, errors, torch};

/// A tensor that a method gave, or that is to be given to one. It is immutable.
///
/// >>> import array, pteron
/// >>> x = pteron.Tensor(array.array("f", [1.0, 2.0, 3.0, 4.0]), shape=(2, 2))
/// >>> x
/// pteron.Tensor([[1.0, 2.0], [3.0, 4.0]], dtype=float32)
/// >>> x.shape, x.dtype, x.nbytes
/// ((2, 2), 'float32', 16)
/// >>> pteron.Tensor([[1, 2, 3]], dtype="int32").tolist()
/// [[1, 2, 3]]
#[pyclass(module = "pteron", frozen, weakref)]
pub(crate) struct Tensor(pub(crate) Content);

#[derive(Clone)]
pub(crate) enum Content {
    Host(HostTensor),
    Device(DeviceTensor, String),
}

impl Tensor {
    pub(crate) fn host(tensor: HostTensor) -> Tensor {
        Tensor(Content::Host(tensor))
    }

    fn kind(&self) -> DType {
        match &self.0 {
            Content::Host(tensor) => tensor.dtype(),
            Content::Device(tensor, _) => tensor.dtype(),
        }
    }

    fn sizes(&self) -> &Shape {
        match &self.0 {
            Content::Host(tensor) => tensor.shape(),
            Content::Device(tensor, _) => tensor.shape(),
        }
    }

    /// The elements on the host; those on a device are copied.
    fn elements(&self, py: Python<'_>) -> PyResult<HostTensor> {
        match &self.0 {
            Content::Host(tensor) => Ok(tensor.clone()),
            Content::Device(tensor, _) => {
                device::check_process()?;
                py.detach(|| tensor.to_host()).map_err(errors::runtime)
            }
        }
    }

    /// The elements on the host, where they are there.
    fn here(&self) -> PyResult<&HostTensor> {
        match &self.0 {
            Content::Host(tensor) => Ok(tensor),
            Content::Device(_, name) => {
                Err(PyBufferError::new_err(format!("the tensor is on {name}: cpu() copies it to the host")))
            }
        }
    }
}

#[pymethods]
impl Tensor {
    /// A tensor over the memory of an object with `__dlpack__` or a buffer, of numpy or PyTorch; or of numbers in lists.
    ///
    /// `dtype` says what flat bytes are, as those of brain floats, and what numbers in lists become. A contiguous object is
    /// not copied, and must not be changed while the tensor is used.
    #[new]
    #[pyo3(signature = (data, *, dtype=None, shape=None))]
    fn new(data: &Bound<'_, PyAny>, dtype: Option<&Bound<'_, PyAny>>, shape: Option<Vec<usize>>) -> PyResult<Tensor> {
        let wanted = dtype.map(|dtype| dtype::parse(&dtype.str()?.to_cow()?)).transpose()?;
        let mut tensor = convert::any_tensor(data, wanted)?;
        if let Some(wanted) = wanted
            && wanted != tensor.dtype()
        {
            if tensor.dtype() != DType::U8 || tensor.numel() % wanted.size() != 0 {
                let given = dtype::name(tensor.dtype());
                return Err(errors::wrong_type(&format!(
                    "elements of {given} were given: astype converts them, and flat bytes are taken as any type"
                )));
            }
            let dims = [tensor.numel() / wanted.size()];
            tensor =
                HostTensor::new(wanted, &dims, tensor.into_bytes()).map_err(|error| errors::runtime(error.into()))?;
        }
        if let Some(dims) = shape {
            let shape = Shape::new(&dims).map_err(|error| errors::runtime(error.into()))?;
            tensor = tensor.reshape(shape).map_err(|error| errors::runtime(error.into()))?;
        }
        Ok(Tensor::host(tensor))
    }

    /// The sizes.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.sizes().dims())
    }

    /// The name of the element type, as numpy and PyTorch have it.
    #[getter]
    fn dtype(&self) -> &'static str {
        dtype::name(self.kind())
    }

    /// The number of dimensions.
    #[getter]
    fn ndim(&self) -> usize {
        self.sizes().rank()
    }

    /// The number of elements.
    #[getter]
    fn size(&self) -> usize {
        self.sizes().numel()
    }

    /// The bytes of all elements.
    #[getter]
    fn nbytes(&self) -> usize {
        self.sizes().numel() * self.kind().size()
    }

    /// Where it is: `cpu`, or the name of a device.
    #[getter]
    fn device(&self) -> &str {
        match &self.0 {
            Content::Host(_) => "cpu",
            Content::Device(_, name) => name,
        }
    }

    /// The tensor on the host; one that is there already is itself.
    pub(crate) fn cpu<'py>(slf: &Bound<'py, Tensor>) -> PyResult<Bound<'py, Tensor>> {
        match &slf.get().0 {
            Content::Host(_) => Ok(slf.clone()),
            Content::Device(..) => Bound::new(slf.py(), Tensor::host(slf.get().elements(slf.py())?)),
        }
    }

    /// The elements as a numpy array, which is read-only and shares the memory of a tensor on the host.
    ///
    /// Brain floats need the package ml_dtypes, which has the type that numpy lacks.
    fn numpy<'py>(slf: &Bound<'py, Tensor>) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let host = Tensor::cpu(slf)?;
        let array = py.import("numpy")?.getattr("asarray")?.call1((Interface { tensor: host.unbind() },))?;
        if slf.get().kind() != DType::BF16 {
            return Ok(array);
        }
        let types = py.import("ml_dtypes").map_err(|_| {
            PyTypeError::new_err("numpy has no bfloat16: install ml_dtypes, or take torch(), or astype('float32')")
        })?;
        array.call_method1("view", (types.getattr("bfloat16")?,))
    }

    /// The elements as a tensor of PyTorch, which is a copy.
    fn torch<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("torch")?;
        let torch = torch::get(py)?.ok_or_else(|| PyTypeError::new_err("this is no whole PyTorch"))?;
        torch.give(py, &self.elements(py)?)
    }

    /// The elements converted to another type: integers keep their low bits, floats round, anything not zero is true.
    fn astype(&self, py: Python<'_>, dtype: &Bound<'_, PyAny>) -> PyResult<Tensor> {
        let dtype = dtype::parse(&dtype.str()?.to_cow()?)?;
        let tensor = self.elements(py)?;
        Ok(Tensor::host(py.detach(|| tensor.cast(dtype))))
    }

    /// The same elements under other sizes.
    fn reshape(&self, py: Python<'_>, shape: Vec<usize>) -> PyResult<Tensor> {
        let shape = Shape::new(&shape).map_err(|error| errors::runtime(error.into()))?;
        let tensor = self.elements(py)?.reshape(shape).map_err(|error| errors::runtime(error.into()))?;
        Ok(Tensor::host(tensor))
    }

    /// The elements as bytes in this machine's byte order.
    fn tobytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, self.elements(py)?.bytes()))
    }

    /// The elements as numbers in lists, one list in the other for each dimension.
    fn tolist<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let tensor = self.elements(py)?;
        let numbers = convert::numbers(py, &tensor)?;
        nest(py, &numbers, tensor.shape().dims())
    }

    /// The only element, as a number.
    fn item<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        if self.sizes().numel() != 1 {
            return Err(PyValueError::new_err(format!("a tensor of {} elements is no number", self.sizes().numel())));
        }
        convert::numbers(py, &self.elements(py)?)?.pop().ok_or_else(|| PyValueError::new_err("there is no element"))
    }

    fn __bytes__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        self.tobytes(py)
    }

    fn __float__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.get_type::<pyo3::types::PyFloat>().call1((self.item(py)?,))
    }

    fn __int__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.get_type::<pyo3::types::PyInt>().call1((self.item(py)?,))
    }

    fn __bool__(&self, py: Python<'_>) -> PyResult<bool> {
        self.item(py)?.is_truthy()
    }

    fn __len__(&self) -> PyResult<usize> {
        self.sizes().dims().first().copied().ok_or_else(|| PyTypeError::new_err("a tensor without sizes has no length"))
    }

    /// Part of the elements, as numpy's indexing gives it.
    fn __getitem__<'py>(slf: &Bound<'py, Tensor>, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        Tensor::numpy(slf)?.get_item(index)
    }

    fn __iter__<'py>(slf: &Bound<'py, Tensor>) -> PyResult<Bound<'py, PyIterator>> {
        Tensor::numpy(slf)?.try_iter()
    }

    #[pyo3(signature = (*, stream=None, max_version=None, dl_device=None, copy=None))]
    fn __dlpack__<'py>(
        &self,
        py: Python<'py>,
        stream: Option<&Bound<'py, PyAny>>,
        max_version: Option<(u32, u32)>,
        dl_device: Option<(i32, i32)>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if stream.is_some() {
            return Err(PyBufferError::new_err("memory of the host has no streams"));
        }
        if dl_device.is_some_and(|(kind, _)| kind != dlpack::CPU) {
            return Err(PyBufferError::new_err("the tensor is given in memory of the host only"));
        }
        let versioned = max_version.is_some_and(|(major, _)| major >= 1);
        dlpack::export(py, self.here()?, versioned, copy)
    }

    fn __dlpack_device__(&self) -> PyResult<(i32, i32)> {
        self.here()?;
        Ok((dlpack::CPU, 0))
    }

    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        slf: &Bound<'py, Tensor>,
        dtype: Option<Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let array = Tensor::numpy(slf)?;
        match dtype {
            Some(dtype) if !array.getattr("dtype")?.eq(&dtype)? => {
                if copy == Some(false) {
                    return Err(PyValueError::new_err("another element type needs a copy"));
                }
                array.call_method1("astype", (dtype,))
            }
            _ if copy == Some(true) => array.call_method0("copy"),
            _ => Ok(array),
        }
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        const SHOWN: usize = 16;
        let (dtype, shape) = (dtype::name(self.kind()), self.sizes());
        // Without elements, lists in lists do not tell all sizes.
        if !(1..=SHOWN).contains(&shape.numel()) || matches!(self.0, Content::Device(..)) {
            let dims = PyTuple::new(py, shape.dims())?.repr()?;
            let place = match &self.0 {
                Content::Host(_) => String::new(),
                Content::Device(_, name) => format!(", device={name:?}"),
            };
            return Ok(format!("pteron.Tensor(shape={dims}, dtype={dtype}{place})"));
        }
        Ok(format!("pteron.Tensor({}, dtype={dtype})", self.tolist(py)?.repr()?))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Tensor>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let (py, this) = (slf.py(), slf.get());
        let rebuild = py.import("pteron._pteron")?.getattr("_tensor_of_bytes")?;
        let arguments = (this.tobytes(py)?, dtype::name(this.kind()), this.shape(py)?);
        Ok((rebuild, arguments.into_pyobject(py)?))
    }
}

/// A tensor of bytes, for pickle.
#[pyfunction]
#[pyo3(name = "_tensor_of_bytes")]
pub(crate) fn of_bytes(bytes: Vec<u8>, dtype: &str, shape: Vec<usize>) -> PyResult<Tensor> {
    let tensor = HostTensor::new(dtype::parse(dtype)?, &shape, bytes).map_err(|error| errors::runtime(error.into()))?;
    Ok(Tensor::host(tensor))
}

/// A tensor on the host as numpy's array interface describes it.
#[pyclass(frozen)]
struct Interface {
    tensor: Py<Tensor>,
}

#[pymethods]
impl Interface {
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let tensor = self.tensor.get().here()?;
        let interface = PyDict::new(py);
        interface.set_item("version", 3)?;
        interface.set_item("typestr", dtype::type_string(tensor.dtype()))?;
        interface.set_item("shape", PyTuple::new(py, tensor.shape().dims())?)?;
        interface.set_item("data", (tensor.bytes().as_ptr().addr(), true))?;
        Ok(interface)
    }
}

/// Numbers in lists, one list in the other for each size.
fn nest<'py>(py: Python<'py>, numbers: &[Bound<'py, PyAny>], dims: &[usize]) -> PyResult<Bound<'py, PyAny>> {
    let Some((&count, rest)) = dims.split_first() else {
        return numbers.first().cloned().ok_or_else(|| PyValueError::new_err("there is no element"));
    };
    let length: usize = rest.iter().product();
    let parts =
        (0..count).map(|part| nest(py, numbers.get(part * length..(part + 1) * length).unwrap_or_default(), rest));
    Ok(PyList::new(py, parts.collect::<PyResult<Vec<_>>>()?)?.into_any())
}
