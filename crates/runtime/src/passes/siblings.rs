//! Linear layers of one input, such as those of queries, keys and values, become one with several outputs.

use super::linear::{self, Linear};
use super::uses::Uses;
use crate::graph::Graph;

/// Outputs that the operator can have.
const MOST: usize = 3;

pub(super) fn run(graph: &mut Graph) {
    let uses = Uses::of(graph);
    let mut gone = vec![false; graph.nodes.len()];
    for index in 0..graph.nodes.len() {
        let plain = |index: &usize| Linear::of(graph, &graph.nodes[*index]).filter(Linear::is_plain);
        let Some(first) = plain(&index).filter(|_| !gone[index]) else { continue };
        let mut siblings = uses.readers(first.input).to_vec();
        siblings.retain(|at| !gone[*at] && plain(at).is_some_and(|linear| linear.input == first.input));
        if siblings.len() < 2 || siblings.len() > MOST || siblings[0] != index {
            continue;
        }
        let layers: Vec<_> = siblings.iter().filter_map(plain).collect();
        let Some(joined) = linear::joined(graph, &layers) else { continue };
        let outputs = siblings.iter().flat_map(|&at| graph.nodes[at].outputs.clone()).collect();
        joined.replace(graph, index);
        graph.nodes[index].outputs = outputs;
        siblings[1..].iter().for_each(|&at| gone[at] = true);
    }
    super::drop_marked(graph, &gone);
}
