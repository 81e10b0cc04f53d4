//! Writes caches in the launches of the attention that reads them: two `update_cache` and the `custom_sdpa` over both caches,
//! at one position, become `sdpa_with_kv_cache`. Programs for XNNPACK have the three apart.

use pteron_ops::Argument;

use super::rewrite::{Rewrite, literal, rewrite};
use super::uses::{self, Uses};
use crate::graph::Graph;

const UPDATE: &str = "update_cache.default";
const ATTENTION: &str = "custom_sdpa.default";

pub(super) fn run(graph: &mut Graph) {
    rewrite(graph, writing);
}

/// The attention at `index` with what writes its caches.
fn writing(graph: &mut Graph, uses: &Uses, index: usize) -> Option<Rewrite> {
    let node = &graph.nodes[index];
    if node.op.name != ATTENTION {
        return None;
    }
    let &[query, key_cache, value_cache, start, mask, ref rest @ ..] = &node.args[..] else { return None };
    // Under a mask the position may lie beyond the cache.
    if uses::optional(graph, mask).is_some() || rest.len() > 3 {
        return None;
    }
    let (keys, key) = written(graph, uses, index, key_cache, start)?;
    let (values, value) = written(graph, uses, index, value_cache, start)?;
    let fits = |id: u32| uses::tensor(graph, id).map(|tensor| tensor.shape);
    if fits(key) != fits(value) || keys == values {
        return None;
    }
    let tensors = [query, key, value, key_cache, value_cache, start].map(Argument::Value);
    let rest = rest.iter().map(|&id| literal(graph, id));
    let arguments = tensors.into_iter().chain([Argument::Null, Argument::Null]).chain(rest).collect();
    Some(Rewrite { at: index, gone: vec![keys, values], op: "sdpa_with_kv_cache.default", arguments, outputs: None })
}

/// The node that alone writes a cache which nobody but the attention at `reader` reads, and what it writes.
fn written(graph: &Graph, uses: &Uses, reader: usize, cache: u32, start: u32) -> Option<(usize, u32)> {
    let &[first, second] = uses.readers(cache) else { return None };
    let writer = &graph.nodes[first];
    let &[value, target, at, ..] = &writer.args[..] else { return None };
    let before = second == reader && first < reader && writer.op.name == UPDATE;
    (before && target == cache && value != cache && at == start).then_some((first, value))
}

#[cfg(test)]
mod tests {
    use pteron_ops::catalogue;
    use pteron_ops::sym::SymId;
    use pteron_tensor::{DType, Shape};

    use super::*;
    use crate::graph::{Node, Role, TensorValue, Value};

    /// Queries, keys and values are inputs 0 to 2, the caches 3 and 4, positions 5 and 6, nothing 7; the output is 8.
    fn graph() -> Graph {
        let tensor = |rows: usize, heads: usize, role| {
            Value::Tensor(TensorValue { dtype: DType::F32, shape: Shape::new(&[1, rows, heads, 8]).unwrap(), role })
        };
        let plain = |heads| tensor(1, heads, Role::Plain);
        let mut values = vec![plain(4), plain(2), plain(2), tensor(9, 2, Role::State(0)), tensor(9, 2, Role::State(1))];
        values.extend([Value::Sym(SymId(0)), Value::Sym(SymId(1)), Value::Null, plain(4), plain(2), plain(2)]);
        values.extend([Value::Double(0.0), Value::Bool(true)]);
        let node = |name: &str, args: &[u32], output: u32| {
            let op = catalogue::lookup(name).unwrap();
            Node { id: 0, op, args: args.to_vec(), outputs: vec![output] }
        };
        Graph {
            name: "test".to_owned(),
            values,
            nodes: vec![
                node(UPDATE, &[2, 4, 5], 9),
                node(UPDATE, &[1, 3, 5], 10),
                node(ATTENTION, &[0, 3, 4, 5, 7, 11, 12, 7], 8),
            ],
            inputs: vec![0, 1, 2],
            outputs: vec![8],
            symbols: 2,
            ..Graph::default()
        }
    }

    #[test]
    fn caches_are_written_by_the_attention() {
        let mut graph = graph();
        run(&mut graph);
        let [node] = &graph.nodes[..] else { panic!("{:?}", graph.nodes) };
        assert_eq!(node.op.name, "sdpa_with_kv_cache.default");
        assert_eq!((&node.args[..6], node.args.len()), (&[0, 1, 2, 3, 4, 5][..], 11));
    }

    /// What is written elsewhere, read by others or masked stays.
    #[test]
    fn what_is_not_the_same_stays() {
        let edits: [fn(&mut Graph); 4] = [
            |graph| graph.nodes[1].args[2] = 6,
            |graph| graph.nodes[2].args[4] = 0,
            |graph| graph.nodes[1].args[0] = 4,
            |graph| graph.nodes.swap(1, 2),
        ];
        for edit in edits {
            let mut graph = graph();
            edit(&mut graph);
            run(&mut graph);
            assert_eq!(graph.nodes.len(), 3);
        }
    }
}
