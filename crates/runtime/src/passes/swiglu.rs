//! gate · sigmoid(gate) · factor, where two linear layers of one input give gate and factor, becomes one layer.

use pteron_ops::Q4Linear;

use super::linear::{self, plain_layer_of, replaced};
use super::rewrite::rewrite;
use super::uses::{Uses, tensor};
use crate::graph::{Graph, Node};

const MUL: &str = "aten.mul.Tensor";

pub(super) fn run(graph: &mut Graph) {
    rewrite(graph, |graph, uses, index| {
        let Gated { gate, factor, nodes } = gated(graph, uses, index)?;
        let widths = gate.widths.clone();
        let joined = linear::joined(graph, &[gate, factor])?;
        Some(replaced(Q4Linear { widths, gated: true, ..joined }, index, nodes))
    });
}

/// Two layers that a product brings together, and the nodes that are not needed any more.
struct Gated {
    gate: Q4Linear,
    factor: Q4Linear,
    nodes: Vec<usize>,
}

fn gated(graph: &Graph, uses: &Uses, index: usize) -> Option<Gated> {
    let [left, right] = factors(&graph.nodes[index])?;
    let shape = tensor(graph, *graph.nodes[index].outputs.first()?)?.shape;
    [(left, right), (right, left)].into_iter().find_map(|(activated, factor)| {
        let (silu_at, silu) = uses.made_by(graph, activated, MUL)?;
        let [a, b] = factors(silu)?;
        let (gate, sigmoid_at) = [(a, b), (b, a)].into_iter().find_map(|(gate, sigmoid)| {
            let (at, node) = uses.made_by(graph, sigmoid, "aten.sigmoid.default")?;
            (node.args[..] == [gate]).then_some((gate, at))
        })?;
        let mut nodes = vec![silu_at, sigmoid_at];
        let mut layer = |id: u32| {
            let made = uses.behind_view(graph, id);
            if made != id {
                nodes.push(uses.producer(id)?);
            }
            let (at, node) = uses.made_by(graph, made, Q4Linear::NAME)?;
            nodes.push(at);
            plain_layer_of(graph, node).filter(|_| tensor(graph, made).is_some_and(|made| made.shape == shape))
        };
        let (gate, factor) = (layer(gate)?, layer(factor)?);
        (gate.widths == factor.widths).then_some(Gated { gate, factor, nodes })
    })
}

/// The operands of a product.
fn factors(node: &Node) -> Option<[u32; 2]> {
    match node.args[..] {
        [left, right] if node.op.name == MUL => Some([left, right]),
        _ => None,
    }
}
