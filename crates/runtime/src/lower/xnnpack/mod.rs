//! Graphs that the exporter's XNNPACK backend serialized.
//!
//! Their nodes become the operators that graphs have here. What XNNPACK rounds is rounded the same way (`rounded`,
//! `bytes`); images, which it has with the channels innermost, stay as they come and are only noted to be so (`layout`).

mod bytes;
mod constants;
mod convolutions;
mod floats;
mod layout;
mod linear;
mod moves;
mod rounded;
mod tensors;
mod windows;

use std::collections::{HashMap, HashSet};

use pteron_ops::{Caps, catalogue};
use pteron_pte::xnnpack as xnn;
use pteron_pte::xnnpack::{Datatype, Node as XnnNode, Operation, Quantization, Tensor, UnaryFunction};
use pteron_tensor::{DType, Shape};

use self::layout::{Held, Order};
use super::budget::Budget;
use super::calls::Orders;
use super::checks;
use super::data::{Constants, NamedData};
use super::ids::next_id;
use crate::error::{Error, Result, Unsupported, UnsupportedNode};
use crate::graph::{DataRef, Graph, Node, Role, TensorValue, Value};

/// Lowers a graph. `name` says where it is, for errors. Its tensors have the dimensions of arguments as they are in memory.
pub(super) fn graph(
    source: &xnn::Graph<'_>,
    name: String,
    orders: &Orders<'_>,
    named: &NamedData<'_>,
    caps: &Caps,
) -> Result<Graph> {
    let mut lowering = Lowering {
        source,
        orders,
        named,
        caps,
        name,
        tensors: Vec::with_capacity(source.tensors()),
        held: vec![None; source.tensors()],
        by_points: rounded::rounded_by_points(source)?,
        values: Vec::new(),
        nodes: Vec::new(),
        constants: Constants::default(),
        constant_values: HashMap::new(),
        constant_data: HashMap::new(),
        budget: Budget::new(source.flatbuffer_len()),
        current: (0, "graph"),
        widened: false,
    };
    for id in 0..source.tensors() {
        let id = u32::try_from(id).map_err(|_| Error::Program("too many tensors".to_owned()))?;
        lowering.tensors.push(source.tensor(id)?);
    }
    let inputs = lowering.inputs()?;
    let mut missing = Vec::new();
    for (number, node) in (0u32..).zip(source.nodes()) {
        let node = node?;
        lowering.current = (number, node.operation.name());
        match lowering.node(&node) {
            Ok(()) => {}
            Err(Error::Unsupported(unsupported)) => {
                missing.extend(unsupported.nodes);
                lowering.stand_in(&node)?;
            }
            Err(error) => return Err(error),
        }
    }
    if !missing.is_empty() {
        return Err(Unsupported { nodes: missing }.into());
    }
    let outputs = lowering.outputs()?;
    let Lowering { name, values, nodes, constants, widened, .. } = lowering;
    let constants = constants.into_vec();
    let graph = Graph { name, values, nodes, inputs, outputs, constants, widened, ..Graph::default() };
    checks::check_order(&graph)?;
    Ok(graph)
}

/// A graph in the making.
struct Lowering<'a> {
    source: &'a xnn::Graph<'a>,
    /// In which orders the arguments of a call have their dimensions in memory.
    orders: &'a Orders<'a>,
    named: &'a NamedData<'a>,
    caps: &'a Caps,
    name: String,
    /// The tensors of the file, by id.
    tensors: Vec<Tensor<'a>>,
    /// What holds each of them here, where it is computed or given.
    held: Vec<Option<Held>>,
    /// Those that are rounded point by point.
    by_points: HashSet<u32>,
    values: Vec<Value>,
    nodes: Vec<Node>,
    constants: Constants,
    /// Constants that are values already, by what they were made from.
    constant_values: HashMap<constants::Form, u32>,
    /// Where the bytes of constants of the file are.
    constant_data: HashMap<u32, DataRef>,
    /// How much more of the file may be copied.
    budget: Budget,
    /// The node that is lowered: its number and its kind.
    current: (u32, &'static str),
    /// Whether a 16-bit float was met that the device does not have.
    widened: bool,
}

/// An argument of an operator.
#[derive(Clone, Debug)]
enum Argument {
    /// A value of the graph.
    Value(u32),
    Null,
    Int(i64),
    Double(f64),
    Bool(bool),
    Ints(Vec<i64>),
    Str(String),
    /// Values of the graph.
    List(Vec<u32>),
}

