//! A method that gives all that its nodes compute, and what its delegates take.

use std::collections::{HashMap, HashSet};
use std::ops::RangeBounds;

use pteron_pte::Dynamism;
use pteron_tensor::HostTensor;

use crate::error::Result;
use crate::graph::{Graph, MethodGraph, ProgramTensor, ProgramValue, Role, Step, TensorValue, Value};
use crate::method::Method;

/// The contents of state, by delegate and value.
pub(super) type States = HashMap<(usize, u32), HostTensor>;

/// A method that gives everything, and where each thing is among its outputs.
#[derive(Debug)]
pub(super) struct Trace {
    pub(super) graph: MethodGraph,
    /// The output that holds a value of the program.
    pub(super) outputs: HashMap<u32, usize>,
    /// The value of the program that takes a delegate's value.
    pub(super) traced: HashMap<(usize, u32), u32>,
}

impl Trace {
    /// Lets a method give the results of every node, and the inputs of every delegate.
    pub(super) fn new(mut graph: MethodGraph) -> Trace {
        // What the host is done with is compared later.
        for step in &mut graph.steps {
            if let Step::Free { value } = *step {
                *step = Step::Move { from: value, to: value };
            }
        }
        let mut traced = HashMap::new();
        for index in 0..graph.delegates.len() {
            for (id, tensor) in results(&graph.delegates[index]) {
                let value = u32::try_from(graph.values.len()).unwrap_or(u32::MAX);
                graph.values.push(declared(&tensor));
                graph.delegates[index].outputs.push(id);
                traced.insert((index, id), value);
                for step in &mut graph.steps {
                    if let Step::Delegate { index: called, outputs, .. } = step
                        && *called == index
                    {
                        outputs.push(value);
                    }
                }
            }
        }
        let mut wanted: Vec<u32> = traced.values().copied().collect();
        for step in &graph.steps {
            if let Step::Delegate { index, inputs, outputs, .. } = step {
                wanted.extend(inputs);
                wanted.extend(outputs);
                for (&value, &id) in outputs.iter().zip(&graph.delegates[*index].outputs) {
                    traced.entry((*index, id)).or_insert(value);
                }
            }
        }
        let mut seen: HashSet<u32> = graph.outputs.iter().copied().collect();
        wanted.retain(|id| seen.insert(*id));
        graph.outputs.extend(wanted);
        let outputs = graph.outputs.iter().enumerate().map(|(at, &id)| (id, at)).collect();
        Trace { graph, outputs, traced }
    }

    /// Whether any of some steps writes a value, in place or not.
    pub(super) fn is_written(&self, id: &u32, steps: impl RangeBounds<usize>) -> bool {
        self.graph.steps.iter().enumerate().filter(|(at, _)| steps.contains(at)).any(|(_, step)| match step {
            Step::Kernel { op, args, outputs } => {
                outputs.contains(id) || op.writes.iter().any(|&argument| args.get(argument) == Some(id))
            }
            Step::Delegate { outputs, numbers, .. } => outputs.contains(id) || numbers.contains(id),
            Step::Move { from, to } | Step::View { from, to } => to == id && from != to,
            Step::JumpFalse { .. } | Step::Free { .. } => false,
        })
    }

    /// What persists between calls, as it is now.
    pub(super) async fn states(&self, method: &Method) -> Result<States> {
        let mut states = States::new();
        for (index, graph) in self.graph.delegates.iter().enumerate() {
            for (id, value) in (0u32..).zip(&graph.values) {
                if let Value::Tensor(TensorValue { role: Role::State(_), .. }) = value {
                    states.insert((index, id), method.state(index, id).await?);
                }
            }
        }
        Ok(states)
    }
}

/// The results of a graph's nodes that it does not give.
fn results(graph: &Graph) -> Vec<(u32, TensorValue)> {
    let mut given: HashSet<u32> = graph.outputs.iter().copied().collect();
    let ids = graph.nodes.iter().flat_map(|node| &node.outputs).copied();
    ids.filter_map(|id| match graph.values.get(id as usize) {
        Some(Value::Tensor(tensor)) if tensor.role == Role::Plain && given.insert(id) => Some((id, tensor.clone())),
        _ => None,
    })
    .collect()
}

/// A value of the program for a tensor of a delegate, with the type that it has there.
fn declared(tensor: &TensorValue) -> ProgramValue {
    ProgramValue::Tensor(ProgramTensor {
        dtype: tensor.dtype,
        shape: tensor.shape,
        dynamism: Dynamism::Unbound,
        data: None,
        order: None,
        allocation: None,
    })
}
