//! Loading and letting go, again and again: memory of the host and of the GPU stays as it is.
//!
//! `PTERON_LONG=1` makes 1000 rounds; otherwise a few.

#[path = "../../pte/tests/counting/mod.rs"]
mod counting;

use std::sync::atomic::Ordering;

use counting::{ALLOCATED, pages};
use pteron_runtime::testing::device::allocated_bytes;
use pteron_runtime::{Device, DeviceChoice, Program};
use pteron_testkit::{Case, fixtures};

const PROGRAMS: [&str; 4] = [
    "demo/embedding",
    "programs/language_model/decoder",
    "programs/state/in_delegate",
    "programs/delegates/sum_between_dynamic",
];

/// Bytes that are allocated.
fn host_bytes() -> usize {
    ALLOCATED.load(Ordering::Relaxed)
}

fn round(device: &Device) {
    for name in PROGRAMS {
        let case = Case::read(&fixtures().join(name)).expect("the fixture is readable");
        let program = Program::open(&case.program).expect("the program opens").on(device);
        let mut method = program.method(&case.method).expect("it loads");
        let (inputs, _) = case.steps[0].load().expect("the step is readable");
        let outputs = method.run(&inputs).expect("it runs");
        let state = method.new_state().expect("there is memory");
        drop((program, outputs, state));
        method.run(&inputs).expect("it runs");
    }
}

/// Rounds on a device, once pools and caches are full; what the host and the device held before and after.
#[expect(clippy::print_stdout, reason = "the long form is run for its figures")]
fn soak(device: &Device, rounds: usize) {
    (0..6).for_each(|_| round(device));
    let (host, gpu, resident) = (host_bytes(), allocated_bytes(device), pages());
    (0..rounds).for_each(|_| round(device));
    let (host_after, gpu_after, resident_after) = (host_bytes(), allocated_bytes(device), pages());
    println!(
        "{rounds} loads of {} programs on {}: host {host} to {host_after} bytes, GPU {gpu:?} to {gpu_after:?} bytes, process \
         {resident:?} to {resident_after:?} pages",
        PROGRAMS.len(),
        device.name()
    );
    assert!(host_after <= host + (1 << 20), "the host held {host} bytes, and holds {host_after} after {rounds} rounds");
    if let (Some(before), Some(after)) = (gpu, gpu_after) {
        assert!(after <= before + (1 << 20), "the GPU held {before} bytes, and holds {after} after {rounds} rounds");
    }
}

/// One test, since both count what the process allocates.
#[test]
fn memory_stays_flat_over_loads() {
    let rounds = if std::env::var_os("PTERON_LONG").is_some() { 1000 } else { 20 };
    soak(&Device::cpu(), rounds);
    soak(&Device::open(DeviceChoice::Gpu).expect("tests need a WebGPU adapter: see the README"), rounds);
}
