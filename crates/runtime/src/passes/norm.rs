//! An RMS norm that only linear layers read becomes part of them.

use super::linear::Linear;
use super::uses::{Uses, tensor};
use crate::graph::Graph;

pub(super) fn run(graph: &mut Graph) {
    let uses = Uses::of(graph);
    let mut gone = vec![false; graph.nodes.len()];
    for index in 0..graph.nodes.len() {
        let Some(linear) = Linear::of(graph, &graph.nodes[index]).filter(|linear| linear.norm.is_none()) else {
            continue;
        };
        let Some((norm, node)) = uses.made_by(graph, linear.input, "et_vk.rms_norm.default") else { continue };
        let &[input, weight, epsilon] = &node.args[..] else { continue };
        let alike = [input, weight, linear.input].map(|id| tensor(graph, id).map(|tensor| tensor.dtype));
        if uses.is_read_once(linear.input) && alike[0] == alike[1] && alike[0] == alike[2] {
            Linear { input, norm: Some((weight, epsilon)), ..linear }.replace(graph, index);
            gone[norm] = true;
        }
    }
    super::drop_marked(graph, &gone);
}
