//! Operators that a caller appends to a method when it is loaded, so that they run where its results are.

use pteron_ops::{Body, Caps, catalogue};
use pteron_pte::Dynamism;
use pteron_tensor::{DType, Shape};

use crate::error::{Error, Result};
use crate::graph::{Graph, MethodGraph, Node, ProgramTensor, ProgramValue, Role, Step, TensorValue, Value};
use crate::plan::GraphPlan;
use crate::port::Port;
use crate::types;

/// An operator that is appended to a method when it is loaded.
///
/// It runs in the delegate that computes the results that it takes, after everything that the program runs there. The
/// method takes its new inputs after the program's own and gives its outputs after them;
/// [`Method::appended`](crate::Method::appended) says where.
///
/// ```
/// use pteron_runtime::{Appended, Argument, DType, MethodOptions, Port, TensorType};
///
/// // The number of the greatest element of the first output's last dimension.
/// let greatest = Appended {
///     op: "aten.argmax.default".to_owned(),
///     args: vec![Argument::Output(Port::Program(0)), Argument::Int(-1), Argument::Bool(false)],
///     outputs: vec![TensorType::fixed(DType::I64, &[1])?],
/// };
/// let options = MethodOptions::default().with_append(vec![greatest]);
/// # Ok::<(), pteron_runtime::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Appended {
    /// Its name, as graphs of delegates have it.
    pub op: String,
    /// Its arguments, by its schema. At least one is a result.
    pub args: Vec<Argument>,
    /// What it gives.
    pub outputs: Vec<TensorType>,
}

/// An argument of an operator that is appended.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Argument {
    /// A result of the program, or of an operator that is appended before.
    Output(Port),
    /// A new input of the method.
    Input(TensorType),
    /// Nothing, where an argument is optional.
    Null,
    /// An integer.
    Int(i64),
    /// A float.
    Double(f64),
    /// A truth value.
    Bool(bool),
    /// Integers.
    Ints(Vec<i64>),
}

/// What a tensor holds, as the caller sees it. On a device it may be narrower, as everything that a program names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TensorType {
    /// The element type.
    pub dtype: DType,
    /// The sizes, or their upper bounds.
    pub shape: Shape,
    /// Whether the sizes may be smaller.
    pub dynamic: bool,
}

/// Where the inputs and outputs of an appended operator are among those of its method, each in the order in which the
/// operator was described.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct AppendedPorts {
    /// The new inputs.
    pub inputs: Vec<usize>,
    /// The outputs.
    pub outputs: Vec<usize>,
}

impl TensorType {
    /// A tensor of these sizes, always.
    pub fn fixed(dtype: DType, dims: &[usize]) -> Result<TensorType> {
        Ok(TensorType { dtype, shape: Shape::new(dims)?, dynamic: false })
    }

    /// The value of a program that is such a tensor.
    fn of_program(self) -> ProgramValue {
        let TensorType { dtype, shape, dynamic } = self;
        let dynamism = if dynamic { Dynamism::UpperBound } else { Dynamism::Static };
        ProgramValue::Tensor(ProgramTensor { dtype, shape, dynamism, data: None, order: None, allocation: None })
    }

    /// The value of a graph that is such a tensor, where the device has its type.
    fn of_graph(self, caps: &Caps) -> Result<Value, String> {
        let dtype =
            types::on_device(self.dtype, caps).ok_or_else(|| format!("no device has {} elements", self.dtype))?;
        Ok(Value::Tensor(TensorValue { dtype, shape: self.shape, role: Role::Plain }))
    }
}

/// Appends operators one after the other.
pub(crate) fn append(method: &mut MethodGraph, appended: &[Appended], caps: &Caps) -> Result<()> {
    for operator in appended {
        let ports = append_one(method, operator, caps).map_err(|reason| {
            let (op, method) = (operator.op.clone(), method.name.clone());
            Error::Append { op, method, reason }
        })?;
        method.appended.push(ports);
    }
    Ok(())
}

