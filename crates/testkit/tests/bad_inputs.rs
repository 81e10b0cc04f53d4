//! Inputs that a method does not take: both engines refuse them with the same words, and a refused call leaves no trace.

mod draw;

use std::path::PathBuf;

use pteron_ops::DrawSettings;
use pteron_runtime::{DType, Device, DeviceChoice, ErrorKind, HostTensor, Method, Program, Shape, Value};
use pteron_testkit::{Case, discover, fixtures};

/// Programs of all kinds: elementwise, lookups, caches and positions, state, sizes that are computed, truth values, several
/// delegates, operators outside them, and operators that are fused.
const PROGRAMS: [&str; 21] = [
    "ops/add/same_shape",
    "ops/embedding/dynamic",
    "ops/embedding_q4gsw/dynamic",
    "ops/embedding_q4gsw/ids_int32",
    "ops/fused_ce/masked",
    "ops/gather/dynamic",
    "ops/index/dynamic",
    "ops/index_select/negative_dim",
    "ops/sdpa_with_kv_cache/prefill_and_decode",
    "ops/select_as_symint/start",
    "ops/sym_add/start_and_count",
    "ops/sym_size/view",
    "ops/update_cache/position",
    "ops/where/dynamic",
    "programs/delegates/sum_between_dynamic",
    "programs/language_model/decoder",
    "programs/portable/embedding",
    "programs/portable/index_put",
    "programs/state/in_delegate",
    "programs/state/in_program",
    "programs/state/mutated_input",
];

/// A program whose indices only the engine knows that computes them.
const COMPUTED_IDS: &str = "ops/embedding/computed_ids";

fn gpu() -> Device {
    Device::open(DeviceChoice::Gpu).expect("tests need a WebGPU adapter: see the README")
}

fn fixture(name: &str) -> PathBuf {
    fixtures().join(name)
}

fn case(name: &str) -> Case {
    Case::read(&fixture(name)).expect("the fixture is readable")
}

fn load(case: &Case, device: &Device) -> Method {
    let program = Program::open(&case.program).expect("the program opens").on(device);
    program.method(&case.method).expect("the method loads")
}

fn inputs(case: &Case, step: usize) -> Vec<Value> {
    case.steps[step].load().expect("the step is readable").0
}

/// A call that differs from a good one in one respect.
struct Change {
    what: String,
    inputs: Vec<Value>,
}

/// Every change of a good call's inputs that this file knows.
fn changes(good: &[Value]) -> Vec<Change> {
    let mut changes =
        vec![Change { what: "one too many".to_owned(), inputs: good.iter().cloned().chain([Value::Int(1)]).collect() }];
    if let Some((_, fewer)) = good.split_last() {
        changes.push(Change { what: "none at all".to_owned(), inputs: Vec::new() });
        changes.push(Change { what: "the last missing".to_owned(), inputs: fewer.to_vec() });
    }
    for (number, value) in good.iter().enumerate() {
        let mut add = |what: String, changed: Value| {
            let mut inputs = good.to_vec();
            inputs[number] = changed;
            changes.push(Change { what: format!("input {number} {what}"), inputs });
        };
        add("as nothing".to_owned(), Value::Null);
        add("as an integer".to_owned(), Value::Int(1));
        add("as a float".to_owned(), Value::Double(f64::NAN));
        add("as a truth value".to_owned(), Value::Bool(true));
        add("as a text".to_owned(), Value::Str("1".to_owned()));
        match value.tensor() {
            Some(tensor) => change_tensor(tensor, &mut add),
            None => add("as a tensor".to_owned(), HostTensor::scalar(1.0f32).into()),
        }
    }
    changes
}

/// Changes of type, rank, sizes and elements.
fn change_tensor(tensor: &HostTensor, add: &mut impl FnMut(String, Value)) {
    for dtype in DType::ALL {
        add(format!("as {dtype}"), tensor.cast(dtype).into());
    }
    let sizes = tensor.shape().to_vec();
    let mut add_shape = |sizes: &[usize]| {
        // There may be a dimension too many.
        if let Ok(shape) = Shape::new(sizes) {
            add(format!("of shape {sizes:?}"), HostTensor::zeros(tensor.dtype(), shape).into());
        }
    };
    add_shape(&[&[1], &sizes[..]].concat());
    if let Some((_, fewer)) = sizes.split_first() {
        add_shape(fewer);
    }
    for dim in 0..sizes.len() {
        for size in [0, sizes[dim].saturating_sub(1), sizes[dim] + 1, sizes[dim] * 2 + 300] {
            let mut changed = sizes.clone();
            changed[dim] = size;
            add_shape(&changed);
        }
    }
    let odd: &[f64] = if tensor.dtype().is_float() { &[f64::NAN, f64::INFINITY, f64::NEG_INFINITY] } else { &[] };
    for &element in odd {
        let values = std::iter::once(element).chain(tensor.to_f64s().into_iter().skip(1)).take(tensor.numel());
        let changed = HostTensor::from_f64s(tensor.dtype(), *tensor.shape(), values).expect("as many elements");
        add(format!("beginning with {element}"), changed.into());
    }
    if tensor.dtype().is_integer() && tensor.numel() > 0 {
        let wide = [i64::from(i32::MAX) + 1, i64::from(i32::MIN) - 1, i64::MAX, i64::MIN];
        let narrow = [-1, 1_000_000, i64::from(i32::MAX), i64::from(i32::MIN)];
        let wide = wide.into_iter().filter(|_| tensor.dtype() == DType::I64);
        for element in narrow.into_iter().chain(wide) {
            let mut values = tensor.to_i64s();
            let last = values.len() - 1;
            values[last] = element;
            let changed = HostTensor::from_i64s(tensor.dtype(), *tensor.shape(), values).expect("as many elements");
            add(format!("ending with {element}"), changed.into());
        }
    }
}

