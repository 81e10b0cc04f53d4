//! Who computes each value of a graph, and who reads it.

use crate::graph::{Graph, Node, Role, TensorValue, Value};

/// Who computes each value of a graph, and who reads it. It is outdated as soon as a node changes.
#[derive(Debug)]
pub(super) struct Uses {
    producers: Vec<Option<usize>>,
    readers: Vec<Vec<usize>>,
    /// Values that outlive the graph's run.
    kept: Vec<bool>,
}

impl Uses {
    pub(super) fn of(graph: &Graph) -> Uses {
        let count = graph.values.len();
        let mut uses =
            Uses { producers: vec![None; count], readers: vec![Vec::new(); count], kept: vec![false; count] };
        for (index, node) in graph.nodes.iter().enumerate() {
            for &id in &node.outputs {
                uses.producers[id as usize] = Some(index);
            }
            for id in items(graph, &node.args) {
                uses.readers[id as usize].push(index);
            }
        }
        let updates = graph.updates.iter().flat_map(|&(state, computed)| [state, computed]);
        for id in graph.outputs.iter().chain(&graph.inputs).copied().chain(updates) {
            uses.kept[id as usize] = true;
        }
        uses
    }

    /// The node that computes a value. A value that is newer than this has none.
    pub(super) fn producer(&self, id: u32) -> Option<usize> {
        self.producers.get(id as usize).copied().flatten()
    }

    /// Whether a value outlives the graph's run.
    pub(super) fn is_kept(&self, id: u32) -> bool {
        self.kept.get(id as usize).copied().unwrap_or(false)
    }

    /// The node that computes a value, if a node of this operator does.
    pub(super) fn made_by<'g>(&self, graph: &'g Graph, id: u32, op: &str) -> Option<(usize, &'g Node)> {
        let index = self.producer(id)?;
        let node = &graph.nodes[index];
        (node.op.name == op).then_some((index, node))
    }

    /// The nodes that read a value, each as often as it does.
    pub(super) fn readers(&self, id: u32) -> &[usize] {
        self.readers.get(id as usize).map_or(&[], Vec::as_slice)
    }

    /// Whether a value is read once in all, so that nobody misses it when that reader is gone.
    pub(super) fn is_read_once(&self, id: u32) -> bool {
        self.readers[id as usize].len() == 1 && !self.kept[id as usize]
    }

    /// Whether anything needs a value.
    pub(super) fn is_needed(&self, id: u32) -> bool {
        !self.readers[id as usize].is_empty() || self.kept[id as usize]
    }

    /// What a value is a view of where the view changes nothing and is all that reads it; the value itself otherwise.
    pub(super) fn behind_view(&self, graph: &Graph, id: u32) -> u32 {
        let Some((_, view)) = self.made_by(graph, id, "aten.view_copy.default") else { return id };
        match (tensor(graph, view.args[0]), tensor(graph, id)) {
            (Some(from), Some(to)) if from.shape == to.shape && self.is_read_once(view.args[0]) => view.args[0],
            _ => id,
        }
    }
}

/// A value that is a tensor.
pub(super) fn tensor(graph: &Graph, id: u32) -> Option<&TensorValue> {
    match graph.values.get(id as usize)? {
        Value::Tensor(tensor) => Some(tensor),
        _ => None,
    }
}

/// The constant that a value is, by its number.
pub(super) fn constant(graph: &Graph, id: u32) -> Option<usize> {
    match tensor(graph, id)?.role {
        Role::Constant(constant) => Some(constant),
        _ => None,
    }
}

/// Adds a value.
pub(super) fn push(graph: &mut Graph, value: Value) -> u32 {
    graph.values.push(value);
    u32::try_from(graph.values.len() - 1).unwrap_or(u32::MAX)
}

/// Values with those that they list.
pub(super) fn items<'g>(graph: &'g Graph, ids: &'g [u32]) -> impl Iterator<Item = u32> + 'g {
    let listed = |id: &'g u32| match &graph.values[*id as usize] {
        Value::List(items) => &items[..],
        _ => &[],
    };
    ids.iter().flat_map(move |id| std::iter::once(*id).chain(listed(id).iter().copied()))
}

/// The number that a value is.
pub(super) fn number(graph: &Graph, id: u32) -> Option<f64> {
    match graph.values.get(id as usize)? {
        Value::Int(value) => Some(*value as f64),
        Value::Double(value) => Some(*value),
        _ => None,
    }
}

/// A value, where it is not null.
pub(super) fn optional(graph: &Graph, id: u32) -> Option<u32> {
    (!matches!(graph.values.get(id as usize), Some(Value::Null) | None)).then_some(id)
}
