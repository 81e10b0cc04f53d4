//! gate · sigmoid(gate) · factor, where two linear layers of one input give gate and factor, becomes one layer.

use super::linear::{self, Linear};
use super::uses::{Uses, tensor};
use crate::graph::{Graph, Node};

const MUL: &str = "aten.mul.Tensor";

pub(super) fn run(graph: &mut Graph) {
    let uses = Uses::of(graph);
    let mut gone = vec![false; graph.nodes.len()];
    for index in 0..graph.nodes.len() {
        let Some(Gated { gate, factor, nodes }) = gated(graph, &uses, index) else { continue };
        let width = gate.widths.clone();
        if let Some(joined) = linear::joined(graph, &[gate, factor]) {
            Linear { widths: width, gated: true, ..joined }.replace(graph, index);
            nodes.into_iter().for_each(|node| gone[node] = true);
        }
    }
    super::drop_marked(graph, &gone);
}

/// Two layers that a product brings together, and the nodes that are not needed any more.
struct Gated {
    gate: Linear,
    factor: Linear,
    nodes: Vec<usize>,
}

fn gated(graph: &Graph, uses: &Uses, index: usize) -> Option<Gated> {
    let [left, right] = factors(&graph.nodes[index])?;
    [(left, right), (right, left)].into_iter().find_map(|(activated, factor)| {
        let (silu_at, silu) = uses.made_by(graph, activated, MUL)?;
        let [a, b] = factors(silu)?;
        let (gate, sigmoid_at) = [(a, b), (b, a)].into_iter().find_map(|(gate, sigmoid)| {
            let (at, node) = uses.made_by(graph, sigmoid, "aten.sigmoid.default")?;
            (node.args[..] == [gate] && uses.is_read_once(sigmoid)).then_some((gate, at))
        })?;
        if !uses.is_read_once(activated) || uses.readers(gate).len() != 2 || uses.readers(factor).len() != 1 {
            return None;
        }
        let layer = |id: u32| {
            let made = uses.behind_view(graph, id);
            let (at, node) = uses.made_by(graph, made, linear::NAME)?;
            let linear = Linear::of(graph, node).filter(Linear::is_plain)?;
            let alone = made == id || uses.is_read_once(made);
            (alone && tensor(graph, made)?.shape == tensor(graph, graph.nodes[index].outputs[0])?.shape)
                .then_some((at, linear))
        };
        let ((gate_at, gate), (factor_at, factor)) = (layer(gate)?, layer(factor)?);
        (gate.widths == factor.widths).then(|| Gated {
            gate,
            factor,
            nodes: vec![silu_at, sigmoid_at, gate_at, factor_at],
        })
    })
}

/// The operands of a product.
fn factors(node: &Node) -> Option<[u32; 2]> {
    match node.args[..] {
        [left, right] if node.op.name == MUL => Some([left, right]),
        _ => None,
    }
}
