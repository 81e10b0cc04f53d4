//! What a caller can rely on beyond right answers: errors that leave a method usable, state, and tensors that stay on
//! the device.

use std::path::PathBuf;

use pteron_runtime::{DType, Device, DeviceChoice, DeviceOptions, ErrorKind, HostTensor, Method, Program, Value};
use pteron_testkit::{Status, discover, fixtures, read_tensors, verify};

fn fixture(name: &str) -> PathBuf {
    fixtures().join(name)
}

fn gpu() -> Device {
    Device::open(DeviceChoice::Gpu).expect("tests need a WebGPU adapter: see the README")
}

fn forward(name: &str, device: &Device) -> Method {
    let program = Program::open(fixture(name).join("model.pte")).expect("the fixture opens");
    program.on(device).method("forward").expect("the fixture loads")
}

fn inputs(name: &str, step: usize) -> Vec<Value> {
    let tensors = read_tensors(&fixture(name).join(format!("step{step}.inputs.safetensors")));
    tensors.expect("the fixture reads").into_iter().map(|(_, tensor)| tensor.into()).collect()
}

fn floats(value: &Value) -> Vec<f32> {
    value.tensor().expect("a host tensor").as_slice::<f32>().expect("floats").to_vec()
}

fn on_both(check: impl Fn(&Device)) {
    check(&Device::cpu());
    check(&gpu());
}

#[test]
fn an_id_outside_the_vocabulary_is_named_and_the_method_stays_usable() {
    on_both(|device| {
        let mut method = forward("ops/embedding_q4gsw/dynamic", device);
        let good = inputs("ops/embedding_q4gsw/dynamic", 0);
        let before = floats(&method.run(&good).expect("valid ids run")[0]);
        for bad in [1_000_000i64, -1, i64::from(i32::MAX) + 1] {
            let ids = HostTensor::from_slice(&[0, bad], &[2]).unwrap();
            let error = method.run(&[ids.into()]).expect_err("an id outside the vocabulary");
            assert_eq!(error.kind(), ErrorKind::Input);
            assert!(error.to_string().contains(&bad.to_string()), "{error}");
        }
        assert_eq!(floats(&method.run(&good).expect("valid ids still run")[0]), before);
    });
}

#[test]
fn an_id_that_only_the_gpu_knows_is_reported_with_the_results() {
    let device = gpu();
    let mut method = forward("ops/embedding_q4gsw/dynamic", &device);
    let ids = device.upload(&HostTensor::from_slice(&[0i64, 1_000_000], &[2]).unwrap()).expect("ids upload");
    let error = method.run(&[ids.into()]).expect_err("an id outside the vocabulary");
    assert!(error.to_string().contains("1000000"), "{error}");
    let ids = device.upload(&HostTensor::from_slice(&[0i64, 1], &[2]).unwrap()).expect("ids upload");
    let from_device = floats(&method.run(&[ids.into()]).expect("valid ids run")[0]);
    let ids = HostTensor::from_slice(&[0i64, 1], &[2]).unwrap();
    assert_eq!(floats(&method.run(&[ids.into()]).expect("valid ids run")[0]), from_device);
}

#[test]
fn outputs_that_stay_on_the_device_are_inputs_of_the_next_call() {
    let device = gpu();
    let mut method = forward("ops/add/same_shape", &device);
    let given = inputs("ops/add/same_shape", 0);
    let once = floats(&method.run(&given).expect("runs")[0]);
    let first = method.run_on_device(&given).expect("runs").remove(0);
    let second = method.run_on_device(&[first.clone(), given[1].clone()]).expect("runs").remove(0);
    let Value::Device(first) = first else { panic!("the output left the device") };
    let Value::Device(second) = second else { panic!("the output left the device") };
    // The first output is its own memory: the second call did not overwrite it.
    assert_eq!(first.to_host().unwrap().as_slice::<f32>().unwrap(), once);
    let addend = floats(&given[1]);
    let expected: Vec<f32> = once.iter().zip(&addend).map(|(a, b)| a + b).collect();
    assert_eq!(second.to_host().unwrap().as_slice::<f32>().unwrap(), expected);
}

#[test]
fn state_persists_and_can_be_reset() {
    on_both(|device| {
        for name in
            ["programs/state/in_program", "programs/state/in_delegate", "programs/state/in_delegate_from_nonzero"]
        {
            let mut method = forward(name, device);
            let given = inputs(name, 0);
            let first = floats(&method.run(&given).expect("runs")[0]);
            let second = floats(&method.run(&given).expect("runs")[0]);
            assert_ne!(first, second, "{name} keeps no state on {}", device.name());
            method.reset().expect("resets");
            assert_eq!(floats(&method.run(&given).expect("runs")[0]), first, "{name} on {}", device.name());
        }
    });
}

