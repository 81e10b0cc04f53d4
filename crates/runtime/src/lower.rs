//! Turns a parsed program into graphs: every operator looked up, every constant located, every value used only after it
//! is computed. What does not run here is collected, so that one error names it all.

use std::collections::HashMap;

use bytes::Bytes;
use pteron_ops::catalogue;
use pteron_ops::sym::SymId;
use pteron_ops::{Body, Caps};
use pteron_pte::delegate::{ConstantRef, Delegate, GraphTensor, GraphValue};
use pteron_pte::{self as pte, Blob, Instruction, TensorKind};
use pteron_tensor::{DType, Shape};

use crate::error::{Error, Result, Unsupported, UnsupportedNode};
use crate::graph::{
    Allocation, Constant, DataRef, Graph, MethodGraph, Node, ProgramTensor, ProgramValue, Role, Step, TensorValue,
    Value,
};
use crate::views;

/// Finds named data: which file, and where in it.
pub(crate) type NamedData<'a> = dyn Fn(&str) -> Result<Option<DataRef>> + 'a;

/// How much lowering may expand a flatbuffer, whose parts can refer to each other any number of times.
#[derive(Debug)]
struct Budget(usize);

impl Budget {
    fn new(flatbuffer: usize) -> Budget {
        Budget(flatbuffer.saturating_mul(2).saturating_add(4096))
    }

    fn take(&mut self, items: usize) -> Result<()> {
        self.0 = self
            .0
            .checked_sub(items)
            .ok_or_else(|| Error::Program("the program's lists expand to more than its file could hold".to_owned()))?;
        Ok(())
    }
}

/// Where a blob is, as data that can be read later.
pub(crate) fn data_of(blob: Blob<'_>) -> DataRef {
    match blob {
        Blob::Inline(bytes) => DataRef::Bytes(Bytes::copy_from_slice(bytes)),
        Blob::File(range) => DataRef::File(0, range),
    }
}

/// Lowers a method. `blobs` are the bytes of its delegates.
pub(crate) fn method(
    method: &pte::Method<'_>,
    blobs: &[Bytes],
    named: &NamedData<'_>,
    caps: &Caps,
) -> Result<MethodGraph> {
    let program = method.program();
    let mut budget = Budget::new(program.flatbuffer_len());
    let mut values = Vec::with_capacity(method.values());
    for id in 0..method.values() {
        let id = u32::try_from(id).map_err(|_| Error::Program("too many values".to_owned()))?;
        values.push(program_value(&program, method.value(id)?, named, &mut budget)?);
    }
    let mut missing = Vec::new();
    let mut delegates = Vec::new();
    for (index, blob) in blobs.iter().enumerate() {
        let reference = method.delegate(u32::try_from(index).unwrap_or(u32::MAX))?;
        let name = format!("delegate {index} of method {}", method.name());
        if !Delegate::is(blob) {
            let reason = "the backend's data is no Vulkan or WebGPU graph".to_owned();
            missing.push(UnsupportedNode { at: name, op: reference.id.to_owned(), reason });
            continue;
        }
        match graph(&Delegate::parse(blob)?, name, named, caps) {
            Ok(graph) => delegates.push(graph),
            Err(Error::Unsupported(unsupported)) => missing.extend(unsupported.nodes),
            Err(error) => return Err(error),
        }
    }
    let mut steps = steps(method, &values, &mut missing, &mut budget)?;
    if !missing.is_empty() {
        return Err(Unsupported { nodes: missing }.into());
    }
    split_delegate_calls(&mut steps, &delegates)?;
    let inputs: Vec<u32> = method.inputs()?.iter().collect();
    let outputs: Vec<u32> = method.outputs()?.iter().collect();
    let steps = views::restore(&values, &inputs, &outputs, steps);
    check_orders(method.name(), &values, &steps)?;
    Ok(MethodGraph { name: method.name().to_owned(), values, inputs, outputs, steps, delegates })
}

