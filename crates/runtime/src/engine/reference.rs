//! Runs a graph on the CPU, one reference implementation after the other.

use pteron_ops::args::Arg;
use pteron_ops::sym::{IntArg, SymOp};
use pteron_ops::{Body, Eval, OpError};
use pteron_tensor::{DType, HostTensor};

use crate::error::{Error, NodeError, Result};
use crate::graph::{Graph, Node, Role, Value};

/// A delegate on the CPU: its constants, and the state that persists between calls.
#[derive(Debug)]
pub(crate) struct ReferenceDelegate {
    /// One tensor per entry of [`Graph::constants`].
    constants: Vec<HostTensor>,
    /// Current state, by value id.
    state: Vec<Option<HostTensor>>,
}

impl ReferenceDelegate {
    pub(crate) fn new(graph: &Graph, constants: Vec<HostTensor>) -> Result<ReferenceDelegate> {
        let mut delegate = ReferenceDelegate { constants, state: Vec::new() };
        delegate.reset(graph)?;
        Ok(delegate)
    }

    /// Sets the state back to its first value.
    pub(crate) fn reset(&mut self, graph: &Graph) -> Result<()> {
        let first = |value: &Value| match value {
            Value::Tensor(tensor) => match tensor.role {
                Role::State(constant) => self.constants[constant].reshape(tensor.shape).map(Some),
                _ => Ok(None),
            },
            _ => Ok(None),
        };
        self.state = graph.values.iter().map(first).collect::<Result<_, _>>()?;
        Ok(())
    }

    /// The current state of a value.
    pub(crate) fn state(&self, id: u32) -> Option<HostTensor> {
        self.state.get(id as usize).cloned().flatten()
    }

    /// Runs the graph on inputs that already have the graph's types; gives its outputs and symbolic integers.
    pub(crate) fn run(&mut self, graph: &Graph, inputs: &[HostTensor]) -> Result<(Vec<HostTensor>, Vec<i64>)> {
        let mut tensors: Vec<Option<HostTensor>> = Vec::with_capacity(graph.values.len());
        for (id, value) in graph.values.iter().enumerate() {
            tensors.push(match value {
                Value::Tensor(tensor) => match tensor.role {
                    Role::Constant(constant) => Some(self.constants[constant].reshape(tensor.shape)?),
                    Role::State(_) => self.state[id].clone(),
                    Role::Plain => None,
                },
                _ => None,
            });
        }
        for (&id, input) in graph.inputs.iter().zip(inputs) {
            tensors[id as usize] = Some(input.clone());
        }
        let mut run = Run { graph, tensors, syms: vec![0; graph.symbols] };
        for node in &graph.nodes {
            match node.op.body {
                Body::Symbolic(op) => run.symbol(node, op)?,
                _ => run.node(node)?,
            }
        }
        for (state, tensor) in self.state.iter_mut().zip(&run.tensors) {
            if state.is_some() {
                state.clone_from(tensor);
            }
        }
        for &(state, computed) in &graph.updates {
            self.state[state as usize] = run.tensors[computed as usize].clone();
        }
        let missing = || Error::Program(format!("an output of {} was not computed", graph.name));
        let output = |&id: &u32| run.tensors[id as usize].clone().ok_or_else(missing);
        Ok((graph.outputs.iter().map(output).collect::<Result<_>>()?, run.syms))
    }
}

struct Run<'a> {
    graph: &'a Graph,
    tensors: Vec<Option<HostTensor>>,
    syms: Vec<i64>,
}

