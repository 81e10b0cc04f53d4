//! Finds the views that the exporter left out of a program.
//!
//! Where memory is planned, a view of fixed size needs no instruction: its tensor has the place in memory of the tensor
//! that it views. Here every value holds a tensor of its own, so the views are put back as steps.

use std::collections::{HashMap, HashSet};

use pteron_pte::Dynamism;
use pteron_tensor::DType;

use super::ids::ById as _;
use crate::graph::{Allocation, ProgramTensor, ProgramValue, Step};

/// The values that a step reads, with those that lists among them are made of, and the values that it writes.
pub(crate) fn reads_and_writes<'a>(step: &'a Step, values: &[ProgramValue]) -> (Vec<u32>, &'a [u32]) {
    use std::slice::from_ref;
    let (reads, writes): (&[u32], &[u32]) = match step {
        Step::Kernel { args, outputs, .. } => (args, outputs),
        Step::Delegate { inputs, outputs, .. } => (inputs, outputs),
        Step::Move { from, to } | Step::View { from, to } => (from_ref(from), from_ref(to)),
        Step::JumpFalse { condition, .. } => (from_ref(condition), &[]),
        Step::Free { .. } => (&[], &[]),
    };
    (reads.iter().flat_map(|&id| with_items(id, values)).collect(), writes)
}

fn with_items(id: u32, values: &[ProgramValue]) -> Vec<u32> {
    match values.by_id(id) {
        Some(ProgramValue::Tensors(items)) => items.iter().copied().flatten().collect(),
        _ => vec![id],
    }
}

/// Puts the views that were left out back, each after the steps that write what it views. What the caller gives and
/// what persists between calls is viewed before the first step.
pub(crate) fn restore(values: &[ProgramValue], inputs: &[u32], outputs: &[u32], steps: Vec<Step>) -> Vec<Step> {
    let views = find(values, inputs, outputs, &steps);
    if views.is_empty() {
        return steps;
    }
    let first = views.iter().filter(|view| view.first);
    let mut restored: Vec<Step> = first.map(View::step).collect();
    let mut moved_to = Vec::with_capacity(steps.len().saturating_add(1));
    for step in steps {
        moved_to.push(restored.len());
        let writes = reads_and_writes(&step, values).1.to_vec();
        restored.push(step);
        restored.extend(views.iter().filter(|view| !view.first && writes.contains(&view.from)).map(View::step));
    }
    moved_to.push(restored.len());
    for step in &mut restored {
        if let Step::JumpFalse { destination, .. } = step {
            *destination = moved_to.get(*destination).copied().unwrap_or(usize::MAX);
        }
    }
    restored
}

#[derive(Debug, PartialEq, Eq)]
struct View {
    from: u32,
    to: u32,
    /// Whether it is taken before the first step.
    first: bool,
}

impl View {
    fn step(&self) -> Step {
        Step::View { from: self.from, to: self.to }
    }
}

/// What a tensor has in common with its views.
type Shared = (Allocation, DType, usize);

fn shared(value: &ProgramValue) -> Option<Shared> {
    match value {
        ProgramValue::Tensor(ProgramTensor { allocation: Some(allocation), dtype, shape, .. }) => {
            Some((*allocation, *dtype, shape.numel()))
        }
        _ => None,
    }
}

/// Tensors of fixed size that are read though nothing writes them, and whose place is that of another tensor.
///
/// State has its place to itself, so a tensor that is alone there is state, and one that is written only later is state
/// too, which the others view.
fn find(values: &[ProgramValue], inputs: &[u32], outputs: &[u32], steps: &[Step]) -> Vec<View> {
    let accesses: Vec<_> = steps.iter().map(|step| reads_and_writes(step, values)).collect();
    let written = || accesses.iter().flat_map(|access| access.1).copied();
    let filled: HashSet<u32> = inputs.iter().copied().chain(written()).collect();
    let place = |id: u32| shared(values.by_id(id)?);
    // The tensor that a place holds, and whether it holds it from the beginning.
    let mut held: HashMap<Shared, (u32, bool)> = HashMap::new();
    held.extend(inputs.iter().filter_map(|&id| Some((place(id)?, (id, true)))));
    let mut views: Vec<View> = Vec::new();
    let mut seen: HashSet<u32> = HashSet::new();
    let results: Vec<u32> = outputs.iter().flat_map(|&id| with_items(id, values)).collect();
    let last: &(Vec<u32>, &[u32]) = &(results, &[]);
    for (reads, writes) in accesses.iter().chain([last]) {
        for &id in reads {
            let unwritten = matches!(
                values.by_id(id),
                Some(ProgramValue::Tensor(tensor)) if tensor.data.is_none() && tensor.dynamism == Dynamism::Static
            );
            let (true, false, Some(place_of_id)) = (unwritten, filled.contains(&id), place(id)) else { continue };
            if !seen.insert(id) {
                continue;
            }
            let state = || (written().find(|&other| place(other) == Some(place_of_id)).unwrap_or(id), true);
            let &mut (from, first) = held.entry(place_of_id).or_insert_with(state);
            if from != id {
                views.push(View { from, to: id, first });
            }
        }
        held.extend(writes.iter().filter_map(|&id| Some((place(id)?, (id, false)))));
    }
    views
}

#[cfg(test)]
mod tests {
    use pteron_tensor::Shape;

    use super::*;

    /// A tensor of six floats at a place.
    fn tensor(offset: u64, shape: &[usize]) -> ProgramValue {
        let shape = Shape::new(shape).unwrap();
        let allocation = Some(Allocation { memory: 1, offset });
        ProgramValue::Tensor(ProgramTensor {
            dtype: DType::F32,
            shape,
            dynamism: Dynamism::Static,
            data: None,
            order: None,
            allocation,
        })
    }

    fn view(from: u32, to: u32, first: bool) -> View {
        View { from, to, first }
    }

    #[test]
    fn views_follow_what_holds_their_place() {
        // 0: input, 1: a view of it, 2: computed, 3: a view of it, 4: computed later in the place of 2, 5: its view.
        let values = [
            tensor(0, &[6]),
            tensor(0, &[2, 3]),
            tensor(64, &[6]),
            tensor(64, &[3, 2]),
            tensor(64, &[6]),
            tensor(64, &[1, 6]),
        ];
        let steps = [Step::Move { from: 1, to: 2 }, Step::Move { from: 3, to: 4 }];
        assert_eq!(find(&values, &[0], &[5], &steps), [view(0, 1, true), view(2, 3, false), view(4, 5, false)]);
    }

    #[test]
    fn state_is_no_view_and_can_be_viewed() {
        // 0: state, written at the end, 1: its view; 2: state that is only read.
        let values = [tensor(0, &[6]), tensor(0, &[2, 3]), tensor(64, &[6])];
        let steps = [Step::Move { from: 1, to: 0 }];
        assert_eq!(find(&values, &[], &[2], &steps), [view(0, 1, true)]);
    }

    #[test]
    fn jumps_still_lead_to_the_same_steps() {
        let values = [ProgramValue::Bool(true), tensor(0, &[6]), tensor(64, &[6]), tensor(64, &[2, 3])];
        let steps = vec![
            Step::JumpFalse { condition: 0, destination: 2 },
            Step::Move { from: 1, to: 2 },
            Step::Move { from: 3, to: 1 },
        ];
        let restored = restore(&values, &[1], &[], steps);
        assert!(matches!(
            restored[..],
            [
                Step::JumpFalse { destination: 3, .. },
                Step::Move { .. },
                Step::View { from: 2, to: 3 },
                Step::Move { from: 3, .. }
            ]
        ));
    }
}