fn program_value(
    program: &pte::Program<'_>,
    value: pte::Value<'_>,
    named: &NamedData<'_>,
    budget: &mut Budget,
) -> Result<ProgramValue> {
    Ok(match value {
        pte::Value::Null => ProgramValue::Null,
        pte::Value::Int(value) => ProgramValue::Int(value),
        pte::Value::Bool(value) => ProgramValue::Bool(value),
        pte::Value::Double(value) => ProgramValue::Double(value),
        pte::Value::String(text) => {
            budget.take(text.len())?;
            ProgramValue::Str(text.to_owned())
        }
        pte::Value::IntList(items) => {
            budget.take(items.len())?;
            ProgramValue::Ints(items.iter().collect())
        }
        pte::Value::DoubleList(items) => {
            budget.take(items.len())?;
            ProgramValue::Doubles(items.iter().collect())
        }
        pte::Value::BoolList(items) => {
            budget.take(items.len())?;
            ProgramValue::Bools(items.iter().collect())
        }
        pte::Value::TensorList(items) => {
            budget.take(items.len())?;
            ProgramValue::Tensors(items.iter().map(Some).collect())
        }
        pte::Value::OptionalTensorList(items) => {
            budget.take(items.len())?;
            ProgramValue::Tensors(items.iter().collect())
        }
        pte::Value::Tensor(tensor) => ProgramValue::Tensor(program_tensor(program, &tensor, named)?),
        _ => ProgramValue::Unknown,
    })
}

fn program_tensor(
    program: &pte::Program<'_>,
    tensor: &pte::Tensor<'_>,
    named: &NamedData<'_>,
) -> Result<ProgramTensor> {
    let (dtype, shape) = (tensor.dtype()?, tensor.shape()?);
    let order = tensor.dim_order()?;
    // A permuted layout of a tensor that has one long dimension at most is the plain layout.
    let permuted = !order.is_sorted() && shape.iter().filter(|&&size| size > 1).count() > 1;
    let order = permuted.then(|| order.to_vec());
    if tensor.storage_offset()? != 0 {
        return Err(Error::Program("a tensor begins in the middle of its data".to_owned()));
    }
    let data = match tensor.kind()? {
        TensorKind::Constant { buffer } => Some(data_of(program.constant(buffer, tensor.nbytes()?)?)),
        TensorKind::Mutable { buffer, set, .. } => {
            Some(data_of(program.mutable_initial(set, buffer, tensor.nbytes()?)?))
        }
        TensorKind::External { name } => {
            let data = named(name)?.ok_or_else(|| missing_data(name))?;
            check_length(&data, tensor.nbytes()?, name)?;
            Some(data)
        }
        _ => None,
    };
    let allocation = tensor.allocation()?.map(|(memory, offset)| Allocation { memory, offset });
    Ok(ProgramTensor { dtype, shape, dynamism: tensor.dynamism()?, data, order, allocation })
}

/// Refuses what looks at the memory of a tensor that is in another order in memory than it is here.
fn check_orders(method: &str, values: &[ProgramValue], steps: &[Step]) -> Result<()> {
    let permuted = |id: &u32| matches!(&values[*id as usize], ProgramValue::Tensor(tensor) if tensor.order.is_some());
    let mut nodes = Vec::new();
    for step in steps {
        let op = match step {
            Step::View { from, to } if permuted(from) || permuted(to) => "view",
            Step::Kernel { op, args, .. } if op.reads_memory_order() && args.iter().any(permuted) => op.name,
            _ => continue,
        };
        let reason = "its tensor has its dimensions stored in another order".to_owned();
        nodes.push(UnsupportedNode { at: format!("method {method}"), op: op.to_owned(), reason });
    }
    if nodes.is_empty() { Ok(()) } else { Err(Unsupported { nodes }.into()) }
}

fn missing_data(name: &str) -> Error {
    Error::NotFound(format!("the program needs external data named {name:?}: open it together with its .ptd file"))
}

fn check_length(data: &DataRef, expected: u64, name: &str) -> Result<()> {
    let length = match data {
        DataRef::Bytes(bytes) => bytes.len() as u64,
        DataRef::File(_, range) => range.end.saturating_sub(range.start),
        DataRef::Joined(joined) => joined.rows * joined.parts.iter().map(|(_, row_bytes)| row_bytes).sum::<u64>(),
    };
    if length < expected {
        return Err(Error::Program(format!("data {name:?} has {length} bytes where {expected} are needed")));
    }
    Ok(())
}

