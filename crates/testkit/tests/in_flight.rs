//! Calls that are submitted before those before them have ended: the same results and errors as one after the other.

mod draw;

use std::collections::VecDeque;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use pteron_ops::DrawSettings;
use pteron_runtime::{Device, DeviceChoice, ErrorKind, HostTensor, Method, MethodOptions, Program, Submitted, Value};
use pteron_testkit::{Case, discover, fixtures, read_tensors, shared};

const DECODER: &str = "programs/language_model/decoder";
const TABLE: &str = "ops/embedding_q4gsw/dynamic";

fn fixture(name: &str) -> PathBuf {
    fixtures().join(name)
}

fn gpu() -> Device {
    Device::open(DeviceChoice::Gpu).expect("tests need a WebGPU adapter: see the README")
}

fn load(program: &Path, device: &Device, options: &MethodOptions) -> Method {
    let program = Program::open(program).expect("the program opens").on(device);
    program.load("forward", options).expect("the method loads")
}

fn forward(name: &str, device: &Device) -> Method {
    load(&fixture(name).join("model.pte"), device, &MethodOptions::default())
}

fn decoder(device: &Device) -> Method {
    load(&fixture(DECODER).join("model.pte"), device, &draw::options(0))
}

fn ids(values: &[i64]) -> HostTensor {
    HostTensor::from_slice(values, &[values.len()]).expect("a row")
}

/// What the decoder takes: tokens, their position, and how the next one is drawn.
fn call(tokens: Value, position: i64, sampling: DrawSettings) -> [Value; 3] {
    [tokens, ids(&[position]).into(), sampling.to_tensor().expect("four words").into()]
}

fn prompt(tokens: &[i64]) -> Value {
    HostTensor::from_slice(tokens, &[1, tokens.len()]).expect("a row").into()
}

/// The calls of a text: the settings of each and the position of its first token.
fn plan(prompt: &[i64], count: u32, sampling: DrawSettings) -> impl Iterator<Item = (i64, DrawSettings)> {
    let length = i64::try_from(prompt.len()).expect("a short prompt");
    let position = move |step: u32| if step == 0 { 0 } else { length + i64::from(step) - 1 };
    (0..count).map(move |step| (position(step), DrawSettings { step, ..sampling }))
}

/// Tokens after a prompt, one call after the other, each by way of the host.
fn one_by_one(method: &mut Method, tokens: &[i64], count: u32, sampling: DrawSettings) -> Vec<i64> {
    let mut next = prompt(tokens);
    let mut text = Vec::new();
    for (position, sampling) in plan(tokens, count, sampling) {
        next = method.run(&call(next, position, sampling)).expect("it runs").remove(1);
        text.push(next.int().expect("a token"));
    }
    text
}

fn token(submitted: Submitted) -> i64 {
    let results = submitted.read().expect("it ran");
    let [token] = &results[..] else { panic!("one result is wanted") };
    token.to_i64s()[0]
}

/// The same with up to four calls in flight, each fed by the one before it.
fn ahead(method: &mut Method, tokens: &[i64], count: u32, sampling: DrawSettings) -> Vec<i64> {
    let mut next = prompt(tokens);
    let (mut in_flight, mut text) = (VecDeque::new(), Vec::new());
    for (position, sampling) in plan(tokens, count, sampling) {
        let submitted = method.submit(&call(next, position, sampling), &[1]).expect("it is submitted");
        next = submitted.outputs()[1].clone();
        in_flight.push_back(submitted);
        if in_flight.len() == 4 {
            text.extend(in_flight.pop_front().map(token));
        }
    }
    text.extend(in_flight.into_iter().map(token));
    text
}

#[test]
fn four_calls_in_flight_give_the_text_of_one_by_one() {
    for device in [Device::cpu(), gpu()] {
        let mut method = decoder(&device);
        for sampling in [DrawSettings::default(), DrawSettings { temperature: 1.2, min_p: 0.01, seed: 3, step: 0 }] {
            let expected = one_by_one(&mut method, &[5, 77, 201, 9], 30, sampling);
            method.reset().expect("state can be set back");
            assert_eq!(ahead(&mut method, &[5, 77, 201, 9], 30, sampling), expected);
            method.reset().expect("state can be set back");
        }
    }
}

