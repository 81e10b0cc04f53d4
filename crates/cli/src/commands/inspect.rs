//! `pteron inspect`: what a file holds, and whether it runs here.

use anyhow::Result;
use pteron_pte::FileKind;
use pteron_pte::bundle::Bundle;
use pteron_pte::ptd::DataFile;
use serde::Serialize;

use crate::args::InspectArgs;
use crate::commands::Outcome;
use crate::open::{self, Opened};
use crate::output::{Output, Table, bytes, count};
use crate::survey::{self, MethodSurvey, ProgramSurvey, ValueSurvey};

mod nodes;
mod xnnpack;

/// Constants that are listed for people; JSON has them all.
const LISTED_CONSTANTS: usize = 8;

#[derive(Debug, Serialize)]
struct Report {
    file: String,
    kind: &'static str,
    #[serde(flatten)]
    program: ProgramSurvey,
    /// Bundled test cases: method and how many.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    cases: Vec<(String, usize)>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    graphs: Vec<nodes::MethodNodes>,
}

#[derive(Debug, Serialize)]
struct DataReport {
    file: String,
    kind: &'static str,
    version: u32,
    bytes: u64,
    entries: Vec<DataEntry>,
}

#[derive(Debug, Serialize)]
struct DataEntry {
    name: String,
    dtype: Option<&'static str>,
    shape: Option<Vec<u64>>,
    bytes: u64,
}

pub(crate) fn run(arguments: &InspectArgs, output: &mut Output) -> Result<Outcome> {
    let path = &arguments.program.file;
    let opened = open::file(path, arguments.program.fill_missing)?;
    if opened.kind == FileKind::Ptd {
        show_data(&data_report(path.display().to_string(), &opened)?, output)?;
        return Ok(Outcome::Success);
    }
    let source = open::program_source(&opened)?;
    let program = open::program_of(&opened, path, arguments.program.fill_missing)?;
    let program = open::with_data(program, &arguments.program)?;
    let report = Report {
        file: path.display().to_string(),
        kind: if opened.kind == FileKind::Bpte { "bpte" } else { "pte" },
        program: survey::program(&program, &*source)?,
        cases: if opened.kind == FileKind::Bpte { bundled_cases(&opened)? } else { Vec::new() },
        graphs: if arguments.graph { nodes::list(&program, &*source)? } else { Vec::new() },
    };
    show(&report, output)?;
    output.document(&report)?;
    Ok(Outcome::Success)
}

fn bundled_cases(opened: &Opened) -> Result<Vec<(String, usize)>> {
    let file = open::read(&*opened.file, 0..opened.file.len())?;
    let suites = Bundle::parse(&file)?.suites();
    suites.map(|suite| suite.map(|suite| (suite.method.to_owned(), suite.cases().len())).map_err(Into::into)).collect()
}

fn data_report(file: String, opened: &Opened) -> Result<DataReport> {
    let content = open::read(&*opened.file, 0..opened.file.len())?;
    let data = DataFile::parse(&content)?;
    let mut entries = Vec::new();
    for entry in data.entries() {
        let entry = entry?;
        entries.push(DataEntry {
            name: entry.key.to_owned(),
            dtype: entry.layout.as_ref().map(|layout| layout.dtype()).transpose()?.map(|dtype| dtype.name()),
            shape: entry.layout.as_ref().map(|layout| layout.sizes()).transpose()?.map(|sizes| sizes.iter().collect()),
            bytes: entry.range.end.saturating_sub(entry.range.start),
        });
    }
    Ok(DataReport { file, kind: "ptd", version: data.version(), bytes: opened.file.len(), entries })
}

fn show_data(report: &DataReport, output: &mut Output) -> Result<()> {
    output.line(format_args!(
        "{}: external data, version {}, {}, {}",
        report.file,
        report.version,
        bytes(report.bytes),
        count(report.entries.len(), "tensor")
    ))?;
    let mut table = Table::new(&["name", "type", ">size"]);
    for entry in &report.entries {
        let kind = match (entry.dtype, &entry.shape) {
            (Some(dtype), Some(shape)) => format!("{dtype}{shape:?}"),
            _ => "bytes".to_owned(),
        };
        table.row([entry.name.clone(), kind, bytes(entry.bytes)]);
    }
    output.table(&table)?;
    output.document(report)
}

