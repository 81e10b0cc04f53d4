//! An RMS norm that only linear layers read becomes part of them.

use pteron_ops::Q4Linear;

use super::linear::{layer_of, replaced};
use super::rewrite::{Rewrite, rewrite};
use super::uses::{Uses, tensor};
use crate::graph::Graph;

pub(super) fn run(graph: &mut Graph) {
    rewrite(graph, normalized);
}

/// The layer at `index` with the norm that gives its input.
fn normalized(graph: &mut Graph, uses: &Uses, index: usize) -> Option<Rewrite> {
    let layer = layer_of(graph, &graph.nodes[index]).filter(|layer| layer.norm.is_none())?;
    let (norm, node) = uses.made_by(graph, layer.input, "et_vk.rms_norm.default")?;
    let &[input, weight, epsilon] = &node.args[..] else { return None };
    let [from, by, to] = [input, weight, layer.input].map(|id| tensor(graph, id).map(|tensor| tensor.dtype));
    let normalized = Q4Linear { input, norm: Some(weight), epsilon: Some(epsilon), ..layer };
    (from == by && from == to).then(|| replaced(normalized, index, vec![norm]))
}
