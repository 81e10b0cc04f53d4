//! `pteron bench`: times a method and checks its outputs.

use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};
use pteron_runtime::{Device, Method, MethodOptions, Program, Value};

use crate::args::BenchArgs;
use crate::check::{ErrorBound, Errors};
use crate::commands::Outcome;
use crate::host_memory::growth_during;
use crate::inputs::Inputs;
use crate::output::{Output, bytes, note};
use crate::{open, survey};

mod gpu;
mod language;
mod report;

use report::{CallReport, CheckReport, Load, Report};

/// The largest program that is loaded a second time to check the outputs.
const REFERENCE_LIMIT: u64 = 4 << 30;
/// Sets of the repeated run that are checked.
const CHECKED_SETS: usize = 3;

pub(crate) fn run(arguments: &BenchArgs, output: &mut Output) -> Result<Outcome> {
    if arguments.language.llm {
        return language::run(arguments, output);
    }
    let program = open::program(&arguments.program)?;
    let name = open::method_name(&program, arguments.method.as_deref())?;
    let device = open::device(&arguments.device)?;
    let start = Instant::now();
    let options = MethodOptions::default().with_precision(arguments.precision.into());
    let (loaded, growth) = growth_during(|| program.clone().on(&device).load(&name, &options));
    let mut method = loaded?;
    let load = Load { time: start.elapsed(), host_growth: growth };
    method.notes().iter().for_each(|text| note(format_args!("note: {text}")));

    let inputs = Inputs::complete(&method, &arguments.inputs)?;
    let first = inputs.set(arguments.inputs.seed)?;
    let (call, mut outputs) = time_calls(&mut method, &first, arguments)?;
    let timed = gpu::time(&mut method, &device, &inputs, &first, &outputs, arguments)?;

    let stateful = method.memory().state > 0;
    if stateful {
        // Later calls go on from the state that earlier ones left; a first call can be compared.
        method.reset()?;
        outputs = method.run(&first)?;
    }
    let check = match skip_reason(arguments, &device, &method) {
        Some(reason) => CheckReport::skipped(reason),
        None => {
            let mut repeated = if stateful { Vec::new() } else { timed.sets_to_check(CHECKED_SETS) };
            repeated.insert(0, (first, outputs.into_iter().map(Some).collect()));
            check(arguments, &program, &name, repeated)?
        }
    };
    let passed = !check.failed();
    let report = Report::new(arguments, &method, &device, load, call, timed, check);
    report.show(output)?;
    output.document(&report)?;
    Ok(if passed { Outcome::Success } else { Outcome::Failure })
}

/// Times whole calls, with inputs on the host and outputs read back, and gives the outputs of the last.
fn time_calls(method: &mut Method, inputs: &[Value], arguments: &BenchArgs) -> Result<(CallReport, Vec<Value>)> {
    for _ in 0..arguments.warmup {
        method.run(inputs)?;
    }
    let mut times: Vec<Duration> = Vec::new();
    let (mut outputs, mut recorded_ahead) = (Vec::new(), 0);
    for _ in 0..arguments.iterations {
        let start = Instant::now();
        outputs = method.run(inputs)?;
        times.push(start.elapsed());
        recorded_ahead += usize::from(method.recorded_ahead());
    }
    let mut report = CallReport::new(times).ok_or_else(|| anyhow!("there are no calls to time"))?;
    report.recorded_ahead = recorded_ahead;
    Ok((report, outputs))
}

/// Why the outputs are not checked, if they are not.
fn skip_reason(arguments: &BenchArgs, device: &Device, method: &Method) -> Option<String> {
    let memory = method.memory();
    let needed = memory.constants + memory.state + memory.boundary + memory.intermediates.unwrap_or(0);
    if arguments.no_check {
        Some("--no-check was given".to_owned())
    } else if device.is_cpu() {
        Some("the reference engine itself was timed".to_owned())
    } else if needed > REFERENCE_LIMIT {
        Some(format!("the reference engine would take {}", bytes(needed)))
    } else {
        None
    }
}

/// Compares inputs and the outputs that they gave with the reference engine.
fn check(
    arguments: &BenchArgs,
    program: &Program,
    name: &str,
    calls: Vec<(Vec<Value>, Vec<Option<Value>>)>,
) -> Result<CheckReport> {
    note("checking the outputs against the reference engine (--no-check leaves this out)");
    let opened = open::file(&arguments.program.file, arguments.program.fill_missing)?;
    let source = open::program_source(&opened)?;
    let view = program.view()?;
    let view = view.method(name)?.ok_or_else(|| anyhow!("method {name} has gone"))?;
    let bound = ErrorBound::of(&survey::method(program, &view, &*source)?);
    let mut reference = program.clone().on(&Device::cpu()).method(name)?;
    let mut errors = Errors::default();
    let checked = calls.len();
    for (inputs, outputs) in calls {
        reference.reset()?;
        let expected = reference.run(&inputs)?;
        errors.merge(bound.compare(&outputs, &expected)?);
    }
    Ok(CheckReport::of(checked, errors))
}
