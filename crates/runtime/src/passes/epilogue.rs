//! Activations and sums become part of the convolution or linear layer that computes what they take.

use pteron_ops::{Activation, Convolution, Linear, ValueId, catalogue};

use super::rewrite::{literal, value_of};
use super::uses::{Uses, constant, number, tensor};
use crate::graph::{Graph, Node, TensorValue, Value};

/// Takes operators into layers until none is left that can be. What they gave is another view of what the layer gives.
pub(super) fn run(graph: &mut Graph) {
    take(graph, &|graph, uses, index| {
        let node = &graph.nodes[index];
        activated(graph, uses, node).or_else(|| summed(graph, uses, index, node))
    });
}

/// Makes what is added to each column of a layer's result its bias.
pub(super) fn biases(graph: &mut Graph) {
    take(graph, &|graph, uses, index| biased(graph, uses, &graph.nodes[index]));
}

/// Takes in what `find` finds at a node, until it finds nothing.
fn take(graph: &mut Graph, find: &dyn Fn(&Graph, &Uses, usize) -> Option<Taken>) {
    let Some(alias) = catalogue::lookup("aten.alias_copy.default") else { return };
    loop {
        let uses = Uses::of(graph);
        let found = (0..graph.nodes.len()).find_map(|index| find(graph, &uses, index).map(|found| (index, found)));
        let Some((index, Taken { at, layer, from })) = found else { return };
        (graph.nodes[index].op, graph.nodes[index].args) = (alias, vec![from]);
        layer.put(graph, at);
    }
}

/// A layer that has taken an operator in.
struct Taken {
    /// Its node.
    at: usize,
    layer: Layer,
    /// What the operator took from it.
    from: ValueId,
}

enum Layer {
    Convolution(Convolution),
    Linear(Linear),
}

impl Layer {
    fn of(graph: &Graph, node: &Node) -> Option<Layer> {
        match node.op.name {
            Convolution::NAME => Convolution::read(&node.args, &|id| literal(graph, id)).map(Layer::Convolution),
            Linear::NAME => Linear::read(&node.args, &|id| literal(graph, id)).map(Layer::Linear),
            _ => None,
        }
    }

    fn epilogue(&mut self) -> (&mut Activation, &mut Option<ValueId>, &mut Activation) {
        match self {
            Layer::Convolution(layer) => (&mut layer.first, &mut layer.addend, &mut layer.last),
            Layer::Linear(layer) => (&mut layer.first, &mut layer.addend, &mut layer.last),
        }
    }

    /// Becomes the node at a place, which it was before it took anything.
    fn put(self, graph: &mut Graph, at: usize) {
        let arguments = match self {
            Layer::Convolution(layer) => layer.write(),
            Layer::Linear(layer) => layer.write(),
        };
        graph.nodes[at].args = arguments.into_iter().map(|argument| value_of(graph, argument)).collect();
    }
}

/// The layer whose result a value shows, where nothing but the reader of the value sees either.
fn layer_behind(graph: &Graph, uses: &Uses, mut value: ValueId) -> Option<(usize, Layer)> {
    loop {
        let producer = uses.producer(value).filter(|_| uses.is_read_once(value))?;
        let node = &graph.nodes[producer];
        if let Some(layer) = Layer::of(graph, node) {
            return Some((producer, layer));
        }
        value = *node.args.first().filter(|_| shows_all(graph, node))?;
    }
}

/// Whether a node gives all elements of its first argument as they are and in their order.
pub(super) fn shows_all(graph: &Graph, node: &Node) -> bool {
    let shows = matches!(
        node.op.name,
        "aten.alias_copy.default"
            | "aten.view_copy.default"
            | "aten.unsqueeze_copy.default"
            | "aten.squeeze_copy.dims"
            | "aten.clone.default"
    );
    let dtype = |id: Option<&ValueId>| tensor(graph, *id?).map(|tensor| tensor.dtype);
    (shows || keeps_order(graph, node)) && dtype(node.args.first()) == dtype(node.outputs.first())
}

