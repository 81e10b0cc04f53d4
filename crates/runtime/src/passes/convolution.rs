//! Convolutions become `pteron.convolution`, whose constant weights lie as its kernels read them, and which other passes
//! add to.

use std::sync::Arc;

use pteron_ops::{Activation, Convolution, wants_arranged_weight};
use pteron_tensor::Shape;

use super::rewrite::{Rewrite, rewrite};
use super::uses::{constant, number, optional, push, tensor};
use crate::graph::{Constant, DataRef, Graph, Node, Permuted, Role, TensorValue, Value};

/// Replaces every convolution.
pub(super) fn run(graph: &mut Graph) {
    rewrite(graph, |graph, _, at| {
        let convolution = plain(graph, &graph.nodes[at].clone())?;
        let arguments = arranged(graph, convolution).write();
        Some(Rewrite { at, gone: Vec::new(), op: Convolution::NAME, arguments, outputs: None })
    });
}

/// The convolution that a node of a program is.
fn plain(graph: &Graph, node: &Node) -> Option<Convolution> {
    let &[input, weight, bias, stride, padding, dilation, transposed, output_padding, groups, ref bounds @ ..] =
        &node.args[..]
    else {
        return None;
    };
    let first = match (node.op.name, bounds) {
        ("aten.convolution.default", []) => Activation::NONE,
        ("et_vk.conv_with_clamp.default", &[low, high]) => {
            let bound = |id, absent| optional(graph, id).map_or(Some(absent), |id| number(graph, id));
            Activation::clamp(bound(low, f64::NEG_INFINITY)?, bound(high, f64::INFINITY)?)
        }
        _ => return None,
    };
    Some(Convolution {
        input,
        weight,
        bias: optional(graph, bias),
        stride,
        padding,
        dilation,
        transposed,
        output_padding,
        groups,
        arranged: false,
        first,
        addend: None,
        last: Activation::NONE,
    })
}

/// The same convolution with a weight that is arranged, where it is a constant and worth it.
fn arranged(graph: &mut Graph, convolution: Convolution) -> Convolution {
    match arranged_weight(graph, &convolution) {
        Some(weight) => Convolution { weight, arranged: true, ..convolution },
        None => convolution,
    }
}

fn arranged_weight(graph: &mut Graph, convolution: &Convolution) -> Option<u32> {
    let Value::Bool(transposed) = graph.values[convolution.transposed as usize] else { return None };
    let Value::Int(groups) = graph.values[convolution.groups as usize] else { return None };
    let groups = usize::try_from(groups).ok().filter(|&groups| groups > 0)?;
    let plain = graph.constants[constant(graph, convolution.weight)?].clone();
    let &[first, second, ref kernel @ ..] = &*plain.shape else { return None };
    let channels = *tensor(graph, convolution.input)?.shape.get(1)?;
    // What does not fit together is for the operator to refuse.
    let fits = if transposed { first == channels } else { second.checked_mul(groups)? == channels };
    if !fits || first % groups != 0 || !wants_arranged_weight(&plain.shape, groups, transposed) {
        return None;
    }
    let taps = kernel.iter().product();
    let (sizes, order, outputs, inputs) = if transposed {
        (vec![groups, first / groups, second, taps], vec![0, 2, 3, 1], groups * second, first / groups)
    } else {
        (vec![first, second, taps], vec![0, 2, 1], first, second)
    };
    let padded = inputs.next_multiple_of(4);
    let sizes_of = [outputs].into_iter().chain(kernel.iter().copied()).chain([padded]).collect::<Vec<_>>();
    let shape = Shape::new(&sizes_of).ok()?;
    let permuted = Permuted { data: plain.data.clone(), element: plain.stored.size(), sizes, order, padded };
    let weight = Constant { data: DataRef::Permuted(Arc::new(permuted)), shape, ..plain };
    let value = TensorValue { dtype: weight.dtype, shape, role: Role::Constant(graph.constants.len()) };
    graph.constants.push(weight);
    Some(push(graph, Value::Tensor(value)))
}
