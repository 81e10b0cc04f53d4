//! Replacing nodes by one node, with the checks that every replacement needs.

use std::collections::HashMap;

use pteron_ops::{Argument, OpDef, ValueId, catalogue};

use super::uses::{Uses, items, push};
use crate::graph::{Graph, Role, Value};

/// A node that takes the place of another and makes more nodes superfluous.
pub(super) struct Rewrite {
    /// The node whose place it takes, with its outputs unless others are given.
    pub(super) at: usize,
    /// Nodes that go.
    pub(super) gone: Vec<usize>,
    pub(super) op: &'static str,
    pub(super) arguments: Vec<Argument>,
    /// What it computes, where that is more than the node at its place did.
    pub(super) outputs: Option<Vec<ValueId>>,
}

/// Applies what `find` proposes for each node, until it proposes nothing that is sound.
///
/// A proposal is refused where somebody else would miss a value, or where the new node would read a value before it is
/// computed or after something else has written to its memory. `find` may add values to the graph.
pub(super) fn rewrite(graph: &mut Graph, find: impl Fn(&mut Graph, &Uses, usize) -> Option<Rewrite>) {
    while pass(graph, &find) {}
}

/// Looks at every node once; whether anything was replaced.
fn pass(graph: &mut Graph, find: &dyn Fn(&mut Graph, &Uses, usize) -> Option<Rewrite>) -> bool {
    let uses = Uses::of(graph);
    let count = graph.nodes.len();
    let mut gone = vec![false; count];
    // What a replacement was made of or reads stays as `uses` knows it until the next look.
    let (mut touched, mut needed) = (vec![false; count], vec![false; count]);
    let mut changed = false;
    for index in 0..count {
        if touched[index] {
            continue;
        }
        let Some(rewrite) = find(graph, &uses, index) else { continue };
        let Some(op) = catalogue::lookup(rewrite.op) else { continue };
        let free = !touched[rewrite.at] && rewrite.gone.iter().all(|&node| !touched[node] && !needed[node]);
        if !free || !rewrite.is_sound(graph, &uses) {
            continue;
        }
        rewrite.gone.iter().for_each(|&node| gone[node] = true);
        for node in rewrite.nodes() {
            touched[node] = true;
        }
        for value in rewrite.values(graph) {
            if let Some(producer) = uses.producer(value) {
                needed[producer] = true;
            }
        }
        rewrite.apply(graph, op);
        changed = true;
    }
    let mut marks = gone.into_iter();
    graph.nodes.retain(|_| !marks.next().unwrap_or(false));
    changed
}

impl Rewrite {
    /// The nodes that it is made of.
    fn nodes(&self) -> impl Iterator<Item = usize> {
        std::iter::once(self.at).chain(self.gone.iter().copied())
    }

    /// The values that the new node reads, with those that they list.
    fn values(&self, graph: &Graph) -> Vec<ValueId> {
        let ids: Vec<ValueId> = self
            .arguments
            .iter()
            .filter_map(|argument| match argument {
                Argument::Value(id) => Some(*id),
                _ => None,
            })
            .collect();
        items(graph, &ids).collect()
    }

    fn is_sound(&self, graph: &Graph, uses: &Uses) -> bool {
        self.leaves_nothing_missing(graph, uses)
            && self.values(graph).into_iter().all(|id| self.is_computed(uses, id) && self.is_unchanged(graph, uses, id))
    }

    /// Whether nobody else reads what is not computed any more, or reads what is before the new node computes it.
    fn leaves_nothing_missing(&self, graph: &Graph, uses: &Uses) -> bool {
        let mine = |node: usize| self.nodes().any(|own| own == node);
        let kept = self.outputs.as_deref().unwrap_or(&graph.nodes[self.at].outputs);
        self.nodes().flat_map(|node| &graph.nodes[node].outputs).all(|&output| {
            let readers = uses.readers(output);
            if kept.contains(&output) {
                readers.iter().all(|&reader| reader > self.at || mine(reader))
            } else {
                !uses.is_kept(output) && readers.iter().all(|&reader| mine(reader))
            }
        })
    }

