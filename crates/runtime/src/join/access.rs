//! What the steps of a method read and write, and what becomes of its values.

use std::collections::{HashMap, HashSet};

use pteron_pte::Dynamism;

use super::numbers;
use crate::graph::{MethodGraph, ProgramTensor, ProgramValue, Step};

/// The values that a step reads, with those that lists among them are made of, and the values that it writes.
#[derive(Debug, Default)]
pub(super) struct Access {
    pub(super) reads: Vec<u32>,
    pub(super) writes: Vec<u32>,
}

impl Access {
    pub(super) fn of(step: &Step, values: &[ProgramValue]) -> Access {
        if let Some((from, to)) = assignment(step, values) {
            return Access { reads: vec![from], writes: vec![to] };
        }
        let read = |ids: &[u32]| ids.iter().flat_map(|&id| with_items(id, values)).collect();
        match step {
            Step::Kernel { op, args, outputs } => {
                let changed = op.writes.iter().filter_map(|&index| args.get(index));
                Access { reads: read(args), writes: outputs.iter().chain(changed).copied().collect() }
            }
            Step::Delegate { inputs, outputs, numbers, .. } => {
                Access { reads: read(inputs), writes: outputs.iter().chain(numbers).copied().collect() }
            }
            Step::Move { from, to } | Step::View { from, to } => Access { reads: vec![*from], writes: vec![*to] },
            Step::JumpFalse { condition, .. } => Access { reads: vec![*condition], writes: Vec::new() },
            Step::Free { value } => Access { reads: Vec::new(), writes: vec![*value] },
        }
    }
}

/// A value with those that it lists.
fn with_items(id: u32, values: &[ProgramValue]) -> Vec<u32> {
    match &values[id as usize] {
        ProgramValue::Tensors(items) => items.iter().copied().flatten().collect(),
        ProgramValue::Ints(items) => items.clone(),
        _ => vec![id],
    }
}

/// The values of a step that gives one what another holds: source and target.
///
/// A write-back, `aten::copy_`, is one where both are of the same type and sizes.
pub(super) fn assignment(step: &Step, values: &[ProgramValue]) -> Option<(u32, u32)> {
    let (from, to) = match step {
        Step::Move { from, to } => (*from, *to),
        Step::Kernel { op, args, outputs } if op.portable == Some("aten::copy_") => match (&args[..], &outputs[..]) {
            (&[to, from, ..], &[output]) if to == output => (from, to),
            _ => return None,
        },
        _ => return None,
    };
    let (from_tensor, to_tensor) = (tensor(values, from)?, tensor(values, to)?);
    let fixed = |tensor: &ProgramTensor| tensor.dynamism == Dynamism::Static;
    let same = from_tensor.dtype == to_tensor.dtype && from_tensor.shape == to_tensor.shape;
    (matches!(step, Step::Move { .. }) || (same && fixed(from_tensor) && fixed(to_tensor))).then_some((from, to))
}

/// The tensor that a value is.
pub(super) fn tensor(values: &[ProgramValue], id: u32) -> Option<&ProgramTensor> {
    match values.get(id as usize)? {
        ProgramValue::Tensor(tensor) => Some(tensor),
        _ => None,
    }
}

/// What becomes of the values of a method.
#[derive(Debug)]
pub(super) struct Facts {
    /// For each step.
    pub(super) accesses: Vec<Access>,
    /// How many steps write each value.
    pub(super) writers: Vec<usize>,
    /// Values that a call finds as an earlier one left them, and may change.
    pub(super) persistent: HashSet<u32>,
    /// Numbers that are integers.
    pub(super) integers: HashSet<u32>,
    /// For numbers that are the same, the first of them.
    pub(super) twins: HashMap<u32, u32>,
    /// Integers that steps compute where the shapes of all tensors are largest.
    pub(super) largest_integers: HashMap<u32, i64>,
}

impl Facts {
    pub(super) fn of(method: &MethodGraph) -> Facts {
        let accesses: Vec<_> = method.steps.iter().map(|step| Access::of(step, &method.values)).collect();
        let mut writers = vec![0; method.values.len()];
        let mut found: HashSet<u32> = HashSet::new();
        for Access { reads, writes } in &accesses {
            found.extend(reads.iter().filter(|&&id| writers[id as usize] == 0));
            writes.iter().for_each(|&id| writers[id as usize] += 1);
        }
        let has_first_value = |id: u32| tensor(&method.values, id).is_some_and(|tensor| tensor.data.is_some());
        let persistent = (0u32..).zip(&writers).filter(|&(id, &writers)| {
            writers > 0 && !method.inputs.contains(&id) && (found.contains(&id) || has_first_value(id))
        });
        let persistent = persistent.map(|(id, _)| id).collect();
        let integers = numbers::integers(method, &writers);
        let twins = numbers::twins(method, &writers);
        let largest_integers = numbers::largest(method);
        Facts { accesses, writers, persistent, integers, twins, largest_integers }
    }

    /// Whether a value is what the file says, always.
    pub(super) fn is_constant(&self, method: &MethodGraph, id: u32) -> bool {
        self.writers[id as usize] == 0
            && !method.inputs.contains(&id)
            && tensor(&method.values, id).is_none_or(|tensor| tensor.data.is_some())
    }

    /// The steps that read or write a value.
    pub(super) fn touching(&self, id: u32) -> impl Iterator<Item = usize> {
        let touches = move |access: &Access| access.reads.contains(&id) || access.writes.contains(&id);
        (0..).zip(&self.accesses).filter(move |(_, access)| touches(access)).map(|(step, _)| step)
    }

    /// The steps that write a value.
    pub(super) fn writing(&self, id: u32) -> impl Iterator<Item = usize> {
        (0..).zip(&self.accesses).filter(move |(_, access)| access.writes.contains(&id)).map(|(step, _)| step)
    }
}