/// The instructions of all chains, one after the other.
fn steps(
    method: &pte::Method<'_>,
    values: &[ProgramValue],
    missing: &mut Vec<UnsupportedNode>,
    budget: &mut Budget,
) -> Result<Vec<Step>> {
    let mut steps = Vec::new();
    for chain in method.chains() {
        let chain = chain?;
        let base = steps.len();
        for (index, instruction) in chain.instructions().enumerate() {
            steps.push(match instruction? {
                Instruction::KernelCall { op, args } => {
                    budget.take(args.len())?;
                    let name = method.operator(op)?.to_string();
                    let (args, outputs) = kernel_arguments(&args.iter().collect::<Vec<_>>(), values)?;
                    match catalogue::lookup_portable(&name) {
                        Some(op) => Step::Kernel { op, args, outputs },
                        None => {
                            let at = format!("instruction {index} of method {}", method.name());
                            let reason = "no such portable operator here".to_owned();
                            missing.push(UnsupportedNode { at, op: name, reason });
                            continue;
                        }
                    }
                }
                Instruction::DelegateCall { delegate, args } => {
                    budget.take(args.len())?;
                    let args: Vec<u32> = args.iter().collect();
                    let index = delegate as usize;
                    Step::Delegate { index, inputs: args, outputs: Vec::new(), numbers: Vec::new() }
                }
                Instruction::MoveCall { from, to } => Step::Move { from, to },
                Instruction::JumpFalseCall { cond, destination } => {
                    Step::JumpFalse { condition: cond, destination: base + destination as usize }
                }
                Instruction::FreeCall { value } => Step::Free { value },
            });
        }
    }
    Ok(steps)
}

/// Splits the arguments of a portable kernel: by its schema, then what it returns. An out-variant names its outputs in
/// both places.
fn kernel_arguments(args: &[u32], values: &[ProgramValue]) -> Result<(Vec<u32>, Vec<u32>)> {
    let Some((&last, rest)) = args.split_last() else {
        return Err(Error::Program("a kernel is called without arguments".to_owned()));
    };
    let outputs: Vec<u32> = match values.get(last as usize) {
        Some(ProgramValue::Tensors(items)) => items.iter().copied().flatten().collect(),
        _ => vec![last],
    };
    let inputs = rest.strip_suffix(&outputs[..]).unwrap_or(rest);
    Ok((inputs.to_vec(), outputs))
}

/// Splits a delegate call's arguments now that the graphs are known.
fn split_delegate_calls(steps: &mut [Step], delegates: &[Graph]) -> Result<()> {
    for step in steps {
        if let Step::Delegate { index, inputs, outputs, numbers } = step {
            let wrong = || Error::Program(format!("delegate {index} is called with the wrong number of arguments"));
            let graph = delegates.get(*index).ok_or_else(wrong)?;
            if inputs.len() != graph.inputs.len() + graph.outputs.len() + graph.numbers.len() {
                return Err(wrong());
            }
            for (position, id) in inputs.split_off(graph.inputs.len()).into_iter().enumerate() {
                let symbolic = graph.numbers.iter().any(|number| number.0 == position);
                if symbolic { &mut *numbers } else { &mut *outputs }.push(id);
            }
        }
    }
    Ok(())
}

/// The type that a tensor has on a device. WGSL has no 64-bit numbers, and not every device has 16-bit floats.
fn device_type(dtype: DType, caps: &Caps) -> Option<DType> {
    Some(match dtype {
        DType::I64 => DType::I32,
        DType::F64 => DType::F32,
        DType::F16 if !caps.f16 => DType::F32,
        DType::Bool | DType::U8 | DType::I8 | DType::I32 | DType::F16 | DType::F32 => dtype,
        _ => return None,
    })
}

