//! Plans the nodes of a graph one after the other.

use std::collections::HashSet;

use pteron_ops::args::Arg;
use pteron_ops::plan::{Output, Place, Repeated, Sharing, Tensor, Window};
use pteron_ops::sym::{Observation, RowRange, SymExpr, SymOp};
use pteron_ops::{Args, Body, Caps, OpError, PlanContext};
use pteron_tensor::Shape;

use super::joined::{Join, Joined, Spot};
use super::memory::{Owner, Placement, UnplacedDispatch, buffer_bytes};
use super::{
    Elements, GraphPlan, PlannedCheck, PlannedInput, PlannedOutput, PlannedSymbol, PlannedTensor, carried, node_error,
};
use crate::error::{Error, Result};
use crate::graph::{Carried, Graph, Node, Role, Value};
use crate::passes::IN_PAGES;

/// Plans `graph` for these input shapes.
pub(super) fn plan(graph: &Graph, inputs: &[Shape], elements: &Elements<'_>, caps: &Caps) -> Result<GraphPlan> {
    let (nothing, apart) = (HashSet::new(), Joined::default());
    let mut planner = planned(graph, inputs, elements, caps, &nothing, &apart)?;
    // What outlives a call has its memory for itself.
    let copied = planner.lasting_parts();
    if !copied.is_empty() {
        planner = planned(graph, inputs, elements, caps, &copied, &apart)?;
    }
    // Pages copy what is joined.
    let joined = if IN_PAGES { Joined::default() } else { planner.joined() };
    if !joined.is_empty() {
        let in_place = planned(graph, inputs, elements, caps, &copied, &joined)?;
        // What is copied between parts that are in place takes launches of its own.
        if in_place.dispatches.len() <= planner.dispatches.len() {
            planner = in_place;
        }
    }
    planner.finish(inputs)
}

/// The nodes of a graph, planned. What `copied` names is no part of anything else's memory, what is `joined` lies in that of joins.
fn planned<'a>(
    graph: &'a Graph,
    inputs: &[Shape],
    elements: &Elements<'_>,
    caps: &'a Caps,
    copied: &'a HashSet<u32>,
    joined: &'a Joined,
) -> Result<Planner<'a>> {
    let mut planner = Planner {
        graph,
        caps,
        changes: changes_tensors(graph),
        copied,
        joined,
        joins: Vec::new(),
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
    Ok(planner)
}

/// Whether a node changes anything but state.
fn changes_tensors(graph: &Graph) -> bool {
    graph.nodes.iter().any(|node| {
        let changed = node.op.writes.iter().filter_map(|&argument| node.args.get(argument));
        changed.into_iter().any(|&id| !is_state(graph, id))
    })
}

fn is_state(graph: &Graph, id: u32) -> bool {
    matches!(&graph.values[id as usize], Value::Tensor(tensor) if matches!(tensor.role, Role::State(_)))
}

/// What is known before any node runs: inputs at the call's shapes, constants and state at their own.
fn initial_tensors(graph: &Graph, inputs: &[Shape]) -> Vec<Option<PlannedTensor>> {
    let mut tensors: Vec<_> = (0u32..)
        .zip(&graph.values)
        .map(|(root, value)| match value {
            Value::Tensor(tensor) if tensor.role != Role::Plain => {
                Some(PlannedTensor::new(tensor.dtype, tensor.shape, root))
            }
            _ => None,
        })
        .collect();
    for (&root, &shape) in graph.inputs.iter().zip(inputs) {
        if let Value::Tensor(tensor) = &graph.values[root as usize] {
            tensors[root as usize] = Some(PlannedTensor::new(tensor.dtype, shape, root));
        }
    }
    tensors
}

