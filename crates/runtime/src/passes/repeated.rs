//! What is computed again from the same values, such as the mask of each layer, is computed once.

use std::collections::HashMap;
use std::fmt::Write as _;

use pteron_ops::Body;

use super::epilogue::shows_all;
use super::rewrite::read_instead;
use super::uses::{Uses, constant, tensor};
use crate::graph::{Graph, Node, Value};

/// Lets readers of a repeated result read the first; the node that repeats it is for `prune`. It comes after passes that take a
/// node into its only reader, where repeating one costs nothing.
pub(super) fn run(graph: &mut Graph) {
    once(graph, &|_, _| true);
}

/// The same for views alone, so that nodes which read the same are seen to.
pub(super) fn views(graph: &mut Graph) {
    once(graph, &shows_all);
}

fn once(graph: &mut Graph, counts: &dyn Fn(&Graph, &Node) -> bool) {
    let uses = Uses::of(graph);
    let constants = first_equals(graph);
    let mut instead: HashMap<u32, u32> = HashMap::new();
    let mut seen: HashMap<String, &[u32]> = HashMap::new();
    for node in &graph.nodes {
        if !node.op.is_pure() {
            // What was computed before may have been of other contents.
            seen.clear();
        } else if is_repeatable(graph, &uses, node) && counts(graph, node) {
            let first = *seen.entry(description(graph, node, &instead, &constants)).or_insert(&node.outputs);
            instead.extend(node.outputs.iter().copied().zip(first.iter().copied()));
        }
    }
    read_instead(graph, &instead);
}

/// Whether a node gives the same each time that it is given the same, and nobody outside the graph sees which node gave it.
fn is_repeatable(graph: &Graph, uses: &Uses, node: &Node) -> bool {
    let plain = |&id: &u32| tensor(graph, id).is_some() && !uses.is_kept(id);
    matches!(node.op.body, Body::Tensor { .. }) && !node.op.is_random() && node.outputs.iter().all(plain)
}

/// For each constant the first that is the same. Those of several delegates are there several times.
fn first_equals(graph: &Graph) -> Vec<usize> {
    let mut first = HashMap::new();
    let same = |(number, constant)| *first.entry(constant).or_insert(number);
    graph.constants.iter().enumerate().map(same).collect()
}

/// All that a node's results depend on, as a text.
fn description(graph: &Graph, node: &Node, instead: &HashMap<u32, u32>, constants: &[usize]) -> String {
    let mut text = node.op.name.to_owned();
    let add = |text: &mut String, id: &u32| {
        let value = &graph.values[*id as usize];
        // A text takes every write.
        let _ = match (value, constant(graph, *id)) {
            (_, Some(number)) => write!(text, " constant {}", constants[number]),
            (Value::Tensor(_), None) => write!(text, " {}", instead.get(id).unwrap_or(id)),
            _ => write!(text, " {value:?}"),
        };
    };
    for id in &node.args {
        match &graph.values[*id as usize] {
            Value::List(items) => items.iter().for_each(|id| add(&mut text, id)),
            _ => add(&mut text, id),
        }
        text.push(',');
    }
    for &id in &node.outputs {
        let _ = write!(text, " {:?}", tensor(graph, id).map(|tensor| (tensor.dtype, tensor.shape)));
    }
    text
}

#[cfg(test)]
mod tests {
    use pteron_ops::catalogue;
    use pteron_tensor::{DType, Shape};

    use super::*;
    use crate::graph::{Role, TensorValue};
    use crate::passes::prune;

    /// Two layers, each with a mask of its own: exp(a · 2) and exp(a · `factor`), of which both are read by a sum.
    fn graph(factor: i64, outputs: Vec<u32>) -> Graph {
        let tensor =
            || Value::Tensor(TensorValue { dtype: DType::F32, shape: Shape::new(&[4]).unwrap(), role: Role::Plain });
        let node = |name: &str, args: &[u32], output| Node {
            id: output,
            op: catalogue::lookup(name).unwrap(),
            args: args.to_vec(),
            outputs: vec![output],
        };
        let mut values: Vec<_> = (0..6).map(|_| tensor()).collect();
        values.extend([Value::Int(2), Value::Int(factor), Value::Int(1)]);
        let mut graph = Graph {
            values,
            nodes: vec![
                node("aten.mul.Scalar", &[0, 6], 1),
                node("aten.exp.default", &[1], 2),
                node("aten.mul.Scalar", &[0, 7], 3),
                node("aten.exp.default", &[3], 4),
                node("aten.add.Tensor", &[2, 4, 8], 5),
            ],
            inputs: vec![0],
            outputs,
            ..Graph::default()
        };
        run(&mut graph);
        prune::run(&mut graph);
        graph
    }

    #[test]
    fn what_follows_from_the_same_is_computed_once() {
        let graph = graph(2, vec![5]);
        assert_eq!((graph.nodes.len(), &graph.nodes[2].args[..2]), (3, &[2, 2][..]));
    }

    #[test]
    fn other_numbers_and_results_that_others_see_stay() {
        assert_eq!(graph(3, vec![5]).nodes.len(), 5);
        assert_eq!(graph(2, vec![4, 5]).nodes.len(), 4, "the product is the same, and both exponentials are given");
    }
}
