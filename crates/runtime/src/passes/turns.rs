//! Rotary embeddings as `transformers` writes them become `pteron.turn`, which reads vectors where they lie and gives them in the
//! order of its input, so that a permutation before it comes after it.

use pteron_ops::{Argument, Turn, catalogue};

use super::layout::sources;
use super::rewrite::value_of;
use super::uses::{Uses, items, number, push, tensor};
use crate::graph::{Graph, Node, Role, TensorValue, Value};

/// Replaces every turn of a graph whose sizes are those of every call.
pub(super) fn run(graph: &mut Graph) {
    let uses = Uses::of(graph);
    let found: Vec<_> = (0..graph.nodes.len()).rev().filter_map(|at| Found::at(graph, &uses, at)).collect();
    for found in found {
        found.put(graph);
    }
}

/// `x · cos + turned(x) · sin`, and where everything is.
struct Found {
    /// The sum.
    at: usize,
    turn: Turn,
    /// The dimension of the turn's output that each of the sum is.
    order: Vec<i64>,
}

impl Found {
    fn at(graph: &Graph, uses: &Uses, at: usize) -> Option<Found> {
        let finder = Finder { graph, uses };
        let output = *graph.nodes[at].outputs.first()?;
        let (vectors, cos, sin) = finder.parts(&graph.nodes[at])?;
        let (given, tables) = (tensor(graph, output)?, [tensor(graph, cos)?, tensor(graph, sin)?]);
        let alike = tensor(graph, vectors)?.shape == given.shape && tables[0].shape == tables[1].shape;
        let float = given.dtype.is_float() && tables.iter().all(|table| table.dtype == given.dtype);
        let &[a, b, c, width] = &*given.shape else { return None };
        if !alike || !float || width % 2 != 0 || tables[0].shape.last() != Some(&width) || given.shape.numel() == 0 {
            return None;
        }
        let angles = repeated(&tables[0].shape, &[a, b, c])?;
        let sizes = [a, b, c, width];
        let place = |(source, first, distances): (u32, usize, Vec<usize>)| {
            let unchanged = uses.producer(source).map_or(0, |producer| producer + 1);
            let pure = graph.nodes[unchanged..at].iter().all(|node| node.op.is_pure());
            (pure && distances[3] == 1).then_some((source, first, distances))
        };
        let farther = sources(graph, uses, vectors).into_iter();
        let farther = farther.filter_map(|(source, layout)| Some((source, layout.first, layout.distances(&sizes)?)));
        let itself = (vectors, 0, vec![b * c * width, c * width, width, 1]);
        let (input, first, distances) = farther.chain([itself]).find_map(place)?;
        // The output has the order of its input.
        let mut dims = [0, 1, 2];
        dims.sort_by_key(|&dim| std::cmp::Reverse(distances[dim]));
        let number = |number: usize| i64::try_from(number).ok();
        let sorted = |numbers: &[usize]| dims.iter().map(|&dim| number(numbers[dim])).collect::<Option<Vec<_>>>();
        let turn = Turn {
            input,
            cos,
            sin,
            sizes: [sorted(&sizes)?, vec![number(width)?]].concat(),
            places: [sorted(&distances)?, vec![number(first)?]].concat(),
            angles: sorted(&angles)?,
        };
        let place_of = |wanted: usize| dims.iter().position(|&dim| dim == wanted).and_then(number);
        let order = [place_of(0)?, place_of(1)?, place_of(2)?, 3].to_vec();
        Some(Found { at, turn, order })
    }

