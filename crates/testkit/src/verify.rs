//! Running a case on a device and judging its outputs.

use pteron_runtime::{Device, Error, ErrorKind, Method, MethodOptions, Mismatch, Program, Tolerance, Value};

use crate::case::Case;

/// How a case went.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The verdict.
    pub status: Status,
    /// The largest absolute error over all outputs.
    pub max_abs: f64,
    /// The largest relative error over all outputs.
    pub max_rel: f64,
    /// GPU launches over all steps.
    pub dispatches: u64,
    /// What went wrong; empty for a pass.
    pub message: String,
}

/// The verdict on a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Every output is within the case's tolerance.
    Pass,
    /// An output is wrong.
    Fail,
    /// The program uses what this version lacks, and was refused when it was loaded.
    Unsupported,
    /// The case or program could not be read or run.
    Error,
}

impl Status {
    /// `pass`, `fail`, `unsupported` or `error`.
    pub fn name(self) -> &'static str {
        match self {
            Status::Pass => "pass",
            Status::Fail => "fail",
            Status::Unsupported => "unsupported",
            Status::Error => "error",
        }
    }
}

/// Runs a case on a device.
pub fn verify(case: &Case, device: &Device) -> Outcome {
    // Every future of a native device is ready when it is asked.
    let mut future = std::pin::pin!(verify_async(case, device));
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    loop {
        if let std::task::Poll::Ready(outcome) = future.as_mut().poll(&mut context) {
            return outcome;
        }
        std::thread::yield_now();
    }
}

/// Runs a case on a device.
pub async fn verify_async(case: &Case, device: &Device) -> Outcome {
    verify_with_async(case, device, &MethodOptions::default()).await
}

/// Runs a case on a device, with its method loaded in another way than by default.
#[cfg(not(target_arch = "wasm32"))]
pub fn verify_with(case: &Case, device: &Device, options: &MethodOptions) -> Outcome {
    pteron_runtime::block_on(verify_with_async(case, device, options))
}

async fn verify_with_async(case: &Case, device: &Device, options: &MethodOptions) -> Outcome {
    let mut outcome =
        Outcome { status: Status::Pass, max_abs: 0.0, max_rel: 0.0, dispatches: 0, message: String::new() };
    match (run(case, device, options, &mut outcome).await, &case.rejected) {
        (Ok(()), None) => {}
        (Ok(()), Some(why)) => {
            outcome.status = Status::Fail;
            outcome.message = format!("the program was accepted, and must be refused: {why}");
        }
        (Err(Problem::Load(_)), Some(_)) => {}
        (Err(problem), _) => {
            (outcome.status, outcome.message) = match problem {
                Problem::Load(error) if error.kind() == ErrorKind::Unsupported => {
                    (Status::Unsupported, error.to_string())
                }
                Problem::Load(error) | Problem::Run(error) => (Status::Error, error.to_string()),
                Problem::Case(message) => (Status::Error, message),
                Problem::Wrong(message) => (Status::Fail, message),
            };
        }
    }
    outcome
}

enum Problem {
    Load(Error),
    Run(Error),
    Case(String),
    Wrong(String),
}

async fn run(case: &Case, device: &Device, options: &MethodOptions, outcome: &mut Outcome) -> Result<(), Problem> {
    let mut program = Program::open(&case.program).map_err(Problem::Load)?.on(device);
    for data in &case.data {
        program = program.with_data(data).map_err(Problem::Load)?;
    }
    let mut method = program.load_async(&case.method, options).await.map_err(Problem::Load)?;
    for (number, step) in case.steps.iter().enumerate() {
        let (inputs, expected) = step.load().map_err(|e| Problem::Case(e.to_string()))?;
        if number > 0 && !case.stateful {
            method.reset().map_err(Problem::Run)?;
        }
        check_step(&mut method, number, &inputs, &expected, case.tolerance, outcome).await?;
    }
    for (name, expected) in &case.constants {
        let mut constant = program.method_async(name).await.map_err(Problem::Load)?;
        let values = constant.run_async(&[]).await.map_err(Problem::Run)?;
        check_constant(name, &values, expected)?;
    }
    Ok(())
}

async fn check_step(
    method: &mut Method,
    number: usize,
    inputs: &[Value],
    expected: &[(usize, Value)],
    tolerance: Tolerance,
    outcome: &mut Outcome,
) -> Result<(), Problem> {
    let outputs = method.run_async(inputs).await.map_err(Problem::Run)?;
    outcome.dispatches += method.dispatches();
    for (index, expected) in expected {
        let at = format!("step {number}, output {index}");
        let got = outputs.get(*index).ok_or_else(|| Problem::Wrong(format!("{at} is missing")))?;
        let (got, expected) = match (got, expected) {
            (Value::Tensor(got), Value::Tensor(expected)) => (got, expected),
            (got, expected) if same_plain(got, expected) => continue,
            (got, expected) => return Err(Problem::Wrong(format!("{at} is {got:?}, expected {expected:?}"))),
        };
        let comparison = tolerance.compare(got, expected).map_err(|what| Problem::Wrong(format!("{at}: {what}")))?;
        outcome.max_abs = outcome.max_abs.max(comparison.max_abs);
        outcome.max_rel = outcome.max_rel.max(comparison.max_rel);
        if let Some(Mismatch { element, got, expected }) = comparison.worst {
            return Err(Problem::Wrong(format!("{at}, element {element} is {got}, expected {expected}")));
        }
    }
    Ok(())
}

/// Whether two values that are no tensors are the same.
fn same_plain(got: &Value, expected: &Value) -> bool {
    match (got, expected) {
        (Value::Null, Value::Null) => true,
        (Value::Str(a), Value::Str(b)) => a == b,
        (Value::Int(a), Value::Int(b)) => a == b,
        (Value::Double(a), Value::Double(b)) => a == b,
        (Value::Bool(a), Value::Bool(b)) => a == b,
        _ => false,
    }
}

fn check_constant(name: &str, values: &[Value], expected: &serde_json::Value) -> Result<(), Problem> {
    let got: Vec<serde_json::Value> = values
        .iter()
        .map(|value| match value {
            Value::Int(value) => (*value).into(),
            Value::Double(value) => (*value).into(),
            Value::Bool(value) => (*value).into(),
            other => format!("{other:?}").into(),
        })
        .collect();
    let same = match expected {
        serde_json::Value::Array(items) => *items == got,
        single => got.as_slice() == [single.clone()],
    };
    if same { Ok(()) } else { Err(Problem::Wrong(format!("method {name} returns {got:?}, expected {expected}"))) }
}
