//! Threads that share programs and a device, and objects that are dropped in any order.
//!
//! `PTERON_LONG=1` makes 1000 calls on each thread; otherwise a few.

use std::sync::Arc;

use pteron_runtime::{Device, DeviceChoice, Method, Program, Value};
use pteron_testkit::{Case, fixtures};

const THREADS: usize = 8;
const PROGRAMS: [&str; 6] = [
    "demo/embedding",
    "ops/add/same_shape",
    "programs/state/in_delegate",
    "programs/delegates/sum_between_dynamic",
    "programs/portable/embedding",
    "ops/sym_size/view",
];

fn gpu() -> Device {
    Device::open(DeviceChoice::Gpu).expect("tests need a WebGPU adapter: see the README")
}

struct Subject {
    case: Case,
    program: Program,
    inputs: Vec<Value>,
    /// What the first call on the first state gives.
    answer: Vec<Vec<u8>>,
}

impl Subject {
    fn open(name: &str, device: &Device) -> Subject {
        let case = Case::read(&fixtures().join(name)).expect("the fixture is readable");
        let program = Program::open(&case.program).expect("the program opens").on(device);
        let inputs = case.steps[0].load().expect("the step is readable").0;
        let mut subject = Subject { case, program, inputs, answer: Vec::new() };
        subject.answer = subject.call(&mut subject.load());
        subject
    }

    fn load(&self) -> Method {
        self.program.method(&self.case.method).expect("it loads")
    }

    fn call(&self, method: &mut Method) -> Vec<Vec<u8>> {
        method.reset().expect("it is reset");
        let outputs = method.run(&self.inputs).expect("it runs");
        outputs.iter().filter_map(|value| Some(value.tensor()?.bytes().to_vec())).collect()
    }
}

#[test]
fn threads_get_what_one_thread_gets() {
    let calls = if std::env::var_os("PTERON_LONG").is_some() { 1000 } else { 12 };
    let device = gpu();
    let subjects = PROGRAMS.map(|name| Subject::open(name, &device));
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            let subjects = &subjects;
            scope.spawn(move || {
                let mut loaded: Vec<_> = subjects.iter().map(Subject::load).collect();
                for call in 0..calls {
                    let chosen = (thread * 5 + call * 7) % subjects.len();
                    let (subject, method) = (&subjects[chosen], &mut loaded[chosen]);
                    assert_eq!(
                        subject.call(method),
                        subject.answer,
                        "{} on thread {thread}",
                        subject.case.path.display()
                    );
                    if call % 97 == thread {
                        *method = subject.load();
                    }
                }
            });
        }
    });
    eprintln!("{THREADS} threads made {calls} calls each");
}

#[test]
fn things_are_dropped_in_any_order() {
    let rounds = if std::env::var_os("PTERON_LONG").is_some() { 500 } else { 40 };
    let mut order = 0x2545_f491_4f6c_dd1du64;
    for _ in 0..rounds {
        let device = gpu_or_shared(&mut order);
        let subject = Arc::new(Subject::open("programs/state/in_delegate", &device));
        let mut method = subject.load();
        let state = method.new_state().expect("there is memory");
        let outputs = method.run_on_device(&subject.inputs).expect("it runs");
        let host = method.run(&subject.inputs).expect("it runs");
        let submitted = method.submit(&subject.inputs, &[0]).expect("it is submitted");
        let second = subject.load();
        let mut things: Vec<Box<dyn std::any::Any + Send>> = vec![
            Box::new(device),
            Box::new(subject),
            Box::new(method),
            Box::new(state),
            Box::new(outputs),
            Box::new(host),
            Box::new(submitted),
            Box::new(second),
        ];
        while !things.is_empty() {
            let thing = things.swap_remove(below(&mut order, things.len()));
            // Some of them on a thread that has made none of them.
            match below(&mut order, 2) {
                0 => drop(thing),
                _ => std::thread::spawn(move || drop(thing)).join().expect("nothing panics"),
            }
        }
    }
}

/// A device of its own now and then, and else the one that all share.
fn gpu_or_shared(order: &mut u64) -> Device {
    match below(order, 4) {
        0 => gpu(),
        _ => Device::shared().expect("tests need a WebGPU adapter: see the README"),
    }
}

fn below(state: &mut u64, limit: usize) -> usize {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    usize::try_from(*state % limit as u64).expect("below the limit")
}