/// What a call gives, as far as both engines must agree.
fn outcome(result: pteron_runtime::Result<Vec<Value>>) -> Result<usize, (ErrorKind, String)> {
    result.map(|outputs| outputs.len()).map_err(|error| (error.kind(), error.to_string()))
}

/// Runs every change on a new state of a method.
fn outcomes(method: &mut Method, changes: &[Change]) -> Vec<Result<usize, (ErrorKind, String)>> {
    let run = |change: &Change| {
        method.reset().expect("state can be set back");
        outcome(method.run(&change.inputs))
    };
    changes.iter().map(run).collect()
}

fn bytes(outputs: &[Value]) -> Vec<Vec<u8>> {
    outputs.iter().map(|value| value.tensor().map(|tensor| tensor.bytes().to_vec()).unwrap_or_default()).collect()
}

/// Every program with inputs, and every change of its first call.
#[test]
fn engines_refuse_the_same_calls_with_the_same_words() {
    let devices = [Device::cpu(), gpu()];
    let (mut refused, mut accepted) = (0, 0);
    let cases = ["ops", "programs"].map(|folder| discover(&fixture(folder)).expect("fixtures are readable"));
    for case in cases.iter().flatten().filter(|case| case.rejected.is_none() && !case.path.ends_with(COMPUTED_IDS)) {
        let good = inputs(case, 0);
        let (name, changes) = (case.path.display(), changes(&good));
        let [cpu, gpu] = devices.each_ref().map(|device| outcomes(&mut load(case, device), &changes));
        for ((change, cpu), gpu) in changes.iter().zip(cpu).zip(gpu) {
            assert_eq!(cpu, gpu, "{name} with {}", change.what);
            match cpu {
                Ok(_) => accepted += 1,
                Err((kind, text)) => {
                    refused += 1;
                    // What a number asks for may be more than any call is allowed, which says so.
                    let is_too_much = kind == ErrorKind::Limit && text.contains("--max-host-bytes");
                    assert!(kind == ErrorKind::Input || is_too_much, "{name} with {}: {text}", change.what);
                    // Operators that only passes make are no part of the caller's program. A product of batches is, for XNNPACK.
                    let text = text.replace("pteron.batch_product.default", "");
                    assert!(!text.contains("pteron."), "{name} with {}: {text}", change.what);
                }
            }
        }
    }
    assert!(refused > 10_000 && accepted > 1000, "{refused} calls were refused and {accepted} accepted");
}

#[test]
fn refused_calls_leave_no_trace() {
    for device in [Device::cpu(), gpu()] {
        for name in PROGRAMS {
            let case = case(name);
            let (mut disturbed, mut undisturbed) = (load(&case, &device), load(&case, &device));
            for step in 0..case.steps.len().min(4) {
                let good = inputs(&case, step);
                let changes = changes(&good);
                // Those that are accepted are found on a state of their own.
                let mut state = disturbed.new_state().expect("there is memory");
                disturbed.swap_state(&mut state).expect("it is a state of this method");
                let outcomes = outcomes(&mut disturbed, &changes);
                disturbed.swap_state(&mut state).expect("it is a state of this method");
                for (change, outcome) in changes.iter().zip(outcomes) {
                    if outcome.is_err() {
                        let again = self::outcome(disturbed.run(&change.inputs));
                        assert_eq!(again, outcome, "{name} with {} on {}", change.what, device.name());
                    }
                }
                let after = disturbed.run(&good).expect("good inputs are taken");
                let expected = undisturbed.run(&good).expect("good inputs are taken");
                assert_eq!(bytes(&after), bytes(&expected), "{name}, step {step} on {}", device.name());
            }
        }
    }
}

#[test]
fn a_wrong_number_of_inputs_names_none_of_them() {
    let case = case("ops/add/same_shape");
    for device in [Device::cpu(), gpu()] {
        let mut method = load(&case, &device);
        let error = method.run(&inputs(&case, 0)[..1]).expect_err("one is missing");
        assert_eq!(error.kind(), ErrorKind::Input);
        assert_eq!(error.to_string(), "forward takes 2 inputs, and 1 were given");
    }
}

