//! A delegate on the GPU: its constants and state, its plans, and the launches that they become.

use std::collections::HashMap;
use std::sync::Arc;

use pteron_ops::Caps;
use pteron_ops::plan::{Place, Tensor};
use pteron_tensor::{DType, HostTensor, Shape};

use super::device::Gpu;
use super::pipelines::Pipeline;
use super::record::{DeviceTensor, Recorder};
use crate::boundary;
use crate::error::{Error, NodeError, Result};
use crate::graph::{Graph, Role, Value};
use crate::memory::{self, Assignment, buffer_bytes};
use crate::replan::GraphPlan;

/// Plans that are kept; the one unused for longest goes first.
const KEPT_PLANS: usize = 32;
/// Uniform bindings start at multiples of this on every device.
const UNIFORM_ALIGNMENT: usize = 256;

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
    /// Buffers of inputs, outputs and state, by value id.
    own: HashMap<u32, wgpu::Buffer>,
    /// Buffers of intermediates.
    slots: Vec<wgpu::Buffer>,
    /// Where kernels report what only they can know.
    status: wgpu::Buffer,
    /// Grows when a buffer is replaced, which outdates bind groups.
    generation: u64,
    plans: Vec<Instance>,
    scratch: Vec<u8>,
}

/// A plan and what it becomes on the device.
#[derive(Debug)]
struct Instance {
    plan: GraphPlan,
    assignment: Assignment,
    pipelines: Vec<Arc<Pipeline>>,
    /// All `params`, written once, and where each launch's begin.
    params: wgpu::Buffer,
    params_at: Vec<u64>,
    /// All `call` structs, and where each launch's begin.
    call: wgpu::Buffer,
    call_at: Vec<u64>,
    call_bytes: Vec<u8>,
    per_call: bool,
    groups: Vec<wgpu::BindGroup>,
    generation: u64,
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
        let status = gpu.storage("status", 16);
        let mut delegate = GpuDelegate {
            gpu,
            caps,
            constants,
            own: HashMap::new(),
            slots: Vec::new(),
            status,
            generation: 0,
            plans: Vec::new(),
            scratch: Vec::new(),
        };
        for (id, tensor) in state(graph) {
            let bytes = tensor.shape.numel() as u64 * tensor.dtype.size() as u64;
            delegate.own.insert(id, delegate.gpu.storage("state", bytes));
        }
        delegate.reset(graph);
        delegate
    }

    /// Sets the state back to its first value.
    pub(crate) fn reset(&mut self, graph: &Graph) {
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        let mut copies = 0;
        for (id, tensor) in state(graph) {
            if let Role::State(constant) = tensor.role {
                let bytes = tensor.shape.numel() as u64 * tensor.dtype.size() as u64;
                encoder.copy_buffer_to_buffer(&self.constants[constant], 0, &self.own[&id], 0, buffer_bytes(bytes));
                copies += 1;
            }
        }
        if copies > 0 {
            self.gpu.queue.submit([encoder.finish()]);
        }
    }

    /// Bytes of GPU memory that it holds beyond constants.
    pub(crate) fn memory_bytes(&self) -> u64 {
        self.own.values().chain(&self.slots).map(wgpu::Buffer::size).sum()
    }

    /// Plans the graph at these shapes and compiles its kernels, so that the first call finds them ready.
    pub(crate) fn prepare(&mut self, graph: &Graph, shapes: &[Shape]) -> Result<()> {
        let instance = self.instantiate(graph, GraphPlan::new(graph, shapes, &|_, _| Ok(0), &self.caps)?)?;
        self.make_room(graph, &instance)?;
        self.plans.push(instance);
        self.gpu.check()
    }

    /// Records one call. Every error that the host can know comes before anything is recorded.
    pub(crate) fn record(&mut self, graph: &Graph, inputs: &[Input], recorder: &mut Recorder) -> Result<Recorded> {
        let (at, syms) = self.plan_for(graph, inputs)?;
        let check_status = check_indices(graph, &self.plans[at].plan, inputs)?;
        for (number, (input, &id)) in inputs.iter().zip(&graph.inputs).enumerate() {
            self.write_input(graph, number, input, id, recorder)?;
        }
        if check_status {
            self.gpu.write(&self.status, 0, &[0; 8]);
        }
        self.refresh(graph, at);
        let instance = &mut self.plans[at];
        if instance.per_call {
            instance.write_call(&self.gpu, &syms)?;
        }
        for (index, planned) in instance.plan.dispatches.iter().enumerate() {
            recorder.launch(&instance.pipelines[index].pipeline, &instance.groups[index], planned.dispatch.grid);
        }
        for &(state, computed) in &graph.updates {
            let computed = self.output(graph, at, computed)?;
            let bytes = computed.bytes().next_multiple_of(4);
            if bytes > 0 {
                recorder.encoder().copy_buffer_to_buffer(&computed.buffer, 0, &self.own[&state], 0, bytes);
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
                self.plans.push(instance);
                return Ok((self.plans.len() - 1, syms));
            }
        }
        let plan = GraphPlan::new(graph, &shapes, &elements, &self.caps)?;
        let syms = plan.symbols_for(graph, &elements)?;
        let syms = syms.ok_or_else(|| Error::Program("a plan does not hold for its own call".to_owned()))?;
        plan.check_symbols(graph, &syms)?;
        let instance = self.instantiate(graph, plan)?;
        self.make_room(graph, &instance)?;
        self.gpu.check()?;
        if self.plans.len() >= KEPT_PLANS {
            self.plans.remove(0);
        }
        self.plans.push(instance);
        Ok((self.plans.len() - 1, syms))
    }

    /// Compiles a plan's kernels and lays out its uniforms.
    fn instantiate(&self, graph: &Graph, plan: GraphPlan) -> Result<Instance> {
        let dispatches: Vec<_> = plan.dispatches.iter().map(|planned| &planned.dispatch).collect();
        let pipelines = self.gpu.pipelines.get(&self.gpu.device, &dispatches)?;
        let (mut params, mut params_at) = (Vec::new(), Vec::new());
        let (mut call_size, mut call_at) = (0, Vec::new());
        // Launches with the same per-call values share them.
        let mut known_calls: Vec<(&[(u32, pteron_ops::sym::Scalar)], u64)> = Vec::new();
        for dispatch in &dispatches {
            params.resize(params.len().next_multiple_of(UNIFORM_ALIGNMENT), 0);
            params_at.push(params.len() as u64);
            params.extend_from_slice(&dispatch.params);
            let known = known_calls.iter().find(|(call, _)| *call == dispatch.call.as_slice());
            call_at.push(known.map_or_else(
                || {
                    let at = call_size as u64;
                    call_size += dispatch.kernel.call.as_ref().map_or(0, |_| UNIFORM_ALIGNMENT);
                    at
                },
                |&(_, at)| at,
            ));
            known_calls.push((&dispatch.call, call_at[call_at.len() - 1]));
        }
        let buffer = self.gpu.uniforms(params.len() as u64);
        self.gpu.write(&buffer, 0, &params);
        let mut instance = Instance {
            assignment: memory::assign(graph, &plan),
            pipelines,
            params: buffer,
            params_at,
            call: self.gpu.uniforms(call_size as u64),
            call_at,
            call_bytes: vec![0; call_size],
            per_call: plan.has_per_call_values(),
            groups: Vec::new(),
            generation: u64::MAX,
            plan,
        };
        if !instance.per_call && call_size > 0 {
            instance.write_call(&self.gpu, &[])?;
        }
        Ok(instance)
    }

    /// Makes every buffer that a plan uses large enough.
    fn make_room(&mut self, graph: &Graph, instance: &Instance) -> Result<()> {
        let plan = &instance.plan;
        let limit = self.caps.max_buffer_bytes;
        let mut outdated = false;
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
            if value.role != Role::Plain {
                continue;
            }
            let bytes = tensor.shape.numel() as u64 * tensor.dtype.size() as u64;
            if let Some(buffer) = grow(self.own.get(&root), "boundary", bytes)? {
                self.own.insert(root, buffer);
            }
        }
        for (slot, &bytes) in instance.assignment.slots.iter().enumerate() {
            if let Some(buffer) = grow(self.slots.get(slot), "intermediate", bytes)? {
                match self.slots.get_mut(slot) {
                    Some(old) => *old = buffer,
                    None => self.slots.push(buffer),
                }
            }
        }
        if outdated {
            self.generation += 1;
        }
        Ok(())
    }

    fn write_input(
        &mut self,
        graph: &Graph,
        number: usize,
        input: &Input,
        id: u32,
        recorder: &mut Recorder,
    ) -> Result<()> {
        let Value::Tensor(value) = &graph.values[id as usize] else { return Ok(()) };
        let Some(buffer) = self.own.get(&id) else { return Ok(()) };
        match input {
            Input::Host(tensor) => {
                let bytes = boundary::narrow(number, tensor, value.dtype, &mut self.scratch)?;
                self.gpu.write(buffer, 0, bytes);
            }
            Input::Device(tensor) => {
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

    /// Rebuilds bind groups that are outdated.
    fn refresh(&mut self, graph: &Graph, at: usize) {
        if self.plans[at].generation != self.generation {
            let groups = self.bind(graph, at, &HashMap::new());
            self.plans[at].groups = groups;
            self.plans[at].generation = self.generation;
        }
    }

    /// The bind groups of a plan, with some values bound to other buffers.
    pub(crate) fn bind(&self, graph: &Graph, at: usize, instead: Override<'_>) -> Vec<wgpu::BindGroup> {
        let instance = &self.plans[at];
        let bind = |(index, pipeline): (usize, &Arc<Pipeline>)| {
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
                layout: &pipeline.layout,
                entries: &entries,
            })
        };
        instance.pipelines.iter().enumerate().map(bind).collect()
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
                match &graph.values[id as usize] {
                    Value::Tensor(value) => match (value.role, assignment.values[id as usize]) {
                        (Role::Constant(constant), _) => &self.constants[constant],
                        (Role::Plain, Some(slot)) => &self.slots[slot],
                        _ => &self.own[&id],
                    },
                    _ => &self.own[&id],
                }
            }
        }
    }

    fn output(&self, graph: &Graph, at: usize, id: u32) -> Result<DeviceTensor> {
        let missing = || Error::Program(format!("output value {id} of {} has no memory", graph.name));
        let tensor = self.plans[at].plan.tensors[id as usize].ok_or_else(missing)?;
        let buffer = match &graph.values[tensor.root as usize] {
            Value::Tensor(value) => match value.role {
                Role::Constant(constant) => self.constants.get(constant),
                _ => self.own.get(&tensor.root),
            },
            _ => None,
        };
        Ok(DeviceTensor {
            gpu: self.gpu.clone(),
            buffer: buffer.ok_or_else(missing)?.clone(),
            stored: tensor.dtype,
            shape: tensor.shape,
            program: tensor.dtype,
        })
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
        let (gpu, buffer) = (self.gpu.clone(), self.own.get(&id)?.clone());
        Some(DeviceTensor { gpu, buffer, stored: value.dtype, shape: value.shape, program: value.dtype })
    }

    /// The status as a tensor to read.
    pub(crate) fn status_tensor(&self) -> Result<DeviceTensor> {
        let (gpu, buffer, shape) = (self.gpu.clone(), self.status.clone(), Shape::new(&[2])?);
        Ok(DeviceTensor { gpu, buffer, stored: DType::I32, shape, program: DType::I32 })
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

impl Instance {
    fn write_call(&mut self, gpu: &Gpu, syms: &[i64]) -> Result<()> {
        for (planned, &at) in self.plan.dispatches.iter().zip(&self.call_at) {
            for &(offset, scalar) in &planned.dispatch.call {
                let value = scalar.eval(syms).map_err(|e| Error::Program(e.to_string()))?;
                let start = usize::try_from(at + u64::from(offset)).unwrap_or(usize::MAX);
                if let Some(slot) = self.call_bytes.get_mut(start..start + 4) {
                    slot.copy_from_slice(&value.to_le_bytes());
                }
            }
        }
        gpu.write(&self.call, 0, &self.call_bytes);
        Ok(())
    }
}

fn state(graph: &Graph) -> impl Iterator<Item = (u32, &crate::graph::TensorValue)> {
    (0u32..).zip(&graph.values).filter_map(|(id, value)| match value {
        Value::Tensor(tensor) if matches!(tensor.role, Role::State(_)) => Some((id, tensor)),
        _ => None,
    })
}

/// The bytes of a buffer that a launch binds.
fn range<'a>(buffer: &'a wgpu::Buffer, tensor: &Tensor) -> wgpu::BindingResource<'a> {
    let (offset, size) = match tensor.window {
        Some(window) => (window.offset, window.size.next_multiple_of(4)),
        None => (0, buffer_bytes(tensor.bytes())),
    };
    wgpu::BindingResource::Buffer(wgpu::BufferBinding { buffer, offset, size: wgpu::BufferSize::new(size) })
}

