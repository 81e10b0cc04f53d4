//! A loaded method: the interpreter of a program's instructions.

use bytes::Bytes;
use pteron_ops::args::Arg;
use pteron_ops::sym::SymId;
use pteron_ops::{Args, Body, Caps, Eval, OpDef, OpError};
use pteron_pte::Dynamism;
use pteron_tensor::{DType, HostTensor, Shape};

use crate::boundary;
use crate::data::DataFiles;
use crate::device::{Device, Kind};
use crate::engine::reference::ReferenceDelegate;
use crate::engine::wgpu::{
    self as gpu, DeviceTensor, GpuDelegate, Input, KernelTime, Recorder, RepeatedRun, SharedConstants,
};
use crate::error::{Error, NodeError, Result};
use crate::estimate::MemoryEstimate;
use crate::graph::{Graph, MethodGraph, ProgramTensor, ProgramValue, Step, Value as GraphValue};
use crate::replan::GraphPlan;
use crate::value::Value;

/// Instructions that one call may execute; a program that jumps back for ever ends here.
const STEP_LIMIT: usize = 1 << 24;

/// A method on a device, with the state that persists between its calls.
///
/// ```no_run
/// use pteron_runtime::{HostTensor, Program};
///
/// let mut forward = Program::open("model.pte")?.method("forward")?;
/// let ids = HostTensor::from_slice(&[1i64, 2, 3], &[3])?;
/// let outputs = forward.run(&[ids.into()])?;
/// println!("{:?}", outputs[0]);
/// # Ok::<(), pteron_runtime::Error>(())
/// ```
#[derive(Debug)]
pub struct Method {
    device: Device,
    graph: MethodGraph,
    delegates: Vec<Delegate>,
    values: Vec<Slot>,
    /// Constants and first values of mutable tensors, by value id.
    initial: Vec<Option<HostTensor>>,
    dispatches: u64,
    constant_bytes: u64,
}

#[derive(Debug)]
enum Delegate {
    Reference(ReferenceDelegate),
    Gpu(GpuDelegate),
}

/// What a value of the program holds now.
#[derive(Clone, Debug)]
enum Slot {
    Empty,
    Value(Value),
    /// A delegate's output on the GPU, in memory that its next call overwrites.
    Borrowed {
        tensor: DeviceTensor,
        delegate: usize,
    },
}

/// What a method takes or gives at one position.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Spec {
    /// A tensor.
    Tensor {
        /// The element type.
        dtype: DType,
        /// The sizes, or their upper bounds.
        shape: Shape,
        /// Whether the sizes may be smaller.
        dynamic: bool,
    },
    /// Something else, as a word.
    Other(&'static str),
}

impl Method {
    pub(crate) async fn load(
        shared: &SharedConstants,
        device: Device,
        graph: MethodGraph,
        files: &DataFiles,
    ) -> Result<Method> {
        let caps = device.caps();
        // Everything that can be refused is refused before anything is allocated.
        plan_largest(&graph, &caps)?;
        let mut initial = vec![None; graph.values.len()];
        for (slot, value) in initial.iter_mut().zip(&graph.values) {
            if let ProgramValue::Tensor(ProgramTensor { dtype, shape, data: Some(data), order, .. }) = value {
                let bytes = files.load(data, shape.numel() as u64 * dtype.size() as u64).await?;
                let stored = HostTensor::with_shape(*dtype, *shape, bytes)?;
                *slot = Some(match order {
                    Some(order) => boundary::in_order(&stored, order)?,
                    None => stored,
                });
            }
        }
        let mut delegates = Vec::with_capacity(graph.delegates.len());
        let mut constant_bytes = 0;
        for delegate in &graph.delegates {
            delegates.push(match &device.0 {
                Kind::Reference => {
                    let mut constants = Vec::with_capacity(delegate.constants.len());
                    for constant in &delegate.constants {
                        let stored = constant.shape.numel() as u64 * constant.stored.size() as u64;
                        let bytes = files.load(&constant.data, stored).await?;
                        let bytes: Bytes = boundary::convert_constant(&bytes, constant.stored, constant.dtype)?;
                        constants.push(HostTensor::with_shape(constant.dtype, constant.shape, bytes)?);
                    }
                    Delegate::Reference(ReferenceDelegate::new(delegate, constants)?)
                }
                Kind::Gpu(gpu) => {
                    let constants = shared.load(gpu, &delegate.constants, files).await?;
                    constant_bytes += constants.iter().map(|buffer| buffer.size()).sum::<u64>();
                    let mut loaded = GpuDelegate::new(gpu.clone(), delegate, constants);
                    if let Some(shapes) = largest_inputs(delegate) {
                        // A plan that only fails at the largest shapes fails at the call that needs them.
                        let (prepared, outcome) = gpu.watch(|| loaded.prepare(delegate, &shapes));
                        if let Err(error) = prepared {
                            tracing::debug!(%error, "not prepared at the largest shapes");
                        }
                        outcome.await?;
                    }
                    gpu.check()?;
                    Delegate::Gpu(loaded)
                }
            });
        }
        let mut method =
            Method { device, graph, delegates, values: Vec::new(), initial, dispatches: 0, constant_bytes };
        method.values = method.first_values();
        Ok(method)
    }

