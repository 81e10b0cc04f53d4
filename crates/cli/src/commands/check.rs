//! `pteron check`: every node of a method on a GPU against its reference.

use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow};
use pteron_runtime::{Device, Diagnosis, Finding, MethodOptions, Value};
use serde::Serialize;

use crate::args::CheckArgs;
use crate::check::{ErrorBound, Errors};
use crate::commands::Outcome;
use crate::failure::Usage;
use crate::inputs::Inputs;
use crate::open;
use crate::output::{Output, count};
use crate::{survey, tensors, whole_file};

#[derive(Debug, Serialize)]
struct Report {
    method: String,
    device: String,
    driver: String,
    fused: bool,
    compared: usize,
    skipped: usize,
    findings: Vec<FindingReport>,
    /// The first infinity, which the reference gives too.
    infinity: Option<FindingReport>,
    /// The outputs of the whole method, against the reference engine's.
    outputs: Errors,
    saved: Option<String>,
}

#[derive(Debug, Serialize)]
struct FindingReport {
    at: String,
    op: String,
    output: usize,
    what: String,
    inputs: Vec<String>,
}

impl FindingReport {
    fn new(finding: &Finding) -> FindingReport {
        let described = |(at, tensor): &(usize, pteron_runtime::HostTensor)| {
            format!("{at}: {}{}", tensor.dtype().name(), tensor.shape())
        };
        FindingReport {
            at: finding.at.clone(),
            op: finding.op.clone(),
            output: finding.output,
            what: finding.wrong.to_string(),
            inputs: finding.inputs.iter().map(described).collect(),
        }
    }
}

pub(crate) fn run(arguments: &CheckArgs, output: &mut Output) -> Result<Outcome> {
    let program = open::program(&arguments.program)?;
    let name = open::method_name(&program, arguments.method.as_deref())?;
    let device = open::device(&arguments.device)?;
    if device.is_cpu() {
        return Err(Usage::error("check compares a GPU with the reference engine, and there is no GPU here"));
    }
    let options = MethodOptions::default().with_precision(arguments.precision.into()).with_fuse(!arguments.no_fuse);
    let program = program.on(&device);
    let mut method = program.load(&name, &options)?;
    let inputs = Inputs::complete(&method, &arguments.inputs)?;
    let values = inputs.set(arguments.inputs.seed)?;
    let diagnosis = program.diagnose(&name, &options, &values)?;
    let got: Vec<_> = method.run(&values)?.into_iter().map(Some).collect();
    drop(method);
    let expected = program.clone().on(&Device::cpu()).method(&name)?.run(&values)?;
    let opened = open::file(&arguments.program.file, arguments.program.fill_missing)?;
    let view = program.view()?;
    let view = view.method(&name)?.ok_or_else(|| anyhow!("method {name} has gone"))?;
    let bound = ErrorBound::of(&survey::method(&program, &view, &*open::program_source(&opened)?)?);
    let outputs = bound.compare(&got, &expected)?;
    let is_wrong = outputs.wrong.is_some() || !diagnosis.findings.is_empty();
    let saved = match &arguments.save {
        Some(folder) if is_wrong => Some(save(folder, &values, &diagnosis)?),
        _ => None,
    };
    let report = Report {
        method: name,
        device: device.name().to_owned(),
        driver: device.adapter().map(|adapter| adapter.driver.clone()).unwrap_or_default(),
        fused: !arguments.no_fuse,
        compared: diagnosis.compared,
        skipped: diagnosis.skipped,
        findings: diagnosis.findings.iter().map(FindingReport::new).collect(),
        infinity: diagnosis.infinity.as_ref().map(FindingReport::new),
        outputs,
        saved: saved.map(|folder| folder.display().to_string()),
    };
    report.show(output)?;
    output.document(&report)?;
    Ok(if is_wrong { Outcome::Failure } else { Outcome::Success })
}

impl Report {
    fn show(&self, output: &mut Output) -> Result<()> {
        output.line(format_args!("{} on {} ({})", self.method, self.device, self.driver))?;
        let left_out = if self.skipped > 0 { format!(", {} left out", self.skipped) } else { String::new() };
        output.line(format_args!("{} compared{left_out}", count(self.compared, "node")))?;
        for finding in &self.findings {
            let FindingReport { at, op, output: number, what, inputs } = finding;
            output.line(format_args!("wrong: {op} in {at}, output {number}: {what}"))?;
            output.line(format_args!("  it read {}", inputs.join(", ")))?;
        }
        if let Some(FindingReport { at, op, what, .. }) = &self.infinity {
            output.line(format_args!("the first infinity: {op} in {at}: {what}"))?;
        }
        match &self.outputs.wrong {
            Some(what) => output.line(format_args!("wrong: the method's {what}"))?,
            None => output.line(format_args!("outputs agree within {:.3e}", self.outputs.max_abs))?,
        }
        match &self.saved {
            Some(folder) => output.line(format_args!("saved to {folder}")),
            None => Ok(()),
        }
    }
}

/// Writes what it takes to see the first finding again: the call's inputs, and what the node read, gave and should give.
fn save(folder: &Path, inputs: &[Value], diagnosis: &Diagnosis) -> Result<PathBuf> {
    std::fs::create_dir_all(folder).map_err(|error| Usage::error(format!("{}: {error}", folder.display())))?;
    let given: Vec<_> =
        inputs.iter().enumerate().filter_map(|(at, value)| Some((at.to_string(), value.tensor()?))).collect();
    tensors::write(&folder.join("inputs.safetensors"), &given)?;
    if let Some(finding) = diagnosis.findings.first() {
        let read: Vec<_> = finding.inputs.iter().map(|(at, tensor)| (at.to_string(), tensor)).collect();
        tensors::write(&folder.join("node_inputs.safetensors"), &read)?;
        let results = [("got".to_owned(), &finding.got), ("expected".to_owned(), &finding.expected)];
        tensors::write(&folder.join("node_outputs.safetensors"), &results)?;
        let text = serde_json::to_vec_pretty(&FindingReport::new(finding))?;
        let path = folder.join("node.json");
        whole_file::write(&path, &text).map_err(|error| Usage::error(format!("{}: {error}", path.display())))?;
    }
    Ok(folder.to_owned())
}
