//! Operators against numpy, on every engine: cases of one call that need no program (`tools/formulas`).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use pteron_runtime::testing::{TestArg, run_op};
use pteron_runtime::{Device, DeviceChoice, HostTensor, Tolerance};
use serde::Deserialize;

/// `operator.json`. A tensor is named by its number in `tensors.safetensors`.
#[derive(Deserialize)]
struct Formula {
    operator: String,
    /// What made the expected values.
    source: String,
    atol: f64,
    rtol: f64,
    arguments: Vec<Option<Argument>>,
    outputs: Vec<usize>,
    /// States after the call, in the order of the arguments.
    states: Vec<usize>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Argument {
    Input(usize),
    Constant(usize),
    State(usize),
    Bool(bool),
    Int(i64),
    Double(f64),
    Ints(Vec<i64>),
    Doubles(Vec<f64>),
}

impl Argument {
    fn value(&self, tensors: &BTreeMap<usize, HostTensor>) -> TestArg {
        match self {
            Argument::Input(tensor) => TestArg::Input(tensors[tensor].clone()),
            Argument::Constant(tensor) => TestArg::Constant(tensors[tensor].clone()),
            Argument::State(tensor) => TestArg::State(tensors[tensor].clone()),
            Argument::Bool(value) => TestArg::Bool(*value),
            Argument::Int(value) => TestArg::Int(*value),
            Argument::Double(value) => TestArg::Double(*value),
            Argument::Ints(values) => TestArg::Ints(values.clone()),
            Argument::Doubles(values) => TestArg::Doubles(values.clone()),
        }
    }
}

/// Every folder with a formula, sorted.
fn folders() -> Vec<PathBuf> {
    let root = pteron_testkit::fixtures().join("formulas");
    let folders = |path: &Path| {
        let entries = path.read_dir().expect("fixtures are readable");
        entries.map(|entry| entry.expect("fixtures are readable").path())
    };
    let mut found: Vec<_> = folders(&root).flat_map(|operator| folders(&operator)).collect();
    found.sort();
    found
}

/// Runs a formula's operator, and says what differs from its expected values.
fn differences(folder: &Path, device: &Device) -> Result<(), String> {
    let text = std::fs::read(folder.join("operator.json")).map_err(|error| error.to_string())?;
    let formula: Formula = serde_json::from_slice(&text).map_err(|error| error.to_string())?;
    assert!(formula.source.starts_with("numpy"), "{}: made by {}", folder.display(), formula.source);
    let tensors = pteron_testkit::read_tensors(&folder.join("tensors.safetensors")).map_err(|e| e.to_string())?;
    let tensors: BTreeMap<_, _> = tensors.into_iter().collect();
    let argument = |argument: &Option<Argument>| argument.as_ref().map_or(TestArg::Null, |it| it.value(&tensors));
    let arguments: Vec<_> = formula.arguments.iter().map(argument).collect();
    let types: Vec<_> = formula.outputs.iter().map(|output| tensors[output].dtype()).collect();
    let got = run_op(device, &formula.operator, &arguments, &types).map_err(|error| error.to_string())?;
    let expected: Vec<_> = formula.outputs.iter().chain(&formula.states).map(|tensor| &tensors[tensor]).collect();
    if got.len() != expected.len() {
        return Err(format!("{} results, expected {}", got.len(), expected.len()));
    }
    let tolerance = Tolerance { atol: formula.atol, rtol: formula.rtol };
    for (index, (got, expected)) in got.iter().zip(expected).enumerate() {
        let comparison = tolerance.compare(got, expected).map_err(|reason| format!("result {index}: {reason}"))?;
        if !comparison.passed() {
            return Err(format!("result {index}: {comparison:?}"));
        }
    }
    Ok(())
}

fn check(device: &Device) {
    let folders = folders();
    assert!(!folders.is_empty(), "there are no formulas");
    let failures: Vec<_> = folders
        .iter()
        .filter_map(|folder| differences(folder, device).err().map(|reason| format!("{}: {reason}", folder.display())))
        .collect();
    assert!(failures.is_empty(), "on {}:\n{}", device.name(), failures.join("\n"));
}

#[test]
fn formulas_reference() {
    check(&Device::cpu());
}

#[test]
fn formulas_gpu() {
    check(&Device::open(DeviceChoice::Gpu).expect("tests need a WebGPU adapter: see the README"));
}