    fn first_values(&self) -> Vec<Slot> {
        let first = |(value, initial): (&ProgramValue, &Option<HostTensor>)| match (value, initial) {
            (_, Some(tensor)) => Slot::Value(Value::Tensor(tensor.clone())),
            (&ProgramValue::Int(value), _) => Slot::Value(Value::Int(value)),
            (&ProgramValue::Double(value), _) => Slot::Value(Value::Double(value)),
            (&ProgramValue::Bool(value), _) => Slot::Value(Value::Bool(value)),
            (ProgramValue::Str(text), _) => Slot::Value(Value::Str(text.clone())),
            (ProgramValue::Null, _) => Slot::Value(Value::Null),
            _ => Slot::Empty,
        };
        self.graph.values.iter().zip(&self.initial).map(first).collect()
    }

    /// The method's name.
    pub fn name(&self) -> &str {
        &self.graph.name
    }

    /// The device that it runs on.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// What it takes.
    pub fn inputs(&self) -> Vec<Spec> {
        self.graph.inputs()
    }

    /// What it gives.
    pub fn outputs(&self) -> Vec<Spec> {
        self.graph.outputs()
    }

    /// For each input, one more than the largest value that is sure to be valid, where the input holds indices.
    ///
    /// An input whose elements decide sizes or positions is only sure to take 0.
    pub fn index_limits(&self) -> Vec<Option<u64>> {
        self.graph.index_limits(&self.device.caps())
    }

    /// The memory that the method takes at its largest shapes.
    pub fn memory(&self) -> MemoryEstimate {
        self.graph.memory(&self.device.caps())
    }

