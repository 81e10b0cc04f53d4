//! Linear layers with 4-bit weights become `pteron.q4_linear`, which the other passes add to.

use std::sync::Arc;

use pteron_ops::{catalogue, is_regular_q4_linear};
use pteron_tensor::Shape;

use super::uses::{constant, push, tensor};
use crate::graph::{Constant, DataRef, Graph, Joined, Node, Role, TensorValue, Value};

pub(super) const NAME: &str = "pteron.q4_linear.default";

/// The arguments of a `pteron.q4_linear` node.
#[derive(Clone, Debug)]
pub(super) struct Linear {
    pub(super) input: u32,
    /// Weight and epsilon of a norm.
    pub(super) norm: Option<(u32, u32)>,
    pub(super) weight: u32,
    pub(super) scales: u32,
    pub(super) group_size: u32,
    /// Columns of each output.
    pub(super) widths: Vec<i64>,
    pub(super) gated: bool,
    pub(super) addend: Option<u32>,
}

/// Replaces every layer that the operator takes.
pub(super) fn run(graph: &mut Graph) {
    for index in 0..graph.nodes.len() {
        if let Some(linear) = plain(graph, &graph.nodes[index]) {
            linear.replace(graph, index);
        }
    }
}

fn plain(graph: &Graph, node: &Node) -> Option<Linear> {
    let &[input, weight, scales, group_size, bias] = &node.args[..] else { return None };
    let Value::Int(size) = graph.values[group_size as usize] else { return None };
    let unbiased = matches!(graph.values[bias as usize], Value::Null);
    let columns = tensor(graph, weight)?.shape.first().copied()?;
    let whole = tensor(graph, input)?.shape.last().copied()? * columns == tensor(graph, weight)?.shape.numel() * 2
        && tensor(graph, scales)?.shape.last().copied()? == columns;
    let regular = is_regular_q4_linear(&tensor(graph, weight)?.shape, size, tensor(graph, input)?.dtype);
    (node.op.name == "et_vk.linear_q4gsw.default" && unbiased && whole && regular).then_some(Linear {
        input,
        norm: None,
        weight,
        scales,
        group_size,
        widths: vec![i64::try_from(columns).ok()?],
        gated: false,
        addend: None,
    })
}

impl Linear {
    /// The arguments of a node of this operator.
    pub(super) fn of(graph: &Graph, node: &Node) -> Option<Linear> {
        if node.op.name != NAME {
            return None;
        }
        let &[input, norm, epsilon, weight, scales, group_size, widths, gated, addend] = &node.args[..] else {
            return None;
        };
        let given = |id: u32| !matches!(graph.values[id as usize], Value::Null);
        let Value::Ints(widths) = &graph.values[widths as usize] else { return None };
        let Value::Bool(gated) = graph.values[gated as usize] else { return None };
        Some(Linear {
            input,
            norm: given(norm).then_some((norm, epsilon)),
            weight,
            scales,
            group_size,
            widths: widths.clone(),
            gated,
            addend: given(addend).then_some(addend),
        })
    }

    /// Whether nothing was fused into it yet.
    pub(super) fn is_plain(&self) -> bool {
        self.norm.is_none() && self.addend.is_none() && !self.gated && self.widths.len() == 1
    }

    /// Makes a node this operator. Its outputs stay.
    pub(super) fn replace(self, graph: &mut Graph, index: usize) {
        let Some(op) = catalogue::lookup(NAME) else { return };
        let null = push(graph, Value::Null);
        let widths = push(graph, Value::Ints(self.widths));
        let gated = push(graph, Value::Bool(self.gated));
        let (norm, epsilon) = self.norm.unwrap_or((null, null));
        let addend = self.addend.unwrap_or(null);
        let node = &mut graph.nodes[index];
        node.op = op;
        node.args = vec![self.input, norm, epsilon, self.weight, self.scales, self.group_size, widths, gated, addend];
    }
}

/// One layer with the columns of several after each other, or nothing where their constants do not allow it.
pub(super) fn joined(graph: &mut Graph, layers: &[Linear]) -> Option<Linear> {
    let first = layers.first()?;
    let weights: Vec<_> = layers.iter().map(|layer| constant(graph, layer.weight)).collect::<Option<_>>()?;
    let scales: Vec<_> = layers.iter().map(|layer| constant(graph, layer.scales)).collect::<Option<_>>()?;
    let alike = |ids: &[usize]| {
        let kind = |&id: &usize| (graph.constants[id].stored, graph.constants[id].dtype);
        ids.iter().all(|id| kind(id) == kind(&ids[0]))
    };
    let group = |layer: &Linear| match graph.values[layer.group_size as usize] {
        Value::Int(size) => Some(size),
        _ => None,
    };
    let same = layers.iter().all(|layer| layer.input == first.input && group(layer) == group(first));
    if !same || !alike(&weights) || !alike(&scales) {
        return None;
    }
    let (weight, scales) = (side_by_side(graph, &weights, 0)?, side_by_side(graph, &scales, 1)?);
    let widths = layers.iter().flat_map(|layer| layer.widths.iter().copied()).collect();
    Some(Linear { weight, scales, widths, ..first.clone() })
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
