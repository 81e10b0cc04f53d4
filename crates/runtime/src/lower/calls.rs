//! Fits the calls of delegates to their graphs: which arguments are the inputs, which the outputs.
//!
//! The arguments of a call are the graph's inputs and then its outputs. Up to version 1.5 the exporter's Vulkan backend
//! writes graphs that disagree with their calls, which its own runtime refuses. It leaves inputs without users out of the
//! graph, and it gives the new contents of buffers as outputs, before all others, though no call takes them. A call is
//! fitted where the types, the sizes and the rest of the program leave one meaning, and refused otherwise.

use std::collections::HashSet;

use pteron_pte::Dynamism;
use pteron_tensor::DType;

use super::ids::ById as _;
use super::views::reads_and_writes;
use super::{repeated, states};
use crate::error::{Error, Result};
use crate::graph::{Constant, DataRef, Graph, ProgramValue, Role, Step, TensorValue, Value};
use crate::types;

/// The most arguments, times those that may be left out, that are looked at: far more than an exporter writes.
const MOST_WORK: usize = 1 << 20;

/// The most arguments times outputs of a graph where results may be named more than once.
const MOST_REPEATED: usize = 1 << 12;

/// The kernels that put elements into a part of a tensor: the tensor, the elements, and where.
pub(super) const SCATTERS: [Option<&str>; 2] = [Some("aten::slice_scatter.out"), Some("aten::select_scatter.out")];

/// For each argument of a call, its dimensions from outermost to innermost in memory, where they are not in order.
pub(super) type Orders<'a> = Vec<Option<&'a [u8]>>;

/// The orders that the arguments of a delegate's calls have. It is for one choice of them that it was compiled.
pub(super) fn orders<'a>(
    steps: &[Step],
    values: &'a [ProgramValue],
    delegate: usize,
    name: &str,
) -> Result<Orders<'a>> {
    let order = |id: &u32| match values.by_id(*id) {
        Some(ProgramValue::Tensor(tensor)) => tensor.order.as_deref(),
        _ => None,
    };
    let calls = steps.iter().filter_map(|step| match step {
        Step::Delegate { index, inputs, .. } if *index == delegate => Some(inputs.iter().map(order).collect()),
        _ => None,
    });
    let mut calls: Vec<Orders<'_>> = calls.collect();
    calls.dedup();
    match calls.len() {
        0 => Ok(Vec::new()),
        1 => Ok(calls.swap_remove(0)),
        _ => Err(Error::Program(format!(
            "{name} is called with tensors whose dimensions are stored in different orders"
        ))),
    }
}

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
            call.check_unused(&taken, graph)?;
            let given = args.len().saturating_sub(graph.results());
            let given = args.get(given..).unwrap_or_default();
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
    check_buffers(graphs)?;
    for (index, graph) in graphs.iter_mut().enumerate() {
        forget_numbers(index, graph, steps, values);
    }
    Ok(())
}

/// Refuses a buffer that one graph changes and another only reads: the exporter gives each a copy of its first contents, so the
/// other would read these for ever. Another tensor of the same contents looks the same in the file.
fn check_buffers(graphs: &[Graph]) -> Result<()> {
    for graph in graphs {
        for state in states_of(graph) {
            let has_copy = |other: &&Graph| {
                let read = other.constants.iter().any(|constant| is_same(constant, state));
                !std::ptr::eq(*other, graph) && read && !states_of(other).any(|own| is_same(own, state))
            };
            if let Some(other) = graphs.iter().find(has_copy) {
                return Err(Error::Program(format!(
                    "{} changes a buffer of {} that {} has a copy of, which would never change: let one of them alone use \
                     the buffer, or export the program without the Vulkan partitioner",
                    graph.name, state.shape, other.name
                )));
            }
        }
    }
    Ok(())
}

/// The first contents of what a graph changes from call to call.
fn states_of(graph: &Graph) -> impl Iterator<Item = &Constant> {
    graph.values.iter().filter_map(|value| match value {
        Value::Tensor(TensorValue { role: Role::State(constant), .. }) => graph.constants.get(*constant),
        _ => None,
    })
}

