//! A plan on the GPU: its pipelines, its uniforms, and its bind groups for each state that took turns lately.

use std::collections::HashSet;
use std::sync::{Arc, Weak};

use pteron_ops::plan::Place;
use pteron_ops::sym::Scalar;

use super::device::Gpu;
use super::pipelines::Pipeline;
use crate::error::{Error, Result};
use crate::graph::Graph;
use crate::memory::{self, Assignment};
use crate::replan::GraphPlan;

/// Uniform bindings start at multiples of this on every device.
const UNIFORM_ALIGNMENT: usize = 256;
/// States whose bind groups are kept; the one unused for longest goes first.
const KEPT_STATES: usize = 8;

/// A plan and what it becomes on the device.
#[derive(Debug)]
pub(super) struct Instance {
    pub(super) plan: GraphPlan,
    pub(super) assignment: Assignment,
    pub(super) pipelines: Vec<Arc<Pipeline>>,
    /// All `params`, written once, and where each launch's begin.
    pub(super) params: wgpu::Buffer,
    pub(super) params_at: Vec<u64>,
    /// All `call` structs, and where each launch's begin.
    pub(super) call: wgpu::Buffer,
    pub(super) call_at: Vec<u64>,
    /// What goes into `call`: the byte that each value begins at.
    call_values: Vec<(usize, Scalar)>,
    call_bytes: Vec<u8>,
    /// Whether `call` changes from call to call.
    pub(super) per_call: bool,
    /// For each input, whether a launch reads it or a result is a view of it. Others are only numbers for the host.
    reads: Vec<bool>,
    /// For each input, whether a launch writes to its memory.
    writes: Vec<bool>,
    /// The last are those used most recently.
    bound: Vec<Bound>,
}

/// The bind groups of a plan for one state.
#[derive(Debug)]
struct Bound {
    state: Weak<()>,
    /// The delegate's generation of buffers.
    generation: u64,
    groups: Vec<wgpu::BindGroup>,
}

impl Instance {
    /// Compiles a plan's kernels and lays out its uniforms.
    pub(super) fn new(gpu: &Gpu, graph: &Graph, plan: GraphPlan) -> Result<Instance> {
        let dispatches: Vec<_> = plan.dispatches.iter().map(|planned| &planned.dispatch).collect();
        let pipelines = gpu.pipelines.get(&gpu.device, &dispatches)?;
        let (mut params, mut params_at) = (Vec::new(), Vec::new());
        let (mut call_size, mut call_at, mut call_values) = (0, Vec::new(), Vec::new());
        // Launches with the same per-call values share them.
        let mut known_calls: Vec<(&[(u32, Scalar)], usize)> = Vec::new();
        for dispatch in &dispatches {
            params.resize(params.len().next_multiple_of(UNIFORM_ALIGNMENT), 0);
            params_at.push(params.len() as u64);
            params.extend_from_slice(&dispatch.params);
            let known = known_calls.iter().find(|(call, _)| *call == dispatch.call.as_slice());
            let at = known.map(|&(_, at)| at).unwrap_or_else(|| {
                let at = call_size;
                call_size += dispatch.kernel.call.as_ref().map_or(0, |_| UNIFORM_ALIGNMENT);
                call_values.extend(dispatch.call.iter().map(|&(offset, scalar)| (at + offset as usize, scalar)));
                known_calls.push((&dispatch.call, at));
                at
            });
            call_at.push(at as u64);
        }
        let buffer = gpu.uniforms(params.len() as u64);
        gpu.write(&buffer, 0, &params);
        let mut instance = Instance {
            assignment: memory::assign(graph, &plan),
            pipelines,
            params: buffer,
            params_at,
            call: gpu.uniforms(call_size as u64),
            call_at,
            call_values,
            call_bytes: vec![0; call_size],
            per_call: plan.has_per_call_values(),
            reads: inputs_read(graph, &plan),
            writes: inputs_written(graph, &plan),
            bound: Vec::new(),
            plan,
        };
        if !instance.per_call && call_size > 0 {
            instance.write_call(gpu, &[])?;
        }
        Ok(instance)
    }

