//! Attention reads queries, keys and values where they lie in a tensor that holds more, such as the result of one layer for all
//! three, and not copies of them.

use pteron_ops::Attention;

use super::IN_PAGES;
use super::layout::sources;
use super::rewrite::{Rewrite, literal, rewrite};
use super::uses::{Uses, tensor};
use crate::graph::Graph;

/// Looks for what every attention reads, in a graph whose sizes are those of every call.
pub(super) fn run(graph: &mut Graph) {
    rewrite(graph, |graph, uses, at| {
        let node = &graph.nodes[at];
        let attention =
            Attention::read(&node.args, &|id| literal(graph, id)).filter(|_| node.op.name == Attention::NAME)?;
        if !attention.places.is_empty() {
            return None;
        }
        let finder = Finder { graph, uses, at };
        let shared = shared_heads(graph, uses, &attention).and_then(|attention| finder.places(attention));
        let arguments = shared.or_else(|| finder.places(attention))?;
        Some(Rewrite { at, gone: Vec::new(), op: Attention::NAME, arguments: arguments.write(), outputs: None })
    });
}

/// Where the vectors of all heads are.
struct Place {
    value: u32,
    /// As [`Attention::places`] has them.
    numbers: Vec<i64>,
}

/// The same attention with the heads that share keys and values as batches of their own, where the program repeats keys for
/// several heads of one batch.
fn shared_heads(graph: &Graph, uses: &Uses, attention: &Attention) -> Option<Attention> {
    if IN_PAGES {
        return None;
    }
    let ([1, heads], mut id) = (sizes(&attention.heads)?, attention.key) else { return None };
    let repeated = loop {
        let node = &graph.nodes[uses.producer(id)?];
        let from = *node.args.first()?;
        if node.op.name == "aten.expand_copy.default" {
            break tensor(graph, id)?.shape.numel().checked_div(tensor(graph, from)?.shape.numel())?;
        }
        id = from;
    };
    // A mask that is not the same for all heads has their number.
    let mask = attention.mask.map(|mask| tensor(graph, mask).map(|mask| mask.shape));
    let alike = mask.is_none_or(|mask| mask.is_some_and(|mask| mask.iter().rev().skip(2).all(|&size| size == 1)));
    let shares = repeated > 1 && heads.is_multiple_of(repeated) && alike;
    let heads = [heads.checked_div(repeated)?, repeated].map(|count| i64::try_from(count).ok());
    // Rows of one batch are outside its heads, and so outside all of these batches.
    let order = attention.order.iter().map(|&order| order.min(1)).collect();
    shares.then_some(Attention { heads: vec![heads[0]?, heads[1]?], order, ..attention.clone() })
}

struct Finder<'a> {
    graph: &'a Graph,
    uses: &'a Uses,
    /// The node that reads the vectors.
    at: usize,
}

impl Finder<'_> {
    /// An attention that reads queries, keys and values at the farthest places, where one of them is not where it reads now.
    fn places(&self, attention: Attention) -> Option<Attention> {
        let (heads, held) = (sizes(&attention.heads)?, [attention.query, attention.key, attention.value]);
        let places = std::array::from_fn(|number| self.place(heads, held[number], *attention.order.get(number)?));
        let [Some(query), Some(key), Some(value)] = places else { return None };
        ([query.value, key.value, value.value] != held).then_some(Attention {
            query: query.value,
            key: key.value,
            value: value.value,
            places: [query.numbers, key.numbers, value.numbers].concat(),
            ..attention
        })
    }

    /// The farthest place of vectors that a value holds in this order: the value itself where there is none before it.
    fn place(&self, [batch, heads]: [usize; 2], value: u32, order: i64) -> Option<Place> {
        let shape = tensor(self.graph, value)?.shape;
        let &size = shape.last()?;
        let count = shape.numel().checked_div(batch * heads * size).filter(|&count| count > 0)?;
        let (sizes, [of_batch, of_head, of_row]) = match order {
            0 => ([batch, heads, count, size], [0, 1, 2]),
            1 => ([count, batch, heads, size], [1, 2, 0]),
            2 => ([batch, count, heads, size], [0, 2, 1]),
            _ => return None,
        };
        let place = |source: u32, first: usize, distances: &[usize]| {
            let numbers = [size, count, distances[of_batch], distances[of_head], distances[of_row], first];
            // Kernels read four elements at a time where they can.
            let wide = !size.is_multiple_of(4) || numbers[2..].iter().all(|number| number.is_multiple_of(4));
            let numbers = numbers.iter().map(|&number| i64::try_from(number).ok()).collect::<Option<_>>()?;
            (wide && (size == 1 || distances[3] == 1)).then_some(Place { value: source, numbers })
        };
        let farther = sources(self.graph, self.uses, value).into_iter().find_map(|(source, layout)| {
            let unchanged = self.uses.producer(source).map_or(0, |producer| producer + 1);
            let unchanged = self.graph.nodes[unchanged..self.at].iter().all(|node| node.op.is_pure());
            place(source, layout.first, &layout.distances(&sizes)?).filter(|_| unchanged)
        });
        let [_, b, c, d] = sizes;
        farther.or_else(|| place(value, 0, &[b * c * d, c * d, d, 1]))
    }
}

