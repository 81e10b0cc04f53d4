//! `pteron.load` and `pteron.Program`.

use std::sync::Arc;
use std::time::Duration;

use pteron::{Device, Limits, MethodOptions, Precision, Spec as RustSpec};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::method::Method;
use crate::source::{Loaded, Origin, Progress};
use crate::{device, dtype, errors, source, wait};

/// A program, whose methods can be loaded. It pickles by its path or bytes, its device and its data files.
#[pyclass(module = "pteron", frozen, weakref)]
pub(crate) struct Program {
    program: pteron::Program,
    loaded: Arc<Loaded>,
    device: Device,
    origin: Origin,
    data: Vec<Origin>,
    /// The device as the user said it.
    asked: Py<PyAny>,
    /// The limits as the user said them.
    limits: Option<Py<PyDict>>,
}

/// Opens a program: a `.pte` or `.bpte` file by its path, its bytes, or a file that is open.
///
/// `device` is `"auto"` (the best GPU, or the reference engine where there is none), `"cpu"` (the reference engine),
/// `"gpu"`, part of an adapter's name, its number in `devices()`, or `"pci:"` and its address. `data` are `.ptd` files.
/// `limits` says how much of the machine the program may take: `gpu_bytes`, `host_bytes`, `nodes`, `values` and
/// `call_seconds`; the defaults leave room for models that people run.
///
/// >>> import pteron
/// >>> program = pteron.load(MODEL, device="cpu")
/// >>> program.methods
/// ['forward']
#[pyfunction]
#[pyo3(signature = (source, *, device=None, data=None, limits=None))]
pub(crate) fn load(
    source: &Bound<'_, PyAny>,
    device: Option<&Bound<'_, PyAny>>,
    data: Option<&Bound<'_, PyAny>>,
    limits: Option<&Bound<'_, PyDict>>,
) -> PyResult<Program> {
    let py = source.py();
    let allowed = parse_limits(limits)?;
    let origin = Origin::of(source)?;
    let data = Origin::several(data)?;
    let asked = match device {
        Some(device) => device.clone(),
        None => "auto".into_pyobject(py)?.into_any(),
    };
    let choice = device::parse(&asked)?;
    let (from, files) = (origin.clone(), data.clone());
    let opened = wait::interruptible(py, move || source::open(&from, &files), |_| Ok(()))?;
    let (program, loaded) = opened.map_err(errors::runtime)?;
    let device = device::open(py, choice)?;
    let program = program.on(&device).with_limits(allowed);
    let limits = limits.map(|limits| limits.clone().unbind());
    Ok(Program { program, loaded, device, origin, data, asked: asked.unbind(), limits })
}

/// How much of the machine a program may take.
pub(crate) fn parse_limits(limits: Option<&Bound<'_, PyDict>>) -> PyResult<Limits> {
    let mut parsed = Limits::default();
    for (name, value) in limits.into_iter().flatten() {
        let name: String = name.extract()?;
        parsed = match name.as_str() {
            "gpu_bytes" => parsed.with_gpu_bytes(value.extract()?),
            "host_bytes" => parsed.with_host_bytes(value.extract()?),
            "nodes" => parsed.with_nodes(value.extract()?),
            "values" => parsed.with_values(value.extract()?),
            "call_seconds" => {
                let time = Duration::try_from_secs_f64(value.extract()?);
                parsed.with_call_time(time.map_err(|_| errors::wrong_input("call_seconds is a time"))?)
            }
            _ => return Err(errors::wrong_input(&format!("there is no limit {name:?}"))),
        };
    }
    Ok(parsed)
}

#[pymethods]
impl Program {
    /// The names of its methods.
    #[getter]
    fn methods(&self) -> PyResult<Vec<String>> {
        self.program.methods().map_err(errors::runtime)
    }

    /// The name of the device that its methods run on.
    #[getter]
    fn device(&self) -> &str {
        self.device.name()
    }

    /// Loads a method: plans it, compiles its kernels, and moves its constants to the device.
    ///
    /// `precision` is `"exact"`, or `"fast"` where matrix units may round activations to 16 bits. Each method has a state
    /// of its own; constants are shared.
    ///
    /// >>> import pteron
    /// >>> pteron.load(MODEL, device="cpu").method("backward")
    /// Traceback (most recent call last):
    ///     ...
    /// pteron.errors.NotFoundError: the program has no method "backward"; it has forward
    #[pyo3(signature = (name="forward", *, precision="exact", seed=0))]
    pub(crate) fn method(&self, py: Python<'_>, name: &str, precision: &str, seed: u64) -> PyResult<Method> {
        let precision = parse_precision(precision)?;
        self.load(py, name, MethodOptions::default().with_precision(precision).with_seed(seed))
    }

    /// What a method takes, without loading it.
    #[pyo3(signature = (name="forward"))]
    fn inputs(&self, name: &str) -> PyResult<Vec<Spec>> {
        let signature = self.program.signature(name).map_err(errors::runtime)?;
        self.with_plans(name, &signature.inputs, true).map_err(errors::runtime)
    }

    /// What a method gives, without loading it.
    #[pyo3(signature = (name="forward"))]
    fn outputs(&self, name: &str) -> PyResult<Vec<Spec>> {
        let signature = self.program.signature(name).map_err(errors::runtime)?;
        self.with_plans(name, &signature.outputs, false).map_err(errors::runtime)
    }