#[test]
fn states_of_one_method_are_separate() {
    on_both(|device| {
        for name in
            ["programs/state/in_program", "programs/state/in_delegate", "programs/state/in_delegate_from_nonzero"]
        {
            let mut method = forward(name, device);
            let given = inputs(name, 0);
            let mut other = method.new_state().expect("there is memory");
            let first = floats(&method.run(&given).expect("runs")[0]);
            let second = floats(&method.run(&given).expect("runs")[0]);
            method.swap_state(&mut other).expect("it is a state of this method");
            assert_eq!(floats(&method.run(&given).expect("runs")[0]), first, "{name} on {}", device.name());
            method.reset().expect("resets");
            method.swap_state(&mut other).expect("it is a state of this method");
            let third = floats(&method.run(&given).expect("runs")[0]);
            method.swap_state(&mut other).expect("it is a state of this method");
            for expected in [first, second, third] {
                assert_eq!(floats(&method.run(&given).expect("runs")[0]), expected, "{name} on {}", device.name());
            }
        }
    });
}

#[test]
fn two_loaded_methods_have_separate_state() {
    on_both(|device| {
        let name = "programs/state/in_delegate";
        let (mut one, mut other) = (forward(name, device), forward(name, device));
        let given = inputs(name, 0);
        let first = floats(&one.run(&given).expect("runs")[0]);
        one.run(&given).expect("runs");
        assert_eq!(floats(&other.run(&given).expect("runs")[0]), first);
    });
}

#[test]
fn inputs_that_do_not_fit_are_errors() {
    on_both(|device| {
        let mut method = forward("ops/add/same_shape", device);
        let given = inputs("ops/add/same_shape", 0);
        let wrong_shape = HostTensor::zeros(DType::F32, pteron_runtime::Shape::new(&[1]).unwrap());
        let wrong_type = given[0].tensor().unwrap().cast(DType::I32);
        for bad in [
            vec![],
            vec![given[0].clone()],
            vec![given[0].clone(), wrong_shape.into()],
            vec![wrong_type.into(), given[1].clone()],
            vec![Value::Int(1), given[1].clone()],
        ] {
            assert_eq!(method.run(&bad).expect_err("does not fit").kind(), ErrorKind::Input);
        }
        method.run(&given).expect("the method still runs");
    });
}

#[test]
fn a_missing_method_names_those_that_exist() {
    let program = Program::open(fixture("programs/two_methods/scale").join("model.pte")).unwrap();
    let error = program.on(&Device::cpu()).method("forward").expect_err("there is no forward");
    assert_eq!(error.kind(), ErrorKind::NotFound);
    assert!(error.to_string().contains("scale") && error.to_string().contains("shift"), "{error}");
}

#[test]
fn external_data_that_is_missing_is_named() {
    let program = Program::open(fixture("formats/external_data/two_files").join("model.pte")).unwrap();
    let error = program.on(&Device::cpu()).method("forward").expect_err("its data is elsewhere");
    assert!(error.to_string().contains(".ptd"), "{error}");
}

#[test]
fn a_device_without_16_bit_floats_widens_them_and_says_so() {
    let name = "ops/embedding_q4gsw/f16";
    let least = Device::open(DeviceOptions::new(DeviceChoice::Gpu).with_webgpu_minimum());
    let least = least.expect("tests need a WebGPU adapter: see the README");
    let method = forward(name, &least);
    assert!(method.notes().iter().any(|note| note.contains("widened")), "{:?}", method.notes());
    assert!(forward(name, &Device::cpu()).notes().is_empty());
}

/// Every fixture with the limits and features that all of WebGPU guarantees: no f16, no subgroups, 128 MiB bindings.
#[test]
fn fixtures_run_on_the_least_capable_device() {
    let device = Device::open(DeviceOptions::new(DeviceChoice::Gpu).with_webgpu_minimum());
    let device = device.expect("tests need a WebGPU adapter: see the README");
    for case in discover(&fixture("ops")).expect("fixtures are readable") {
        let outcome = verify(&case, &device);
        assert!(matches!(outcome.status, Status::Pass), "{}: {}", case.path.display(), outcome.message);
    }
}

/// A program whose delegate returns what two buffers become, without saying which is which, has no sure meaning.
#[test]
fn a_call_that_does_not_fit_its_delegate_is_explained() {
    let path = fixtures().join("formats/rejected/returned_states/model.pte");
    let error = Program::open(path).and_then(|program| program.on(&Device::cpu()).method("forward"));
    let error = error.expect_err("nobody knows").to_string();
    for part in ["takes 1 inputs and gives 3 outputs", "called with 2 arguments", "alias_buffer_mutations"] {
        assert!(error.contains(part), "{error}");
    }
}