impl Lowering<'_> {
    /// The values of a call's inputs, in the order of its arguments. Its results come after them.
    fn inputs(&mut self) -> Result<Vec<u32>> {
        let ids: Vec<u32> = (0u32..).zip(&self.tensors).filter(|(_, t)| t.is_input).map(|(id, _)| id).collect();
        let results = self.tensors.iter().filter(|tensor| tensor.is_output).count();
        let positions = self.arguments(&ids)?;
        // Arguments that are left out become values, and a file may claim any number of them.
        let count = (self.source.arguments() as usize).saturating_sub(results);
        if count > ids.len().saturating_mul(2).saturating_add(64) {
            return Err(Error::Program(format!("{} leaves out most of its arguments", self.name)));
        }
        let mut inputs = Vec::with_capacity(count);
        for (argument, id) in positions {
            self.leave_out(&mut inputs, argument as usize)?;
            let tensor = self.tensor(id)?;
            let dtype = self.dtype(&tensor)?;
            let stored = self.stored_order(argument, &tensor)?;
            let shape = Shape::new(&stored.declared(tensor.shape()?.dims()))?;
            let value = self.push(Value::Tensor(TensorValue { dtype, shape, role: Role::Plain }))?;
            let held = self.stored_as(value, &stored)?;
            self.set_held(id, held);
            inputs.push(value);
        }
        self.leave_out(&mut inputs, count)?;
        Ok(inputs)
    }

    /// Lets nothing use the arguments up to a place: an argument that the graph does not use has no tensor.
    fn leave_out(&mut self, inputs: &mut Vec<u32>, end: usize) -> Result<()> {
        while inputs.len() < end {
            let tensor = TensorValue { dtype: DType::F32, shape: Shape::SCALAR, role: Role::Plain };
            inputs.push(self.push(Value::Tensor(tensor))?);
        }
        Ok(())
    }

    /// The values of a call's results, in the order of its arguments, of which they are the last.
    fn outputs(&mut self) -> Result<Vec<u32>> {
        let ids: Vec<u32> = (0u32..).zip(&self.tensors).filter(|(_, t)| t.is_output).map(|(id, _)| id).collect();
        let positions = self.arguments(&ids)?;
        let first = positions.first().map_or(u32::MAX, |first| first.0);
        let is_missing = |place: &u32| positions.binary_search_by_key(place, |position| position.0).is_err();
        if let Some(place) = (first..self.source.arguments()).find(is_missing) {
            let what = format!("no tensor for argument {place} of its call, a result");
            return Err(Error::Program(format!("{} has {what}: the exporter left it out of the graph", self.name)));
        }
        let mut outputs = Vec::with_capacity(positions.len());
        for (argument, id) in positions {
            let stored = self.stored_order(argument, &self.tensor(id)?)?;
            outputs.push(self.declared(id, &stored)?);
        }
        Ok(outputs)
    }

    /// Tensors by their positions among a call's arguments.
    fn arguments(&self, ids: &[u32]) -> Result<Vec<(u32, u32)>> {
        let position = |&id: &u32| {
            let tensor = self.tensor(id)?;
            let argument = tensor.argument.filter(|_| !(tensor.is_input && tensor.is_output));
            argument.map(|argument| (argument, id)).ok_or_else(|| {
                Error::Program(format!("tensor {id} of {} has no place among a call's arguments", self.name))
            })
        };
        let mut positions = ids.iter().map(position).collect::<Result<Vec<_>>>()?;
        positions.sort_unstable();
        if positions.iter().zip(positions.iter().skip(1)).any(|(one, next)| one.0 == next.0) {
            return Err(Error::Program(format!("two tensors of {} are the same argument of its call", self.name)));
        }
        Ok(positions)
    }

    /// Lowers a node.
    fn node(&mut self, node: &XnnNode) -> Result<()> {
        for &output in node.operation.outputs().iter() {
            if self.is_held(output) || self.tensor(output)?.constant.is_some() {
                let (number, kind) = self.current;
                let what = format!("node {number} of {} ({kind}): tensor {output} is written twice", self.name);
                return Err(Error::Program(what));
            }
        }
        match node.operation {
            Operation::Unary { function: UnaryFunction::Convert, input, output } => self.convert(input, output),
            Operation::Unary { function: UnaryFunction::Copy, input, output } => self.copy(input, output),
            Operation::Unary { function: UnaryFunction::GlobalAvgPooling, input, output } => {
                self.global_average(node, input, output)
            }
            Operation::Unary { function, input, output } => self.unary(node, function, input, output),
            Operation::Binary { function, a, b, output } => self.binary(node, function, [a, b], output),
            Operation::FullyConnected { input, filter, bias, output } => {
                self.fully_connected(node, [input, filter], bias, output)
            }
            Operation::Convolution(convolution) => self.convolution(node, &convolution),
            Operation::Pooling(pooling) => self.pooling(node, &pooling),
            Operation::ArgMaxPooling { padding, kernel, input, output, indices } => {
                self.arg_max_pooling(padding, kernel, input, [output, indices])
            }
            Operation::Transpose { permutation, input, output } => self.transpose(&permutation, input, output),
            Operation::Reshape { shape, input, output } => self.reshape(&shape, input, output),
            Operation::Slice { offsets, sizes, input, output } => self.slice(&offsets, &sizes, input, output),
            Operation::Pad { before, after, value, input, output } => self.pad(&before, &after, value, input, output),
            Operation::ResizeBilinear { height, width, input, output } => {
                self.resize(node, [height, width], input, output)
            }
            Operation::Concatenate { axis, inputs, output } => self.concatenate(axis, &inputs, output),
            Operation::LeakyRelu { negative_slope, input, output } => {
                let slope = Argument::Double(f64::from(negative_slope));
                self.apply(node, "aten.leaky_relu.default", input, &[slope], output)
            }
            Operation::Elu { alpha, input, output } => {
                let alpha = Argument::Double(f64::from(alpha));
                self.apply(node, "aten.elu.default", input, &[alpha], output)
            }
            Operation::Attention { query, key, value, scale, mask, output } => {
                self.attention(node, [query, key, value], scale, mask, output)
            }
            Operation::Unknown(code) => Err(self.refuse(format!("a kind of node that is not known, {code}"))),
            _ => Err(self.refuse("a kind of node that is not known")),
        }
    }

    /// Lets values stand for what a node would have computed, so that those after it can be looked at too.
    fn stand_in(&mut self, node: &XnnNode) -> Result<()> {
        for &output in node.operation.outputs().iter() {
            if !self.is_held(output) {
                let shape = self.tensor(output)?.shape()?;
                let tensor = TensorValue { dtype: DType::F32, shape, role: Role::Plain };
                let value = self.push(Value::Tensor(tensor))?;
                self.set_held(output, Held { value, order: Order::Written });
            }
        }
        Ok(())
    }

    /// Why the node that is lowered does not run here.
    fn refuse(&self, reason: impl Into<String>) -> Error {
        let (number, kind) = self.current;
        let at = format!("node {number} of {}", self.name);
        Unsupported { nodes: vec![UnsupportedNode { at, op: format!("XNN{kind}"), reason: reason.into() }] }.into()
    }

    /// Adds an operator with one result, and gives that.
    fn emit(&mut self, op: &'static str, args: &[Argument], dtype: DType, shape: Shape) -> Result<u32> {
        let results = self.emit_many(op, args, &[(dtype, shape)])?;
        results.first().copied().ok_or_else(|| self.refuse(format!("no result of {op}")))
    }

    /// Adds an operator, and gives its results.
    fn emit_many(&mut self, op: &'static str, args: &[Argument], results: &[(DType, Shape)]) -> Result<Vec<u32>> {
        let op = catalogue::lookup(op).ok_or_else(|| self.refuse(format!("no operator {op} here")))?;
        let mut ids = Vec::with_capacity(args.len());
        for arg in args {
            ids.push(match arg.clone() {
                Argument::Value(id) => id,
                Argument::Null => self.push(Value::Null)?,
                Argument::Int(value) => self.push(Value::Int(value))?,
                Argument::Double(value) => self.push(Value::Double(value))?,
                Argument::Bool(value) => self.push(Value::Bool(value))?,
                Argument::Ints(items) => self.push(Value::Ints(items))?,
                Argument::Str(text) => self.push(Value::Str(text))?,
                Argument::List(items) => self.push(Value::List(items))?,
            });
        }
        let mut outputs = Vec::with_capacity(results.len());
        for &(dtype, shape) in results {
            outputs.push(self.push(Value::Tensor(TensorValue { dtype, shape, role: Role::Plain }))?);
        }
        self.nodes.push(Node { id: self.current.0, op, args: ids, outputs: outputs.clone() });
        Ok(outputs)
    }

    fn push(&mut self, value: Value) -> Result<u32> {
        let id = next_id(self.values.len())?;
        self.values.push(value);
        Ok(id)
    }
}

/// The scale and zero point of a tensor of bytes that stand for numbers by one scale.
fn per_tensor(tensor: &Tensor<'_>) -> Option<(f32, i32)> {
    match (tensor.datatype, tensor.quantization) {
        (Datatype::Qint8 | Datatype::Quint8, Some(Quantization::PerTensor { scale, zero_point })) => {
            Some((scale, zero_point))
        }
        _ => None,
    }
}
