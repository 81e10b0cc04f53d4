//! Loading and letting go, again and again: memory of the host and of the GPU stays as it is.
//!
//! `PTERON_LONG=1` makes 1000 rounds; otherwise a few.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use pteron_runtime::testing::device::allocated_bytes;
use pteron_runtime::{Device, DeviceChoice, Program};
use pteron_testkit::{Case, fixtures};

const PROGRAMS: [&str; 4] = [
    "demo/embedding",
    "programs/language_model/decoder",
    "programs/state/in_delegate",
    "programs/delegates/sum_between_dynamic",
];

/// Counts the bytes that are allocated. What a driver allocates is its own, and does not count.
struct Counting;

static ALLOCATED: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call is passed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATED.fetch_add(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller's contract is the system allocator's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        ALLOCATED.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller's contract is the system allocator's.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Bytes that are allocated.
fn host_bytes() -> usize {
    ALLOCATED.load(Ordering::Relaxed)
}

/// Pages of the process, with all that drivers have taken, where the system tells.
fn pages() -> Option<u64> {
    std::fs::read_to_string("/proc/self/statm").ok()?.split(' ').nth(1)?.parse().ok()
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
