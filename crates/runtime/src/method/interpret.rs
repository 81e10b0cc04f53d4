//! The interpreter of a program's instructions: delegate calls are recorded, portable operators run on the host.

use pteron_tensor::DType;

use super::delegates::PendingCommands;
use super::state::Before;
use super::{Method, Slot};
use crate::error::{Error, Result};
use crate::graph::{ProgramTensor, ProgramValue, Step};
use crate::value::Value;

/// Instructions that one call may execute; a program that jumps back for ever ends here.
const STEP_LIMIT: usize = 1 << 24;

impl Method {
    /// Checks the inputs and takes them; what the call may change is for [`Method::end`].
    pub(super) fn begin(&mut self, inputs: &[Value]) -> Result<Before> {
        self.check_inputs(inputs)?;
        self.files.check()?;
        let before = self.before();
        for (&id, input) in self.graph.inputs.iter().zip(inputs) {
            self.values[id as usize] = Slot::Value(input.clone());
        }
        Ok(before)
    }

    /// Gives a call's result. A call that failed leaves nothing behind, and none leaves memory that the next overwrites, nor
    /// its inputs.
    pub(super) fn end<T>(&mut self, before: Before, result: Result<T>) -> Result<T> {
        match result {
            Ok(_) => self.keep_changes(),
            Err(_) => self.roll_back(before),
        }
        for slot in &mut self.values {
            if matches!(slot, Slot::Borrowed { .. }) {
                *slot = Slot::Empty;
            }
        }
        // The caller's memory is the caller's again.
        for &id in &self.graph.inputs {
            self.values[id as usize] = Slot::Empty;
        }
        result
    }

    /// Runs every instruction. What is recorded last is left to be submitted.
    pub(super) async fn execute(&mut self) -> Result<PendingCommands> {
        let mut commands = self.commands();
        match self.execute_into(&mut commands).await {
            Ok(()) => Ok(commands),
            Err(error) => {
                self.give_up(commands);
                Err(error)
            }
        }
    }

    /// Runs every instruction, and adds what is recorded to other commands.
    pub(super) async fn execute_into(&mut self, commands: &mut PendingCommands) -> Result<()> {
        let graph = self.graph.clone();
        self.keep_lent_inputs(commands);
        let mut at = 0;
        for _ in 0..STEP_LIMIT {
            let Some(step) = graph.steps.get(at) else { return Ok(()) };
            at += 1;
            commands.deadline.check()?;
            match *step {
                Step::Kernel { op, ref args, ref outputs } => {
                    if !op.reads_shapes_only() {
                        self.fetch(args, commands).await?;
                    }
                    self.kernel(op, args, outputs, commands)?;
                }
                Step::Delegate { index, ref inputs, ref outputs, ref numbers } => {
                    self.delegate(index, inputs, outputs, numbers, commands).await?;
                }
                Step::Move { from, to } => self.values[to as usize] = self.values[from as usize].clone(),
                Step::View { from, to } => self.values[to as usize] = self.view(from, to)?,
                Step::JumpFalse { condition, destination } => {
                    self.fetch(&[condition], commands).await?;
                    if !self.truth(condition)? {
                        at = destination;
                    }
                }
                Step::Free { value } => self.replace(value, Slot::Empty, commands),
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
}

/// The type that the program declares for a tensor.
pub(super) fn declared_type(value: &ProgramValue) -> DType {
    match value {
        ProgramValue::Tensor(tensor) => tensor.dtype,
        _ => DType::F32,
    }
}
