//! `pteron.Method`: a method that can be called.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use bytes::Bytes;
use pteron::{Condition, HostTensor, Spec as RustSpec, Value};
use pteron_cli::recording::Recording;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use crate::convert::{self, Inputs};
use crate::program::Spec;
use crate::{device, errors, torch, wait};

/// Calls that take longer are waited for so that Ctrl-C ends the wait, which costs a thread.
const LONG: Duration = Duration::from_millis(10);

/// A method on a device, with the state that persists between its calls.
///
/// Calling it gives a list of outputs: tensors of PyTorch where an input is one, else `pteron.Tensor`. The interpreter's
/// lock is released meanwhile, and threads that call one method take turns.
///
/// >>> import array, pteron
/// >>> forward = pteron.load(MODEL, device="cpu").method("forward")
/// >>> [rows] = forward(array.array("q", [0, 7, 30]))
/// >>> rows
/// pteron.Tensor(shape=(3, 32), dtype=float32)
#[pyclass(module = "pteron", frozen, weakref)]
pub(crate) struct Method {
    method: Arc<Mutex<pteron::Method>>,
    /// The program that it is restored from.
    program: pteron::Program,
    name: String,
    device: String,
    inputs: Vec<RustSpec>,
    outputs: Vec<RustSpec>,
    /// Whether it may keep what it is given.
    keeps: bool,
    on_gpu: bool,
    /// Nanoseconds of the last call; the longest time before there was one.
    last: Arc<AtomicU64>,
}

impl Method {
    pub(crate) fn new(method: pteron::Method, program: pteron::Program) -> Method {
        Method {
            program,
            name: method.name().to_owned(),
            device: method.device().name().to_owned(),
            on_gpu: !method.device().is_cpu(),
            inputs: method.inputs(),
            outputs: method.outputs(),
            keeps: method.has_state(),
            last: Arc::new(AtomicU64::new(u64::MAX)),
            method: Arc::new(Mutex::new(method)),
        }
    }

    /// What a call is made with, where there can be one.
    fn taken(&self, inputs: &Bound<'_, PyTuple>) -> PyResult<Inputs> {
        self.check_process()?;
        convert::inputs(inputs, &self.inputs, self.keeps)
    }

    fn check_process(&self) -> PyResult<()> {
        if self.on_gpu { device::check_process() } else { Ok(()) }
    }

    /// A call as a closure that any thread may run.
    fn call(
        &self,
        values: Vec<Value>,
        on_device: bool,
    ) -> impl FnOnce() -> pteron::Result<Vec<Value>> + Send + 'static {
        let (method, last) = (self.method.clone(), self.last.clone());
        move || run(&method, &last, &values, on_device)
    }

    fn run_and_wait(&self, py: Python<'_>, values: Vec<Value>, on_device: bool) -> PyResult<Vec<Value>> {
        let long = Duration::from_nanos(self.last.load(Ordering::Relaxed)) > LONG;
        let outputs = if long && wait::handles_signals(py) {
            wait::interruptible(py, self.call(values, on_device), |_| Ok(()))?
        } else {
            let (method, last) = (&*self.method, &*self.last);
            py.detach(|| run(method, last, &values, on_device))
        };
        outputs.map_err(errors::runtime)
    }

    /// What a value of the program holds between calls.
    pub(crate) fn kept_value(&self, py: Python<'_>, id: u32) -> Option<Value> {
        let method = &*self.method;
        py.detach(|| method.lock().unwrap_or_else(PoisonError::into_inner).kept_value(id).cloned())
    }

    /// Runs a call that is recorded.
    pub(crate) fn record<'py>(
        &self,
        py: Python<'py>,
        inputs: &Bound<'py, PyTuple>,
        recording: &Mutex<Recording>,
    ) -> PyResult<Bound<'py, PyList>> {
        let Inputs { values, torch } = self.taken(inputs)?;
        let method = &*self.method;
        let outputs = py.detach(|| -> pteron::Result<Vec<Value>> {
            let mut method = method.lock().unwrap_or_else(PoisonError::into_inner);
            let mut recording = recording.lock().unwrap_or_else(PoisonError::into_inner);
            let mut outputs = recording.call(&mut method, &values)?;
            own(&mut outputs, &values)?;
            Ok(outputs)
        });
        self.give(py, outputs.map_err(errors::runtime)?, torch)
    }

    fn give<'py>(&self, py: Python<'py>, outputs: Vec<Value>, as_torch: bool) -> PyResult<Bound<'py, PyList>> {
        let torch = if as_torch { torch::get(py)? } else { None };
        let outputs = outputs.into_iter().map(|output| convert::output(py, output, torch, &self.device));
        PyList::new(py, outputs.collect::<PyResult<Vec<_>>>()?)
    }
}