    /// What a user should know about how it runs on this device.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.graph.delegates.iter().any(|delegate| delegate.widened) {
            notes.push(format!(
                "{} has no 16-bit floats in shaders, so those of this program are widened to 32 bits",
                self.device.name()
            ));
        }
        notes
    }

    /// GPU launches of the last call.
    pub fn dispatches(&self) -> u64 {
        self.dispatches
    }

    /// Bytes on the GPU: constants, and everything else.
    pub fn gpu_bytes(&self) -> (u64, u64) {
        let held = |delegate: &Delegate| match delegate {
            Delegate::Gpu(delegate) => delegate.memory_bytes(),
            Delegate::Reference(_) => 0,
        };
        (self.constant_bytes, self.delegates.iter().map(held).sum())
    }

    /// Sets all state back to what it was when the method was loaded.
    pub fn reset(&mut self) -> Result<()> {
        for (delegate, graph) in self.delegates.iter_mut().zip(&self.graph.delegates) {
            match delegate {
                Delegate::Reference(delegate) => delegate.reset(graph)?,
                Delegate::Gpu(delegate) => delegate.reset(graph),
            }
        }
        self.values = self.first_values();
        Ok(())
    }

    /// Runs the method and waits for its outputs.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn run(&mut self, inputs: &[Value]) -> Result<Vec<Value>> {
        pollster::block_on(self.run_async(inputs))
    }

    /// Runs the method; the outputs are on the host.
    pub async fn run_async(&mut self, inputs: &[Value]) -> Result<Vec<Value>> {
        self.call(inputs, false).await
    }

    /// Runs the method and leaves tensor outputs on the GPU.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn run_on_device(&mut self, inputs: &[Value]) -> Result<Vec<Value>> {
        pollster::block_on(self.run_on_device_async(inputs))
    }

    /// Like [`Method::run_async`], and leaves tensor outputs on the GPU. The reference engine gives host tensors.
    pub async fn run_on_device_async(&mut self, inputs: &[Value]) -> Result<Vec<Value>> {
        self.call(inputs, true).await
    }

    /// Runs the method once with timestamps around each launch, after a call that plans and compiles.
    pub async fn profile_async(&mut self, inputs: &[Value]) -> Result<Vec<KernelTime>> {
        self.call(inputs, false).await?;
        let (index, delegate, graph, gpu, host) = self.only_delegate(inputs)?;
        let Delegate::Gpu(delegate) = &mut delegate[index] else { unreachable!("only_delegate checked") };
        let inputs: Vec<_> = host.into_iter().map(Input::Host).collect();
        let (at, _) = delegate.plan_for(graph, &inputs)?;
        let mut recorder = Recorder::new(gpu.clone());
        recorder.stopwatch = Some(gpu::Stopwatch::new(&gpu, delegate.plan(at).dispatches.len())?);
        delegate.record(graph, &inputs, &mut recorder)?;
        let Some(stopwatch) = recorder.stopwatch.take() else { return Ok(Vec::new()) };
        let times = stopwatch.read(&mut recorder).await?;
        Ok(gpu::kernel_times(graph, delegate, at, &times))
    }

    /// Runs the method many times in one submit, with sets of inputs and outputs taking turns, and times it on the GPU.
    ///
    /// For methods that are one call of one delegate.
    pub async fn repeat_async(&mut self, sets: &[Vec<Value>], iterations: u32) -> Result<RepeatedRun> {
        let Some(first) = sets.first() else { return Err(Error::NotFound("there are no inputs to repeat".to_owned())) };
        self.call(first, false).await?;
        let mut host_sets = Vec::with_capacity(sets.len());
        for set in sets {
            host_sets.push(self.only_delegate(set)?.4);
        }
        let (index, delegates, graph, gpu, _) = self.only_delegate(first)?;
        let Delegate::Gpu(delegate) = &mut delegates[index] else { unreachable!("only_delegate checked") };
        let mut run = gpu::repeat(&gpu, graph, delegate, &host_sets, iterations).await?;
        for outputs in &mut run.outputs {
            *outputs = self.outputs_of_delegate(std::mem::take(outputs))?;
        }
        Ok(run)
    }

    /// The outputs of the only delegate, in the order and types of the method's.
    fn outputs_of_delegate(&self, computed: Vec<Option<HostTensor>>) -> Result<Vec<Option<HostTensor>>> {
        let [Step::Delegate { outputs: ids, .. }] = &self.graph.steps[..] else { return Ok(computed) };
        let output = |id: &u32| {
            let Some(Some(tensor)) = ids.iter().position(|other| other == id).and_then(|at| computed.get(at)) else {
                return Ok(None);
            };
            boundary::widen(tensor.clone(), declared_type(&self.graph.values[*id as usize])).map(Some)
        };
        self.graph.outputs.iter().map(output).collect()
    }

    /// The delegate of a method that is nothing but one delegate call, with its inputs.
    #[expect(clippy::type_complexity, reason = "parts of self, borrowed separately")]
    fn only_delegate(
        &mut self,
        inputs: &[Value],
    ) -> Result<(usize, &mut Vec<Delegate>, &Graph, std::sync::Arc<gpu::Gpu>, Vec<HostTensor>)> {
        let Kind::Gpu(gpu) = &self.device.0 else {
            return Err(Error::Device("the reference engine has no timestamps".to_owned()));
        };
        let [Step::Delegate { index, inputs: ids, .. }] = &self.graph.steps[..] else {
            return Err(Error::NotFound("only a method that is one delegate call can be timed this way".to_owned()));
        };
        let host = |&id: &u32| {
            let position = self.graph.inputs.iter().position(|&input| input == id);
            match position.and_then(|position| inputs.get(position)) {
                Some(Value::Tensor(tensor)) => Ok(tensor.clone()),
                _ => Err(Error::NotFound("only host tensors can be timed this way".to_owned())),
            }
        };
        let inputs = ids.iter().map(host).collect::<Result<_>>()?;
        Ok((*index, &mut self.delegates, &self.graph.delegates[*index], gpu.clone(), inputs))
    }

    /// The current state of a delegate's value.
    pub(crate) async fn state(&self, delegate: usize, id: u32) -> Result<HostTensor> {
        let missing = || Error::NotFound(format!("value {id} is no state"));
        match self.delegates.get(delegate).ok_or_else(missing)? {
            Delegate::Reference(reference) => reference.state(id).ok_or_else(missing),
            Delegate::Gpu(gpu) => {
                let tensor = gpu.state_tensor(&self.graph.delegates[delegate], id).ok_or_else(missing)?;
                tensor.to_host_async().await
            }
        }
    }

    async fn call(&mut self, inputs: &[Value], on_device: bool) -> Result<Vec<Value>> {
        self.check_inputs(inputs)?;
        let before = self.values.clone();
        for (&id, input) in self.graph.inputs.clone().iter().zip(inputs) {
            self.values[id as usize] = Slot::Value(input.clone());
        }
        let result = self.execute(on_device).await;
        if result.is_err() {
            // Nothing of a failed call stays behind.
            self.values = before;
        }
        result
    }

    fn check_inputs(&self, inputs: &[Value]) -> Result<()> {
        let expected = &self.graph.inputs;
        if inputs.len() != expected.len() {
            return Err(Error::input(
                inputs.len().min(expected.len()),
                format!("{} takes {} inputs, and {} were given", self.graph.name, expected.len(), inputs.len()),
            ));
        }
        for (index, (&id, input)) in expected.iter().zip(inputs).enumerate() {
            if let (ProgramValue::Tensor(declared), Some((dtype, shape))) =
                (&self.graph.values[id as usize], input.described())
            {
                check_tensor(index, declared, dtype, &shape)?;
            } else if !input.fits(&self.graph.values[id as usize]) {
                return Err(Error::input(index, format!("a {} was given, which it does not take", input.kind())));
            }
        }
        Ok(())
    }

    async fn execute(&mut self, on_device: bool) -> Result<Vec<Value>> {
        let mut recorder = match &self.device.0 {
            Kind::Gpu(gpu) => Some(Recorder::new(gpu.clone())),
            Kind::Reference => None,
        };
        let mut flagged: Vec<usize> = Vec::new();
        let mut recorded: Vec<usize> = Vec::new();
        let mut at = 0;
        for _ in 0..STEP_LIMIT {
            let Some(step) = self.graph.steps.get(at) else {
                let outputs = self.finish(recorder.as_mut(), &flagged, on_device).await?;
                self.dispatches = recorder.map_or(0, |recorder| recorder.dispatches);
                return Ok(outputs);
            };
            at += 1;
            match *step {
                Step::Kernel { op, ref args, ref outputs } => {
                    let (args, outputs) = (args.clone(), outputs.clone());
                    self.fetch(&args, recorder.as_mut(), &mut flagged).await?;
                    recorded.clear();
                    self.kernel(op, &args, &outputs)?;
                }
                Step::Delegate { index, ref inputs, ref outputs, ref numbers } => {
                    let (inputs, outputs, numbers) = (inputs.clone(), outputs.clone(), numbers.clone());
                    if recorded.contains(&index) {
                        // Its memory still holds results of its last call.
                        self.keep_results_of(index, recorder.as_mut(), &mut flagged).await?;
                        recorded.clear();
                    }
                    recorded.push(index);
                    let syms = self.delegate(index, &inputs, &outputs, recorder.as_mut(), &mut flagged)?;
                    for (id, &(_, SymId(symbol))) in numbers.into_iter().zip(&self.graph.delegates[index].numbers) {
                        self.values[id as usize] = Slot::Value(Value::Int(syms[symbol as usize]));
                    }
                }
                Step::Move { from, to } => self.values[to as usize] = self.values[from as usize].clone(),
                Step::View { from, to } => self.values[to as usize] = self.view(from, to)?,
                Step::JumpFalse { condition, destination } => {
                    self.fetch(&[condition], recorder.as_mut(), &mut flagged).await?;
                    recorded.clear();
                    if !self.truth(condition)? {
                        at = destination;
                    }
                }
                Step::Free { value } => self.values[value as usize] = Slot::Empty,
            }
        }
        Err(Error::Program(format!("{} ran {STEP_LIMIT} instructions without coming to an end", self.graph.name)))
    }

    fn truth(&self, id: u32) -> Result<bool> {
        match &self.values[id as usize] {
            Slot::Value(Value::Bool(value)) => Ok(*value),
            Slot::Value(Value::Int(value)) => Ok(*value != 0),
            Slot::Value(Value::Tensor(tensor)) if tensor.numel() == 1 => Ok(tensor.to_f64s()[0] != 0.0),
            _ => Err(Error::Program(format!("value {id} decides a jump and is no truth value"))),
        }
    }

    /// What a value holds, in the shape that the program declares for another.
    fn view(&self, from: u32, to: u32) -> Result<Slot> {
        let ProgramValue::Tensor(ProgramTensor { shape, .. }) = self.graph.values[to as usize] else {
            return Err(Error::Program(format!("value {to} is a view and no tensor")));
        };
        Ok(match &self.values[from as usize] {
            Slot::Value(Value::Tensor(tensor)) => Slot::Value(Value::Tensor(tensor.reshape(shape)?)),
            Slot::Value(Value::Device(tensor)) => Slot::Value(Value::Device(tensor.viewed_as(shape)?)),
            Slot::Borrowed { tensor, delegate } => {
                Slot::Borrowed { tensor: tensor.viewed_as(shape)?, delegate: *delegate }
            }
            slot => slot.clone(),
        })
    }

    /// Runs a portable operator on the host.
    fn kernel(&mut self, op: &'static OpDef, args: &[u32], outputs: &[u32]) -> Result<()> {
        let values = args.iter().map(|&id| self.argument(id)).collect::<Result<Vec<_>>>()?;
        let types: Vec<_> = outputs
            .iter()
            .map(|&id| match &self.graph.values[id as usize] {
                ProgramValue::Tensor(tensor) => tensor.dtype,
                _ => DType::I64,
            })
            .collect();
        let located = |source| {
            let describe = |&id: &u32| match &self.values[id as usize] {
                Slot::Value(value) => value.described().map(|(dtype, shape)| format!("{dtype}{shape}")),
                _ => None,
            };
            let (at, op) = (format!("method {}", self.graph.name), op.portable.unwrap_or(op.name).to_owned());
            Error::Node(Box::new(NodeError { at, op, inputs: args.iter().filter_map(describe).collect(), source }))
        };
        if let Body::Number(compute) = op.body {
            let number = compute(&Args::new(values, &[])).map_err(located)?;
            for &id in outputs {
                self.values[id as usize] = Slot::Value(number.into());
            }
            return Ok(());
        }
        let evaluated = Eval::run(op, values, &[], &types).map_err(located)?;
        for (&id, result) in outputs.iter().zip(evaluated.outputs) {
            self.values[id as usize] = Slot::Value(Value::Tensor(result));
        }
        for (index, tensor) in evaluated.mutated {
            if let Some(&id) = args.get(index) {
                self.values[id as usize] = Slot::Value(Value::Tensor(tensor));
            }
        }
        Ok(())
    }

    fn argument(&self, id: u32) -> Result<Arg<HostTensor>> {
        let items = |ids: &[u32]| ids.iter().map(|&id| self.argument(id)).collect::<Result<Vec<_>>>();
        Ok(match &self.graph.values[id as usize] {
            ProgramValue::Ints(ids) => Arg::List(items(ids)?),
            ProgramValue::Doubles(values) => Arg::List(values.iter().map(|&value| Arg::Double(value)).collect()),
            ProgramValue::Bools(values) => Arg::List(values.iter().map(|&value| Arg::Bool(value)).collect()),
            ProgramValue::Tensors(ids) => {
                let item = |id: &Option<u32>| id.map_or(Ok(Arg::Null), |id| self.argument(id));
                Arg::List(ids.iter().map(item).collect::<Result<_>>()?)
            }
            _ => match &self.values[id as usize] {
                Slot::Value(Value::Tensor(tensor)) => Arg::Tensor(tensor.clone()),
                Slot::Value(Value::Int(value)) => Arg::Int(*value),
                Slot::Value(Value::Double(value)) => Arg::Double(*value),
                Slot::Value(Value::Bool(value)) => Arg::Bool(*value),
                Slot::Value(Value::Str(text)) => Arg::Str(text.clone()),
                Slot::Value(Value::Null) => Arg::Null,
                slot @ Slot::Empty => host_tensor(slot, &self.graph.values[id as usize]).map_or(Arg::Null, Arg::Tensor),
                Slot::Value(Value::Device(_)) | Slot::Borrowed { .. } => {
                    return Err(Error::Program(format!("value {id} is not on the host")));
                }
            },
        })
    }

    /// Runs or records a delegate call, and gives its symbolic integers.
    fn delegate(
        &mut self,
        index: usize,
        inputs: &[u32],
        outputs: &[u32],
        recorder: Option<&mut Recorder>,
        flagged: &mut Vec<usize>,
    ) -> Result<Vec<i64>> {
        let graph = &self.graph.delegates[index];
        Ok(match (&mut self.delegates[index], recorder) {
            (Delegate::Reference(delegate), _) => {
                let mut host = Vec::with_capacity(inputs.len());
                for (number, (&id, &value)) in inputs.iter().zip(&graph.inputs).enumerate() {
                    let Some(tensor) = &host_tensor(&self.values[id as usize], &self.graph.values[id as usize]) else {
                        return Err(missing_input(graph, number));
                    };
                    let GraphValue::Tensor(declared) = &graph.values[value as usize] else { continue };
                    let mut scratch = Vec::new();
                    let bytes = boundary::narrow(number, tensor, declared.dtype, &mut scratch)?;
                    let same = bytes.as_ptr() == tensor.bytes().as_ptr();
                    host.push(if same {
                        tensor.clone()
                    } else {
                        HostTensor::with_shape(declared.dtype, *tensor.shape(), Bytes::from(scratch))?
                    });
                }
                let (results, syms) = delegate.run(graph, &host)?;
                for (&id, result) in outputs.iter().zip(results) {
                    let widened = boundary::widen(result, declared_type(&self.graph.values[id as usize]))?;
                    self.values[id as usize] = Slot::Value(Value::Tensor(widened));
                }
                syms
            }
            (Delegate::Gpu(delegate), Some(recorder)) => {
                let mut given = Vec::with_capacity(inputs.len());
                for (number, &id) in inputs.iter().enumerate() {
                    given.push(match &self.values[id as usize] {
                        Slot::Value(Value::Device(tensor)) | Slot::Borrowed { tensor, .. } => {
                            Input::Device(tensor.clone())
                        }
                        slot => match host_tensor(slot, &self.graph.values[id as usize]) {
                            Some(tensor) => Input::Host(tensor),
                            None => return Err(missing_input(graph, number)),
                        },
                    });
                }
                let recorded = delegate.record(graph, &given, recorder)?;
                if recorded.check_status && !flagged.contains(&index) {
                    flagged.push(index);
                }
                for (&id, mut tensor) in outputs.iter().zip(recorded.outputs) {
                    tensor.program = declared_type(&self.graph.values[id as usize]);
                    self.values[id as usize] = Slot::Borrowed { tensor, delegate: index };
                }
                recorded.syms
            }
            (Delegate::Gpu(_), None) => return Err(Error::Device("the method has lost its device".to_owned())),
        })
    }

    /// Brings values that instructions on the host read to the host.
    async fn fetch(&mut self, ids: &[u32], recorder: Option<&mut Recorder>, flagged: &mut Vec<usize>) -> Result<()> {
        let Some(recorder) = recorder else { return Ok(()) };
        let mut wanted: Vec<u32> = Vec::new();
        for &id in ids {
            match &self.graph.values[id as usize] {
                ProgramValue::Tensors(items) => wanted.extend(items.iter().flatten()),
                _ => wanted.push(id),
            }
        }
        wanted.retain(|&id| matches!(self.values[id as usize], Slot::Borrowed { .. } | Slot::Value(Value::Device(_))));
        if wanted.is_empty() {
            return Ok(());
        }
        self.download(&wanted, recorder, flagged).await
    }

    /// Brings all results of a delegate's last call to the host, before its next call overwrites them.
    async fn keep_results_of(
        &mut self,
        index: usize,
        recorder: Option<&mut Recorder>,
        flagged: &mut Vec<usize>,
    ) -> Result<()> {
        let Some(recorder) = recorder else { return Ok(()) };
        let borrowed = (0u32..).zip(&self.values).filter_map(|(id, slot)| match slot {
            Slot::Borrowed { delegate, .. } if *delegate == index => Some(id),
            _ => None,
        });
        let borrowed: Vec<_> = borrowed.collect();
        self.download(&borrowed, recorder, flagged).await
    }

    async fn download(&mut self, ids: &[u32], recorder: &mut Recorder, flagged: &mut Vec<usize>) -> Result<()> {
        let mut tensors = Vec::new();
        for &id in ids {
            match &self.values[id as usize] {
                Slot::Borrowed { tensor, .. } | Slot::Value(Value::Device(tensor)) => tensors.push(tensor.clone()),
                _ => {}
            }
        }
        let host = self.download_checked(tensors, recorder, flagged).await?;
        flagged.clear();
        for (&id, tensor) in ids.iter().zip(host) {
            self.values[id as usize] = Slot::Value(Value::Tensor(tensor));
        }
        Ok(())
    }

    /// Downloads tensors together with the statuses of delegates whose indices only the GPU knows.
    async fn download_checked(
        &self,
        mut tensors: Vec<DeviceTensor>,
        recorder: &mut Recorder,
        flagged: &[usize],
    ) -> Result<Vec<HostTensor>> {
        let wanted: Vec<_> = tensors.iter().map(|tensor| tensor.program).collect();
        for &index in flagged {
            if let Delegate::Gpu(delegate) = &self.delegates[index] {
                tensors.push(delegate.status_tensor()?);
            }
        }
        let mut host = gpu::download(recorder, &tensors).await?.tensors()?;
        for (status, &index) in host.split_off(wanted.len()).iter().zip(flagged) {
            if let Some(error) = GpuDelegate::status_error(&self.graph.delegates[index], status.as_slice()?) {
                return Err(error);
            }
        }
        host.into_iter().zip(wanted).map(|(tensor, program)| boundary::widen(tensor, program)).collect()
    }

    /// Submits what is left and gives the outputs.
    async fn finish(
        &mut self,
        recorder: Option<&mut Recorder>,
        flagged: &[usize],
        on_device: bool,
    ) -> Result<Vec<Value>> {
        let ids = self.graph.outputs.clone();
        let mut outputs: Vec<Option<Value>> = Vec::with_capacity(ids.len());
        let mut tensors = Vec::new();
        for &id in &ids {
            outputs.push(match &self.values[id as usize] {
                Slot::Value(Value::Device(tensor)) | Slot::Borrowed { tensor, .. } => {
                    tensors.push(tensor.clone());
                    None
                }
                Slot::Value(value) => Some(value.clone()),
                Slot::Empty => {
                    return Err(Error::Program(format!("output value {id} of {} was not computed", self.graph.name)));
                }
            });
        }
        let Some(recorder) = recorder else { return Ok(outputs.into_iter().flatten().collect()) };
        let mut results: std::collections::VecDeque<Value> = if on_device {
            // A copy, since the delegate's own memory is overwritten by its next call.
            let copies: Vec<_> = tensors.iter().map(|tensor| gpu::copy(recorder, tensor)).collect();
            self.download_checked(Vec::new(), recorder, flagged).await?;
            copies.into_iter().map(Value::Device).collect()
        } else {
            self.download_checked(tensors, recorder, flagged).await?.into_iter().map(Value::Tensor).collect()
        };
        for slot in &mut self.values {
            if matches!(slot, Slot::Borrowed { .. }) {
                *slot = Slot::Empty;
            }
        }
        let lost = || Error::Program("an output is missing".to_owned());
        outputs.into_iter().map(|output| output.or_else(|| results.pop_front()).ok_or_else(lost)).collect()
    }
}

