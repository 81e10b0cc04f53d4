//! State that a graph returns instead of keeping it.
//!
//! A buffer that a module changes is a constant of the graph, and its new contents are an output that nobody takes. Which
//! constant an output belongs to is written nowhere. It is taken for sure where one assignment alone lets the new contents
//! of every buffer depend on the old ones, where each buffer is read by one node, and where buffers and outputs come in the
//! same order.

use std::collections::HashSet;

use pteron_tensor::DType;

use super::ids::ById as _;
use crate::graph::{Graph, Node, Role, TensorValue, Value};

/// Makes constants of state that nothing changes. The exporter plans memory for what a pass of its own has computed from
/// parameters, as it does for what a graph writes.
pub(super) fn settle(graph: &mut Graph) {
    let written = |node: &Node| node.op.writes.iter().filter_map(|&at| node.args.get(at).copied()).collect::<Vec<_>>();
    let mut changed: HashSet<u32> = graph.nodes.iter().flat_map(written).collect();
    let is_state =
        |id: &u32| matches!(graph.values.by_id(*id), Some(Value::Tensor(TensorValue { role: Role::State(_), .. })));
    // What is changed through a view could be any of it.
    if !changed.iter().all(is_state) {
        return;
    }
    changed.extend(graph.updates.iter().map(|update| update.0));
    for (id, value) in (0u32..).zip(&mut graph.values) {
        if let Value::Tensor(TensorValue { role, .. }) = value
            && let Role::State(constant) = *role
            && !changed.contains(&id)
        {
            *role = Role::Constant(constant);
        }
    }
}

/// The most buffers that a graph returns: as many as a mask has bits.
pub(super) const MOST: usize = u128::BITS as usize;

/// The state of the first `returned` outputs: pairs of a value that is state and its new contents. There is none where
/// that is not sure.
pub(super) fn find(graph: &Graph, returned: usize) -> Option<Vec<(u32, u32)>> {
    let outputs = graph.outputs.get(..returned)?;
    let buffers = buffers(graph);
    let mut states: Vec<(u32, u32)> = Vec::with_capacity(returned);
    for &output in outputs {
        let of_its_kind = |id: &u32| kind(graph, *id) == kind(graph, output);
        if states.iter().any(|state| of_its_kind(&state.1)) {
            continue;
        }
        let outputs: Vec<u32> = outputs.iter().copied().filter(of_its_kind).collect();
        let buffers: Vec<Buffer> = buffers.iter().copied().filter(|buffer| of_its_kind(&buffer.value)).collect();
        states.extend(assign(graph, &buffers, &outputs)?);
    }
    Some(states)
}

/// Makes values state, and takes their new contents out of the outputs.
pub(super) fn keep(graph: &mut Graph, states: &[(u32, u32)]) {
    let states_of = |node: &Node| node.outputs.iter().any(|id| states.iter().any(|state| state.0 == *id));
    for node in graph.nodes.iter().filter(|node| states_of(node)) {
        let constant = node.args.first().and_then(|&id| graph.values.by_id(id));
        let Some(&Value::Tensor(TensorValue { role: Role::Constant(constant), .. })) = constant else { continue };
        for &id in &node.outputs {
            if let Some(Value::Tensor(tensor)) = graph.values.by_id_mut(id) {
                tensor.role = Role::Constant(constant);
            }
        }
    }
    graph.nodes.retain(|node| !states_of(node));
    for &(state, _) in states {
        if let Some(Value::Tensor(tensor)) = graph.values.by_id_mut(state)
            && let Role::Constant(constant) = tensor.role
        {
            tensor.role = Role::State(constant);
        }
    }
    graph.outputs.drain(..states.len().min(graph.outputs.len()));
    for (position, _) in &mut graph.numbers {
        *position = position.saturating_sub(states.len());
    }
    graph.updates.extend_from_slice(states);
    graph.updates.sort_unstable();
}

/// A constant that may be the first contents of a buffer.
#[derive(Clone, Copy)]
struct Buffer {
    /// What nodes read: the constant, or the output of the prepack that alone reads it.
    value: u32,
    /// How many nodes do.
    readers: usize,
}

/// The constants that nodes read, in the order of the file.
fn buffers(graph: &Graph) -> Vec<Buffer> {
    let mut readers = vec![0usize; graph.values.len()];
    let mut packed = vec![None; graph.values.len()];
    for node in &graph.nodes {
        for id in read(graph, node) {
            if let Some(readers) = readers.by_id_mut(id) {
                *readers = readers.saturating_add(1);
            }
        }
        if let ("et_vk.prepack.default", &[constant], &[output]) = (node.op.name, &node.args[..], &node.outputs[..]) {
            packed.by_id_mut(constant).into_iter().for_each(|packed| *packed = Some(output));
        }
    }
    let constant = |id: u32| matches!(tensor(graph, id), Some(TensorValue { role: Role::Constant(_), .. }));
    let readers = |id: u32| readers.by_id(id).copied().unwrap_or(0);
    let ids = (0u32..).take(graph.values.len()).filter(|&id| constant(id) && readers(id) > 0);
    ids.map(|id| match packed.by_id(id).copied().flatten() {
        Some(value) if readers(id) == 1 => Buffer { value, readers: readers(value) },
        _ => Buffer { value: id, readers: readers(id) },
    })
    .collect()
}

