//! A delegate on the GPU: its constants and state, its plans, and the launches that they become.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use pteron_ops::Caps;
use pteron_ops::plan::{Dispatch, Place, Tensor};
use pteron_tensor::{DType, HostTensor, Shape};

use super::device::Gpu;
use super::indices::{check_indices, integer_at};
use super::instance::Instance;
use super::pipelines::Pipeline;
use super::record::{DeviceTensor, Lease, Recorder};
use super::state::GpuState;
use crate::error::{Error, NodeError, Result};
use crate::graph::{Feedback, Graph, Role, TensorValue, Value};
use crate::memory::{Assignment, buffer_bytes};
use crate::replan::GraphPlan;
use crate::types;

/// Plans that are kept; the one unused for longest goes first.
const KEPT_PLANS: usize = 32;

/// Bytes of an input up to which the host remembers what it wrote.
const REMEMBERED: usize = 64;

/// An input of a call.
#[derive(Clone, Debug)]
pub(crate) enum Input {
    Host(HostTensor),
    Device(DeviceTensor),
}

impl Input {
    pub(crate) fn shape(&self) -> Shape {
        match self {
            Input::Host(tensor) => *tensor.shape(),
            Input::Device(tensor) => tensor.shape,
        }
    }
}

/// A delegate on the GPU.
#[derive(Debug)]
pub(crate) struct GpuDelegate {
    gpu: Arc<Gpu>,
    caps: Caps,
    /// One buffer per entry of [`Graph::constants`].
    constants: Vec<wgpu::Buffer>,
    /// Buffers of inputs and outputs, by value id.
    boundary: HashMap<u32, wgpu::Buffer>,
    /// What small inputs hold, as the host wrote it, where it is still there.
    written: HashMap<u32, Vec<u8>>,
    state: GpuState,
    /// Buffers of intermediates.
    slots: Vec<wgpu::Buffer>,
    /// Where kernels report what only they can know.
    status: wgpu::Buffer,
    /// Grows when a buffer is replaced, which outdates bind groups.
    generation: u64,
    plans: Vec<Instance>,
    scratch: Vec<u8>,
    /// Calls that were recorded, which tells outputs that were lent when they are overwritten.
    calls: Arc<AtomicU64>,
}

