//! Plans a graph for one set of input shapes, and decides whether a plan still holds for a call.
//!
//! Shapes determine a plan, and so do the quantities that operators have observed of symbolic integers. Everything else
//! about symbolic integers travels with the call: see [`GraphPlan::symbols_for`].

use pteron_ops::args::Arg;
use pteron_ops::plan::{Dispatch, Output, Place, Tensor};
use pteron_ops::sym::{IntArg, Observation, RowRange, Scalar, SymExpr, SymId, SymOp};
use pteron_ops::{Args, Body, Caps, OpError, Plan};
use pteron_tensor::{DType, Shape};

use crate::error::{Error, Result};
use crate::graph::{Graph, Node, Role, Value};

/// Reads an element of a graph input on the host: input number, element.
pub(crate) type Elements<'a> = dyn Fn(usize, usize) -> Result<i64> + 'a;

/// A graph planned for one set of input shapes.
#[derive(Debug)]
pub(crate) struct GraphPlan {
    /// Shapes of the inputs that it is for.
    pub(crate) inputs: Vec<Shape>,
    /// Type and shape of every tensor, by value id.
    pub(crate) tensors: Vec<Option<PlannedTensor>>,
    /// Launches in order.
    pub(crate) dispatches: Vec<PlannedDispatch>,
    /// Types and shapes of scratch tensors, by [`Place::Scratch`] number.
    pub(crate) scratch: Vec<(DType, Shape)>,
    /// Index checks: node, tensor value, limit.
    pub(crate) checks: Vec<PlannedCheck>,
    /// Ranges of rows that each call must satisfy, with the node that asks for it.
    ranges: Vec<(usize, RowRange)>,
    /// Whether a kernel may report an index that no check covers.
    pub(crate) reports: bool,
    symbols: Vec<(SymId, PlannedSym)>,
    observed: Vec<(Observation, i64)>,
}

/// A tensor's type, shape and the value whose memory it uses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlannedTensor {
    pub(crate) dtype: DType,
    pub(crate) shape: Shape,
    /// The value that owns the memory: itself unless it is a view.
    pub(crate) root: u32,
}

/// A launch and the node that it belongs to. Its tensors live in values or scratch.
#[derive(Debug)]
pub(crate) struct PlannedDispatch {
    pub(crate) node: usize,
    pub(crate) dispatch: Dispatch,
}

/// Indices that must be less than a limit.
#[derive(Debug)]
pub(crate) struct PlannedCheck {
    pub(crate) node: usize,
    /// The input of the graph that holds the indices, where one does.
    pub(crate) input: Option<usize>,
    pub(crate) limit: u64,
    /// Whether negative indices count from the end.
    pub(crate) from_end: bool,
}

/// How a symbolic integer is computed under a plan, where all shapes are known.
#[derive(Clone, Copy, Debug)]
struct PlannedSym {
    expr: SymExpr,
    /// The input of the graph that an element is read from.
    input: Option<usize>,
}

impl GraphPlan {
    /// Plans `graph` for these input shapes.
    pub(crate) fn new(graph: &Graph, inputs: &[Shape], elements: &Elements<'_>, caps: &Caps) -> Result<GraphPlan> {
        let mut planner = Planner {
            graph,
            caps,
            syms: vec![0; graph.symbols],
            plan: GraphPlan {
                inputs: inputs.to_vec(),
                tensors: initial_tensors(graph, inputs),
                dispatches: Vec::new(),
                scratch: Vec::new(),
                checks: Vec::new(),
                ranges: Vec::new(),
                reports: false,
                symbols: Vec::new(),
                observed: Vec::new(),
            },
        };
        for (index, node) in graph.nodes.iter().enumerate() {
            match node.op.body {
                Body::Symbolic(op) => planner.symbol(node, op, elements)?,
                _ => planner.node(index, node)?,
            }
        }
        for &(state, computed) in &graph.updates {
            let shape_of = |id: u32| planner.plan.tensors[id as usize].map(|tensor| tensor.shape);
            if shape_of(state) != shape_of(computed) {
                return Err(Error::Program(format!("{} updates state {state} with another shape", graph.name)));
            }
        }
        Ok(planner.plan)
    }

