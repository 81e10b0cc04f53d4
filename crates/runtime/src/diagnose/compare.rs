//! Each node again, by its reference.

use std::collections::{HashMap, HashSet};

use pteron_ops::{Accuracy, Body, Caps, Eval, OpDef, Precision};
use pteron_tensor::{DType, HostTensor, Tolerance};

use super::trace::{States, Trace};
use super::{Diagnosis, Finding, KEPT, Wrong};
use crate::data::DataFiles;
use crate::error::Result;
use crate::graph::{Graph, Node, Role, Step, TensorValue, Value as GraphValue};
use crate::plan::{GraphPlan, PlanCache, call};
use crate::types;
use crate::value::Value;

/// Compares the nodes of every delegate that was called.
pub(super) async fn nodes(
    trace: &Trace,
    files: &DataFiles,
    caps: &Caps,
    (inputs, outputs): (&[Value], Vec<Value>),
    before: &States,
    after: &States,
) -> Result<Diagnosis> {
    let mut diagnosis = Diagnosis::default();
    let mut done = HashSet::new();
    // A delegate that runs several times has left the results of its last call.
    for (at, step) in trace.graph.steps.iter().enumerate().rev() {
        let Step::Delegate { index, inputs: taken, .. } = step else { continue };
        let Some(graph) = trace.graph.delegates.get(*index).filter(|_| done.insert(*index)) else { continue };
        let held = |id: &u32| outputs.get(*trace.outputs.get(id)?);
        let mut given = Vec::with_capacity(taken.len());
        for (number, id) in taken.iter().enumerate() {
            // What this step or a later one overwrites is known where the caller gave it.
            let value = match (trace.is_written(id, ..at), trace.is_written(id, at..)) {
                (_, false) => held(id),
                (false, true) => {
                    let number = trace.graph.inputs.iter().position(|input| input == id);
                    number.and_then(|number| inputs.get(number))
                }
                (true, true) => None,
            };
            let (Some(Value::Tensor(tensor)), Some(dtype)) = (value, call::input_type(graph, number)) else { break };
            given.push(types::to_device(tensor, dtype).map_err(|mismatch| mismatch.of_input(number))?);
        }
        if given.len() != taken.len() {
            diagnosis.skipped += graph.nodes.len();
            continue;
        }
        let mut known: HashMap<u32, HostTensor> = graph.inputs.iter().copied().zip(given.iter().cloned()).collect();
        for (&(owner, id), value) in &trace.traced {
            let Some(Value::Tensor(tensor)) = held(value).filter(|_| owner == *index) else { continue };
            let dtype = declared_type(graph, id);
            // Floats that the program rounds are not what the node gave.
            if tensor.dtype() == dtype || !dtype.is_float() {
                known.insert(id, types::to_device(tensor, dtype).unwrap_or_else(|_| tensor.clone()));
            }
        }
        let (_, syms) = PlanCache::<GraphPlan>::default().plan_for(graph, &given, caps, Ok)?;
        let owned = |states: &States| states.iter().filter(|state| state.0.0 == *index).map(own).collect();
        let (before, after) = (owned(before), owned(after));
        let delegate = Delegate { graph, files, caps, known, syms, before, after, overwritten: overwritten(graph) };
        for node in &graph.nodes {
            delegate.compare(node, &mut diagnosis).await?;
        }
    }
    Ok(diagnosis)
}

fn own((&(_, id), tensor): (&(usize, u32), &HostTensor)) -> (u32, HostTensor) {
    (id, tensor.clone())
}

fn declared_type(graph: &Graph, id: u32) -> DType {
    match graph.values.get(id as usize) {
        Some(GraphValue::Tensor(tensor)) => tensor.dtype,
        _ => DType::F32,
    }
}

/// How often nodes write over each value in place.
fn overwritten(graph: &Graph) -> HashMap<u32, usize> {
    let mut counts = HashMap::new();
    for node in &graph.nodes {
        for id in node.op.writes.iter().filter_map(|&argument| node.args.get(argument)) {
            *counts.entry(*id).or_default() += 1;
        }
    }
    counts
}

/// A delegate whose call is looked at.
struct Delegate<'a> {
    graph: &'a Graph,
    files: &'a DataFiles,
    caps: &'a Caps,
    /// What values held in the call, by id.
    known: HashMap<u32, HostTensor>,
    syms: Vec<i64>,
    /// What persists, before the call and after it.
    before: HashMap<u32, HostTensor>,
    after: HashMap<u32, HostTensor>,
    overwritten: HashMap<u32, usize>,
}

