//! What the host can check of a call before anything runs: types, symbolic integers, and indices.

use pteron_ops::plan::NegativeIndices;
use pteron_tensor::{DType, HostTensor, Shape};

use super::{GraphPlan, PlanCache};
use crate::device::Device;
use crate::error::{Error, Result};
use crate::graph::{Graph, Value};
use crate::types::{self, Mismatch};

/// An input of a call, as far as plans look at it.
pub(crate) trait CallInput {
    fn shape(&self) -> Shape;

    /// Its elements, where the host knows them.
    fn host(&self) -> Option<&HostTensor>;

    /// Whether its elements become those of a type on the device, as far as types tell.
    fn converts(&self, device: DType) -> Result<(), Mismatch>;
}

impl CallInput for HostTensor {
    fn shape(&self) -> Shape {
        *self.shape()
    }

    fn host(&self) -> Option<&HostTensor> {
        Some(self)
    }

    fn converts(&self, device: DType) -> Result<(), Mismatch> {
        types::converts(self.dtype(), device)
    }
}

/// The type that a graph has for an input.
pub(crate) fn input_type(graph: &Graph, number: usize) -> Option<DType> {
    match &graph.values[*graph.inputs.get(number)? as usize] {
        Value::Tensor(tensor) => Some(tensor.dtype),
        _ => None,
    }
}

/// Checks that inputs are of types that the graph takes.
pub(super) fn check_types<I: CallInput>(graph: &Graph, inputs: &[I]) -> Result<()> {
    for (number, input) in inputs.iter().enumerate() {
        if let Some(dtype) = input_type(graph, number) {
            input.converts(dtype).map_err(|mismatch| mismatch.of_input(number))?;
        }
    }
    Ok(())
}

/// An element of an input, as a symbolic integer. Like every element it must fit the type on the device.
pub(super) fn element<I: CallInput>(graph: &Graph, inputs: &[I], number: usize, element: usize) -> Result<i64> {
    let Some(tensor) = inputs.get(number).and_then(CallInput::host) else {
        return Err(Error::input(number, "the host must know it, so it cannot be a device tensor"));
    };
    let integer = match tensor.as_slice::<i64>() {
        Ok(values) => values.get(element).copied(),
        Err(_) => tensor.as_slice::<i32>().ok().and_then(|values| values.get(element).map(|&value| i64::from(value))),
    };
    match integer {
        Some(value) if input_type(graph, number) == Some(DType::I32) && i32::try_from(value).is_err() => {
            Err(Mismatch::Range { element, value }.of_input(number))
        }
        Some(value) => Ok(value),
        None => Err(Error::input(number, format!("element {element} is needed as an integer"))),
    }
}

/// Checks indices that the host knows; whether there are others, which only the GPU can check.
pub(crate) fn check_indices<I: CallInput>(graph: &Graph, plan: &GraphPlan, inputs: &[I]) -> Result<bool> {
    let mut unknown = false;
    for check in &plan.checks {
        let known = check.input.and_then(|number| Some((number, inputs.get(number)?.host()?)));
        let Some((number, tensor)) = known else {
            unknown = true;
            continue;
        };
        let limit = i64::try_from(check.limit).unwrap_or(i64::MAX);
        let (least, taken) = match check.negative {
            NegativeIndices::Invalid => (0, 0..limit),
            NegativeIndices::FromEnd => (-limit, -limit..limit),
            NegativeIndices::Ignored => (0, i64::MIN..limit),
        };
        let outside = |(_, index): &(usize, i64)| !taken.contains(index);
        let bad = match (tensor.as_slice::<i64>(), tensor.as_slice::<i32>()) {
            (Ok(indices), _) => indices.iter().copied().enumerate().find(outside),
            (_, Ok(indices)) => indices.iter().map(|&index| i64::from(index)).enumerate().find(outside),
            _ => tensor.to_i64s().into_iter().enumerate().find(outside),
        };
        if let Some((element, index)) = bad {
            let node = &graph.nodes[check.node];
            return Err(Error::input(
                number,
                format!(
                    "element {element} is index {index}, out of range for {} ({}): valid are {least} to {}",
                    graph.place_of(node),
                    node.op.name,
                    limit - 1
                ),
            ));
        }
    }
    Ok(unknown)
}

/// Checks a call of a graph as the reference engine does, which no limits of a device hold back.
pub(crate) fn check<I: CallInput>(graph: &Graph, inputs: &[I]) -> Result<()> {
    let mut plans: PlanCache<GraphPlan> = PlanCache::default();
    let (plan, syms) = plans.plan_for(graph, inputs, &Device::cpu().caps(), Ok)?;
    check_indices(graph, plan, inputs)?;
    plan.check_per_call_values(graph, &syms)?;
    for (number, input) in inputs.iter().enumerate() {
        if let (Some(dtype), Some(tensor)) = (input_type(graph, number), input.host()) {
            types::check(tensor, dtype).map_err(|mismatch| mismatch.of_input(number))?;
        }
    }
    Ok(())
}
