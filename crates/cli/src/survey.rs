//! What a program is made of, read off the file: methods, values, delegates, operators and constants.
//!
//! Nothing here needs a device, and nothing has to be supported: what does not run is shown as such.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context as _, Result};
use bytes::Bytes;
use pteron_ops::{Accuracy, Caps, OpDef, catalogue};
use pteron_pte::delegate::{ConstantRef, Delegate, GraphValue};
use pteron_pte::xnnpack::{Graph, Operation};
use pteron_pte::{self as pte, Blob, Dynamism, Instruction, TensorKind};
use pteron_runtime::{MethodGraph, Program, Source};
use serde::Serialize;

use crate::open;

/// A program.
#[derive(Debug, Serialize)]
pub(crate) struct ProgramSurvey {
    pub(crate) version: u32,
    pub(crate) bytes: u64,
    pub(crate) methods: Vec<MethodSurvey>,
}

/// A method.
#[derive(Debug, Serialize)]
pub(crate) struct MethodSurvey {
    pub(crate) name: String,
    pub(crate) inputs: Vec<ValueSurvey>,
    pub(crate) outputs: Vec<ValueSurvey>,
    pub(crate) delegates: Vec<DelegateSurvey>,
    /// Each operator once, the most frequent first.
    pub(crate) operators: Vec<OperatorSurvey>,
    pub(crate) constants: Vec<ConstantSurvey>,
    pub(crate) constant_bytes: u64,
    pub(crate) memory: Option<MemorySurvey>,
    /// Why the method does not run here, if it does not.
    pub(crate) problem: Option<String>,
}

/// An input or output.
#[derive(Debug, Serialize)]
pub(crate) struct ValueSurvey {
    pub(crate) kind: &'static str,
    pub(crate) dtype: Option<&'static str>,
    pub(crate) shape: Option<Vec<u64>>,
    /// Whether the sizes are fixed, the largest ones, or a first guess.
    pub(crate) bound: Option<&'static str>,
    /// What the program itself says that a number or text is: the result of a method without inputs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) value: Option<serde_json::Value>,
}

/// A delegate.
#[derive(Debug, Serialize)]
pub(crate) struct DelegateSurvey {
    pub(crate) backend: String,
    pub(crate) bytes: u64,
    pub(crate) nodes: usize,
    pub(crate) values: usize,
    pub(crate) constants: usize,
    pub(crate) supported: bool,
}

/// An operator and how often it occurs.
#[derive(Debug, Serialize)]
pub(crate) struct OperatorSurvey {
    pub(crate) name: String,
    /// `delegate`; for an operator that the exporter left outside, `joined` where it runs on the device with them, or
    /// `host`.
    pub(crate) place: &'static str,
    /// Why it runs on the host.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<String>,
    pub(crate) count: usize,
    pub(crate) supported: bool,
    #[serde(skip)]
    pub(crate) accuracy: Option<Accuracy>,
}

/// A constant.
#[derive(Debug, Serialize)]
pub(crate) struct ConstantSurvey {
    pub(crate) name: String,
    pub(crate) dtype: Option<&'static str>,
    pub(crate) shape: Vec<u64>,
    pub(crate) bytes: u64,
}

/// Bytes that a method takes at its largest shapes.
#[derive(Debug, Serialize)]
pub(crate) struct MemorySurvey {
    pub(crate) constants: u64,
    pub(crate) state: u64,
    pub(crate) inputs_and_outputs: u64,
    pub(crate) intermediates: Option<u64>,
}

impl MemorySurvey {
    fn of(graph: &MethodGraph) -> MemorySurvey {
        let memory = graph.memory(&caps());
        MemorySurvey {
            constants: memory.constants,
            state: memory.state,
            inputs_and_outputs: memory.boundary,
            intermediates: memory.intermediates,
        }
    }

    /// Whether the method takes no memory at all.
    pub(crate) fn is_nothing(&self) -> bool {
        self.constants + self.state + self.inputs_and_outputs == 0 && self.intermediates == Some(0)
    }
}

/// Surveys a program. `source` is what its offsets count in.
pub(crate) fn program(program: &Program, source: &dyn Source) -> Result<ProgramSurvey> {
    let view = program.view()?;
    let methods = view.methods().map(|method| self::method(program, &method?, source)).collect::<Result<_>>()?;
    Ok(ProgramSurvey { version: view.version(), bytes: source.len(), methods })
}

