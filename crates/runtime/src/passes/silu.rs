//! A product with the sigmoid of the same value becomes one operator.

use pteron_ops::Argument;

use super::rewrite::{Rewrite, rewrite};
use super::uses::{Uses, tensor};
use crate::graph::{Graph, Role, TensorValue};

pub(super) fn run(graph: &mut Graph) {
    rewrite(graph, swish);
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
