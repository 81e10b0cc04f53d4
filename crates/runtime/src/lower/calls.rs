//! Fits the calls of delegates to their graphs: which arguments are the inputs, which the outputs.
//!
//! The arguments of a call are the graph's inputs and then its outputs. Up to version 1.5 the exporter's Vulkan backend
//! writes graphs that disagree with their calls, which its own runtime refuses. It leaves inputs without users out of the
//! graph, and it gives the new contents of buffers as outputs, before all others, though no call takes them. A call is
//! fitted where the types, the sizes and the rest of the program leave one meaning, and refused otherwise.

use std::collections::HashSet;

use pteron_tensor::DType;

use super::states;
use super::views::reads_and_writes;
use crate::error::{Error, Result};
use crate::graph::{Graph, ProgramValue, Step, Value};
use crate::types;

/// The most arguments, times those that may be left out, that are looked at: far more than an exporter writes.
const MOST_WORK: usize = 1 << 20;

/// The kernels that put elements into a part of a tensor: the tensor, the elements, and where.
pub(super) const SCATTERS: [Option<&str>; 2] = [Some("aten::slice_scatter.out"), Some("aten::select_scatter.out")];

/// Splits the arguments of every call of a delegate, and gives graphs the state that they return.
pub(super) fn fit(
    steps: &mut [Step],
    values: &[ProgramValue],
    method_inputs: &[u32],
    graphs: &mut [Graph],
) -> Result<()> {
    let mut filled: HashSet<u32> = method_inputs.iter().copied().collect();
    let assigned = assignments(steps, values);
    for step in steps.iter_mut() {
        if let Step::Delegate { index, inputs, outputs, numbers } = step {
            let wrong = || Error::Program(format!("the program calls delegate {index}, and has no such delegate"));
            let graph = graphs.get_mut(*index).ok_or_else(wrong)?;
            let args = std::mem::take(inputs);
            let call = Call { args: &args, values, filled: &filled, assigned: &assigned };
            let taken = call.inputs(graph)?;
            let given = &args[args.len() - (graph.outputs.len() + graph.numbers.len())..];
            for (position, &id) in given.iter().enumerate() {
                if is_number(graph, position) { &mut *numbers } else { &mut *outputs }.push(id);
            }
            *inputs = taken;
        }
        filled.extend(reads_and_writes(step, values).1);
        if let Step::Delegate { numbers, .. } = step {
            filled.extend(&*numbers);
        }
    }
    Ok(())
}

/// Pairs of a tensor and what is assigned to a part of it.
///
/// Assignment to a slice is exported as two operators: one that takes the tensor for its shape, which becomes nothing in a
/// delegate, and one that puts the new elements into the tensor.
fn assignments(steps: &[Step], values: &[ProgramValue]) -> HashSet<(u32, u32)> {
    let pair = |step: &Step| match step {
        Step::Kernel { op, args, .. } if SCATTERS.contains(&op.portable) => match args[..] {
            [target, source, ..] if (target as usize) < values.len() => Some((target, source)),
            _ => None,
        },
        _ => None,
    };
    steps.iter().filter_map(pair).collect()
}

/// A call of a delegate.
struct Call<'a> {
    args: &'a [u32],
    values: &'a [ProgramValue],
    /// Values that hold something before the call.
    filled: &'a HashSet<u32>,
    assigned: &'a HashSet<(u32, u32)>,
}

/// The arguments that a graph takes, and the state that it returns.
struct Fit {
    inputs: Vec<u32>,
    states: Vec<(u32, u32)>,
}

