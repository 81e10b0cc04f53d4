//! Gated linear layers and the one layer that reads them become one operator, which hands numbers on in its own form.

use pteron_ops::{Q4Linear, Q4Mlp};

use super::linear::layer_of;
use super::rewrite::{Rewrite, rewrite};
use super::uses::Uses;
use crate::graph::Graph;

pub(super) fn run(graph: &mut Graph) {
    rewrite(graph, both);
}

/// The layer at `index` and the gated ones that give its input.
fn both(graph: &mut Graph, uses: &Uses, index: usize) -> Option<Rewrite> {
    let single = |layer: &Q4Linear| layer.norm.is_none() && !layer.gated && layer.widths.len() == 1;
    // A row is rounded by its range, which no workgroup of the gated layers knows.
    let exact = |layer: &Q4Linear| layer.rounding.is_none();
    let down = layer_of(graph, &graph.nodes[index]).filter(single).filter(exact)?;
    let (first, node) = uses.made_by(graph, down.input, Q4Linear::NAME)?;
    let gated = layer_of(graph, node).filter(|layer| layer.gated && exact(layer))?;
    let both = Q4Mlp {
        input: gated.input,
        norm: gated.norm,
        epsilon: gated.epsilon,
        weight: gated.weight,
        scales: gated.scales,
        group_size: gated.group_size,
        down_weight: down.weight,
        down_scales: down.scales,
        down_group_size: down.group_size,
        addend: down.addend,
    };
    Some(Rewrite { at: index, gone: vec![first], op: Q4Mlp::NAME, arguments: both.write(), outputs: None })
}