/// Which buffer a launch binds for a value, when not the delegate's own.
pub(crate) type Override<'a> = &'a HashMap<u32, wgpu::Buffer>;

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
    pub(crate) fn new(gpu: Arc<Gpu>, caps: Caps, graph: &Graph, constants: Vec<wgpu::Buffer>) -> GpuDelegate {
        let (status, state) = (gpu.storage("status", 16), GpuState::new(&gpu, graph, &constants));
        GpuDelegate {
            gpu,
            caps,
            constants,
            boundary: HashMap::new(),
            written: HashMap::new(),
            state,
            slots: Vec::new(),
            status,
            generation: 0,
            plans: Vec::new(),
            scratch: Vec::new(),
            calls: Arc::default(),
        }
    }

    /// Another state, as it was when the delegate was loaded.
    pub(crate) fn new_state(&self, graph: &Graph) -> Result<GpuState> {
        let state = GpuState::new(&self.gpu, graph, &self.constants);
        self.gpu.check()?;
        Ok(state)
    }

    /// Exchanges the state with one of the same graph.
    pub(crate) fn swap_state(&mut self, state: &mut GpuState) {
        std::mem::swap(&mut self.state, state);
        self.plans.iter_mut().for_each(Instance::forget_dropped);
    }

    /// Sets the state back to its first value.
    pub(crate) fn reset(&mut self, graph: &Graph) {
        self.state.reset(&self.gpu, graph, &self.constants);
    }

    /// Bytes of its current state.
    pub(crate) fn state_bytes(&self) -> u64 {
        self.state.bytes()
    }

    /// Bytes of inputs, outputs and intermediates. What is fed back shares the memory of an input.
    pub(crate) fn scratch_bytes(&self) -> u64 {
        let mut counted: Vec<&wgpu::Buffer> = Vec::new();
        for buffer in self.boundary.values().chain(&self.slots) {
            if !counted.contains(&buffer) {
                counted.push(buffer);
            }
        }
        counted.into_iter().map(wgpu::Buffer::size).sum()
    }

    /// Plans the graph at these shapes and compiles its kernels, so that the first call finds them ready. Memory is
    /// taken when a call needs it: calls may all be smaller.
    pub(crate) fn prepare(&mut self, graph: &Graph, shapes: &[Shape]) -> Result<()> {
        let instance = Instance::new(&self.gpu, graph, GraphPlan::new(graph, shapes, &|_, _| Ok(0), &self.caps)?)?;
        self.plans.push(instance);
        self.gpu.check()
    }

    /// Records one call. Every error that the host can know comes before anything is recorded.
    pub(crate) fn record(&mut self, graph: &Graph, inputs: &[Input], recorder: &mut Recorder) -> Result<Recorded> {
        let (at, syms) = self.plan_for(graph, inputs)?;
        let check_status = check_indices(graph, &self.plans[at].plan, inputs)?;
        self.check_feedback(graph, inputs)?;
        for (number, (input, &id)) in inputs.iter().zip(&graph.inputs).enumerate() {
            if self.plans[at].reads_input(number) {
                let keeps = !self.plans[at].writes_input(number);
                self.write_input(graph, number, input, id, keeps, recorder)?;
            }
        }
        if check_status {
            // In the order of calls, so that no call in flight loses its own.
            recorder.encoder().clear_buffer(&self.status, 0, None);
        }
        self.refresh(graph, at);
        self.calls.fetch_add(1, Ordering::Relaxed);
        let instance = &mut self.plans[at];
        if instance.per_call {
            instance.write_call(&self.gpu, &syms)?;
        }
        let launches = instance.plan.dispatches.iter().zip(&instance.pipelines).zip(instance.groups());
        recorder
            .launch(launches.map(|((planned, pipeline), group)| (&pipeline.pipeline, group, planned.dispatch.grid)));
        for &(state, computed) in &graph.updates {
            let computed = self.output(graph, at, computed)?;
            let bytes = computed.bytes().next_multiple_of(4);
            if bytes > 0 {
                recorder.encoder().copy_buffer_to_buffer(&computed.buffer, 0, self.own(state)?, 0, bytes);
            }
        }
        let outputs = graph.outputs.iter().map(|&id| self.output(graph, at, id)).collect::<Result<_>>()?;
        Ok(Recorded { outputs, check_status, syms })
    }

    /// The place of the plan for these inputs, made if it is not there, and the call's symbolic integers, which satisfy
    /// what the operators ask of them.
    pub(crate) fn plan_for(&mut self, graph: &Graph, inputs: &[Input]) -> Result<(usize, Vec<i64>)> {
        let shapes: Vec<_> = inputs.iter().map(Input::shape).collect();
        let elements = |input: usize, element: usize| match inputs.get(input) {
            Some(Input::Host(tensor)) => integer_at(tensor, element)
                .ok_or_else(|| Error::input(input, format!("element {element} is needed as an integer"))),
            _ => Err(Error::input(input, "the host must know it, so it cannot be a device tensor")),
        };
        for at in 0..self.plans.len() {
            if self.plans[at].plan.inputs == shapes
                && let Some(syms) = self.plans[at].plan.symbols_for(graph, &elements)?
            {
                self.plans[at].plan.check_symbols(graph, &syms)?;
                // The last is the one used most recently.
                let instance = self.plans.remove(at);
                let room = self.make_room(graph, &instance);
                self.plans.push(instance);
                room?;
                return Ok((self.plans.len() - 1, syms));
            }
        }
        let plan = GraphPlan::new(graph, &shapes, &elements, &self.caps)?;
        let syms = plan.symbols_for(graph, &elements)?;
        let syms = syms.ok_or_else(|| Error::Program("a plan does not hold for its own call".to_owned()))?;
        plan.check_symbols(graph, &syms)?;
        let instance = Instance::new(&self.gpu, graph, plan)?;
        self.make_room(graph, &instance)?;
        self.gpu.check()?;
        if self.plans.len() >= KEPT_PLANS {
            self.plans.remove(0);
        }
        self.plans.push(instance);
        Ok((self.plans.len() - 1, syms))
    }

    /// Makes every buffer that a plan uses large enough.
    fn make_room(&mut self, graph: &Graph, instance: &Instance) -> Result<()> {
        let plan = &instance.plan;
        let limit = self.caps.max_buffer_bytes;
        let (mut outdated, mut outdated_feedback) = (false, false);
        let mut grow = |buffer: Option<&wgpu::Buffer>, label: &str, bytes: u64| -> Result<Option<wgpu::Buffer>> {
            if buffer.is_some_and(|buffer| buffer.size() >= buffer_bytes(bytes)) {
                return Ok(None);
            }
            if bytes > limit {
                return Err(Error::Device(format!("a tensor takes {bytes} bytes, and buffers hold at most {limit}")));
            }
            outdated = true;
            Ok(Some(self.gpu.storage(label, bytes)))
        };
        let updates = graph.updates.iter().map(|(_, computed)| computed);
        for &id in graph.inputs.iter().chain(&graph.outputs).chain(updates) {
            let Some(tensor) = plan.tensors[id as usize] else { continue };
            let root = tensor.root;
            let Value::Tensor(value) = &graph.values[root as usize] else { continue };
            let fed_back = graph.feedback.is_some_and(|feedback| feedback.output == id);
            if value.role != Role::Plain || fed_back {
                continue;
            }
            let bytes = tensor.shape.numel() as u64 * tensor.dtype.size() as u64;
            if let Some(buffer) = grow(self.boundary.get(&root), "boundary", bytes)? {
                self.boundary.insert(root, buffer);
            }
        }
        // What is fed back lies where the next call looks for it.
        if let Some(Feedback { input, output }) = graph.feedback
            && let Some(buffer) = self.boundary.get(&input).cloned()
        {
            outdated_feedback = self.boundary.insert(output, buffer.clone()) != Some(buffer);
        }
        for (slot, &bytes) in instance.assignment.slots.iter().enumerate() {
            if let Some(buffer) = grow(self.slots.get(slot), "intermediate", bytes)? {
                match self.slots.get_mut(slot) {
                    Some(old) => *old = buffer,
                    None => self.slots.push(buffer),
                }
            }
        }
        if outdated || outdated_feedback {
            self.written.clear();
            self.generation += 1;
        }
        Ok(())
    }

    /// Brings an input to its memory; `keeps` tells that no launch changes it there.
    fn write_input(
        &mut self,
        graph: &Graph,
        number: usize,
        input: &Input,
        id: u32,
        keeps: bool,
        recorder: &mut Recorder,
    ) -> Result<()> {
        let Value::Tensor(value) = &graph.values[id as usize] else { return Ok(()) };
        let Some(buffer) = self.boundary.get(&id) else { return Ok(()) };
        match input {
            Input::Host(tensor) => {
                self.scratch.clear();
                let converted = types::convert(tensor, value.dtype, &mut self.scratch);
                let converted = converted.map_err(|mismatch| mismatch.of_input(number))?;
                let bytes = if converted { &self.scratch[..] } else { tensor.bytes() };
                // Settings are mostly the same from call to call, and a write costs more than a look.
                if self.written.get(&id).is_none_or(|written| written != bytes) {
                    self.gpu.write(buffer, 0, bytes);
                    self.written.remove(&id);
                    if bytes.len() <= REMEMBERED && keeps {
                        self.written.insert(id, bytes.to_vec());
                    }
                }
            }
            Input::Device(tensor) => {
                self.written.remove(&id);
                if !Arc::ptr_eq(&tensor.gpu, &self.gpu) {
                    return Err(Error::input(number, "it lives on another device"));
                }
                if tensor.stored != value.dtype {
                    return Err(Error::types(number, tensor.stored, value.dtype));
                }
                let bytes = tensor.bytes().next_multiple_of(4);
                if bytes > 0 && tensor.buffer != *buffer {
                    recorder.encoder().copy_buffer_to_buffer(&tensor.buffer, 0, buffer, 0, bytes);
                }
            }
        }
        Ok(())
    }

    /// An output that is fed back has the memory of one input, and cannot be another.
    fn check_feedback(&self, graph: &Graph, inputs: &[Input]) -> Result<()> {
        let Some(feedback) = graph.feedback else { return Ok(()) };
        let shared = self.boundary.get(&feedback.input);
        for (number, (input, &id)) in inputs.iter().zip(&graph.inputs).enumerate() {
            if let Input::Device(tensor) = input
                && id != feedback.input
                && Some(&tensor.buffer) == shared
            {
                return Err(Error::input(number, "a token that a call chose can only be the tokens of the next call"));
            }
        }
        Ok(())
    }

    /// Makes the bind groups of a plan those of the current state and buffers.
    fn refresh(&mut self, graph: &Graph, at: usize) {
        let (state, generation) = (self.state.identity(), self.generation);
        if self.plans[at].use_bound(&state, generation) {
            return;
        }
        let instance = &self.plans[at];
        let (known, nothing) = (instance.any_groups(generation), HashMap::new());
        let group = |index: usize| match known {
            Some(known) if !self.touches_state(&instance.plan.dispatches[index].dispatch) => known[index].clone(),
            _ => self.bind_launch(graph, instance, index, &nothing),
        };
        let groups = (0..instance.pipelines.len()).map(group).collect();
        self.plans[at].keep_bound(state, generation, groups);
    }

    fn touches_state(&self, dispatch: &Dispatch) -> bool {
        let is_state = |tensor: &Tensor| matches!(tensor.place, Place::Value(id) if self.state.buffer(id).is_some());
        dispatch.tensors.iter().any(is_state)
    }

    /// The bind groups of a plan, with some values bound to other buffers.
    pub(crate) fn bind(&self, graph: &Graph, at: usize, instead: Override<'_>) -> Vec<wgpu::BindGroup> {
        let instance = &self.plans[at];
        (0..instance.pipelines.len()).map(|index| self.bind_launch(graph, instance, index, instead)).collect()
    }

    fn bind_launch(&self, graph: &Graph, instance: &Instance, index: usize, instead: Override<'_>) -> wgpu::BindGroup {
        let dispatch = &instance.plan.dispatches[index].dispatch;
        let kernel = dispatch.kernel;
        let mut entries = Vec::new();
        for (tensor, info) in dispatch.tensors.iter().zip(kernel.storage) {
            let buffer = self.buffer(graph, &instance.assignment, tensor, instead);
            entries.push(wgpu::BindGroupEntry { binding: info.binding, resource: range(buffer, tensor) });
        }
        if let Some(binding) = kernel.status {
            entries.push(wgpu::BindGroupEntry { binding, resource: self.status.as_entire_binding() });
        }
        let uniforms = [
            (&kernel.params, &instance.params, instance.params_at[index]),
            (&kernel.call, &instance.call, instance.call_at[index]),
        ];
        for (info, buffer, offset) in uniforms {
            if let Some(info) = info {
                let size = wgpu::BufferSize::new(u64::from(info.size));
                let resource = wgpu::BindingResource::Buffer(wgpu::BufferBinding { buffer, offset, size });
                entries.push(wgpu::BindGroupEntry { binding: info.binding, resource });
            }
        }
        self.gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some(kernel.name),
            layout: &instance.pipelines[index].layout,
            entries: &entries,
        })
    }

    fn buffer<'a>(
        &'a self,
        graph: &Graph,
        assignment: &Assignment,
        tensor: &Tensor,
        instead: Override<'a>,
    ) -> &'a wgpu::Buffer {
        match tensor.place {
            Place::Scratch(number) => &self.slots[assignment.scratch[number]],
            Place::Output(_) => unreachable!("a graph's plan names outputs by value"),
            Place::Value(id) => {
                if let Some(buffer) = instead.get(&id) {
                    return buffer;
                }
                match (&graph.values[id as usize], assignment.values[id as usize]) {
                    (Value::Tensor(TensorValue { role: Role::Constant(constant), .. }), _) => {
                        &self.constants[*constant]
                    }
                    (Value::Tensor(TensorValue { role: Role::Plain, .. }), Some(slot)) => &self.slots[slot],
                    _ => self.own(id).unwrap_or_else(|_| unreachable!("the plan was given room")),
                }
            }
        }
    }

    /// The buffer of an input, output or state.
    fn own(&self, id: u32) -> Result<&wgpu::Buffer> {
        let missing = || Error::Program(format!("value {id} has no memory of its own"));
        self.state.buffer(id).or_else(|| self.boundary.get(&id)).ok_or_else(missing)
    }

    fn output(&self, graph: &Graph, at: usize, id: u32) -> Result<DeviceTensor> {
        let missing = || Error::Program(format!("output value {id} of {} has no memory", graph.name));
        let tensor = self.plans[at].plan.tensors[id as usize].ok_or_else(missing)?;
        let buffer = match &graph.values[tensor.root as usize] {
            Value::Tensor(value) => match value.role {
                Role::Constant(constant) => self.constants.get(constant),
                _ => self.own(tensor.root).ok(),
            },
            _ => None,
        };
        let buffer = buffer.ok_or_else(missing)?.clone();
        let lent = DeviceTensor::new(self.gpu.clone(), buffer, tensor.dtype, tensor.shape);
        Ok(DeviceTensor { lease: Some(Lease::new(&self.calls)), ..lent })
    }

    /// Whether a tensor is in the memory of an input, into which the host writes before the next call begins.
    pub(crate) fn is_input(&self, graph: &Graph, tensor: &DeviceTensor) -> bool {
        let fed_back = |id: u32| graph.feedback.is_some_and(|feedback| feedback.input == id);
        graph.inputs.iter().any(|&id| !fed_back(id) && self.boundary.get(&id) == Some(&tensor.buffer))
    }

    /// The plan at a place.
    pub(crate) fn plan(&self, at: usize) -> &GraphPlan {
        &self.plans[at].plan
    }

    /// The pipelines of the plan at a place.
    pub(crate) fn pipelines(&self, at: usize) -> &[Arc<Pipeline>] {
        &self.plans[at].pipelines
    }

    /// The current state of a value, as a tensor to read.
    pub(crate) fn state_tensor(&self, graph: &Graph, id: u32) -> Option<DeviceTensor> {
        let Value::Tensor(value) = graph.values.get(id as usize)? else { return None };
        let (gpu, buffer) = (self.gpu.clone(), self.state.buffer(id)?.clone());
        Some(DeviceTensor::new(gpu, buffer, value.dtype, value.shape))
    }

    /// The status as a tensor to read.
    pub(crate) fn status_tensor(&self) -> Result<DeviceTensor> {
        Ok(DeviceTensor::new(self.gpu.clone(), self.status.clone(), DType::I32, Shape::new(&[2])?))
    }

    /// The error that a status read after a call tells of, if any.
    pub(crate) fn status_error(graph: &Graph, status: &[i32]) -> Option<Error> {
        let [number, index, ..] = *status else { return None };
        let node = graph.nodes.get(usize::try_from(number).ok()?.checked_sub(1)?)?;
        Some(Error::Node(Box::new(NodeError {
            at: format!("node {} of {}", node.id, graph.name),
            op: node.op.name.to_owned(),
            inputs: Vec::new(),
            source: pteron_ops::OpError::Unsupported(format!(
                "index {index}, which the GPU computed, is out of range; results and state of this call are not valid"
            )),
        })))
    }
}

/// The bytes of a buffer that a launch binds.
fn range<'a>(buffer: &'a wgpu::Buffer, tensor: &Tensor) -> wgpu::BindingResource<'a> {
    let (offset, size) = match tensor.window {
        Some(window) => (window.offset, window.size.next_multiple_of(4)),
        None => (0, buffer_bytes(tensor.bytes())),
    };
    wgpu::BindingResource::Buffer(wgpu::BufferBinding { buffer, offset, size: wgpu::BufferSize::new(size) })
}