    fn __repr__(&self) -> PyResult<String> {
        let from = match &self.origin {
            Origin::Path(path) => format!("{:?}", path.display().to_string()),
            Origin::Bytes(bytes) => format!("{} bytes", bytes.len()),
        };
        Ok(format!("pteron.Program({from}, methods={:?}, device={:?})", self.methods()?, self.device.name()))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let options = PyDict::new(py);
        options.set_item("device", &self.asked)?;
        let data = self.data.iter().map(|file| file.object(py)).collect::<PyResult<Vec<_>>>()?;
        options.set_item("data", data)?;
        options.set_item("limits", &self.limits)?;
        let rebuild = py.import("pteron._pickle")?.getattr("load")?;
        Ok((rebuild, PyTuple::new(py, [self.origin.object(py)?, options.into_any()])?))
    }
}

impl Program {
    /// Loads a method, and shows how far it has come where that takes long.
    pub(crate) fn load(&self, py: Python<'_>, name: &str, options: MethodOptions) -> PyResult<Method> {
        let (program, wanted) = (self.program.clone(), name.to_owned());
        let mut progress = Progress::new(&self.loaded);
        let method = wait::interruptible(py, move || program.load(&wanted, &options), |py| progress.tick(py));
        progress.end(py)?;
        Ok(Method::new(method?.map_err(errors::runtime)?, self.program.clone()))
    }

    /// The tensors of a method that the exporter has named, with their numbers.
    pub(crate) fn named(&self, name: &str) -> pteron::Result<Vec<(String, u32, Spec)>> {
        let view = self.program.view()?;
        let Some(method) = view.method(name)? else { return Ok(Vec::new()) };
        let mut named = Vec::new();
        for id in 0..u32::try_from(method.values()).unwrap_or(u32::MAX) {
            if let pteron::pte::Value::Tensor(tensor) = method.value(id)?
                && let Some(name) = tensor.name()?
            {
                let spec = Spec {
                    kind: "tensor",
                    dtype: Some(dtype::name(tensor.dtype()?)),
                    shape: Some(tensor.shape()?.dims().to_vec()),
                    dynamic: false,
                    planned: tensor.allocation()?.is_some(),
                };
                named.push((name.to_owned(), id, spec));
            }
        }
        Ok(named)
    }

    /// How many bytes of its files were read so far, and of how many.
    pub(crate) fn read_so_far(&self) -> (u64, u64) {
        self.loaded.so_far()
    }

    /// Ends the device, as a driver that fails does.
    pub(crate) fn lose_device(&self) {
        self.device.close();
    }

    /// Specifications, with whether the exporter planned memory for each.
    fn with_plans(&self, name: &str, specs: &[RustSpec], inputs: bool) -> pteron::Result<Vec<Spec>> {
        let view = self.program.view()?;
        let Some(method) = view.method(name)? else { return Ok(Vec::new()) };
        let ids = if inputs { method.inputs()? } else { method.outputs()? };
        let spec = |(spec, id): (&RustSpec, u32)| {
            let planned = match method.value(id)? {
                pteron::pte::Value::Tensor(tensor) => tensor.allocation()?.is_some(),
                _ => false,
            };
            Ok(Spec { planned, ..Spec::of(spec) })
        };
        specs.iter().zip(ids.iter()).map(spec).collect()
    }
}

/// How closely results must follow 32-bit arithmetic.
pub(crate) fn parse_precision(text: &str) -> PyResult<Precision> {
    match text {
        "exact" => Ok(Precision::Exact),
        "fast" => Ok(Precision::Fast),
        _ => Err(errors::wrong_input(&format!("there is no precision {text:?}: it is \"exact\" or \"fast\""))),
    }
}

/// What a method takes or gives at one place.
#[pyclass(module = "pteron", frozen, get_all)]
pub(crate) struct Spec {
    /// `tensor`, `int`, `float`, `bool`, `string`, `null` or `list`.
    kind: &'static str,
    /// The element type of a tensor.
    dtype: Option<&'static str>,
    /// The sizes of a tensor, or their upper bounds.
    shape: Option<Vec<usize>>,
    /// Whether the sizes may be smaller.
    dynamic: bool,
    /// Whether the exporter planned memory for it.
    planned: bool,
}

impl Spec {
    pub(crate) fn of(spec: &RustSpec) -> Spec {
        match spec {
            RustSpec::Tensor { dtype, shape, dynamic } => Spec {
                kind: "tensor",
                dtype: Some(dtype::name(*dtype)),
                shape: Some(shape.dims().to_vec()),
                dynamic: *dynamic,
                planned: false,
            },
            RustSpec::Other(kind) => Spec { kind, dtype: None, shape: None, dynamic: false, planned: false },
            _ => Spec { kind: "other", dtype: None, shape: None, dynamic: false, planned: false },
        }
    }
}

#[pymethods]
impl Spec {
    pub(crate) fn __repr__(&self) -> String {
        match (&self.dtype, &self.shape) {
            (Some(dtype), Some(shape)) => format!("{dtype}{}{shape:?}", if self.dynamic { " at most " } else { "" }),
            _ => self.kind.to_owned(),
        }
    }
}