/// Surveys a method.
pub(crate) fn method(program: &Program, method: &pte::Method<'_>, source: &dyn Source) -> Result<MethodSurvey> {
    let mut operators = Operators::default();
    let mut constants = program_constants(method)?;
    let mut names: BTreeSet<_> = constants.iter().map(|constant| constant.name.clone()).collect();
    let mut delegates = Vec::new();
    for (number, blob) in delegate_blobs(method, source)?.into_iter().enumerate() {
        let mut survey = DelegateSurvey {
            backend: blob.backend.to_owned(),
            bytes: blob.bytes.len() as u64,
            nodes: 0,
            values: 0,
            constants: 0,
            supported: Delegate::is(&blob.bytes) || Graph::is(&blob.bytes),
        };
        if Delegate::is(&blob.bytes) {
            let graph = Delegate::parse(&blob.bytes)?;
            (survey.nodes, survey.values) = (graph.nodes().len(), graph.values());
            survey.constants = graph.constants();
            for node in graph.nodes() {
                let name = node?.name;
                operators.add(name, Where::Delegate, Support::of(catalogue::lookup(name)));
            }
            for constant in graph_constants(&graph, number)? {
                // Equal constants share one name and one place in the file.
                if names.insert(constant.name.clone()) {
                    constants.push(constant);
                }
            }
        } else if Graph::is(&blob.bytes) {
            let graph = Graph::parse(&blob.bytes)?;
            (survey.nodes, survey.values) = (graph.nodes().len(), graph.tensors());
            // The first constant stands for none.
            survey.constants = graph.constants().saturating_sub(1);
            for node in graph.nodes() {
                let operation = node?.operation;
                let runs = !matches!(operation, Operation::Unknown(_));
                let support = Support { runs, accuracy: None };
                operators.add(&format!("xnnpack.{}", operation.name()), Where::Delegate, support);
            }
        }
        delegates.push(survey);
    }
    let (lowered, problem) = lowered(program, method.name());
    let mut placements = lowered.iter().flat_map(|graph| graph.placements());
    for chain in method.chains() {
        for instruction in chain?.instructions() {
            if let Instruction::KernelCall { op, .. } = instruction? {
                let name = method.operator(op)?.to_string();
                let place = match placements.next().map(|placement| placement.on_host.clone()) {
                    Some(None) => Where::Joined,
                    Some(reason) => Where::Host(reason),
                    None => Where::Host(None),
                };
                operators.add(&name, place, Support::of(catalogue::lookup_portable(&name)));
            }
        }
    }
    constants.sort_by(|a, b| b.bytes.cmp(&a.bytes).then_with(|| a.name.cmp(&b.name)));
    Ok(MethodSurvey {
        name: method.name().to_owned(),
        inputs: method.inputs()?.iter().map(|id| value(method, id)).collect::<Result<_>>()?,
        outputs: method.outputs()?.iter().map(|id| value(method, id)).collect::<Result<_>>()?,
        delegates,
        operators: operators.sorted(),
        constant_bytes: constants.iter().map(|constant| constant.bytes).sum(),
        constants,
        memory: lowered.as_ref().map(MemorySurvey::of),
        problem,
    })
}

/// A delegate's data.
pub(crate) struct DelegateBlob<'a> {
    pub(crate) backend: &'a str,
    pub(crate) bytes: Bytes,
}

/// The data of each delegate.
pub(crate) fn delegate_blobs<'a>(method: &pte::Method<'a>, source: &dyn Source) -> Result<Vec<DelegateBlob<'a>>> {
    let mut blobs = Vec::new();
    for index in 0..method.delegates() {
        let delegate = method.delegate(u32::try_from(index)?)?;
        let bytes = match delegate.data {
            Blob::Inline(bytes) => Bytes::copy_from_slice(bytes),
            Blob::File(range) => open::read(source, range).with_context(|| format!("delegate {index}"))?,
        };
        blobs.push(DelegateBlob { backend: delegate.id, bytes });
    }
    Ok(blobs)
}

/// A device with every feature, so that only what no device could run is reported.
pub(crate) fn caps() -> Caps {
    Caps::unlimited()
}

/// The method as it runs here, or why it does not.
fn lowered(program: &Program, name: &str) -> (Option<MethodGraph>, Option<String>) {
    match program.check(name, &caps()) {
        Ok(graph) => (Some(graph), None),
        Err(error) => (None, Some(error.to_string())),
    }
}

/// Where an operator runs.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Where {
    Delegate,
    Joined,
    /// And why, where that is known.
    Host(Option<String>),
}

/// Whether an operator runs here, and how closely.
#[derive(Clone, Copy, Debug)]
struct Support {
    runs: bool,
    accuracy: Option<Accuracy>,
}

