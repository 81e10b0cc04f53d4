//! Devices by what users call them, each opened once in a process.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use pteron::{AdapterReport, Device, DeviceChoice};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyInt, PyList, PyString};

use crate::{errors, wait};

/// Devices that are open, by what they were asked for as.
static OPEN: Mutex<Vec<(DeviceChoice, Device)>> = Mutex::new(Vec::new());

/// Whether a GPU was opened in this process, or in one that it was forked from.
static HAS_GPU: AtomicBool = AtomicBool::new(false);

/// Whether this process was forked from one that had a GPU open. Neither drivers nor the threads that wait for them go along.
static IS_FORKED: AtomicBool = AtomicBool::new(false);

/// Tells the module that its process is a new one, forked from another.
#[pyfunction]
#[pyo3(name = "_after_fork")]
pub(crate) fn after_fork() {
    if HAS_GPU.load(Ordering::Relaxed) {
        IS_FORKED.store(true, Ordering::Relaxed);
    }
}

/// Refuses a GPU where it would never answer.
pub(crate) fn check_process() -> PyResult<()> {
    if !IS_FORKED.load(Ordering::Relaxed) {
        return Ok(());
    }
    Err(errors::device(
        "this process was forked from one that used a GPU, and GPUs do not go along: start processes with \
         multiprocessing.get_context(\"spawn\"), load with device=\"cpu\", or use the GPU only after the fork",
    ))
}

/// What a user says: `auto`, `cpu`, `gpu`, part of a name, `pci:` and an address, or a number.
pub(crate) fn parse(device: &Bound<'_, PyAny>) -> PyResult<DeviceChoice> {
    if device.is_instance_of::<PyInt>() && !device.is_instance_of::<PyBool>() {
        let number = device.extract().map_err(|_| errors::wrong_input("adapters are counted from 0"))?;
        return Ok(DeviceChoice::Index(number));
    }
    if let Ok(text) = device.cast::<PyString>() {
        let text = text.to_cow()?;
        return match text.parse::<DeviceChoice>() {
            Ok(DeviceChoice::Named(name)) if name.is_empty() => Err(errors::wrong_input("a device has a name")),
            Ok(choice) => Ok(choice),
            Err(never) => match never {},
        };
    }
    Err(errors::wrong_type("a device is a name, such as \"cpu\" or \"gpu\", or the number of an adapter"))
}

/// Opens a device, or gives the one that was opened for the same words.
pub(crate) fn open(py: Python<'_>, choice: DeviceChoice) -> PyResult<Device> {
    if choice != DeviceChoice::Cpu {
        check_process()?;
    }
    let device = wait::interruptible(py, move || find(choice), |_| Ok(()))?.map_err(errors::runtime)?;
    if !device.is_cpu() {
        HAS_GPU.store(true, Ordering::Relaxed);
    }
    Ok(device)
}

fn find(choice: DeviceChoice) -> pteron::Result<Device> {
    match choice {
        DeviceChoice::Auto => return Device::shared(),
        DeviceChoice::Cpu => return Ok(Device::cpu()),
        _ => {}
    }
    let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
    open.retain(|(_, device)| !device.is_lost());
    if let Some((_, device)) = open.iter().find(|(known, _)| *known == choice) {
        return Ok(device.clone());
    }
    let device = Device::open(&choice)?;
    open.push((choice, device.clone()));
    Ok(device)
}

/// The adapters of this machine, best first: name, backend, kind, driver, PCI address, and whether they are software.
///
/// The place of an adapter in the list is the number that `load` takes as a device.
///
/// >>> import pteron
/// >>> for adapter in pteron.devices():
/// ...     assert adapter["name"] and adapter["backend"]
#[pyfunction]
pub(crate) fn devices(py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
    let adapters = wait::interruptible(py, Device::adapters, |_| Ok(()))?;
    let described = |adapter: AdapterReport| -> PyResult<Bound<'_, PyDict>> {
        let AdapterReport { name, backend, kind, driver, pci, software, .. } = adapter;
        let entry = PyDict::new(py);
        entry.set_item("name", name)?;
        entry.set_item("backend", backend)?;
        entry.set_item("kind", kind)?;
        entry.set_item("driver", driver)?;
        entry.set_item("pci", pci)?;
        entry.set_item("software", software)?;
        Ok(entry)
    };
    PyList::new(py, adapters.into_iter().map(described).collect::<PyResult<Vec<_>>>()?)
}
