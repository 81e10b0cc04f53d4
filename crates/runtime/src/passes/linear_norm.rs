//! The norm of what a linear layer gives becomes part of the layer, whose last launch has whole rows where its depth is divided.

use pteron_ops::{Linear, LinearNorm, catalogue};

use super::epilogue::shows_all;
use super::rewrite::{literal, value_of};
use super::uses::{Uses, constant, number, optional, push, tensor};
use crate::graph::{Graph, Node, Value};

/// Takes norms into layers until none is left that can be.
pub(super) fn run(graph: &mut Graph) {
    while let Some(found) = find(graph) {
        found.put(graph);
    }
}

/// A norm over the last dimension.
struct Norm {
    input: u32,
    scale: Option<u32>,
    shift: Option<u32>,
    epsilon: f64,
    centered: bool,
}

/// A layer and the norm of what it gives.
struct Found {
    layer: usize,
    /// The views between them, from the norm back to the layer.
    views: Vec<usize>,
    norm: usize,
    arguments: LinearNorm,
}

fn find(graph: &Graph) -> Option<Found> {
    catalogue::lookup(LinearNorm::NAME)?;
    let uses = Uses::of(graph);
    graph.nodes.iter().enumerate().find_map(|(index, node)| {
        let norm = Norm::of(graph, &uses, node)?;
        let (mut value, mut views) = (norm.input, Vec::new());
        let layer = loop {
            let producer = uses.producer(value)?;
            let node = &graph.nodes[producer];
            if node.op.name == Linear::NAME {
                break producer;
            }
            views.push(producer);
            value = *node.args.first().filter(|_| shows_all(graph, node))?;
        };
        let (shown, given) = (tensor(graph, norm.input)?, tensor(graph, value)?);
        if shown.dtype != given.dtype || shown.shape.last() != given.shape.last() {
            return None;
        }
        // Whether only the way to the norm reads what a node gives.
        let leads_on = |&node: &usize, next: usize| {
            let own = graph.nodes[node].outputs.iter();
            own.flat_map(|&id| uses.readers(id)).all(|&reader| reader == next)
                && graph.nodes[node].outputs.iter().all(|&id| !uses.is_kept(id))
        };
        let way: Vec<_> = std::iter::once(index).chain(views.iter().copied()).chain([layer]).collect();
        let keeps = !way.windows(2).all(|pair| leads_on(&pair[1], pair[0]));
        let Linear { input, weight, bias, across, first, addend, last } =
            Linear::read(&graph.nodes[layer].args, &|id| literal(graph, id))?;
        let Norm { scale, shift, epsilon, centered, .. } = norm;
        let arguments =
            LinearNorm { input, weight, bias, across, first, addend, last, scale, shift, epsilon, centered, keeps };
        Some(Found { layer, views, norm: index, arguments })
    })
}

impl Norm {
    /// The norm that a node is, where its other results are not needed and its factors are constants.
    fn of(graph: &Graph, uses: &Uses, node: &Node) -> Option<Norm> {
        let norm = match (node.op.name, &node.args[..]) {
            ("aten.native_layer_norm.default", &[input, sizes, scale, shift, epsilon]) => {
                let Value::Ints(sizes) = &graph.values[sizes as usize] else { return None };
                let [scale, shift] = [scale, shift].map(|id| optional(graph, id));
                let epsilon = number(graph, epsilon).filter(|_| sizes.len() == 1)?;
                Norm { input, scale, shift, epsilon, centered: true }
            }
            ("et_vk.rms_norm.default", &[input, scale, epsilon]) => {
                let epsilon = number(graph, epsilon)?;
                Norm { input, scale: Some(scale), shift: None, epsilon, centered: false }
            }
            _ => return None,
        };
        let (input, columns) = (tensor(graph, norm.input)?, *tensor(graph, norm.input)?.shape.last()?);
        let fits = |id: u32| {
            tensor(graph, id).is_some_and(|it| it.shape.numel() == columns && it.dtype == input.dtype)
                && constant(graph, id).is_some()
        };
        let alone = node.outputs.iter().skip(1).all(|&id| !uses.is_needed(id));
        (alone && [norm.scale, norm.shift].into_iter().flatten().all(fits)).then_some(norm)
    }
}

