//! A permutation of what a permutation gives becomes one.

use pteron_ops::Argument;

use super::rewrite::{Rewrite, rewrite};
use super::uses::Uses;
use crate::graph::{Graph, Node, Value};

pub(super) fn run(graph: &mut Graph) {
    rewrite(graph, composed);
}

/// The permutation at `index`, of what the one before it took.
fn composed(graph: &mut Graph, uses: &Uses, index: usize) -> Option<Rewrite> {
    let (middle, outer) = permutation(graph, &graph.nodes[index])?;
    let before = uses.producer(middle)?;
    let (input, inner) = permutation(graph, &graph.nodes[before])?;
    let unchanged = graph.nodes[before..index].iter().all(|node| node.op.is_pure());
    let dims = outer.iter().map(|&dim| inner.get(dim).map(|&dim| dim as i64)).collect::<Option<Vec<_>>>()?;
    let arguments = vec![Argument::Value(input), Argument::Ints(dims)];
    (unchanged && inner.len() == outer.len()).then_some(Rewrite {
        at: index,
        gone: Vec::new(),
        op: "aten.permute_copy.default",
        arguments,
        outputs: None,
    })
}

/// What a node permutes, and the dimension of it that each of its own is.
fn permutation(graph: &Graph, node: &Node) -> Option<(u32, Vec<usize>)> {
    let (&[input, dims], true) =
        (&node.args[..], matches!(node.op.name, "aten.permute_copy.default" | "aten.permute.default"))
    else {
        return None;
    };
    let Value::Ints(dims) = &graph.values[dims as usize] else { return None };
    let rank = i64::try_from(dims.len()).ok()?;
    let from_start = |&dim: &i64| usize::try_from(if dim < 0 { dim + rank } else { dim }).ok();
    Some((input, dims.iter().map(from_start).collect::<Option<_>>()?))
}

#[cfg(test)]
mod tests {
    use pteron_ops::catalogue;
    use pteron_tensor::{DType, Shape};

    use super::*;
    use crate::graph::{Role, TensorValue};

    #[test]
    fn two_permutations_are_one() {
        let tensor = |dims: &[usize]| {
            let shape = Shape::new(dims).unwrap();
            Value::Tensor(TensorValue { dtype: DType::F32, shape, role: Role::Plain })
        };
        let op = catalogue::lookup("aten.permute_copy.default").unwrap();
        let mut graph = Graph {
            values: vec![
                tensor(&[2, 3, 4]),
                Value::Ints(vec![2, 0, 1]),
                tensor(&[4, 2, 3]),
                Value::Ints(vec![0, -1, 1]),
                tensor(&[4, 3, 2]),
            ],
            nodes: vec![
                Node { id: 0, op, args: vec![0, 1], outputs: vec![2] },
                Node { id: 1, op, args: vec![2, 3], outputs: vec![4] },
            ],
            inputs: vec![0],
            outputs: vec![4],
            ..Graph::default()
        };
        run(&mut graph);
        assert_eq!(permutation(&graph, &graph.nodes[1]), Some((0, vec![2, 1, 0])));
    }
}
