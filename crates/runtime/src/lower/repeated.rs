//! Results that a call names more often than its graph.
//!
//! The exporter lists every tensor of a graph's outputs once: first the new contents of buffers that the graph changes, then
//! the results, each where it occurs first. A tensor that is returned twice, or that is a buffer too, is there once, and the
//! call has an argument for each. Which arguments are the same tensor is written nowhere; it is taken for sure where types and
//! sizes leave one way.

use pteron_ops::catalogue;

use super::ids::{ById as _, next_id};
use crate::error::{Error, Result};
use crate::graph::{Graph, Node, Role, TensorValue, Value};

/// The graph's output for each of `count` arguments, where `returned` outputs come before as contents of buffers and one way
/// alone fits. `fits` says whether the argument at a place can be an output.
pub(super) fn find(
    graph: &Graph,
    returned: usize,
    count: usize,
    fits: impl Fn(usize, u32) -> bool,
) -> Option<Vec<u32>> {
    let new = graph.outputs.len().checked_sub(returned)?;
    if count <= new {
        return None;
    }
    let fits = &fits;
    // What an argument can be when so many outputs were named before: one of them again, or the next.
    let again = |at: usize, named: usize| {
        let before = graph.outputs.get(..returned.saturating_add(named)).unwrap_or_default();
        before.iter().copied().filter(move |&output| fits(at, output)).collect::<Vec<_>>()
    };
    let next = |at: usize, named: usize| {
        let output = graph.outputs.get(returned.saturating_add(named)).copied();
        output.filter(|&output| fits(at, output))
    };
    // By the outputs that were named before, for the arguments from some place on: none, one, or two for several ways. The
    // last argument's row comes first.
    let mut ways: Vec<Vec<usize>> = vec![(0..=new).map(|named| usize::from(named == new)).collect()];
    let way = |row: Option<&Vec<usize>>, named: usize| row.and_then(|row| row.get(named)).copied().unwrap_or(0);
    for at in (0..count).rev() {
        let after = ways.last();
        let row = (0..=new).map(|named| {
            let repeated = again(at, named).len().saturating_mul(way(after, named));
            let first = next(at, named).map_or(0, |_| way(after, named.saturating_add(1)));
            repeated.saturating_add(first).min(2)
        });
        let row = row.collect();
        ways.push(row);
    }
    if way(ways.pop().as_ref(), 0) != 1 {
        return None;
    }
    let (mut chosen, mut named) = (Vec::with_capacity(count), 0usize);
    for at in 0..count {
        let after = ways.pop();
        let output = match next(at, named) {
            Some(output) if way(after.as_ref(), named.saturating_add(1)) > 0 => {
                named = named.saturating_add(1);
                output
            }
            _ => *again(at, named).first()?,
        };
        chosen.push(output);
    }
    Some(chosen)
}

/// Gives a graph these outputs. One that is there already, or that a buffer takes over, is copied.
pub(super) fn give(graph: &mut Graph, chosen: &[u32]) -> Result<()> {
    let clone = catalogue::lookup("aten.clone.default");
    let clone = clone.ok_or_else(|| Error::Program("there is no operator that copies a tensor".to_owned()))?;
    let mut outputs: Vec<u32> = Vec::with_capacity(chosen.len());
    for &output in chosen {
        let taken = outputs.contains(&output) || graph.updates.iter().any(|update| update.1 == output);
        let Some(Value::Tensor(tensor)) = graph.values.by_id(output).filter(|_| taken) else {
            outputs.push(output);
            continue;
        };
        let copied = TensorValue { role: Role::Plain, ..tensor.clone() };
        let format = next_id(graph.values.len())?;
        graph.values.push(Value::Null);
        let copy = next_id(graph.values.len())?;
        graph.values.push(Value::Tensor(copied));
        let id = graph.nodes.last().map_or(0, |node| node.id);
        graph.nodes.push(Node { id, op: clone, args: vec![output, format], outputs: vec![copy] });
        outputs.push(copy);
    }
    graph.outputs = outputs;
    Ok(())
}
