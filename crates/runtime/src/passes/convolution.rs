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
        arranged: Vec::new(),
        first,
        addend: None,
        last: Activation::NONE,
        scale: None,
    })
}

/// The same convolution with a weight that is arranged, where it is a constant and worth it.
fn arranged(graph: &mut Graph, convolution: Convolution) -> Convolution {
    match arranged_weight(graph, &convolution) {
        Some((weight, channels)) => Convolution { weight, arranged: vec![channels], ..convolution },
        None => convolution,
    }
}

/// The arranged weight, and the input channels of a group.
fn arranged_weight(graph: &mut Graph, convolution: &Convolution) -> Option<(u32, i64)> {
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
    Some((push(graph, Value::Tensor(value)), i64::try_from(inputs).ok()?))
}

#[cfg(test)]
mod tests {
    use pteron_ops::catalogue;
    use pteron_tensor::DType;

    use super::super::rewrite::literal;
    use super::*;

    /// A convolution of input 0 with the weight 1, whose output is 2.
    fn graph(name: &str, weight: &[usize], role: Role, bounds: &[Value]) -> Graph {
        let tensor = |sizes: &[usize], role| {
            Value::Tensor(TensorValue { dtype: DType::F32, shape: Shape::new(sizes).unwrap(), role })
        };
        let mut values =
            vec![tensor(&[1, 6, 9, 9], Role::Plain), tensor(weight, role), tensor(&[1, 16, 7, 7], Role::Plain)];
        let list = |value| Value::Ints(vec![value; 2]);
        values.extend([Value::Null, list(1), list(0), list(1), Value::Bool(false), list(0), Value::Int(2)]);
        values.extend_from_slice(bounds);
        let args = [0, 1].into_iter().chain(3..).take(9 + bounds.len()).collect();
        let data = DataRef::Bytes(vec![0; weight.iter().product::<usize>() * 4].into());
        let shape = Shape::new(weight).unwrap();
        Graph {
            values,
            nodes: vec![Node { id: 0, op: catalogue::lookup(name).unwrap(), args, outputs: vec![2] }],
            inputs: vec![0],
            outputs: vec![2],
            constants: vec![Constant { data, stored: DType::F32, dtype: DType::F32, shape }],
            ..Graph::default()
        }
    }

    fn replaced(mut graph: Graph) -> (Convolution, Shape) {
        run(&mut graph);
        let convolution = Convolution::read(&graph.nodes[0].args, &|id| literal(&graph, id)).unwrap();
        let shape = tensor(&graph, convolution.weight).unwrap().shape;
        (convolution, shape)
    }

    #[test]
    fn constant_weights_of_tiles_are_arranged() {
        let constant = Role::Constant(0);
        let (convolution, shape) = replaced(graph("aten.convolution.default", &[16, 3, 3, 3], constant, &[]));
        assert_eq!((convolution.arranged, &*shape), (vec![3], &[16, 3, 3, 4][..]));
        for (weight, role, why) in [
            ([16, 3, 3, 3], Role::Plain, "it is computed"),
            ([16, 3, 1, 1], constant, "it lies that way"),
            ([4, 3, 3, 3], constant, "tiles would be empty"),
        ] {
            let (convolution, shape) = replaced(graph("aten.convolution.default", &weight, role, &[]));
            assert_eq!((convolution.arranged, &*shape), (Vec::new(), &weight[..]), "{why}");
        }
    }

    #[test]
    fn bounds_become_an_activation() {
        let bounds = [Value::Int(0), Value::Double(6.0)];
        let (convolution, _) = replaced(graph("et_vk.conv_with_clamp.default", &[4, 3, 3, 3], Role::Plain, &bounds));
        assert_eq!(convolution.first.to_string(), "Clamp(0, 4018000000000000)");
        let bounds = [Value::Null, Value::Null];
        let (convolution, _) = replaced(graph("et_vk.conv_with_clamp.default", &[4, 3, 3, 3], Role::Plain, &bounds));
        assert!(convolution.first.is_none() && convolution.bias.is_none());
    }
}
