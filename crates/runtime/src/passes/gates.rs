//! What weighs the channels of an image costs less: the two small layers that compute the weights become one launch, and the product
//! with them becomes part of the convolution that reads it.

use pteron_ops::{Activation, Convolution, Linear, TwoLayers, ValueId, fits_two_layers};
use pteron_tensor::Shape;

use super::rewrite::{Rewrite, literal, rewrite};
use super::uses::{Uses, constant, tensor};
use crate::graph::{Graph, Node, Value};

pub(super) fn run(graph: &mut Graph) {
    rewrite(graph, two_layers);
    rewrite(graph, weighed);
}

/// A layer of single places: a linear one, or a convolution that reads places one by one.
struct Layer {
    input: ValueId,
    weight: ValueId,
    bias: Option<ValueId>,
    activation: Activation,
    is_linear: bool,
}

impl Layer {
    /// The layer that a node is, with one activation after it and constant weights.
    fn of(graph: &Graph, node: &Node) -> Option<Layer> {
        let layer = match node.op.name {
            Linear::NAME => {
                let it = Linear::read(&node.args, &|id| literal(graph, id))?;
                let plain = !it.across && it.addend.is_none() && it.last.is_none();
                let Linear { input, weight, bias, first: activation, .. } = it;
                plain.then_some(Layer { input, weight, bias, activation, is_linear: true })?
            }
            Convolution::NAME => {
                let it = Convolution::read(&node.args, &|id| literal(graph, id))?;
                let plain = is_pointwise(graph, &it) && it.addend.is_none() && it.last.is_none();
                let Convolution { input, weight, bias, first: activation, .. } = it;
                plain.then_some(Layer { input, weight, bias, activation, is_linear: false })?
            }
            _ => return None,
        };
        let known = [Some(layer.weight), layer.bias].into_iter().flatten().all(|id| constant(graph, id).is_some());
        known.then_some(layer)
    }
}

/// Whether a convolution reads places of all channels one by one.
fn is_pointwise(graph: &Graph, it: &Convolution) -> bool {
    let all = |id: ValueId, wanted: i64| matches!(&graph.values[id as usize], Value::Ints(items) if items.iter().all(|&item| item == wanted));
    let once = tensor(graph, it.weight).is_some_and(|weight| weight.shape.iter().skip(2).all(|&size| size == 1));
    once && all(it.stride, 1)
        && all(it.padding, 0)
        && matches!(graph.values[it.transposed as usize], Value::Bool(false))
        && matches!(graph.values[it.groups as usize], Value::Int(1))
        && it.arranged.is_empty()
        && it.scale.is_none()
}

/// The layer at a node with the one before it, where nobody else sees what is between them.
fn two_layers(graph: &mut Graph, uses: &Uses, at: usize) -> Option<Rewrite> {
    let next = Layer::of(graph, &graph.nodes[at])?;
    let mut gone = Vec::new();
    let mut between = next.input;
    let before = loop {
        let producer = uses.producer(between).filter(|_| uses.is_read_once(between))?;
        gone.push(producer);
        if graph.nodes[producer].op.name != "aten.alias_copy.default" {
            break producer;
        }
        between = *graph.nodes[producer].args.first()?;
    };
    let layer = Layer::of(graph, &graph.nodes[before]).filter(|layer| layer.is_linear == next.is_linear)?;
    let (shape, dtype) = tensor(graph, layer.input).map(|it| (it.shape, it.dtype))?;
    let [weight, next_weight] = [layer.weight, next.weight].map(|id| tensor(graph, id).map(|it| it.shape));
    let [width, columns] = [&weight?, &next_weight?].map(|shape| shape.first().copied().unwrap_or(0));
    let channels = if layer.is_linear { shape.last() } else { shape.get(1) };
    let depth = *channels?;
    let one_place = layer.is_linear || shape.iter().skip(2).all(|&size| size == 1);
    let rows = shape.numel().checked_div(depth)?;
    let results = tensor(graph, *graph.nodes[at].outputs.first()?)?;
    if !one_place || !dtype.is_float() || results.dtype != dtype || !fits_two_layers(rows, depth, width, columns) {
        return None;
    }
    let arguments = TwoLayers {
        input: layer.input,
        weight: layer.weight,
        bias: layer.bias,
        first: layer.activation,
        next_weight: next.weight,
        next_bias: next.bias,
        last: next.activation,
    };
    Some(Rewrite { at, gone, op: TwoLayers::NAME, arguments: arguments.write(), outputs: None })
}

/// The convolution at a node that alone reads the product of one image with a number for each channel.
fn weighed(graph: &mut Graph, uses: &Uses, at: usize) -> Option<Rewrite> {
    let node = &graph.nodes[at];
    let convolution = Convolution::read(&node.args, &|id| literal(graph, id))
        .filter(|it| node.op.name == Convolution::NAME && is_pointwise(graph, it))?;
    let product = uses.producer(convolution.input).filter(|_| uses.is_read_once(convolution.input))?;
    let (&[left, right], "aten.mul.Tensor") = (&graph.nodes[product].args[..], graph.nodes[product].op.name) else {
        return None;
    };
    let image = tensor(graph, convolution.input)?;
    let fits = |id: ValueId, wanted: &Shape| {
        tensor(graph, id).is_some_and(|it| it.shape == *wanted && it.dtype == image.dtype && image.dtype.is_float())
    };
    let (&[1, channels, ..], true) = (&*image.shape, image.shape.rank() == 4) else { return None };
    let weights = Shape::new(&[1, channels, 1, 1]).ok()?;
    let (input, scale) = [(left, right), (right, left)]
        .into_iter()
        .find(|&(input, scale)| input != scale && fits(input, &image.shape) && fits(scale, &weights))?;
    let arguments = Convolution { input, scale: Some(scale), ..convolution }.write();
    Some(Rewrite { at, gone: vec![product], op: Convolution::NAME, arguments, outputs: None })
}

