//! Linear layers and products of two matrices become `pteron.linear`, which other passes add to.

use pteron_ops::{Activation, Linear};

use super::rewrite::{Rewrite, literal, rewrite};
use super::uses::{Uses, number, optional, tensor};
use crate::graph::{Graph, Node};

/// Replaces every layer and product of floats.
pub(super) fn run(graph: &mut Graph) {
    rewrite(graph, |graph, _, at| {
        let arguments = plain(graph, &graph.nodes[at])?.write();
        Some(Rewrite { at, gone: Vec::new(), op: Linear::NAME, arguments, outputs: None })
    });
}

/// The layer that a node is, where it has taken in nothing yet.
pub(super) fn plain_layer(graph: &Graph, node: &Node) -> Option<Linear> {
    let layer = Linear::read(&node.args, &|id| literal(graph, id)).filter(|_| node.op.name == Linear::NAME)?;
    (layer.first.is_none() && layer.addend.is_none() && layer.last.is_none()).then_some(layer)
}

/// Replaces products of several matrices with one that was repeated for each of them. The exporter writes so what a linear layer
/// does with rows that lie apart in memory. It comes before anything computes the repeated weight.
pub(super) fn share_weights(graph: &mut Graph) {
    rewrite(graph, |graph, uses, at| {
        let (&[input, repeated], "aten.bmm.default") = (&graph.nodes[at].args[..], graph.nodes[at].op.name) else {
            return None;
        };
        let weight = repeated_matrix(graph, uses, repeated)?;
        let arguments = layer(graph, input, weight, None, true)?.write();
        Some(Rewrite { at, gone: Vec::new(), op: Linear::NAME, arguments, outputs: None })
    });
}

/// The matrix of which a value has copies only.
fn repeated_matrix(graph: &Graph, uses: &Uses, mut id: u32) -> Option<u32> {
    let shape = tensor(graph, id)?.shape;
    loop {
        let node = &graph.nodes[uses.producer(id)?];
        id = *node.args.first()?;
        let from = tensor(graph, id)?.shape;
        match node.op.name {
            "aten.view_copy.default" if from == shape => {}
            "aten.expand_copy.default" => return (*from == shape[1..]).then_some(id),
            _ => return None,
        }
    }
}

/// The layer that a node of a program is.
fn plain(graph: &Graph, node: &Node) -> Option<Linear> {
    let is_one = |id| number(graph, id) == Some(1.0);
    let (input, weight, bias, across) = match (node.op.name, &node.args[..]) {
        ("aten.linear.default", &[input, weight, bias]) => (input, weight, optional(graph, bias), false),
        ("aten.mm.default", &[input, weight]) => (input, weight, None, true),
        ("aten.addmm.default", &[bias, input, weight, beta, alpha]) if is_one(beta) && is_one(alpha) => {
            (input, weight, Some(bias), true)
        }
        _ => return None,
    };
    layer(graph, input, weight, bias, across)
}

/// A layer of floats that nothing follows yet.
fn layer(graph: &Graph, input: u32, weight: u32, bias: Option<u32>, across: bool) -> Option<Linear> {
    let (first, last) = (Activation::NONE, Activation::NONE);
    let is_float = tensor(graph, input)?.dtype.is_float();
    is_float.then_some(Linear { input, weight, bias, across, first, addend: None, last })
}
