//! The inputs of calls, and how they come to their memory.

use std::collections::HashMap;
use std::ops::Range;

use pteron_tensor::{DType, HostTensor, Shape};

use super::memory::GraphMemory;
use super::record::{DeviceTensor, Recorder};
use crate::error::Result;
use crate::graph::Graph;
use crate::plan::GraphPlan;
use crate::plan::call::{CallInput, input_type};
use crate::types::{self, Mismatch};

/// Bytes of an input up to which the host remembers what it wrote.
const REMEMBERED: usize = 64;

/// An input of a call.
#[derive(Clone, Debug)]
pub(crate) enum Input {
    Host(HostTensor),
    Device(DeviceTensor),
}

impl CallInput for Input {
    fn shape(&self) -> Shape {
        match self {
            Input::Host(tensor) => *tensor.shape(),
            Input::Device(tensor) => tensor.shape,
        }
    }

    fn host(&self) -> Option<&HostTensor> {
        match self {
            Input::Host(tensor) => Some(tensor),
            Input::Device(_) => None,
        }
    }

    fn converts(&self, device: DType) -> Result<(), Mismatch> {
        match self {
            Input::Host(tensor) => types::converts(tensor.dtype(), device),
            Input::Device(tensor) if tensor.stored == device => Ok(()),
            Input::Device(tensor) => Err(Mismatch::Types { from: tensor.stored, to: device }),
        }
    }
}

/// Brings inputs to their memory: first all of them are converted, which may fail, then all are written.
#[derive(Debug, Default)]
pub(super) struct InputWriter {
    /// The bytes of inputs that are of another type on the device, one after the other.
    converted: Vec<u8>,
    /// Where those of each input lie, if they do.
    ranges: Vec<Option<Range<usize>>>,
    /// What small inputs hold, as the host wrote it, where it is still there. By value id.
    remembered: HashMap<u32, Vec<u8>>,
}

impl InputWriter {
    /// Converts the inputs of a call.
    pub(super) fn convert(&mut self, graph: &Graph, plan: &GraphPlan, inputs: &[Input]) -> Result<()> {
        self.converted.clear();
        self.ranges.clear();
        for (number, (input, planned)) in inputs.iter().zip(&plan.inputs).enumerate() {
            let start = self.converted.len();
            let converted = match (input, input_type(graph, number)) {
                (Input::Host(tensor), Some(dtype)) if planned.is_read => {
                    types::convert(tensor, dtype, &mut self.converted)
                }
                (Input::Host(tensor), Some(dtype)) => types::check(tensor, dtype).map(|()| false),
                _ => Ok(false),
            };
            let converted = converted.map_err(|mismatch| mismatch.of_input(number))?;
            self.ranges.push(converted.then_some(start..self.converted.len()));
        }
        Ok(())
    }

    /// Writes the inputs that were converted last to where launches read them.
    pub(super) fn write(
        &mut self,
        graph: &Graph,
        plan: &GraphPlan,
        inputs: &[Input],
        memory: &GraphMemory,
        recorder: &mut Recorder,
    ) {
        for (number, (input, planned)) in inputs.iter().zip(&plan.inputs).enumerate() {
            let id = graph.inputs[number];
            let Some(buffer) = memory.boundary(id).filter(|_| planned.is_read) else { continue };
            match input {
                Input::Host(tensor) => {
                    let converted = self.ranges.get(number).cloned().flatten();
                    let bytes = converted.map_or(tensor.bytes(), |range| &self.converted[range]);
                    // Settings are mostly the same from call to call, and a write costs more than a look.
                    if self.remembered.get(&id).is_none_or(|remembered| remembered != bytes) {
                        recorder.write(buffer, 0, bytes);
                        self.remembered.remove(&id);
                        if bytes.len() <= REMEMBERED && !planned.is_overwritten {
                            self.remembered.insert(id, bytes.to_vec());
                        }
                    } else if planned.is_overwritten {
                        self.remembered.remove(&id);
                    }
                }
                Input::Device(tensor) => {
                    self.remembered.remove(&id);
                    let bytes = tensor.bytes().next_multiple_of(4);
                    if bytes > 0 && tensor.buffer != *buffer {
                        recorder.encoder().copy_buffer_to_buffer(&tensor.buffer, 0, buffer, 0, bytes);
                    }
                }
            }
        }
    }

    /// Forgets what inputs hold, since their memory is another.
    pub(super) fn forget(&mut self) {
        self.remembered.clear();
    }
}