/// Whether a node moves nothing but dimensions of size 1.
fn keeps_order(graph: &Graph, node: &Node) -> bool {
    let (&[value, dims, ..], "aten.permute_copy.default") = (&node.args[..], node.op.name) else { return false };
    let (Some(TensorValue { shape, .. }), Value::Ints(dims)) = (tensor(graph, value), &graph.values[dims as usize])
    else {
        return false;
    };
    let place = |&dim: &i64| usize::try_from(if dim < 0 { dim + shape.rank() as i64 } else { dim }).ok();
    let moved = dims.iter().filter_map(place).filter(|&dim| shape.get(dim).is_some_and(|&size| size != 1));
    moved.is_sorted()
}

/// The layer whose result a node alone takes, with the node's function applied to it.
fn activated(graph: &Graph, uses: &Uses, node: &Node) -> Option<Taken> {
    let (&[value, ref rest @ ..], &[output]) = (&node.args[..], &node.outputs[..]) else { return None };
    let mode = rest.iter().find_map(|&id| match &graph.values[id as usize] {
        Value::Str(text) => Some(text.as_str()),
        _ => None,
    });
    let given = |index: usize| rest.get(index).and_then(|&id| number(graph, id));
    let known =
        |id: &u32| matches!(graph.values[*id as usize], Value::Null | Value::Int(_) | Value::Double(_) | Value::Str(_));
    // A third number scales what comes in, which no kernel does.
    if !rest.iter().all(known) || given(2).is_some_and(|scale| scale != 1.0) {
        return None;
    }
    let activation = Activation::of(node.op.name, mode, [given(0), given(1)])?;
    let alike = |id: ValueId| tensor(graph, id).map(|tensor| (tensor.dtype, tensor.shape));
    let (at, mut layer) = layer_behind(graph, uses, value).filter(|_| alike(value) == alike(output))?;
    let (first, addend, last) = layer.epilogue();
    match (first.is_none(), addend, last.is_none()) {
        (true, None, true) => *first = activation,
        (_, _, true) => *last = activation,
        _ => return None,
    }
    Some(Taken { at, layer, from: value })
}

/// What a node adds, in both orders.
fn terms(graph: &Graph, node: &Node) -> Option<[(ValueId, ValueId); 2]> {
    let &[left, right, ref alpha @ ..] = &node.args[..] else { return None };
    let once = alpha.first().is_none_or(|&id| number(graph, id).is_none_or(|factor| factor == 1.0));
    (node.op.name == "aten.add.Tensor" && once && left != right).then_some([(left, right), (right, left)])
}

/// The linear layer without a bias whose result a sum takes with a constant for each column.
fn biased(graph: &Graph, uses: &Uses, node: &Node) -> Option<Taken> {
    let &[output] = &node.outputs[..] else { return None };
    terms(graph, node)?.into_iter().find_map(|(value, added)| {
        let (at, layer) = layer_behind(graph, uses, value)?;
        let Layer::Linear(layer) = layer else { return None };
        let (given, result) = (tensor(graph, added)?, tensor(graph, output)?);
        let columns = tensor(graph, *graph.nodes[at].outputs.first()?)?.shape.last().copied();
        let fits = *given.shape == [columns?] && result.shape.last().copied() == columns && given.dtype == result.dtype;
        let is_plain = layer.bias.is_none() && layer.first.is_none() && layer.addend.is_none() && layer.last.is_none();
        let unlike = tensor(graph, value)?.shape != result.shape;
        if !fits || !is_plain || unlike || constant(graph, added).is_none() {
            return None;
        }
        Some(Taken { at, layer: Layer::Linear(Linear { bias: Some(added), ..layer }), from: value })
    })
}