fn graph(delegate: &Delegate<'_>, name: String, named: &NamedData<'_>, caps: &Caps) -> Result<Graph> {
    let mut budget = Budget::new(delegate.flatbuffer_len());
    let mut lowering =
        Lowering { delegate, named, caps, name, constants: Vec::new(), known: HashMap::new(), widened: false };
    let mut symbols = 0u32;
    let mut values = Vec::with_capacity(delegate.values());
    for id in 0..delegate.values() {
        let id = u32::try_from(id).map_err(|_| Error::Program("too many values".to_owned()))?;
        values.push(match delegate.value(id)? {
            GraphValue::Null => Value::Null,
            GraphValue::Int(value) => Value::Int(value),
            GraphValue::Double(value) => Value::Double(value),
            GraphValue::Bool(value) => Value::Bool(value),
            GraphValue::String(text) => {
                budget.take(text.len())?;
                Value::Str(text.to_owned())
            }
            GraphValue::IntList(items) => {
                budget.take(items.len())?;
                Value::Ints(items.iter().collect())
            }
            GraphValue::DoubleList(items) => {
                budget.take(items.len())?;
                Value::Doubles(items.iter().collect())
            }
            GraphValue::BoolList(items) => {
                budget.take(items.len())?;
                Value::Bools(items.iter().collect())
            }
            GraphValue::ValueList(items) => {
                budget.take(items.len())?;
                Value::List(items.iter().collect())
            }
            GraphValue::SymInt(_) => {
                symbols += 1;
                Value::Sym(SymId(symbols - 1))
            }
            GraphValue::Tensor(tensor) => lowering.tensor(id, &tensor)?,
            GraphValue::Unknown(tag) => Value::Unknown(tag),
            _ => Value::Unknown(u8::MAX),
        });
    }
    let inputs: Vec<u32> = delegate.inputs()?.iter().collect();
    let mut outputs: Vec<u32> = delegate.outputs()?.iter().collect();
    let nodes = lowering.nodes(&values, &mut budget)?;
    let numbers = take_numbers(&values, &mut outputs);
    let Lowering { name, constants, widened, .. } = lowering;
    let (symbols, updates) = (symbols as usize, Vec::new());
    let mut graph =
        Graph { name, values, nodes, inputs, outputs, numbers, constants, symbols, updates, feedback: None, widened };
    correct_types(&mut graph);
    read_symbolic_inputs(&mut graph)?;
    rename_updates(&mut graph)?;
    check_order(&graph)?;
    Ok(graph)
}

/// Gives outputs the types that their operators compute, where the file is known to declare others.
fn correct_types(graph: &mut Graph) {
    for node in &graph.nodes {
        let typed_like = node.op.typed_like.and_then(|index| node.args.get(index));
        let Some(Value::Tensor(TensorValue { dtype, .. })) = typed_like.map(|&id| &graph.values[id as usize]) else {
            continue;
        };
        let dtype = *dtype;
        for &output in &node.outputs {
            if let Value::Tensor(tensor @ TensorValue { role: Role::Plain, .. }) = &mut graph.values[output as usize] {
                tensor.dtype = dtype;
            }
        }
    }
}

/// Takes the symbolic integers out of a graph's outputs, with where they stood.
fn take_numbers(values: &[Value], outputs: &mut Vec<u32>) -> Vec<(usize, SymId)> {
    let symbolic = |(position, &id): (usize, &u32)| match values[id as usize] {
        Value::Sym(symbol) => Some((position, symbol)),
        _ => None,
    };
    let numbers = outputs.iter().enumerate().filter_map(symbolic).collect();
    outputs.retain(|&id| !matches!(values[id as usize], Value::Sym(_)));
    numbers
}

/// Turns every input that is a symbolic integer into a tensor of one element, which a first node reads.
fn read_symbolic_inputs(graph: &mut Graph) -> Result<()> {
    let Some(op) = catalogue::lookup("et_vk.select_as_symint.default") else { return Ok(()) };
    let mut reads = Vec::new();
    for input in &mut graph.inputs {
        if !matches!(graph.values[*input as usize], Value::Sym(_)) {
            continue;
        }
        let tensor = u32::try_from(graph.values.len()).map_err(|_| Error::Program("too many values".to_owned()))?;
        let zero = tensor.saturating_add(1);
        let shape = Shape::new(&[1])?;
        graph.values.push(Value::Tensor(TensorValue { dtype: DType::I32, shape, role: Role::Plain }));
        graph.values.push(Value::Int(0));
        reads.push(Node { id: 0, op, args: vec![tensor, zero, zero], outputs: vec![*input] });
        *input = tensor;
    }
    graph.nodes.splice(0..0, reads);
    Ok(())
}

