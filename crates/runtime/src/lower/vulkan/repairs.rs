//! What a serialized graph says in its own way, put as graphs here have it.

use pteron_ops::catalogue;
use pteron_ops::sym::SymId;
use pteron_tensor::{DType, Shape};

use super::super::ids::{ById as _, next_id};
use crate::error::Result;
use crate::graph::{Graph, Node, Role, TensorValue, Value};

/// Gives outputs the types that their operators compute, where the file is known to declare others.
pub(super) fn correct_types(graph: &mut Graph) {
    for node in &graph.nodes {
        let typed_like = node.op.typed_like.and_then(|index| node.args.get(index));
        let Some(Value::Tensor(TensorValue { dtype, .. })) = typed_like.and_then(|&id| graph.values.by_id(id)) else {
            continue;
        };
        let dtype = *dtype;
        for &output in &node.outputs {
            if let Some(Value::Tensor(tensor @ TensorValue { role: Role::Plain, .. })) = graph.values.by_id_mut(output)
            {
                tensor.dtype = dtype;
            }
        }
    }
}

/// Takes the symbolic integers out of a graph's outputs, with where they stood.
pub(super) fn take_numbers(values: &[Value], outputs: &mut Vec<u32>) -> Vec<(usize, SymId)> {
    let symbolic = |(position, &id): (usize, &u32)| match values.by_id(id) {
        Some(&Value::Sym(symbol)) => Some((position, symbol)),
        _ => None,
    };
    let numbers = outputs.iter().enumerate().filter_map(symbolic).collect();
    outputs.retain(|&id| !matches!(values.by_id(id), Some(Value::Sym(_))));
    numbers
}

/// Turns every input that is a symbolic integer into a tensor of one element, which a first node reads.
pub(super) fn read_symbolic_inputs(graph: &mut Graph) -> Result<()> {
    let Some(op) = catalogue::lookup("et_vk.select_as_symint.default") else { return Ok(()) };
    let mut reads = Vec::new();
    for input in &mut graph.inputs {
        if !matches!(graph.values.by_id(*input), Some(Value::Sym(_))) {
            continue;
        }
        let tensor = next_id(graph.values.len())?;
        let zero = next_id(graph.values.len().saturating_add(1))?;
        let shape = Shape::new(&[1])?;
        graph.values.push(Value::Tensor(TensorValue { dtype: DType::I32, shape, role: Role::Plain }));
        graph.values.push(Value::Int(0));
        reads.push(Node { id: 0, op, args: vec![tensor, zero, zero], outputs: vec![*input] });
        *input = tensor;
    }
    graph.nodes.splice(0..0, reads);
    Ok(())
}