struct Planner<'a> {
    graph: &'a Graph,
    caps: &'a Caps,
    /// Whether tensors change, so that none may show part of another.
    changes: bool,
    /// Values that show no part of another.
    copied: &'a HashSet<u32>,
    /// Values that lie in the memory of joins.
    joined: &'a Joined,
    /// The joins so far.
    joins: Vec<Join>,
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
        let input = node.args.first().and_then(|&id| self.input(id));
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
        let parts = !self.changes && !node.outputs.iter().any(|id| self.copied.contains(id));
        let parts = parts && !node.args.iter().any(|&id| is_state(self.graph, self.root(id)));
        let sharing = Sharing { parts, placed: self.joined.placed(index) };
        let planned = PlanContext::run(node.op, args, &self.syms, &output_types, self.caps, number, sharing)
            .map_err(|source| self.fail(node, source))?;
        for (&id, output) in node.outputs.iter().zip(&planned.outputs) {
            let Some(output) = output else { continue };
            self.tensors[id as usize] = Some(self.output(node, id, *output)?);
        }
        for mut dispatch in planned.dispatches {
            let owners = dispatch.tensors.iter_mut().map(|tensor| self.bind(node, tensor)).collect();
            self.dispatches.push(UnplacedDispatch { node: index, dispatch, owners });
        }
        self.scratch += planned.scratch.len();
        if !IN_PAGES {
            self.note_join(index, node, planned.repeated);
        }
        for place in planned.mutated {
            self.check_mutation(index, node, place)?;
        }
        for check in planned.checks {
            let input = match check.tensor.place {
                Place::Value(id) => self.input(id),
                _ => None,
            };
            let (limit, negative) = (check.limit, check.negative);
            self.checks.push(PlannedCheck { node: index, input, limit, negative });
        }
        self.ranges.extend(planned.ranges.into_iter().map(|range| (index, range)));
        self.observed.extend(planned.observed);
        Ok(())
    }

    /// Takes down what a node repeats, where that is all of its output. What is carried is written as late as can be, so that
    /// it may lie where the input lies that it becomes.
    fn note_join(&mut self, index: usize, node: &Node, parts: Vec<Repeated>) {
        let Some(&output) = node.outputs.first() else { return };
        let bytes = |id: u32| self.tensors[id as usize].map_or(0, |tensor| tensor.bytes());
        let repeated: u64 = parts.iter().map(|part| bytes(part.value)).sum();
        let is_carried = self.graph.carried.iter().any(|carried| carried.output == output);
        if repeated > 0 && repeated == bytes(output) && !is_carried {
            self.joins.push(Join { node: index, output, parts });
        }
    }

    /// An output of a node, with memory of its own or that of what it is a view of.
    fn output(&self, node: &Node, id: u32, output: Output) -> Result<PlannedTensor> {
        let tensor = match output {
            Output::Owned(dtype, shape) => return Ok(PlannedTensor::new(dtype, shape, id)),
            Output::Alias(tensor) => tensor,
        };
        let shown = match tensor.place {
            Place::Value(id) => id,
            Place::Output(output) => node.outputs[output],
            Place::Scratch(_) => {
                let source = OpError::Unsupported("a view of scratch memory".to_owned());
                return Err(self.fail(node, source));
            }
        };
        let view = PlannedTensor::new(tensor.dtype, tensor.shape, self.root(shown));
        let shown = self.tensors[shown as usize].unwrap_or(view);
        Ok(PlannedTensor {
            offset: shown.offset + tensor.window.map_or(0, |window| window.offset),
            part: tensor.window.map(|_| id).or(shown.part),
            ..view
        })
    }

    /// Lets a launch bind what a tensor shows of the memory of its owner.
    fn bind(&self, node: &Node, tensor: &mut Tensor) -> Owner {
        let id = match tensor.place {
            Place::Value(id) => id,
            Place::Output(output) => node.outputs[output],
            Place::Scratch(number) => return Owner::Scratch(self.scratch + number),
        };
        let Spot { root, offset } = self.joined.spot(self.root(id));
        let base = offset + self.tensors[id as usize].map_or(0, |planned| planned.offset);
        if base > 0 {
            let all = Window { offset: 0, size: buffer_bytes(tensor.bytes()) };
            let Window { offset, size } = tensor.window.unwrap_or(all);
            tensor.window = Some(Window { offset: base + offset, size });
        }
        Owner::Value(root)
    }

    /// Parts of other tensors' memory that outlive a call.
    fn lasting_parts(&self) -> HashSet<u32> {
        self.lasting().filter_map(|id| self.tensors[id as usize].and_then(|tensor| tensor.part)).collect()
    }

    /// What outlives a call: results, and what states take over.
    fn lasting(&self) -> impl Iterator<Item = u32> {
        let updates = self.graph.updates.iter().map(|(_, computed)| computed);
        self.graph.outputs.iter().chain(updates).copied()
    }

    /// What can be computed in the memory of joins.
    fn joined(&self) -> Joined {
        if self.changes || self.joins.is_empty() {
            return Joined::default();
        }
        let lasting = self.lasting().map(|id| self.root(id));
        Joined::find(self.graph, &self.tensors, &self.dispatches, &self.joins, lasting, self.caps)
    }

    /// The input of the graph that a value shows all of.
    fn input(&self, id: u32) -> Option<usize> {
        let is_part = self.tensors[id as usize].is_some_and(|tensor| tensor.part.is_some());
        self.graph.inputs.iter().position(|&input| input == self.root(id)).filter(|_| !is_part)
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
            let whole = self.tensors[id as usize].filter(|tensor| tensor.part.is_none());
            let PlannedTensor { dtype, shape, root, .. } = whole.ok_or_else(missing)?;
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
        read.extend(self.lasting().map(|id| Owner::Value(self.root(id))));
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

    /// Selects rows of [3, 64] and takes their negatives, where 1 is a row, 2 a view of it and 3 its negative.
    fn rows(row: i64, changed: bool, outputs: Vec<u32>) -> GraphPlan {
        let tensor = |sizes: &[usize]| {
            let shape = Shape::new(sizes).unwrap();
            Value::Tensor(TensorValue { dtype: DType::F32, shape, role: Role::Plain })
        };
        let node = |id: u32, name: &str, args: &[u32], output| Node {
            id,
            op: catalogue::lookup(name).unwrap(),
            args: args.to_vec(),
            outputs: vec![output],
        };
        let mut graph = Graph {
            name: "test".to_owned(),
            values: vec![
                tensor(&[3, 64]),
                tensor(&[64]),
                tensor(&[8, 8]),
                tensor(&[8, 8]),
                Value::Int(0),
                Value::Int(row),
                Value::Ints(vec![8, 8]),
                tensor(&[3, 64]),
            ],
            nodes: vec![
                node(0, "aten.select_copy.int", &[0, 4, 5], 1),
                node(1, "aten.view_copy.default", &[1, 6], 2),
                node(2, "aten.neg.default", &[2], 3),
            ],
            inputs: vec![0],
            outputs,
            ..Graph::default()
        };
        if changed {
            graph.nodes.push(Node { id: 3, op: &CHANGE, args: vec![0], outputs: vec![7] });
        }
        super::plan(&graph, &[Shape::new(&[3, 64]).unwrap()], &|_, _| Ok(0), &Caps::webgpu_minimum()).unwrap()
    }

    #[test]
    fn a_row_is_part_of_its_matrix() {
        let plan = rows(2, false, vec![3]);
        let [launch] = &plan.dispatches[..] else { panic!("{} launches", plan.dispatches.len()) };
        assert_eq!((launch.operands[0].offset, launch.operands[0].bytes), (512, 256));
    }

    #[test]
    fn what_outlives_a_call_or_changes_is_copied() {
        // A result that is a view of the row, and a matrix that changes later.
        for plan in [rows(2, false, vec![2, 3]), rows(2, true, vec![3])] {
            assert_eq!(plan.dispatches.len(), 2);
            assert!(plan.dispatches.iter().flat_map(|launch| &launch.operands).all(|operand| operand.offset == 0));
        }
    }
}
