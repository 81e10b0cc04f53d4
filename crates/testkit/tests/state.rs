//! Key-value caches persist from call to call, belong to one state of one loaded method, and can be set back.

use pteron_runtime::{Device, DeviceChoice, ErrorKind, HostTensor, Method, Program, Tolerance, Value};
use pteron_testkit::{Case, fixtures};

const TOLERANCE: Tolerance = Tolerance { atol: 1e-5, rtol: 1e-5 };

/// A loaded method, and its calls with what they must give.
struct Replay {
    program: Program,
    steps: Vec<(Vec<Value>, Value)>,
}

impl Replay {
    fn new(device: &Device) -> Replay {
        let folder = fixtures().join("ops/sdpa_with_kv_cache/prefill_and_decode");
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
        self.check_scaled(method, step, 1.0);
    }

    /// Runs a step with its values, the third input, multiplied by a factor, which multiplies what attention gives.
    fn check_scaled(&self, method: &mut Method, step: usize, factor: f32) {
        let (inputs, expected) = &self.steps[step];
        let mut inputs = inputs.clone();
        inputs[2] = scaled(&inputs[2], factor).into();
        let got = method.run(&inputs).expect("the step runs");
        let got = got[0].tensor().expect("the output is a tensor");
        let comparison = TOLERANCE.compare(got, &scaled(expected, factor)).expect("the same shape");
        assert!(comparison.passed(), "step {step}: {comparison:?}");
    }
}

fn scaled(value: &Value, factor: f32) -> HostTensor {
    let tensor = value.tensor().expect("a tensor");
    let values: Vec<f32> = tensor.as_slice::<f32>().expect("floats").iter().map(|value| value * factor).collect();
    HostTensor::from_slice(&values, tensor.shape()).expect("values fill the shape")
}

fn devices() -> [Device; 2] {
    [Device::cpu(), Device::open(DeviceChoice::Gpu).expect("tests need a WebGPU adapter: see the README")]
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
fn states_take_turns_on_one_method() {
    for device in devices() {
        let replay = Replay::new(&device);
        let mut method = replay.method();
        // More than a plan keeps bind groups for.
        let mut others: Vec<_> = (0..9).map(|_| method.new_state().expect("there is memory")).collect();
        for step in 0..replay.steps.len() {
            replay.check(&mut method, step);
            for (factor, state) in [2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0].into_iter().zip(&mut others) {
                method.swap_state(state).expect("it is a state of this method");
                replay.check_scaled(&mut method, step, factor);
                method.swap_state(state).expect("it is a state of this method");
            }
        }
    }
}

#[test]
fn reset_leaves_other_states_alone() {
    for device in devices() {
        let replay = Replay::new(&device);
        let mut method = replay.method();
        let mut other = method.new_state().expect("there is memory");
        for step in 0..3 {
            replay.check(&mut method, step);
        }
        method.swap_state(&mut other).expect("it is a state of this method");
        replay.check_scaled(&mut method, 0, 2.0);
        method.reset().expect("state can be set back");
        method.swap_state(&mut other).expect("it is a state of this method");
        for step in 3..replay.steps.len() {
            replay.check(&mut method, step);
        }
        // The other one was set back, and so begins anew.
        method.swap_state(&mut other).expect("it is a state of this method");
        for step in 0..replay.steps.len() {
            replay.check(&mut method, step);
        }
    }
}

#[test]
fn a_state_of_another_method_is_refused() {
    for device in devices() {
        let replay = Replay::new(&device);
        let (mut method, other) = (replay.method(), replay.method());
        replay.check(&mut method, 0);
        let mut foreign = other.new_state().expect("there is memory");
        let error = method.swap_state(&mut foreign).expect_err("it is another's");
        assert_eq!(error.kind(), ErrorKind::Input);
        assert!(error.to_string().contains("belongs to another method"), "{error}");
        replay.check(&mut method, 1);
    }
}

#[test]
fn a_state_takes_memory_for_itself_only() {
    let [_, device] = devices();
    let replay = Replay::new(&device);
    let method = replay.method();
    let before = method.gpu_bytes();
    let state = method.new_state().expect("there is memory");
    assert_eq!(method.gpu_bytes(), before);
    assert_eq!(state.gpu_bytes(), method.memory().state);
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
