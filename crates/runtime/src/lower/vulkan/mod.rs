//! Graphs that the exporter's Vulkan backend serialized.

mod repairs;
mod updates;

use bytes::Bytes;
use pteron_ops::sym::SymId;
use pteron_ops::{Body, Caps, catalogue};
use pteron_pte::delegate::{ConstantRef, Delegate, GraphTensor, GraphValue};
use pteron_tensor::DType;

use super::budget::Budget;
use super::checks;
use super::data::{self, Constants, NamedData};
use super::ids::ById as _;
use crate::error::{Error, Result, Unsupported, UnsupportedNode};
use crate::graph::{Constant, DataRef, Graph, Node, Role, TensorValue, Value};
use crate::types;

/// Lowers a graph. `name` says where it is, for errors.
pub(super) fn graph(delegate: &Delegate<'_>, name: String, named: &NamedData<'_>, caps: &Caps) -> Result<Graph> {
    let mut budget = Budget::new(delegate.flatbuffer_len());
    let mut lowering =
        Lowering { delegate, named, caps, name, constants: Constants::default(), symbols: 0, widened: false };
    let values = lowering.values(&mut budget)?;
    let nodes = lowering.nodes(&values, &mut budget)?;
    let inputs: Vec<u32> = delegate.inputs()?.iter().collect();
    let mut outputs: Vec<u32> = delegate.outputs()?.iter().collect();
    let numbers = repairs::take_numbers(&values, &mut outputs);
    let Lowering { name, constants, symbols, widened, .. } = lowering;
    let mut graph = Graph {
        name,
        values,
        nodes,
        inputs,
        outputs,
        numbers,
        constants: constants.into_vec(),
        symbols: symbols as usize,
        widened,
        ..Graph::default()
    };
    repairs::correct_types(&mut graph);
    repairs::read_symbolic_inputs(&mut graph)?;
    updates::rename_updates(&mut graph)?;
    checks::check_order(&graph)?;
    Ok(graph)
}

struct Lowering<'a> {
    delegate: &'a Delegate<'a>,
    named: &'a NamedData<'a>,
    caps: &'a Caps,
    name: String,
    constants: Constants,
    /// Symbolic integers so far.
    symbols: u32,
    /// Whether a 16-bit float was met that the device does not have.
    widened: bool,
}

impl Lowering<'_> {
    /// Every value, by id.
    fn values(&mut self, budget: &mut Budget) -> Result<Vec<Value>> {
        let mut values = Vec::with_capacity(self.delegate.values());
        for id in 0..self.delegate.values() {
            let id = u32::try_from(id).map_err(|_| Error::Program("too many values".to_owned()))?;
            values.push(self.value(id, budget)?);
        }
        Ok(values)
    }

    fn value(&mut self, id: u32, budget: &mut Budget) -> Result<Value> {
        Ok(match self.delegate.value(id)? {
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
                let symbol = SymId(self.symbols);
                self.symbols = self.symbols.saturating_add(1);
                Value::Sym(symbol)
            }
            GraphValue::Tensor(tensor) => self.tensor(id, &tensor)?,
            GraphValue::Unknown(tag) => Value::Unknown(tag),
            _ => Value::Unknown(u8::MAX),
        })
    }

    fn tensor(&mut self, id: u32, tensor: &GraphTensor<'_>) -> Result<Value> {
        let (stored, shape) = (tensor.dtype()?, tensor.shape()?);
        let Some(dtype) = types::on_device(stored, self.caps) else {
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
        let (bytes, shape) = (tensor.nbytes()?, tensor.shape()?);
        let data = match self.delegate.constant(id)? {
            ConstantRef::Inline(inline) => {
                let data = DataRef::Bytes(Bytes::copy_from_slice(inline));
                data::check_length(&data, bytes, &id.to_string())?;
                data
            }
            ConstantRef::Named { key, .. } => data::find(self.named, key, bytes)?,
            _ => return Err(Error::Program(format!("constant {id} is stored in an unknown way"))),
        };
        Ok(self.constants.add(Constant { data, stored, dtype, shape }))
    }

    /// Every node, with its operator looked up. An operator's last argument is its output, or all of them.
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
                if let Some(Value::Unknown(tag)) = values.by_id(arg) {
                    missing.push(unsupported(&format!("argument value {arg} is of an unknown kind, {tag}")));
                }
                if let Some(Value::List(items)) = values.by_id(arg) {
                    budget.take(items.len())?;
                    let nests = |item: u32| matches!(values.by_id(item), Some(Value::List(_) | Value::Unknown(_)));
                    if items.iter().any(|&item| nests(item)) {
                        missing.push(unsupported("a list within a list"));
                    }
                }
            }
            let Some((&last, args)) = args.split_last() else {
                return Err(Error::Program(format!("node {} of {} has no arguments", node.id, self.name)));
            };
            let outputs = match values.by_id(last) {
                Some(Value::List(items)) => items.clone(),
                _ => vec![last],
            };
            nodes.push(Node { id: node.id, op, args: args.to_vec(), outputs });
        }
        if missing.is_empty() { Ok(nodes) } else { Err(Unsupported { nodes: missing }.into()) }
    }
}
