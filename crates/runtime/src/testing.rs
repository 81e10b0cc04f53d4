//! One operator by itself on any device, for property tests: the same call on the GPU and on the reference engine.

pub mod device;

use pteron_ops::sym::SymId;
use pteron_ops::{Caps, Precision, catalogue};
use pteron_pte::Dynamism;
use pteron_tensor::{DType, HostTensor, Shape};

use crate::data::DataFiles;
use crate::device::Device;
use crate::engine::wgpu::SharedConstants;
use crate::error::{Error, Result};
use crate::graph::{
    Constant, DataRef, Graph, MethodGraph, Node, ProgramTensor, ProgramValue, Role, Step, TensorValue, Value,
};
use crate::limits::Limits;
use crate::method::Method;
use crate::progress::OnProgress;

/// An argument of the operator under test. Tensors have the types of a device: no 64-bit ones.
#[derive(Clone, Debug)]
pub enum TestArg {
    /// A tensor that the caller gives at each call.
    Input(HostTensor),
    /// A tensor from the program's file.
    Constant(HostTensor),
    /// A tensor that persists between calls, with its first value.
    State(HostTensor),
    /// Nothing.
    Null,
    /// An integer.
    Int(i64),
    /// An integer that only the call knows: an element of an input.
    Sym(i64),
    /// A float.
    Double(f64),
    /// A truth value.
    Bool(bool),
    /// A string.
    Str(&'static str),
    /// Integers.
    Ints(Vec<i64>),
    /// Floats.
    Doubles(Vec<f64>),
    /// Tensors that the caller gives.
    Inputs(Vec<HostTensor>),
    /// Tensors that the caller gives, some of them absent.
    OptionalInputs(Vec<Option<HostTensor>>),
}

/// Runs one operator with the precision of 32-bit arithmetic; the result has its outputs, then every state after the call.
#[cfg(not(target_arch = "wasm32"))]
pub fn run_op(device: &Device, op: &str, args: &[TestArg], outputs: &[DType]) -> Result<Vec<HostTensor>> {
    crate::block_on(run_op_async(device, Precision::Exact, op, args, outputs))
}

/// Runs one operator; the result has its outputs, then every state after the call.
pub async fn run_op_async(
    device: &Device,
    precision: Precision,
    op: &str,
    args: &[TestArg],
    outputs: &[DType],
) -> Result<Vec<HostTensor>> {
    let LoadedOp { mut method, inputs, states } = load_op_async(device, precision, op, args, outputs).await?;
    let mut results = Vec::new();
    for output in method.run_async(&inputs).await? {
        results.extend(output.tensor().cloned());
    }
    for state in states {
        results.push(method.state(0, state).await?);
    }
    Ok(results)
}

/// A method that is one operator.
#[derive(Debug)]
pub struct LoadedOp {
    /// The method.
    pub method: Method,
    /// What the operator's arguments give it to take.
    pub inputs: Vec<crate::Value>,
    pub(crate) states: Vec<u32>,
}

/// Loads one operator.
#[cfg(not(target_arch = "wasm32"))]
pub fn load_op(device: &Device, op: &str, args: &[TestArg], outputs: &[DType]) -> Result<LoadedOp> {
    crate::block_on(load_op_async(device, Precision::Exact, op, args, outputs))
}

pub(crate) async fn load_op_async(
    device: &Device,
    precision: Precision,
    op: &str,
    args: &[TestArg],
    outputs: &[DType],
) -> Result<LoadedOp> {
    let op = catalogue::lookup(op).ok_or_else(|| Error::NotFound(format!("no operator {op}")))?;
    let mut builder = Builder::default();
    let arg_ids: Vec<_> = args.iter().map(|arg| builder.arg(arg)).collect();
    let output_ids: Vec<_> = outputs.iter().map(|&dtype| builder.tensor(dtype, Shape::SCALAR, Role::Plain)).collect();
    let Builder { values, constants, inputs, given, states, mut nodes, symbols } = builder;
    nodes.push(Node { id: 0, op, args: arg_ids, outputs: output_ids.clone() });
    let graph = Graph {
        name: "one operator".to_owned(),
        values,
        nodes,
        inputs,
        outputs: output_ids,
        constants,
        symbols: symbols as usize,
        ..Graph::default()
    };
    let given_types = given.iter().map(|tensor| (tensor.dtype(), *tensor.shape()));
    let program_values = given_types
        .chain(outputs.iter().map(|&dtype| (dtype, Shape::SCALAR)))
        .map(|(dtype, shape)| {
            ProgramValue::Tensor(ProgramTensor {
                dtype,
                shape,
                dynamism: Dynamism::Unbound,
                data: None,
                order: None,
                allocation: None,
            })
        })
        .collect::<Vec<_>>();
    let ids: Vec<u32> = (0u32..).take(program_values.len()).collect();
    let (input_ids, output_ids) = ids.split_at(given.len());
    let method = MethodGraph {
        name: op.name.to_owned(),
        values: program_values,
        inputs: input_ids.to_vec(),
        outputs: output_ids.to_vec(),
        steps: vec![Step::Delegate {
            index: 0,
            inputs: input_ids.to_vec(),
            outputs: output_ids.to_vec(),
            numbers: Vec::new(),
        }],
        delegates: vec![graph],
        ..MethodGraph::default()
    };
    let method = load(device, device.caps().with_precision(precision), method).await?;
    Ok(LoadedOp { method, inputs: given.into_iter().map(crate::Value::Tensor).collect(), states })
}

/// Loads a method whose constants are in memory.
pub(crate) async fn load(device: &Device, caps: Caps, method: MethodGraph) -> Result<Method> {
    load_with(device, caps, method, Limits::default()).await
}

/// Loads a method whose constants are in memory, and which may take this much of the machine.
pub(crate) async fn load_with(device: &Device, caps: Caps, method: MethodGraph, limits: Limits) -> Result<Method> {
    let (shared, files, progress) = (SharedConstants::default(), DataFiles::default(), OnProgress::default());
    Method::load(&shared, device.clone(), caps, method, &files, limits, &progress).await
}

#[derive(Default)]
struct Builder {
    values: Vec<Value>,
    constants: Vec<Constant>,
    inputs: Vec<u32>,
    given: Vec<HostTensor>,
    states: Vec<u32>,
    /// Reads symbolic integers.
    nodes: Vec<Node>,
    symbols: u32,
}

impl Builder {
    fn push(&mut self, value: Value) -> u32 {
        self.values.push(value);
        u32::try_from(self.values.len() - 1).unwrap_or(u32::MAX)
    }

