//! Runs a graph on the CPU, one reference implementation after the other.

use pteron_ops::args::Arg;
use pteron_ops::sym::SymOp;
use pteron_ops::{Args, Body, Eval, OpError};
use pteron_tensor::HostTensor;

use crate::error::{Error, Result};
use crate::graph::{Graph, Node, Role, Value};

/// A delegate on the CPU: its constants, and the state that persists between calls.
#[derive(Debug)]
pub(crate) struct ReferenceDelegate {
    /// One tensor per entry of [`Graph::constants`].
    constants: Vec<HostTensor>,
    state: ReferenceState,
}

/// State that persists between calls, by value id.
pub(crate) type ReferenceState = Vec<Option<HostTensor>>;

impl ReferenceDelegate {
    pub(crate) fn new(graph: &Graph, constants: Vec<HostTensor>) -> Result<ReferenceDelegate> {
        let mut delegate = ReferenceDelegate { constants, state: Vec::new() };
        delegate.reset(graph)?;
        Ok(delegate)
    }

    /// Another state, as it was when the delegate was loaded.
    pub(crate) fn new_state(&self, graph: &Graph) -> Result<ReferenceState> {
        let first = |value: &Value| match value {
            Value::Tensor(tensor) => match tensor.role {
                Role::State(constant) => self.constants[constant].reshape(tensor.shape).map(Some),
                _ => Ok(None),
            },
            _ => Ok(None),
        };
        Ok(graph.values.iter().map(first).collect::<Result<_, _>>()?)
    }

    /// Exchanges the state with one of the same graph.
    pub(crate) fn swap_state(&mut self, state: &mut ReferenceState) {
        std::mem::swap(&mut self.state, state);
    }

    /// Sets the state back to its first value.
    pub(crate) fn reset(&mut self, graph: &Graph) -> Result<()> {
        self.state = self.new_state(graph)?;
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
        let (args, types) = (self.args(node), self.graph.output_types(node));
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
        let args = Args::new(self.args(node), &self.syms);
        let compute = || -> Result<i64, OpError> {
            op.resolve(&args)?.eval(&self.syms, |element| Ok(args.tensor(0)?.to_i64s()[element]))
        };
        let value = compute().map_err(|source| self.fail(node, source))?;
        for &output in &node.outputs {
            if let Value::Sym(id) = self.graph.values[output as usize] {
                self.syms[id.0 as usize] = value;
            }
        }
        Ok(())
    }

    fn args(&self, node: &Node) -> Vec<Arg<HostTensor>> {
        self.graph.args(node, |id| self.tensors[id as usize].clone())
    }

    fn fail(&self, node: &Node, source: OpError) -> Error {
        let described = |id: u32| self.tensors[id as usize].as_ref().map(|tensor| (tensor.dtype(), *tensor.shape()));
        self.graph.error(node, source, described)
    }
}
