//! Runs a graph on the CPU, one reference implementation after the other.

use pteron_ops::args::Arg;
use pteron_ops::{Body, Caps, Clock, Eval, OpError};
use pteron_tensor::HostTensor;

use crate::error::{Error, Result};
use crate::graph::{Graph, Node, Role, Value};
use crate::limits::{Deadline, Limits};
use crate::plan::{GraphPlan, PlanCache, call};
use crate::types;

/// A delegate on the CPU: its constants, and the state that persists between calls.
#[derive(Debug)]
pub(crate) struct ReferenceDelegate {
    caps: Caps,
    /// Calls are checked by their plans, as on a GPU, and run without them.
    plans: PlanCache<GraphPlan>,
    /// One tensor per entry of [`Graph::constants`].
    constants: Vec<HostTensor>,
    state: ReferenceState,
    limits: Limits,
}

/// State that persists between calls, by value id.
pub(crate) type ReferenceState = Vec<Option<HostTensor>>;

impl ReferenceDelegate {
    pub(crate) fn new(
        caps: Caps,
        graph: &Graph,
        constants: Vec<HostTensor>,
        limits: Limits,
    ) -> Result<ReferenceDelegate> {
        let plans = PlanCache::default();
        let mut delegate = ReferenceDelegate { caps, plans, constants, state: Vec::new(), limits };
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

    /// The current state.
    pub(crate) fn state(&self) -> &ReferenceState {
        &self.state
    }

    /// Keeps a plan for the calls that it fits, where they are allowed what they need.
    pub(crate) fn prepare(&mut self, graph: &Graph, plan: GraphPlan) {
        if self.limits.check_host(&graph.name, plan.tensor_bytes(graph)).is_ok() {
            self.plans.keep(plan);
        }
    }

    /// Runs the graph; gives its outputs and symbolic integers. A call that is refused leaves the state alone.
    pub(crate) fn run(
        &mut self,
        graph: &Graph,
        inputs: &[HostTensor],
        deadline: &Deadline,
    ) -> Result<(Vec<HostTensor>, Vec<i64>)> {
        let allow = |plan: GraphPlan| {
            self.limits.check_host(&graph.name, plan.tensor_bytes(graph))?;
            Ok(plan)
        };
        let (plan, syms) = self.plans.plan_for(graph, inputs, &self.caps, allow)?;
        call::check_indices(graph, plan, inputs)?;
        plan.check_per_call_values(graph, &syms)?;
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
        for (number, (&id, input)) in graph.inputs.iter().zip(inputs).enumerate() {
            let Some(dtype) = call::input_type(graph, number) else { continue };
            let converted = types::to_device(input, dtype).map_err(|mismatch| mismatch.of_input(number))?;
            tensors[id as usize] = Some(converted);
        }
        let mut run = Run { graph, tensors, syms: &syms, clock: &deadline.clock() };
        for node in &graph.nodes {
            deadline.check()?;
            // The plan has computed symbolic integers.
            if !matches!(node.op.body, Body::Symbolic(_)) {
                run.node(node).map_err(|source| match source {
                    OpError::Time => deadline.error(),
                    source => run.fail(node, source),
                })?;
            }
        }
        let tensors = run.tensors;
        let missing = || Error::Program(format!("an output of {} was not computed", graph.name));
        let output = |&id: &u32| tensors[id as usize].clone().ok_or_else(missing);
        let outputs = graph.outputs.iter().map(output).collect::<Result<_>>()?;
        for (state, tensor) in self.state.iter_mut().zip(&tensors) {
            if state.is_some() {
                state.clone_from(tensor);
            }
        }
        for &(state, computed) in &graph.updates {
            self.state[state as usize] = tensors[computed as usize].clone();
        }
        Ok((outputs, syms))
    }
}

struct Run<'a> {
    graph: &'a Graph,
    tensors: Vec<Option<HostTensor>>,
    syms: &'a [i64],
    clock: &'a Clock,
}

impl Run<'_> {
    fn node(&mut self, node: &Node) -> Result<(), OpError> {
        let (args, types) = (self.args(node), self.graph.output_types(node));
        let evaluated = Eval::run_within(node.op, args, self.syms, &types, 0, self.clock)?;
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

    fn args(&self, node: &Node) -> Vec<Arg<HostTensor>> {
        self.graph.args(node, |id| self.tensors[id as usize].clone())
    }

    fn fail(&self, node: &Node, source: OpError) -> Error {
        let described = |id: u32| self.tensors[id as usize].as_ref().map(|tensor| (tensor.dtype(), *tensor.shape()));
        self.graph.error(node, source, described)
    }
}