/// The buffer of each output, all of one type and shape.
fn assign(graph: &Graph, buffers: &[Buffer], outputs: &[u32]) -> Option<Vec<(u32, u32)>> {
    if buffers.len() > MOST {
        return None;
    }
    let computed = |id: &u32| matches!(tensor(graph, *id), Some(TensorValue { role: Role::Plain, .. }));
    let depends = dependencies(graph, buffers);
    // For each output the buffers that are left to it, and the number of the one that it has.
    let masks = outputs.iter().map(|&output| depends.by_id(output).copied().unwrap_or(0));
    let mut open: Vec<(u128, Option<u32>)> = masks.map(|mask| (mask, None)).collect();
    // An output that can belong to one buffer only leaves that to no other.
    while let Some((mask, chosen)) = open.iter_mut().find(|(mask, chosen)| chosen.is_none() && mask.count_ones() == 1) {
        let buffer = *mask;
        *chosen = Some(buffer.trailing_zeros());
        open.iter_mut().for_each(|(mask, _)| *mask &= !buffer);
    }
    let numbers: Vec<u32> = open.into_iter().map(|(_, chosen)| chosen).collect::<Option<_>>()?;
    let chosen: Vec<&Buffer> = numbers.iter().map(|&number| buffers.by_id(number)).collect::<Option<_>>()?;
    let sure = numbers.is_sorted() && chosen.iter().all(|buffer| buffer.readers == 1) && outputs.iter().all(computed);
    sure.then(|| chosen.iter().zip(outputs).map(|(buffer, &output)| (buffer.value, output)).collect())
}

/// For each value the buffers that it is computed from, as a mask.
fn dependencies(graph: &Graph, buffers: &[Buffer]) -> Vec<u128> {
    let mut masks = vec![0u128; graph.values.len()];
    for (at, buffer) in (0u32..).zip(buffers) {
        if let (Some(mask), Some(bit)) = (masks.by_id_mut(buffer.value), 1u128.checked_shl(at)) {
            *mask |= bit;
        }
    }
    for node in &graph.nodes {
        let mask = read(graph, node).fold(0, |mask, id| mask | masks.by_id(id).copied().unwrap_or(0));
        for &output in &node.outputs {
            if let Some(known) = masks.by_id_mut(output) {
                *known |= mask;
            }
        }
    }
    masks
}

/// What a node reads, with what is in lists.
fn read<'g>(graph: &'g Graph, node: &'g Node) -> impl Iterator<Item = u32> + 'g {
    let items = |id: &'g u32| match graph.values.by_id(*id) {
        Some(Value::List(items)) => items.as_slice(),
        _ => std::slice::from_ref(id),
    };
    node.args.iter().flat_map(items).copied()
}

fn tensor(graph: &Graph, id: u32) -> Option<&TensorValue> {
    match graph.values.by_id(id) {
        Some(Value::Tensor(tensor)) => Some(tensor),
        _ => None,
    }
}

/// What a buffer and its new contents have in common.
fn kind(graph: &Graph, id: u32) -> Option<(DType, &[usize])> {
    tensor(graph, id).map(|tensor| (tensor.dtype, tensor.shape.dims()))
}

#[cfg(test)]
mod tests {
    use pteron_ops::catalogue;
    use pteron_tensor::Shape;

    use super::*;

    #[test]
    fn state_that_nothing_changes_is_constant() {
        let state = |constant| {
            let shape = Shape::new(&[2]).unwrap();
            Value::Tensor(TensorValue { dtype: DType::F32, shape, role: Role::State(constant) })
        };
        let op = catalogue::lookup("aten.neg.default").unwrap();
        let mut graph = Graph {
            values: vec![state(0), state(1), state(2)],
            nodes: vec![Node { id: 0, op, args: vec![0], outputs: vec![2] }],
            updates: vec![(1, 2)],
            ..Graph::default()
        };
        settle(&mut graph);
        let roles = graph.values.iter().map(|value| match value {
            Value::Tensor(tensor) => tensor.role,
            _ => Role::Plain,
        });
        assert_eq!(roles.collect::<Vec<_>>()[..2], [Role::Constant(0), Role::State(1)]);
    }
}
