//! Methods on devices: several methods, clones and threads share the one of the process, two devices do not mix, and a
//! lost one is replaced.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard};

use pteron_runtime::testing::device::{allocated_bytes, lose};
use pteron_runtime::{Device, DeviceChoice, ErrorKind, Method, Program, Value};
use pteron_testkit::{Case, fixtures};

/// Tests take turns: each looks at the shared device, and one loses it.
static SHARED: Mutex<()> = Mutex::new(());

fn alone() -> MutexGuard<'static, ()> {
    SHARED.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

fn fixture(name: &str) -> PathBuf {
    fixtures().join(name)
}

fn gpu() -> Device {
    Device::open(DeviceChoice::Gpu).expect("tests need a WebGPU adapter: see the README")
}

/// A program with constants, and a call of one of its methods.
struct Embedding {
    case: Case,
    program: Program,
}

impl Embedding {
    fn open() -> Embedding {
        let case = Case::read(&fixture("demo/embedding")).expect("the fixture is readable");
        Embedding { program: Program::open(&case.program).expect("the program opens"), case }
    }

    fn method(&self) -> Method {
        self.program.method(&self.case.method).expect("the method loads")
    }

    fn inputs(&self) -> Vec<Value> {
        self.case.steps[0].load().expect("the step is readable").0
    }

    fn check(&self, method: &mut Method) {
        let (inputs, expected) = self.case.steps[0].load().expect("the step is readable");
        let outputs = method.run(&inputs).expect("it runs");
        let (got, expected) = (outputs[0].tensor().expect("a tensor"), expected[0].1.tensor().expect("a tensor"));
        let comparison = self.case.tolerance.compare(got, expected).expect("the same shape");
        assert!(comparison.passed(), "{comparison:?}");
    }
}

#[test]
fn methods_of_a_program_share_a_device() {
    let _alone = alone();
    let embedding = Embedding::open();
    embedding.check(&mut embedding.method());
    embedding.check(&mut embedding.method());
    let (mut first, mut second) = (embedding.method(), embedding.method());
    assert_eq!(first.device(), second.device());
    assert_eq!(*first.device(), Device::shared().expect("it is open"));
    assert!(!first.device().is_cpu(), "tests need a WebGPU adapter: see the README");
    embedding.check(&mut first);
    embedding.check(&mut second);
    embedding.check(&mut first);
}

#[test]
fn different_methods_of_a_program_share_a_device() {
    let _alone = alone();
    for name in ["scale", "shift"] {
        let case = Case::read(&fixture("programs/two_methods").join(name)).expect("the fixture is readable");
        let program = Program::open(&case.program).expect("the program opens");
        let (inputs, expected) = case.steps[0].load().expect("the step is readable");
        for other in program.methods().expect("its methods have names") {
            let loaded = program.method(&other).expect("the method loads");
            let outputs = program.method(name).expect("the method loads").run(&inputs).expect("it runs");
            let (got, expected) = (outputs[0].tensor().expect("a tensor"), expected[0].1.tensor().expect("a tensor"));
            assert!(case.tolerance.compare(got, expected).expect("the same shape").passed());
            assert_eq!(*loaded.device(), Device::shared().expect("it is open"));
        }
    }
}

#[test]
fn clones_and_other_programs_share_a_device() {
    let _alone = alone();
    let embedding = Embedding::open();
    let mut first = embedding.method();
    let clone = Embedding { program: embedding.program.clone(), case: embedding.case.clone() };
    let mut second = clone.method();
    let mut other = Embedding::open().method();
    drop(clone);
    for method in [&mut first, &mut second, &mut other] {
        embedding.check(method);
    }
    assert_eq!(first.device(), second.device());
    assert_eq!(first.device(), other.device());
}

#[test]
fn threads_share_a_device() {
    let _alone = alone();
    let embedding = Embedding::open();
    std::thread::scope(|scope| {
        let threads = [(); 4].map(|()| {
            scope.spawn(|| {
                let mut method = embedding.method();
                (0..3).for_each(|_| embedding.check(&mut method));
                method.device().clone()
            })
        });
        for device in threads.map(|thread| thread.join().expect("no thread panics")) {
            assert_eq!(device, Device::shared().expect("it is open"));
        }
    });
}

#[test]
fn constants_of_two_devices_do_not_mix() {
    let _alone = alone();
    let embedding = Embedding::open();
    let (one, two) = (gpu(), gpu());
    assert_ne!(one, two);
    let on = |device: &Device| {
        let program = embedding.program.clone().on(device);
        program.method(&embedding.case.method).expect("the method loads")
    };
    let mut methods = [on(&one), embedding.method(), on(&two), on(&one), on(&Device::cpu()), embedding.method()];
    for method in &mut methods {
        embedding.check(method);
    }
    assert_eq!([methods[0].device(), methods[2].device(), methods[3].device()], [&one, &two, &one]);
}

#[test]
fn constants_are_uploaded_once_and_freed_with_their_program() {
    let _alone = alone();
    let (embedding, device) = (Embedding::open(), gpu());
    let Some(before) = allocated_bytes(&device) else { return };
    let on_device = embedding.program.clone().on(&device);
    let first = on_device.method(&embedding.case.method).expect("the method loads");
    let with_one = allocated_bytes(&device).expect("told before");
    // Another clone, put on the device for itself.
    let second = embedding.program.clone().on(&device).method(&embedding.case.method).expect("the method loads");
    let with_two = allocated_bytes(&device).expect("told before");
    let constants = first.gpu_bytes().constants;
    assert!(with_one - before >= constants, "{before} {with_one} {constants}");
    assert!(with_two - with_one < constants, "{with_one} {with_two} {constants}");
    drop((first, second, on_device, embedding));
    assert!(allocated_bytes(&device) <= Some(before));
}

#[test]
fn a_lost_device_gives_errors_and_is_replaced() {
    let _alone = alone();
    let embedding = Embedding::open();
    let mut before = embedding.method();
    embedding.check(&mut before);
    let lost = before.device().clone();
    let in_flight = before.submit(&embedding.inputs(), &[0]).expect("it is submitted");
    lose(&lost);
    // What was submitted before may have been done; it ends in any case.
    let _ = in_flight.read();
    assert!(lost.is_lost());
    for _ in 0..2 {
        let error = before.run(&embedding.inputs()).expect_err("its device is lost");
        assert_eq!(error.kind(), ErrorKind::Device);
        assert!(error.to_string().contains("lost"), "{error}");
    }
    let error = embedding.program.clone().on(&lost).method(&embedding.case.method).expect_err("the device is lost");
    assert!(error.to_string().contains("lost"), "{error}");

    let mut after = embedding.method();
    assert_ne!(*after.device(), lost);
    assert_eq!(*after.device(), Device::shared().expect("it is open"));
    assert!(!after.device().is_cpu());
    embedding.check(&mut after);
}
