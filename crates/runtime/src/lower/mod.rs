//! Turns a parsed program into graphs: every operator looked up, every constant located, every value used only after it
//! is computed. What does not run here is collected, so that one error names it all.

#![deny(
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::arithmetic_side_effects
)]
#![cfg_attr(
    test,
    allow(
        clippy::indexing_slicing,
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::arithmetic_side_effects,
        reason = "tests may panic"
    )
)]

mod budget;
mod calls;
mod checks;
mod data;
mod delegates;
pub(crate) mod frozen;
mod ids;
mod repeated;
mod shapes;
mod states;
mod steps;
mod values;
mod views;
mod vulkan;
mod xnnpack;

use bytes::Bytes;
use pteron_ops::Caps;
use pteron_pte as pte;

use self::budget::Budget;
pub(crate) use self::data::NamedData;
pub(crate) use self::views::reads_and_writes;
use crate::error::{Error, Result, Unsupported};
use crate::graph::MethodGraph;
use crate::limits::Limits;

/// Lowers a method. `blobs` are the bytes of its delegates.
pub(crate) fn method(
    method: &pte::Method<'_>,
    blobs: &[Bytes],
    named: &NamedData<'_>,
    caps: &Caps,
    limits: &Limits,
) -> Result<MethodGraph> {
    let mut budget = Budget::new(method.program().flatbuffer_len());
    let values = values::values(method, named, &mut budget)?;
    let (mut missing, mut missing_outside) = (Vec::new(), Vec::new());
    let mut steps = steps::steps(method, &values, &mut missing_outside, &mut budget)?;
    let mut delegates = Vec::new();
    for (index, blob) in blobs.iter().enumerate() {
        let reference = method.delegate(u32::try_from(index).unwrap_or(u32::MAX))?;
        let name = format!("delegate {index} of method {}", method.name());
        let orders = calls::orders(&steps, &values, index, &name)?;
        match delegates::graph(blob, reference.id, name, &orders, named, caps, limits) {
            Ok(graph) => delegates.push(graph),
            Err(Error::Unsupported(unsupported)) => missing.extend(unsupported.nodes),
            Err(error) => return Err(error),
        }
    }
    missing.append(&mut missing_outside);
    if !missing.is_empty() {
        return Err(Unsupported { nodes: missing }.into());
    }
    let inputs: Vec<u32> = method.inputs()?.iter().collect();
    calls::fit(&mut steps, &values, &inputs, &mut delegates)?;
    checks::check_call_types(&values, &steps, &delegates)?;
    shapes::restore(&steps, &values, &mut delegates)?;
    delegates.iter_mut().for_each(states::settle);
    let outputs: Vec<u32> = method.outputs()?.iter().collect();
    let steps = views::restore(&values, &inputs, &outputs, steps);
    checks::check_memory_orders(method.name(), &values, &steps)?;
    let name = method.name().to_owned();
    Ok(MethodGraph { name, values, inputs, outputs, steps, delegates, ..MethodGraph::default() })
}