/// The layer whose result a sum takes with something of the same sizes that is there before the layer runs.
fn summed(graph: &Graph, uses: &Uses, index: usize, node: &Node) -> Option<Taken> {
    let &[output] = &node.outputs[..] else { return None };
    let alike = |id: ValueId| tensor(graph, id).map(|tensor| (tensor.dtype, tensor.shape));
    terms(graph, node)?.into_iter().find_map(|(value, added)| {
        let (at, mut layer) = layer_behind(graph, uses, value)?;
        let there = uses.producer(added).is_none_or(|producer| producer < at);
        let unchanged = graph.nodes[at..index].iter().all(|node| node.op.is_pure());
        let fits = alike(value) == alike(output) && alike(added) == alike(output);
        let (_, addend, last) = layer.epilogue();
        if !(there && unchanged && fits && addend.is_none() && last.is_none()) {
            return None;
        }
        *addend = Some(added);
        Some(Taken { at, layer, from: value })
    })
}

#[cfg(test)]
mod tests {
    use pteron_tensor::{DType, Shape};

    use super::*;
    use crate::graph::{Role, TensorValue};
    use crate::passes::product;

    /// relu(linear(a, w) + b), where 4 is the layer's result, 5 a view of it, 6 the sum and 7 what is given.
    fn graph(outputs: Vec<u32>) -> Graph {
        let tensor = |dims: &[usize]| {
            Value::Tensor(TensorValue { dtype: DType::F32, shape: Shape::new(dims).unwrap(), role: Role::Plain })
        };
        let node = |name: &str, args: &[u32], output| Node {
            id: output,
            op: catalogue::lookup(name).unwrap(),
            args: args.to_vec(),
            outputs: vec![output],
        };
        let mut graph = Graph {
            name: "test".to_owned(),
            values: vec![
                tensor(&[2, 3]),
                tensor(&[4, 3]),
                tensor(&[1, 2, 4]),
                Value::Null,
                tensor(&[2, 4]),
                tensor(&[1, 2, 4]),
                tensor(&[1, 2, 4]),
                tensor(&[1, 2, 4]),
                Value::Ints(vec![1, 2, 4]),
                Value::Int(1),
            ],
            nodes: vec![
                node("aten.linear.default", &[0, 1, 3], 4),
                node("aten.view_copy.default", &[4, 8], 5),
                node("aten.add.Tensor", &[2, 5, 9], 6),
                node("aten.relu.default", &[6], 7),
            ],
            inputs: vec![0, 1, 2],
            outputs,
            ..Graph::default()
        };
        product::run(&mut graph);
        run(&mut graph);
        graph
    }

    fn names(graph: &Graph) -> Vec<&str> {
        graph.nodes.iter().map(|node| node.op.name).collect()
    }

    #[test]
    fn a_layer_takes_the_sum_and_the_activation_after_it() {
        let graph = graph(vec![7]);
        let alias = "aten.alias_copy.default";
        assert_eq!(names(&graph), [Linear::NAME, "aten.view_copy.default", alias, alias]);
        let Some(Layer::Linear(layer)) = Layer::of(&graph, &graph.nodes[0]) else { panic!("no layer") };
        assert!(layer.first.is_none() && layer.addend == Some(2) && layer.last.to_string() == "Relu(0, 0)");
    }

    #[test]
    fn only_dimensions_of_one_change_places_for_nothing() {
        let order = |sizes: &[usize], dims: &[i64]| {
            let tensor = TensorValue { dtype: DType::F32, shape: Shape::new(sizes).unwrap(), role: Role::Plain };
            let graph = Graph { values: vec![Value::Tensor(tensor), Value::Ints(dims.to_vec())], ..Graph::default() };
            let op = catalogue::lookup("aten.permute_copy.default").unwrap();
            keeps_order(&graph, &Node { id: 0, op, args: vec![0, 1], outputs: vec![2] })
        };
        assert!(order(&[128, 1, 256], &[1, 0, 2]) && order(&[1, 128, 1, 256], &[1, -1, 0, 2]));
        assert!(!order(&[128, 2, 256], &[1, 0, 2]) && !order(&[128, 1, 256], &[2, 1, 0]));
    }

    #[test]
    fn a_result_that_others_see_stays_as_it_is() {
        let graph = graph(vec![4, 7]);
        let Some(Layer::Linear(layer)) = Layer::of(&graph, &graph.nodes[0]) else { panic!("no layer") };
        assert!(layer.addend.is_none() && layer.last.is_none());
    }
}
