//! What can be said of a lowered method before it runs: the memory that it takes, and the values that its inputs may hold.

use std::collections::{HashMap, HashSet};

use pteron_ops::Caps;
use pteron_pte::Dynamism;
use pteron_tensor::DType;

use crate::error::Result;
use crate::graph::{Constant, DataRef, MethodGraph, ProgramTensor, ProgramValue, Role, Step, Value};
use crate::limits::{Limits, total};
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
        total([self.constants, self.state, self.scratch])
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
            let bytes = bytes_of(tensor);
            if tensor.data.as_ref().is_some_and(|data| seen.insert(data)) {
                estimate.constants = estimate.constants.saturating_add(bytes);
            }
        }
        for &id in self.inputs.iter().chain(&self.outputs) {
            if let ProgramValue::Tensor(tensor) = &self.values[id as usize] {
                estimate.boundary = estimate.boundary.saturating_add(bytes_of(tensor));
            }
        }
        for id in self.kept_values() {
            if let ProgramValue::Tensor(tensor) = &self.values[id as usize] {
                estimate.state = estimate.state.saturating_add(bytes_of(tensor));
            }
        }
        for (delegate, plan) in self.delegates.iter().zip(largest) {
            for constant in &delegate.constants {
                if seen.insert(&constant.data) {
                    estimate.constants = estimate.constants.saturating_add(constant_bytes(constant));
                }
            }
            estimate.state = estimate.state.saturating_add(delegate.state_bytes());
            let planned = plan.as_ref().map(|plan| total(plan.memory.intermediates.iter().copied()));
            estimate.intermediates = estimate.intermediates.zip(planned).map(|(a, b)| a.saturating_add(b));
        }
        estimate
    }

    /// Whether a call changes what the next one sees.
    pub(crate) fn has_state(&self) -> bool {
        self.delegates.iter().any(crate::graph::Graph::has_state) || !self.kept_values().is_empty()
    }

    /// Values outside delegates that a call may read before it writes them, and writes: the next call finds them changed.
    fn kept_values(&self) -> HashSet<u32> {
        let (mut read_first, written) = self.values_read_first();
        read_first.retain(|id| written.contains(id));
        read_first
    }

    /// Values outside delegates that a call may read before it writes them and that nobody gives it, and all that it writes.
    fn values_read_first(&self) -> (HashSet<u32>, HashSet<u32>) {
        let mut written: HashSet<u32> = HashSet::new();
        let mut read_first: HashSet<u32> = HashSet::new();
        for step in &self.steps {
            let (reads, writes) = reads_and_writes(step, &self.values);
            read_first.extend(reads.into_iter().filter(|id| !written.contains(id)));
            written.extend(writes);
        }
        for id in &self.inputs {
            read_first.remove(id);
        }
        (read_first, written)
    }

    /// Refuses a method that needs more than its limits allow to be loaded, or for its calls where those are all alike.
    pub(crate) fn check_limits(&self, limits: &Limits, on_gpu: bool, largest: &[Option<GraphPlan>]) -> Result<()> {
        let name = &self.name;
        limits.check_host(name, total(self.host_tensors()))?;
        let plans = self.delegates.iter().zip(largest).filter(|_| self.has_one_shape());
        let plans = plans.filter_map(|(graph, plan)| Some((graph, plan.as_ref()?)));
        if on_gpu {
            let scratch = total(plans.map(|(_, plan)| plan.memory.bytes()));
            return limits.check_gpu(name, self.gpu_bytes_held().saturating_add(scratch));
        }
        let converted = self.delegates.iter().flat_map(|delegate| &delegate.constants);
        let converted = converted.filter(|constant| constant.stored != constant.dtype).map(constant_bytes);
        let tensors = plans.map(|(graph, plan)| plan.tensor_bytes(graph));
        limits.check_host(name, total(self.host_tensors().chain(converted).chain(tensors)))
    }

    /// Bytes on the GPU that a loaded method holds between calls: constants, each as often as it lies there, and one state.
    pub(crate) fn gpu_bytes_held(&self) -> u64 {
        // A constant that is longer than what lies there of the same data goes there once more.
        let mut longest: HashMap<(&DataRef, DType), u64> = HashMap::new();
        let mut bytes = total(self.delegates.iter().map(crate::graph::Graph::state_bytes));
        for constant in self.delegates.iter().flat_map(|delegate| &delegate.constants) {
            let known = longest.entry((&constant.data, constant.dtype)).or_default();
            if constant_bytes(constant) > *known {
                *known = constant_bytes(constant);
                bytes = bytes.saturating_add(*known);
            }
        }
        bytes
    }

    /// Bytes of each tensor outside delegates that the host makes when the method is loaded, or from nothing in a call.
    fn host_tensors(&self) -> impl Iterator<Item = u64> {
        let (read_first, _) = self.values_read_first();
        (0u32..).zip(&self.values).filter_map(move |(id, value)| match value {
            // What is stored in order is not copied.
            ProgramValue::Tensor(tensor) if tensor.data.is_some() => tensor.is_permuted().then(|| bytes_of(tensor)),
            ProgramValue::Tensor(tensor) => read_first.contains(&id).then(|| bytes_of(tensor)),
            _ => None,
        })
    }

    /// Whether all calls have the same shapes.
    fn has_one_shape(&self) -> bool {
        self.inputs.iter().all(|&id| match self.values.get(id as usize) {
            Some(ProgramValue::Tensor(tensor)) => tensor.dynamism == Dynamism::Static,
            _ => true,
        })
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

impl crate::graph::Graph {
    /// Bytes of what persists between calls.
    pub(crate) fn state_bytes(&self) -> u64 {
        total(self.values.iter().filter_map(|value| match value {
            Value::Tensor(tensor) if matches!(tensor.role, Role::State(_)) => {
                Some(tensor.shape.numel() as u64 * tensor.dtype.size() as u64)
            }
            _ => None,
        }))
    }
}

fn bytes_of(tensor: &ProgramTensor) -> u64 {
    tensor.shape.numel() as u64 * tensor.dtype.size() as u64
}

fn constant_bytes(constant: &Constant) -> u64 {
    constant.shape.numel() as u64 * constant.dtype.size() as u64
}
