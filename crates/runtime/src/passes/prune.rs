//! Drops nodes whose results nobody needs any more, and constants that no node reads.

use pteron_ops::Body;

use super::uses::{Uses, items};
use crate::graph::{Graph, Role, Value};

pub(super) fn run(graph: &mut Graph) {
    drop_nodes(graph);
    drop_constants(graph);
}

/// Drops nodes whose results nobody reads and that do no more than give them, until there are none.
fn drop_nodes(graph: &mut Graph) {
    loop {
        let uses = Uses::of(graph);
        let before = graph.nodes.len();
        graph.nodes.retain(|node| {
            let needed = node.outputs.iter().any(|&id| uses.is_needed(id));
            needed || !node.op.is_pure() || matches!(node.op.body, Body::Symbolic(_))
        });
        if graph.nodes.len() == before {
            return;
        }
    }
}

fn drop_constants(graph: &mut Graph) {
    let mut read = vec![false; graph.values.len()];
    for node in &graph.nodes {
        items(graph, &node.args).for_each(|id| read[id as usize] = true);
    }
    for &id in &graph.outputs {
        read[id as usize] = true;
    }
    let mut kept = Vec::new();
    let mut places = vec![None; graph.constants.len()];
    for (value, read) in graph.values.iter_mut().zip(read) {
        let Value::Tensor(tensor) = value else { continue };
        let constant = match &mut tensor.role {
            Role::Plain => continue,
            Role::Constant(_) if !read => {
                *value = Value::Null;
                continue;
            }
            Role::Constant(constant) | Role::State(constant) => constant,
        };
        let place = *places[*constant].get_or_insert_with(|| {
            kept.push(*constant);
            kept.len() - 1
        });
        *constant = place;
    }
    graph.constants = kept.into_iter().map(|constant| graph.constants[constant].clone()).collect();
}
