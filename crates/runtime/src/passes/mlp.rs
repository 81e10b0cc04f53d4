//! Gated linear layers and the one layer that reads them become one operator, which hands numbers on in its own form.

use pteron_ops::catalogue;

use super::linear::{self, Linear};
use super::uses::{Uses, push};
use crate::graph::{Graph, Value};

pub(super) fn run(graph: &mut Graph) {
    let Some(op) = catalogue::lookup("pteron.q4_mlp.default") else { return };
    let uses = Uses::of(graph);
    let mut gone = vec![false; graph.nodes.len()];
    for index in 0..graph.nodes.len() {
        let single = |linear: &Linear| linear.norm.is_none() && !linear.gated && linear.widths.len() == 1;
        let Some(down) = Linear::of(graph, &graph.nodes[index]).filter(single) else { continue };
        let Some((first, node)) = uses.made_by(graph, down.input, linear::NAME) else { continue };
        let Some(gated) = Linear::of(graph, node).filter(|linear| linear.gated) else { continue };
        if !uses.is_read_once(down.input) {
            continue;
        }
        let null = push(graph, Value::Null);
        let (norm, epsilon) = gated.norm.unwrap_or((null, null));
        let node = &mut graph.nodes[index];
        node.op = op;
        node.args = vec![gated.input, norm, epsilon, gated.weight, gated.scales, gated.group_size];
        node.args.extend([down.weight, down.scales, down.group_size, down.addend.unwrap_or(null)]);
        gone[first] = true;
    }
    super::drop_marked(graph, &gone);
}