/// Whether constants are one tensor of the file, or two that have the same elements there.
fn is_same(one: &Constant, other: &Constant) -> bool {
    let data = match (&one.data, &other.data) {
        (DataRef::File(file, range), DataRef::File(other, within)) => (file, range) == (other, within),
        _ => false,
    };
    data && (one.shape, one.stored) == (other.shape, other.stored)
}

/// The values of a graph that something reads.
fn used(graph: &Graph) -> HashSet<u32> {
    let args = graph.nodes.iter().flat_map(|node| &node.args);
    let read = args.flat_map(|arg| match graph.values.by_id(*arg) {
        Some(Value::List(items)) => items.as_slice(),
        _ => std::slice::from_ref(arg),
    });
    read.chain(&graph.outputs).copied().collect()
}

/// Leaves numbers that a graph does not use out of its calls. XNNPACK's graphs get sizes of tensors that only views outside
/// need, and have no tensors for them.
fn forget_numbers(index: usize, graph: &mut Graph, steps: &mut [Step], values: &[ProgramValue]) {
    let calls = steps.iter_mut().filter_map(|step| match step {
        Step::Delegate { index: called, inputs, .. } if *called == index => Some(inputs),
        _ => None,
    });
    let mut calls: Vec<&mut Vec<u32>> = calls.collect();
    if calls.is_empty() {
        return;
    }
    let is_number = |id: Option<&u32>| matches!(id.and_then(|&id| values.by_id(id)), Some(ProgramValue::Int(_)));
    let used = used(graph);
    let keep: Vec<bool> = (graph.inputs.iter().enumerate())
        .map(|(at, input)| used.contains(input) || !calls.iter().all(|inputs| is_number(inputs.get(at))))
        .collect();
    let kept = |ids: &mut Vec<u32>| {
        let mut keep = keep.iter();
        ids.retain(|_| keep.next().copied().unwrap_or(true));
    };
    kept(&mut graph.inputs);
    calls.iter_mut().for_each(|inputs| kept(inputs));
}

