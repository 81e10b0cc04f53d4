//! Values of Python as values of methods, and back.

use pteron::{DType, HostTensor, Shape, Spec, Value};
use pyo3::IntoPyObjectExt as _;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyComplex, PyFloat, PyInt, PyList, PyString, PyTuple};

use crate::tensor::{Content, Tensor};
use crate::{buffer, dlpack, errors, torch};

/// The inputs of a call, and whether PyTorch's tensors are among them.
pub(crate) struct Inputs {
    pub(crate) values: Vec<Value>,
    pub(crate) torch: bool,
}

/// What a method is to be called with. Memory of contiguous tensors is shared, unless the method may keep it (`owned`).
pub(crate) fn inputs(arguments: &Bound<'_, PyTuple>, specs: &[Spec], owned: bool) -> PyResult<Inputs> {
    let torch = torch::get(arguments.py())?;
    let mut inputs = Inputs { values: Vec::with_capacity(arguments.len()), torch: false };
    for (index, argument) in arguments.iter().enumerate() {
        let is_torch = match torch {
            Some(torch) => torch.is_tensor(&argument)?,
            None => false,
        };
        inputs.torch |= is_torch;
        let value = match (specs.get(index), torch) {
            (_, Some(torch)) if is_torch => torch.take(&argument, owned).map(Value::Tensor),
            (Some(Spec::Other(kind)), _) => plain(&argument, kind),
            (spec, _) => tensor(&argument, spec, owned),
        };
        let value = value.map_err(|error| errors::of_input(argument.py(), index, error))?;
        inputs.values.push(value);
    }
    Ok(inputs)
}

/// A value for an input that is no tensor.
fn plain(argument: &Bound<'_, PyAny>, kind: &str) -> PyResult<Value> {
    let py = argument.py();
    if argument.is_none() {
        return Ok(Value::Null);
    }
    Ok(match kind {
        "int" if argument.hasattr(intern!(py, "__index__"))? => {
            Value::Int(argument.call_method0(intern!(py, "__index__"))?.extract()?)
        }
        "float" if !argument.is_instance_of::<PyString>() => Value::Double(argument.extract()?),
        "bool" if argument.is_instance_of::<PyBool>() => Value::Bool(argument.extract()?),
        // A truth value of numpy, which is of another class.
        "bool" if argument.get_type().name()?.to_cow()?.starts_with("bool") => Value::Bool(argument.is_truthy()?),
        "string" if argument.is_instance_of::<PyString>() => Value::Str(argument.extract()?),
        _ => {
            let given = argument.get_type().name()?;
            return Err(errors::wrong_type(&format!("the method takes a {kind}, and {given} was given")));
        }
    })
}

/// A value for an input that is a tensor, or of which nothing is known.
fn tensor(argument: &Bound<'_, PyAny>, spec: Option<&Spec>, owned: bool) -> PyResult<Value> {
    if let Ok(tensor) = argument.cast::<Tensor>() {
        return Ok(match &tensor.get().0 {
            Content::Host(tensor) => Value::Tensor(tensor.clone()),
            Content::Device(tensor, _) => Value::Device(tensor.clone()),
        });
    }
    if argument.is_instance_of::<PyInt>() || argument.is_instance_of::<PyFloat>() {
        return number(argument, spec);
    }
    if argument.is_none() && !matches!(spec, Some(Spec::Tensor { .. })) {
        return Ok(Value::Null);
    }
    if let Some(tensor) = memory(argument, owned)? {
        return Ok(Value::Tensor(tensor));
    }
    let given = argument.get_type().qualname()?;
    Err(errors::wrong_type(&format!(
        "{given} is no tensor: give an array of numpy, a tensor of PyTorch, another object with __dlpack__ or a buffer, or \
         pteron.Tensor(…) of numbers in lists"
    )))
}

