//! Finds the turn of queries and keys in its parts, as programs for XNNPACK have it, and puts `apply_rotary_emb` in its place:
//! pairs of elements taken apart, multiplied by cosines and sines, added up and joined again.

use super::uses::{self, Uses};
use crate::graph::{Graph, Node, Role, TensorValue, Value};

const ROTARY: &str = "et_vk.apply_rotary_emb.default";
const VIEW: &str = "aten.view_copy.default";

/// One tensor that is turned.
#[derive(Debug)]
struct Turned {
    /// Before, with the elements in the order of the result.
    source: u32,
    /// Sizes and value of the result.
    sizes: u32,
    result: u32,
    /// Tables of a row for each row of the tensor.
    tables: [u32; 2],
    /// The nodes that it consists of; the first is that of the result.
    nodes: Vec<usize>,
}

/// Replaces every pair of turns by the same tables that one attention reads.
pub(super) fn run(graph: &mut Graph) {
    while let Some(pair) = find(graph) {
        if replace(graph, pair).is_none() {
            return;
        }
    }
}

/// Queries and keys of an attention, both turned.
fn find(graph: &Graph) -> Option<[Turned; 2]> {
    let uses = Uses::of(graph);
    graph.nodes.iter().filter(|node| node.op.name == "sdpa_with_kv_cache.default").find_map(|node| {
        let pair = [turned(graph, &uses, *node.args.first()?)?, turned(graph, &uses, *node.args.get(1)?)?];
        let nodes: Vec<usize> = pair.iter().flat_map(|turn| turn.nodes.iter().copied()).collect();
        let alone = pair.iter().all(|turn| {
            turn.nodes.iter().skip(1).flat_map(|&node| &graph.nodes[node].outputs).all(|&output| {
                !uses.is_kept(output) && uses.readers(output).iter().all(|reader| nodes.contains(reader))
            })
        });
        // Everything is computed where the later of both results was.
        let at = pair.iter().filter_map(|turn| turn.nodes.first()).max()?;
        let ready = pair.iter().all(|turn| {
            let later = |&reader: &usize| reader > *at;
            uses.readers(turn.result).iter().all(later) && !uses.is_kept(turn.result)
        });
        (alone && ready && pair[0].tables == pair[1].tables && pair[0].result != pair[1].result).then_some(pair)
    })
}

/// The turn that a value is the result of.
fn turned(graph: &Graph, uses: &Uses, result: u32) -> Option<Turned> {
    let (last, view) = uses.made_by(graph, result, VIEW)?;
    let &[joined, sizes, ..] = &view.args[..] else { return None };
    let (cat, join) = uses.made_by(graph, joined, "aten.cat.default")?;
    let &[list, dim, ..] = &join.args[..] else { return None };
    let Value::List(halves) = &graph.values[list as usize] else { return None };
    let &[real, imaginary] = &halves[..] else { return None };
    if !is_last(graph, joined, dim) {
        return None;
    }
    let mut nodes = vec![last, cat];
    let mut through = |id: u32, op: &str| {
        let (index, node) = uses.made_by(graph, id, op)?;
        nodes.push(index);
        Some(node)
    };
    let [real, imaginary] = [through(real, VIEW)?.args[0], through(imaginary, VIEW)?.args[0]];
    let [difference, sum] = [through(real, "aten.sub.Tensor")?, through(imaginary, "aten.add.Tensor")?];
    let one = |node: &Node| node.args.get(2).is_none_or(|&alpha| uses::number(graph, alpha).is_none_or(|a| a == 1.0));
    if !one(difference) || !one(sum) {
        return None;
    }
    let mut product = |id: u32| {
        let node = through(id, "aten.mul.Tensor")?;
        Some([*node.args.first()?, *node.args.get(1)?])
    };
    let [[even, cos], [odd, sin]] = [product(difference.args[0])?, product(difference.args[1])?];
    let [[first, by], [second, other]] = [product(sum.args[0])?, product(sum.args[1])?];
    let crossed =
        (first, by, second, other) == (even, sin, odd, cos) || (first, by, second, other) == (odd, cos, even, sin);
    if !crossed {
        return None;
    }
    let mut taken = |id: u32, at: f64| {
        let wide = through(id, "aten.squeeze_copy.dims")?.args[0];
        let slice = through(wide, "aten.slice_copy.Tensor")?;
        let &[pairs, dim, start, end, ref step @ ..] = &slice.args[..] else { return None };
        let is = |id: u32, wanted: f64| uses::number(graph, id) == Some(wanted);
        // The last element ends where the dimension does, or anywhere beyond.
        let ends = is(end, at + 1.0) || (at == 1.0 && uses::number(graph, end).is_some_and(|end| end > 2.0));
        (is_last(graph, pairs, dim) && is(start, at) && ends && step.iter().all(|&step| is(step, 1.0))).then_some(pairs)
    };
    let pairs = taken(even, 0.0)?;
    if taken(odd, 1.0)? != pairs {
        return None;
    }
    let source = through(pairs, VIEW)?.args[0];
    let tables = [table(graph, uses, cos)?, table(graph, uses, sin)?];
    let (given, wanted) = (uses::tensor(graph, source)?, uses::tensor(graph, result)?);
    let &[batch, rows, heads, width] = &*wanted.shape else { return None };
    let fits = |id: &u32| uses::tensor(graph, *id).is_some_and(|table| *table.shape == [rows, width / 2]);
    let plain = given.role == Role::Plain && given.dtype == wanted.dtype && given.shape.numel() == wanted.shape.numel();
    let paired = uses::tensor(graph, pairs)?.shape.dims() == [batch, rows, heads, width / 2, 2];
    nodes.sort_unstable();
    nodes.dedup();
    nodes.retain(|&node| node != last);
    nodes.insert(0, last);
    (plain && paired && tables.iter().all(fits)).then_some(Turned { source, sizes, result, tables, nodes })
}