    /// Whether a call needs an input on the GPU.
    pub(super) fn reads_input(&self, number: usize) -> bool {
        self.reads.get(number).copied().unwrap_or(true)
    }

    /// Whether a call changes the memory of an input.
    pub(super) fn writes_input(&self, number: usize) -> bool {
        self.writes.get(number).copied().unwrap_or(true)
    }

    /// Writes the values that depend on a call's symbolic integers.
    pub(super) fn write_call(&mut self, gpu: &Gpu, syms: &[i64]) -> Result<()> {
        for &(at, scalar) in &self.call_values {
            let value = scalar.eval(syms).map_err(|e| Error::Program(e.to_string()))?;
            if let Some(slot) = self.call_bytes.get_mut(at..at + 4) {
                slot.copy_from_slice(&value.to_le_bytes());
            }
        }
        gpu.write(&self.call, 0, &self.call_bytes);
        Ok(())
    }

    /// The bind groups of the state used most recently.
    pub(super) fn groups(&self) -> &[wgpu::BindGroup] {
        self.bound.last().map_or(&[], |bound| &bound.groups)
    }

    /// The bind groups of any state with these buffers: those of launches that touch no state serve all.
    pub(super) fn any_groups(&self, generation: u64) -> Option<&[wgpu::BindGroup]> {
        self.bound.iter().find(|bound| bound.generation == generation).map(|bound| &bound.groups[..])
    }

    /// Makes a state the one used most recently; whether its bind groups are there.
    pub(super) fn use_bound(&mut self, state: &Weak<()>, generation: u64) -> bool {
        let fits = |bound: &Bound| bound.generation == generation && bound.state.ptr_eq(state);
        let Some(at) = self.bound.iter().rposition(fits) else { return false };
        self.bound[at..].rotate_left(1);
        true
    }

    /// Keeps the bind groups of a state, and drops those that are outdated.
    pub(super) fn keep_bound(&mut self, state: Weak<()>, generation: u64, groups: Vec<wgpu::BindGroup>) {
        self.bound.retain(|bound| bound.generation == generation);
        if self.bound.len() >= KEPT_STATES {
            self.bound.remove(0);
        }
        self.bound.push(Bound { state, generation, groups });
    }

    /// Drops the bind groups of states that are gone: they hold their memory.
    pub(super) fn forget_dropped(&mut self) {
        self.bound.retain(|bound| bound.state.strong_count() > 0);
    }
}

fn inputs_written(graph: &Graph, plan: &GraphPlan) -> Vec<bool> {
    let written: HashSet<Place> = plan
        .dispatches
        .iter()
        .flat_map(|planned| planned.dispatch.tensors.iter().zip(planned.dispatch.kernel.storage))
        .filter_map(|(tensor, info)| info.writes.then_some(tensor.place))
        .collect();
    let fed_back = |id: u32| graph.feedback.is_some_and(|feedback| feedback.input == id);
    graph.inputs.iter().map(|&id| fed_back(id) || written.contains(&Place::Value(id))).collect()
}

fn inputs_read(graph: &Graph, plan: &GraphPlan) -> Vec<bool> {
    let root = |id: u32| plan.tensors[id as usize].map_or(id, |tensor| tensor.root);
    let launches = plan.dispatches.iter().flat_map(|planned| &planned.dispatch.tensors);
    let bound: HashSet<u32> = launches
        .filter_map(|tensor| match tensor.place {
            Place::Value(id) => Some(id),
            _ => None,
        })
        .chain(graph.outputs.iter().map(|&id| root(id)))
        .chain(graph.updates.iter().map(|&(_, computed)| root(computed)))
        .collect();
    graph.inputs.iter().map(|id| bound.contains(id)).collect()
}
