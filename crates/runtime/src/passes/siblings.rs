//! Linear layers of one input, such as those of queries, keys and values, become one with several outputs.

use super::linear::{self, plain_layer_of};
use super::rewrite::{Rewrite, rewrite};
use super::uses::Uses;
use crate::graph::Graph;

/// Outputs that the operator can have.
const MOST: usize = 3;

pub(super) fn run(graph: &mut Graph) {
    rewrite(graph, joined);
}

/// The layers that read what the one at `index` reads, as one in its place.
fn joined(graph: &mut Graph, uses: &Uses, index: usize) -> Option<Rewrite> {
    let input = plain_layer_of(graph, &graph.nodes[index])?.input;
    let layer = |graph: &Graph, at: usize| plain_layer_of(graph, &graph.nodes[at]).filter(|layer| layer.input == input);
    let mut siblings = uses.readers(input).to_vec();
    siblings.retain(|&at| layer(graph, at).is_some());
    if siblings.len() < 2 || siblings.len() > MOST || siblings[0] != index {
        return None;
    }
    let layers: Vec<_> = siblings.iter().filter_map(|&at| layer(graph, at)).collect();
    let joined = linear::joined(graph, &layers)?;
    let outputs = siblings.iter().flat_map(|&at| graph.nodes[at].outputs.iter().copied()).collect();
    Some(Rewrite { outputs: Some(outputs), ..linear::replaced(joined, index, siblings[1..].to_vec()) })
}
