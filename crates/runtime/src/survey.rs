//! Which operators a program uses, with which types, ranks and kernels: what the table of operators is made from.

use std::collections::BTreeSet;

use pteron_ops::{Body, Caps};
use pteron_tensor::DType;

use crate::error::Result;
use crate::graph::{ProgramValue, Step, Value};
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