impl Run<'_> {
    fn node(&mut self, node: &Node) -> Result<()> {
        let args = node.args.iter().map(|&id| self.arg(id)).collect();
        let types: Vec<_> = node
            .outputs
            .iter()
            .map(|&id| match &self.graph.values[id as usize] {
                Value::Tensor(tensor) => tensor.dtype,
                _ => DType::F32,
            })
            .collect();
        let evaluated = Eval::run(node.op, args, &self.syms, &types).map_err(|source| self.fail(node, source))?;
        for (&id, output) in node.outputs.iter().zip(evaluated.outputs) {
            self.tensors[id as usize] = Some(output);
        }
        for (index, tensor) in evaluated.mutated {
            if let Some(&id) = node.args.get(index) {
                self.tensors[id as usize] = Some(tensor);
            }
        }
        Ok(())
    }

    fn symbol(&mut self, node: &Node, op: SymOp) -> Result<()> {
        let bad =
            |index, expected| self.fail(node, OpError::Argument { index, expected, got: "something else".to_owned() });
        let int = |index: usize| -> Result<i64> {
            let arg = match node.args.get(index).map(|&id| self.arg(id)) {
                Some(Arg::Int(value)) => IntArg::Known(value),
                Some(Arg::Sym(id)) => IntArg::Sym(id),
                _ => return Err(bad(index, "an integer")),
            };
            arg.eval(&self.syms).map_err(|source| self.fail(node, source))
        };
        let tensor = || match node.args.first().map(|&id| self.arg(id)) {
            Some(Arg::Tensor(tensor)) => Ok(tensor),
            _ => Err(bad(0, "a tensor")),
        };
        let dim = |tensor: &HostTensor, dim: i64| {
            let rank = tensor.shape().rank();
            let index = tensor.shape().dim(dim).filter(|&dim| dim < rank);
            index.ok_or_else(|| self.fail(node, OpError::Dim { dim, rank }))
        };
        let value = match op {
            SymOp::Size => {
                let tensor = tensor()?;
                tensor.shape()[dim(&tensor, int(1)?)?] as i64
            }
            SymOp::Element => {
                let tensor = tensor()?;
                let (size, index) = (tensor.shape()[dim(&tensor, int(1)?)?], int(2)?);
                let from_start = if index < 0 { index.saturating_add_unsigned(size as u64) } else { index };
                let element = usize::try_from(from_start).ok().filter(|&e| e < size && tensor.numel() == size);
                let element = element.ok_or_else(|| self.fail(node, OpError::Index { index, limit: size as u64 }))?;
                tensor.to_i64s()[element]
            }
            SymOp::Binary(f) => {
                let (a, b) = (int(0)?, int(1)?);
                let undefined = || OpError::Unsupported(format!("arithmetic on {a} and {b} is not defined"));
                f(a, b).ok_or_else(|| self.fail(node, undefined()))?
            }
        };
        for &output in &node.outputs {
            if let Value::Sym(id) = self.graph.values[output as usize] {
                self.syms[id.0 as usize] = value;
            }
        }
        Ok(())
    }

    fn arg(&self, id: u32) -> Arg<HostTensor> {
        match &self.graph.values[id as usize] {
            Value::Null | Value::Unknown(_) => Arg::Null,
            Value::Int(value) => Arg::Int(*value),
            Value::Double(value) => Arg::Double(*value),
            Value::Bool(value) => Arg::Bool(*value),
            Value::Str(text) => Arg::Str(text.clone()),
            Value::Ints(items) => Arg::List(items.iter().map(|&item| Arg::Int(item)).collect()),
            Value::Doubles(items) => Arg::List(items.iter().map(|&item| Arg::Double(item)).collect()),
            Value::Bools(items) => Arg::List(items.iter().map(|&item| Arg::Bool(item)).collect()),
            Value::List(items) => Arg::List(items.iter().map(|&item| self.arg(item)).collect()),
            Value::Sym(id) => Arg::Sym(*id),
            Value::Tensor(_) => self.tensors[id as usize].clone().map_or(Arg::Null, Arg::Tensor),
        }
    }

    fn fail(&self, node: &Node, source: OpError) -> Error {
        let describe = |&id: &u32| {
            let tensor = self.tensors[id as usize].as_ref()?;
            Some(format!("{}{}", tensor.dtype(), tensor.shape()))
        };
        Error::Node(Box::new(NodeError {
            at: format!("node {} of {}", node.id, self.graph.name),
            op: node.op.name.to_owned(),
            inputs: node.args.iter().filter_map(describe).collect(),
            source,
        }))
    }
}
