//! Linear layers with 4-bit weights become `pteron.q4_linear`, which the other passes add to.

use std::sync::Arc;

use pteron_ops::{Q4Linear, is_regular_q4_linear};
use pteron_tensor::Shape;

use super::rewrite::{Rewrite, literal, rewrite};
use super::uses::{constant, push, tensor};
use crate::graph::{Constant, DataRef, Graph, Joined, Node, Role, TensorValue, Value};

/// Replaces every layer that the operator takes.
pub(super) fn run(graph: &mut Graph) {
    rewrite(graph, |graph, _, index| Some(replaced(plain(graph, &graph.nodes[index])?, index, Vec::new())));
}

/// The layer in the place of a node, with nodes that go.
pub(super) fn replaced(layer: Q4Linear, at: usize, gone: Vec<usize>) -> Rewrite {
    Rewrite { at, gone, op: Q4Linear::NAME, arguments: layer.write(), outputs: None }
}

fn plain(graph: &Graph, node: &Node) -> Option<Q4Linear> {
    let &[input, weight, scales, group_size, bias] = &node.args[..] else { return None };
    let Value::Int(size) = graph.values[group_size as usize] else { return None };
    let unbiased = matches!(graph.values[bias as usize], Value::Null);
    let columns = tensor(graph, weight)?.shape.first().copied()?;
    let whole = tensor(graph, input)?.shape.last().copied()? * columns == tensor(graph, weight)?.shape.numel() * 2
        && tensor(graph, scales)?.shape.last().copied()? == columns;
    let regular = is_regular_q4_linear(&tensor(graph, weight)?.shape, size, tensor(graph, input)?.dtype);
    (node.op.name == "et_vk.linear_q4gsw.default" && unbiased && whole && regular).then_some(Q4Linear {
        input,
        norm: None,
        epsilon: None,
        weight,
        scales,
        group_size,
        widths: vec![i64::try_from(columns).ok()?],
        gated: false,
        addend: None,
    })
}

/// The layer that a node is.
pub(super) fn layer_of(graph: &Graph, node: &Node) -> Option<Q4Linear> {
    if node.op.name != Q4Linear::NAME {
        return None;
    }
    Q4Linear::read(&node.args, |id| literal(graph, id))
}

/// The layer that a node is where nothing was fused into it yet.
pub(super) fn plain_layer_of(graph: &Graph, node: &Node) -> Option<Q4Linear> {
    layer_of(graph, node)
        .filter(|layer| layer.norm.is_none() && layer.addend.is_none() && !layer.gated && layer.widths.len() == 1)
}

/// One layer with the columns of several after each other, or nothing where their constants do not allow it.
pub(super) fn joined(graph: &mut Graph, layers: &[Q4Linear]) -> Option<Q4Linear> {
    let first = layers.first()?;
    let weights: Vec<_> = layers.iter().map(|layer| constant(graph, layer.weight)).collect::<Option<_>>()?;
    let scales: Vec<_> = layers.iter().map(|layer| constant(graph, layer.scales)).collect::<Option<_>>()?;
    let alike = |ids: &[usize]| {
        let kind = |&id: &usize| (graph.constants[id].stored, graph.constants[id].dtype);
        ids.iter().all(|id| kind(id) == kind(&ids[0]))
    };
    let group = |layer: &Q4Linear| match graph.values[layer.group_size as usize] {
        Value::Int(size) => Some(size),
        _ => None,
    };
    let same = layers.iter().all(|layer| layer.input == first.input && group(layer) == group(first));
    if !same || !alike(&weights) || !alike(&scales) {
        return None;
    }
    let (weight, scales) = (side_by_side(graph, &weights, 0)?, side_by_side(graph, &scales, 1)?);
    let widths = layers.iter().flat_map(|layer| layer.widths.iter().copied()).collect();
    Some(Q4Linear { weight, scales, widths, ..first.clone() })
}

/// A constant made of matrices that follow each other along a dimension.
fn side_by_side(graph: &mut Graph, ids: &[usize], dim: usize) -> Option<u32> {
    let constants: Vec<Constant> = ids.iter().map(|&id| graph.constants[id].clone()).collect();
    let first = constants.first()?;
    let shapes: Vec<Shape> = constants.iter().map(|constant| constant.shape).collect();
    if shapes.iter().any(|shape| shape.rank() != 2 || shape[1 - dim] != shapes[0][1 - dim]) {
        return None;
    }
    let shape = shapes[0].with(dim, shapes.iter().map(|shape| shape[dim]).sum()).ok()?;
    // Along the rows they simply follow each other; along the columns, row by row.
    let rows = if dim == 0 { 1 } else { shape[0] as u64 };
    let part = |constant: &Constant| {
        let bytes = constant.shape.numel() as u64 * constant.stored.size() as u64;
        (constant.data.clone(), bytes.checked_div(rows).unwrap_or(0))
    };
    let parts = constants.iter().map(part).collect();
    let joined = Constant { data: DataRef::Joined(Arc::new(Joined { rows, parts })), shape, ..first.clone() };
    let tensor = TensorValue { dtype: joined.dtype, shape, role: Role::Constant(graph.constants.len()) };
    graph.constants.push(joined);
    Some(push(graph, Value::Tensor(tensor)))
}
