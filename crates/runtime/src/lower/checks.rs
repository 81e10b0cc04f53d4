//! What must hold for a program before it is planned.

use pteron_ops::Body;
use pteron_ops::sym::SymId;

use super::ids::ById as _;
use crate::error::{Error, Result, Unsupported, UnsupportedNode};
use crate::graph::{Graph, Node, ProgramValue, Role, Step, Value};
use crate::types;

/// Refuses what looks at the memory of a tensor that is in another order in memory than it is here.
pub(super) fn check_memory_orders(method: &str, values: &[ProgramValue], steps: &[Step]) -> Result<()> {
    let permuted = |id: &u32| matches!(values.by_id(*id), Some(ProgramValue::Tensor(tensor)) if tensor.is_permuted());
    let mut nodes = Vec::new();
    for step in steps {
        let op = match step {
            Step::View { from, to } if permuted(from) || permuted(to) => "view",
            Step::Kernel { op, args, .. } if op.reads_memory_order() && args.iter().any(permuted) => op.name,
            _ => continue,
        };
        let reason = "its tensor has its dimensions stored in another order".to_owned();
        nodes.push(UnsupportedNode { at: format!("method {method}"), op: op.to_owned(), reason });
    }
    if nodes.is_empty() { Ok(()) } else { Err(Unsupported { nodes }.into()) }
}

/// Checks that the types which the program declares for a delegate's inputs and outputs become those of its graph.
pub(super) fn check_call_types(values: &[ProgramValue], steps: &[Step], graphs: &[Graph]) -> Result<()> {
    let declared = |id: u32| match values.by_id(id) {
        Some(ProgramValue::Tensor(tensor)) => Some(tensor.dtype),
        _ => None,
    };
    for step in steps {
        let Step::Delegate { index, inputs, outputs, .. } = step else { continue };
        let Some(graph) = graphs.get(*index) else { continue };
        let computed = |id: u32| match graph.values.by_id(id) {
            Some(Value::Tensor(tensor)) => Some(tensor.dtype),
            _ => None,
        };
        for (number, (&id, &input)) in inputs.iter().zip(&graph.inputs).enumerate() {
            if let (Some(program), Some(device)) = (declared(id), computed(input))
                && types::converts(program, device).is_err()
            {
                let name = &graph.name;
                let what = format!("input {number} of {name} is {device}, and the program declares it as {program}");
                return Err(Error::Program(what));
            }
        }
        for (&id, &output) in outputs.iter().zip(&graph.outputs) {
            if let (Some(program), Some(device)) = (declared(id), computed(output)) {
                types::check_output(device, program)?;
            }
        }
    }
    Ok(())
}

/// Checks that every value is computed once, before it is used, and by an operator that can compute it.
pub(super) fn check_order(graph: &Graph) -> Result<()> {
    let mut ready: Vec<bool> = graph
        .values
        .iter()
        .map(|value| match value {
            Value::Tensor(tensor) => tensor.role != Role::Plain,
            Value::Sym(_) => false,
            _ => true,
        })
        .collect();
    let fail = |node: &Node, what: String| {
        Err(Error::Program(format!("node {} of {} ({}): {what}", node.id, graph.name, node.op.name)))
    };
    for &input in &graph.inputs {
        match (graph.values.by_id(input), ready.by_id_mut(input)) {
            (Some(Value::Tensor(tensor)), Some(ready)) if tensor.role == Role::Plain => *ready = true,
            _ => return Err(Error::Program(format!("input value {input} of {} is no plain tensor", graph.name))),
        }
    }
    for node in &graph.nodes {
        for &arg in &node.args {
            let items = match graph.values.by_id(arg) {
                Some(Value::List(items)) => items.as_slice(),
                _ => &[arg],
            };
            if let Some(unready) = items.iter().find(|&&item| ready.by_id(item) != Some(&true)) {
                return fail(node, format!("value {unready} is used before it is computed"));
            }
        }
        for &output in &node.outputs {
            let symbolic = matches!(node.op.body, Body::Symbolic(_));
            let fits = match graph.values.by_id(output) {
                Some(Value::Tensor(tensor)) => !symbolic && tensor.role == Role::Plain,
                Some(Value::Sym(_)) => symbolic,
                _ => false,
            };
            match ready.by_id_mut(output) {
                Some(ready) if fits && !*ready => *ready = true,
                _ => return fail(node, format!("value {output} is no output that it can compute")),
            }
        }
    }
    let computed = |symbol: SymId| {
        let is_it = |(value, ready): (&Value, &bool)| *ready && matches!(value, Value::Sym(id) if *id == symbol);
        graph.values.iter().zip(&ready).any(is_it)
    };
    if let Some((position, _)) = graph.numbers.iter().find(|number| !computed(number.1)) {
        return Err(Error::Program(format!("output {position} of {} is a number that is not computed", graph.name)));
    }
    let is_tensor =
        |id: u32| ready.by_id(id) == Some(&true) && matches!(graph.values.by_id(id), Some(Value::Tensor(_)));
    match graph.outputs.iter().find(|&&output| !is_tensor(output)) {
        Some(output) => Err(Error::Program(format!("output value {output} of {} is no computed tensor", graph.name))),
        None => Ok(()),
    }
}
