//! Gives every tensor of a plan its memory.
//!
//! Constants, state, inputs and outputs have memory of their own. Intermediates share buffers by their lifetimes: a buffer
//! is taken again only after the last launch that touches its tensor, so no launch reads and writes one buffer, which
//! WebGPU refuses.

use std::collections::HashMap;

use pteron_ops::plan::{Dispatch, Tensor};

use super::{PlannedDispatch, PlannedTensor};
use crate::graph::{Carried, Graph, Role, Value};
use crate::limits::total;

/// Memory that tensors of a plan live in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Memory {
    /// An entry of [`Graph::constants`].
    Constant(usize),
    /// State that persists between calls, by value id.
    State(u32),
    /// An input, an output, or what a state takes over, by value id.
    Boundary(u32),
    /// A buffer of intermediates, by number.
    Intermediate(usize),
}

/// The memory that a plan needs besides constants and state.
#[derive(Debug, Default)]
pub(crate) struct MemoryPlan {
    /// Each value that is [`Memory::Boundary`], and its bytes.
    pub(crate) boundary: Vec<(u32, u64)>,
    /// Bytes of each buffer of intermediates.
    pub(crate) intermediates: Vec<u64>,
}

impl MemoryPlan {
    /// All of it.
    pub(crate) fn bytes(&self) -> u64 {
        total(self.boundary.iter().map(|entry| entry.1).chain(self.intermediates.iter().copied()))
    }
}

/// What a launch binds: bytes of a tensor's memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Operand {
    pub(crate) memory: Memory,
    pub(crate) offset: u64,
    pub(crate) bytes: u64,
}

impl Operand {
    fn new(memory: Memory, tensor: &Tensor) -> Operand {
        let (offset, bytes) = match tensor.window {
            Some(window) => (window.offset, window.size.next_multiple_of(4)),
            None => (0, buffer_bytes(tensor.bytes())),
        };
        Operand { memory, offset, bytes }
    }
}

/// Bytes that a tensor's buffer takes: whole 16-byte words, at least one.
pub(crate) fn buffer_bytes(bytes: u64) -> u64 {
    bytes.max(1).next_multiple_of(16)
}

/// Which tensor of a graph's plan a launch binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Owner {
    /// A value that owns its memory.
    Value(u32),
    /// Memory for the time that an operator runs, by its number within the plan.
    Scratch(usize),
}

/// A launch whose tensors have no memory yet.
#[derive(Debug)]
pub(super) struct UnplacedDispatch {
    pub(super) node: usize,
    pub(super) dispatch: Dispatch,
    /// The owner of each of the launch's tensors.
    pub(super) owners: Vec<Owner>,
}

/// Where the tensors of a plan live.
#[derive(Debug)]
pub(super) struct Placement {
    pub(super) plan: MemoryPlan,
    /// By value id, for values that own their memory.
    own: Vec<Option<Memory>>,
    /// The buffer of every other tensor.
    shared: HashMap<Owner, usize>,
}

impl Placement {
    /// Places every tensor; what is `carried` lies in the memory of its input.
    pub(super) fn new(
        graph: &Graph,
        tensors: &[Option<PlannedTensor>],
        dispatches: &[UnplacedDispatch],
        carried: &[Carried],
    ) -> Placement {
        let own = (0u32..).zip(&graph.values).map(|(id, value)| match value {
            Value::Tensor(tensor) => match tensor.role {
                Role::Constant(constant) => Some(Memory::Constant(constant)),
                Role::State(_) => Some(Memory::State(id)),
                Role::Plain => None,
            },
            _ => None,
        });
        let mut placement = Placement { plan: MemoryPlan::default(), own: own.collect(), shared: HashMap::new() };
        let updates = graph.updates.iter().map(|(_, computed)| computed);
        for &id in graph.inputs.iter().chain(&graph.outputs).chain(updates) {
            if let Some(tensor) = &tensors[id as usize] {
                placement.place_at_boundary(tensor, carried);
            }
        }
        placement.share(dispatches);
        placement
    }