    /// Puts the turn in the place of the sum, and a permutation after it.
    fn put(self, graph: &mut Graph) {
        let lookups = (catalogue::lookup(Turn::NAME), catalogue::lookup("aten.permute_copy.default"));
        let ((Some(turn), Some(permute)), node) = (lookups, graph.nodes[self.at].clone()) else { return };
        let sizes = self.turn.sizes.iter().map(|&size| usize::try_from(size).unwrap_or(0)).collect::<Vec<_>>();
        let (Ok(shape), Some(dtype)) =
            (pteron_tensor::Shape::new(&sizes), tensor(graph, node.outputs[0]).map(|tensor| tensor.dtype))
        else {
            return;
        };
        let turned = push(graph, Value::Tensor(TensorValue { dtype, shape, role: Role::Plain }));
        let args = self.turn.write().into_iter().map(|argument| value_of(graph, argument)).collect();
        let order = value_of(graph, Argument::Ints(self.order));
        let moved = Node { op: permute, args: vec![turned, order], ..node.clone() };
        let turn = Node { op: turn, args, outputs: vec![turned], ..node };
        graph.nodes.splice(self.at..=self.at, [turn, moved]);
    }
}

/// The distances of a tensor for steps along the dimensions before the last, where it has one element for all of one.
fn repeated(shape: &pteron_tensor::Shape, sizes: &[usize]) -> Option<Vec<usize>> {
    let missing = (sizes.len() + 1).checked_sub(shape.rank())?;
    let strides = shape.strides();
    let distance = |(at, &size): (usize, &usize)| match at.checked_sub(missing).map(|at| (shape[at], strides[at])) {
        None | Some((1, _)) => Some(0),
        Some((own, distance)) => (own == size).then_some(distance),
    };
    sizes.iter().enumerate().map(distance).collect()
}

struct Finder<'a> {
    graph: &'a Graph,
    uses: &'a Uses,
}

impl Finder<'_> {
    /// The vectors, cosines and sines of a sum.
    fn parts(&self, node: &Node) -> Option<(u32, u32, u32)> {
        let (&[left, right, ref alpha @ ..], "aten.add.Tensor") = (&node.args[..], node.op.name) else { return None };
        let once = alpha.iter().all(|&id| number(self.graph, id).is_none_or(|factor| factor == 1.0));
        let both = [self.product(left)?, self.product(right)?];
        let orders = [[0, 1], [1, 0]].into_iter().flat_map(|order| {
            let [[a, b], [c, d]] = order.map(|at| both[at]);
            [[a, b, c, d], [a, b, d, c], [b, a, c, d], [b, a, d, c]]
        });
        let turned =
            |[vectors, cos, turned, sin]: [u32; 4]| (self.exchanged(turned)? == vectors).then_some((vectors, cos, sin));
        once.then(|| orders.into_iter().find_map(turned))?
    }

    fn product(&self, id: u32) -> Option<[u32; 2]> {
        let (_, node) = self.uses.made_by(self.graph, id, "aten.mul.Tensor")?;
        Some([*node.args.first()?, *node.args.get(1)?])
    }

    /// What a value has the halves of: the second one, negated, and then the first.
    fn exchanged(&self, id: u32) -> Option<u32> {
        let (_, cat) = self.uses.made_by(self.graph, id, "aten.cat.default")?;
        let parts: Vec<u32> = items(self.graph, &cat.args[..1]).skip(1).collect();
        let &[negated, first] = &parts[..] else { return None };
        let (_, negated) = self.uses.made_by(self.graph, negated, "aten.neg.default")?;
        let second = *negated.args.first()?;
        let [first, second] = [(first, 0), (second, 1)].map(|(id, half)| self.half(id, half));
        let rank = tensor(self.graph, id)?.shape.rank() as f64;
        let last = number(self.graph, *cat.args.get(1)?).is_some_and(|dim| dim == -1.0 || dim + 1.0 == rank);
        (last && first == second).then_some(first?)
    }

    /// What a value is the first (0) or the second half (1) of, along the last dimension.
    fn half(&self, id: u32, which: usize) -> Option<u32> {
        let (source, layout) = sources(self.graph, self.uses, id).pop()?;
        let [whole, half] = [tensor(self.graph, source)?.shape, tensor(self.graph, id)?.shape];
        let (width, rank) = (*half.last()?, half.rank());
        let is_half = whole == half.with(rank - 1, 2 * width).ok()?;
        let starts = layout.first == which * width && layout.distances(&half)?.last() == Some(&1);
        (is_half && starts).then_some(source)
    }
}
