//! Lets a method choose the next token where its logits are: one more node at the end of its delegate's graph.

use pteron_ops::catalogue;
use pteron_pte::Dynamism;
use pteron_tensor::{DType, Shape};

use crate::error::{Error, Result};
use crate::graph::{Feedback, MethodGraph, Node, ProgramTensor, ProgramValue, Role, Step, TensorValue, Value};

/// Adds an input, the settings of the draw, and an output, the token, to a method that is one delegate call with one
/// row of logits as its first output. Any other method is an error.
pub(crate) fn append(method: &mut MethodGraph) -> Result<()> {
    let refuse = |reason: &str| {
        let name = &method.name;
        Err(Error::Misuse(format!("{name} cannot choose the next token: {reason}")))
    };
    let [Step::Delegate { index, inputs, outputs, .. }] = &mut method.steps[..] else {
        return refuse("it is not one delegate call");
    };
    let Some(&logits) = method.outputs.first() else { return refuse("it has no output") };
    match &method.values[logits as usize] {
        ProgramValue::Tensor(tensor) if tensor.dtype == DType::F32 && is_one_row(&tensor.shape) => {}
        ProgramValue::Tensor(tensor) => {
            let (dtype, shape) = (tensor.dtype, tensor.shape);
            return refuse(&format!("its first output is {dtype}{shape}, not one row of f32 logits"));
        }
        _ => return refuse("its first output is no tensor"),
    }
    let Some(position) = outputs.iter().position(|&output| output == logits) else {
        return refuse("its first output is not computed by its delegate");
    };
    let missing = || Error::Program(format!("the delegate of {} lacks an output", method.name));
    let graph = method.delegates.get_mut(*index).ok_or_else(missing)?;
    let logits = *graph.outputs.get(position).ok_or_else(missing)?;
    let missing = || Error::Program("the catalogue has no pteron.next_token".to_owned());
    let op = catalogue::lookup("pteron.next_token.default").ok_or_else(missing)?;
    let (settings, token) = (Shape::new(&[4])?, Shape::new(&[1, 1])?);

    let number = graph.nodes.iter().map(|node| node.id.saturating_add(1)).max().unwrap_or(0);
    let mut add = |dtype, shape| {
        graph.values.push(Value::Tensor(TensorValue { dtype, shape, role: Role::Plain }));
        u32::try_from(graph.values.len() - 1).unwrap_or(u32::MAX)
    };
    let (sampling, chosen) = (add(DType::F32, settings), add(DType::I32, token));
    graph.nodes.push(Node { id: number, op, args: vec![logits, sampling], outputs: vec![chosen] });
    let is_ids = |id: &u32| matches!(&graph.values[*id as usize], Value::Tensor(tensor) if tensor.dtype == DType::I32);
    graph.feedback = graph.inputs.first().copied().filter(is_ids).map(|input| Feedback { input, output: chosen });
    graph.inputs.push(sampling);
    graph.outputs.push(chosen);

    let mut add = |dtype, shape| {
        let dynamism = Dynamism::Static;
        let tensor = ProgramTensor { dtype, shape, dynamism, data: None, order: None, allocation: None };
        method.values.push(ProgramValue::Tensor(tensor));
        u32::try_from(method.values.len() - 1).unwrap_or(u32::MAX)
    };
    let (sampling, chosen) = (add(DType::F32, settings), add(DType::I64, token));
    inputs.push(sampling);
    outputs.push(chosen);
    method.inputs.push(sampling);
    method.outputs.push(chosen);
    Ok(())
}

fn is_one_row(shape: &Shape) -> bool {
    shape.numel() > 0 && shape.last() == Some(&shape.numel())
}
