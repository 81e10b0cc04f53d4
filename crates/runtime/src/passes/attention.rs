//! Turns queries and keys in the launch that writes the caches: `apply_rotary_emb` and the `sdpa_with_kv_cache` that alone
//! reads its results become one `pteron.rope_attention`. Where the tables are slices of constants, it reads the constants.

use pteron_ops::catalogue;

use super::uses::{self, Uses};
use crate::graph::{Graph, Node, Value};

const ROTARY: &str = "et_vk.apply_rotary_emb.default";
const ATTENTION: &str = "sdpa_with_kv_cache.default";
/// The arguments of [`ATTENTION`].
const ARGUMENTS: usize = 11;

pub(super) fn run(graph: &mut Graph) {
    let Some(op) = catalogue::lookup("pteron.rope_attention.default") else { return };
    let uses = Uses::of(graph);
    let found: Vec<_> = (0..graph.nodes.len()).filter_map(|index| find(graph, &uses, index)).collect();
    if found.is_empty() {
        return;
    }
    let null = uses::push(graph, Value::Null);
    let mut turned = vec![false; graph.nodes.len()];
    for Pattern { rotary, attention, vectors, tables } in found {
        let (node, bounds) = (&mut graph.nodes[attention], tables.bounds.unwrap_or([null; 2]));
        node.op = op;
        node.args.resize(ARGUMENTS, null);
        node.args[..2].copy_from_slice(&vectors);
        node.args.extend(tables.values.into_iter().chain(bounds));
        turned[rotary] = true;
    }
    super::drop_marked(graph, &turned);
}

/// An attention whose queries and keys are turned for it alone.
struct Pattern {
    rotary: usize,
    attention: usize,
    /// Queries and keys before they are turned.
    vectors: [u32; 2],
    tables: Tables,
}

/// Cosines and sines, and the bounds of their rows that count where these are not all.
struct Tables {
    values: [u32; 2],
    bounds: Option<[u32; 2]>,
}

/// The pattern that ends in this node. Nobody else may see what it leaves out, or change what it reads later than before.
fn find(graph: &Graph, uses: &Uses, attention: usize) -> Option<Pattern> {
    let node = &graph.nodes[attention];
    let &[query, key, _, key_cache, value_cache, ..] = &node.args[..] else { return None };
    let (rotary, turn) = uses.made_by(graph, query, ROTARY)?;
    let (&[query_in, key_in, cos, sin], &[query_out, key_out]) = (&turn.args[..], &turn.outputs[..]) else {
        return None;
    };
    let is_attention = node.op.name == ATTENTION && node.args.len() <= ARGUMENTS;
    let alone = (query, key) == (query_out, key_out) && uses.is_read_once(query) && uses.is_read_once(key);
    // A node that changes a value reads it.
    let unchanged = |id: &u32| uses.readers(*id).iter().all(|&reader| reader <= rotary || reader >= attention);
    // One launch writes both caches while it reads the rest: no other value may show their memory.
    let apart = [key_cache, value_cache].iter().all(|&id| uses.readers(id).len() == 1);
    let types = [(query_in, query), (key_in, key)].iter().all(|&(from, to)| {
        let dtype = |id| uses::tensor(graph, id).map(|tensor| tensor.dtype);
        dtype(from) == dtype(to)
    });
    let tables = match [cos, sin].map(|id| sliced(graph, uses, id)) {
        [Some((cos, rows)), Some((sin, others))] if rows == others => Tables { values: [cos, sin], bounds: Some(rows) },
        _ => Tables { values: [cos, sin], bounds: None },
    };
    let vectors = [query_in, key_in];
    let unchanged = vectors.iter().chain(&tables.values).all(unchanged);
    (is_attention && alone && unchanged && apart && types).then_some(Pattern { rotary, attention, vectors, tables })
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
            numbers: Vec::new(),
            constants: Vec::new(),
            symbols: 3,
            updates: Vec::new(),
            carried: Vec::new(),
            appended: Vec::new(),
            widened: false,
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
        assert_eq!(node.op.name, "pteron.rope_attention.default");
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