impl MethodGraph {
    /// What the method takes.
    pub fn inputs(&self) -> Vec<Spec> {
        self.inputs.iter().map(|&id| spec(&self.values[id as usize])).collect()
    }

    /// What the method gives.
    pub fn outputs(&self) -> Vec<Spec> {
        self.outputs.iter().map(|&id| spec(&self.values[id as usize])).collect()
    }
}

fn spec(value: &ProgramValue) -> Spec {
    match value {
        ProgramValue::Tensor(tensor) => {
            Spec::Tensor { dtype: tensor.dtype, shape: tensor.shape, dynamic: tensor.dynamism != Dynamism::Static }
        }
        ProgramValue::Null => Spec::Other("null"),
        ProgramValue::Int(_) => Spec::Other("int"),
        ProgramValue::Double(_) => Spec::Other("float"),
        ProgramValue::Bool(_) => Spec::Other("bool"),
        ProgramValue::Str(_) => Spec::Other("string"),
        _ => Spec::Other("list"),
    }
}

fn check_tensor(index: usize, declared: &ProgramTensor, dtype: DType, shape: &Shape) -> Result<()> {
    let fits = match declared.dynamism {
        Dynamism::Static => *shape == declared.shape,
        Dynamism::UpperBound => {
            shape.rank() == declared.shape.rank() && shape.iter().zip(declared.shape.iter()).all(|(a, b)| a <= b)
        }
        Dynamism::Unbound => shape.rank() == declared.shape.rank(),
    };
    if !fits {
        let bound = if declared.dynamism == Dynamism::Static { "" } else { "at most " };
        return Err(Error::input(
            index,
            format!("its shape is {shape}, and the method takes {bound}{}", declared.shape),
        ));
    }
    let same = dtype == declared.dtype
        || matches!(
            (dtype, declared.dtype),
            (DType::I32, DType::I64) | (DType::F32, DType::F64 | DType::F16) | (DType::F16 | DType::F64, DType::F32)
        );
    if same { Ok(()) } else { Err(Error::types(index, dtype, declared.dtype)) }
}

