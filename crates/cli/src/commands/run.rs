//! `pteron run`: one call of a method.

use std::time::Instant;

use anyhow::Result;
use pteron_runtime::{HostTensor, MethodOptions, Value};
use serde::Serialize;

use crate::args::{OutputArg, RandomArg, RunArgs};
use crate::commands::Outcome;
use crate::failure::Usage;
use crate::inputs::Inputs;
use crate::open;
use crate::output::{Output, duration, microseconds};
use crate::tensors::{self, Format};

/// Elements that a summary shows.
const SHOWN: usize = 8;

#[derive(Debug, Serialize)]
struct Report {
    method: String,
    device: String,
    dispatches: u64,
    call_us: f64,
    outputs: Vec<OutputReport>,
    files: Vec<String>,
}

#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum OutputReport {
    Tensor {
        dtype: &'static str,
        shape: Vec<usize>,
        first: Vec<f64>,
        min: Option<f64>,
        max: Option<f64>,
        mean: Option<f64>,
        /// Elements that are NaN or infinite.
        not_finite: usize,
    },
    Other {
        value: String,
    },
}

pub(crate) fn run(arguments: &RunArgs, output: &mut Output) -> Result<Outcome> {
    let program = open::program(&arguments.program)?;
    let name = open::method_name(&program, arguments.method.as_deref())?;
    check_outputs(&arguments.output)?;
    let device = open::device(&arguments.device)?;
    let options = MethodOptions::default().with_seed(arguments.seed);
    let mut method = program.on(&device).load(&name, &options)?;
    method.notes().iter().for_each(|note| crate::output::note(format_args!("note: {note}")));
    let mut inputs = Inputs::read(&method, &arguments.input)?;
    for random in &arguments.random {
        match random {
            RandomArg::All => inputs.make_up_all(),
            RandomArg::One(shape) => inputs.set_shape(shape)?,
        }
    }
    let values = inputs.set(arguments.seed)?;
    let start = Instant::now();
    let outputs = method.run(&values)?;
    let time = start.elapsed();

    let files = write(&arguments.output, &outputs)?;
    let report = Report {
        method: name,
        device: device.name().to_owned(),
        dispatches: method.dispatches(),
        call_us: microseconds(time),
        outputs: outputs.iter().map(OutputReport::new).collect(),
        files,
    };
    output.line(format_args!("{} on {} in {}", report.method, report.device, duration(time)))?;
    for (index, summary) in report.outputs.iter().enumerate() {
        output.line(format_args!("output {index}: {}", summary.line()))?;
    }
    for file in &report.files {
        output.line(format_args!("wrote {file}"))?;
    }
    output.document(&report)?;
    Ok(Outcome::Success)
}

/// Finds what is wrong with the names of output files before anything runs.
fn check_outputs(arguments: &[OutputArg]) -> Result<()> {
    for argument in arguments {
        let (OutputArg::All(path) | OutputArg::One(_, path)) = argument;
        Format::of(path)?;
    }
    Ok(())
}

fn write(arguments: &[OutputArg], outputs: &[Value]) -> Result<Vec<String>> {
    let mut files = Vec::new();
    for argument in arguments {
        let path = match argument {
            OutputArg::All(path) => {
                let numbered = outputs.iter().enumerate();
                let all: Vec<_> =
                    numbered.filter_map(|(index, value)| Some((index.to_string(), value.tensor()?))).collect();
                tensors::write(path, &all)?;
                path
            }
            OutputArg::One(index, path) => {
                let value = outputs.get(*index).ok_or_else(|| {
                    Usage::error(format!("there is no output {index}: the method gives {}", outputs.len()))
                })?;
                let tensor = value.tensor().ok_or_else(|| Usage::error(format!("output {index} is no tensor")))?;
                tensors::write(path, &[(index.to_string(), tensor)])?;
                path
            }
        };
        files.push(path.display().to_string());
    }
    Ok(files)
}

impl OutputReport {
    fn new(value: &Value) -> OutputReport {
        match value {
            Value::Tensor(tensor) => OutputReport::of_tensor(tensor),
            Value::Null => OutputReport::Other { value: "null".to_owned() },
            Value::Int(value) => OutputReport::Other { value: value.to_string() },
            Value::Double(value) => OutputReport::Other { value: value.to_string() },
            Value::Bool(value) => OutputReport::Other { value: value.to_string() },
            Value::Str(text) => OutputReport::Other { value: text.clone() },
            other => OutputReport::Other { value: format!("{other:?}") },
        }
    }

    fn of_tensor(tensor: &HostTensor) -> OutputReport {
        let values = tensor.to_f64s();
        let finite = || values.iter().copied().filter(|value| value.is_finite());
        let number = finite().count();
        OutputReport::Tensor {
            dtype: tensor.dtype().name(),
            shape: tensor.shape().to_vec(),
            first: values.iter().copied().take(SHOWN).collect(),
            min: finite().reduce(f64::min),
            max: finite().reduce(f64::max),
            mean: (number > 0).then(|| finite().sum::<f64>() / number as f64),
            not_finite: values.len() - number,
        }
    }

    fn line(&self) -> String {
        match self {
            OutputReport::Other { value } => value.clone(),
            OutputReport::Tensor { dtype, shape, first, min, max, mean, not_finite } => {
                #[expect(clippy::cast_possible_truncation, reason = "only f64 has more digits than f32 shows")]
                let text = |value: &f64| if *dtype == "f32" { (*value as f32).to_string() } else { value.to_string() };
                let shown: Vec<_> = first.iter().map(text).collect();
                let more = if shape.iter().product::<usize>() > SHOWN { ", …" } else { "" };
                let mut line = format!("{dtype}{shape:?} [{}{more}]", shown.join(", "));
                if let (Some(min), Some(max), Some(mean)) = (min, max, mean) {
                    line += &format!(", min {min:.6}, max {max:.6}, mean {mean:.6}");
                }
                if *not_finite > 0 {
                    line += &format!(", {not_finite} not finite");
                }
                line
            }
        }
    }
}