impl Support {
    fn of(found: Option<&OpDef>) -> Support {
        Support { runs: found.is_some(), accuracy: found.map(|op| op.accuracy) }
    }
}

#[derive(Debug, Default)]
struct Operators(BTreeMap<(String, Where), (usize, Support)>);

impl Operators {
    fn add(&mut self, name: &str, place: Where, support: Support) {
        self.0.entry((name.to_owned(), place)).or_insert((0, support)).0 += 1;
    }

    fn sorted(self) -> Vec<OperatorSurvey> {
        let survey = |((name, place), (count, support)): (_, (usize, Support))| {
            let (place, reason) = match place {
                Where::Delegate => ("delegate", None),
                Where::Joined => ("joined", None),
                Where::Host(reason) => ("host", reason),
            };
            let Support { runs: supported, accuracy } = support;
            OperatorSurvey { name, place, reason, count, supported, accuracy }
        };
        let mut operators: Vec<_> = self.0.into_iter().map(survey).collect();
        operators.sort_by_key(|operator| std::cmp::Reverse(operator.count));
        operators
    }
}

fn value(method: &pte::Method<'_>, id: u32) -> Result<ValueSurvey> {
    let plain = |kind| ValueSurvey { kind, dtype: None, shape: None, bound: None, value: None };
    let known = |kind, value| ValueSurvey { value: Some(value), ..plain(kind) };
    Ok(match method.value(id)? {
        pte::Value::Tensor(tensor) => ValueSurvey {
            kind: "tensor",
            dtype: Some(tensor.dtype()?.name()),
            shape: Some(tensor.sizes()?.iter().collect()),
            bound: Some(match tensor.dynamism()? {
                Dynamism::Static => "fixed",
                Dynamism::UpperBound => "at most",
                Dynamism::Unbound => "any",
            }),
            value: None,
        },
        pte::Value::Null => plain("null"),
        pte::Value::Int(value) => known("int", value.into()),
        pte::Value::Bool(value) => known("bool", value.into()),
        pte::Value::Double(value) => known("float", value.into()),
        pte::Value::String(text) => known("string", text.into()),
        pte::Value::Unknown(_) => plain("unknown"),
        _ => plain("list"),
    })
}

/// Constants of the program outside its delegates, each once.
fn program_constants(method: &pte::Method<'_>) -> Result<Vec<ConstantSurvey>> {
    let mut found = BTreeMap::new();
    for id in 0..method.values() {
        let pte::Value::Tensor(tensor) = method.value(u32::try_from(id)?)? else { continue };
        let key = match tensor.kind()? {
            TensorKind::Constant { buffer } => format!("constant {buffer}"),
            TensorKind::Mutable { buffer, set, .. } => format!("state {buffer} of set {set}"),
            TensorKind::External { name } => name.to_owned(),
            _ => continue,
        };
        let constant = ConstantSurvey {
            name: tensor.name()?.filter(|name| !name.is_empty()).unwrap_or(&key).to_owned(),
            dtype: Some(tensor.dtype()?.name()),
            shape: tensor.sizes()?.iter().collect(),
            bytes: tensor.nbytes()?,
        };
        found.insert(key, constant);
    }
    Ok(found.into_values().collect())
}

/// Constants of a delegate's graph, with the type and sizes of the first tensor that uses each.
fn graph_constants(graph: &Delegate<'_>, delegate: usize) -> Result<Vec<ConstantSurvey>> {
    let mut constants = Vec::new();
    for index in 0..graph.constants() {
        let (name, bytes) = match graph.constant(i32::try_from(index)?)? {
            ConstantRef::Inline(bytes) => (format!("delegate {delegate}, inline {index}"), bytes.len() as u64),
            ConstantRef::Named { key, length } => (key.to_owned(), length),
            _ => (format!("delegate {delegate}, unknown {index}"), 0),
        };
        constants.push(ConstantSurvey { name, dtype: None, shape: Vec::new(), bytes });
    }
    for id in 0..graph.values() {
        let GraphValue::Tensor(tensor) = graph.value(u32::try_from(id)?)? else { continue };
        let constant = tensor.constant_id().and_then(|index| constants.get_mut(usize::try_from(index).ok()?));
        if let Some(constant) = constant.filter(|constant| constant.dtype.is_none()) {
            constant.dtype = Some(tensor.dtype()?.name());
            constant.shape = tensor.dims().map(u64::from).collect();
        }
    }
    Ok(constants)
}