fn declared_type(value: &ProgramValue) -> DType {
    match value {
        ProgramValue::Tensor(tensor) => tensor.dtype,
        _ => DType::F32,
    }
}

/// The host tensor that a value holds; a number is a tensor of one element. A buffer that nothing was written to yet holds zeros: the exporter leaves out the
/// first value of state that begins as zeros.
fn host_tensor(slot: &Slot, declared: &ProgramValue) -> Option<HostTensor> {
    match (slot, declared) {
        (Slot::Value(Value::Tensor(tensor)), _) => Some(tensor.clone()),
        (Slot::Value(Value::Int(value)), _) => HostTensor::from_slice(&[*value], &[1]).ok(),
        (Slot::Empty, ProgramValue::Tensor(tensor)) => Some(HostTensor::zeros(tensor.dtype, tensor.shape)),
        _ => None,
    }
}

fn missing_input(graph: &Graph, number: usize) -> Error {
    Error::Program(format!("input {number} of {} was not computed", graph.name))
}

/// The largest shapes of a graph's inputs.
pub(crate) fn largest_inputs(graph: &Graph) -> Option<Vec<Shape>> {
    let shape = |&id: &u32| match &graph.values[id as usize] {
        GraphValue::Tensor(tensor) => Some(tensor.shape),
        _ => None,
    };
    graph.inputs.iter().map(shape).collect()
}

/// Plans every delegate at its largest shapes. What only a call's symbolic integers can decide is left to the call.
pub(crate) fn plan_largest(graph: &MethodGraph, caps: &Caps) -> Result<()> {
    let mut missing = Vec::new();
    for delegate in &graph.delegates {
        let Some(shapes) = largest_inputs(delegate) else { continue };
        match GraphPlan::new(delegate, &shapes, &|_, _| Ok(0), caps) {
            Err(Error::Node(error)) => match &error.source {
                OpError::Argument { .. } | OpError::DType { .. } | OpError::Unsupported(_) => {
                    missing.push(crate::error::UnsupportedNode {
                        at: error.at.clone(),
                        op: error.op.clone(),
                        reason: error.source.to_string(),
                    });
                }
                _ if delegate.symbols > 0 => {}
                _ => return Err(Error::Node(error)),
            },
            Err(error) => return Err(error),
            Ok(_) => {}
        }
    }
    if missing.is_empty() { Ok(()) } else { Err(crate::error::Unsupported { nodes: missing }.into()) }
}
