//! Multi-head attention of several batches has rows outside batches, and permutes what its first layer takes and its last one gives.
//! A linear layer does the same with rows in any order: here the permutations go past the layers, to where attention reads and
//! writes any order for nothing.

use pteron_ops::{Attention, ValueId, catalogue};
use pteron_tensor::Shape;

use super::layout::sources;
use super::product::plain_layer;
use super::rewrite::{literal, value_of};
use super::uses::{Uses, push, tensor};
use crate::graph::{Graph, Node, TensorValue, Value};

const PERMUTE: &str = "aten.permute_copy.default";
const VIEW: &str = "aten.view_copy.default";

/// Moves permutations, in a graph whose sizes are those of every call.
pub(super) fn run(graph: &mut Graph) {
    while let Some(found) = Before::find(graph) {
        found.put(graph);
    }
    while let Some(found) = After::find(graph) {
        found.put(graph);
    }
}

/// The dimensions of a permutation that leaves the last one where it is, by what they were.
fn rows_moved<'g>(graph: &'g Graph, node: &Node) -> Option<(ValueId, &'g [i64])> {
    let (&[input, dims], PERMUTE) = (&node.args[..], node.op.name) else { return None };
    let Value::Ints(dims) = &graph.values[dims as usize] else { return None };
    let last = i64::try_from(dims.len()).ok()?.checked_sub(1)?;
    let stays = dims.last().is_some_and(|&dim| dim == last || dim == -1);
    (stays && last >= 2).then_some((input, dims))
}

/// What a value shows where views alone made it of that, which nothing else reads.
fn behind_views(graph: &Graph, uses: &Uses, mut id: ValueId) -> ValueId {
    while let Some((_, view)) = uses.made_by(graph, id, VIEW).filter(|_| uses.is_read_once(id)) {
        id = view.args[0];
    }
    id
}

/// A permutation before the layer that attention reads.
struct Before {
    layer: usize,
    permutation: usize,
}

impl Before {
    fn find(graph: &Graph) -> Option<Before> {
        let uses = Uses::of(graph);
        let attended =
            graph.nodes.iter().filter(|node| node.op.name == Attention::NAME).flat_map(|node| &node.args[..3]);
        attended.flat_map(|&id| sources(graph, &uses, id)).find_map(|(source, _)| {
            let at = uses.producer(source)?;
            let input = plain_layer(graph, &graph.nodes[at])?.input;
            let permuted = behind_views(graph, &uses, input);
            let permutation = uses.producer(permuted)?;
            rows_moved(graph, &graph.nodes[permutation])?;
            let alike = |id: ValueId| tensor(graph, id).map(|it| (it.dtype, it.shape));
            let pure = graph.nodes[permutation..at].iter().all(|node| node.op.is_pure());
            (alike(permuted) == alike(input) && pure).then_some(Before { layer: at, permutation })
        })
    }

    /// The layer takes what the permutation took, and what it gives is permuted.
    fn put(self, graph: &mut Graph) {
        let permutation = graph.nodes[self.permutation].clone();
        let given = graph.nodes[self.layer].outputs[0];
        let [before, after] = [permutation.args[0], given].map(|id| tensor(graph, id).cloned());
        let (Some(before), Some(after)) = (before, after) else { return };
        let columns = after.shape.last().copied().unwrap_or(0);
        let Ok(shape) = before.shape.with(before.shape.rank() - 1, columns) else { return };
        let unmoved = push(graph, Value::Tensor(TensorValue { shape, ..after }));
        let layer = &mut graph.nodes[self.layer];
        (layer.args[0], layer.outputs) = (permutation.args[0], vec![unmoved]);
        let args = vec![unmoved, permutation.args[1]];
        graph.nodes.insert(self.layer + 1, Node { args, outputs: vec![given], ..permutation });
    }
}

/// A permutation after the layer that reads attention.
struct After {
    attention: usize,
    permutation: usize,
}

impl After {
    fn find(graph: &Graph) -> Option<After> {
        let uses = Uses::of(graph);
        (0..graph.nodes.len()).find_map(|permutation| {
            let (moved, dims) = rows_moved(graph, &graph.nodes[permutation])?;
            let &[rows, batch, _] = &*tensor(graph, moved)?.shape else { return None };
            let given = behind_views(graph, &uses, moved);
            let at = uses.producer(given).filter(|_| uses.is_read_once(given) && dims[..2] == [1, 0])?;
            let input = plain_layer(graph, &graph.nodes[at])?.input;
            let attended = behind_views(graph, &uses, input);
            let (attention, node) = uses.made_by(graph, attended, Attention::NAME)?;
            let it = Attention::read(&node.args, &|id| literal(graph, id))?;
            let sides = [batch, rows].map(|size| i64::try_from(size).ok());
            let width = tensor(graph, attended)?.shape.last().copied();
            let depth = tensor(graph, input)?.shape.last().copied();
            let heads = usize::try_from(*it.heads.get(1)?).ok()?;
            let fits = it.heads.first().copied() == sides[0] && it.order.get(3) == Some(&1) && batch > 1;
            // A row of the layer is all heads of one row of one batch.
            let whole = width?.checked_mul(heads) == depth && input != attended;
            let pure = graph.nodes[attention..permutation].iter().all(|node| node.op.is_pure());
            (fits && whole && pure && uses.is_read_once(attended)).then_some(After { attention, permutation })
        })
    }