impl Delegate<'_> {
    async fn compare(&self, node: &Node, diagnosis: &mut Diagnosis) -> Result<()> {
        if !matches!(node.op.body, Body::Tensor { .. }) {
            return Ok(());
        }
        let Some(tensors) = self.read(node).await?.filter(|_| !node.op.is_random()) else {
            diagnosis.skipped += 1;
            return Ok(());
        };
        let args = self.graph.args(node, |id| tensors.get(&id).cloned());
        let types = self.graph.output_types(node);
        let Ok(evaluated) = Eval::run(node.op, args, &self.syms, &types) else {
            diagnosis.skipped += 1;
            return Ok(());
        };
        let results = node.outputs.iter().zip(&evaluated.outputs).map(|(id, expected)| (self.known.get(id), expected));
        let changed = evaluated
            .mutated
            .iter()
            .map(|(argument, expected)| (node.args.get(*argument).and_then(|id| self.after.get(id)), expected));
        diagnosis.compared += 1;
        for (output, (got, expected)) in results.chain(changed).enumerate() {
            let Some(got) = got else { continue };
            let finding = |wrong| {
                let inputs = node.args.iter().enumerate().filter_map(|(at, id)| Some((at, tensors.get(id)?.clone())));
                Finding {
                    at: self.graph.place_of(node),
                    op: node.op.name.to_owned(),
                    output,
                    wrong,
                    inputs: inputs.collect(),
                    got: got.clone(),
                    expected: expected.clone(),
                }
            };
            let arises = || tensors.values().all(|tensor| first(tensor, |value| !value.is_finite()).is_none());
            let not_a_number = first(got, f64::is_nan).filter(|_| arises());
            let differs = || self.difference(node.op, got, expected);
            if let Some(wrong) = not_a_number.or_else(differs) {
                if diagnosis.findings.len() < KEPT {
                    diagnosis.findings.push(finding(wrong));
                }
            } else if let (None, Some(wrong)) = (&diagnosis.infinity, first(got, f64::is_infinite))
                && arises()
            {
                diagnosis.infinity = Some(finding(wrong));
            }
        }
        Ok(())
    }

    /// How far a result is from the reference's, where that is too far.
    fn difference(&self, op: &OpDef, got: &HostTensor, expected: &HostTensor) -> Option<Wrong> {
        let expected = &expected.cast(got.dtype());
        match tolerance(op, expected, self.caps.precision).compare(got, expected) {
            Ok(comparison) => {
                let worst = comparison.worst?;
                Some(Wrong::Differs { element: worst.element, got: worst.got, expected: worst.expected })
            }
            // The sizes are not the same.
            Err(_) => Some(Wrong::Differs { element: 0, got: f64::NAN, expected: f64::NAN }),
        }
    }

    /// The tensors that a node reads, those in lists included; nothing where one is not known as the node read it.
    async fn read(&self, node: &Node) -> Result<Option<HashMap<u32, HostTensor>>> {
        let mut tensors = HashMap::new();
        let items = |id: &u32| match self.graph.values.get(*id as usize) {
            Some(GraphValue::List(items)) => items.clone(),
            _ => vec![*id],
        };
        let in_place = |id: u32| node.op.writes.iter().any(|&argument| node.args.get(argument) == Some(&id));
        for id in node.args.iter().flat_map(items) {
            let Some(GraphValue::Tensor(tensor)) = self.graph.values.get(id as usize) else { continue };
            let writers = self.overwritten.get(&id).copied().unwrap_or(0);
            let held = match tensor.role {
                Role::Constant(constant) => Some(self.constant(constant, tensor).await?),
                // A view of it would show what the call leaves.
                Role::State(_) if self.graph.updates.iter().any(|update| update.0 == id) => None,
                // Read before its one writer, or by it; what reads it after that comes later in the graph.
                Role::State(_) if writers == 0 || (writers == 1 && in_place(id)) => self.before.get(&id).cloned(),
                Role::State(_) if writers == 1 && self.is_written_before(id, node) => self.after.get(&id).cloned(),
                Role::Plain if writers == 0 => self.known.get(&id).cloned(),
                _ => None,
            };
            match held {
                Some(held) => tensors.insert(id, held),
                None => return Ok(None),
            };
        }
        Ok(Some(tensors))
    }

    /// Whether a value is written in place by a node before this one.
    fn is_written_before(&self, id: u32, node: &Node) -> bool {
        let writes = |other: &Node| other.op.writes.iter().any(|&argument| other.args.get(argument) == Some(&id));
        self.graph.nodes.iter().take_while(|other| !std::ptr::eq(*other, node)).any(writes)
    }

    async fn constant(&self, number: usize, tensor: &TensorValue) -> Result<HostTensor> {
        let missing = || crate::error::Error::Program("a constant is missing".to_owned());
        let constant = self.graph.constants.get(number).ok_or_else(missing)?;
        let stored = tensor.shape.numel() as u64 * constant.stored.size() as u64;
        let bytes = self.files.load(&constant.data, stored).await?;
        let bytes = types::constant_to_device(&bytes, constant.stored, constant.dtype)?;
        Ok(HostTensor::with_shape(constant.dtype, tensor.shape, bytes)?)
    }
}

/// The first element of which something is true, among floats.
fn first(tensor: &HostTensor, is_it: impl Fn(f64) -> bool) -> Option<Wrong> {
    if !tensor.dtype().is_float() {
        return None;
    }
    let (element, value) = tensor.to_f64s().into_iter().enumerate().find(|(_, value)| is_it(*value))?;
    Some(Wrong::NotFinite { element, value })
}

/// How far a result may be from the reference's: by the operator's class, and of sums in relation to the largest.
fn tolerance(op: &OpDef, expected: &HostTensor, precision: Precision) -> Tolerance {
    let base = op.accuracy.tolerance();
    let rounded = match expected.dtype() {
        _ if op.accuracy == Accuracy::Exact => 0.0,
        DType::F16 => 1e-3,
        DType::BF16 => 8e-3,
        _ => 0.0,
    };
    let largest = || expected.to_f64s().into_iter().map(f64::abs).filter(|x| x.is_finite()).fold(1.0, f64::max);
    match op.accuracy {
        Accuracy::Accumulated => {
            let fast = if precision == Precision::Fast { 1e-2 } else { 0.0 };
            Tolerance { atol: (base.atol + rounded + fast) * largest(), rtol: base.rtol + rounded + fast }
        }
        _ => Tolerance { atol: base.atol + rounded, rtol: base.rtol + rounded },
    }
}