/// The same in one submit.
fn in_series(method: &mut Method, tokens: &[i64], count: u32, sampling: DrawSettings) -> Vec<i64> {
    let calls: Vec<_> = plan(tokens, count, sampling).collect();
    let inputs = |number: usize, before: &[Value]| {
        let next = before.get(1).cloned().unwrap_or_else(|| prompt(tokens));
        let (position, sampling) = calls[number];
        call(next, position, sampling).to_vec()
    };
    let submitted = method.submit_series(calls.len(), &[1], inputs).expect("it is submitted");
    submitted.into_iter().map(token).collect()
}

#[test]
fn a_series_gives_the_text_of_one_by_one() {
    for device in [Device::cpu(), gpu()] {
        let mut method = decoder(&device);
        for sampling in [DrawSettings::default(), DrawSettings { temperature: 1.2, min_p: 0.01, seed: 3, step: 0 }] {
            let expected = one_by_one(&mut method, &[5, 77, 201, 9], 30, sampling);
            method.reset().expect("state can be set back");
            assert_eq!(in_series(&mut method, &[5, 77, 201, 9], 30, sampling), expected);
            method.reset().expect("state can be set back");
        }
    }
}

#[test]
fn calls_of_a_series_have_errors_of_their_own() {
    let device = gpu();
    let mut method = forward(TABLE, &device);
    let rows = [[0, 1], [2, 1_000_000], [3, 4]];
    let expected: Vec<_> = rows.iter().map(|row| method.run(&[ids(row).into()]).ok()).collect();
    let uploaded = rows.map(|row| Value::from(device.upload(&ids(&row)).expect("ids upload")));
    let calls = method.submit_series(3, &[0], |number, _| vec![uploaded[number].clone()]);
    for (submitted, expected) in calls.expect("only the GPU can tell").into_iter().zip(expected) {
        match (submitted.read(), expected) {
            (Ok(got), Some(expected)) => assert_eq!(got[0].bytes(), expected[0].tensor().expect("rows").bytes()),
            (Err(error), None) => assert!(error.to_string().contains("1000000"), "{error}"),
            (got, expected) => panic!("{got:?} is not {expected:?}"),
        }
    }
}

#[test]
fn a_long_series_gives_small_and_large_results() {
    let device = gpu();
    let mut method = forward(TABLE, &device);
    // Rows for one call, and for every fifth one more than a launch keeps.
    let rows: Vec<Vec<i64>> = (0..80).map(|call| vec![call % 7; if call % 5 == 4 { 60 } else { 1 }]).collect();
    let expected: Vec<_> = rows.iter().map(|row| method.run(&[ids(row).into()]).expect("it runs")).collect();
    let calls = method.submit_series(rows.len(), &[0], |number, _| vec![ids(&rows[number]).into()]);
    for (submitted, expected) in calls.expect("it is submitted").into_iter().zip(expected) {
        let got = submitted.read().expect("results come");
        assert_eq!(got[0].bytes(), expected[0].tensor().expect("rows").bytes());
    }
}

#[test]
fn what_comes_before_a_refused_call_of_a_series_is_made() {
    let mut method = decoder(&gpu());
    let tokens = [5, 77, 201, 9];
    let expected = one_by_one(&mut method, &tokens, 3, DrawSettings::default());
    method.reset().expect("state can be set back");
    let inputs = |number: usize, before: &[Value]| {
        let next = before.get(1).cloned().unwrap_or_else(|| prompt(&tokens));
        call(next, [0, 4, 1_000_000][number], DrawSettings::default()).to_vec()
    };
    method.submit_series(3, &[1], inputs).expect_err("there is no such position");
    let inputs = call(prompt(&expected[1..2]), 5, DrawSettings::default());
    assert_eq!(method.run(&inputs).expect("it runs")[1].int().expect("a token"), expected[2]);
}

/// A Llama of two layers, where it lies beside the checkout. Its text was computed by PyTorch.
#[test]
fn four_calls_in_flight_give_the_text_of_pytorch() {
    let Some(path) = shared("models/tiny/tiny_q4_ctx64.pte") else {
        // The test harness holds back only what the print macros write, and a closed stderr is no reason to fail.
        let _ = writeln!(std::io::stderr(), "not run: there is no shared folder beside this checkout");
        return;
    };
    let expected = [151, 111, 225, 193, 6, 132, 226, 72, 348, 85, 192, 311, 176, 237, 456, 275, 164, 306, 233, 433];
    let mut method = load(&path, &gpu(), &draw::options(0));
    assert_eq!(ahead(&mut method, &[172], 20, DrawSettings::default()), expected);
}

