//! The interpreter of a program's instructions: delegate calls are recorded, portable operators run on the host.

use pteron_ops::args::Arg;
use pteron_ops::sym::SymId;
use pteron_ops::{Args, Body, Eval, OpDef};
use pteron_tensor::{DType, HostTensor};

use super::{Delegate, Method, Slot};
use crate::device::Kind;
use crate::engine::wgpu::{self as gpu, Input, Recorder};
use crate::error::{Error, NodeError, Result};
use crate::graph::{Graph, ProgramTensor, ProgramValue, Step, Value as GraphValue};
use crate::types;
use crate::value::Value;

/// Instructions that one call may execute; a program that jumps back for ever ends here.
const STEP_LIMIT: usize = 1 << 24;

/// GPU work of a call that is recorded and not submitted yet. The reference engine has none.
#[derive(Debug)]
pub(super) struct Stretch {
    pub(super) recorder: Option<Recorder>,
    /// Delegates whose statuses must be read with the results.
    pub(super) flagged: Vec<usize>,
    /// Delegates whose memory holds results.
    recorded: Vec<usize>,
}

impl Stretch {
    /// The delegates whose statuses must be read. After what is recorded is submitted there are none, nor results in
    /// memory that a call overwrites.
    pub(super) fn take_flagged(&mut self) -> Vec<usize> {
        self.recorded.clear();
        std::mem::take(&mut self.flagged)
    }
}

impl Method {
    /// Checks the inputs and takes them; what the values held before is for [`Method::end`].
    pub(super) fn begin(&mut self, inputs: &[Value]) -> Result<Vec<Slot>> {
        self.check_inputs(inputs)?;
        let before = self.values.clone();
        for (&id, input) in self.graph.inputs.iter().zip(inputs) {
            self.values[id as usize] = Slot::Value(input.clone());
        }
        Ok(before)
    }

    /// Gives a call's result. A call that failed leaves nothing behind, and none leaves memory that the next overwrites.
    pub(super) fn end<T>(&mut self, before: Vec<Slot>, result: Result<T>) -> Result<T> {
        if result.is_err() {
            self.values = before;
        }
        for slot in &mut self.values {
            if matches!(slot, Slot::Borrowed { .. }) {
                *slot = Slot::Empty;
            }
        }
        result
    }