/// Appends an operator, or says why it cannot be.
fn append_one(method: &mut MethodGraph, operator: &Appended, caps: &Caps) -> Result<AppendedPorts, String> {
    let op = catalogue::lookup(&operator.op).filter(|op| matches!(op.body, Body::Tensor { .. }));
    let op = op.ok_or("no such operator runs on tensors here")?;
    let call = delegate_call(method, operator)?;
    // Everything that can be refused is refused before anything changes.
    let mut args = Vec::with_capacity(operator.args.len());
    for argument in &operator.args {
        args.push(match argument {
            Argument::Output(port) => Prepared::Known(graph_output(method, call, *port)?),
            Argument::Input(tensor) => Prepared::Input(*tensor, tensor.of_graph(caps)?),
            Argument::Null => Prepared::New(Value::Null),
            Argument::Int(value) => Prepared::New(Value::Int(*value)),
            Argument::Double(value) => Prepared::New(Value::Double(*value)),
            Argument::Bool(value) => Prepared::New(Value::Bool(*value)),
            Argument::Ints(values) => Prepared::New(Value::Ints(values.clone())),
        });
    }
    let outputs = operator.outputs.iter().map(|tensor| tensor.of_graph(caps)).collect::<Result<Vec<_>, String>>()?;
    let MethodGraph { values, inputs: method_inputs, outputs: method_outputs, steps, delegates, .. } = method;
    let Step::Delegate { index, inputs, outputs: call_outputs, .. } = &mut steps[call] else {
        return Err("it is appended to no delegate".to_owned());
    };
    let graph = &mut delegates[*index];

    let mut ports = AppendedPorts::default();
    let mut ids = Vec::with_capacity(args.len());
    for argument in args {
        ids.push(match argument {
            Prepared::Known(id) => id,
            Prepared::New(value) => push(&mut graph.values, value),
            Prepared::Input(tensor, value) => {
                let id = push(&mut graph.values, value);
                graph.inputs.push(id);
                let given = push(values, tensor.of_program());
                inputs.push(given);
                ports.inputs.push(method_inputs.len());
                method_inputs.push(given);
                id
            }
        });
    }
    let mut results = Vec::with_capacity(outputs.len());
    for (tensor, value) in operator.outputs.iter().zip(outputs) {
        let id = push(&mut graph.values, value);
        graph.outputs.push(id);
        graph.appended.push(id);
        results.push(id);
        let given = push(values, tensor.of_program());
        call_outputs.push(given);
        ports.outputs.push(method_outputs.len());
        method_outputs.push(given);
    }
    let number = graph.nodes.iter().map(|node| node.id.saturating_add(1)).max().unwrap_or(0);
    graph.nodes.push(Node { id: number, op, args: ids, outputs: results });
    Ok(ports)
}

/// An argument as the graph takes it.
enum Prepared {
    /// A value that is there.
    Known(u32),
    New(Value),
    Input(TensorType, Value),
}

fn push<T>(values: &mut Vec<T>, value: T) -> u32 {
    values.push(value);
    u32::try_from(values.len() - 1).unwrap_or(u32::MAX)
}

/// The step that computes all results that an operator takes: one delegate call.
fn delegate_call(method: &MethodGraph, operator: &Appended) -> Result<usize, String> {
    let mut found = None;
    for argument in &operator.args {
        let Argument::Output(port) = argument else { continue };
        let output = port.output(method)?;
        let call = method.computed_by(method.outputs[output]);
        let call = call.ok_or_else(|| format!("output {output} is not the result of one delegate call"))?;
        if *found.get_or_insert(call) != call {
            return Err("its arguments come from several delegates".to_owned());
        }
    }
    found.ok_or_else(|| "none of its arguments is a result".to_owned())
}

/// The value of a delegate's graph that an output of its method is.
fn graph_output(method: &MethodGraph, call: usize, port: Port) -> Result<u32, String> {
    let missing = || format!("the delegate lacks output {port}");
    let value = method.outputs[port.output(method)?];
    let Step::Delegate { index, outputs, .. } = &method.steps[call] else { return Err(missing()) };
    let position = outputs.iter().position(|&output| output == value).ok_or_else(missing)?;
    method.delegates.get(*index).and_then(|graph| graph.outputs.get(position)).copied().ok_or_else(missing)
}

/// Checks that appended operators give what the caller says that they give.
pub(crate) fn check_outputs(graph: &Graph, largest: &GraphPlan) -> Result<()> {
    for (id, planned) in graph.outputs.iter().zip(&largest.outputs) {
        let Value::Tensor(declared) = &graph.values[*id as usize] else { continue };
        if graph.appended.contains(id) && (declared.dtype, declared.shape) != (planned.dtype, planned.shape) {
            return Err(Error::Misuse(format!(
                "an operator that is appended to {} gives {}{}, and is said to give {}{}",
                graph.name, planned.dtype, planned.shape, declared.dtype, declared.shape
            )));
        }
    }
    Ok(())
}