#[test]
fn states_take_turns_while_calls_are_in_flight() {
    let device = gpu();
    let mut method = decoder(&device);
    let texts: [&[i64]; 2] = [&[11, 12, 13, 14, 15], &[240, 1, 16, 99, 100]];
    let alone = texts.map(|tokens| {
        let text = tokens.iter().zip(0..).map(|(&token, position)| {
            let inputs = call(prompt(&[token]), position, DrawSettings::default());
            method.run(&inputs).expect("it runs")[1].int().expect("a token")
        });
        let text: Vec<_> = text.collect();
        method.reset().expect("state can be set back");
        text
    });
    let mut other = method.new_state().expect("there is memory");
    let mut submitted = [Vec::new(), Vec::new()];
    for position in 0..5 {
        for (tokens, submitted) in texts.iter().zip(&mut submitted) {
            let inputs = call(prompt(&tokens[position..=position]), position as i64, DrawSettings::default());
            submitted.push(method.submit(&inputs, &[1]).expect("it is submitted"));
            method.swap_state(&mut other).expect("it is a state of this method");
        }
    }
    assert_eq!(submitted.map(|calls| calls.into_iter().map(token).collect::<Vec<_>>()), alone);
}

#[test]
fn an_id_that_only_the_gpu_knows_is_reported_by_its_own_call() {
    let device = gpu();
    let mut method = forward(TABLE, &device);
    let rows = [[0, 1], [2, 1_000_000], [3, 4], [5, 2_000_000], [6, 7]];
    let expected: Vec<_> = rows.iter().map(|row| method.run(&[ids(row).into()]).ok()).collect();
    for backwards in [false, true] {
        let submit = |row: &[i64; 2]| {
            let row = device.upload(&ids(row)).expect("ids upload");
            method.submit(&[row.into()], &[0]).expect("only the GPU can tell")
        };
        let mut calls: Vec<_> = rows.iter().map(submit).zip(&expected).zip(&rows).collect();
        if backwards {
            calls.reverse();
        }
        for ((submitted, expected), row) in calls {
            match (submitted.read(), expected) {
                (Ok(got), Some(expected)) => assert_eq!(got[0].bytes(), expected[0].tensor().expect("rows").bytes()),
                (Err(error), None) => assert!(error.to_string().contains(&row[1].to_string()), "{error}"),
                (got, _) => panic!("{row:?} gives {got:?}"),
            }
        }
    }
}

#[test]
fn a_bad_id_is_reported_though_no_output_is_wanted() {
    let device = gpu();
    let mut method = forward(TABLE, &device);
    let bad = device.upload(&ids(&[1_000_000])).expect("ids upload");
    let bad = method.submit(&[bad.into()], &[]).expect("only the GPU can tell");
    let good = method.submit(&[ids(&[1]).into()], &[]).expect("it is submitted");
    assert_eq!(good.read().expect("it ran").len(), 0);
    assert!(bad.read().expect_err("an id outside the table").to_string().contains("1000000"));
}

#[test]
fn an_output_that_was_overwritten_is_refused() {
    let mut method = decoder(&gpu());
    let first = method.submit(&call(prompt(&[1, 2]), 0, DrawSettings::default()), &[1]).expect("it is submitted");
    let second = first.outputs()[1].clone();
    let Value::Device(early) = &second else { panic!("the token left the device") };
    early.to_host().expect("nothing has overwritten it");
    method.submit(&call(second.clone(), 2, DrawSettings::default()), &[]).expect("it is submitted");
    let error = method.submit(&call(second.clone(), 3, DrawSettings::default()), &[]).expect_err("it is too late");
    assert_eq!(error.kind(), ErrorKind::Input);
    assert!(error.to_string().contains("input 0: a later call of its method has overwritten it"), "{error}");
    assert!(early.to_host().is_err());
    // What was wanted of the first call was copied in time.
    assert!(token(first) < 257);
}

#[test]
fn results_can_be_read_on_another_thread() {
    let mut method = decoder(&gpu());
    let first = method.submit(&call(prompt(&[1, 2]), 0, DrawSettings::default()), &[1]).expect("it is submitted");
    let next = first.outputs()[1].clone();
    let reader = std::thread::spawn(move || token(first));
    let second = method.submit(&call(next, 2, DrawSettings::default()), &[1]).expect("it is submitted");
    let text = vec![reader.join().expect("the reader reads"), token(second)];
    method.reset().expect("state can be set back");
    assert_eq!(text, one_by_one(&mut method, &[1, 2], 2, DrawSettings::default()));
}

