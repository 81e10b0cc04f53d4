//! Calls of delegates: commands that are recorded, and results that come to the host in between.

use pteron_ops::sym::SymId;
use pteron_tensor::HostTensor;

use super::interpret::declared_type;
use super::{CallCounts, Delegate, Method, Slot};
use crate::device::{Device, Kind};
use crate::engine::wgpu::{self as gpu, Input, KernelTime, Recorder};
use crate::error::{Error, Result};
use crate::graph::{Graph, ProgramValue, Step};
use crate::limits::{Deadline, Limits};
use crate::plan::call;
use crate::types;
use crate::value::Value;

/// GPU work of a call that is recorded and not submitted yet. The reference engine has none.
#[derive(Debug)]
pub(super) struct PendingCommands {
    pub(super) recorder: Option<Recorder>,
    /// Delegates whose statuses must be read with the results.
    flagged: Vec<usize>,
    /// Delegates whose memory will hold results.
    recorded: Vec<usize>,
    /// How often the host has waited for results that it needs to go on.
    round_trips: u64,
    /// The launches that a stopwatch times.
    pub(super) timed: Vec<KernelTime>,
    /// When the call must have come to its end.
    pub(super) deadline: Deadline,
    /// Bytes of the tensors that operators on the host have made in this call and that are still there.
    pub(super) host_bytes: u64,
}

/// The delegates of commands that are about to be submitted.
#[derive(Debug)]
pub(super) struct CommandOwners {
    /// Those whose statuses must be read with the results.
    pub(super) flagged: Vec<usize>,
    /// Those whose memory will hold results.
    pub(super) recorded: Vec<usize>,
}

impl PendingCommands {
    /// None yet, or none but those that `recorder` holds of earlier calls.
    pub(super) fn new(device: &Device, recorder: Option<Recorder>, limits: &Limits) -> PendingCommands {
        let recorder = recorder.or_else(|| match &device.0 {
            Kind::Gpu(gpu) => Some(Recorder::new(gpu.clone())),
            Kind::Reference => None,
        });
        let (flagged, recorded, timed) = (Vec::new(), Vec::new(), Vec::new());
        let deadline = Deadline::after(limits.call_time);
        PendingCommands { recorder, flagged, recorded, round_trips: 0, timed, deadline, host_bytes: 0 }
    }

    /// What the call has cost so far.
    pub(super) fn counts(&self) -> CallCounts {
        let recorder = self.recorder.as_ref();
        CallCounts {
            dispatches: recorder.map_or(0, |recorder| recorder.dispatches),
            submits: recorder.map_or(0, |recorder| recorder.submits),
            host_round_trips: self.round_trips,
            recorded_ahead: recorder.is_some_and(|recorder| recorder.recorded_ahead),
        }
    }

    /// Leaves no command pending; tells whose they were.
    pub(super) fn take_owners(&mut self) -> CommandOwners {
        CommandOwners { flagged: std::mem::take(&mut self.flagged), recorded: std::mem::take(&mut self.recorded) }
    }
}

impl Method {
    /// Runs or records a delegate call. Values of the program take its outputs and symbolic integers.
    pub(super) async fn delegate(
        &mut self,
        index: usize,
        inputs: &[u32],
        outputs: &[u32],
        numbers: &[u32],
        commands: &mut PendingCommands,
    ) -> Result<()> {
        if commands.recorded.contains(&index) || self.is_lending(index) {
            // Its memory still holds inputs or results of its last call.
            self.keep_results_of(index, commands).await?;
        }
        commands.recorded.push(index);
        let run = self.run_delegate(index, inputs, outputs, commands);
        let syms = run.map_err(|error| error.with_input(|number| self.input_of_method(inputs, number)))?;
        for (&id, &(_, SymId(symbol))) in numbers.iter().zip(&self.graph.delegates[index].numbers) {
            self.values[id as usize] = Slot::Value(Value::Int(syms[symbol as usize]));
        }
        Ok(())
    }

    /// The input of the method that is an input of a delegate call; the number as it is where there is none.
    fn input_of_method(&self, inputs: &[u32], number: usize) -> usize {
        let given = inputs.get(number).and_then(|id| self.graph.inputs.iter().position(|input| input == id));
        given.unwrap_or(number)
    }