/// Gives every value one writer.
///
/// With aliased mutations the exporter lets a node write into the output of a prepack: a buffer of the module that
/// changes. That value becomes state, the node computes a new value, later nodes read the new one, and the state takes
/// it over when the graph has run.
fn rename_updates(graph: &mut Graph) -> Result<()> {
    let mut prepacked: HashMap<u32, u32> = HashMap::new();
    let mut renamed: HashMap<u32, u32> = HashMap::new();
    for node in &mut graph.nodes {
        for arg in &mut node.args {
            if let Some(&new) = renamed.get(arg) {
                *arg = new;
            }
        }
        if node.op.name == "et_vk.prepack.default" {
            if let (&[constant], &[output]) = (&node.args[..], &node.outputs[..]) {
                prepacked.insert(output, constant);
            }
            continue;
        }
        for output in &mut node.outputs {
            let Some(&constant) = prepacked.get(output) else { continue };
            let constant = match &graph.values[constant as usize] {
                Value::Tensor(TensorValue { role: Role::Constant(constant) | Role::State(constant), .. }) => *constant,
                _ => continue,
            };
            let state = *output;
            let Value::Tensor(tensor) = &mut graph.values[state as usize] else { continue };
            tensor.role = Role::State(constant);
            let computed = Value::Tensor(TensorValue { role: Role::Plain, ..tensor.clone() });
            *output = u32::try_from(graph.values.len()).map_err(|_| Error::Program("too many values".to_owned()))?;
            graph.values.push(computed);
            renamed.insert(state, *output);
        }
    }
    for output in &mut graph.outputs {
        if let Some(&new) = renamed.get(output) {
            *output = new;
        }
    }
    graph.updates = renamed.into_iter().collect();
    graph.updates.sort_unstable();
    // What became state has its first value from the constant, not from the prepack.
    let state = |id: &u32| graph.updates.iter().any(|update| update.0 == *id);
    graph.nodes.retain(|node| !(node.op.name == "et_vk.prepack.default" && node.outputs.iter().any(state)));
    Ok(())
}

struct Lowering<'a> {
    delegate: &'a Delegate<'a>,
    named: &'a NamedData<'a>,
    caps: &'a Caps,
    name: String,
    constants: Vec<Constant>,
    /// Constants that are the same bytes as the same type share one entry.
    known: HashMap<(DataRef, DType), usize>,
    /// Whether a 16-bit float was met that the device does not have.
    widened: bool,
}

impl Lowering<'_> {
    fn tensor(&mut self, id: u32, tensor: &GraphTensor<'_>) -> Result<Value> {
        let (stored, shape) = (tensor.dtype()?, tensor.shape()?);
        let Some(dtype) = device_type(stored, self.caps) else {
            let at = format!("value {id} of {}", self.name);
            let reason = format!("element type {stored}");
            return Err(Unsupported { nodes: vec![UnsupportedNode { at, op: "tensor".to_owned(), reason }] }.into());
        };
        self.widened |= stored == DType::F16 && dtype != DType::F16;
        let role = match tensor.constant_id() {
            None => Role::Plain,
            Some(constant) => {
                let constant = self.constant(constant, stored, dtype, tensor)?;
                // The exporter plans memory for a constant only when the graph writes to it.
                if tensor.mem_obj_id() >= 0 { Role::State(constant) } else { Role::Constant(constant) }
            }
        };
        Ok(Value::Tensor(TensorValue { dtype, shape, role }))
    }

    fn constant(&mut self, id: u32, stored: DType, dtype: DType, tensor: &GraphTensor<'_>) -> Result<usize> {
        let id = i32::try_from(id).map_err(|_| Error::Program("too many constants".to_owned()))?;
        let (data, name) = match self.delegate.constant(id)? {
            ConstantRef::Inline(bytes) => (DataRef::Bytes(Bytes::copy_from_slice(bytes)), format!("{id}")),
            ConstantRef::Named { key, .. } => ((self.named)(key)?.ok_or_else(|| missing_data(key))?, key.to_owned()),
            _ => return Err(Error::Program(format!("constant {id} is stored in an unknown way"))),
        };
        check_length(&data, tensor.nbytes()?, &name)?;
        let shape = tensor.shape()?;
        if let Some(&known) = self.known.get(&(data.clone(), dtype))
            && self.constants[known].shape.numel() == shape.numel()
        {
            return Ok(known);
        }
        self.known.insert((data.clone(), dtype), self.constants.len());
        self.constants.push(Constant { data, stored, dtype, shape });
        Ok(self.constants.len() - 1)
    }

    fn nodes(&self, values: &[Value], budget: &mut Budget) -> Result<Vec<Node>> {
        let mut nodes = Vec::with_capacity(self.delegate.nodes().len());
        let mut missing = Vec::new();
        for node in self.delegate.nodes() {
            let node = node?;
            budget.take(node.args.len())?;
            let unsupported = |reason: &str| UnsupportedNode {
                at: format!("node {} of {}", node.id, self.name),
                op: node.name.to_owned(),
                reason: reason.to_owned(),
            };
            let Some(op) = catalogue::lookup(node.name).filter(|op| !op.is_made_here()) else {
                missing.push(unsupported("no such operator here"));
                continue;
            };
            if matches!(op.body, Body::Nothing) {
                continue;
            }
            let args: Vec<u32> = node.args.iter().collect();
            for &arg in &args {
                if let Value::Unknown(tag) = values[arg as usize] {
                    missing.push(unsupported(&format!("argument value {arg} is of an unknown kind, {tag}")));
                }
                if let Value::List(items) = &values[arg as usize] {
                    budget.take(items.len())?;
                    if items.iter().any(|&item| matches!(values[item as usize], Value::List(_) | Value::Unknown(_))) {
                        missing.push(unsupported("a list within a list"));
                    }
                }
            }
            let Some((&last, args)) = args.split_last() else {
                return Err(Error::Program(format!("node {} of {} has no arguments", node.id, self.name)));
            };
            let outputs = match &values[last as usize] {
                Value::List(items) => items.clone(),
                _ => vec![last],
            };
            nodes.push(Node { id: node.id, op, args: args.to_vec(), outputs });
        }
        if missing.is_empty() { Ok(nodes) } else { Err(Unsupported { nodes: missing }.into()) }
    }
}

