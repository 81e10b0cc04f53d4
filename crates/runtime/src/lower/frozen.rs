//! Buffers of which a delegate reads a frozen copy.
//!
//! An operator in place on a slice of a buffer, such as `state[:1].mul_(keep)`, is exported as an operator whose first
//! argument is the slice, and a kernel that puts the result into the buffer. Where the slice is all of the buffer, the
//! exporter makes the buffer's first contents a constant of the delegate, though the program changes the buffer.

use super::calls::SCATTERS;
use super::ids::ById as _;
use crate::graph::{Constant, Graph, MethodGraph, Node, ProgramTensor, ProgramValue, Role, Step, TensorValue, Value};
use crate::types;

/// A constant of a delegate that stands where a buffer of the program belongs, if its bytes are the buffer's first contents.
#[derive(Debug)]
pub(crate) struct Frozen {
    /// The step that calls the delegate.
    step: usize,
    /// What the delegate's node reads.
    value: u32,
    /// The buffer.
    buffer: u32,
}

/// Constants that may be frozen buffers.
pub(crate) fn find(method: &MethodGraph) -> Vec<Frozen> {
    let changed = |id: u32| {
        let copies = |step: &Step| {
            matches!(step, Step::Kernel { op, args, .. }
                if op.portable == Some("aten::copy_") && args.first() == Some(&id))
        };
        method.steps.iter().any(copies)
    };
    let assigned = method.steps.iter().filter_map(|step| match step {
        Step::Kernel { op, args, .. } if SCATTERS.contains(&op.portable) => match args[..] {
            [buffer, part, ..] if changed(buffer) => Some((buffer, part)),
            _ => None,
        },
        _ => None,
    });
    assigned.filter_map(|(buffer, part)| frozen(method, buffer, part)).collect()
}

/// The constant, and the buffer with what it begins as, both of one type and shape.
pub(crate) fn contents<'m>(method: &'m MethodGraph, frozen: &Frozen) -> Option<(&'m Constant, &'m ProgramTensor)> {
    let Step::Delegate { index, .. } = method.steps.get(frozen.step)? else { return None };
    let graph = method.delegates.get(*index)?;
    let ProgramValue::Tensor(buffer) = method.values.by_id(frozen.buffer)? else { return None };
    let constant = graph.constants.get(constant_behind(graph, frozen.value)?)?;
    (constant.stored == buffer.dtype && constant.shape == buffer.shape).then_some((constant, buffer))
}

/// Makes the constant an input of the delegate, which takes the buffer.
pub(crate) fn thaw(method: &mut MethodGraph, frozen: &Frozen) {
    let Some(Step::Delegate { index, inputs, .. }) = method.steps.get_mut(frozen.step) else { return };
    let Some(graph) = method.delegates.get_mut(*index) else { return };
    graph.nodes.retain(|node| !node.outputs.contains(&frozen.value));
    if let Some(Value::Tensor(tensor)) = graph.values.by_id_mut(frozen.value) {
        tensor.role = Role::Plain;
    }
    graph.inputs.push(frozen.value);
    inputs.push(frozen.buffer);
}

/// What the operator reads that computes `part`, where that may be the buffer.
fn frozen(method: &MethodGraph, buffer: u32, part: u32) -> Option<Frozen> {
    let computes = |step: &Step| matches!(step, Step::Delegate { outputs, .. } if outputs.contains(&part));
    let at = method.steps.iter().position(computes)?;
    let Step::Delegate { index, inputs, outputs, .. } = method.steps.get(at)? else { return None };
    let calls = |step: &&Step| matches!(step, Step::Delegate { index: called, .. } if called == index);
    if inputs.contains(&buffer) || method.steps.iter().filter(calls).count() != 1 {
        return None;
    }
    let graph = method.delegates.get(*index)?;
    let output = graph.outputs.get(outputs.iter().position(|id| *id == part)?)?;
    let node = graph.nodes.iter().find(|node| node.outputs.contains(output))?;
    let value = *node.args.first()?;
    constant_behind(graph, value)?;
    let (Value::Tensor(read), ProgramValue::Tensor(declared)) =
        (graph.values.by_id(value)?, method.values.by_id(buffer)?)
    else {
        return None;
    };
    let alike = read.shape == declared.shape && types::converts(declared.dtype, read.dtype).is_ok();
    (alike && readers(graph, value) == 1).then_some(Frozen { step: at, value, buffer })
}

/// The constant that a value is, or is the prepack of, where nothing else reads it.
fn constant_behind(graph: &Graph, value: u32) -> Option<usize> {
    let constant = |id: u32| match graph.values.by_id(id) {
        Some(Value::Tensor(TensorValue { role: Role::Constant(constant), .. })) => Some(*constant),
        _ => None,
    };
    let prepack = |node: &&Node| node.op.name == "et_vk.prepack.default" && node.outputs == [value];
    match graph.nodes.iter().find(prepack).and_then(|node| node.args.first()) {
        Some(&packed) if readers(graph, packed) == 1 => constant(packed),
        Some(_) => None,
        None => constant(value),
    }
}

/// How often nodes read a value.
fn readers(graph: &Graph, value: u32) -> usize {
    let listed = |id: &u32| matches!(graph.values.by_id(*id), Some(Value::List(items)) if items.contains(&value));
    graph.nodes.iter().flat_map(|node| &node.args).filter(|id| **id == value || listed(id)).count()
}