#[test]
fn a_tensor_of_another_device_is_refused() {
    let [one, other] = [gpu(), gpu()];
    let case = case("ops/add/same_shape");
    let good = inputs(&case, 0);
    let elsewhere = other.upload(good[1].tensor().expect("a tensor")).expect("it uploads");
    for device in [Device::cpu(), one] {
        let mut method = load(&case, &device);
        let expected = bytes(&method.run(&good).expect("good inputs are taken"));
        let error = method.run(&[good[0].clone(), elsewhere.clone().into()]).expect_err("it is elsewhere");
        assert_eq!(error.kind(), ErrorKind::Input);
        assert_eq!(error.to_string(), "input 1: it lives on another device");
        assert_eq!(bytes(&method.run(&good).expect("good inputs are taken")), expected);
    }
}

#[test]
fn a_device_tensor_of_another_type_is_refused_before_inputs_are_written() {
    let device = gpu();
    let case = case("ops/add/same_shape");
    let good = inputs(&case, 0);
    let mut method = load(&case, &device);
    let expected = bytes(&method.run(&good).expect("good inputs are taken"));
    let tensor = good[1].tensor().expect("a tensor");
    let halves = device.upload(&tensor.cast(DType::F16)).expect("it uploads");
    let result = method.run(&[HostTensor::zeros(DType::F32, *tensor.shape()).into(), halves.into()]);
    if device.caps().f16 {
        let error = result.expect_err("its elements are shorter");
        assert_eq!(error.to_string(), "input 1: f16 elements were given, and the program takes f32");
    } else {
        result.expect("16-bit floats are widened");
    }
    assert_eq!(bytes(&method.run(&good).expect("good inputs are taken")), expected);
}

/// The exporter makes numbers part of a program: another one is refused, not left out.
#[test]
fn another_number_than_the_exported_one_is_refused() {
    let case = case("programs/inputs/no_tensors_between");
    let good = inputs(&case, 0);
    for device in [Device::cpu(), gpu()] {
        let mut method = load(&case, &device);
        for (at, other, exported) in
            [(1, Value::Double(2.25), "2.5"), (4, Value::Int(5), "4"), (5, Value::Bool(false), "true")]
        {
            let mut given = good.clone();
            given[at] = other;
            let error = method.run(&given).expect_err("the program was not exported for it");
            assert_eq!(error.kind(), ErrorKind::Input);
            assert!(error.to_string().starts_with(&format!("input {at}: it is {exported} in this program")), "{error}");
        }
        method.run(&good).expect("good inputs are taken");
    }
}

/// An id that a graph computes is out of range: the GPU learns it when it runs, and says that the call counts for nothing.
#[test]
fn an_id_that_is_computed_is_refused_by_both() {
    let case = case(COMPUTED_IDS);
    for device in [Device::cpu(), gpu()] {
        let mut method = load(&case, &device);
        let good = inputs(&case, 0);
        let expected = bytes(&method.run(&good).expect("good inputs are taken"));
        let bad: Vec<Value> = good
            .iter()
            .map(|value| {
                let tensor = value.tensor().expect("a tensor");
                let values = tensor.to_i64s().into_iter().map(|value| value + 100_000);
                HostTensor::from_i64s(tensor.dtype(), *tensor.shape(), values).expect("as many elements").into()
            })
            .collect();
        let error = method.run(&bad).expect_err("no table is so long");
        assert_eq!(error.kind(), ErrorKind::Input);
        assert!(error.to_string().contains("out of range"), "{error}");
        assert_eq!(bytes(&method.run(&good).expect("good inputs are taken")), expected);
    }
}

/// What a call has lent stays valid when the next call is refused, whatever is wrong with it.
#[test]
fn a_refused_call_ends_no_lease() {
    let device = gpu();
    let case = case("programs/language_model/decoder");
    let program = Program::open(&case.program).expect("the program opens").on(&device);
    let options = draw::options(0);
    let [mut method, mut other] = [0; 2].map(|_| program.load(&case.method, &options).expect("the method loads"));
    let mut good = inputs(&case, 0);
    good.push(DrawSettings::default().to_tensor().expect("four words").into());
    let changes = changes(&good);
    let refused = changes.iter().zip(outcomes(&mut other, &changes)).filter(|(_, outcome)| outcome.is_err());
    let submitted = method.submit(&good, &[1]).expect("it is submitted");
    let Value::Device(token) = submitted.outputs()[1].clone() else { panic!("the token left the device") };
    let mut count = 0;
    for (change, _) in refused {
        method.submit(&change.inputs, &[1]).expect_err("the other method refused it too");
        token.to_host().unwrap_or_else(|error| panic!("after {}: {error}", change.what));
        count += 1;
    }
    assert!(count > 20, "only {count} calls were refused");
    // The next call takes it, and ends it.
    let next = [Value::Device(token.clone()), HostTensor::from_slice(&[40i64], &[1]).expect("one number").into()];
    let next: Vec<Value> = next.into_iter().chain([good[2].clone()]).collect();
    method.submit(&next, &[1]).expect("it is submitted").read().expect("it ran");
    assert!(token.to_host().is_err());
}
