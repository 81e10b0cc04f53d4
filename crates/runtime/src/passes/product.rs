//! Linear layers and products of two matrices become `pteron.linear`, which other passes add to.

use pteron_ops::{Activation, Linear};

use super::rewrite::{Rewrite, rewrite};
use super::uses::{number, optional, tensor};
use crate::graph::{Graph, Node};

/// Replaces every layer and product of floats.
pub(super) fn run(graph: &mut Graph) {
    rewrite(graph, |graph, _, at| {
        let arguments = plain(graph, &graph.nodes[at])?.write();
        Some(Rewrite { at, gone: Vec::new(), op: Linear::NAME, arguments, outputs: None })
    });
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
    let (first, last) = (Activation::NONE, Activation::NONE);
    let is_float = tensor(graph, input)?.dtype.is_float();
    is_float.then_some(Linear { input, weight, bias, across, first, addend: None, last })
}
