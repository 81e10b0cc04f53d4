//! Plans at the largest shapes: what a program needs is known, and what does not run is refused, before anything is
//! allocated.

use pteron_ops::{Caps, OpError};
use pteron_tensor::Shape;

use crate::error::{Error, Result, Unsupported, UnsupportedNode};
use crate::graph::{Graph, MethodGraph, Value};
use crate::replan::GraphPlan;

/// The largest shapes of a graph's inputs.
pub(crate) fn largest_inputs(graph: &Graph) -> Option<Vec<Shape>> {
    let shape = |&id: &u32| match &graph.values[id as usize] {
        Value::Tensor(tensor) => Some(tensor.shape),
        _ => None,
    };
    graph.inputs.iter().map(shape).collect()
}

/// Plans every delegate at its largest shapes. What only a call's symbolic integers can decide is left to the call.
pub(crate) fn plan_largest(graph: &MethodGraph, caps: &Caps) -> Result<()> {
    let mut missing = Vec::new();
    for delegate in &graph.delegates {
        let Some(shapes) = largest_inputs(delegate) else { continue };
        match GraphPlan::new(delegate, &shapes, &|_, _| Ok(0), caps) {
            Err(Error::Node(error)) => match &error.source {
                OpError::Argument { .. } | OpError::DType { .. } | OpError::Unsupported(_) => {
                    missing.push(UnsupportedNode {
                        at: error.at.clone(),
                        op: error.op.clone(),
                        reason: error.source.to_string(),
                    });
                }
                _ if delegate.symbols > 0 => {}
                _ => return Err(Error::Node(error)),
            },
            Err(error) => return Err(error),
            Ok(_) => {}
        }
    }
    if missing.is_empty() { Ok(()) } else { Err(Unsupported { nodes: missing }.into()) }
}
