//! A delegate on the GPU: its plans, its memory and its state, and how a call is recorded.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use pteron_ops::Caps;
use pteron_tensor::{DType, Shape};

use super::ahead::Ahead;
use super::bind_groups::Instead;
use super::compiled::CompiledPlan;
use super::device::Gpu;
use super::inputs::{Input, InputWriter};
use super::memory::GraphMemory;
use super::record::{DeviceTensor, Lease, Recorder};
use super::room::Room;
use super::state::GpuState;
use super::storage::Storage;
use crate::error::{Error, NodeError, Result};
use crate::graph::{Graph, Value};
use crate::plan::{GraphPlan, Memory, PlanCache, PlannedDispatch, PlannedOutput, call};

/// A delegate on the GPU.
#[derive(Debug)]
pub(crate) struct GpuDelegate {
    gpu: Arc<Gpu>,
    caps: Caps,
    plans: PlanCache<CompiledPlan>,
    memory: GraphMemory,
    state: GpuState,
    inputs: InputWriter,
    /// The state as it was before a call that has submitted work and may still fail.
    backup: Option<GpuState>,
    /// Calls that were submitted, which tells outputs that were lent when they are overwritten.
    calls: Arc<AtomicU64>,
    /// Calls that were recorded, and whether the last has the plan of the one before it.
    recorded: u64,
    repeats: bool,
    /// The launches of the next call, where that has the same plan again.
    ahead: Option<Ahead>,
}

/// What a recorded call leaves behind.
#[derive(Debug)]
pub(crate) struct Recorded {
    pub(crate) outputs: Vec<DeviceTensor>,
    /// Whether the status must be read with the results.
    pub(crate) check_status: bool,
    /// The call's symbolic integers.
    pub(crate) syms: Vec<i64>,
}

impl GpuDelegate {
    pub(crate) fn new(
        gpu: Arc<Gpu>,
        caps: Caps,
        graph: &Graph,
        constants: Vec<Storage>,
        room: Arc<Room>,
    ) -> GpuDelegate {
        let state = GpuState::new(&gpu, graph, &constants);
        GpuDelegate {
            memory: GraphMemory::new(gpu.clone(), constants, room),
            gpu,
            caps,
            plans: PlanCache::default(),
            state,
            inputs: InputWriter::default(),
            backup: None,
            calls: Arc::default(),
            recorded: 0,
            repeats: false,
            ahead: None,
        }
    }

    /// Another state, as it was when the delegate was loaded.
    pub(crate) fn new_state(&self, graph: &Graph) -> Result<GpuState> {
        let state = GpuState::new(&self.gpu, graph, &self.memory.constants);
        self.gpu.check()?;
        Ok(state)
    }

    /// Exchanges the state with one of the same graph.
    pub(crate) fn swap_state(&mut self, state: &mut GpuState) {
        std::mem::swap(&mut self.state, state);
        self.plans.iter_mut().for_each(|plan| plan.bind_groups.forget_dropped());
        // It holds the memory of the state that it was recorded for.
        self.ahead = None;
    }

    /// Sets the state back to its first value.
    pub(crate) fn reset(&mut self, graph: &Graph) {
        self.state.reset(&self.gpu, graph, &self.memory.constants);
    }

    /// Bytes of its current state.
    pub(crate) fn state_bytes(&self) -> u64 {
        self.state.bytes()
    }

    /// Bytes of inputs, outputs and intermediates.
    pub(crate) fn scratch_bytes(&self) -> u64 {
        self.memory.scratch_bytes()
    }

    /// Compiles a plan, so that the first call that it fits finds it ready. Memory is taken when a call needs it: calls
    /// may all be smaller.
    pub(crate) fn prepare(&mut self, graph: &Graph, plan: GraphPlan) -> Result<()> {
        self.plans.keep(CompiledPlan::new(&self.gpu, graph, plan)?);
        self.gpu.check()
    }