/// A number for an input that is a tensor of one element, in the type of the input; or as it is.
fn number(argument: &Bound<'_, PyAny>, spec: Option<&Spec>) -> PyResult<Value> {
    if let Some(Spec::Tensor { dtype, shape, .. }) = spec {
        if shape.numel() != 1 {
            return Err(errors::wrong_type(&format!("the method takes a tensor of {shape}, and a number was given")));
        }
        let tensor = if dtype.is_float() || dtype.is_complex() {
            HostTensor::from_f64s(*dtype, *shape, [argument.extract::<f64>()?])
        } else if argument.is_instance_of::<PyFloat>() {
            return Err(errors::wrong_type(&format!("the method takes elements of {dtype}, and a float was given")));
        } else {
            let value: i64 = argument.extract()?;
            let tensor = HostTensor::from_i64s(*dtype, *shape, [value]);
            if tensor.as_ref().is_ok_and(|tensor| tensor.to_i64s() != [value]) {
                return Err(errors::wrong_input(&format!("{value} does not fit {dtype}")));
            }
            tensor
        };
        return tensor.map(Value::Tensor).map_err(|error| errors::runtime(error.into()));
    }
    Ok(if argument.is_instance_of::<PyBool>() {
        Value::Bool(argument.extract()?)
    } else if argument.is_instance_of::<PyInt>() {
        Value::Int(argument.extract()?)
    } else {
        Value::Double(argument.extract()?)
    })
}

/// The tensor in an object's memory, where it has any that we know to read.
fn memory(object: &Bound<'_, PyAny>, owned: bool) -> PyResult<Option<HostTensor>> {
    let py = object.py();
    if buffer::is_buffer(object) {
        return match buffer::tensor(object, None, owned) {
            Err(error) => brain_floats(object, owned)?.map_or(Err(error), |tensor| Ok(Some(tensor))),
            tensor => tensor.map(Some),
        };
    }
    if object.hasattr(intern!(py, "__dlpack__"))? {
        return dlpack::import(object, owned).map(Some);
    }
    if object.hasattr(intern!(py, "__array__"))? {
        return buffer::tensor(&object.call_method0(intern!(py, "__array__"))?, None, owned).map(Some);
    }
    Ok(None)
}

/// The brain floats of `ml_dtypes` in an array of numpy, which have no name in the buffer protocol.
fn brain_floats(array: &Bound<'_, PyAny>, owned: bool) -> PyResult<Option<HostTensor>> {
    let Ok(dtype) = array.getattr("dtype") else { return Ok(None) };
    if !dtype.getattr("name")?.eq("bfloat16")? {
        return Ok(None);
    }
    // Words of a strided array have no view of their own.
    let words = array.call_method1("view", ("uint16",));
    let words = words.or_else(|_| array.call_method0("copy")?.call_method1("view", ("uint16",)))?;
    buffer::tensor(&words, Some(DType::BF16), owned).map(Some)
}

/// A tensor of any object that is one, or of numbers in lists, which have `wanted` type where it is said.
pub(crate) fn any_tensor(object: &Bound<'_, PyAny>, wanted: Option<DType>) -> PyResult<HostTensor> {
    if let Some(torch) = torch::get(object.py())?
        && torch.is_tensor(object)?
    {
        return torch.take(object, false);
    }
    if let Ok(tensor) = object.cast::<Tensor>() {
        return Tensor::cpu(tensor).and_then(|host| match &host.get().0 {
            Content::Host(tensor) => Ok(tensor.clone()),
            Content::Device(..) => Err(errors::device("the tensor did not come to the host")),
        });
    }
    if let Some(tensor) = memory(object, false)? {
        return Ok(tensor);
    }
    let mut listed = Listed::default();
    listed.add(object, 0)?;
    listed.tensor(wanted)
}

/// Numbers that are read from lists in lists.
#[derive(Default)]
struct Listed {
    dims: Vec<usize>,
    numbers: Vec<f64>,
    integers: Vec<i64>,
    floats: bool,
    bools: bool,
}

