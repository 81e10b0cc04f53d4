//! Plans the nodes of a graph one after the other.

use std::collections::HashSet;

use pteron_ops::args::Arg;
use pteron_ops::plan::{Output, Place, Tensor};
use pteron_ops::sym::{Observation, RowRange, SymExpr, SymOp};
use pteron_ops::{Args, Body, Caps, OpError, PlanContext};
use pteron_tensor::Shape;

use super::memory::{Owner, Placement, UnplacedDispatch};
use super::{
    Elements, GraphPlan, PlannedCheck, PlannedInput, PlannedOutput, PlannedSymbol, PlannedTensor, carried, node_error,
};
use crate::error::{Error, Result};
use crate::graph::{Carried, Graph, Node, Role, Value};

/// Plans `graph` for these input shapes.
pub(super) fn plan(graph: &Graph, inputs: &[Shape], elements: &Elements<'_>, caps: &Caps) -> Result<GraphPlan> {
    let mut planner = Planner {
        graph,
        caps,
        syms: vec![0; graph.symbols],
        tensors: initial_tensors(graph, inputs),
        dispatches: Vec::new(),
        scratch: 0,
        checks: Vec::new(),
        ranges: Vec::new(),
        symbols: Vec::new(),
        observed: Vec::new(),
    };
    for (index, node) in graph.nodes.iter().enumerate() {
        match node.op.body {
            Body::Symbolic(op) => planner.symbol(index, node, op, elements)?,
            _ => planner.node(index, node)?,
        }
    }
    planner.finish(inputs)
}

/// What is known before any node runs: inputs at the call's shapes, constants and state at their own.
fn initial_tensors(graph: &Graph, inputs: &[Shape]) -> Vec<Option<PlannedTensor>> {
    let mut tensors: Vec<_> = (0u32..)
        .zip(&graph.values)
        .map(|(root, value)| match value {
            Value::Tensor(tensor) if tensor.role != Role::Plain => {
                Some(PlannedTensor { dtype: tensor.dtype, shape: tensor.shape, root })
            }
            _ => None,
        })
        .collect();
    for (&root, &shape) in graph.inputs.iter().zip(inputs) {
        if let Value::Tensor(tensor) = &graph.values[root as usize] {
            tensors[root as usize] = Some(PlannedTensor { dtype: tensor.dtype, shape, root });
        }
    }
    tensors
}

struct Planner<'a> {
    graph: &'a Graph,
    caps: &'a Caps,
    syms: Vec<i64>,
    /// By value id.
    tensors: Vec<Option<PlannedTensor>>,
    dispatches: Vec<UnplacedDispatch>,
    /// Scratch tensors so far.
    scratch: usize,
    checks: Vec<PlannedCheck>,
    ranges: Vec<(usize, RowRange)>,
    symbols: Vec<PlannedSymbol>,
    observed: Vec<(Observation, i64)>,
}