    /// Records one call. Everything that can be refused is refused before anything is written or recorded.
    pub(crate) fn record(&mut self, graph: &Graph, inputs: &[Input], recorder: &mut Recorder) -> Result<Recorded> {
        let compile = |plan| {
            let compiled = CompiledPlan::new(&self.gpu, graph, plan)?;
            self.gpu.check()?;
            Ok(compiled)
        };
        let (plan, syms) = self.plans.plan_for(graph, inputs, &self.caps, compile)?;
        let check_status = call::check_indices(graph, &plan.plan, inputs)?;
        check_carried(graph, &self.memory, inputs)?;
        plan.evaluate(graph, &syms)?;
        self.inputs.convert(graph, &plan.plan, inputs)?;
        if !plan.has_room {
            if self.memory.make_room(&plan.plan.memory)? {
                self.inputs.forget();
            }
            plan.has_room = true;
        }
        self.repeats = self.recorded > 0 && plan.last_call == self.recorded;
        let ahead = self.ahead.take().filter(|_| self.repeats && recorder.takes_recorded());
        let ahead = ahead.and_then(|ahead| ahead.commands(&self.state.identity(), self.memory.generation));
        plan.bind(&self.gpu, &self.memory, &self.state)?;
        let lend = |output: &PlannedOutput| {
            let buffer = self.memory.buffer(output.memory, &self.state)?.clone();
            let tensor = DeviceTensor::new(self.gpu.clone(), buffer, output.dtype, output.shape);
            Ok(DeviceTensor { lease: Some(Lease::of_next(&self.calls)), ..tensor })
        };
        let outputs = plan.plan.outputs.iter().map(lend).collect::<Result<_>>()?;
        updates(&plan.plan, &self.memory, &self.state).try_for_each(|update| update.map(drop))?;

        // Nothing fails from here on.
        self.inputs.write(graph, &plan.plan, inputs, &self.memory, recorder);
        if check_status {
            // In the order of calls, so that no call in flight loses its own.
            recorder.clear(&self.memory.status);
        }
        let call = plan.write_call(recorder);
        match ahead {
            Some(commands) => recorder.launch_recorded(commands, plan.launches(call)),
            // What an earlier call gives may not be there yet, and then nothing is gained by haste.
            None if inputs.iter().any(|input| matches!(input, Input::Device(_))) => {
                recorder.launch(plan.launches(call));
            }
            None => recorder.launch_at_once(plan.launches(call)),
        }
        self.recorded += 1;
        plan.last_call = self.recorded;
        for (computed, state, bytes) in updates(&plan.plan, &self.memory, &self.state).flatten() {
            recorder.encoder().copy_buffer_to_buffer(computed, 0, state, 0, bytes);
        }
        Ok(Recorded { outputs, check_status, syms })
    }

    /// Records the launches of a call that is like the last two, where these were alike, while the GPU works on the last.
    pub(crate) fn record_ahead(&mut self) {
        if let Some(plan) = self.plans.last().filter(|_| self.repeats && self.ahead.is_none()) {
            self.ahead = Ahead::of(plan, &self.gpu, self.state.identity(), self.memory.generation);
        }
    }

    /// Says that what was recorded is submitted: it overwrites outputs that earlier calls have lent.
    pub(crate) fn end_leases(&self) {
        self.calls.fetch_add(1, Ordering::Relaxed);
    }

    /// Keeps a copy of the state as submitted calls leave it, until the call that is recorded has come to its end.
    pub(crate) fn back_up_state(&mut self) -> Result<()> {
        if self.backup.is_none() && self.state.bytes() > 0 {
            let backup = self.state.copied(&self.gpu);
            self.gpu.check()?;
            self.backup = Some(backup);
        }
        Ok(())
    }

    /// Sets the state back to the copy that was kept, if one was.
    pub(crate) fn restore_state(&mut self) {
        if let Some(backup) = self.backup.take() {
            self.state.copy_from(&self.gpu, &backup);
        }
    }

    /// Lets go of the copy of the state.
    pub(crate) fn drop_backup(&mut self) {
        self.backup = None;
    }

