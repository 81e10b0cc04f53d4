//! A sum with the output of a linear layer becomes part of the layer.

use super::linear::Linear;
use super::uses::{Uses, tensor};
use crate::graph::{Graph, Value};

pub(super) fn run(graph: &mut Graph) {
    let uses = Uses::of(graph);
    let mut gone = vec![false; graph.nodes.len()];
    for index in 0..graph.nodes.len() {
        if let Some((layer, linear)) = fused(graph, &uses, index) {
            linear.replace(graph, index);
            gone[layer] = true;
        }
    }
    super::drop_marked(graph, &gone);
}

/// The layer whose output a node adds to something of the same shape, and the layer with that sum.
fn fused(graph: &Graph, uses: &Uses, index: usize) -> Option<(usize, Linear)> {
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
        let (layer, producer) = uses.made_by(graph, made, super::linear::NAME)?;
        let linear = Linear::of(graph, producer).filter(Linear::is_plain)?;
        let (added, summed) = (tensor(graph, addend)?, tensor(graph, made)?);
        let fits = added.shape == output.shape && summed.shape == output.shape && added.dtype == summed.dtype;
        let free = uses.is_read_once(sum) && uses.is_read_once(made) && addend != sum;
        (fits && free && added.dtype == output.dtype).then_some((layer, Linear { addend: Some(addend), ..linear }))
    })
}