    /// The symbolic integers of a call with these inputs, if the plan holds for it. The input shapes already agree.
    pub(crate) fn symbols_for(&self, graph: &Graph, elements: &Elements<'_>) -> Result<Option<Vec<i64>>> {
        let mut syms = vec![0; graph.symbols];
        for &(SymId(id), expr) in &self.symbols {
            syms[id as usize] = expr.eval(&syms, elements)?;
        }
        for &(observation, seen) in &self.observed {
            if observation.eval(&syms)? != seen {
                return Ok(None);
            }
        }
        Ok(Some(syms))
    }

    /// The inputs whose elements are read as symbolic integers.
    pub(crate) fn symbolic_inputs(&self) -> impl Iterator<Item = usize> {
        self.symbols.iter().filter_map(|&(_, planned)| match planned.expr {
            SymExpr::Element(_) => planned.input,
            _ => None,
        })
    }

    /// Checks what operators ask of a call's symbolic integers.
    pub(crate) fn check_symbols(&self, graph: &Graph, syms: &[i64]) -> Result<()> {
        for &(node, range) in &self.ranges {
            range.eval(syms).map_err(|source| self.fail(graph, &graph.nodes[node], source))?;
        }
        Ok(())
    }

    /// An operator's error, with the place of its node and the shapes of its tensors.
    fn fail(&self, graph: &Graph, node: &Node, source: OpError) -> Error {
        let described = |id: u32| {
            let tensor = self.tensors.get(id as usize).copied().flatten()?;
            Some((tensor.dtype, tensor.shape))
        };
        graph.error(node, source, described)
    }

    /// Whether any launch reads values that change from call to call.
    pub(crate) fn has_per_call_values(&self) -> bool {
        let varies = |scalar: &Scalar| {
            !matches!(scalar, Scalar::Int(IntArg::Known(_)) | Scalar::SliceStart { start: IntArg::Known(_), .. })
        };
        self.dispatches.iter().any(|planned| planned.dispatch.call.iter().any(|(_, scalar)| varies(scalar)))
    }
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

impl PlannedSym {
    fn eval(self, syms: &[i64], elements: &Elements<'_>) -> Result<i64> {
        self.expr.eval(syms, |element| match self.input {
            Some(input) => elements(input, element),
            None => Err(Error::Program("a symbolic integer is an element of no input".to_owned())),
        })
    }
}

struct Planner<'a> {
    graph: &'a Graph,
    caps: &'a Caps,
    syms: Vec<i64>,
    plan: GraphPlan,
}