#[cfg(test)]
mod tests {
    use pteron_ops::catalogue;
    use pteron_tensor::DType;

    use super::*;
    use crate::graph::{Role, TensorValue};
    use crate::passes::{activations, convolution, epilogue};

    /// Squeeze and excitation: 0 is an image of eight channels, 1 its means, 2 the hidden layer, 3 its relu, 4 the next
    /// layer, 5 to 8 its hardsigmoid in parts, 9 the weighed image and 10 what a convolution makes of that.
    fn graph(outputs: Vec<u32>) -> Graph {
        let tensor = |dims: &[usize], role| {
            Value::Tensor(TensorValue { dtype: DType::F32, shape: Shape::new(dims).unwrap(), role })
        };
        let plain = |dims: &[usize]| tensor(dims, Role::Plain);
        let node = |name: &str, args: &[u32], output| Node {
            id: output,
            op: catalogue::lookup(name).unwrap(),
            args: args.to_vec(),
            outputs: vec![output],
        };
        let mut values: Vec<_> =
            [[1, 8, 5, 5], [1, 8, 1, 1], [1, 4, 1, 1], [1, 4, 1, 1]].iter().map(|it| plain(it)).collect();
        values.extend((0..5).map(|_| plain(&[1, 8, 1, 1])));
        values.extend([plain(&[1, 8, 5, 5]), plain(&[1, 6, 5, 5])]);
        values.extend([
            Value::Null,
            Value::Bool(false),
            Value::Ints(vec![1, 1]),
            Value::Ints(vec![0, 0]),
            Value::Int(1),
        ]);
        values.extend([Value::Int(3), Value::Int(0), Value::Int(6), Value::Ints(vec![2, 3]), Value::Bool(true)]);
        let weights = [([4, 8, 1, 1], 0), ([8, 4, 1, 1], 1), ([6, 8, 1, 1], 2)];
        values.extend(weights.iter().map(|(dims, number)| tensor(dims, Role::Constant(*number))));
        let convolved = |input, weight, output| {
            node("aten.convolution.default", &[input, weight, 11, 13, 14, 13, 12, 14, 15], output)
        };
        let constants = weights.iter().map(|(dims, _)| crate::graph::Constant {
            data: crate::graph::DataRef::Bytes(vec![0; dims.iter().product::<usize>() * 4].into()),
            stored: DType::F32,
            dtype: DType::F32,
            shape: Shape::new(dims).unwrap(),
        });
        let mut graph = Graph {
            name: "test".to_owned(),
            values,
            nodes: vec![
                node("aten.mean.dim", &[0, 19, 20, 11], 1),
                convolved(1, 21, 2),
                node("aten.relu.default", &[2], 3),
                convolved(3, 22, 4),
                node("aten.add.Scalar", &[4, 16, 15], 5),
                node("aten.clamp.default", &[5, 17, 11], 6),
                node("aten.clamp.default", &[6, 11, 18], 7),
                node("aten.div.Scalar", &[7, 18], 8),
                node("aten.mul.Tensor", &[8, 0], 9),
                convolved(9, 23, 10),
            ],
            inputs: vec![0],
            outputs,
            constants: constants.collect(),
            ..Graph::default()
        };
        convolution::run(&mut graph);
        activations::run(&mut graph);
        epilogue::run(&mut graph);
        run(&mut graph);
        graph
    }

    fn names(graph: &Graph) -> Vec<&str> {
        graph.nodes.iter().map(|node| node.op.name).filter(|name| *name != "aten.alias_copy.default").collect()
    }

    #[test]
    fn weights_of_channels_are_two_launches() {
        let graph = graph(vec![10]);
        assert_eq!(names(&graph), ["aten.mean.dim", TwoLayers::NAME, Convolution::NAME]);
        let layers = graph.nodes.iter().find(|node| node.op.name == TwoLayers::NAME).unwrap();
        let layers = TwoLayers::read(&layers.args, &|id| literal(&graph, id)).unwrap();
        assert_eq!((layers.input, layers.weight, layers.next_weight), (1, 21, 22));
        assert_eq!(
            (layers.first.to_string(), layers.last.to_string()),
            ("Relu(0, 0)".to_owned(), "Hardsigmoid(0, 0)".to_owned())
        );
        let last = Convolution::read(&graph.nodes.last().unwrap().args, &|id| literal(&graph, id)).unwrap();
        assert!(last.input == 0 && last.scale.is_some());
    }

    #[test]
    fn what_others_see_stays() {
        assert_eq!(names(&graph(vec![3, 9, 10])).len(), 5);
    }
}