/// Pairs of a tensor and what is assigned to a part of it.
///
/// Assignment to a slice is exported as two operators: one that takes the tensor for its shape, which becomes nothing in a
/// delegate, and one that puts the new elements into the tensor.
fn assignments(steps: &[Step], values: &[ProgramValue]) -> HashSet<(u32, u32)> {
    let pair = |step: &Step| match step {
        Step::Kernel { op, args, .. } if SCATTERS.contains(&op.portable) => match args[..] {
            [target, source, ..] if values.by_id(target).is_some() => Some((target, source)),
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
    /// The graph's outputs in the order of the call's, where some are named more than once.
    outputs: Option<Vec<u32>>,
}

impl Call<'_> {
    /// The arguments that the graph takes. What it returns beside the call's outputs becomes its state.
    fn inputs(&self, graph: &mut Graph) -> Result<Vec<u32>> {
        let taken = graph.inputs.len();
        if let Some((inputs, results)) = self.args.split_at_checked(taken)
            && results.len() == graph.results()
            && !self.contradicts(results, graph)
        {
            return Ok(inputs.to_vec());
        }
        let least =
            self.args.iter().rposition(|&id| self.holds(id)).map_or(0, |last| last.saturating_add(1)).max(taken);
        let mut fits = Vec::new();
        for split in least..=self.args.len() {
            fits.extend(self.fit_at(split, graph)?);
        }
        let work = self.args.len().saturating_mul(graph.outputs.len());
        if fits.is_empty() && graph.numbers.is_empty() && work <= MOST_REPEATED {
            for split in least..=self.args.len() {
                fits.extend(self.fit_repeated(split, graph)?);
            }
        }
        let (Some(fit), true) = (fits.pop(), fits.is_empty()) else { return Err(self.refusal(graph)) };
        states::keep(graph, &fit.states);
        if let Some(outputs) = fit.outputs {
            repeated::give(graph, &outputs)?;
        }
        Ok(fit.inputs)
    }

    /// Whether an argument cannot be the output in its place: both have a size that is always the same, or a type, and another.
    fn contradicts(&self, results: &[u32], graph: &Graph) -> bool {
        let other = |(&id, &output): (&u32, &u32)| match (self.values.by_id(id), graph.values.by_id(output)) {
            (Some(ProgramValue::Tensor(declared)), Some(Value::Tensor(tensor))) => {
                let sizes = declared.dynamism == Dynamism::Static && tensor.shape.numel() != declared.shape.numel();
                sizes || types::converts(declared.dtype, tensor.dtype).is_err()
            }
            _ => false,
        };
        graph.numbers.is_empty() && results.iter().zip(&graph.outputs).any(other)
    }

    /// The ways to fit the call where its inputs end at `split` and its results name tensors of the graph more than once.
    fn fit_repeated(&self, split: usize, graph: &Graph) -> Result<Vec<Fit>> {
        let (args, results) = self.args.split_at(split);
        let fits = |at: usize, output: u32| match (
            results.get(at).and_then(|&id| self.values.by_id(id)),
            graph.values.by_id(output),
        ) {
            (Some(ProgramValue::Tensor(declared)), Some(Value::Tensor(tensor))) => {
                tensor.shape == declared.shape && types::converts(declared.dtype, tensor.dtype).is_ok()
            }
            _ => false,
        };
        let mut found = Vec::new();
        for returned in 0..=graph.outputs.len().min(states::MOST) {
            if let Some(states) = states::find(graph, returned)
                && let Some(outputs) = repeated::find(graph, returned, results.len(), fits)
                && let Choice::One(inputs) = self.choose(args, graph, |_| false)?
            {
                found.push(Fit { inputs, states, outputs: Some(outputs) });
            }
        }
        Ok(found)
    }

    /// Whether a value holds something before the call.
    fn holds(&self, id: u32) -> bool {
        self.filled.contains(&id)
            || matches!(self.values.by_id(id), Some(ProgramValue::Tensor(tensor)) if tensor.data.is_some())
    }

    /// Refuses a tensor that the graph does not use and that nothing has computed: it is a result that the graph lacks.
    fn check_unused(&self, inputs: &[u32], graph: &Graph) -> Result<()> {
        let used = used(graph);
        let is_tensor = |id: u32| matches!(self.values.by_id(id), Some(ProgramValue::Tensor(_)));
        let lost =
            |(_, (id, input)): &(usize, (&u32, &u32))| !used.contains(input) && is_tensor(**id) && !self.holds(**id);
        match inputs.iter().zip(&graph.inputs).enumerate().find(lost) {
            None => Ok(()),
            Some((place, _)) => {
                let what = "a result: the exporter left it out of the graph";
                Err(Error::Program(format!("{} has no tensor for argument {place} of its call, {what}", graph.name)))
            }
        }
    }

    /// The one way to fit the call where its inputs end at `split`.
    fn fit_at(&self, split: usize, graph: &Graph) -> Result<Option<Fit>> {
        let (args, outputs) = self.args.split_at(split);
        let returned = graph.results().checked_sub(outputs.len()).filter(|&returned| returned <= states::MOST);
        let Some(returned) = returned.filter(|&returned| self.gives(outputs, returned, graph)) else { return Ok(None) };
        let Some(states) = states::find(graph, returned) else { return Ok(None) };
        let anything = |_: u32| true;
        let assigned_to = |id: u32| {
            let target = |output: &u32| self.assigned.contains(&(id, *output));
            !matches!(self.values.by_id(id), Some(ProgramValue::Tensor(_))) || outputs.iter().any(target)
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
        Ok(chosen.map(|inputs| Fit { inputs, states, outputs: None }))
    }

    /// Whether the arguments are what a graph gives after the contents of as many buffers.
    fn gives(&self, outputs: &[u32], returned: usize, graph: &Graph) -> bool {
        let mut tensors = graph.outputs.iter();
        let mut fits = !(0..returned).any(|position| is_number(graph, position));
        tensors.by_ref().take(returned).for_each(drop);
        for (position, &id) in (returned..).zip(outputs) {
            let symbolic = is_number(graph, position);
            fits &= match self.values.by_id(id) {
                Some(ProgramValue::Tensor(declared)) if !symbolic => tensors.next().is_some_and(|&output| {
                    matches!(graph.values.by_id(output), Some(Value::Tensor(tensor))
                        if tensor.shape.numel() == declared.shape.numel()
                            && types::converts(declared.dtype, tensor.dtype).is_ok())
                }),
                Some(ProgramValue::Int(_)) => symbolic,
                _ => false,
            };
        }
        fits
    }

    /// The arguments that become the graph's inputs in their order, by type and sizes. An argument may be left out where
    /// `droppable` says so.
    fn choose(&self, args: &[u32], graph: &Graph, droppable: impl Fn(u32) -> bool) -> Result<Choice> {
        let Some(dropped) = args.len().checked_sub(graph.inputs.len()) else { return Ok(Choice::None) };
        if args.len().saturating_mul(dropped.saturating_add(1)) > MOST_WORK {
            return Err(self.refusal(graph));
        }
        let taken = |at: usize, arg: u32, left_out: usize| {
            let input = at.checked_sub(left_out).and_then(|number| graph.inputs.get(number));
            input.and_then(|&input| graph.values.by_id(input)).is_some_and(|input| self.takes(input, arg))
        };
        // By how many were left out before, for the arguments from some place on: none, one, or two for several. The last
        // argument's row comes first.
        let mut ways: Vec<Vec<u8>> = vec![(0..=dropped).map(|left_out| u8::from(left_out == dropped)).collect()];
        let way = |row: Option<&Vec<u8>>, left_out: usize| row.and_then(|row| row.get(left_out)).copied().unwrap_or(0);
        for (at, &arg) in args.iter().enumerate().rev() {
            let after = ways.last();
            let row = (0..=dropped).map(|left_out| {
                let keep = if taken(at, arg, left_out) { way(after, left_out) } else { 0 };
                let skip = if droppable(arg) { way(after, left_out.saturating_add(1)) } else { 0 };
                if left_out <= at { keep.saturating_add(skip).min(2) } else { 0 }
            });
            let row = row.collect();
            ways.push(row);
        }
        match way(ways.pop().as_ref(), 0) {
            0 => return Ok(Choice::None),
            1 => {}
            _ => return Ok(Choice::Several),
        }
        let mut inputs = Vec::with_capacity(graph.inputs.len());
        for (at, &arg) in args.iter().enumerate() {
            let (left_out, after) = (at.saturating_sub(inputs.len()), ways.pop());
            if taken(at, arg, left_out) && way(after.as_ref(), left_out) > 0 {
                inputs.push(arg);
            }
        }
        Ok(Choice::One(inputs))
    }

    /// Whether an argument can be an input, where a symbolic integer is a tensor of one element.
    fn takes(&self, input: &Value, arg: u32) -> bool {
        let Value::Tensor(input) = input else { return false };
        match self.values.by_id(arg) {
            Some(ProgramValue::Tensor(arg)) => {
                let one = arg.shape.numel() == 1 && input.shape.numel() == 1;
                types::converts(arg.dtype, input.dtype).is_ok() && (arg.shape == input.shape || one)
            }
            Some(ProgramValue::Int(_)) => input.shape.numel() == 1 && types::converts(DType::I64, input.dtype).is_ok(),
            _ => false,
        }
    }

    /// Why the call has no meaning that is sure, and how to export the program instead.
    fn refusal(&self, graph: &Graph) -> Error {
        let (args, inputs, outputs) = (self.args.len(), graph.inputs.len(), graph.results());
        let (fault, instead) = if inputs.saturating_add(outputs) < args {
            (
                "the exporter left inputs without users, and results that are the same tensor as another, out of the graph, \
                 and not one choice of the arguments is sure",
                "without results that are copies of each other, without unused inputs and assignments to slices, or with an \
                 exporter later than 1.5.1, which keeps them",
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