/// Checks that every value is computed once, before it is used, and by an operator that can compute it.
fn check_order(graph: &Graph) -> Result<()> {
    let mut ready: Vec<bool> = graph
        .values
        .iter()
        .map(|value| match value {
            Value::Tensor(tensor) => tensor.role != Role::Plain,
            Value::Sym(_) => false,
            _ => true,
        })
        .collect();
    let fail = |node: &Node, what: String| {
        Err(Error::Program(format!("node {} of {} ({}): {what}", node.id, graph.name, node.op.name)))
    };
    for &input in &graph.inputs {
        match &graph.values[input as usize] {
            Value::Tensor(tensor) if tensor.role == Role::Plain => ready[input as usize] = true,
            _ => return Err(Error::Program(format!("input value {input} of {} is no plain tensor", graph.name))),
        }
    }
    for node in &graph.nodes {
        for &arg in &node.args {
            let items = match &graph.values[arg as usize] {
                Value::List(items) => &items[..],
                _ => &[arg],
            };
            if let Some(unready) = items.iter().find(|&&item| !ready[item as usize]) {
                return fail(node, format!("value {unready} is used before it is computed"));
            }
        }
        for &output in &node.outputs {
            let symbolic = matches!(node.op.body, Body::Symbolic(_));
            let fits = match &graph.values[output as usize] {
                Value::Tensor(tensor) => !symbolic && tensor.role == Role::Plain,
                Value::Sym(_) => symbolic,
                _ => false,
            };
            if !fits || ready[output as usize] {
                return fail(node, format!("value {output} is no output that it can compute"));
            }
            ready[output as usize] = true;
        }
    }
    let computed = |symbol: SymId| {
        let is_it = |(value, ready): (&Value, &bool)| *ready && matches!(value, Value::Sym(id) if *id == symbol);
        graph.values.iter().zip(&ready).any(is_it)
    };
    if let Some((position, _)) = graph.numbers.iter().find(|number| !computed(number.1)) {
        return Err(Error::Program(format!("output {position} of {} is a number that is not computed", graph.name)));
    }
    match graph
        .outputs
        .iter()
        .find(|&&output| !ready[output as usize] || !matches!(graph.values[output as usize], Value::Tensor(_)))
    {
        Some(output) => Err(Error::Program(format!("output value {output} of {} is no computed tensor", graph.name))),
        None => Ok(()),
    }
}