    /// Runs every instruction. What is recorded last is left to be submitted.
    pub(super) async fn execute(&mut self) -> Result<Stretch> {
        let recorder = match &self.device.0 {
            Kind::Gpu(gpu) => Some(Recorder::new(gpu.clone())),
            Kind::Reference => None,
        };
        let mut stretch = Stretch { recorder, flagged: Vec::new(), recorded: Vec::new() };
        let graph = self.graph.clone();
        self.keep_lent_inputs(&mut stretch);
        let mut at = 0;
        for _ in 0..STEP_LIMIT {
            let Some(step) = graph.steps.get(at) else {
                self.dispatches = stretch.recorder.as_ref().map_or(0, |recorder| recorder.dispatches);
                return Ok(stretch);
            };
            at += 1;
            match *step {
                Step::Kernel { op, ref args, ref outputs } => {
                    self.fetch(args, &mut stretch).await?;
                    self.kernel(op, args, outputs)?;
                }
                Step::Delegate { index, ref inputs, ref outputs, ref numbers } => {
                    if stretch.recorded.contains(&index) || self.is_lending(index) {
                        // Its memory still holds inputs or results of its last call.
                        self.keep_results_of(index, &mut stretch).await?;
                    }
                    stretch.recorded.push(index);
                    let syms = self.delegate(index, inputs, outputs, &mut stretch)?;
                    for (&id, &(_, SymId(symbol))) in numbers.iter().zip(&graph.delegates[index].numbers) {
                        self.values[id as usize] = Slot::Value(Value::Int(syms[symbol as usize]));
                    }
                }
                Step::Move { from, to } => self.values[to as usize] = self.values[from as usize].clone(),
                Step::View { from, to } => self.values[to as usize] = self.view(from, to)?,
                Step::JumpFalse { condition, destination } => {
                    self.fetch(&[condition], &mut stretch).await?;
                    if !self.truth(condition)? {
                        at = destination;
                    }
                }
                Step::Free { value } => self.values[value as usize] = Slot::Empty,
            }
        }
        Err(Error::Program(format!("{} ran {STEP_LIMIT} instructions without coming to an end", graph.name)))
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
    fn delegate(&mut self, index: usize, inputs: &[u32], outputs: &[u32], stretch: &mut Stretch) -> Result<Vec<i64>> {
        let graph = &self.graph.delegates[index];
        Ok(match (&mut self.delegates[index], &mut stretch.recorder) {
            (Delegate::Reference(delegate), _) => {
                let mut host = Vec::with_capacity(inputs.len());
                for (number, (&id, &value)) in inputs.iter().zip(&graph.inputs).enumerate() {
                    let Some(tensor) = &host_tensor(&self.values[id as usize], &self.graph.values[id as usize]) else {
                        return Err(missing_input(graph, number));
                    };
                    let GraphValue::Tensor(declared) = &graph.values[value as usize] else { continue };
                    let tensor = types::to_device(tensor, declared.dtype);
                    host.push(tensor.map_err(|mismatch| mismatch.of_input(number))?);
                }
                let (results, syms) = delegate.run(graph, &host)?;
                for (&id, result) in outputs.iter().zip(results) {
                    let widened = types::to_program(result, declared_type(&self.graph.values[id as usize]))?;
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
                if recorded.check_status && !stretch.flagged.contains(&index) {
                    stretch.flagged.push(index);
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
    async fn fetch(&mut self, ids: &[u32], stretch: &mut Stretch) -> Result<()> {
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
        self.download(&wanted, stretch).await
    }

    /// Copies inputs in memory that the call may overwrite before it has done with them.
    fn keep_lent_inputs(&mut self, stretch: &mut Stretch) {
        let Some(recorder) = &mut stretch.recorder else { return };
        let graph = &self.graph;
        let returned = graph.inputs.iter().any(|id| graph.outputs.contains(id));
        if matches!(graph.steps[..], [Step::Delegate { .. }]) && !returned {
            // A delegate takes its inputs before it computes anything.
            return;
        }
        for &id in &graph.inputs {
            if let Slot::Value(Value::Device(tensor)) = &mut self.values[id as usize]
                && tensor.is_lent()
            {
                *tensor = gpu::copy(recorder, tensor);
            }
        }
    }

    /// Whether values are in a delegate's own memory.
    fn is_lending(&self, index: usize) -> bool {
        self.values.iter().any(|slot| matches!(slot, Slot::Borrowed { delegate, .. } if *delegate == index))
    }

    /// Brings all results of a delegate's last call to the host, before its next call overwrites them.
    async fn keep_results_of(&mut self, index: usize, stretch: &mut Stretch) -> Result<()> {
        let borrowed = (0u32..).zip(&self.values).filter_map(|(id, slot)| match slot {
            Slot::Borrowed { delegate, .. } if *delegate == index => Some(id),
            _ => None,
        });
        let borrowed: Vec<_> = borrowed.collect();
        self.download(&borrowed, stretch).await
    }

    /// Submits what is recorded and brings values to the host.
    async fn download(&mut self, ids: &[u32], stretch: &mut Stretch) -> Result<()> {
        let mut tensors = Vec::new();
        for &id in ids {
            match &self.values[id as usize] {
                Slot::Borrowed { tensor, .. } | Slot::Value(Value::Device(tensor)) => tensors.push(tensor.clone()),
                _ => {}
            }
        }
        let host = self.submit_stretch(stretch, tensors)?.finish().await?;
        for (&id, tensor) in ids.iter().zip(host) {
            self.values[id as usize] = Slot::Value(Value::Tensor(tensor));
        }
        Ok(())
    }
}

pub(super) fn declared_type(value: &ProgramValue) -> DType {
    match value {
        ProgramValue::Tensor(tensor) => tensor.dtype,
        _ => DType::F32,
    }
}

/// The host tensor that a value holds; a number is a tensor of one element.
///
/// A buffer that nothing was written to yet holds zeros: the exporter leaves out the first value of state that begins as
/// zeros.
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