fn integer_at(tensor: &HostTensor, element: usize) -> Option<i64> {
    if let Ok(values) = tensor.as_slice::<i64>() {
        return values.get(element).copied();
    }
    tensor.as_slice::<i32>().ok()?.get(element).map(|&value| i64::from(value))
}

/// Checks indices that the host knows; whether there are others, which only the GPU can check.
pub(crate) fn check_indices(graph: &Graph, plan: &GraphPlan, inputs: &[Input]) -> Result<bool> {
    let mut unknown = plan.reports;
    for check in &plan.checks {
        let Some((number, Input::Host(tensor))) = check.input.and_then(|number| Some((number, inputs.get(number)?)))
        else {
            unknown = true;
            continue;
        };
        let limit = i64::try_from(check.limit).unwrap_or(i64::MAX);
        let least = if check.from_end { -limit } else { 0 };
        let outside = |index: &i64| !(least..limit).contains(index);
        let bad = match tensor.as_slice::<i64>() {
            Ok(indices) => indices.iter().copied().enumerate().find(|(_, index)| outside(index)),
            Err(_) => tensor.to_i64s().into_iter().enumerate().find(|(_, index)| outside(index)),
        };
        if let Some((element, index)) = bad {
            let node = &graph.nodes[check.node];
            return Err(Error::input(
                number,
                format!(
                    "element {element} is index {index}, out of range for node {} ({}): valid are {least} to {}",
                    node.id,
                    node.op.name,
                    limit - 1
                ),
            ));
        }
    }
    Ok(unknown)
}
