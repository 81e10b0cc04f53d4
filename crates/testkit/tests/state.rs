//! Key-value caches persist from call to call, belong to one loaded method, and can be set back.

use std::path::Path;

use pteron_runtime::{Device, DeviceChoice, HostTensor, Method, Program, Tolerance, Value};
use pteron_testkit::Case;

const TOLERANCE: Tolerance = Tolerance { atol: 1e-5, rtol: 1e-5 };

/// A loaded method, and its calls with what they must give.
struct Replay {
    program: Program,
    steps: Vec<(Vec<Value>, Value)>,
}

impl Replay {
    fn new(device: &Device) -> Replay {
        let folder =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/ops/sdpa_with_kv_cache/prefill_and_decode");
        let case = Case::read(&folder).expect("the fixture is readable");
        let program = Program::open(&case.program).expect("the program opens").on(device);
        let steps = case.steps.iter().map(|step| {
            let (inputs, expected) = step.load().expect("the step is readable");
            (inputs, expected[0].1.clone())
        });
        Replay { program, steps: steps.collect() }
    }

    fn method(&self) -> Method {
        self.program.method("forward").expect("the method loads")
    }

    fn check(&self, method: &mut Method, step: usize) {
        let (inputs, expected) = &self.steps[step];
        let got = method.run(inputs).expect("the step runs");
        let (Some(got), Some(expected)) = (got[0].tensor(), expected.tensor()) else { panic!("outputs are tensors") };
        let comparison = TOLERANCE.compare(got, expected).expect("the same shape");
        assert!(comparison.passed(), "step {step}: {comparison:?}");
    }
}

fn devices() -> [Device; 2] {
    [Device::cpu(), Device::open(&DeviceChoice::Gpu).expect("tests need a WebGPU adapter: see the README")]
}

#[test]
fn methods_have_caches_of_their_own() {
    for device in devices() {
        let replay = Replay::new(&device);
        let (mut first, mut second) = (replay.method(), replay.method());
        // The second runs one step behind the first; a shared cache would give it rows of the future.
        for step in 0..replay.steps.len() {
            replay.check(&mut first, step);
            if step > 0 {
                replay.check(&mut second, step - 1);
            }
        }
    }
}

#[test]
fn reset_empties_the_caches() {
    for device in devices() {
        let replay = Replay::new(&device);
        let (mut used, mut fresh) = (replay.method(), replay.method());
        for step in 0..3 {
            replay.check(&mut used, step);
        }
        used.reset().expect("state can be set back");
        // A late step without the ones before it sees the rows that they would have written.
        let (inputs, _) = &replay.steps[4];
        let (after, before) = (used.run(inputs).expect("it runs"), fresh.run(inputs).expect("it runs"));
        let (Some(after), Some(before)) = (after[0].tensor(), before[0].tensor()) else {
            panic!("outputs are tensors")
        };
        assert_eq!(after.bytes(), before.bytes());
    }
}

#[test]
fn a_refused_call_leaves_the_caches_alone() {
    for device in devices() {
        let replay = Replay::new(&device);
        let mut method = replay.method();
        replay.check(&mut method, 0);
        for position in [160i64, -1, i64::from(i32::MAX), 91] {
            let mut inputs = replay.steps[2].0.clone();
            inputs[3] = HostTensor::from_slice(&[position], &[1]).expect("one number").into();
            let error = method.run(&inputs).expect_err("70 rows do not fit from there").to_string();
            assert!(error.contains(&format!("70 rows from row {position} do not lie within the 160")), "{error}");
            assert!(error.contains("node"), "{error}");
        }
        for step in 1..replay.steps.len() {
            replay.check(&mut method, step);
        }
    }
}