    /// Whether an output of the last call is in the memory of an input, into which the host writes before the next call
    /// begins, and not because it is that input of the next call.
    pub(crate) fn is_input(&self, graph: &Graph, tensor: &DeviceTensor) -> bool {
        let carried = self.plans.last().map_or(&[][..], |plan| &plan.plan.carried);
        let takes = |id: u32| carried.iter().any(|carried| carried.input == id);
        graph.inputs.iter().any(|&id| !takes(id) && self.memory.boundary(id) == Some(&tensor.buffer))
    }

    /// The plan of the last call that was recorded.
    pub(super) fn last_plan(&self) -> Result<&CompiledPlan> {
        self.plans.last().ok_or_else(|| Error::Program("nothing was recorded yet".to_owned()))
    }

    /// The launches of the last call that was recorded.
    pub(crate) fn last_dispatches(&self) -> Result<&[PlannedDispatch]> {
        Ok(&self.last_plan()?.plan.dispatches)
    }

    /// The bind groups of the last call's plan, with other buffers in the place of some.
    pub(super) fn bind_instead(&self, instead: &Instead) -> Result<Vec<wgpu::BindGroup>> {
        self.last_plan()?.bind_instead(&self.gpu, &self.memory, &self.state, instead)
    }

    /// The current state of a value, as a tensor to read.
    pub(crate) fn state_tensor(&self, graph: &Graph, id: u32) -> Option<DeviceTensor> {
        let Value::Tensor(value) = graph.values.get(id as usize)? else { return None };
        let (gpu, buffer) = (self.gpu.clone(), self.state.buffer(id)?.clone());
        Some(DeviceTensor::new(gpu, buffer, value.dtype, value.shape))
    }

    /// Where kernels report what only they can know.
    pub(crate) fn status(&self) -> &Storage {
        &self.memory.status
    }

    /// The status as a tensor to read.
    pub(crate) fn status_tensor(&self) -> Result<DeviceTensor> {
        Ok(DeviceTensor::new(self.gpu.clone(), self.memory.status.clone(), DType::I32, Shape::new(&[2])?))
    }

    /// The error that a status read after a call tells of, if any.
    pub(crate) fn status_error(graph: &Graph, status: &[i32]) -> Option<Error> {
        let [number, index, ..] = *status else { return None };
        let node = graph.nodes.get(usize::try_from(number).ok()?.checked_sub(1)?)?;
        Some(Error::Node(Box::new(NodeError {
            at: graph.place_of(node),
            op: node.op.name.to_owned(),
            inputs: Vec::new(),
            source: pteron_ops::OpError::Unsupported(format!(
                "index {index}, which the GPU computed, is out of range; results and state of this call are not valid"
            )),
        })))
    }
}

/// Checks that no output in the memory of an input is given as another input by a call that writes to that memory.
fn check_carried(graph: &Graph, memory: &GraphMemory, inputs: &[Input]) -> Result<()> {
    let lies_in = |input: &Input, buffer| matches!(input, Input::Device(tensor) if Some(&tensor.buffer) == buffer);
    for carried in &graph.carried {
        let buffer = memory.boundary(carried.input);
        let place = graph.inputs.iter().position(|&id| id == carried.input).unwrap_or(usize::MAX);
        if inputs.get(place).is_some_and(|input| lies_in(input, buffer)) {
            continue;
        }
        if let Some(number) = inputs.iter().position(|input| lies_in(input, buffer)) {
            return Err(Error::input(
                number,
                format!("it is carried into input {place} of the next call, which is given something else"),
            ));
        }
    }
    Ok(())
}

/// What state takes over when a graph has run: buffers that it comes from and goes to, and bytes.
fn updates<'a>(
    plan: &'a GraphPlan,
    memory: &'a GraphMemory,
    state: &'a GpuState,
) -> impl Iterator<Item = Result<(&'a Storage, &'a Storage, u64)>> {
    plan.updates.iter().filter(|(_, computed)| computed.bytes() > 0).map(|(id, computed)| {
        let (from, to) = (memory.buffer(computed.memory, state)?, memory.buffer(Memory::State(*id), state)?);
        Ok((from, to, computed.bytes().next_multiple_of(4)))
    })
}