#[test]
fn outputs_that_are_not_there_cannot_be_wanted() {
    for device in [Device::cpu(), gpu()] {
        let mut method = decoder(&device);
        let inputs = call(prompt(&[1, 2]), 0, DrawSettings::default());
        let error = method.submit(&inputs, &[2]).expect_err("there is no third");
        assert_eq!(error.kind(), ErrorKind::NotFound);
        assert_eq!(method.submit(&inputs, &[1, 0, 1]).expect("it is submitted").read().expect("it ran").len(), 3);
    }
}

#[test]
fn a_call_that_cannot_be_submitted_leaves_those_in_flight_alone() {
    let mut method = decoder(&gpu());
    let first = method.submit(&call(prompt(&[1, 2]), 0, DrawSettings::default()), &[1]).expect("it is submitted");
    let next = first.outputs()[1].clone();
    method.submit(&call(next.clone(), 48, DrawSettings::default()), &[1]).expect_err("the context is full");
    let second = method.submit(&call(next, 2, DrawSettings::default()), &[1]).expect("it is submitted");
    let text = vec![token(first), token(second)];
    method.reset().expect("state can be set back");
    assert_eq!(text, one_by_one(&mut method, &[1, 2], 2, DrawSettings::default()));
}

/// Every program, those with operators outside delegates too: submitted twice before anything is read.
#[test]
fn programs_of_all_kinds_can_be_submitted() {
    for device in [Device::cpu(), gpu()] {
        for case in discover(&fixture("programs")).expect("fixtures are readable") {
            let mut program = Program::open(&case.program).expect("the program opens").on(&device);
            for data in &case.data {
                program = program.with_data(data).expect("its data opens");
            }
            let [mut serial, mut method] = [0; 2].map(|_| program.method(&case.method).expect("the method loads"));
            check_case(&case, &mut serial, &mut method);
        }
    }
}

fn check_case(case: &Case, serial: &mut Method, method: &mut Method) {
    for step in &case.steps {
        let (inputs, _) = step.load().expect("the step is readable");
        let expected = [0; 2].map(|_| serial.run(&inputs).expect("it runs"));
        let tensors: Vec<_> = (0..expected[0].len()).filter(|&at| expected[0][at].tensor().is_some()).collect();
        let calls = [0; 2].map(|_| method.submit(&inputs, &tensors).expect("it is submitted"));
        for (submitted, expected) in calls.into_iter().zip(expected) {
            for (got, &at) in submitted.read().expect("it ran").iter().zip(&tensors) {
                let expected = expected[at].tensor().expect("a tensor");
                assert_eq!(got.bytes(), expected.bytes(), "output {at} of {}", case.path.display());
            }
        }
    }
}

fn pair(name: &str) -> [Value; 2] {
    let tensors = read_tensors(&fixture(name).join("step0.inputs.safetensors")).expect("the fixture reads");
    let [a, b] = &tensors[..] else { panic!("two inputs") };
    [(&a.1).into(), (&b.1).into()]
}

fn floats(tensor: &HostTensor) -> &[f32] {
    tensor.as_slice::<f32>().expect("floats")
}

fn sum(a: &Value, b: &Value) -> Vec<f32> {
    let [a, b] = [a, b].map(|value| floats(value.tensor().expect("a tensor")));
    a.iter().zip(b).map(|(a, b)| a + b).collect()
}

/// The program gives a + b, and a itself in the memory of its input. The host writes there before the next call begins.
#[test]
fn an_output_in_the_memory_of_an_input_is_an_input_of_the_next_call() {
    let mut method = forward("programs/outputs/input_copied", &gpu());
    let [a, b] = pair("programs/outputs/input_copied");
    let first = method.submit(&[a.clone(), b.clone()], &[]).expect("it is submitted");
    let second = method.submit(&[b.clone(), first.outputs()[1].clone()], &[0]).expect("it is submitted");
    assert_eq!(floats(&second.read().expect("it ran")[0]), sum(&b, &a));
}

/// The program gives a + b, and returns a: here an output of the call before, whose memory takes the new sum.
#[test]
fn an_output_that_the_next_call_returns_stays_what_it_was() {
    let mut method = forward("programs/outputs/input_returned", &gpu());
    let [a, b] = pair("programs/outputs/input_returned");
    let first = method.submit(&[a.clone(), b.clone()], &[]).expect("it is submitted");
    let second = method.submit(&[first.outputs()[0].clone(), b.clone()], &[1]).expect("it is submitted");
    assert_eq!(floats(&second.read().expect("it ran")[0]), sum(&a, &b));
}
