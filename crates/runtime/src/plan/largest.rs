//! Plans at the largest shapes: what a program needs is known, and what does not run is refused, before anything is
//! allocated.

use pteron_ops::{Caps, OpError};
use pteron_tensor::Shape;

use super::GraphPlan;
use crate::append;
use crate::error::{Error, Result, Unsupported, UnsupportedNode};
use crate::graph::{Graph, MethodGraph, Value};
use crate::method::Spec;

/// Plans every graph of a method at its largest shapes. A graph that only a call's symbolic integers can decide has none, nor one
/// whose sizes vary and do not fit together there: the exporter bounds them one by one.
pub(crate) fn plan_largest(method: &MethodGraph, caps: &Caps) -> Result<Vec<Option<GraphPlan>>> {
    let dynamic = method.inputs().iter().any(|spec| matches!(spec, Spec::Tensor { dynamic: true, .. }));
    let mut missing = Vec::new();
    let mut plans = Vec::with_capacity(method.delegates.len());
    for graph in &method.delegates {
        plans.push(match largest(graph, caps).transpose() {
            Ok(plan) => {
                plan.iter().try_for_each(|plan| append::check_outputs(graph, plan))?;
                plan
            }
            Err(Error::Node(error)) => match &error.source {
                OpError::Argument { .. } | OpError::DType { .. } | OpError::Unsupported(_) => {
                    missing.push(UnsupportedNode {
                        at: error.at.clone(),
                        op: error.op.clone(),
                        reason: error.source.to_string(),
                    });
                    None
                }
                OpError::Shape(_) if dynamic => None,
                _ if graph.symbols > 0 => None,
                _ => return Err(Error::Node(error)),
            },
            Err(error) => return Err(error),
        });
    }
    if missing.is_empty() { Ok(plans) } else { Err(Unsupported { nodes: missing }.into()) }
}

/// The plan of each graph of a method at its largest shapes, where there is one.
pub(crate) fn try_largest(method: &MethodGraph, caps: &Caps) -> Vec<Option<GraphPlan>> {
    method.delegates.iter().map(|graph| largest(graph, caps)?.ok()).collect()
}

/// A graph planned at its largest shapes; nothing where an input has no shape.
fn largest(graph: &Graph, caps: &Caps) -> Option<Result<GraphPlan>> {
    let shape = |&id: &u32| match &graph.values[id as usize] {
        Value::Tensor(tensor) => Some(tensor.shape),
        _ => None,
    };
    let shapes: Vec<Shape> = graph.inputs.iter().map(shape).collect::<Option<_>>()?;
    let integer = |input: usize| graph.largest_integers.iter().find(|(number, _)| *number == input);
    Some(GraphPlan::new(graph, &shapes, &|input, _| Ok(integer(input).map_or(0, |&(_, value)| value)), caps))
}
