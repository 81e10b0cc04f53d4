//! Which operators a program uses, with which types, ranks and kernels: what the table of operators is made from.

use std::collections::BTreeSet;

use pteron_ops::{Body, Caps};
use pteron_tensor::DType;

use crate::error::Result;
use crate::graph::{Graph, MethodGraph, Node, ProgramValue, Role, Step, Value};
use crate::plan::try_largest;
use crate::program::Program;

/// One use of an operator.
#[derive(Clone, Debug)]
pub struct OperatorUse {
    /// The name in the catalogue.
    pub op: &'static str,
    /// Whether it runs on the host, outside any delegate.
    pub portable: bool,
    /// Types of its tensors.
    pub types: BTreeSet<DType>,
    /// Ranks of its outputs.
    pub ranks: BTreeSet<usize>,
    /// Whether sizes in its graph can change.
    pub dynamic: bool,
    /// Kernels that it dispatches at the largest sizes.
    pub kernels: BTreeSet<&'static str>,
}

/// A node of a graph that delegates and operators were joined to.
#[derive(Clone, Debug)]
pub struct JoinedNode {
    /// Its number in the graph.
    pub id: u32,
    /// Where it is in the program.
    pub place: String,
    /// Its operator.
    pub op: &'static str,
    /// Arguments by the operator's schema, and then the outputs.
    pub args: Vec<String>,
}

/// The nodes of every joined graph of a method.
pub fn joined(method: &MethodGraph) -> Vec<Vec<JoinedNode>> {
    let node = |graph: &Graph, node: &Node| JoinedNode {
        id: node.id,
        place: graph.place_of(node),
        op: node.op.name,
        args: node.args.iter().chain(&node.outputs).map(|&id| described(graph, id)).collect(),
    };
    let graphs = method.delegates.iter().filter(|graph| !graph.parts.is_empty());
    graphs.map(|graph| graph.nodes.iter().map(|each| node(graph, each)).collect()).collect()
}

/// A node of a graph as it runs, with the values that it reads and writes.
#[derive(Clone, Debug)]
pub struct RunNode {
    /// The number of its graph in the method.
    pub graph: usize,
    /// Its operator.
    pub op: &'static str,
    /// The tensors and symbolic integers that it reads.
    pub reads: Vec<String>,
    /// The tensors that it writes.
    pub writes: Vec<String>,
}

/// The nodes of every graph of a method, in the order in which they run.
pub fn nodes(method: &MethodGraph) -> Vec<RunNode> {
    let mut nodes = Vec::new();
    for (number, graph) in method.delegates.iter().enumerate() {
        let named = |ids: &[u32]| {
            let is_value = |id: &&u32| matches!(graph.values[**id as usize], Value::Tensor(_) | Value::Sym(_));
            ids.iter().filter(is_value).map(|&id| described(graph, id)).collect()
        };
        let node = |node: &Node| {
            let (reads, writes) = (named(&node.args), named(&node.outputs));
            RunNode { graph: number, op: node.op.name, reads, writes }
        };
        nodes.extend(graph.nodes.iter().map(node));
    }
    nodes
}

fn described(graph: &Graph, id: u32) -> String {
    match &graph.values[id as usize] {
        Value::Null => "null".to_owned(),
        Value::Int(value) => value.to_string(),
        Value::Double(value) => format!("{value:?}"),
        Value::Bool(value) => value.to_string(),
        Value::Str(text) => format!("{text:?}"),
        Value::Ints(items) => format!("{items:?}"),
        Value::Doubles(items) => format!("{items:?}"),
        Value::Bools(items) => format!("{items:?}"),
        Value::List(items) => {
            let items: Vec<_> = items.iter().map(|item| format!("%{item}")).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Sym(_) => format!("%{id}: symint"),
        Value::Unknown(tag) => format!("%{id}: unknown {tag}"),
        Value::Tensor(tensor) => {
            let role = match tensor.role {
                Role::Plain => "",
                Role::Constant(_) => " constant",
                Role::State(_) => " state",
            };
            format!("%{id}: {}{}{role}", tensor.dtype, tensor.shape)
        }
    }
}

/// How often a method uses an operator.
#[derive(Clone, Debug)]
pub struct OperatorCount {
    /// The name in the catalogue.
    pub op: &'static str,
    /// Whether it is outside any delegate.
    pub portable: bool,
    /// The number of uses.
    pub count: u32,
}

/// How often a method uses each operator, in the order of their names.
pub async fn counts(program: &Program, method: &str, caps: &Caps) -> Result<Vec<OperatorCount>> {
    let method = program.lower_only(method, caps).await?;
    let delegated = method.delegates.iter().flat_map(|graph| &graph.nodes).map(|node| (node.op.name, false));
    let outside = method.steps.iter().filter_map(|step| match step {
        Step::Kernel { op, .. } => Some((op.name, true)),
        _ => None,
    });
    let mut counts: Vec<OperatorCount> = Vec::new();
    for (op, portable) in delegated.chain(outside) {
        match counts.binary_search_by_key(&(op, portable), |known| (known.op, known.portable)) {
            Ok(at) => counts[at].count += 1,
            Err(at) => counts.insert(at, OperatorCount { op, portable, count: 1 }),
        }
    }
    Ok(counts)
}

/// Every use of an operator in a method.
pub async fn survey(program: &Program, method: &str, caps: &Caps) -> Result<Vec<OperatorUse>> {
    let method = program.lower_only(method, caps).await?;
    let dynamic = method.inputs().iter().any(|spec| matches!(spec, crate::Spec::Tensor { dynamic: true, .. }));
    let mut uses = Vec::new();
    // A plan that depends on the call's numbers may not exist at the largest sizes; types and ranks still do.
    for (graph, plan) in method.delegates.iter().zip(try_largest(&method, caps)) {
        for (index, node) in graph.nodes.iter().enumerate() {
            let tensors = |ids: &[u32]| {
                ids.iter()
                    .filter_map(|&id| match &graph.values[id as usize] {
                        Value::Tensor(tensor) => Some((tensor.dtype, tensor.shape.rank())),
                        _ => None,
                    })
                    .collect::<Vec<_>>()
            };
            let (inputs, outputs) = (tensors(&node.args), tensors(&node.outputs));
            let dispatches = plan.iter().flat_map(|plan| &plan.dispatches);
            uses.push(OperatorUse {
                op: node.op.name,
                portable: false,
                types: inputs.iter().chain(&outputs).map(|tensor| tensor.0).collect(),
                ranks: outputs.iter().map(|tensor| tensor.1).collect(),
                dynamic: dynamic || matches!(node.op.body, Body::Symbolic(_)),
                kernels: dispatches
                    .filter(|planned| planned.node == index)
                    .map(|planned| planned.dispatch.kernel.name)
                    .collect(),
            });
        }
    }
    for step in &method.steps {
        if let Step::Kernel { op, outputs, .. } = step {
            let tensors = outputs.iter().filter_map(|&id| match &method.values[id as usize] {
                ProgramValue::Tensor(tensor) => Some((tensor.dtype, tensor.shape.rank())),
                _ => None,
            });
            let tensors: Vec<_> = tensors.collect();
            uses.push(OperatorUse {
                op: op.name,
                portable: true,
                types: tensors.iter().map(|tensor| tensor.0).collect(),
                ranks: tensors.iter().map(|tensor| tensor.1).collect(),
                dynamic,
                kernels: BTreeSet::new(),
            });
        }
    }
    Ok(uses)
}
