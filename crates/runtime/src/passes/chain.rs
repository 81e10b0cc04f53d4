//! Pointwise operators that follow each other become one launch.

use pteron_ops::{Argument, Chain, ChainArg};
use pteron_tensor::DType;

use super::constants;
use super::rewrite::{Rewrite, rewrite};
use super::uses::{Uses, push, tensor};
use crate::graph::{Graph, Node, Value};

/// Joins every operator with those before it whose results only it reads.
pub(super) fn run(graph: &mut Graph) {
    rewrite(graph, longer);
}

/// The chain that ends with the node at `index`, with one more that comes before it.
fn longer(graph: &mut Graph, uses: &Uses, index: usize) -> Option<Rewrite> {
    let chain = chain_of(graph, &graph.nodes[index])?;
    let (before, both) = chain.inputs.iter().find_map(|&value| {
        let before = uses.producer(value).filter(|_| uses.is_read_once(value))?;
        let both = chain.after(value, &chain_of(graph, &graph.nodes[before])?)?;
        Some((before, both))
    })?;
    let arguments = arguments(graph, both);
    Some(Rewrite { at: index, gone: vec![before], op: Chain::NAME, arguments, outputs: None })
}

/// The arguments of the node that a chain is.
pub(super) fn arguments(graph: &mut Graph, chain: Chain) -> Vec<Argument> {
    let (words, numbers) = chain.write();
    let inputs = push(graph, Value::List(chain.inputs));
    let numbers = push(graph, Value::Doubles(numbers));
    vec![Argument::Value(inputs), Argument::Ints(words), Argument::Value(numbers)]
}

/// The chain that a node is, of one link or more.
fn chain_of(graph: &Graph, node: &Node) -> Option<Chain> {
    let &[output] = &node.outputs[..] else { return None };
    let holds = |id: u32| tensor(graph, id).is_some_and(|tensor| matches!(tensor.dtype, DType::F32 | DType::Bool));
    let chain = if node.op.name == Chain::NAME {
        let &[inputs, words, numbers] = &node.args[..] else { return None };
        let [inputs, words, numbers] = [inputs, words, numbers].map(|id| &graph.values[id as usize]);
        let (Value::List(inputs), Value::Ints(words), Value::Doubles(numbers)) = (inputs, words, numbers) else {
            return None;
        };
        Chain::read(inputs.clone(), words, numbers)?
    } else {
        let first = node.args.first().copied();
        let arg = |id: &u32| match &graph.values[*id as usize] {
            Value::Tensor(_) => match constant_number(graph, *id, first?) {
                Some(number) => Some(ChainArg::Number(number)),
                None => holds(*id).then_some(ChainArg::Tensor(*id)),
            },
            Value::Int(value) => Some(ChainArg::Number(*value as f64)),
            Value::Double(value) => Some(ChainArg::Number(*value)),
            Value::Bool(value) => Some(ChainArg::Number(f64::from(u8::from(*value)))),
            Value::Str(text) => Some(ChainArg::Text(text)),
            Value::Null => Some(ChainArg::Absent),
            _ => None,
        };
        Chain::of(node.op.name, &node.args.iter().map(arg).collect::<Option<Vec<_>>>()?)?
    };
    let truth = tensor(graph, output).is_some_and(|tensor| tensor.dtype == DType::Bool);
    (holds(output) && chain.gives(truth)).then_some(chain)
}

/// The number that a constant of one element is, where it broadcasts to another tensor.
fn constant_number(graph: &Graph, id: u32, to: u32) -> Option<f64> {
    let (tensor, other) = (tensor(graph, id)?, tensor(graph, to)?);
    let broadcasts = tensor.shape.rank() <= other.shape.rank();
    constants::scalar(graph, id).filter(|_| id != to && broadcasts)
}

#[cfg(test)]
mod tests {
    use pteron_ops::catalogue;
    use pteron_tensor::Shape;

    use super::*;
    use crate::graph::{Role, TensorValue};

    /// `clamp(a + 3, 0, 6) · b`, of which 4 is the sum and 5 the clamp; 6 is the product.
    fn graph(outputs: Vec<u32>) -> Graph {
        let shape = Shape::new(&[2, 3]).unwrap();
        let tensor = || Value::Tensor(TensorValue { dtype: DType::F32, shape, role: Role::Plain });
        let node = |name: &str, args: &[u32], output| Node {
            id: output,
            op: catalogue::lookup(name).unwrap(),
            args: args.to_vec(),
            outputs: vec![output],
        };
        Graph {
            name: "test".to_owned(),
            values: vec![
                tensor(),
                tensor(),
                Value::Int(3),
                Value::Int(1),
                tensor(),
                tensor(),
                tensor(),
                Value::Int(0),
                Value::Int(6),
            ],
            nodes: vec![
                node("aten.add.Scalar", &[0, 2, 3], 4),
                node("aten.clamp.default", &[4, 7, 8], 5),
                node("aten.mul.Tensor", &[1, 5], 6),
            ],
            inputs: vec![0, 1],
            outputs,
            ..Graph::default()
        }
    }

    fn names(graph: &Graph) -> Vec<&str> {
        graph.nodes.iter().map(|node| node.op.name).collect()
    }

    #[test]
    fn operators_that_follow_each_other_are_one() {
        let mut graph = graph(vec![6]);
        run(&mut graph);
        assert_eq!(names(&graph), [Chain::NAME]);
        let chain = chain_of(&graph, &graph.nodes[0]).unwrap();
        assert_eq!((chain.inputs.as_slice(), chain.length()), (&[0, 1][..], 3));
    }

    #[test]
    fn a_result_that_others_see_is_computed() {
        let mut graph = graph(vec![5, 6]);
        run(&mut graph);
        assert_eq!(names(&graph), [Chain::NAME, "aten.mul.Tensor"]);
    }
}