    /// Attention gives rows within batches, and the permutation is a view.
    fn put(self, graph: &mut Graph) {
        let node = &graph.nodes[self.attention];
        let (Some(mut it), Some(view)) =
            (Attention::read(&node.args, &|id| literal(graph, id)), catalogue::lookup(VIEW))
        else {
            return;
        };
        let (attended, moved) = (node.outputs[0], graph.nodes[self.permutation].outputs[0]);
        let Some(TensorValue { shape: result, .. }) = tensor(graph, moved).cloned() else { return };
        let width = tensor(graph, attended).and_then(|it| it.shape.last().copied()).unwrap_or(0);
        let heads = it.heads.get(1).and_then(|&heads| usize::try_from(heads).ok()).unwrap_or(0);
        let Ok(shape) = Shape::new(&[result[0], result[1], heads, width]) else { return };
        it.order[3] = 2;
        let args = it.write().into_iter().map(|argument| value_of(graph, argument)).collect();
        graph.nodes[self.attention].args = args;
        if let Value::Tensor(tensor) = &mut graph.values[attended as usize] {
            tensor.shape = shape;
        }
        let sizes =
            push(graph, Value::Ints(result.iter().map(|&size| i64::try_from(size).unwrap_or(i64::MAX)).collect()));
        let permutation = &mut graph.nodes[self.permutation];
        (permutation.op, permutation.args[1]) = (view, sizes);
    }
}

#[cfg(test)]
mod tests {
    use pteron_ops::{Activation, Linear};
    use pteron_tensor::DType;

    use super::*;
    use crate::graph::Role;

    fn add(graph: &mut Graph, sizes: &[usize]) -> u32 {
        let shape = Shape::new(sizes).unwrap();
        push(graph, Value::Tensor(TensorValue { dtype: DType::F32, shape, role: Role::Plain }))
    }

    /// Adds a node that gives a tensor of these sizes.
    fn node(graph: &mut Graph, name: &str, args: Vec<u32>, sizes: &[usize]) -> u32 {
        let output = add(graph, sizes);
        graph.nodes.push(Node { id: 0, op: catalogue::lookup(name).unwrap(), args, outputs: vec![output] });
        output
    }

    fn moved(graph: &mut Graph, name: &str, from: u32, numbers: &[i64], sizes: &[usize]) -> u32 {
        let numbers = push(graph, Value::Ints(numbers.to_vec()));
        node(graph, name, vec![from, numbers], sizes)
    }

    fn linear(graph: &mut Graph, input: u32, weight: &[usize], sizes: &[usize]) -> u32 {
        let weight = add(graph, weight);
        let (first, last) = (Activation::NONE, Activation::NONE);
        let layer = Linear { input, weight, bias: None, across: false, first, addend: None, last };
        let args = layer.write().into_iter().map(|it| value_of(graph, it)).collect();
        node(graph, Linear::NAME, args, sizes)
    }

    /// Two batches of three heads of five rows: attention of one layer's columns, and a layer after it, with rows outside.
    fn graph() -> Graph {
        let mut graph = Graph::default();
        let input = add(&mut graph, &[2, 5, 12]);
        let rows = moved(&mut graph, PERMUTE, input, &[1, 0, 2], &[5, 2, 12]);
        let all = linear(&mut graph, rows, &[36, 12], &[5, 2, 36]);
        let parts = moved(&mut graph, VIEW, all, &[5, 2, 3, 12], &[5, 2, 3, 12]);
        let held = [0, 1, 2].map(|number| {
            let [dim, number] = [2, number].map(|it| push(&mut graph, Value::Int(it)));
            let part = node(&mut graph, "aten.select_copy.int", vec![parts, dim, number], &[5, 2, 12]);
            moved(&mut graph, VIEW, part, &[5, 6, 4], &[5, 6, 4])
        });
        let attention = Attention {
            query: held[0],
            key: held[1],
            value: held[2],
            heads: vec![2, 3],
            order: vec![1; 4],
            scale: 0.5,
            mask: None,
            zeros: false,
            places: Vec::new(),
        };
        let args = attention.write().into_iter().map(|it| value_of(&mut graph, it)).collect();
        let attended = node(&mut graph, Attention::NAME, args, &[5, 6, 4]);
        let attended = moved(&mut graph, VIEW, attended, &[10, 12], &[10, 12]);
        let last = linear(&mut graph, attended, &[12, 12], &[10, 12]);
        let last = moved(&mut graph, VIEW, last, &[5, 2, 12], &[5, 2, 12]);
        let output = moved(&mut graph, PERMUTE, last, &[1, 0, 2], &[2, 5, 12]);
        (graph.inputs, graph.outputs) = (vec![input], vec![output]);
        graph
    }

    #[test]
    fn permutations_go_past_layers_to_attention() {
        let mut graph = graph();
        run(&mut graph);
        let layers: Vec<_> = graph.nodes.iter().filter(|node| node.op.name == Linear::NAME).collect();
        assert_eq!(layers[0].args[0], 0, "the first layer takes rows as they come");
        assert_eq!(&*tensor(&graph, layers[0].outputs[0]).unwrap().shape, &[2, 5, 36]);
        let attention = graph.nodes.iter().find(|node| node.op.name == Attention::NAME).unwrap();
        let it = Attention::read(&attention.args, &|id| literal(&graph, id)).unwrap();
        assert_eq!(it.order, [1, 1, 1, 2], "and attention gives them as the last one hands them on");
        assert_eq!(&*tensor(&graph, attention.outputs[0]).unwrap().shape, &[2, 5, 3, 4]);
        assert_eq!(graph.nodes.last().unwrap().op.name, VIEW);
        super::super::vectors::run(&mut graph);
        let attention = graph.nodes.iter().find(|node| node.op.name == Attention::NAME).unwrap();
        let it = Attention::read(&attention.args, &|id| literal(&graph, id)).unwrap();
        assert_eq!(it.places[..6], [4, 5, 5 * 36, 4, 36, 0], "of batches, heads and rows where the layer put them");
    }
}
