//! Activations that a module or the exporter wrote in parts become one operator: a product with the sigmoid of the same value, the
//! bounds of a sum, divided, and what approximates a gelu by a tanh.

use pteron_ops::Argument;

use super::constants;
use super::rewrite::{Rewrite, rewrite};
use super::uses::{Uses, number, tensor};
use crate::graph::{Graph, Node, Role, TensorValue};

pub(super) fn run(graph: &mut Graph) {
    rewrite(graph, swish);
    rewrite(graph, hardsigmoid);
    rewrite(graph, gelu);
}

/// Nodes that alone read what the one before them gives, from the last to the first.
struct Parts<'a> {
    graph: &'a Graph,
    uses: &'a Uses,
    found: Vec<usize>,
}

impl<'a> Parts<'a> {
    /// The arguments of the node of an operator that gives a value which is read once.
    fn made_by(&mut self, id: u32, op: &str) -> Option<&'a [u32]> {
        let (at, node) = self.uses.made_by(self.graph, id, op).filter(|_| self.uses.is_read_once(id))?;
        self.found.push(at);
        Some(&node.args)
    }

    /// What a value is a multiple of, or more than, by a number.
    fn beside(&mut self, id: u32, op: &str, wanted: f64) -> Option<u32> {
        let args = ["Tensor", "Scalar"].iter().find_map(|kind| self.made_by(id, &format!("aten.{op}.{kind}")))?;
        let &[left, right, ref alpha @ ..] = args else { return None };
        let known = |id: u32| number(self.graph, id).or_else(|| constants::scalar(self.graph, id));
        // What is written with fewer digits, or rounded to 32 bits, is meant.
        let is_wanted = |id: u32| known(id).is_some_and(|it| (it - wanted).abs() <= 1e-6 * wanted);
        let once = alpha.iter().all(|&id| known(id).is_none_or(|factor| factor == 1.0));
        let other = [(left, right), (right, left)].into_iter().find(|&(_, number)| is_wanted(number));
        other.map(|(other, _)| other).filter(|_| once)
    }
}

/// `0.5 · x · (1 + tanh(√(2/π) · (x + 0.044715 · x³)))` at the node of the last product.
fn gelu(graph: &mut Graph, uses: &Uses, index: usize) -> Option<Rewrite> {
    let node = &graph.nodes[index];
    let (&[left, right], "aten.mul.Tensor") = (&node.args[..], node.op.name) else { return None };
    let (input, found) = [(left, right), (right, left)].into_iter().find_map(|(half, curve)| {
        let mut parts = Parts { graph, uses, found: Vec::new() };
        let input = parts.beside(half, "mul", 0.5)?;
        let tanh = parts.beside(curve, "add", 1.0)?;
        let &[scaled] = parts.made_by(tanh, "aten.tanh.default")? else { return None };
        let sum = parts.beside(scaled, "mul", std::f64::consts::FRAC_2_SQRT_PI * std::f64::consts::FRAC_1_SQRT_2)?;
        let &[one, other, ref alpha @ ..] = parts.made_by(sum, "aten.add.Tensor")? else { return None };
        let once = alpha.iter().all(|&id| number(graph, id).is_none_or(|factor| factor == 1.0));
        let cubic = [(one, other), (other, one)].into_iter().find(|&(same, _)| same == input).filter(|_| once)?.1;
        let cube = parts.beside(cubic, "mul", 0.044_715)?;
        let &[base, exponent] = parts.made_by(cube, "aten.pow.Tensor_Scalar")? else { return None };
        (base == input && number(graph, exponent) == Some(3.0)).then_some((input, parts.found))
    })?;
    let alike = |id: u32| tensor(graph, id).map(|&TensorValue { dtype, shape, .. }| (dtype, shape));
    let same = alike(input) == alike(*node.outputs.first()?) && alike(input)?.0.is_float();
    let plain = tensor(graph, input)?.role == Role::Plain;
    (same && plain).then(|| Rewrite {
        at: index,
        gone: found,
        op: "aten.gelu.default",
        arguments: vec![Argument::Value(input), Argument::Str("tanh".to_owned())],
        outputs: None,
    })
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