    /// Runs or records a delegate call whose memory is free, and gives its symbolic integers.
    fn run_delegate(
        &mut self,
        index: usize,
        inputs: &[u32],
        outputs: &[u32],
        commands: &mut PendingCommands,
    ) -> Result<Vec<i64>> {
        let graph = &self.graph.delegates[index];
        Ok(match (&mut self.delegates[index], &mut commands.recorder) {
            (Delegate::Reference(delegate), _) => {
                let mut host = Vec::with_capacity(inputs.len());
                for (number, &id) in inputs.iter().enumerate() {
                    let tensor = host_tensor(&self.values[id as usize], &self.graph.values[id as usize]);
                    host.push(tensor.ok_or_else(|| missing_input(graph, number))?);
                }
                let (results, syms) = delegate.run(graph, &host, &commands.deadline)?;
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
                let recorded = delegate.record(graph, &given, recorder);
                if recorder.stopwatch.is_some() && recorded.is_ok() {
                    commands.timed.extend(gpu::untimed(graph, delegate.last_dispatches()?));
                }
                let recorded = recorded.map_err(|error| explain(self.graph.written.get(index), &given, error))?;
                if recorded.check_status && !commands.flagged.contains(&index) {
                    commands.flagged.push(index);
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
    pub(super) async fn fetch(&mut self, ids: &[u32], commands: &mut PendingCommands) -> Result<()> {
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
        self.download(&wanted, commands).await
    }

    /// Copies inputs in memory that the call may overwrite before it has done with them.
    pub(super) fn keep_lent_inputs(&mut self, commands: &mut PendingCommands) {
        let Some(recorder) = &mut commands.recorder else { return };
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
    async fn keep_results_of(&mut self, index: usize, commands: &mut PendingCommands) -> Result<()> {
        let borrowed = (0u32..).zip(&self.values).filter_map(|(id, slot)| match slot {
            Slot::Borrowed { delegate, .. } if *delegate == index => Some(id),
            _ => None,
        });
        let borrowed: Vec<_> = borrowed.collect();
        self.download(&borrowed, commands).await
    }

    /// Submits what is recorded, though the call may still fail, and brings values to the host.
    async fn download(&mut self, ids: &[u32], commands: &mut PendingCommands) -> Result<()> {
        for &index in &commands.recorded {
            if let Delegate::Gpu(delegate) = &mut self.delegates[index] {
                delegate.back_up_state()?;
            }
        }
        let mut tensors = Vec::new();
        for &id in ids {
            match &self.values[id as usize] {
                Slot::Borrowed { tensor, .. } | Slot::Value(Value::Device(tensor)) => tensors.push(tensor.clone()),
                _ => {}
            }
        }
        commands.round_trips += 1;
        let host = self.submit_commands(commands, tensors)?.finish(&commands.deadline).await?;
        for (&id, tensor) in ids.iter().zip(host) {
            self.values[id as usize] = Slot::Value(Value::Tensor(tensor));
        }
        Ok(())
    }
}

/// The host tensor that a value holds; a number is a tensor of one element.
///
/// A buffer that nothing was written to yet holds zeros: the exporter leaves out the first value of state that begins as
/// zeros.
pub(super) fn host_tensor(slot: &Slot, declared: &ProgramValue) -> Option<HostTensor> {
    match (slot, declared) {
        (Slot::Value(Value::Tensor(tensor)), _) => Some(tensor.clone()),
        (Slot::Value(Value::Int(value)), _) => HostTensor::from_slice(&[*value], &[1]).ok(),
        (Slot::Empty, ProgramValue::Tensor(tensor)) => Some(HostTensor::zeros(tensor.dtype, tensor.shape)),
        _ => None,
    }
}

/// The error of a call that was refused, in terms of its graph as it was written, where passes have changed that.
fn explain(written: Option<&Graph>, inputs: &[Input], error: Error) -> Error {
    match (&error, written) {
        (Error::Node(_) | Error::Input { .. } | Error::Program(_), Some(written)) => {
            call::check(written, inputs).err().unwrap_or(error)
        }
        _ => error,
    }
}

fn missing_input(graph: &Graph, number: usize) -> Error {
    Error::Program(format!("input {number} of {} was not computed", graph.name))
}