impl Planner<'_> {
    /// Computes a symbolic integer and notes how.
    fn symbol(&mut self, node: &Node, op: SymOp, elements: &Elements<'_>) -> Result<()> {
        let args = Args::new(self.args(node), &self.syms);
        let expr = op.resolve(&args).map_err(|source| self.fail(node, source))?;
        let root = node.args.first().map(|&id| self.root(id));
        let input = self.graph.inputs.iter().position(|&input| Some(input) == root);
        if matches!(expr, SymExpr::Element(_)) && input.is_none() {
            let source = OpError::Unsupported("the element of a tensor that is no input".to_owned());
            return Err(self.fail(node, source));
        }
        let planned = PlannedSym { expr, input };
        let value = planned.eval(&self.syms, elements)?;
        for &output in &node.outputs {
            if let Value::Sym(id) = self.graph.values[output as usize] {
                self.syms[id.0 as usize] = value;
                self.plan.symbols.push((id, planned));
            }
        }
        Ok(())
    }

    /// Plans an operator and takes its launches into the graph's plan.
    fn node(&mut self, index: usize, node: &Node) -> Result<()> {
        let (args, output_types) = (self.args(node), self.graph.output_types(node));
        let number = u32::try_from(index).unwrap_or(u32::MAX);
        let planned = Plan::run(node.op, args, &self.syms, &output_types, self.caps, number)
            .map_err(|source| self.fail(node, source))?;

        for (&id, output) in node.outputs.iter().zip(&planned.outputs) {
            let tensor = match *output {
                Some(Output::Owned(dtype, shape)) => PlannedTensor { dtype, shape, root: id },
                Some(Output::Alias(tensor)) => {
                    let owner = match tensor.place {
                        Place::Value(id) => id,
                        Place::Output(output) => node.outputs[output],
                        Place::Scratch(_) => {
                            let source = OpError::Unsupported("a view of scratch memory".to_owned());
                            return Err(self.fail(node, source));
                        }
                    };
                    let root = self.plan.tensors[owner as usize].map_or(owner, |owner| owner.root);
                    PlannedTensor { dtype: tensor.dtype, shape: tensor.shape, root }
                }
                None => continue,
            };
            self.plan.tensors[id as usize] = Some(tensor);
        }
        let scratch_base = self.plan.scratch.len();
        self.plan.scratch.extend(planned.scratch);
        for mut dispatch in planned.dispatches {
            for tensor in &mut dispatch.tensors {
                tensor.place = match tensor.place {
                    Place::Output(output) => Place::Value(self.root(node.outputs[output])),
                    Place::Value(id) => Place::Value(self.root(id)),
                    Place::Scratch(number) => Place::Scratch(scratch_base + number),
                };
            }
            self.plan.dispatches.push(PlannedDispatch { node: index, dispatch });
        }
        for place in planned.mutated {
            let Place::Value(id) = place else { continue };
            let root = self.root(id);
            if self.is_seen_after(index, id) {
                let source = OpError::Unsupported("it changes what a view shows that is used later".to_owned());
                return Err(self.fail(node, source));
            }
            if let Value::Tensor(tensor) = &self.graph.values[root as usize]
                && matches!(tensor.role, Role::Constant(_))
            {
                return Err(self.fail(node, OpError::Unsupported("it writes to a constant".to_owned())));
            }
        }
        self.plan.reports |= planned.reports;
        for check in planned.checks {
            let input = match check.tensor.place {
                Place::Value(id) => self.graph.inputs.iter().position(|&input| input == self.root(id)),
                _ => None,
            };
            let (limit, from_end) = (check.limit, check.from_end);
            self.plan.checks.push(PlannedCheck { node: index, input, limit, from_end });
        }
        self.plan.ranges.extend(planned.ranges.into_iter().map(|range| (index, range)));
        self.plan.observed.extend(planned.observed);
        Ok(())
    }

    /// Whether a node after this one, or the caller, reads the memory of a value through another value.
    fn is_seen_after(&self, node: usize, id: u32) -> bool {
        let later = self.graph.nodes[node + 1..].iter().flat_map(|node| &node.args).flat_map(|arg| {
            match &self.graph.values[*arg as usize] {
                Value::List(items) => &items[..],
                _ => std::slice::from_ref(arg),
            }
        });
        let shares = |&other: &u32| {
            let planned = self.plan.tensors[other as usize];
            other != id && planned.is_some_and(|tensor| tensor.root == self.root(id))
        };
        later.chain(&self.graph.outputs).any(shares)
    }

    fn root(&self, id: u32) -> u32 {
        self.plan.tensors[id as usize].map_or(id, |tensor| tensor.root)
    }

    fn args(&self, node: &Node) -> Vec<Arg<Tensor>> {
        self.graph.args(node, |id| {
            let PlannedTensor { dtype, shape, .. } = self.plan.tensors[id as usize]?;
            Some(Tensor { place: Place::Value(id), dtype, shape, window: None })
        })
    }

    fn fail(&self, node: &Node, source: OpError) -> Error {
        self.plan.fail(self.graph, node, source)
    }
}

#[cfg(test)]
mod tests {
    use pteron_ops::{Accuracy, OpDef, catalogue};

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
            numbers: Vec::new(),
            constants: Vec::new(),
            symbols: 0,
            updates: Vec::new(),
            feedback: None,
            widened: false,
        };
        let plan = |graph: &Graph| GraphPlan::new(graph, &[shape], &|_, _| Ok(0), &Caps::webgpu_minimum());
        plan(&graph(vec![0, 3])).unwrap();
        let error = plan(&graph(vec![2, 3])).unwrap_err().to_string();
        assert!(error.contains("a view shows that is used later"), "{error}");
    }
}
