//! What can be said of a lowered method before it runs: the memory that it takes, and the values that its inputs may hold.

use std::collections::HashSet;

use pteron_ops::Caps;

use crate::graph::{MethodGraph, ProgramValue, Role, Step, Value};
use crate::lower::reads_and_writes;
use crate::plan::{GraphPlan, try_largest};

/// The memory that a method takes at its largest shapes, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct MemoryEstimate {
    /// Constants, each counted once, in the types that the device holds.
    pub constants: u64,
    /// State that persists between calls; none means that every call starts afresh.
    pub state: u64,
    /// Inputs and outputs of the method.
    pub boundary: u64,
    /// Intermediates of delegates, or nothing where only a call's inputs decide their shapes.
    pub intermediates: Option<u64>,
}

/// The memory that a loaded method holds on the GPU, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct GpuBytes {
    /// Constants, each counted once.
    pub constants: u64,
    /// State that persists between calls.
    pub state: u64,
    /// Inputs, outputs and intermediates of the largest calls so far.
    pub scratch: u64,
}

impl GpuBytes {
    /// All of it.
    pub fn total(self) -> u64 {
        self.constants + self.state + self.scratch
    }
}

impl MethodGraph {
    /// The memory that the method takes at its largest shapes on a device with these capabilities.
    pub fn memory(&self, caps: &Caps) -> MemoryEstimate {
        self.memory_of(&try_largest(self, caps))
    }

    /// The memory that the method takes by the plans of its graphs at their largest shapes.
    pub(crate) fn memory_of(&self, largest: &[Option<GraphPlan>]) -> MemoryEstimate {
        let mut estimate = MemoryEstimate { intermediates: Some(0), ..MemoryEstimate::default() };
        let mut seen = HashSet::new();
        for value in &self.values {
            let ProgramValue::Tensor(tensor) = value else { continue };
            let bytes = tensor.shape.numel() as u64 * tensor.dtype.size() as u64;
            if tensor.data.as_ref().is_some_and(|data| seen.insert(data)) {
                estimate.constants += bytes;
            }
        }
        for &id in self.inputs.iter().chain(&self.outputs) {
            if let ProgramValue::Tensor(tensor) = &self.values[id as usize] {
                estimate.boundary += tensor.shape.numel() as u64 * tensor.dtype.size() as u64;
            }
        }
        for id in self.kept_values() {
            if let ProgramValue::Tensor(tensor) = &self.values[id as usize] {
                estimate.state += tensor.shape.numel() as u64 * tensor.dtype.size() as u64;
            }
        }
        for (delegate, plan) in self.delegates.iter().zip(largest) {
            for constant in &delegate.constants {
                if seen.insert(&constant.data) {
                    estimate.constants += constant.shape.numel() as u64 * constant.dtype.size() as u64;
                }
            }
            for value in &delegate.values {
                if let Value::Tensor(tensor) = value
                    && matches!(tensor.role, Role::State(_))
                {
                    estimate.state += tensor.shape.numel() as u64 * tensor.dtype.size() as u64;
                }
            }
            let planned = plan.as_ref().map(|plan| plan.memory.intermediates.iter().sum());
            estimate.intermediates = estimate.intermediates.zip(planned).map(|(a, b): (u64, u64)| a + b);
        }
        estimate
    }

    /// Values outside delegates that a call may read before it writes them, and writes: the next call finds them changed.
    fn kept_values(&self) -> HashSet<u32> {
        let mut written: HashSet<u32> = HashSet::new();
        let mut read_first: HashSet<u32> = HashSet::new();
        for step in &self.steps {
            let (reads, writes) = reads_and_writes(step, &self.values);
            read_first.extend(reads.into_iter().filter(|id| !written.contains(id)));
            written.extend(writes);
        }
        let given: HashSet<_> = self.inputs.iter().collect();
        read_first.into_iter().filter(|id| written.contains(id) && !given.contains(id)).collect()
    }

    /// For each input, one more than the largest value that is sure to be valid, where the input holds indices.
    ///
    /// An input whose elements decide sizes or positions is only sure to take 0.
    pub fn index_limits(&self, caps: &Caps) -> Vec<Option<u64>> {
        self.index_limits_of(&try_largest(self, caps))
    }

    /// Limits of indices by the plans of its graphs at their largest shapes.
    pub(crate) fn index_limits_of(&self, largest: &[Option<GraphPlan>]) -> Vec<Option<u64>> {
        let mut limits: Vec<Option<u64>> = vec![None; self.inputs.len()];
        for step in &self.steps {
            let Step::Delegate { index, inputs, .. } = step else { continue };
            let Some(plan) = &largest[*index] else { continue };
            let checked = plan.checks.iter().filter_map(|check| Some((check.input?, check.limit)));
            for (number, limit) in checked.chain(plan.symbolic_inputs().map(|number| (number, 1))) {
                let id = inputs.get(number);
                for (given, known) in self.inputs.iter().zip(&mut limits) {
                    if Some(given) == id {
                        *known = Some(known.map_or(limit, |known| known.min(limit)));
                    }
                }
            }
        }
        limits
    }
}
