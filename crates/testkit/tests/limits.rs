//! What a program may take of the machine: too much is an error with the number, and what was loaded before goes on.

use std::time::Duration;

use pteron_runtime::{
    Device, DeviceChoice, Error, ErrorKind, HostTensor, Limit, Limits, Method, Program, Result, Spec, Value,
};
use pteron_testkit::fixtures;

fn program(name: &str) -> Program {
    Program::open(fixtures().join(name).join("model.pte")).expect("the fixture opens")
}

fn devices() -> [Device; 2] {
    [Device::cpu(), Device::open(DeviceChoice::Gpu).expect("tests need a WebGPU adapter: see the README")]
}

/// What was needed and allowed, of which limit.
fn limit<T: std::fmt::Debug>(result: Result<T>) -> (u64, u64, Limit) {
    match result.expect_err("it is refused") {
        error @ Error::Limit { .. } => {
            assert_eq!(error.kind(), ErrorKind::Limit);
            let Error::Limit { needed, allowed, limit, .. } = error else { unreachable!("just matched") };
            (needed, allowed, limit)
        }
        other => panic!("{other}"),
    }
}

fn ids(count: usize) -> [Value; 1] {
    [HostTensor::from_slice(&vec![1i64; count], &[count]).expect("small").into()]
}

fn method(program: &Program, limits: Limits, device: &Device) -> Result<Method> {
    program.clone().with_limits(limits).on(device).method("forward")
}

#[test]
fn constants_are_counted_before_they_are_uploaded() {
    let program = program("demo/embedding");
    let [_, gpu] = devices();
    let (needed, allowed, which) = limit(method(&program, Limits::default().with_gpu_bytes(1000), &gpu));
    assert_eq!((allowed, which), (1000, Limit::GpuBytes));
    method(&program, Limits::default().with_gpu_bytes(needed), &gpu).expect("as much as it needs");
    limit(method(&program, Limits::default().with_gpu_bytes(needed - 1), &gpu));
}

#[test]
fn a_call_that_needs_more_is_refused_and_others_go_on() {
    let program = program("demo/embedding");
    for device in devices() {
        let mut free = method(&program, Limits::default(), &device).expect("it loads");
        let whole = free.run(&ids(2)).expect("it runs");
        // Rows of 2048 floats: there is room for 4 of them, and not for 40.
        let (held, rows) = (free.gpu_bytes().constants, 4 * 2048 * 4 + 1024);
        let limits = match device.is_cpu() {
            true => Limits::default().with_host_bytes(rows),
            false => Limits::default().with_gpu_bytes(held + rows),
        };
        let mut bounded = method(&program, limits, &device).expect("constants fit");
        let same = |outputs: Vec<Value>| {
            assert_eq!(outputs[0].tensor().unwrap().bytes(), whole[0].tensor().unwrap().bytes());
        };
        same(bounded.run(&ids(2)).expect("two rows fit"));
        let (needed, _, which) = limit(bounded.run(&ids(40)));
        assert!(needed > 40 * 2048 * 4, "{needed}");
        assert_eq!(which, if device.is_cpu() { Limit::HostBytes } else { Limit::GpuBytes });
        same(bounded.run(&ids(2)).expect("two rows fit again"));
        // What was refused has taken no room.
        bounded.run(&ids(4)).expect("four rows fit");
        assert!(bounded.gpu_bytes().total() <= held + rows);
    }
}

#[test]
fn nodes_and_values_are_counted() {
    let program = program("programs/language_model/decoder");
    for device in devices() {
        let (needed, ..) = limit(method(&program, Limits::default().with_nodes(3), &device));
        method(&program, Limits::default().with_nodes(needed), &device).expect_or_limit();
        assert_eq!(limit(method(&program, Limits::default().with_values(3), &device)).2, Limit::Values);
    }
}

/// Loads, or tells of a larger count: parts are counted before the whole.
trait ExpectOrLimit {
    fn expect_or_limit(self);
}

impl ExpectOrLimit for Result<Method> {
    fn expect_or_limit(self) {
        match self {
            Ok(_) | Err(Error::Limit { .. }) => {}
            Err(other) => panic!("{other}"),
        }
    }
}

#[test]
fn a_call_ends_when_its_time_is_over() {
    for name in ["demo/embedding", "programs/portable/embedding"] {
        for device in devices() {
            let mut method =
                method(&program(name), Limits::default().with_call_time(Duration::ZERO), &device).expect("it loads");
            let inputs: Vec<_> = (0..method.inputs().len()).flat_map(|_| ids(1)).collect();
            match method.run(&inputs) {
                Err(Error::Time { limit }) => assert_eq!(limit, Duration::ZERO),
                Err(error) if error.kind() == ErrorKind::Input => {}
                other => panic!("{name} on {}: {other:?}", device.name()),
            }
        }
    }
}

#[test]
fn a_call_ends_within_an_operator() {
    // One pool of more windows than can be looked at in the time.
    let bytes = std::fs::read(fixtures().join("../fuzz/kept/run/pools-of-many-windows")).expect("it is kept");
    let program = Program::from_bytes(bytes).expect("it is whole");
    let limits = Limits::default().with_host_bytes(64 << 20).with_call_time(Duration::from_millis(50));
    let mut method = method(&program, limits, &Device::cpu()).expect("it loads");
    let zeros = |spec: &Spec| match spec {
        Spec::Tensor { dtype, shape, .. } => Value::Tensor(HostTensor::zeros(*dtype, *shape)),
        _ => Value::Int(1),
    };
    let inputs: Vec<_> = method.inputs().iter().map(zeros).collect();
    let outcome = method.run(&inputs);
    assert!(matches!(outcome, Err(Error::Time { .. })), "{outcome:?}");
}