fn show(report: &Report, output: &mut Output) -> Result<()> {
    let what = if report.kind == "bpte" { "bundled program" } else { "program" };
    output.line(format_args!(
        "{}: {what}, version {}, {}, {}",
        report.file,
        report.program.version,
        bytes(report.program.bytes),
        count(report.program.methods.len(), "method")
    ))?;
    for (method, cases) in &report.cases {
        output.line(format_args!("bundled: {} of {method}", count(*cases, "case")))?;
    }
    for method in &report.program.methods {
        output.line("")?;
        show_method(method, output)?;
        for graph in report.graphs.iter().filter(|graph| graph.method == method.name) {
            graph.show(output)?;
        }
    }
    Ok(())
}

fn show_method(method: &MethodSurvey, output: &mut Output) -> Result<()> {
    output.line(format_args!("method {}", method.name))?;
    let mut values = Table::new(&["", "", ""]);
    for (what, list) in [("input", &method.inputs), ("output", &method.outputs)] {
        for (index, value) in list.iter().enumerate() {
            values.row([format!("{what} {index}"), type_of(value), bound_of(value).to_owned()]);
        }
    }
    output.table(&values)?;
    for (index, delegate) in method.delegates.iter().enumerate() {
        let supported = if delegate.supported { "" } else { ", UNSUPPORTED: no graph for Vulkan, WebGPU or XNNPACK" };
        output.line(format_args!(
            "  delegate {index}: {}, {}, {}, {}, {}{supported}",
            delegate.backend,
            count(delegate.nodes, "node"),
            count(delegate.values, "value"),
            count(delegate.constants, "constant"),
            bytes(delegate.bytes)
        ))?;
    }
    if !method.operators.is_empty() {
        output.line("  operators")?;
        let mut table = Table::new(&[">", "", "", ""]).indent(4);
        for operator in &method.operators {
            let support = match (operator.supported, &operator.reason) {
                (false, _) => "UNSUPPORTED".to_owned(),
                (true, Some(reason)) => format!("supported; there because {reason}"),
                (true, None) => "supported".to_owned(),
            };
            let cells = [operator.count.to_string(), operator.name.clone(), operator.place.to_owned()];
            table.row(cells.into_iter().chain([support]));
        }
        output.table(&table)?;
    }
    show_constants(method, output)?;
    if let Some(memory) = method.memory.as_ref().filter(|memory| !memory.is_nothing()) {
        let intermediates = memory.intermediates.map_or_else(|| "decided by the call".to_owned(), bytes);
        output.line(format_args!(
            "  memory at the largest shapes: constants {}, state {}, inputs and outputs {}, intermediates {intermediates}",
            bytes(memory.constants),
            bytes(memory.state),
            bytes(memory.inputs_and_outputs),
        ))?;
    }
    match &method.problem {
        None => output.line("  runs here: yes"),
        Some(problem) => output.line(format_args!("  runs here: no: {problem}")),
    }
}

fn show_constants(method: &MethodSurvey, output: &mut Output) -> Result<()> {
    if method.constants.is_empty() {
        return Ok(());
    }
    output.line(format_args!("  constants: {}, {}", method.constants.len(), bytes(method.constant_bytes)))?;
    let mut table = Table::new(&["", "", ">"]).indent(4);
    for constant in method.constants.iter().take(LISTED_CONSTANTS) {
        let kind = constant.dtype.map_or_else(|| "bytes".to_owned(), |dtype| format!("{dtype}{:?}", constant.shape));
        table.row([constant.name.clone(), kind, bytes(constant.bytes)]);
    }
    output.table(&table)?;
    match method.constants.len().saturating_sub(LISTED_CONSTANTS) {
        0 => Ok(()),
        more => output.line(format_args!("    and {more} smaller; --json lists them all")),
    }
}

fn type_of(value: &ValueSurvey) -> String {
    match (value.dtype, &value.shape, &value.value) {
        (Some(dtype), Some(shape), _) => format!("{dtype}{shape:?}"),
        (_, _, Some(known)) => format!("{} {known}", value.kind),
        _ => value.kind.to_owned(),
    }
}

fn bound_of(value: &ValueSurvey) -> &'static str {
    match value.bound {
        Some("at most") => "dynamic, at most this",
        Some("any") => "dynamic, of any size",
        _ => "",
    }
}