impl Planner<'_> {
    /// Computes a symbolic integer and notes how.
    fn symbol(&mut self, index: usize, node: &Node, op: SymOp, elements: &Elements<'_>) -> Result<()> {
        let args = Args::new(self.args(node), &self.syms);
        let expr = op.resolve(&args).map_err(|source| self.fail(node, source))?;
        let root = node.args.first().map(|&id| self.root(id));
        let input = self.graph.inputs.iter().position(|&input| Some(input) == root);
        if matches!(expr, SymExpr::Element(_)) && input.is_none() {
            let source = OpError::Unsupported("the element of a tensor that is no input".to_owned());
            return Err(self.fail(node, source));
        }
        for &output in &node.outputs {
            if let Value::Sym(id) = self.graph.values[output as usize] {
                let symbol = PlannedSymbol { node: index, id, expr, input };
                let value = symbol.eval(self.graph, &self.tensors, &self.syms, elements)?;
                self.syms[id.0 as usize] = value;
                self.symbols.push(symbol);
            }
        }
        Ok(())
    }

    /// Plans an operator and takes its launches into the graph's plan.
    fn node(&mut self, index: usize, node: &Node) -> Result<()> {
        let (args, output_types) = (self.args(node), self.graph.output_types(node));
        let number = u32::try_from(index).unwrap_or(u32::MAX);
        let planned = PlanContext::run(node.op, args, &self.syms, &output_types, self.caps, number)
            .map_err(|source| self.fail(node, source))?;
        for (&id, output) in node.outputs.iter().zip(&planned.outputs) {
            let Some(output) = output else { continue };
            self.tensors[id as usize] = Some(self.output(node, id, *output)?);
        }
        for dispatch in planned.dispatches {
            let owner = |tensor: &Tensor| match tensor.place {
                Place::Output(output) => Owner::Value(self.root(node.outputs[output])),
                Place::Value(id) => Owner::Value(self.root(id)),
                Place::Scratch(number) => Owner::Scratch(self.scratch + number),
            };
            let owners = dispatch.tensors.iter().map(owner).collect();
            self.dispatches.push(UnplacedDispatch { node: index, dispatch, owners });
        }
        self.scratch += planned.scratch.len();
        for place in planned.mutated {
            self.check_mutation(index, node, place)?;
        }
        for check in planned.checks {
            let input = match check.tensor.place {
                Place::Value(id) => self.graph.inputs.iter().position(|&input| input == self.root(id)),
                _ => None,
            };
            let (limit, negative) = (check.limit, check.negative);
            self.checks.push(PlannedCheck { node: index, input, limit, negative });
        }
        self.ranges.extend(planned.ranges.into_iter().map(|range| (index, range)));
        self.observed.extend(planned.observed);
        Ok(())
    }

    /// An output of a node, with memory of its own or that of what it is a view of.
    fn output(&self, node: &Node, id: u32, output: Output) -> Result<PlannedTensor> {
        let tensor = match output {
            Output::Owned(dtype, shape) => return Ok(PlannedTensor { dtype, shape, root: id }),
            Output::Alias(tensor) => tensor,
        };
        let root = match tensor.place {
            Place::Value(id) => self.root(id),
            Place::Output(output) => self.root(node.outputs[output]),
            Place::Scratch(_) => {
                let source = OpError::Unsupported("a view of scratch memory".to_owned());
                return Err(self.fail(node, source));
            }
        };
        Ok(PlannedTensor { dtype: tensor.dtype, shape: tensor.shape, root })
    }

    /// Refuses to change what others still see as it was.
    fn check_mutation(&self, index: usize, node: &Node, place: Place) -> Result<()> {
        let Place::Value(id) = place else { return Ok(()) };
        if self.is_seen_after(index, id) {
            let source = OpError::Unsupported("it changes what a view shows that is used later".to_owned());
            return Err(self.fail(node, source));
        }
        match &self.graph.values[self.root(id) as usize] {
            Value::Tensor(tensor) if matches!(tensor.role, Role::Constant(_)) => {
                Err(self.fail(node, OpError::Unsupported("it writes to a constant".to_owned())))
            }
            _ => Ok(()),
        }
    }

    /// Whether a node after this one, or the caller, reads the memory of a value through another value. What the node
    /// itself gives shows what it has written.
    fn is_seen_after(&self, node: usize, id: u32) -> bool {
        let own = &self.graph.nodes[node].outputs;
        let later = self.graph.nodes[node + 1..].iter().flat_map(|node| &node.args).flat_map(|arg| {
            match &self.graph.values[*arg as usize] {
                Value::List(items) => &items[..],
                _ => std::slice::from_ref(arg),
            }
        });
        let shares = |&other: &u32| {
            let planned = self.tensors[other as usize];
            other != id && !own.contains(&other) && planned.is_some_and(|tensor| tensor.root == self.root(id))
        };
        later.chain(&self.graph.outputs).any(shares)
    }

    fn root(&self, id: u32) -> u32 {
        self.tensors[id as usize].map_or(id, |tensor| tensor.root)
    }

    fn args(&self, node: &Node) -> Vec<Arg<Tensor>> {
        self.graph.args(node, |id| {
            let PlannedTensor { dtype, shape, .. } = self.tensors[id as usize]?;
            Some(Tensor { place: Place::Value(id), dtype, shape, window: None })
        })
    }

    fn fail(&self, node: &Node, source: OpError) -> Error {
        node_error(self.graph, &self.tensors, node, source)
    }

    /// Gives every tensor its memory.
    fn finish(self, shapes: &[Shape]) -> Result<GraphPlan> {
        let graph = self.graph;
        let shape_of = |id: u32| self.tensors[id as usize].map(|tensor| tensor.shape);
        if let Some((state, _)) = graph.updates.iter().find(|&&(state, new)| shape_of(state) != shape_of(new)) {
            return Err(Error::Program(format!("{} updates state {state} with another shape", graph.name)));
        }
        let carried = carried::in_place(graph, &self.tensors, &self.dispatches);
        let inputs = self.inputs(shapes, &carried);
        let placement = Placement::new(graph, &self.tensors, &self.dispatches, &carried);
        let output = |id: u32| {
            let missing = || Error::Program(format!("output value {id} of {} has no memory", graph.name));
            let PlannedTensor { dtype, shape, root } = self.tensors[id as usize].ok_or_else(missing)?;
            Ok(PlannedOutput { memory: placement.of_value(root).ok_or_else(missing)?, dtype, shape })
        };
        let outputs = graph.outputs.iter().map(|&id| output(id)).collect::<Result<_>>()?;
        let updates = graph.updates.iter().map(|&(state, new)| Ok((state, output(new)?))).collect::<Result<_>>()?;
        let missing = || Error::Program(format!("a launch of {} binds a tensor without memory", graph.name));
        let placed = |unplaced| placement.placed(unplaced).ok_or_else(missing);
        let dispatches = self.dispatches.into_iter().map(placed).collect::<Result<_>>()?;
        Ok(GraphPlan {
            inputs,
            tensors: self.tensors,
            dispatches,
            memory: placement.plan,
            outputs,
            carried,
            updates,
            checks: self.checks,
            ranges: self.ranges,
            symbols: self.symbols,
            observed: self.observed,
        })
    }

    /// What launches and results do with each input.
    fn inputs(&self, shapes: &[Shape], carried: &[Carried]) -> Vec<PlannedInput> {
        let (mut read, mut written) = (HashSet::new(), HashSet::new());
        for unplaced in &self.dispatches {
            for (&owner, info) in unplaced.owners.iter().zip(unplaced.dispatch.kernel.storage) {
                read.insert(owner);
                if info.writes {
                    written.insert(owner);
                }
            }
        }
        let updates = self.graph.updates.iter().map(|(_, computed)| computed);
        read.extend(self.graph.outputs.iter().chain(updates).map(|&id| Owner::Value(self.root(id))));
        let takes = |id: u32| carried.iter().any(|carried| carried.input == id);
        let input = |(&id, &shape): (&u32, &Shape)| PlannedInput {
            shape,
            is_read: read.contains(&Owner::Value(id)),
            is_overwritten: takes(id) || written.contains(&Owner::Value(id)),
        };
        self.graph.inputs.iter().zip(shapes).map(input).collect()
    }
}