/// Runs a call. An output that lies in the memory of an input is copied, since that memory is the caller's.
fn run(
    method: &Mutex<pteron::Method>,
    last: &AtomicU64,
    values: &[Value],
    on_device: bool,
) -> pteron::Result<Vec<Value>> {
    let mut method = method.lock().unwrap_or_else(PoisonError::into_inner);
    let start = Instant::now();
    let mut outputs = if on_device { method.run_on_device(values)? } else { method.run(values)? };
    last.store(u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX), Ordering::Relaxed);
    own(&mut outputs, values)?;
    Ok(outputs)
}

/// Copies outputs that lie in the memory of inputs.
fn own(outputs: &mut [Value], inputs: &[Value]) -> pteron::Result<()> {
    for output in outputs {
        if let Value::Tensor(tensor) = output
            && inputs.iter().any(|value| value.tensor().is_some_and(|input| overlaps(input, tensor)))
        {
            let bytes = Bytes::copy_from_slice(tensor.bytes());
            *tensor = HostTensor::with_shape(tensor.dtype(), *tensor.shape(), bytes)?;
        }
    }
    Ok(())
}

fn overlaps(input: &HostTensor, output: &HostTensor) -> bool {
    let (a, b) = (input.bytes().as_ptr_range(), output.bytes().as_ptr_range());
    a.start < b.end && b.start < a.end
}

#[pymethods]
impl Method {
    /// The method's name.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// The name of the device that it runs on.
    #[getter]
    fn device(&self) -> &str {
        &self.device
    }

    /// What it takes.
    #[getter]
    fn inputs(&self) -> Vec<Spec> {
        self.inputs.iter().map(Spec::of).collect()
    }

    /// What it gives.
    #[getter]
    fn outputs(&self) -> Vec<Spec> {
        self.outputs.iter().map(Spec::of).collect()
    }

    #[pyo3(signature = (*inputs))]
    fn __call__<'py>(&self, py: Python<'py>, inputs: &Bound<'py, PyTuple>) -> PyResult<Bound<'py, PyList>> {
        let Inputs { values, torch } = self.taken(inputs)?;
        let outputs = self.run_and_wait(py, values, false)?;
        self.give(py, outputs, torch)
    }

    /// Like a call, and leaves tensors on the device, to be inputs of other calls. `cpu()` and the like read them.
    #[pyo3(signature = (*inputs))]
    fn run_on_device<'py>(&self, py: Python<'py>, inputs: &Bound<'py, PyTuple>) -> PyResult<Bound<'py, PyList>> {
        let Inputs { values, .. } = self.taken(inputs)?;
        let outputs = self.run_and_wait(py, values, true)?;
        self.give(py, outputs, false)
    }