    /// Whether a value is there when the new node runs.
    fn is_computed(&self, uses: &Uses, id: ValueId) -> bool {
        uses.producer(id).is_none_or(|producer| producer < self.at && !self.gone.contains(&producer))
    }

    /// Whether a value is the same at the new node's place as where the nodes that go read it.
    fn is_unchanged(&self, graph: &Graph, uses: &Uses, id: ValueId) -> bool {
        if matches!(&graph.values[id as usize], Value::Tensor(tensor) if matches!(tensor.role, Role::Constant(_))) {
            return true;
        }
        let places = self.nodes().filter(|&node| items(graph, &graph.nodes[node].args).any(|read| read == id));
        let (first, last) = places.fold((self.at, self.at), |(first, last), node| (first.min(node), last.max(node)));
        (first + 1..last).filter(|node| !self.nodes().any(|own| own == *node)).all(|between| {
            let node = &graph.nodes[between];
            let written = node.op.writes.iter().filter_map(|&argument| node.args.get(argument));
            node.op.is_pure() || written.copied().all(|written| !may_share_memory(graph, uses, written, id))
        })
    }

    fn apply(self, graph: &mut Graph, op: &'static OpDef) {
        let args = self.arguments.into_iter().map(|argument| value_of(graph, argument)).collect();
        let node = &mut graph.nodes[self.at];
        node.op = op;
        node.args = args;
        if let Some(outputs) = self.outputs {
            node.outputs = outputs;
        }
    }
}

/// Whether two values may lie in the same memory. An operator that gives a view of its argument has one tensor only.
fn may_share_memory(graph: &Graph, uses: &Uses, a: ValueId, b: ValueId) -> bool {
    match (origin(graph, uses, a), origin(graph, uses, b)) {
        (Some(a), Some(b)) => a == b,
        _ => true,
    }
}

/// The first value that this one may be a view of; nothing where that cannot be told.
fn origin(graph: &Graph, uses: &Uses, mut id: ValueId) -> Option<ValueId> {
    while let Some(producer) = uses.producer(id) {
        let node = &graph.nodes[producer];
        if !node.op.is_pure() {
            return None;
        }
        let mut tensors = items(graph, &node.args).filter(|&id| super::uses::tensor(graph, id).is_some());
        match (tensors.next(), tensors.next()) {
            (Some(only), None) => id = only,
            _ => return Some(id),
        }
    }
    Some(id)
}

/// Lets nodes read other values in the place of some.
pub(super) fn read_instead(graph: &mut Graph, instead: &HashMap<u32, u32>) {
    let new = |id: &mut u32| *id = instead.get(id).copied().unwrap_or(*id);
    for node in &mut graph.nodes {
        node.args.iter_mut().for_each(new);
    }
    for value in &mut graph.values {
        if let Value::List(items) = value {
            items.iter_mut().for_each(new);
        }
    }
}

/// The value that an argument is, which is added where it is not there.
pub(super) fn value_of(graph: &mut Graph, argument: Argument) -> ValueId {
    match argument {
        Argument::Value(id) => id,
        Argument::Null => push(graph, Value::Null),
        Argument::Ints(items) => push(graph, Value::Ints(items)),
        Argument::Bool(value) => push(graph, Value::Bool(value)),
        Argument::Double(value) => push(graph, Value::Double(value)),
        Argument::Str(text) => push(graph, Value::Str(text)),
    }
}

/// What a value stands for where it is no tensor.
pub(super) fn literal(graph: &Graph, id: ValueId) -> Argument {
    match &graph.values[id as usize] {
        Value::Null => Argument::Null,
        Value::Ints(items) => Argument::Ints(items.clone()),
        Value::Bool(value) => Argument::Bool(*value),
        Value::Double(value) => Argument::Double(*value),
        Value::Str(text) => Argument::Str(text.clone()),
        _ => Argument::Value(id),
    }
}
