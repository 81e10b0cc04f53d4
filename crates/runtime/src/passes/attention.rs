//! Turns queries and keys in the launch that writes the caches: `apply_rotary_emb` and the `sdpa_with_kv_cache` that alone
//! reads its results become one `pteron.rope_attention`. Where the tables are slices of constants, it reads the constants.

use pteron_ops::RopeAttention;

use super::rewrite::{Rewrite, literal, rewrite};
use super::uses::{self, Uses};
use crate::graph::{Graph, Node, Value};

const ROTARY: &str = "et_vk.apply_rotary_emb.default";
const ATTENTION: &str = "sdpa_with_kv_cache.default";

pub(super) fn run(graph: &mut Graph) {
    rewrite(graph, turning);
}

/// Cosines and sines, and the bounds of their rows that count where these are not all.
struct Tables {
    cos: u32,
    sin: u32,
    bounds: Option<[u32; 2]>,
}

/// The attention at `index` with the turn of its queries and keys.
fn turning(graph: &mut Graph, uses: &Uses, index: usize) -> Option<Rewrite> {
    let node = &graph.nodes[index];
    if node.op.name != ATTENTION {
        return None;
    }
    let &[query, key, value, key_cache, value_cache, ref rest @ ..] = &node.args[..] else { return None };
    let [start, length, mask, dropout, causal, scale] = optional(graph, rest)?;
    let (rotary, turn) = uses.made_by(graph, query, ROTARY)?;
    let (&[query_in, key_in, cos, sin], &[query_out, key_out]) = (&turn.args[..], &turn.outputs[..]) else {
        return None;
    };
    // One launch writes both caches while it reads the rest: no other value may show their memory.
    let apart = [key_cache, value_cache].iter().all(|&id| uses.readers(id).len() == 1);
    let types = [(query_in, query), (key_in, key)].iter().all(|&(from, to)| {
        let dtype = |id| uses::tensor(graph, id).map(|tensor| tensor.dtype);
        dtype(from) == dtype(to)
    });
    if (query, key) != (query_out, key_out) || !apart || !types {
        return None;
    }
    let tables = match [cos, sin].map(|id| sliced(graph, uses, id)) {
        [Some((cos, rows)), Some((sin, others))] if rows == others => Tables { cos, sin, bounds: Some(rows) },
        _ => Tables { cos, sin, bounds: None },
    };
    let turning = RopeAttention {
        query: query_in,
        key: key_in,
        value,
        key_cache,
        value_cache,
        start,
        length,
        mask,
        dropout,
        causal,
        scale,
        cos: tables.cos,
        sin: tables.sin,
        first_row: tables.bounds.map(|[first, _]| first),
        end_row: tables.bounds.map(|[_, end]| end),
    };
    let arguments = turning.write();
    Some(Rewrite { at: index, gone: vec![rotary], op: RopeAttention::NAME, arguments, outputs: None })
}

/// Arguments of which the last may be left out, and any may be null; nothing where there are more.
fn optional<const COUNT: usize>(graph: &Graph, ids: &[u32]) -> Option<[Option<u32>; COUNT]> {
    let given = |at| ids.get(at).copied().filter(|&id| literal(graph, id) != pteron_ops::Argument::Null);
    (ids.len() <= COUNT).then(|| std::array::from_fn(given))
}

/// The constant that a value is rows of, and the bounds of these.
fn sliced(graph: &Graph, uses: &Uses, id: u32) -> Option<(u32, [u32; 2])> {
    let (_, slice) = uses.made_by(graph, behind_views(graph, uses, id), "aten.slice_copy.Tensor")?;
    let &[table, dim, start, end, ref step @ ..] = &slice.args[..] else { return None };
    let int = |id: u32| match graph.values.get(id as usize) {
        Some(Value::Int(value)) => Some(*value),
        _ => None,
    };
    let bounded = [start, end].iter().all(|&id| matches!(graph.values[id as usize], Value::Int(_) | Value::Sym(_)));
    let plain = int(dim) == Some(0) && step.iter().all(|&step| int(step) == Some(1)) && bounded;
    let prepacked = |node: &Node| uses::constant(graph, *node.args.first()?);
    let constant = uses::constant(graph, table)
        .or_else(|| uses.made_by(graph, table, "et_vk.prepack.default").and_then(|(_, node)| prepacked(node)));
    (plain && constant.is_some()).then_some((table, [start, end]))
}

/// What a value is a view or copy of, where that changes nothing.
fn behind_views(graph: &Graph, uses: &Uses, mut id: u32) -> u32 {
    let kind = |id| uses::tensor(graph, id).map(|tensor| (tensor.dtype, tensor.shape));
    let copied =
        |id| ["aten.view_copy.default", "aten.clone.default"].iter().find_map(|op| uses.made_by(graph, id, op));
    while let Some((_, copy)) = copied(id) {
        match copy.args.first() {
            Some(&from) if kind(from) == kind(id) => id = from,
            _ => break,
        }
    }
    id
}