impl Listed {
    fn add(&mut self, object: &Bound<'_, PyAny>, depth: usize) -> PyResult<()> {
        let uneven = || errors::wrong_input("the lists have different lengths");
        if object.is_instance_of::<PyList>() || object.is_instance_of::<PyTuple>() {
            let length = object.len()?;
            match self.dims.get(depth) {
                Some(&known) if known != length => return Err(uneven()),
                Some(_) => {}
                None if self.numbers.is_empty() && depth < pteron::MAX_RANK => self.dims.push(length),
                None => return Err(uneven()),
            }
            return object.try_iter()?.try_for_each(|item| self.add(&item?, depth + 1));
        }
        let number = object.is_instance_of::<PyInt>() || object.is_instance_of::<PyFloat>();
        if !number || depth != self.dims.len() {
            let given = object.get_type().qualname()?;
            return Err(if number {
                uneven()
            } else {
                errors::wrong_type(&format!("{given} is no tensor and no number"))
            });
        }
        self.floats |= object.is_instance_of::<PyFloat>();
        self.bools |= object.is_instance_of::<PyBool>();
        self.integers.push(if object.is_instance_of::<PyFloat>() { 0 } else { object.extract()? });
        self.numbers.push(object.extract()?);
        Ok(())
    }

    fn tensor(self, wanted: Option<DType>) -> PyResult<HostTensor> {
        let shape = Shape::new(&self.dims).map_err(|error| errors::runtime(error.into()))?;
        let natural = match (self.floats, self.bools) {
            (true, _) => DType::F32,
            (false, true) => DType::Bool,
            (false, false) => DType::I64,
        };
        let dtype = wanted.unwrap_or(natural);
        let tensor = if self.floats || dtype.is_float() {
            HostTensor::from_f64s(dtype, shape, self.numbers)
        } else {
            let tensor = HostTensor::from_i64s(dtype, shape, self.integers.iter().copied());
            let kept = tensor.as_ref().map(HostTensor::to_i64s).unwrap_or_default();
            if let Some((wrong, _)) = self.integers.iter().zip(kept).find(|(given, kept)| **given != *kept)
                && dtype != DType::Bool
            {
                return Err(errors::wrong_input(&format!("{wrong} does not fit {dtype}")));
            }
            tensor
        };
        tensor.map_err(|error| errors::runtime(error.into()))
    }
}

/// An output for Python: a tensor of PyTorch where inputs were, else one of ours; numbers and the like as they are.
pub(crate) fn output<'py>(
    py: Python<'py>,
    value: Value,
    torch: Option<&torch::Torch>,
    device: &str,
) -> PyResult<Bound<'py, PyAny>> {
    match value {
        Value::Tensor(tensor) => match torch {
            Some(torch) => torch.give(py, &tensor),
            None => Tensor::host(tensor).into_bound_py_any(py),
        },
        Value::Device(tensor) => Tensor(Content::Device(tensor, device.to_owned())).into_bound_py_any(py),
        Value::Int(value) => value.into_bound_py_any(py),
        Value::Double(value) => value.into_bound_py_any(py),
        Value::Bool(value) => value.into_bound_py_any(py),
        Value::Str(value) => value.into_bound_py_any(py),
        _ => py.None().into_bound_py_any(py),
    }
}

/// The elements as numbers of Python.
pub(crate) fn numbers<'py>(py: Python<'py>, tensor: &HostTensor) -> PyResult<Vec<Bound<'py, PyAny>>> {
    match tensor.dtype() {
        DType::Bool => tensor.bytes().iter().map(|&byte| (byte != 0).into_bound_py_any(py)).collect(),
        dtype if dtype.is_complex() => {
            let numbers = tensor.to_complex().into_iter();
            Ok(numbers.map(|[real, imaginary]| PyComplex::from_doubles(py, real, imaginary).into_any()).collect())
        }
        dtype if dtype.is_float() => tensor.to_f64s().into_iter().map(|value| value.into_bound_py_any(py)).collect(),
        _ => tensor.to_i64s().into_iter().map(|value| value.into_bound_py_any(py)).collect(),
    }
}