    /// Gives a tensor that outlives a launch memory of its own, unless it is constant or state.
    fn place_at_boundary(&mut self, tensor: &PlannedTensor, carried: &[Carried]) {
        let own = &mut self.own[tensor.root as usize];
        if matches!(own, Some(Memory::Constant(_) | Memory::State(_))) {
            return;
        }
        let carried = carried.iter().find(|carried| carried.output == tensor.root);
        let owner = carried.map_or(tensor.root, |carried| carried.input);
        *own = Some(Memory::Boundary(owner));
        let bytes = tensor.bytes();
        match self.plan.boundary.iter_mut().find(|(id, _)| *id == owner) {
            Some((_, most)) => *most = bytes.max(*most),
            None => self.plan.boundary.push((owner, bytes)),
        }
    }

    /// Lets all other tensors share buffers.
    fn share(&mut self, dispatches: &[UnplacedDispatch]) {
        let intermediates = &mut self.plan.intermediates;
        // The last launch that touches each buffer.
        let mut busy_until: Vec<usize> = Vec::new();
        for Lifetime { owner, first, last, bytes } in lifetimes(&self.own, dispatches) {
            let free = (0..busy_until.len()).filter(|&buffer| busy_until[buffer] < first);
            let wasted = |&buffer: &usize| match intermediates[buffer] {
                held if held >= bytes => (0, held),
                held => (1, bytes - held),
            };
            let buffer = free.min_by_key(wasted).unwrap_or(busy_until.len());
            if buffer == busy_until.len() {
                intermediates.push(0);
                busy_until.push(0);
            }
            intermediates[buffer] = intermediates[buffer].max(bytes);
            busy_until[buffer] = last;
            self.shared.insert(owner, buffer);
        }
    }

    /// The memory of a value that owns it, if it has any.
    pub(super) fn of_value(&self, root: u32) -> Option<Memory> {
        let shared = || self.shared.get(&Owner::Value(root)).copied().map(Memory::Intermediate);
        self.own.get(root as usize).copied().flatten().or_else(shared)
    }

    fn of_owner(&self, owner: Owner) -> Option<Memory> {
        match owner {
            Owner::Value(root) => self.of_value(root),
            Owner::Scratch(_) => self.shared.get(&owner).copied().map(Memory::Intermediate),
        }
    }

    /// A launch with the memory of its tensors, or nothing where one has none.
    pub(super) fn placed(&self, unplaced: UnplacedDispatch) -> Option<PlannedDispatch> {
        let UnplacedDispatch { node, dispatch, owners } = unplaced;
        let operand = |(&owner, tensor): (&Owner, &Tensor)| Some(Operand::new(self.of_owner(owner)?, tensor));
        let operands = owners.iter().zip(&dispatch.tensors).map(operand).collect::<Option<_>>()?;
        Some(PlannedDispatch { node, dispatch, operands })
    }
}

/// The first and last launch that touches a tensor.
struct Lifetime {
    owner: Owner,
    first: usize,
    last: usize,
    bytes: u64,
}

/// The lifetimes of tensors that do not own their memory, in the order of their first launches.
fn lifetimes(own: &[Option<Memory>], dispatches: &[UnplacedDispatch]) -> Vec<Lifetime> {
    let mut lifetimes: Vec<Lifetime> = Vec::new();
    let mut found = HashMap::new();
    for (index, unplaced) in dispatches.iter().enumerate() {
        for (&owner, tensor) in unplaced.owners.iter().zip(&unplaced.dispatch.tensors) {
            if matches!(owner, Owner::Value(id) if own[id as usize].is_some()) {
                continue;
            }
            // What lies in the memory of a join may have it to itself until the join is read.
            let end = tensor.window.map_or(0, |window| window.offset + window.size);
            let bytes = buffer_bytes(end.max(tensor.bytes()));
            let &mut at = found.entry(owner).or_insert_with(|| {
                lifetimes.push(Lifetime { owner, first: index, last: index, bytes });
                lifetimes.len() - 1
            });
            let lifetime = &mut lifetimes[at];
            lifetime.last = index;
            lifetime.bytes = lifetime.bytes.max(bytes);
        }
    }
    lifetimes
}
