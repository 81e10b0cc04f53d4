//! A sum with the output of a linear layer becomes part of the layer.

use pteron_ops::Q4Linear;

use super::linear::{plain_layer_of, replaced};
use super::rewrite::{Rewrite, rewrite};
use super::uses::{Uses, tensor};
use crate::graph::{Graph, Value};

pub(super) fn run(graph: &mut Graph) {
    rewrite(graph, summed);
}

/// The layer whose output the node at `index` adds to something of the same shape, with that sum.
fn summed(graph: &mut Graph, uses: &Uses, index: usize) -> Option<Rewrite> {
    let node = &graph.nodes[index];
    let &[left, right, ref alpha @ ..] = &node.args[..] else { return None };
    let once = match alpha {
        [] => true,
        [alpha, ..] => match graph.values[*alpha as usize] {
            Value::Null | Value::Int(1) => true,
            Value::Double(factor) => factor == 1.0,
            _ => false,
        },
    };
    if node.op.name != "aten.add.Tensor" || !once {
        return None;
    }
    let output = tensor(graph, *node.outputs.first()?)?;
    [(left, right), (right, left)].into_iter().find_map(|(addend, sum)| {
        let made = uses.behind_view(graph, sum);
        let (layer, producer) = uses.made_by(graph, made, Q4Linear::NAME)?;
        let linear = plain_layer_of(graph, producer)?;
        let (added, summed) = (tensor(graph, addend)?, tensor(graph, made)?);
        let fits = added.shape == output.shape && summed.shape == output.shape && added.dtype == summed.dtype;
        // The view goes with what it shows.
        let gone = if made == sum { vec![layer] } else { vec![uses.producer(sum)?, layer] };
        (fits && addend != sum && added.dtype == output.dtype)
            .then(|| replaced(Q4Linear { addend: Some(addend), ..linear }, index, gone))
    })
}