    fn tensor(&mut self, dtype: DType, shape: Shape, role: Role) -> u32 {
        self.push(Value::Tensor(TensorValue { dtype, shape, role }))
    }

    fn constant(&mut self, tensor: &HostTensor) -> usize {
        self.constants.push(Constant {
            data: DataRef::Bytes(tensor.clone().into_bytes()),
            stored: tensor.dtype(),
            dtype: tensor.dtype(),
            shape: *tensor.shape(),
        });
        self.constants.len() - 1
    }

    fn input(&mut self, tensor: &HostTensor) -> u32 {
        let id = self.tensor(tensor.dtype(), *tensor.shape(), Role::Plain);
        self.inputs.push(id);
        self.given.push(tensor.clone());
        id
    }

    fn symbol(&mut self, value: i64) -> u32 {
        let id = self.push(Value::Sym(SymId(self.symbols)));
        self.symbols += 1;
        let op = catalogue::lookup("et_vk.select_as_symint.default");
        if let (Some(op), Ok(element)) = (op, HostTensor::from_slice(&[value], &[1])) {
            let args = vec![self.input(&element.cast(DType::I32)), self.push(Value::Int(0)), self.push(Value::Int(0))];
            self.nodes.push(Node { id: 0, op, args, outputs: vec![id] });
        }
        id
    }

    fn arg(&mut self, arg: &TestArg) -> u32 {
        match arg {
            TestArg::Input(tensor) => self.input(tensor),
            TestArg::Constant(tensor) => {
                let constant = self.constant(tensor);
                self.tensor(tensor.dtype(), *tensor.shape(), Role::Constant(constant))
            }
            TestArg::State(tensor) => {
                let constant = self.constant(tensor);
                let id = self.tensor(tensor.dtype(), *tensor.shape(), Role::State(constant));
                self.states.push(id);
                id
            }
            TestArg::Null => self.push(Value::Null),
            TestArg::Int(value) => self.push(Value::Int(*value)),
            TestArg::Sym(value) => self.symbol(*value),
            TestArg::Double(value) => self.push(Value::Double(*value)),
            TestArg::Bool(value) => self.push(Value::Bool(*value)),
            TestArg::Str(text) => self.push(Value::Str((*text).to_owned())),
            TestArg::Ints(values) => self.push(Value::Ints(values.clone())),
            TestArg::Doubles(values) => self.push(Value::Doubles(values.clone())),
            TestArg::Inputs(tensors) => {
                let ids = tensors.iter().map(|tensor| self.input(tensor)).collect();
                self.push(Value::List(ids))
            }
            TestArg::OptionalInputs(tensors) => {
                let id = |tensor: &Option<HostTensor>| match tensor {
                    Some(tensor) => self.input(tensor),
                    None => self.push(Value::Null),
                };
                let ids = tensors.iter().map(id).collect();
                self.push(Value::List(ids))
            }
        }
    }
}
