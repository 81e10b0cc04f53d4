//! Activations that the exporter took apart become one operator: a product with the sigmoid of the same value, and the
//! bounds of a sum, divided.

use pteron_ops::Argument;

use super::constants;
use super::rewrite::{Rewrite, rewrite};
use super::uses::{Uses, number, tensor};
use crate::graph::{Graph, Node, Role, TensorValue};

pub(super) fn run(graph: &mut Graph) {
    rewrite(graph, swish);
    rewrite(graph, hardsigmoid);
}

/// `clamp(x + 3, 0, 6) / 6` at the node of the quotient.
fn hardsigmoid(graph: &mut Graph, uses: &Uses, index: usize) -> Option<Rewrite> {
    let node = &graph.nodes[index];
    let known = |id: u32| number(graph, id).or_else(|| constants::scalar(graph, id));
    let before = |id: u32| uses.producer(id).filter(|_| uses.is_read_once(id));
    let (&[bounded, divisor], "aten.div.Tensor" | "aten.div.Scalar") = (&node.args[..], node.op.name) else {
        return None;
    };
    let (mut value, mut gone, mut bounds) = (bounded, Vec::new(), [f64::NEG_INFINITY, f64::INFINITY]);
    let sum = loop {
        let at = before(value)?;
        gone.push(at);
        let producer = &graph.nodes[at];
        let Some([low, high]) = limits(graph, producer) else { break producer };
        bounds = [bounds[0].max(low), bounds[1].min(high)];
        value = *producer.args.first()?;
    };
    let (&[input, shift, ref alpha @ ..], "aten.add.Tensor" | "aten.add.Scalar") = (&sum.args[..], sum.op.name) else {
        return None;
    };
    let once = alpha.first().is_none_or(|&id| number(graph, id).is_none_or(|factor| factor == 1.0));
    let alike = |id: u32| tensor(graph, id).map(|&TensorValue { dtype, shape, .. }| (dtype, shape));
    let same = alike(input) == alike(*node.outputs.first()?) && alike(input)?.0.is_float();
    let numbers = [known(shift)?, bounds[0], bounds[1], known(divisor)?];
    (once && same && numbers == [3.0, 0.0, 6.0, 6.0]).then(|| Rewrite {
        at: index,
        gone,
        op: "aten.hardsigmoid.default",
        arguments: vec![Argument::Value(input)],
        outputs: None,
    })
}

/// The bounds that a node keeps its argument within.
fn limits(graph: &Graph, node: &Node) -> Option<[f64; 2]> {
    let bound = |at: usize, absent: f64| node.args.get(at).map_or(absent, |&id| number(graph, id).unwrap_or(absent));
    match node.op.name {
        "aten.clamp.default" | "aten.hardtanh.default" => Some([bound(1, f64::NEG_INFINITY), bound(2, f64::INFINITY)]),
        "aten.relu.default" => Some([0.0, f64::INFINITY]),
        _ => None,
    }
}

/// `x · sigmoid(x)` at the node of the product.
fn swish(graph: &mut Graph, uses: &Uses, index: usize) -> Option<Rewrite> {
    let node = &graph.nodes[index];
    let (&[left, right], &[output]) = (&node.args[..], &node.outputs[..]) else { return None };
    if node.op.name != "aten.mul.Tensor" {
        return None;
    }
    [(left, right), (right, left)].into_iter().find_map(|(value, gate)| {
        let (sigmoid, producer) = uses.made_by(graph, gate, "aten.sigmoid.default")?;
        let alike = |id: u32| tensor(graph, id).map(|&TensorValue { dtype, shape, .. }| (dtype, shape));
        let plain = tensor(graph, value)?.role == Role::Plain;
        let same = producer.args[..] == [value] && alike(value) == alike(output) && alike(value)?.0.is_float();
        (same && plain && uses.is_read_once(gate)).then(|| Rewrite {
            at: index,
            gone: vec![sigmoid],
            op: "aten.silu.default",
            arguments: vec![Argument::Value(value)],
            outputs: None,
        })
    })
}