impl Found {
    /// The layer gives the norm too, and the views between them show that one as they show what it was taken of.
    fn put(self, graph: &mut Graph) {
        let Some(op) = catalogue::lookup(LinearNorm::NAME) else { return };
        let (Some(&sums), Some(&normalized)) =
            (graph.nodes[self.layer].outputs.first(), graph.nodes[self.norm].outputs.first())
        else {
            return;
        };
        let args: Vec<_> = self.arguments.write().into_iter().map(|argument| value_of(graph, argument)).collect();
        let mut shown = if self.views.is_empty() { normalized } else { like(graph, sums) };
        let layer = &mut graph.nodes[self.layer];
        (layer.op, layer.args, layer.outputs) = (op, args, vec![sums, shown]);
        let mut views = Vec::new();
        for (left, &view) in self.views.iter().enumerate().rev() {
            let mut view = graph.nodes[view].clone();
            let output = if left == 0 { normalized } else { like(graph, view.outputs[0]) };
            (view.args[0], view.outputs) = (shown, vec![output]);
            shown = output;
            views.push(view);
        }
        graph.nodes.splice(self.norm..=self.norm, views);
    }
}

/// Another value of the same kind.
fn like(graph: &mut Graph, id: u32) -> u32 {
    let value = graph.values[id as usize].clone();
    push(graph, value)
}

#[cfg(test)]
mod tests {
    use pteron_tensor::{DType, Shape};

    use super::*;
    use crate::graph::{Role, TensorValue};
    use crate::passes::{epilogue, product};

    /// norm(view(linear(0, 1)) + 2), where 4 is the layer's result, 5 a view of it, 6 the sum and 7 its norm.
    fn graph(outputs: Vec<u32>) -> Graph {
        let tensor = |dims: &[usize], role| {
            Value::Tensor(TensorValue { dtype: DType::F32, shape: Shape::new(dims).unwrap(), role })
        };
        let plain = |dims: &[usize]| tensor(dims, Role::Plain);
        let node = |name: &str, args: &[u32], outputs: &[u32]| Node {
            id: outputs[0],
            op: catalogue::lookup(name).unwrap(),
            args: args.to_vec(),
            outputs: outputs.to_vec(),
        };
        let mut graph = Graph {
            name: "test".to_owned(),
            values: vec![
                plain(&[2, 3]),
                tensor(&[4, 3], Role::Constant(0)),
                plain(&[1, 2, 4]),
                Value::Null,
                plain(&[2, 4]),
                plain(&[1, 2, 4]),
                plain(&[1, 2, 4]),
                plain(&[1, 2, 4]),
                Value::Ints(vec![1, 2, 4]),
                Value::Int(1),
                Value::Ints(vec![4]),
                tensor(&[4], Role::Constant(1)),
                Value::Double(1e-5),
                plain(&[1, 2, 1]),
                plain(&[1, 2, 1]),
            ],
            nodes: vec![
                node("aten.linear.default", &[0, 1, 3], &[4]),
                node("aten.view_copy.default", &[4, 8], &[5]),
                node("aten.add.Tensor", &[2, 5, 9], &[6]),
                node("aten.native_layer_norm.default", &[6, 10, 11, 3, 12], &[7, 13, 14]),
            ],
            inputs: vec![0, 2],
            outputs,
            ..Graph::default()
        };
        product::run(&mut graph);
        epilogue::run(&mut graph);
        run(&mut graph);
        graph
    }

    fn layer(graph: &Graph) -> LinearNorm {
        assert_eq!(graph.nodes[0].op.name, LinearNorm::NAME);
        LinearNorm::read(&graph.nodes[0].args, &|id| literal(graph, id)).unwrap()
    }

    #[test]
    fn a_layer_takes_the_norm_after_it() {
        let graph = graph(vec![7]);
        let layer = layer(&graph);
        assert_eq!((layer.addend, layer.scale, layer.shift, layer.keeps), (Some(2), Some(11), None, false));
        // What showed the sum is there too, and nobody reads it.
        let [.., view, alias] = &graph.nodes[..] else { panic!("{} nodes", graph.nodes.len()) };
        assert_eq!((view.op.name, view.args[0]), ("aten.view_copy.default", graph.nodes[0].outputs[1]));
        assert_eq!((alias.args[0], &alias.outputs[..]), (view.outputs[0], &[7][..]));
    }

    #[test]
    fn a_sum_that_others_read_is_kept() {
        assert!(layer(&graph(vec![7, 6])).keeps);
    }

    #[test]
    fn statistics_that_are_read_need_the_norm() {
        let graph = graph(vec![7, 13]);
        assert_eq!(graph.nodes[0].op.name, Linear::NAME);
    }
}
