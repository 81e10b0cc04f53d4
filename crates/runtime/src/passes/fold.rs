//! Computes what follows from constants alone when a method is loaded, and leaves out copies that change nothing.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use pteron_ops::plan::{Output, Place, Sharing, Tensor};
use pteron_ops::{Body, Caps, Clock, Eval, PlanContext};
use pteron_tensor::HostTensor;

use super::constants::{self, Known};
use super::rewrite::read_instead;
use super::uses::{items, tensor};
use crate::data::DataFiles;
use crate::error::Result;
use crate::graph::{Graph, Node, Role, TensorValue, Value};
use crate::limits::Deadline;

/// Bytes of a constant, and of a result, up to which it is computed here: the host is slow.
const LARGEST: u64 = 1 << 16;

/// How long a graph is folded; what follows is computed by each call.
const LONGEST: Duration = Duration::from_secs(10);

/// Folds a graph.
pub(super) async fn run(graph: &mut Graph, files: &DataFiles, caps: &Caps) -> Result<()> {
    run_until(graph, files, caps, &Deadline::after(LONGEST).clock()).await
}

async fn run_until(graph: &mut Graph, files: &DataFiles, caps: &Caps, clock: &Clock) -> Result<()> {
    leave_copies_out(graph);
    let lasting: HashSet<u32> =
        graph.outputs.iter().copied().chain(graph.updates.iter().map(|update| update.1)).collect();
    let mut known = Known::new();
    for node in std::mem::take(&mut graph.nodes) {
        let folds =
            !node.outputs.iter().any(|id| lasting.contains(id)) && load(graph, &node, files, &mut known).await?;
        match folds.then(|| results(graph, &node, &known, caps, clock)).flatten() {
            Some(results) => {
                for (&id, result) in node.outputs.iter().zip(results) {
                    graph.values[id as usize] = constants::add(graph, &result);
                    known.insert(id, result);
                }
            }
            None => graph.nodes.push(node),
        }
    }
    Ok(())
}

/// Makes the constants that a node reads known; whether it reads nothing else, and nothing large.
async fn load(graph: &Graph, node: &Node, files: &DataFiles, known: &mut Known) -> Result<bool> {
    if !node.op.is_pure() || !matches!(node.op.body, Body::Tensor { .. }) {
        return Ok(false);
    }
    let ids: Vec<u32> = items(graph, &node.args).collect();
    let small = |tensor: &TensorValue| tensor.shape.numel() as u64 * tensor.dtype.size() as u64 <= LARGEST;
    let folds = |id: &u32| match &graph.values[*id as usize] {
        Value::Tensor(tensor) => matches!(tensor.role, Role::Constant(_)) && small(tensor),
        Value::Sym(_) | Value::Unknown(_) => false,
        _ => true,
    };
    if !ids.iter().all(folds) {
        return Ok(false);
    }
    constants::load(known, graph, files, &ids).await?;
    Ok(true)
}

/// What a node gives, where a plan of it says that this is small. What is wrong with a node is said when the graph is planned.
fn results(graph: &Graph, node: &Node, known: &Known, caps: &Caps, clock: &Clock) -> Option<Vec<HostTensor>> {
    let types = graph.output_types(node);
    let planned = graph.args(node, |id| {
        let tensor = known.get(&id)?;
        Some(Tensor { place: Place::Value(id), dtype: tensor.dtype(), shape: *tensor.shape(), window: None })
    });
    let plan = PlanContext::run(node.op, planned, &[], &types, caps, 0, Sharing::default()).ok()?;
    let bytes = |output: &Option<Output>| match output {
        Some(Output::Owned(dtype, shape)) => shape.numel() as u64 * dtype.size() as u64,
        Some(Output::Alias(tensor)) => tensor.bytes(),
        None => u64::MAX,
    };
    if plan.outputs.iter().any(|output| bytes(output) > LARGEST) {
        return None;
    }
    let args = graph.args(node, |id| known.get(&id).cloned());
    Some(Eval::run_within(node.op, args, &[], &types, 0, clock).ok()?.outputs)
}

/// Lets readers of a copy read what it was made from, where both are the same and nothing changes it.
fn leave_copies_out(graph: &mut Graph) {
    let changed: HashSet<u32> = graph
        .nodes
        .iter()
        .flat_map(|node| node.op.writes.iter().filter_map(|&argument| node.args.get(argument).copied()))
        .collect();
    let mut lasting: HashSet<u32> = graph.outputs.iter().copied().collect();
    lasting.extend(graph.updates.iter().flat_map(|&(state, computed)| [state, computed]));
    let mut instead: HashMap<u32, u32> = HashMap::new();
    for node in std::mem::take(&mut graph.nodes) {
        match copied(graph, &node, &instead).filter(|(from, to)| {
            let is_state = |id: &u32| tensor(graph, *id).is_some_and(|tensor| matches!(tensor.role, Role::State(_)));
            !changed.contains(from) && !changed.contains(to) && !lasting.contains(to) && !is_state(from)
        }) {
            Some((from, to)) => {
                instead.insert(to, from);
            }
            None => graph.nodes.push(node),
        }
    }
    read_instead(graph, &instead);
}

