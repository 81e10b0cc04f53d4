//! State that a serialized graph changes by writing over a constant.

use std::collections::HashMap;

use super::super::ids::{ById as _, next_id};
use crate::error::Result;
use crate::graph::{Graph, Role, TensorValue, Value};

/// Gives every value one writer.
///
/// With aliased mutations the exporter lets a node write into the output of a prepack: a buffer of the module that
/// changes. That value becomes state, the node computes a new value, later nodes read the new one, and the state takes
/// it over when the graph has run.
pub(super) fn rename_updates(graph: &mut Graph) -> Result<()> {
    let mut prepacked: HashMap<u32, u32> = HashMap::new();
    let mut renamed: HashMap<u32, u32> = HashMap::new();
    for node in &mut graph.nodes {
        for arg in &mut node.args {
            if let Some(&new) = renamed.get(arg) {
                *arg = new;
            }
        }
        if node.op.name == "et_vk.prepack.default" {
            if let (&[constant], &[output]) = (&node.args[..], &node.outputs[..]) {
                prepacked.insert(output, constant);
            }
            continue;
        }
        for output in &mut node.outputs {
            let Some(&constant) = prepacked.get(output) else { continue };
            let constant = match graph.values.by_id(constant) {
                Some(Value::Tensor(TensorValue { role: Role::Constant(constant) | Role::State(constant), .. })) => {
                    *constant
                }
                _ => continue,
            };
            let state = *output;
            let count = graph.values.len();
            let Some(Value::Tensor(tensor)) = graph.values.by_id_mut(state) else { continue };
            tensor.role = Role::State(constant);
            let computed = Value::Tensor(TensorValue { role: Role::Plain, ..tensor.clone() });
            *output = next_id(count)?;
            graph.values.push(computed);
            renamed.insert(state, *output);
        }
    }
    for output in &mut graph.outputs {
        if let Some(&new) = renamed.get(output) {
            *output = new;
        }
    }
    graph.updates = renamed.into_iter().collect();
    graph.updates.sort_unstable();
    // What became state has its first value from the constant, not from the prepack.
    let state = |id: &u32| graph.updates.iter().any(|update| update.0 == *id);
    graph.nodes.retain(|node| !(node.op.name == "et_vk.prepack.default" && node.outputs.iter().any(state)));
    Ok(())
}
