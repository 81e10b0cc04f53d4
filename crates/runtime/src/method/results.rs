//! What a call gives: outputs on the host, on the GPU, or on their way.

use std::sync::Arc;
use std::time::Duration;

use pteron_tensor::{DType, HostTensor};

use super::condition::{Unsettled, Validity};
use super::delegates::{CommandOwners, PendingCommands};
use super::state::Before;
use super::{Delegate, Method, Slot};
use crate::engine::wgpu::{self as gpu, DeviceTensor, GpuDelegate, Reading};
use crate::error::{Error, Result};
use crate::graph::MethodGraph;
use crate::limits::Deadline;
use crate::types;
use crate::value::Value;

/// Tensors on their way to the host, with the statuses of delegates whose indices only the GPU knows.
#[derive(Debug)]
pub(super) struct Pending {
    pub(super) graph: Arc<MethodGraph>,
    /// Nothing where everything is on the host already.
    pub(super) reading: Option<Reading>,
    /// The types that the program declares for the tensors.
    pub(super) types: Vec<DType>,
    /// Delegates whose statuses follow the tensors.
    pub(super) flagged: Vec<usize>,
    /// How long a call may take.
    pub(super) call_time: Duration,
}

impl Pending {
    /// The tensors with the program's types, or the error that only the GPU could know.
    pub(super) async fn finish(self, deadline: &Deadline) -> Result<Vec<HostTensor>> {
        let Some(reading) = self.reading else { return Ok(Vec::new()) };
        let mut host = reading.finish(deadline).await?.tensors()?;
        for (status, &index) in host.split_off(self.types.len()).iter().zip(&self.flagged) {
            if let Some(error) = GpuDelegate::status_error(&self.graph.delegates[index], status.as_slice()?) {
                return Err(error);
            }
        }
        host.into_iter().zip(self.types).map(|(tensor, program)| types::to_program(tensor, program)).collect()
    }
}

/// An output as the last instruction left it.
enum Output {
    Host(Value),
    /// On the GPU, and in the memory of which delegate, where it is not in its own.
    Device(DeviceTensor, Option<usize>),
}

/// A call that is submitted and may still run.
///
/// Its outputs can be inputs of the next call before it has ended, and its results be read while later calls run.
/// Dropping it gives up the results, not the call.
#[derive(Debug)]
pub struct Submitted {
    outputs: Vec<Value>,
    wanted: Vec<Wanted>,
    pub(super) pending: Pending,
    validity: Validity,
}

/// A result that the caller wants.
#[derive(Debug)]
enum Wanted {
    Here(HostTensor),
    Coming,
}

impl Submitted {
    /// The outputs, as inputs of the next call of the method: tensors stay on the GPU, in memory that the next call
    /// overwrites. Using one after that is an error.
    pub fn outputs(&self) -> &[Value] {
        &self.outputs
    }

    /// The results that were wanted, in that order. It waits for them, and for no call that was submitted later.
    ///
    /// An error that only the GPU could know is that of this call: its results, and the state from it on, are not valid.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn read(self) -> Result<Vec<HostTensor>> {
        crate::block_on(self.read_async())
    }

    /// Like [`Submitted::read`], and awaits them. No thread of the caller's is held up while the GPU works.
    pub async fn read_async(self) -> Result<Vec<HostTensor>> {
        let call_time = self.pending.call_time;
        let coming = self.pending.finish(&Deadline::after(call_time)).await;
        let mut coming = coming.inspect_err(|_| self.validity.revoke())?.into_iter();
        let lost = || Error::Program("an output is missing".to_owned());
        let result = |wanted| match wanted {
            Wanted::Here(tensor) => Ok(tensor),
            Wanted::Coming => coming.next().ok_or_else(lost),
        };
        self.wanted.into_iter().map(result).collect()
    }
}

/// A call that is under way. Dropped before its end, because nobody awaits it any more, it has failed.
pub(super) struct Call<'a> {
    pub(super) method: &'a mut Method,
    /// What it may change; nothing once it has ended.
    before: Option<Before>,
}

impl Call<'_> {
    pub(super) fn begin<'a>(method: &'a mut Method, inputs: &[Value]) -> Result<Call<'a>> {
        let before = Some(method.begin(inputs)?);
        Ok(Call { method, before })
    }

    pub(super) fn end<T>(&mut self, result: Result<T>) -> Result<T> {
        match self.before.take() {
            Some(before) => {
                let device = self.method.device.clone();
                device.scoped_now(|| self.method.end(before, result))
            }
            None => result,
        }
    }
}

impl Drop for Call<'_> {
    fn drop(&mut self) {
        // After its end there is nothing to do.
        let _ = self.end::<()>(Err(Error::Misuse("the call was given up".to_owned())));
    }
}

impl Method {
    /// Runs a call and gives its outputs, on the host or in GPU memory of their own.
    pub(super) async fn call(&mut self, inputs: &[Value], on_device: bool) -> Result<Vec<Value>> {
        let mut call = Call::begin(self, inputs)?;
        let device = call.method.device.clone();
        let result = device.scoped(call.method.run_through(on_device)).await;
        call.end(result)
    }

    /// Runs a call up to its last submit.
    pub(super) async fn call_without_waiting(&mut self, inputs: &[Value], wanted: &[usize]) -> Result<Submitted> {
        self.check_wanted(wanted)?;
        let mut call = Call::begin(self, inputs)?;
        let device = call.method.device.clone();
        let result = device.scoped(call.method.run_ahead(wanted)).await;
        call.end(result)
    }

