//! A method that chooses the next token on its device.

mod draw;

use pteron_ops::DrawSettings;
use pteron_runtime::{DType, Device, DeviceChoice, HostTensor, Method, Program, Result, Spec, Value};
use pteron_testkit::{Case, fixtures};

fn devices() -> [Device; 2] {
    [Device::cpu(), Device::open(DeviceChoice::Gpu).expect("tests need a WebGPU adapter: see the README")]
}

fn case(name: &str) -> Case {
    Case::read(&fixtures().join(name)).expect("the fixture is readable")
}

/// A method that draws a token from one of its outputs.
fn load(name: &str, logits: usize, device: &Device) -> Result<Method> {
    let (case, options) = (case(name), draw::options(logits));
    Program::open(&case.program).expect("the program opens").on(device).load(&case.method, &options)
}

const DECODER: &str = "programs/language_model/decoder";

fn decoder(device: &Device) -> Method {
    load(DECODER, 0, device).expect("the decoder loads")
}

fn greedy() -> Value {
    DrawSettings::default().to_tensor().expect("four words").into()
}

fn tensor(value: &Value) -> &HostTensor {
    value.tensor().expect("a host tensor")
}

fn greatest(logits: &HostTensor) -> i64 {
    let logits = logits.as_slice::<f32>().expect("floats");
    let best = (0i64..).zip(logits).reduce(|best, next| if next.1 > best.1 { next } else { best });
    best.expect("there are logits").0
}

/// The second program gives its hidden states before the logits.
const PROGRAMS: [(&str, usize); 2] = [(DECODER, 0), ("programs/language_model/hidden_first", 1)];

#[test]
fn the_token_is_that_of_the_greatest_logit() {
    for device in devices() {
        for (name, logits) in PROGRAMS {
            let mut method = load(name, logits, &device).expect("it loads");
            for step in &case(name).steps {
                let (mut inputs, expected) = step.load().expect("the step is readable");
                inputs.push(greedy());
                let outputs = method.run(&inputs).expect("the step runs");
                assert_eq!(outputs.len(), expected.len() + 1);
                let token = tensor(&outputs[method.appended()[0].outputs[0]]);
                assert_eq!((token.dtype(), &token.shape()[..]), (DType::I64, &[1, 1][..]));
                assert_eq!(token.to_i64s(), [greatest(tensor(&outputs[logits]))]);
            }
        }
    }
}

#[test]
fn the_method_says_what_it_takes_and_gives() {
    for device in devices() {
        for (name, logits) in PROGRAMS {
            let method = load(name, logits, &device).expect("it loads");
            let (inputs, outputs) = (method.inputs(), method.outputs());
            let [ports] = method.appended() else { panic!("one operator was appended") };
            assert_eq!((&ports.inputs[..], &ports.outputs[..]), (&[2][..], &[logits + 1][..]));
            assert!(
                matches!(&inputs[2], Spec::Tensor { dtype: DType::F32, shape, dynamic: false } if shape[..] == [4])
            );
            let token = &outputs[ports.outputs[0]];
            assert!(matches!(token, Spec::Tensor { dtype: DType::I64, shape, dynamic: false } if shape[..] == [1, 1]));
            assert_eq!((inputs.len(), outputs.len()), (3, logits + 2));
        }
    }
}

/// Ten tokens after a prompt, each given back as the call gave it.
fn generate(method: &mut Method, on_device: bool, sampling: DrawSettings) -> Vec<i64> {
    let prompt = HostTensor::from_slice(&[3i64, 141, 59], &[1, 3]).expect("three tokens");
    let (mut tokens, mut position, mut generated) = (Value::from(prompt), 0i64, Vec::new());
    for step in 0..10 {
        let settings = DrawSettings { step, ..sampling }.to_tensor().expect("four words");
        let at = HostTensor::from_slice(&[position], &[1]).expect("one number");
        let inputs = [tokens, at.into(), settings.into()];
        let outputs = if on_device { method.run_on_device(&inputs) } else { method.run(&inputs) };
        tokens = outputs.expect("it runs").remove(1);
        generated.push(match &tokens {
            Value::Device(token) => token.to_host().expect("it can be read").to_i64s()[0],
            token => tensor(token).to_i64s()[0],
        });
        position = if step == 0 { 3 } else { position + 1 };
    }
    method.reset().expect("state can be set back");
    generated
}

#[test]
fn a_token_that_stays_on_the_device_is_the_input_of_the_next_call() {
    let [cpu, gpu] = devices().map(|device| decoder(&device));
    let [mut cpu, mut gpu] = [cpu, gpu];
    for sampling in [DrawSettings::default(), DrawSettings { temperature: 1.5, min_p: 0.02, seed: 8, step: 0 }] {
        let expected = generate(&mut cpu, false, sampling);
        assert_eq!(generate(&mut gpu, false, sampling), expected);
        assert_eq!(generate(&mut gpu, true, sampling), expected);
    }
}

#[test]
fn seeds_give_texts_of_their_own() {
    for device in devices() {
        let mut method = decoder(&device);
        let mut text =
            |seed| generate(&mut method, false, DrawSettings { temperature: 1.0, seed, ..DrawSettings::default() });
        let (first, second) = (text(1), text(2));
        assert_ne!(first, second);
        assert_eq!(text(1), first);
    }
}

#[test]
fn methods_without_logits_are_refused() {
    for device in devices() {
        for (name, logits, reason) in [
            ("ops/add/same_shape", 0, "one row of logits"),
            ("ops/argmax/last", 0, "i32 is not supported for logits"),
            ("programs/language_model/hidden_first", 2, "there is no output 2"),
            ("programs/control/cond_without_delegate", 0, "is not the result of one delegate call"),
        ] {
            // Without the carry, which such programs have no input for.
            let (case, options) = (case(name), draw::options(logits).with_carry(Vec::new()));
            let program = Program::open(&case.program).expect("the program opens").on(&device);
            let error = program.load(&case.method, &options).expect_err("it has no logits").to_string();
            assert!(error.contains("pteron.next_token") && error.contains(reason), "{name}: {error}");
        }
    }
}
