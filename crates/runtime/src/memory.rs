//! Gives intermediate tensors memory by their lifetimes.
//!
//! Every tensor lives in a slot, which becomes one buffer. A slot is taken again only after the last launch that touches
//! its tensor, so no launch reads and writes one buffer, which WebGPU refuses.

use pteron_ops::plan::Place;

use crate::graph::{Graph, Role, Value};
use crate::replan::GraphPlan;

/// Where each intermediate tensor of a plan lives.
#[derive(Debug, Default)]
pub(crate) struct Assignment {
    /// Bytes of each slot.
    pub(crate) slots: Vec<u64>,
    /// The slot of each value that has one.
    pub(crate) values: Vec<Option<usize>>,
    /// The slot of each scratch tensor.
    pub(crate) scratch: Vec<usize>,
}

/// Bytes that a tensor's buffer takes: whole 16-byte words, at least one.
pub(crate) fn buffer_bytes(bytes: u64) -> u64 {
    bytes.max(1).next_multiple_of(16)
}

/// Assigns slots. Inputs, outputs, constants and state have memory of their own.
pub(crate) fn assign(graph: &Graph, plan: &GraphPlan) -> Assignment {
    let mut owned = vec![false; graph.values.len()];
    for (id, value) in graph.values.iter().enumerate() {
        owned[id] = !matches!(value, Value::Tensor(tensor) if tensor.role == Role::Plain);
    }
    let updates = graph.updates.iter().map(|(_, computed)| computed);
    for &id in graph.inputs.iter().chain(&graph.outputs).chain(updates) {
        let root = plan.tensors[id as usize].map_or(id, |tensor| tensor.root);
        owned[root as usize] = true;
    }

    // First and last launch that touches each tensor.
    let mut lives: Vec<(Place, usize, usize, u64)> = Vec::new();
    let mut found = std::collections::HashMap::new();
    for (index, planned) in plan.dispatches.iter().enumerate() {
        for tensor in &planned.dispatch.tensors {
            if matches!(tensor.place, Place::Value(id) if owned[id as usize]) {
                continue;
            }
            let bytes = buffer_bytes(tensor.bytes());
            let &mut at = found.entry(tensor.place).or_insert_with(|| {
                lives.push((tensor.place, index, index, bytes));
                lives.len() - 1
            });
            let life = &mut lives[at];
            life.2 = index;
            life.3 = life.3.max(bytes);
        }
    }

    let mut assignment =
        Assignment { slots: Vec::new(), values: vec![None; graph.values.len()], scratch: vec![0; plan.scratch.len()] };
    // The last launch that touches each slot.
    let mut busy_until: Vec<usize> = Vec::new();
    for (place, first, last, bytes) in lives {
        let free = (0..busy_until.len()).filter(|&slot| busy_until[slot] < first);
        let slots = &assignment.slots;
        let best =
            free.min_by_key(|&slot| if slots[slot] >= bytes { (0, slots[slot]) } else { (1, bytes - slots[slot]) });
        let slot = best.unwrap_or_else(|| {
            assignment.slots.push(0);
            busy_until.push(0);
            busy_until.len() - 1
        });
        assignment.slots[slot] = assignment.slots[slot].max(bytes);
        busy_until[slot] = last;
        match place {
            Place::Value(id) => assignment.values[id as usize] = Some(slot),
            Place::Scratch(number) => assignment.scratch[number] = slot,
            Place::Output(_) => {}
        }
    }
    assignment
}