    async fn run_through(&mut self, on_device: bool) -> Result<Vec<Value>> {
        let mut commands = self.execute().await?;
        self.finish(&mut commands, on_device).await
    }

    /// Submits what every instruction has recorded, and gives the outputs.
    pub(super) async fn finish(&mut self, commands: &mut PendingCommands, on_device: bool) -> Result<Vec<Value>> {
        let outputs = self.current_outputs()?;
        let (mut given, mut tensors) = (Vec::with_capacity(outputs.len()), Vec::new());
        for output in outputs {
            given.push(match (output, &mut commands.recorder) {
                (Output::Host(value), _) => Some(value),
                // A copy, since the delegate's own memory is overwritten by its next call.
                (Output::Device(tensor, _), Some(recorder)) if on_device => {
                    Some(Value::Device(gpu::copy(recorder, &tensor)))
                }
                (Output::Device(tensor, _), _) => {
                    tensors.push(tensor);
                    None
                }
            });
        }
        let waits = !tensors.is_empty();
        let pending = self.submit_commands(commands, tensors)?;
        self.counts = commands.counts();
        let unsettled = Unsettled::new(&self.validity);
        if waits {
            self.record_ahead();
        }
        let mut host = pending.finish(&commands.deadline).await?.into_iter();
        unsettled.settle();
        let lost = || Error::Program("an output is missing".to_owned());
        let output = |given: Option<Value>| given.or_else(|| host.next().map(Value::Tensor)).ok_or_else(lost);
        given.into_iter().map(output).collect()
    }

    /// Records what the next call will probably be, while the GPU works on this one.
    fn record_ahead(&mut self) {
        for delegate in &mut self.delegates {
            if let Delegate::Gpu(delegate) = delegate {
                delegate.record_ahead();
            }
        }
    }

    async fn run_ahead(&mut self, wanted: &[usize]) -> Result<Submitted> {
        let mut commands = self.execute().await?;
        let mut outputs = Vec::with_capacity(self.graph.outputs.len());
        for output in self.current_outputs()? {
            outputs.push(match (output, &mut commands.recorder) {
                (Output::Host(value), _) => value,
                // A call that submits early and then fails must not have overwritten what an earlier one gave.
                (Output::Device(tensor, Some(delegate)), Some(recorder))
                    if self.is_input(delegate, &tensor) || self.submits_early =>
                {
                    Value::Device(gpu::copy(recorder, &tensor))
                }
                (Output::Device(tensor, _), _) => Value::Device(tensor),
            });
        }
        let (mut results, mut tensors) = (Vec::with_capacity(wanted.len()), Vec::new());
        for &output in wanted {
            results.push(match outputs.get(output) {
                Some(Value::Tensor(tensor)) => Wanted::Here(tensor.clone()),
                Some(Value::Device(tensor)) => {
                    tensors.push(tensor.clone());
                    Wanted::Coming
                }
                _ => {
                    let name = &self.graph.name;
                    return Err(Error::NotFound(format!("output {output} of {name} is wanted, and is no tensor")));
                }
            });
        }
        let pending = self.submit_or_keep(commands, tensors)?;
        Ok(Submitted { outputs, wanted: results, pending, validity: self.validity.clone() })
    }

    /// The outputs as the last instruction left them.
    fn current_outputs(&self) -> Result<Vec<Output>> {
        let output = |&id: &u32| match &self.values[id as usize] {
            Slot::Value(Value::Device(tensor)) => Ok(Output::Device(tensor.clone(), None)),
            Slot::Borrowed { tensor, delegate } => Ok(Output::Device(tensor.clone(), Some(*delegate))),
            Slot::Value(value) => Ok(Output::Host(value.clone())),
            Slot::Empty => Err(Error::Program(format!("output value {id} of {} was not computed", self.graph.name))),
        };
        self.graph.outputs.iter().map(output).collect()
    }

    /// Whether a tensor is in the memory of a delegate's input, into which the host writes before the next call begins.
    fn is_input(&self, delegate: usize, tensor: &DeviceTensor) -> bool {
        match &self.delegates[delegate] {
            Delegate::Gpu(loaded) => loaded.is_input(&self.graph.delegates[delegate], tensor),
            Delegate::Reference(_) => false,
        }
    }

    /// Submits what is recorded, with copies of tensors for the host and of the statuses that belong to it.
    pub(super) fn submit_commands(
        &self,
        commands: &mut PendingCommands,
        tensors: Vec<DeviceTensor>,
    ) -> Result<Pending> {
        let (tensors, types, CommandOwners { flagged, recorded }) = self.with_statuses(commands, tensors)?;
        let reading = match &mut commands.recorder {
            Some(recorder) => Some(gpu::begin(recorder, &tensors)?),
            None => None,
        };
        for index in recorded {
            if let Delegate::Gpu(delegate) = &self.delegates[index] {
                delegate.end_leases();
            }
        }
        Ok(Pending { graph: self.graph.clone(), reading, types, flagged, call_time: self.limits.call_time })
    }

    /// Tensors for the host followed by the statuses that belong to them, the types that the program declares for the
    /// former, and whose commands they come from.
    pub(super) fn with_statuses(
        &self,
        commands: &mut PendingCommands,
        mut tensors: Vec<DeviceTensor>,
    ) -> Result<(Vec<DeviceTensor>, Vec<DType>, CommandOwners)> {
        let types = tensors.iter().map(|tensor| tensor.program).collect();
        let owners = commands.take_owners();
        for &index in &owners.flagged {
            if let Delegate::Gpu(delegate) = &self.delegates[index] {
                tensors.push(delegate.status_tensor()?);
            }
        }
        Ok((tensors, types, owners))
    }
}
