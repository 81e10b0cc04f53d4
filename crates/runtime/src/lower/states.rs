//! State that a graph returns instead of keeping it.
//!
//! A buffer that a module changes is a constant of the graph, and its new contents are an output that nobody takes. Which
//! constant an output belongs to is written nowhere. It is taken for sure where one assignment alone lets the new contents
//! of every buffer depend on the old ones, where each buffer is read by one node, and where buffers and outputs come in the
//! same order.

use pteron_tensor::DType;

use crate::graph::{Graph, Node, Role, TensorValue, Value};

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
        let constant = node.args.first().map(|&id| &graph.values[id as usize]);
        let Some(&Value::Tensor(TensorValue { role: Role::Constant(constant), .. })) = constant else { continue };
        for &id in &node.outputs {
            if let Value::Tensor(tensor) = &mut graph.values[id as usize] {
                tensor.role = Role::Constant(constant);
            }
        }
    }
    graph.nodes.retain(|node| !states_of(node));
    for &(state, _) in states {
        if let Value::Tensor(tensor) = &mut graph.values[state as usize]
            && let Role::Constant(constant) = tensor.role
        {
            tensor.role = Role::State(constant);
        }
    }
    graph.outputs.drain(..states.len());
    for (position, _) in &mut graph.numbers {
        *position -= states.len();
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
            readers[id as usize] += 1;
        }
        if let ("et_vk.prepack.default", &[constant], &[output]) = (node.op.name, &node.args[..], &node.outputs[..]) {
            packed[constant as usize] = Some(output);
        }
    }
    let constant = |id: u32| matches!(tensor(graph, id), Some(TensorValue { role: Role::Constant(_), .. }));
    let ids = (0u32..).take(graph.values.len()).filter(|&id| constant(id) && readers[id as usize] > 0);
    ids.map(|id| match packed[id as usize] {
        Some(value) if readers[id as usize] == 1 => Buffer { value, readers: readers[value as usize] },
        _ => Buffer { value: id, readers: readers[id as usize] },
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
    let mut open: Vec<u128> = outputs.iter().map(|&output| depends[output as usize]).collect();
    let mut chosen: Vec<Option<usize>> = vec![None; outputs.len()];
    // An output that can belong to one buffer only leaves that to no other.
    while let Some(forced) = (0..outputs.len()).find(|&at| chosen[at].is_none() && open[at].count_ones() == 1) {
        let buffer = open[forced];
        chosen[forced] = Some(buffer.trailing_zeros() as usize);
        open.iter_mut().for_each(|open| *open &= !buffer);
    }
    let chosen: Vec<usize> = chosen.into_iter().collect::<Option<_>>()?;
    let sure = chosen.is_sorted() && chosen.iter().all(|&at| buffers[at].readers == 1) && outputs.iter().all(computed);
    sure.then(|| chosen.iter().zip(outputs).map(|(&at, &output)| (buffers[at].value, output)).collect())
}

/// For each value the buffers that it is computed from, as a mask.
fn dependencies(graph: &Graph, buffers: &[Buffer]) -> Vec<u128> {
    let mut masks = vec![0u128; graph.values.len()];
    for (at, buffer) in buffers.iter().enumerate() {
        masks[buffer.value as usize] |= 1 << at;
    }
    for node in &graph.nodes {
        let mask = read(graph, node).fold(0, |mask, id| mask | masks[id as usize]);
        for &output in &node.outputs {
            masks[output as usize] |= mask;
        }
    }
    masks
}

/// What a node reads, with what is in lists.
fn read<'g>(graph: &'g Graph, node: &'g Node) -> impl Iterator<Item = u32> + 'g {
    let items = |id: &'g u32| match &graph.values[*id as usize] {
        Value::List(items) => &items[..],
        _ => std::slice::from_ref(id),
    };
    node.args.iter().flat_map(items).copied()
}

fn tensor(graph: &Graph, id: u32) -> Option<&TensorValue> {
    match &graph.values[id as usize] {
        Value::Tensor(tensor) => Some(tensor),
        _ => None,
    }
}

/// What a buffer and its new contents have in common.
fn kind(graph: &Graph, id: u32) -> Option<(DType, &[usize])> {
    tensor(graph, id).map(|tensor| (tensor.dtype, tensor.shape.dims()))
}