/// Whether a number means the last dimension of a tensor.
fn is_last(graph: &Graph, id: u32, dim: u32) -> bool {
    let rank = uses::tensor(graph, id).map_or(0, |tensor| tensor.shape.rank());
    uses::number(graph, dim).is_some_and(|dim| dim == -1.0 || dim + 1.0 == rank as f64)
}

/// The rows of a table that a value shows with sizes of 1 among its own.
fn table(graph: &Graph, uses: &Uses, id: u32) -> Option<u32> {
    let (_, view) = uses.made_by(graph, id, VIEW)?;
    let &[rows, ..] = &view.args[..] else { return None };
    let (from, to) = (uses::tensor(graph, rows)?.shape, uses::tensor(graph, id)?.shape);
    let &[count, columns] = &*from else { return None };
    (*to == [1, count, 1, columns]).then_some(rows)
}

/// Puts one node in the place of both turns, after views of what they turn.
fn replace(graph: &mut Graph, [query, key]: [Turned; 2]) -> Option<()> {
    let at = *query.nodes.first()?.max(key.nodes.first()?);
    let id = graph.nodes[at].id;
    let op = pteron_ops::catalogue::lookup(ROTARY)?;
    let view = pteron_ops::catalogue::lookup(VIEW)?;
    let mut new = Vec::with_capacity(3);
    let mut sources = Vec::with_capacity(4);
    for turn in [&query, &key] {
        let tensor = uses::tensor(graph, turn.result)?;
        let like = TensorValue { role: Role::Plain, ..tensor.clone() };
        let source = uses::push(graph, Value::Tensor(like));
        new.push(Node { id, op: view, args: vec![turn.source, turn.sizes], outputs: vec![source] });
        sources.push(source);
    }
    sources.extend(query.tables);
    new.push(Node { id, op, args: sources, outputs: vec![query.result, key.result] });
    let gone: Vec<usize> = query.nodes.iter().chain(&key.nodes).copied().collect();
    let nodes = std::mem::take(&mut graph.nodes);
    for (index, node) in nodes.into_iter().enumerate() {
        if index == at {
            graph.nodes.append(&mut new);
        } else if !gone.contains(&index) {
            graph.nodes.push(node);
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use pteron_ops::catalogue;
    use pteron_tensor::{DType, Shape};

    use super::*;

    /// A graph that is written down node by node.
    #[derive(Default)]
    struct Writer(Graph);

    impl Writer {
        fn tensor(&mut self, dims: &[usize]) -> u32 {
            let shape = Shape::new(dims).unwrap();
            uses::push(&mut self.0, Value::Tensor(TensorValue { dtype: DType::F32, shape, role: Role::Plain }))
        }

        fn int(&mut self, value: i64) -> u32 {
            uses::push(&mut self.0, Value::Int(value))
        }

        fn node(&mut self, name: &str, args: &[u32], dims: &[usize]) -> u32 {
            let (op, output) = (catalogue::lookup(name).unwrap(), self.tensor(dims));
            self.0.nodes.push(Node { id: 0, op, args: args.to_vec(), outputs: vec![output] });
            output
        }

        fn view(&mut self, from: u32, dims: &[usize]) -> u32 {
            let sizes = uses::push(&mut self.0, Value::Ints(dims.iter().map(|&size| size as i64).collect()));
            self.node(VIEW, &[from, sizes], dims)
        }

        /// Rows of so many heads of 8, turned.
        fn turn(&mut self, source: u32, [cos, sin]: [u32; 2], heads: usize) -> u32 {
            let (part, pair) = ([1, 3, heads, 4], [1, 3, heads, 4, 1]);
            let pairs = self.view(source, &[1, 3, heads, 4, 2]);
            let [last, one] = [self.int(4), self.int(1)];
            let dims = uses::push(&mut self.0, Value::Ints(vec![4]));
            let [even, odd] = [0, 1].map(|at| {
                let [start, end] = [self.int(at), self.int(at + 1)];
                let slice = self.node("aten.slice_copy.Tensor", &[pairs, last, start, end, one], &pair);
                self.node("aten.squeeze_copy.dims", &[slice, dims], &part)
            });
            let mut product = |a, b| self.node("aten.mul.Tensor", &[a, b], &part);
            let [a, b, c, d] = [product(even, cos), product(odd, sin), product(even, sin), product(odd, cos)];
            let difference = self.node("aten.sub.Tensor", &[a, b], &part);
            let sum = self.node("aten.add.Tensor", &[c, d], &part);
            let both = [self.view(difference, &pair), self.view(sum, &pair)].to_vec();
            let list = uses::push(&mut self.0, Value::List(both));
            let joined = self.node("aten.cat.default", &[list, last], &[1, 3, heads, 4, 2]);
            self.view(joined, &[1, 3, heads, 8])
        }
    }

    /// An attention whose queries and keys are turned; the graph, and both results.
    fn graph() -> (Graph, [u32; 2]) {
        let mut writer = Writer::default();
        let inputs = [[1, 3, 32], [1, 3, 16], [1, 3, 16]].map(|dims| writer.tensor(&dims));
        let tables = [0, 1].map(|_| writer.tensor(&[3, 4]));
        let caches = [0, 1].map(|_| writer.tensor(&[1, 9, 2, 8]));
        let rows = tables.map(|table| writer.view(table, &[1, 3, 1, 4]));
        let results = [writer.turn(inputs[0], rows, 4), writer.turn(inputs[1], rows, 2)];
        let value = writer.view(inputs[2], &[1, 3, 2, 8]);
        let start = writer.int(0);
        let args = [results[0], results[1], value, caches[0], caches[1], start];
        let output = writer.node("sdpa_with_kv_cache.default", &args, &[1, 3, 4, 8]);
        let outputs = vec![output];
        (Graph { inputs: inputs.into_iter().chain(tables).collect(), outputs, ..writer.0 }, results)
    }

    #[test]
    fn a_turn_in_its_parts_is_one_node() {
        let (mut graph, results) = graph();
        run(&mut graph);
        let rotary = graph.nodes.iter().find(|node| node.op.name == ROTARY).expect("a turn");
        assert_eq!(rotary.outputs, results);
        assert_eq!(rotary.args[2..], graph.inputs[3..]);
        assert!(!graph.nodes.iter().any(|node| node.op.name == "aten.mul.Tensor"));
        // Views of the tables, of values, and of what is turned.
        assert_eq!(graph.nodes.len(), 2 + 1 + 2 + 2);
    }

    #[test]
    fn what_others_see_or_is_no_turn_stays() {
        type Edit = fn(&mut Graph);
        let edits: [(&str, Edit); 4] = [
            ("a product is an output", |graph| {
                let product = graph.nodes.iter().find(|node| node.op.name == "aten.mul.Tensor").unwrap().outputs[0];
                graph.outputs.push(product);
            }),
            ("both halves are the first", |graph| {
                let slices = graph.nodes.iter_mut().filter(|node| node.op.name == "aten.slice_copy.Tensor");
                let slices: Vec<_> = slices.collect();
                let first = slices[0].args.clone();
                slices.into_iter().nth(1).unwrap().args = first;
            }),
            ("the sum is a difference", |graph| {
                let sum = graph.nodes.iter_mut().find(|node| node.op.name == "aten.add.Tensor").unwrap();
                sum.op = catalogue::lookup("aten.sub.Tensor").unwrap();
            }),
            ("sines stand for cosines", |graph| {
                let product = graph.nodes.iter_mut().find(|node| node.op.name == "aten.mul.Tensor").unwrap();
                product.args[1] = graph.inputs[0];
            }),
        ];
        for (why, edit) in edits {
            let (mut graph, _) = graph();
            edit(&mut graph);
            let before = graph.nodes.len();
            run(&mut graph);
            assert_eq!(graph.nodes.len(), before, "{why}");
        }
    }
}
