//! A plan on the GPU: its pipelines, its uniforms, and its bind groups.

use std::sync::Arc;

use pteron_ops::sym::Scalar;

use super::bind_groups::BindGroups;
use super::device::Gpu;
use super::pipelines::Pipeline;
use super::record::{Launch, Recorder};
use crate::error::Result;
use crate::graph::Graph;
use crate::plan::{GraphPlan, PlannedDispatch};

/// Uniform bindings start at multiples of this on every device.
const UNIFORM_ALIGNMENT: usize = 256;

/// Calls of one submit whose per-call values each have a place of their own.
const CALLS_APART: usize = 16;

/// A plan and what it becomes on the device.
#[derive(Debug)]
pub(super) struct CompiledPlan {
    pub(super) plan: GraphPlan,
    /// One for each launch.
    pub(super) pipelines: Vec<Arc<Pipeline>>,
    /// What launches read that is the same for every call.
    pub(super) params: Uniforms,
    /// What launches read that changes from call to call, once for each of several calls in a submit.
    pub(super) call: Uniforms,
    /// What goes into `call`.
    call_values: Vec<CallValue>,
    call_bytes: Vec<u8>,
    /// Whether `call` changes from call to call.
    per_call: bool,
    /// Whether memory has room for it: it keeps that, since buffers never shrink.
    pub(super) has_room: bool,
    pub(super) bind_groups: BindGroups,
    /// The number of the last call that used it.
    pub(super) last_call: u64,
}

/// A value that changes from call to call.
#[derive(Debug)]
struct CallValue {
    scalar: Scalar,
    /// The byte of `call` that it begins at.
    at: usize,
    /// The node that reads it.
    node: usize,
}

/// A buffer of uniforms, and where those of each launch begin.
#[derive(Debug)]
pub(super) struct Uniforms {
    pub(super) buffer: wgpu::Buffer,
    pub(super) offsets: Vec<u64>,
}

impl AsRef<GraphPlan> for CompiledPlan {
    fn as_ref(&self) -> &GraphPlan {
        &self.plan
    }
}

impl CompiledPlan {
    /// Compiles a plan's kernels and lays out its uniforms.
    pub(super) fn new(gpu: &Gpu, graph: &Graph, plan: GraphPlan) -> Result<CompiledPlan> {
        let dispatches: Vec<_> = plan.dispatches.iter().map(|planned| &planned.dispatch).collect();
        let pipelines = gpu.pipelines.get(&gpu.device, &dispatches)?;
        let (mut params, mut params_at) = (Vec::new(), Vec::new());
        let (mut call_size, mut call_at, mut call_values) = (0, Vec::new(), Vec::new());
        // Launches with the same per-call values share them.
        let mut known_calls: Vec<(&[(u32, Scalar)], usize)> = Vec::new();
        for PlannedDispatch { node, dispatch, .. } in &plan.dispatches {
            params.resize(params.len().next_multiple_of(UNIFORM_ALIGNMENT), 0);
            params_at.push(params.len() as u64);
            params.extend_from_slice(&dispatch.params);
            let known = known_calls.iter().find(|(call, _)| *call == dispatch.call.as_slice());
            let at = known.map(|&(_, at)| at).unwrap_or_else(|| {
                let at = call_size;
                call_size += dispatch.kernel.call.as_ref().map_or(0, |_| UNIFORM_ALIGNMENT);
                let value = |&(offset, scalar)| CallValue { scalar, at: at + offset as usize, node: *node };
                call_values.extend(dispatch.call.iter().map(value));
                known_calls.push((&dispatch.call, at));
                at
            });
            call_at.push(at as u64);
        }
        let buffer = gpu.uniforms(params.len() as u64);
        gpu.write(&buffer, 0, &params);
        let per_call = plan.has_per_call_values();
        let call_places = if per_call { CALLS_APART } else { 1 };
        let mut compiled = CompiledPlan {
            pipelines,
            params: Uniforms { buffer, offsets: params_at },
            call: Uniforms { buffer: gpu.uniforms((call_places * call_size) as u64), offsets: call_at },
            call_values,
            call_bytes: vec![0; call_size],
            per_call,
            has_room: false,
            bind_groups: BindGroups::default(),
            last_call: 0,
            plan,
        };
        if !compiled.per_call && call_size > 0 {
            compiled.compute_call_values(graph, &[])?;
            gpu.write(&compiled.call.buffer, 0, &compiled.call_bytes);
        }
        Ok(compiled)
    }

    /// Computes the values that depend on a call's symbolic integers, where there are any.
    pub(super) fn evaluate(&mut self, graph: &Graph, syms: &[i64]) -> Result<()> {
        if self.per_call { self.compute_call_values(graph, syms) } else { Ok(()) }
    }

    fn compute_call_values(&mut self, graph: &Graph, syms: &[i64]) -> Result<()> {
        for &CallValue { scalar, at, node } in &self.call_values {
            let value = scalar.eval(syms).map_err(|source| self.plan.node_error(graph, node, source))?;
            if let Some(slot) = self.call_bytes.get_mut(at..at + 4) {
                slot.copy_from_slice(&value.to_le_bytes());
            }
        }
        Ok(())
    }

    /// Writes the values that were computed for a call, and says where.
    pub(super) fn write_call(&self, recorder: &mut Recorder) -> u32 {
        if !self.per_call {
            return 0;
        }
        let (call, size) = (recorder.earlier_calls(), self.call_bytes.len());
        let place = call.min(CALLS_APART - 1) * size;
        if call < CALLS_APART {
            // No command that waits to be submitted reads this place.
            recorder.gpu.write(&self.call.buffer, place as u64, &self.call_bytes);
        } else {
            recorder.write(&self.call.buffer, place as u64, &self.call_bytes);
        }
        u32::try_from(place).unwrap_or_default()
    }

    /// The launches with the bind groups used most recently, on per-call values that lie at `call`.
    pub(super) fn launches(&self, call: u32) -> impl ExactSizeIterator<Item = Launch<'_>> {
        self.launches_with(self.bind_groups.latest(), call)
    }

    /// The launches with these bind groups.
    pub(super) fn launches_with<'a>(
        &'a self,
        groups: &'a [wgpu::BindGroup],
        call: u32,
    ) -> impl ExactSizeIterator<Item = Launch<'a>> {
        let launches = self.plan.dispatches.iter().zip(&self.pipelines).zip(groups);
        launches.map(move |((planned, pipeline), group)| Launch {
            pipeline: &pipeline.pipeline,
            group,
            call: planned.dispatch.kernel.call.is_some().then_some(call),
            grid: planned.dispatch.grid,
        })
    }
}