#[cfg(test)]
mod tests {
    use pteron_ops::{Accuracy, OpDef, catalogue};
    use pteron_tensor::DType;

    use super::*;
    use crate::graph::TensorValue;

    /// Changes its argument and gives a tensor of its shape.
    static CHANGE: OpDef = OpDef {
        name: "change",
        portable: None,
        body: Body::Tensor {
            plan: |cx| {
                let tensor = cx.tensor_mut(0)?;
                cx.output(tensor.shape).map(|_| ())
            },
            reference: |cx| {
                let tensor = cx.tensor(0)?;
                cx.set(0, tensor)
            },
        },
        accuracy: Accuracy::Exact,
        typed_like: None,
        writes: &[0],
    };

    #[test]
    fn a_view_of_what_changes_cannot_be_used_later() {
        let shape = Shape::new(&[6]).unwrap();
        let tensor = || Value::Tensor(TensorValue { dtype: DType::F32, shape, role: Role::Plain });
        let graph = |outputs: Vec<u32>| Graph {
            name: "test".to_owned(),
            values: vec![tensor(), Value::Ints(vec![2, 3]), tensor(), tensor()],
            nodes: vec![
                Node {
                    id: 0,
                    op: catalogue::lookup("aten.view_copy.default").unwrap(),
                    args: vec![0, 1],
                    outputs: vec![2],
                },
                Node { id: 1, op: &CHANGE, args: vec![0], outputs: vec![3] },
            ],
            inputs: vec![0],
            outputs,
            ..Graph::default()
        };
        let plan = |graph: &Graph| super::plan(graph, &[shape], &|_, _| Ok(0), &Caps::webgpu_minimum());
        plan(&graph(vec![0, 3])).unwrap();
        let error = plan(&graph(vec![2, 3])).unwrap_err().to_string();
        assert!(error.contains("a view shows that is used later"), "{error}");
    }
}
