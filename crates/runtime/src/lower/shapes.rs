//! Gives outputs of delegates the shapes that the program declares for them.
//!
//! The exporter's passes drop operators at the end of a graph that only add or remove sizes of 1, and leave the program as
//! it was, so that instructions on the host would see another rank than they were made for.

use pteron_ops::catalogue;
use pteron_tensor::Shape;

use super::ids::{ById as _, next_id};
use crate::error::{Error, Result};
use crate::graph::{Graph, Node, ProgramValue, Role, Step, TensorValue, Value};

/// Puts back what is missing at the end of graphs that are called once.
pub(super) fn restore(steps: &[Step], values: &[ProgramValue], graphs: &mut [Graph]) -> Result<()> {
    for (index, graph) in graphs.iter_mut().enumerate() {
        let call = |step: &&Step| matches!(step, Step::Delegate { index: called, .. } if *called == index);
        let mut calls = steps.iter().filter(call);
        let (Some(Step::Delegate { outputs, .. }), None) = (calls.next(), calls.next()) else { continue };
        for (number, &id) in outputs.iter().enumerate() {
            if let Some(ProgramValue::Tensor(declared)) = values.by_id(id) {
                restore_output(graph, number, &declared.shape)?;
            }
        }
    }
    Ok(())
}

/// Adds views to a graph until an output has the declared sizes, where it differs from them in sizes of 1.
fn restore_output(graph: &mut Graph, number: usize, declared: &Shape) -> Result<()> {
    let output = graph.outputs.get(number).and_then(|&id| graph.values.by_id(id));
    let Some(Value::Tensor(tensor)) = output else { return Ok(()) };
    let given = tensor.shape;
    let long = |shape: &Shape| shape.iter().copied().filter(|&size| size != 1).collect::<Vec<_>>();
    if given.rank() == declared.rank() || long(&given) != long(declared) {
        return Ok(());
    }
    let places =
        |shape: &Shape| shape.iter().enumerate().filter(|size| *size.1 == 1).map(|size| size.0 as i64).collect();
    let short: Vec<i64> = places(&given);
    view(graph, number, "aten.squeeze_copy.dims", Value::Ints(short), Shape::new(&long(&given))?)?;
    let mut sizes = long(&given);
    for place in places(declared) {
        sizes.insert(usize::try_from(place).unwrap_or(sizes.len()).min(sizes.len()), 1);
        view(graph, number, "aten.unsqueeze_copy.default", Value::Int(place), Shape::new(&sizes)?)?;
    }
    Ok(())
}

/// Makes an output a view of what it was.
fn view(graph: &mut Graph, number: usize, op: &str, argument: Value, shape: Shape) -> Result<()> {
    let op = catalogue::lookup(op).ok_or_else(|| Error::Program(format!("there is no {op}")))?;
    let Some(output) = graph.outputs.get_mut(number) else { return Ok(()) };
    let from = *output;
    let Some(Value::Tensor(tensor)) = graph.values.by_id(from) else { return Ok(()) };
    let viewed = Value::Tensor(TensorValue { dtype: tensor.dtype, shape, role: Role::Plain });
    let first = next_id(graph.values.len())?;
    let second = next_id(graph.values.len().saturating_add(1))?;
    graph.values.extend([argument, viewed]);
    let id = graph.nodes.last().map_or(0, |node| node.id);
    graph.nodes.push(Node { id, op, args: vec![from, first], outputs: vec![second] });
    *output = second;
    Ok(())
}