impl Call<'_> {
    /// The arguments that the graph takes. What it returns beside the call's outputs becomes its state.
    fn inputs(&self, graph: &mut Graph) -> Result<Vec<u32>> {
        let (taken, given) = (graph.inputs.len(), graph.outputs.len() + graph.numbers.len());
        if self.args.len() == taken + given {
            return Ok(self.args[..taken].to_vec());
        }
        let holds = |id: &u32| {
            self.filled.contains(id)
                || matches!(&self.values[*id as usize], ProgramValue::Tensor(tensor) if tensor.data.is_some())
        };
        let least = self.args.iter().rposition(holds).map_or(0, |last| last + 1).max(taken);
        let mut fits = Vec::new();
        for split in least..=self.args.len() {
            fits.extend(self.fit_at(split, graph)?);
        }
        let (Some(fit), true) = (fits.pop(), fits.is_empty()) else { return Err(self.refusal(graph)) };
        states::keep(graph, &fit.states);
        Ok(fit.inputs)
    }

    /// The one way to fit the call where its inputs end at `split`.
    fn fit_at(&self, split: usize, graph: &Graph) -> Result<Option<Fit>> {
        let (args, outputs) = self.args.split_at(split);
        let given = graph.outputs.len() + graph.numbers.len();
        let returned = given.checked_sub(outputs.len()).filter(|&returned| returned <= states::MOST);
        let Some(returned) = returned.filter(|&returned| self.gives(outputs, returned, graph)) else { return Ok(None) };
        let Some(states) = states::find(graph, returned) else { return Ok(None) };
        let anything = |_: u32| true;
        let assigned_to = |id: u32| {
            let target = |output: &u32| self.assigned.contains(&(id, *output));
            !matches!(self.values[id as usize], ProgramValue::Tensor(_)) || outputs.iter().any(target)
        };
        let chosen = match self.choose(args, graph, anything)? {
            Choice::One(inputs) => Some(inputs),
            Choice::None => None,
            // A tensor loses all its users where it only gave its shape to what is assigned to it.
            Choice::Several => match self.choose(args, graph, assigned_to)? {
                Choice::One(inputs) => Some(inputs),
                _ => None,
            },
        };
        Ok(chosen.map(|inputs| Fit { inputs, states }))
    }

    /// Whether the arguments are what a graph gives after the contents of as many buffers.
    fn gives(&self, outputs: &[u32], returned: usize, graph: &Graph) -> bool {
        let mut tensors = graph.outputs.iter();
        let mut fits = !(0..returned).any(|position| is_number(graph, position));
        tensors.by_ref().take(returned).for_each(drop);
        for (position, &id) in outputs.iter().enumerate() {
            let symbolic = is_number(graph, position + returned);
            fits &= match &self.values[id as usize] {
                ProgramValue::Tensor(declared) if !symbolic => tensors.next().is_some_and(|&output| {
                    matches!(&graph.values[output as usize], Value::Tensor(tensor)
                        if tensor.shape.numel() == declared.shape.numel()
                            && types::converts(declared.dtype, tensor.dtype).is_ok())
                }),
                ProgramValue::Int(_) => symbolic,
                _ => false,
            };
        }
        fits
    }

    /// The arguments that become the graph's inputs in their order, by type and sizes. An argument may be left out where
    /// `droppable` says so.
    fn choose(&self, args: &[u32], graph: &Graph, droppable: impl Fn(u32) -> bool) -> Result<Choice> {
        let Some(dropped) = args.len().checked_sub(graph.inputs.len()) else { return Ok(Choice::None) };
        if args.len().saturating_mul(dropped + 1) > MOST_WORK {
            return Err(self.refusal(graph));
        }
        // ways[left out so far] for the arguments from some place on: none, one, or two for several.
        let mut ways = vec![vec![0u8; dropped + 2]; args.len() + 1];
        ways[args.len()][dropped] = 1;
        let taken = |at: usize, left_out: usize| {
            let input = at.checked_sub(left_out).and_then(|number| graph.inputs.get(number));
            input.is_some_and(|&input| self.takes(&graph.values[input as usize], args[at]))
        };
        for at in (0..args.len()).rev() {
            for left_out in 0..=dropped.min(at) {
                let keep = if taken(at, left_out) { ways[at + 1][left_out] } else { 0 };
                let skip = if droppable(args[at]) { ways[at + 1][left_out + 1] } else { 0 };
                ways[at][left_out] = (keep + skip).min(2);
            }
        }
        match ways[0][0] {
            0 => return Ok(Choice::None),
            1 => {}
            _ => return Ok(Choice::Several),
        }
        let mut inputs = Vec::with_capacity(graph.inputs.len());
        for (at, &arg) in args.iter().enumerate() {
            let left_out = at - inputs.len();
            if taken(at, left_out) && ways[at + 1][left_out] > 0 {
                inputs.push(arg);
            }
        }
        Ok(Choice::One(inputs))
    }

    /// Whether an argument can be an input, where a symbolic integer is a tensor of one element.
    fn takes(&self, input: &Value, arg: u32) -> bool {
        let Value::Tensor(input) = input else { return false };
        match &self.values[arg as usize] {
            ProgramValue::Tensor(arg) => {
                let one = arg.shape.numel() == 1 && input.shape.numel() == 1;
                types::converts(arg.dtype, input.dtype).is_ok() && (arg.shape == input.shape || one)
            }
            ProgramValue::Int(_) => input.shape.numel() == 1 && types::converts(DType::I64, input.dtype).is_ok(),
            _ => false,
        }
    }

    /// Why the call has no meaning that is sure, and how to export the program instead.
    fn refusal(&self, graph: &Graph) -> Error {
        let (args, inputs, outputs) = (self.args.len(), graph.inputs.len(), graph.outputs.len() + graph.numbers.len());
        let (fault, instead) = if inputs + outputs < args {
            (
                "the exporter left inputs without users out of the graph, and not one choice of the arguments is sure",
                "with an exporter later than 1.5.1, which keeps them, or without the assignments to slices and the \
                 unused inputs that bring them",
            )
        } else {
            (
                "the exporter made outputs of the buffers that the graph changes, and it is not sure which is which",
                "with the partitioner's option alias_buffer_mutations",
            )
        };
        Error::Program(format!(
            "{} takes {inputs} inputs and gives {outputs} outputs, and is called with {args} arguments: {fault}; export \
             the program again {instead}",
            graph.name
        ))
    }
}

/// Whether the output at a place among all outputs is a symbolic integer.
fn is_number(graph: &Graph, position: usize) -> bool {
    graph.numbers.binary_search_by_key(&position, |number| number.0).is_ok()
}

/// The ways to choose a graph's inputs among arguments.
enum Choice {
    None,
    One(Vec<u32>),
    Several,
}
