//! Finds an RMS norm in its parts, as programs for XNNPACK have it, and puts `et_vk.rms_norm` in its place.

use pteron_ops::Argument;

use super::constants;
use super::rewrite::{Rewrite, rewrite};
use super::uses::{Uses, constant, number, optional, tensor};
use crate::graph::{Graph, Node, Value};

const ADD: &str = "aten.add.Tensor";
const MUL: &str = "aten.mul.Tensor";

/// Replaces every norm.
pub(super) fn run(graph: &mut Graph) {
    rewrite(graph, normalized);
}

/// `x · rsqrt(mean(x · x) + epsilon) · weight` at the node of the last product.
fn normalized(graph: &mut Graph, uses: &Uses, index: usize) -> Option<Rewrite> {
    let output = tensor(graph, *graph.nodes[index].outputs.first()?)?;
    let width = *output.shape.last()?;
    let is_weight = |id: u32| constant(graph, id).is_some() && tensor(graph, id).is_some_and(|w| *w.shape == [width]);
    let (scaled, weight) = either(&graph.nodes[index], MUL, |_, weight| is_weight(weight))?;
    let (scaled_at, product) = uses.made_by(graph, scaled, MUL)?;
    let root = |id: u32| uses.made_by(graph, id, "aten.rsqrt.default");
    let (input, factor) = either(product, MUL, |_, factor| root(factor).is_some())?;
    let (root_at, node) = root(factor)?;
    let (sum_at, sum) = uses.made_by(graph, *node.args.first()?, ADD)?;
    if sum.args.get(2).is_some_and(|&alpha| optional(graph, alpha).is_some_and(|id| number(graph, id) != Some(1.0))) {
        return None;
    }
    let (mean, epsilon) = either(sum, ADD, |_, epsilon| constants::scalar(graph, epsilon).is_some())?;
    let (mean_at, mean) = uses.made_by(graph, mean, "aten.mean.dim")?;
    let &[squares, dims, kept, ..] = &mean.args[..] else { return None };
    let rank = i64::try_from(output.shape.rank()).ok()?;
    let last = matches!(&graph.values[dims as usize], Value::Ints(dims) if dims[..] == [-1] || dims[..] == [rank - 1]);
    let kept = matches!(graph.values[kept as usize], Value::Bool(true));
    let (squares_at, squares) = uses.made_by(graph, squares, MUL)?;
    let given = tensor(graph, input)?;
    let alike = given.shape == output.shape && given.dtype == output.dtype;
    let same_type = tensor(graph, weight)?.dtype == given.dtype;
    if squares.args[..2] != [input, input] || !last || !kept || !alike || !same_type {
        return None;
    }
    Some(Rewrite {
        at: index,
        gone: vec![scaled_at, root_at, sum_at, mean_at, squares_at],
        op: "et_vk.rms_norm.default",
        arguments: vec![
            Argument::Value(input),
            Argument::Value(weight),
            Argument::Double(constants::scalar(graph, epsilon)?),
        ],
        outputs: None,
    })
}

/// The operands of a node of two, in the order that fits.
fn either(node: &Node, op: &str, fits: impl Fn(u32, u32) -> bool) -> Option<(u32, u32)> {
    let &[left, right, ..] = &node.args[..] else { return None };
    let orders = [(left, right), (right, left)];
    (node.op.name == op).then(|| orders.into_iter().find(|&(one, other)| fits(one, other)))?
}
