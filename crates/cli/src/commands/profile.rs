//! `pteron profile`: where the time of calls goes, as a table, a trace and an ETDump.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, Result};
use pteron_llm::{Event, Generate, Model, ModelOptions, Random};
use pteron_runtime::{Device, MethodOptions, Program};
use serde::Serialize;

use crate::args::ProfileArgs;
use crate::commands::Outcome;
use crate::inputs::Inputs;
use crate::open;
use crate::output::{Output, Table, bytes, count, duration, microseconds, note};
use crate::recording::{Call, Recording, Span};

#[derive(Debug, Serialize)]
struct Report {
    file: String,
    method: String,
    device: String,
    calls: Vec<CallReport>,
    /// All calls together, the longest first.
    kernels: Vec<KernelReport>,
    tokens: Vec<TokenReport>,
}

#[derive(Debug, Serialize)]
struct CallReport {
    time_us: f64,
    gpu_us: f64,
    launches: usize,
    submits: u64,
}

#[derive(Debug, Serialize)]
struct KernelReport {
    op: String,
    kernel: String,
    launches: usize,
    time_us: f64,
    traffic_bytes: u64,
}

#[derive(Debug, Serialize)]
struct TokenReport {
    what: String,
    time_us: f64,
}

pub(crate) fn run(arguments: &ProfileArgs, output: &mut Output) -> Result<Outcome> {
    let program = open::program(&arguments.program)?;
    let name = open::method_name(&program, arguments.method.as_deref())?;
    let device = open::device(&arguments.device)?;
    let program = program.on(&device);
    let mut recording = Recording::default();
    record_calls(arguments, &program, &name, &mut recording)?;
    if arguments.llm {
        record_tokens(arguments, &program, &device, &mut recording)?;
    }
    let write = |path: &Path, bytes: &[u8]| {
        note(format_args!("{} is written", path.display()));
        std::fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))
    };
    if let Some(path) = &arguments.trace {
        write(path, &serde_json::to_vec(&recording.trace())?)?;
    }
    if let Some(path) = &arguments.etdump {
        write(path, &recording.etdump())?;
    }
    let report = Report {
        file: arguments.program.file.display().to_string(),
        method: name,
        device: device.name().to_owned(),
        calls: recording.calls.iter().map(CallReport::of).collect(),
        kernels: by_kernel(&recording.calls),
        tokens: recording.tokens.iter().map(TokenReport::of).collect(),
    };
    report.show(output)?;
    output.document(&report)?;
    Ok(Outcome::Success)
}

fn record_calls(arguments: &ProfileArgs, program: &Program, name: &str, recording: &mut Recording) -> Result<()> {
    let options = MethodOptions::default().with_precision(arguments.precision.into());
    let mut method = recording.load(name, || program.load(name, &options))?;
    method.notes().iter().for_each(|text| note(format_args!("note: {text}")));
    let inputs = Inputs::complete(&method, &arguments.inputs)?;
    let inputs = inputs.set(arguments.inputs.seed)?;
    // The first call plans, and finds kernels that are not compiled yet.
    method.run(&inputs)?;
    for _ in 0..arguments.calls {
        recording.call(&mut method, &inputs)?;
    }
    Ok(())
}

/// Lets a language model answer a prompt of random tokens.
fn record_tokens(arguments: &ProfileArgs, program: &Program, device: &Device, recording: &mut Recording) -> Result<()> {
    let options = ModelOptions::default().with_device(device.clone()).with_precision(arguments.precision.into());
    let model = recording.load("language model", || Model::load(program, options))?;
    let mut conversation = model.conversation()?;
    let vocabulary = model.limits().vocabulary.max(1) as u64;
    let mut random = Random::new(arguments.inputs.seed);
    let draw = |_| u32::try_from(random.bits() % vocabulary).unwrap_or_default();
    let prompt: Vec<u32> = (0..arguments.prompt_tokens).map(draw).collect();
    let options = Generate::default().with_max_new_tokens(arguments.generate).with_ignore_end(true);
    let mut times = Vec::new();
    let start = recording.now();
    let finish = conversation.generate(&prompt, &options, |event| {
        if let Event::Token { id, .. } = event {
            times.push((id, recording.now()));
        }
    })?;
    let read = start + finish.timings.prefill;
    recording.tokens.push(Span { name: format!("prompt of {}", count(prompt.len(), "token")), start, end: read });
    let mut before = read;
    for (id, end) in times {
        recording.tokens.push(Span { name: format!("token {id}"), start: before.min(end), end });
        before = end;
    }
    Ok(())
}

fn by_kernel(calls: &[Call]) -> Vec<KernelReport> {
    let mut kernels: Vec<KernelReport> = Vec::new();
    for launch in calls.iter().flat_map(|call| &call.launches) {
        let known = kernels.iter_mut().find(|known| known.op == launch.op && known.kernel == launch.kernel);
        match known {
            Some(kernel) => {
                kernel.launches += 1;
                kernel.time_us += microseconds(launch.time);
                kernel.traffic_bytes += launch.traffic;
            }
            None => kernels.push(KernelReport {
                op: launch.op.clone(),
                kernel: launch.kernel.clone(),
                launches: 1,
                time_us: microseconds(launch.time),
                traffic_bytes: launch.traffic,
            }),
        }
    }
    kernels.sort_by(|a, b| b.time_us.total_cmp(&a.time_us));
    kernels
}

impl CallReport {
    fn of(call: &Call) -> CallReport {
        CallReport {
            time_us: microseconds(call.span.end - call.span.start),
            gpu_us: call.launches.iter().map(|launch| microseconds(launch.time)).sum(),
            launches: call.launches.len(),
            submits: call.submits,
        }
    }
}

impl TokenReport {
    fn of(span: &Span) -> TokenReport {
        TokenReport { what: span.name.clone(), time_us: microseconds(span.end - span.start) }
    }
}

impl Report {
    fn show(&self, output: &mut Output) -> Result<()> {
        let time = |micros: f64| duration(Duration::from_secs_f64(micros.max(0.0) / 1e6));
        output.line(format_args!("{} of {} on {}", self.method, self.file, self.device))?;
        let mut calls = Table::new(&["call", ">time", ">on the GPU", ">launches", ">submits"]);
        for (number, call) in self.calls.iter().enumerate() {
            let CallReport { time_us, gpu_us, launches, submits } = call;
            calls.row([number.to_string(), time(*time_us), time(*gpu_us), launches.to_string(), submits.to_string()]);
        }
        output.table(&calls)?;
        let all: f64 = self.kernels.iter().map(|kernel| kernel.time_us).sum();
        if self.kernels.is_empty() {
            output.line("  there are no times of kernels: this device has no timestamps")?;
        } else {
            let mut kernels = Table::new(&["operator", "kernel", ">launches", ">time", ">share", ">bytes moved"]);
            for kernel in &self.kernels {
                kernels.row([
                    kernel.op.clone(),
                    kernel.kernel.clone(),
                    kernel.launches.to_string(),
                    time(kernel.time_us),
                    format!("{:.1} %", 100.0 * kernel.time_us / all.max(f64::MIN_POSITIVE)),
                    bytes(kernel.traffic_bytes),
                ]);
            }
            output.table(&kernels)?;
        }
        if !self.tokens.is_empty() {
            let mut tokens = Table::new(&["prompt and tokens", ">time"]);
            for token in &self.tokens {
                tokens.row([token.what.clone(), time(token.time_us)]);
            }
            output.table(&tokens)?;
        }
        Ok(())
    }
}