    /// Like a call, to be awaited under asyncio.
    #[pyo3(signature = (*inputs))]
    fn run_async<'py>(slf: &Bound<'py, Method>, inputs: &Bound<'py, PyTuple>) -> PyResult<Bound<'py, PyAny>> {
        let (py, this) = (slf.py(), slf.get());
        let Inputs { values, torch } = this.taken(inputs)?;
        let awaited = py.import("pteron._async")?.getattr("Awaited")?.call0()?;
        let (call, method, done) = (this.call(values, false), slf.clone().unbind(), awaited.clone().unbind());
        let work = move || {
            let outputs = call();
            let _ = Python::try_attach(|py| {
                let outputs = outputs.map_err(errors::runtime).and_then(|given| method.get().give(py, given, torch));
                let told = match outputs {
                    Ok(outputs) => done.bind(py).call_method1("succeed", (outputs,)),
                    Err(error) => done.bind(py).call_method1("fail", (error.value(py),)),
                };
                // The loop may be gone, and with it whoever wanted to know.
                let _ = told;
            });
        };
        let started = std::thread::Builder::new().name("pteron-python".to_owned()).spawn(work);
        started.map_err(|why| errors::device(&format!("no thread can be started: {why}")))?;
        awaited.getattr("future")
    }

    /// Whether calls can be made: `"ready"`; `"invalid"` where a call failed in the middle and left a state that `reset()` sets
    /// back; `"lost"` where the device is lost, and `restore()` loads the method anew.
    #[getter]
    fn condition(&self, py: Python<'_>) -> &'static str {
        let method = &*self.method;
        match py.detach(|| method.lock().unwrap_or_else(PoisonError::into_inner).condition()) {
            Condition::Ready => "ready",
            Condition::InvalidState => "invalid",
            _ => "lost",
        }
    }

    /// Loads the method anew, with its first state: on its device, or on one like it where that is lost.
    ///
    /// >>> import pteron
    /// >>> forward = pteron.load(MODEL, device="cpu").method()
    /// >>> if forward.condition == "lost":
    /// ...     forward.restore()
    fn restore(&self, py: Python<'_>) -> PyResult<()> {
        self.check_process()?;
        let (method, program) = (self.method.clone(), self.program.clone());
        let restore = move || program.restore(&mut method.lock().unwrap_or_else(PoisonError::into_inner));
        wait::interruptible(py, restore, |_| Ok(()))?.map_err(errors::runtime)
    }

    /// Sets the state back to what it was when the method was loaded.
    fn reset(&self, py: Python<'_>) -> PyResult<()> {
        self.check_process()?;
        let method = &*self.method;
        py.detach(|| method.lock().unwrap_or_else(PoisonError::into_inner).reset()).map_err(errors::runtime)
    }

    /// What each launch of a call takes on the GPU, in order: operator, kernel, workgroups, nanoseconds and bytes moved.
    #[pyo3(signature = (*inputs))]
    fn profile<'py>(&self, py: Python<'py>, inputs: &Bound<'py, PyTuple>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let Inputs { values, .. } = self.taken(inputs)?;
        let method = &*self.method;
        let launches = py.detach(|| method.lock().unwrap_or_else(PoisonError::into_inner).profile(&values));
        let launches = launches.map_err(errors::runtime)?.into_iter();
        let described = launches.map(|launch| {
            let entry = PyDict::new(py);
            entry.set_item("op", launch.op)?;
            entry.set_item("node", launch.node)?;
            entry.set_item("kernel", launch.kernel)?;
            entry.set_item("grid", launch.grid.to_vec())?;
            entry.set_item("nanoseconds", u64::try_from(launch.time.as_nanos()).unwrap_or(u64::MAX))?;
            entry.set_item("bytes", launch.traffic)?;
            Ok(entry)
        });
        described.collect()
    }

    fn __repr__(&self) -> String {
        let list = |specs: &[RustSpec]| {
            let specs = specs.iter().map(|spec| Spec::of(spec).__repr__());
            specs.collect::<Vec<_>>().join(", ")
        };
        format!(
            "pteron.Method({}({}) -> [{}], device={:?})",
            self.name,
            list(&self.inputs),
            list(&self.outputs),
            self.device
        )
    }
}
