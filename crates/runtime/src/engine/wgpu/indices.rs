//! Integers that a call depends on and the host knows: elements that become sizes, and indices that must be in range.

use pteron_tensor::HostTensor;

use super::delegate::Input;
use crate::error::{Error, Result};
use crate::graph::Graph;
use crate::replan::GraphPlan;

/// An element of a tensor of integers.
pub(super) fn integer_at(tensor: &HostTensor, element: usize) -> Option<i64> {
    if let Ok(values) = tensor.as_slice::<i64>() {
        return values.get(element).copied();
    }
    tensor.as_slice::<i32>().ok()?.get(element).map(|&value| i64::from(value))
}

/// Checks indices that the host knows; whether there are others, which only the GPU can check.
pub(super) fn check_indices(graph: &Graph, plan: &GraphPlan, inputs: &[Input]) -> Result<bool> {
    let mut unknown = plan.reports;
    for check in &plan.checks {
        let Some((number, Input::Host(tensor))) = check.input.and_then(|number| Some((number, inputs.get(number)?)))
        else {
            unknown = true;
            continue;
        };
        let limit = i64::try_from(check.limit).unwrap_or(i64::MAX);
        let least = if check.from_end { -limit } else { 0 };
        let outside = |index: &i64| !(least..limit).contains(index);
        let bad = match tensor.as_slice::<i64>() {
            Ok(indices) => indices.iter().copied().enumerate().find(|(_, index)| outside(index)),
            Err(_) => tensor.to_i64s().into_iter().enumerate().find(|(_, index)| outside(index)),
        };
        if let Some((element, index)) = bad {
            let node = &graph.nodes[check.node];
            return Err(Error::input(
                number,
                format!(
                    "element {element} is index {index}, out of range for node {} ({}): valid are {least} to {}",
                    node.id,
                    node.op.name,
                    limit - 1
                ),
            ));
        }
    }
    Ok(unknown)
}
