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
    let (_, slice) = uses.made_by(graph, id, "aten.slice_copy.Tensor")?;
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