#[cfg(test)]
mod tests {
    use pteron_ops::catalogue;
    use pteron_ops::sym::SymId;
    use pteron_tensor::{DType, Shape};

    use super::*;
    use crate::graph::{Role, TensorValue};

    const TURNED_QUERY: u32 = 7;
    const KEY_CACHE: u32 = 9;
    const TABLES: [u32; 2] = [3, 4];
    const SLICES: [u32; 2] = [5, 6];
    const BOUNDS: [u32; 2] = [14, 15];

    /// Queries, keys and values are inputs 0 to 2; slices of both tables turn the first two; the output is 11.
    fn graph() -> Graph {
        let shape = Shape::new(&[1, 1, 2, 8]).unwrap();
        let tensor = |role| Value::Tensor(TensorValue { dtype: DType::F32, shape, role });
        let mut values: Vec<_> = (0..12).map(|_| tensor(Role::Plain)).collect();
        for (table, constant) in TABLES.into_iter().zip(0..) {
            values[table as usize] = tensor(Role::Constant(constant));
        }
        values[9] = tensor(Role::State(0));
        values[10] = tensor(Role::State(0));
        // The dimension and step of the slices, their bounds, and the position.
        values.extend([Value::Int(0), Value::Int(1)]);
        values.extend((0..3).map(|symbol| Value::Sym(SymId(symbol))));
        let node = |name: &str, args: &[u32], outputs: &[u32]| {
            let op = catalogue::lookup(name).unwrap();
            Node { id: 0, op, args: args.to_vec(), outputs: outputs.to_vec() }
        };
        let [start, end] = BOUNDS;
        Graph {
            name: "test".to_owned(),
            values,
            nodes: vec![
                node("aten.slice_copy.Tensor", &[TABLES[0], 12, start, end, 13], &SLICES[..1]),
                node("aten.slice_copy.Tensor", &[TABLES[1], 12, start, end, 13], &SLICES[1..]),
                node(ROTARY, &[0, 1, 5, 6], &[TURNED_QUERY, 8]),
                node(ATTENTION, &[TURNED_QUERY, 8, 2, KEY_CACHE, 10, 16], &[11]),
            ],
            inputs: vec![0, 1, 2],
            outputs: vec![11],
            symbols: 3,
            ..Graph::default()
        }
    }

    fn names(graph: &Graph) -> Vec<&str> {
        graph.nodes.iter().map(|node| node.op.name).collect()
    }

    #[test]
    fn an_attention_turns_by_the_tables_behind_slices() {
        let mut graph = graph();
        run(&mut graph);
        let node = graph.nodes.last().unwrap();
        assert_eq!(node.op.name, RopeAttention::NAME);
        assert_eq!(node.args[..6], [0, 1, 2, KEY_CACHE, 10, 16]);
        assert!(node.args[6..11].iter().all(|&id| matches!(graph.values[id as usize], Value::Null)));
        assert_eq!(node.args[11..], [TABLES, BOUNDS].concat());
        assert_eq!(names(&graph).len(), 3);
    }

    #[test]
    fn slices_with_unlike_bounds_stay() {
        let mut graph = graph();
        graph.nodes[1].args[3] = 16;
        run(&mut graph);
        let node = graph.nodes.last().unwrap();
        assert_eq!(node.args[11..13], SLICES);
        assert!(node.args[13..].iter().all(|&id| matches!(graph.values[id as usize], Value::Null)));
    }

    /// What somebody else sees or changes is not left out or read later.
    #[test]
    fn what_others_use_stays() {
        type Edit = fn(&mut Graph);
        let edits: [(&str, Edit); 4] = [
            ("turned queries are an output", |graph| graph.outputs.push(TURNED_QUERY)),
            ("turned keys are read twice", |graph| graph.nodes[3].args[2] = 8),
            ("a cache is read as values too", |graph| graph.nodes[3].args[2] = KEY_CACHE),
            ("a node in between may change the queries", |graph| {
                let op = catalogue::lookup("update_cache.default").unwrap();
                graph.values.push(Value::Null);
                let output = u32::try_from(graph.values.len() - 1).unwrap();
                graph.nodes.insert(3, Node { id: 1, op, args: vec![2, 0, 16], outputs: vec![output] });
            }),
        ];
        for (why, edit) in edits {
            let mut graph = graph();
            edit(&mut graph);
            let before = names(&graph).join(" ");
            run(&mut graph);
            assert_eq!(names(&graph).join(" "), before, "{why}");
        }
    }
}
