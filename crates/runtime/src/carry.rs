//! Outputs that are carried into inputs of the next call.

use crate::error::{Error, Result};
use crate::graph::{Carried, MethodGraph, ProgramTensor, ProgramValue, Step, Value};
use crate::port::Port;

/// An output of a call that is to be an input of the next one.
///
/// The caller gives the output, as [`Submitted::outputs`](crate::Submitted::outputs) has it, to the next call as this
/// input. Where nothing reads the input any more when the output is computed, the output lies where the next call looks
/// for its input, and nothing is copied. The results are the same either way.
///
/// The output must be of the input's type, and of sizes that the input takes.
///
/// ```
/// use pteron_runtime::{Carry, MethodOptions, Port};
///
/// let carry = Carry { output: Port::Program(0), input: Port::Program(1) };
/// let options = MethodOptions::default().with_carry(vec![carry]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Carry {
    /// The output.
    pub output: Port,
    /// The input of the next call.
    pub input: Port,
}

/// Notes what is carried in the graphs of a method's delegates.
pub(crate) fn carry(method: &mut MethodGraph, carries: &[Carry]) -> Result<()> {
    let mut taken = Vec::new();
    for carry in carries {
        let refuse = |reason: String| {
            let Carry { output, input } = carry;
            Error::Misuse(format!("output {output} of {} cannot be carried into input {input}: {reason}", method.name))
        };
        let (output, input) =
            (carry.output.output(method).map_err(refuse)?, carry.input.input(method).map_err(refuse)?);
        if taken.contains(&input) {
            return Err(refuse("another output is".to_owned()));
        }
        taken.push(input);
        let (output, input) = (method.outputs[output], method.inputs[input]);
        check_types(&method.values[output as usize], &method.values[input as usize]).map_err(refuse)?;
        if let Some((delegate, carried)) = in_one_call(method, output, input) {
            method.delegates[delegate].carried.push(carried);
        }
    }
    Ok(())
}

/// Says what keeps an output from being an input.
fn check_types(output: &ProgramValue, input: &ProgramValue) -> Result<(), String> {
    let (ProgramValue::Tensor(output), ProgramValue::Tensor(input)) = (output, input) else {
        return Err("only tensors can be".to_owned());
    };
    if output.dtype == input.dtype && input.takes(&output.shape) {
        return Ok(());
    }
    let described = |tensor: &ProgramTensor| format!("{}{}", tensor.dtype, tensor.shape);
    Err(format!("it is {}, and the input takes {}", described(output), described(input)))
}

/// The delegate whose one call computes an output and takes an input, and the values that they are in its graph.
fn in_one_call(method: &MethodGraph, output: u32, input: u32) -> Option<(usize, Carried)> {
    let Step::Delegate { index, inputs, outputs, .. } = &method.steps[method.computed_by(output)?] else { return None };
    let graph = method.delegates.get(*index)?;
    let output = *graph.outputs.get(outputs.iter().position(|&id| id == output)?)?;
    let input = *graph.inputs.get(inputs.iter().position(|&id| id == input)?)?;
    let types = [output, input].map(|id| match &graph.values[id as usize] {
        Value::Tensor(tensor) => Some(tensor.dtype),
        _ => None,
    });
    (types[0].is_some() && types[0] == types[1]).then_some((*index, Carried { input, output }))
}