/// Two numbers as sizes.
fn sizes(numbers: &[i64]) -> Option<[usize; 2]> {
    let &[batch, heads] = numbers else { return None };
    Some([usize::try_from(batch).ok()?, usize::try_from(heads).ok()?])
}

#[cfg(test)]
mod tests {
    use pteron_ops::catalogue;
    use pteron_tensor::{DType, Shape};

    use super::*;
    use crate::graph::{Node, Role, TensorValue, Value};

    /// Attention of two heads of five vectors of four elements, which `divide` takes from rows of 24.
    fn graph(divide: impl Fn(&mut Graph, u32, usize) -> u32) -> Graph {
        let mut graph = Graph::default();
        let rows = add(&mut graph, &[5, 24]);
        let held = [0, 1, 2].map(|number| divide(&mut graph, rows, number));
        let output = add(&mut graph, &[5, 2, 4]);
        let attention = Attention {
            query: held[0],
            key: held[1],
            value: held[2],
            heads: vec![1, 2],
            order: vec![1, 1, 1, 1],
            scale: 0.5,
            mask: None,
            zeros: false,
            places: Vec::new(),
        };
        let args = attention.write().into_iter().map(|it| super::super::rewrite::value_of(&mut graph, it)).collect();
        node(&mut graph, Attention::NAME, args, output);
        (graph.inputs, graph.outputs) = (vec![rows], vec![output]);
        run(&mut graph);
        graph
    }

    fn add(graph: &mut Graph, sizes: &[usize]) -> u32 {
        let shape = Shape::new(sizes).unwrap();
        value(graph, Value::Tensor(TensorValue { dtype: DType::F32, shape, role: Role::Plain }))
    }

    fn value(graph: &mut Graph, value: Value) -> u32 {
        super::super::uses::push(graph, value)
    }

    fn node(graph: &mut Graph, name: &str, args: Vec<u32>, output: u32) {
        graph.nodes.push(Node { id: 0, op: catalogue::lookup(name).unwrap(), args, outputs: vec![output] });
    }

    fn read(graph: &Graph) -> Attention {
        Attention::read(&graph.nodes.last().unwrap().args, &|id| literal(graph, id)).unwrap()
    }

    const PLACES: [i64; 18] = [4, 5, 0, 4, 24, 0, 4, 5, 0, 4, 24, 8, 4, 5, 0, 4, 24, 16];

    #[test]
    fn columns_of_a_layer_are_read_where_they_are() {
        let attention = read(&graph(|graph, rows, number| {
            let numbers = [1, 8 * i64::try_from(number).unwrap(), 8 * i64::try_from(number).unwrap() + 8];
            let [dim, start, end] = numbers.map(|it| value(graph, Value::Int(it)));
            let (columns, vectors) = (add(graph, &[5, 8]), add(graph, &[5, 2, 4]));
            node(graph, "aten.slice_copy.Tensor", vec![rows, dim, start, end], columns);
            let sizes = value(graph, Value::Ints(vec![5, 2, 4]));
            node(graph, "aten.view_copy.default", vec![columns, sizes], vectors);
            vectors
        }));
        assert_eq!(([attention.query, attention.key, attention.value], &attention.places[..]), ([0; 3], &PLACES[..]));
    }

    #[test]
    fn entries_of_a_permutation_are_read_where_they_were() {
        let attention = read(&graph(|graph, rows, number| {
            let (divided, moved, vectors) =
                (add(graph, &[5, 3, 2, 4]), add(graph, &[3, 5, 2, 4]), add(graph, &[5, 2, 4]));
            let sizes = value(graph, Value::Ints(vec![5, 3, 2, 4]));
            node(graph, "aten.view_copy.default", vec![rows, sizes], divided);
            let order = value(graph, Value::Ints(vec![1, 0, 2, 3]));
            node(graph, "aten.permute_copy.default", vec![divided, order], moved);
            let [dim, number] = [0, i64::try_from(number).unwrap()].map(|it| value(graph, Value::Int(it)));
            node(graph, "aten.select_copy.int", vec![moved, dim, number], vectors);
            vectors
        }));
        assert_eq!(([attention.query, attention.key, attention.value], &attention.places[..]), ([0; 3], &PLACES[..]));
    }

    #[test]
    fn vectors_that_were_never_elsewhere_stay_where_they_are() {
        let attention = read(&graph(|graph, _, _| add(graph, &[5, 2, 4])));
        assert!(attention.places.is_empty());
    }
}
