//! Launches that are recorded while the call before them runs: they are used from the third of several calls that are alike,
//! and results are those of calls that record their own.

use pteron_runtime::{Device, DeviceChoice, HostTensor, Method, Program, Value};
use pteron_testkit::fixtures;

const DECODER: &str = "programs/language_model/decoder";

fn decoder(device: &Device) -> Method {
    let program = Program::open(fixtures().join(DECODER).join("model.pte")).expect("the program opens");
    program.on(device).method("forward").expect("the method loads")
}

fn gpu() -> Device {
    Device::open(DeviceChoice::Gpu).expect("tests need a WebGPU adapter: see the README")
}

/// What the decoder takes: tokens, and the position of the first.
fn call(tokens: &[i64], position: i64) -> [Value; 2] {
    let tokens = HostTensor::from_slice(tokens, &[1, tokens.len()]).expect("a row");
    [tokens.into(), HostTensor::from_slice(&[position], &[1]).expect("a number").into()]
}

fn floats(value: &Value) -> Vec<f32> {
    value.tensor().expect("a tensor").as_slice::<f32>().expect("floats").to_vec()
}

/// The logits of a call, and whether its launches were recorded ahead.
fn run(method: &mut Method, tokens: &[i64], position: i64) -> (Vec<f32>, bool) {
    let logits = floats(&method.run(&call(tokens, position)).expect("it runs")[0]);
    (logits, method.recorded_ahead())
}

/// The logits of a call that is submitted without waiting for it, which records nothing for others.
fn run_alone(method: &mut Method, tokens: &[i64], position: i64) -> Vec<f32> {
    let submitted = method.submit(&call(tokens, position), &[0]).expect("it is submitted");
    let results = submitted.read().expect("it ran");
    assert!(!method.recorded_ahead());
    results[0].as_slice::<f32>().expect("floats").to_vec()
}

/// Calls of one text, whether their launches are recorded ahead, and a method that records each for itself.
fn follow(method: &mut Method, other: &mut Method, calls: &[(&[i64], bool)]) {
    let mut position = 0;
    for (number, &(tokens, expected)) in calls.iter().enumerate() {
        let (logits, ahead) = run(method, tokens, position);
        assert_eq!(ahead, expected, "call {number}");
        assert_eq!(logits, run_alone(other, tokens, position), "call {number}");
        position += i64::try_from(tokens.len()).expect("few tokens");
    }
}

#[test]
fn the_third_of_calls_that_are_alike_finds_its_launches_recorded() {
    let device = gpu();
    let (mut method, mut other) = (decoder(&device), decoder(&device));
    let calls: [(&[i64], bool); 9] = [
        (&[5], false),
        (&[77], false),
        (&[201], true),
        (&[9], true),
        // Memory grows, and what was recorded names what was replaced.
        (&[1, 2, 3, 4, 5, 6], false),
        (&[8], false),
        (&[9], false),
        (&[10], true),
        (&[11], true),
    ];
    follow(&mut method, &mut other, &calls);
    assert!(method.dispatches() > 8, "launches of a call this short are not worth it");
}

#[test]
fn a_state_never_runs_what_was_recorded_for_another() {
    let device = gpu();
    let (mut method, mut first, mut second) = (decoder(&device), decoder(&device), decoder(&device));
    let mut state = method.new_state().expect("there is memory");
    for position in 0..3 {
        assert_eq!(run(&mut method, &[5 + position], position).0, run_alone(&mut first, &[5 + position], position));
    }
    assert!(method.recorded_ahead());
    for position in 0..4 {
        method.swap_state(&mut state).expect("it is a state of this method");
        let (logits, ahead) = run(&mut method, &[90 + position], position);
        assert!(!ahead);
        assert_eq!(logits, run_alone(&mut second, &[90 + position], position));
        method.swap_state(&mut state).expect("it is a state of this method");
        let (logits, ahead) = run(&mut method, &[8 + position], 3 + position);
        assert!(!ahead);
        assert_eq!(logits, run_alone(&mut first, &[8 + position], 3 + position));
    }
}

#[test]
fn calls_that_are_refused_and_a_state_that_is_reset_change_nothing() {
    let device = gpu();
    let (mut method, mut other) = (decoder(&device), decoder(&device));
    for position in 0..3 {
        assert_eq!(run(&mut method, &[5 + position], position).0, run_alone(&mut other, &[5 + position], position));
    }
    let outside = HostTensor::from_slice(&[1.5f32], &[1, 1]).expect("one number");
    method.run(&[outside.into(), call(&[1], 3)[1].clone()]).expect_err("tokens are whole numbers");
    method.run(&call(&[1 << 40], 3)).expect_err("no vocabulary is as large");
    assert_eq!(run(&mut method, &[8], 3).0, run_alone(&mut other, &[8], 3));
    method.reset().expect("state can be set back");
    other.reset().expect("state can be set back");
    for position in 0..3 {
        assert_eq!(run(&mut method, &[70 + position], position).0, run_alone(&mut other, &[70 + position], position));
    }
}

#[test]
fn results_on_the_device_are_inputs_of_calls_that_were_recorded_ahead() {
    let device = gpu();
    let name = "programs/blocks/encoder_layer_vulkan";
    let load = || {
        let program = Program::open(fixtures().join(name).join("model.pte")).expect("the program opens");
        program.on(&device).method("forward").expect("the method loads")
    };
    let (mut method, mut other) = (load(), load());
    let numbers: Vec<f32> = (0..2 * 9 * 24).map(|at| (at % 17) as f32 / 17.0).collect();
    let mut given: Value = HostTensor::from_slice(&numbers, &[2, 9, 24]).expect("a batch").into();
    for _ in 0..4 {
        let expected = other.submit(&[given.clone()], &[0]).expect("it is submitted").read().expect("it ran");
        let result = method.run(&[given]).expect("it runs").remove(0);
        assert_eq!(floats(&result), expected[0].as_slice::<f32>().expect("floats"));
        let Value::Tensor(tensor) = result else { panic!("it is on the host") };
        given = Value::Device(device.upload(&tensor).expect("there is memory"));
    }
}