/// What a node copies as it is, and the copy.
fn copied(graph: &Graph, node: &Node, instead: &HashMap<u32, u32>) -> Option<(u32, u32)> {
    let copies = matches!(
        node.op.name,
        "aten.alias_copy.default"
            | "aten.clone.default"
            | "aten.detach_copy.default"
            | "aten.lift_fresh_copy.default"
            | "aten._to_copy.default"
            | "dim_order_ops._clone_dim_order.default"
            | "dim_order_ops._to_dim_order_copy.default"
            | "et_vk.prepack.default"
    );
    let (Some(&from), &[to]) = (node.args.first(), &node.outputs[..]) else { return None };
    let from = instead.get(&from).copied().unwrap_or(from);
    let (source, copy) = (tensor(graph, from)?, tensor(graph, to)?);
    let repeats_nothing = node.op.name == "aten.expand_copy.default" && source.shape == copy.shape;
    ((copies || repeats_nothing) && source.dtype == copy.dtype).then_some((from, to))
}

#[cfg(test)]
mod tests {
    use pteron_ops::catalogue;
    use pteron_tensor::{DType, Shape};

    use super::*;
    use crate::graph::{Constant, DataRef};

    /// A constant of integers, its copy as floats, a copy of that, and the sum with an input.
    fn graph() -> Graph {
        let tensor =
            |dtype, dims: &[usize], role| Value::Tensor(TensorValue { dtype, shape: Shape::new(dims).unwrap(), role });
        let node = |name: &str, args: &[u32], output| Node {
            id: output,
            op: catalogue::lookup(name).unwrap(),
            args: args.to_vec(),
            outputs: vec![output],
        };
        let data = DataRef::Bytes(HostTensor::from_slice(&[3i32], &[1]).unwrap().into_bytes());
        Graph {
            name: "test".to_owned(),
            values: vec![
                tensor(DType::F32, &[2], Role::Plain),
                tensor(DType::I32, &[1], Role::Constant(0)),
                tensor(DType::F32, &[1], Role::Plain),
                tensor(DType::F32, &[1], Role::Plain),
                Value::Int(1),
                tensor(DType::F32, &[2], Role::Plain),
            ],
            nodes: vec![
                node("dim_order_ops._to_dim_order_copy.default", &[1], 2),
                node("aten.clone.default", &[2], 3),
                node("aten.add.Tensor", &[0, 3, 4], 5),
            ],
            inputs: vec![0],
            outputs: vec![5],
            constants: vec![Constant { data, stored: DType::I32, dtype: DType::I32, shape: Shape::new(&[1]).unwrap() }],
            ..Graph::default()
        }
    }

    fn fold(graph: &mut Graph) {
        crate::block_on(run(graph, &DataFiles::default(), &Caps::webgpu_minimum())).unwrap();
    }

    #[test]
    fn what_follows_from_constants_is_a_constant() {
        let mut graph = graph();
        fold(&mut graph);
        let [sum] = &graph.nodes[..] else { panic!("{:?}", graph.nodes) };
        let Some(TensorValue { role: Role::Constant(constant), .. }) = tensor(&graph, sum.args[1]) else {
            panic!("the number is not constant")
        };
        let DataRef::Bytes(bytes) = &graph.constants[*constant].data else { panic!("it is in memory") };
        assert_eq!(bytes[..], 3f32.to_ne_bytes());
    }

    #[test]
    fn what_takes_long_is_left_to_calls() {
        let square =
            |role| Value::Tensor(TensorValue { dtype: DType::F32, shape: Shape::new(&[128, 128]).unwrap(), role });
        let product = || {
            let mut graph = graph();
            let data = DataRef::Bytes(vec![0; 4 * 128 * 128].into());
            let shape = Shape::new(&[128, 128]).unwrap();
            graph.constants.push(Constant { data, stored: DType::F32, dtype: DType::F32, shape });
            graph.values.extend([square(Role::Constant(1)), square(Role::Plain)]);
            let op = catalogue::lookup("aten.mm.default").unwrap();
            graph.nodes.push(Node { id: 7, op, args: vec![6, 6], outputs: vec![7] });
            graph
        };
        let mut folded = product();
        fold(&mut folded);
        assert_eq!(folded.nodes.len(), 1);
        let (mut left, over) = (product(), Clock::until(Some(std::time::Instant::now())));
        crate::block_on(run_until(&mut left, &DataFiles::default(), &Caps::webgpu_minimum(), &over)).unwrap();
        assert_eq!(left.nodes.len(), 2, "{:?}", left.nodes);
    }

    #[test]
    fn a_result_that_is_given_stays() {
        let mut graph = graph();
        graph.outputs = vec![5, 3, 2];
        fold(&mut graph);
        assert_eq!(graph.nodes.len(), 3);
    }
}
