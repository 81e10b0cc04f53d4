//! Linear layers of one input whose results one attention reads where they lie, such as those of queries, keys and values, become
//! one layer.

use pteron_ops::{Argument, Attention, Linear, Turn};
use pteron_tensor::Shape;

use super::constants::{self, side_by_side};
use super::product::plain_layer;
use super::prune;
use super::rewrite::{literal, value_of};
use super::uses::{Uses, push, tensor};
use crate::graph::{Constant, DataRef, Graph, Node, Role, TensorValue, Value};

/// Joins the layers before every attention.
pub(super) fn run(graph: &mut Graph) {
    // What attention was made of reads the layers still.
    prune::run(graph);
    let mut at = 0;
    while at < graph.nodes.len() {
        match Projection::before(graph, at).and_then(|layers| join(graph, &layers)) {
            // Other layers may be before the same attention, which has moved.
            Some(gone) => at -= gone,
            None => at += 1,
        }
    }
}

/// A layer that is read at places.
struct Projection {
    /// Its node, and what that gives.
    node: usize,
    output: u32,
    layer: Linear,
    /// The node that alone reads it.
    reader: usize,
}

impl Projection {
    /// Layers of one input that an attention reads, in the order of their nodes.
    fn before(graph: &Graph, at: usize) -> Option<Vec<Projection>> {
        let attention = attention(graph, &graph.nodes[at])?;
        let uses = Uses::of(graph);
        let projection = |held: u32| {
            let turn = uses.made_by(graph, held, Turn::NAME);
            let (reader, output) = turn.map_or((at, held), |(at, turn)| (at, turn.args[0]));
            let (node, layer) = (uses.producer(output)?, plain_layer(graph, &graph.nodes[uses.producer(output)?])?);
            let alone = uses.readers(output).iter().all(|&node| node == reader) && !uses.is_kept(output);
            // Kernels read four columns at a time where they can.
            let wide = tensor(graph, output)?.shape.last()?.is_multiple_of(4);
            let own = uses.readers(layer.weight).len() == 1;
            (alone && wide && own).then_some(Projection { node, output, layer, reader })
        };
        let held = [attention.query, attention.key, attention.value];
        let mut found: Vec<_> = held.into_iter().filter_map(projection).collect();
        found.sort_by_key(|it| it.node);
        found.dedup_by_key(|it| it.node);
        let alike = |one: &Linear, other: &Linear| one.input == other.input && one.across == other.across;
        let count = |it: &&Projection| found.iter().filter(|other| alike(&it.layer, &other.layer)).count();
        let first = found.iter().find(|it| count(it) > 1)?.layer.clone();
        found.retain(|it| alike(&first, &it.layer));
        let between = found.first()?.node..found.last()?.node;
        graph.nodes[between].iter().all(|node| node.op.is_pure()).then_some(found)
    }
}

/// The attention that a node is, where it reads at places.
fn attention(graph: &Graph, node: &Node) -> Option<Attention> {
    let attention =
        Attention::read(&node.args, &|id| literal(graph, id)).filter(|_| node.op.name == Attention::NAME)?;
    (attention.places.len() == 3 * PLACES).then_some(attention)
}

/// Numbers of [`Attention::places`] for each of queries, keys and values. Those from the third on are distances, and the last one
/// the first place.
const PLACES: usize = 6;

/// Puts one layer in the place of the first, and has others read its columns; how many nodes went.
fn join(graph: &mut Graph, layers: &[Projection]) -> Option<usize> {
    let first = layers.first()?;
    let weights = constants::all(graph, layers.iter().map(|it| it.layer.weight))?;
    let columns_at = usize::from(first.layer.across);
    let widths: Vec<usize> =
        weights.iter().map(|weight| weight.shape.get(columns_at).copied()).collect::<Option<_>>()?;
    let biases = biases(graph, layers, &widths)?;
    let given = tensor(graph, first.output)?.clone();
    let shape = given.shape.with(given.shape.rank().checked_sub(1)?, widths.iter().sum()).ok()?;
    let output = push(graph, Value::Tensor(TensorValue { shape, role: Role::Plain, ..given }));
    let mut readers: Vec<(usize, Vec<Argument>)> = Vec::new();
    for it in layers.iter().filter(|it| layers.iter().all(|other| other.node <= it.node || other.reader != it.reader)) {
        readers.push((it.reader, moved(graph, it.reader, layers, &widths, output)?));
    }
    let weight = side_by_side(graph, &weights, columns_at)?;
    let bias = match biases[..] {
        [] => None,
        _ => Some(side_by_side(graph, &biases, 0)?),
    };
    readers.push((first.node, Linear { weight, bias, ..first.layer.clone() }.write()));
    for (node, arguments) in readers {
        graph.nodes[node].args = arguments.into_iter().map(|argument| value_of(graph, argument)).collect();
    }
    graph.nodes[first.node].outputs = vec![output];
    layers[1..].iter().rev().for_each(|it| drop(graph.nodes.remove(it.node)));
    Some(layers.len() - 1)
}

/// The arguments of a node that reads columns of one layer in the place of what several give.
fn moved(graph: &Graph, node: usize, layers: &[Projection], widths: &[usize], output: u32) -> Option<Vec<Argument>> {
    let width = widths.iter().sum();
    let put = |value: &mut u32, places: &mut [i64]| {
        let Some(number) = layers.iter().position(|it| it.output == *value) else { return Some(()) };
        for place in places.iter_mut() {
            *place = in_wider_rows(*place, widths[number], width)?;
        }
        *places.last_mut()? += i64::try_from(widths[..number].iter().sum::<usize>()).ok()?;
        *value = output;
        Some(())
    };
    let node = &graph.nodes[node];
    if node.op.name == Turn::NAME {
        let mut turn = Turn::read(&node.args, &|id| literal(graph, id))?;
        put(&mut turn.input, &mut turn.places)?;
        return Some(turn.write());
    }
    let mut attention = attention(graph, node)?;
    let Attention { query, key, value, places, .. } = &mut attention;
    let mut places = places.chunks_exact_mut(PLACES).map(|places| &mut places[2..]);
    [query, key, value].into_iter().try_for_each(|value| put(value, places.next()?))?;
    Some(attention.write())
}

/// A place among rows of some columns, where rows have more: within a row, or the beginning of one.
fn in_wider_rows(place: i64, columns: usize, wider: usize) -> Option<i64> {
    let (columns, wider) = (i64::try_from(columns).ok()?, i64::try_from(wider).ok()?);
    match (place.checked_div(columns)?, place.checked_rem(columns)?) {
        (0, column) => Some(column),
        (row, 0) => row.checked_mul(wider),
        _ => None,
    }
}

/// The biases of layers, with zeros where a layer has none; nothing where no layer has one.
fn biases(graph: &Graph, layers: &[Projection], widths: &[usize]) -> Option<Vec<Constant>> {
    let own = |it: &Projection| it.layer.bias.map(|bias| constants::all(graph, std::iter::once(bias)));
    let Some(known) = layers.iter().find_map(own) else { return Some(Vec::new()) };
    let known = known?.pop()?;
    let bias = |(layer, &width): (&Projection, &usize)| {
        let shape = Shape::new(&[width]).ok()?;
        match own(layer) {
            Some(bias) => bias?.pop().filter(|bias| bias.shape == shape),
            None => {
                let zeros = DataRef::Bytes(vec![0; width * known.stored.size()].into());
                Some(Constant { data: zeros, shape, ..known.clone() })
            }
        }
    };
    layers.iter().zip(widths).map(bias).collect()
}
