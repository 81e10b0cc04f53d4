//! `pteron demo`: an embedded program, run and checked with nothing installed.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use bytes::Bytes;
use pteron_runtime::{Device, HostTensor, MemorySource, Method, Program, Tolerance, Value};
use serde::{Deserialize, Serialize};

use crate::args::DemoArgs;
use crate::check::{Allowance, Errors};
use crate::commands::Outcome;
use crate::output::{Output, bytes, count, duration, launches, microseconds};
use crate::{open, survey, tensors};

const PROGRAM: &[u8] = include_bytes!("../../../../fixtures/demo/embedding/model.pte");
const CASE: &[u8] = include_bytes!("../../../../fixtures/demo/embedding/case.json");
const INPUTS: &[u8] = include_bytes!("../../../../fixtures/demo/embedding/step0.inputs.safetensors");
const EXPECTED: &[u8] = include_bytes!("../../../../fixtures/demo/embedding/step0.expected.safetensors");

/// Calls that are timed after the first.
const CALLS: usize = 20;

/// How close the outputs must be to PyTorch's.
#[derive(Deserialize)]
struct Case {
    method: String,
    atol: f64,
    rtol: f64,
}

#[derive(Debug, Serialize)]
struct Report {
    program_bytes: u64,
    method: String,
    operators: Vec<String>,
    constants: usize,
    constant_bytes: u64,
    device: String,
    inputs: Vec<String>,
    outputs: Vec<String>,
    dispatches: u64,
    load_us: f64,
    first_call_us: f64,
    median_call_us: f64,
    reference_call_us: f64,
    /// Against the reference engine, unless that is what ran.
    reference: Option<Errors>,
    /// Against the values that PyTorch gave when the program was exported.
    expected: Errors,
    passed: bool,
}

pub(crate) fn run(arguments: &DemoArgs, output: &mut Output) -> Result<Outcome> {
    let case: Case = serde_json::from_slice(CASE).context("the embedded case")?;
    let program = Program::from_bytes(Bytes::from_static(PROGRAM))?;
    let source = MemorySource::new(Bytes::from_static(PROGRAM));
    let survey = survey::program(&program, &source)?;
    let survey = survey.methods.into_iter().find(|method| method.name == case.method);
    let survey = survey.context("the embedded program has no such method")?;
    let inputs = embedded(INPUTS)?;
    let expected = embedded(EXPECTED)?;

    let device = open::device(&arguments.device)?;
    let (load, mut method) = timed(|| Ok(program.clone().on(&device).method(&case.method)?))?;
    let (first, outputs) = timed(|| Ok(method.run(&inputs)?))?;
    let median = median_call(&mut method, &inputs)?;
    let mut reference = program.clone().on(&Device::cpu()).method(&case.method)?;
    let reference_outputs = reference.run(&inputs)?;
    let reference_time = median_call(&mut reference, &inputs)?;

    let got: Vec<_> = outputs.iter().cloned().map(Some).collect();
    let against_reference = match device.is_cpu() {
        true => None,
        false => Some(Allowance::of(&survey).compare(&got, &reference_outputs)?),
    };
    let against_expected = compare(&outputs, &expected, Tolerance { atol: case.atol, rtol: case.rtol })?;
    let passed = against_reference.iter().chain([&against_expected]).all(|errors| errors.wrong.is_none());
    let report = Report {
        program_bytes: PROGRAM.len() as u64,
        method: case.method,
        operators: survey.operators.iter().map(|operator| format!("{} × {}", operator.count, operator.name)).collect(),
        constants: survey.constants.len(),
        constant_bytes: survey.constant_bytes,
        device: device.name().to_owned(),
        inputs: inputs.iter().map(described).collect(),
        outputs: outputs.iter().map(described).collect(),
        dispatches: method.dispatches(),
        load_us: microseconds(load),
        first_call_us: microseconds(first),
        median_call_us: microseconds(median),
        reference_call_us: microseconds(reference_time),
        passed,
        reference: against_reference,
        expected: against_expected,
    };
    report.show(output)?;
    output.document(&report)?;
    Ok(if report.passed { Outcome::Success } else { Outcome::Failure })
}

fn embedded(bytes: &[u8]) -> Result<Vec<Value>> {
    let mut tensors = tensors::parse_safetensors(bytes)?;
    tensors.sort_by_key(|(name, _)| name.parse::<usize>().unwrap_or(usize::MAX));
    Ok(tensors.into_iter().map(|(_, tensor)| tensor.into()).collect())
}

fn timed<T>(work: impl FnOnce() -> Result<T>) -> Result<(Duration, T)> {
    let start = Instant::now();
    let result = work()?;
    Ok((start.elapsed(), result))
}

fn median_call(method: &mut Method, inputs: &[Value]) -> Result<Duration> {
    let mut times = Vec::with_capacity(CALLS);
    for _ in 0..CALLS {
        times.push(timed(|| Ok(method.run(inputs)?))?.0);
    }
    times.sort_unstable();
    Ok(times[CALLS / 2])
}

fn compare(got: &[Value], expected: &[Value], tolerance: Tolerance) -> Result<Errors> {
    ensure!(got.len() == expected.len(), "{} outputs came back, expected {}", got.len(), expected.len());
    let mut errors = Errors::default();
    let tensor = |value: &Value| -> Result<HostTensor> { value.tensor().cloned().context("an output is no tensor") };
    for (index, (got, expected)) in got.iter().zip(expected).enumerate() {
        match tolerance.compare(&tensor(got)?, &tensor(expected)?) {
            Ok(comparison) => errors.take(index, &comparison),
            Err(what) => errors.wrong = Some(format!("output {index}: {what}")),
        }
    }
    Ok(errors)
}

fn described(value: &Value) -> String {
    value.tensor().map_or_else(|| format!("{value:?}"), |tensor| format!("{tensor:?}"))
}

impl Report {
    fn show(&self, output: &mut Output) -> Result<()> {
        let time = |us: f64| duration(Duration::from_secs_f64(us / 1e6));
        let constants = format!("{}, {}", count(self.constants, "constant"), bytes(self.constant_bytes));
        let operators = self.operators.join(", ");
        output.line(format_args!("loaded an embedded program of {}", bytes(self.program_bytes)))?;
        output.line(format_args!("  method {}: {operators}; {constants}", self.method))?;
        output.line(format_args!("device {}", self.device))?;
        for (index, value) in self.inputs.iter().enumerate() {
            output.line(format_args!("  input {index}  {value}"))?;
        }
        for (index, value) in self.outputs.iter().enumerate() {
            output.line(format_args!("  output {index} {value}"))?;
        }
        let against_itself = || "this is what ran".to_owned();
        let reference = self.reference.as_ref().map_or_else(against_itself, verdict);
        output.line(format_args!("against the reference engine: {reference}"))?;
        output.line(format_args!("against PyTorch's values:     {}", verdict(&self.expected)))?;
        output.line(format_args!(
            "load {}, first call {}, median call {} ({}), reference engine {}",
            time(self.load_us),
            time(self.first_call_us),
            time(self.median_call_us),
            launches(self.dispatches),
            time(self.reference_call_us)
        ))
    }
}

fn verdict(errors: &Errors) -> String {
    let text = format!("max abs error {:.3e}, max rel {:.3e}", errors.max_abs, errors.max_rel);
    match &errors.wrong {
        None => format!("PASS, {text}"),
        Some(wrong) => format!("FAIL, {text}: {wrong}"),
    }
}
