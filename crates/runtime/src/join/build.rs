//! Makes one graph of steps that run on the device.

use std::collections::{HashMap, HashSet};

use bytes::Bytes;
use pteron_ops::sym::SymId;
use pteron_ops::{Caps, catalogue};
use pteron_tensor::{DType, Shape};

use super::access::{Facts, assignment, tensor};
use super::place::on_device;
use crate::graph::{
    Constant, DataRef, Graph, MethodGraph, Node, Origin, Part, ProgramTensor, ProgramValue, Role, Step, TensorValue,
    Value,
};
use crate::types;

/// A graph with how the method calls it.
#[derive(Debug)]
pub(super) struct Joined {
    pub(super) graph: Graph,
    pub(super) inputs: Vec<u32>,
    pub(super) outputs: Vec<u32>,
    pub(super) numbers: Vec<u32>,
    /// What is given again without a graph: source and target.
    pub(super) moves: Vec<(u32, u32)>,
    /// Values of the method that are state of the graph, and those of the graph.
    pub(super) states: Vec<(u32, u32)>,
}

/// What steps are joined in.
#[derive(Clone, Copy)]
pub(super) struct Context<'a> {
    pub(super) method: &'a MethodGraph,
    pub(super) facts: &'a Facts,
    pub(super) caps: &'a Caps,
    /// Values that persist and that nothing but this graph touches.
    pub(super) state: &'a HashSet<u32>,
}

/// Joins steps. Nothing where they do not fit one graph.
pub(super) fn join(context: Context<'_>, steps: &[usize]) -> Option<Joined> {
    let graph = Graph { name: format!("method {}", context.method.name), ..Graph::default() };
    let mut builder = Builder {
        context,
        joined: Joined {
            graph,
            inputs: Vec::new(),
            outputs: Vec::new(),
            numbers: Vec::new(),
            moves: Vec::new(),
            states: Vec::new(),
        },
        known: HashMap::new(),
        symbols: HashMap::new(),
        next: 0,
    };
    for &step in steps {
        builder.step(step)?;
    }
    builder.finish(steps)
}

struct Builder<'a> {
    context: Context<'a>,
    joined: Joined,
    /// What the method's values are in the graph, as far as steps have come.
    known: HashMap<u32, u32>,
    /// The method's integers that only a call knows, as symbolic integers of the graph.
    symbols: HashMap<u32, u32>,
    /// The number of the next node.
    next: u32,
}

impl Builder<'_> {
    fn step(&mut self, number: usize) -> Option<()> {
        let method = self.context.method;
        let step = &method.steps[number];
        if let Some((from, to)) = assignment(step, &method.values) {
            let source = self.tensor(from)?;
            self.known.insert(to, source);
            return Some(());
        }
        let at = self.instruction(number);
        match step {
            Step::Delegate { index, inputs, outputs, numbers } => {
                self.graph(method.delegates.get(*index)?, inputs, outputs, numbers, at)
            }
            Step::View { from, to } => {
                let view = tensor(&method.values, *to)?;
                let sizes = view.shape.iter().map(|&size| i64::try_from(size).ok()).collect::<Option<_>>()?;
                let args = vec![self.tensor(*from)?, self.push(Value::Ints(sizes))?];
                let output = self.like(view)?;
                self.node("aten.view_copy.default", args, vec![output], at)?;
                self.known.insert(*to, output);
                Some(())
            }
            Step::Kernel { op, args, outputs } => {
                let args = args.iter().map(|&id| self.arg(id, &at)).collect::<Option<Vec<_>>>()?;
                let mut computed = Vec::with_capacity(outputs.len());
                for &id in outputs {
                    let output = self.like(tensor(&method.values, id)?)?;
                    computed.push(output);
                    self.known.insert(id, output);
                }
                let id = self.part(1, Origin::Instruction(at))?;
                self.joined.graph.nodes.push(Node { id, op: on_device(op)?, args, outputs: computed });
                Some(())
            }
            Step::Move { .. } | Step::JumpFalse { .. } | Step::Free { .. } => None,
        }
    }

    /// Where a step is in the program, in words. Views that lowering put there are none of its instructions.
    fn instruction(&self, number: usize) -> String {
        let method = self.context.method;
        let views = method.steps[..number].iter().filter(|step| matches!(step, Step::View { .. })).count();
        format!("instruction {} of method {}", number - views, method.name)
    }

    fn push(&mut self, value: Value) -> Option<u32> {
        let id = u32::try_from(self.joined.graph.values.len()).ok()?;
        self.joined.graph.values.push(value);
        Some(id)
    }

    /// Numbers for nodes of one origin; gives the first.
    fn part(&mut self, nodes: u32, origin: Origin) -> Option<u32> {
        let first = self.next;
        self.next = first.checked_add(nodes)?;
        self.joined.graph.parts.push(Part { ids: first..self.next, origin });
        Some(first)
    }

    fn node(&mut self, op: &str, args: Vec<u32>, outputs: Vec<u32>, at: String) -> Option<()> {
        let id = self.part(1, Origin::Instruction(at))?;
        self.joined.graph.nodes.push(Node { id, op: catalogue::lookup(op)?, args, outputs });
        Some(())
    }

    /// A new tensor of the graph that stands for one of the method.
    fn like(&mut self, declared: &ProgramTensor) -> Option<u32> {
        let dtype = types::on_device(declared.dtype, self.context.caps)?;
        self.joined.graph.widened |= declared.dtype == DType::F16 && dtype != DType::F16;
        self.push(Value::Tensor(TensorValue { dtype, shape: declared.shape, role: Role::Plain }))
    }

    /// The tensor of the graph that a value of the method is now.
    fn tensor(&mut self, id: u32) -> Option<u32> {
        if let Some(&known) = self.known.get(&id) {
            return Some(known);
        }
        let Context { method, facts, state, .. } = self.context;
        let declared = tensor(&method.values, id)?;
        let new = self.like(declared)?;
        let stored = declared.data.clone().filter(|_| !declared.is_permuted());
        let role = if state.contains(&id) {
            let bytes = declared.shape.numel().checked_mul(declared.dtype.size())?;
            // State without a first value begins as zeros.
            let first = stored.unwrap_or_else(|| DataRef::Bytes(Bytes::from(vec![0; bytes])));
            self.joined.states.push((id, new));
            Role::State(self.constant(declared, first, new))
        } else if let Some(data) = stored.filter(|_| facts.is_constant(method, id)) {
            Role::Constant(self.constant(declared, data, new))
        } else {
            self.joined.graph.inputs.push(new);
            self.joined.inputs.push(id);
            Role::Plain
        };
        if let Value::Tensor(tensor) = &mut self.joined.graph.values[new as usize] {
            tensor.role = role;
        }
        self.known.insert(id, new);
        Some(new)
    }

    fn constant(&mut self, declared: &ProgramTensor, data: DataRef, value: u32) -> usize {
        let dtype = self.dtype(value).unwrap_or(declared.dtype);
        let (stored, shape) = (declared.dtype, declared.shape);
        self.joined.graph.constants.push(Constant { data, stored, dtype, shape });
        self.joined.graph.constants.len() - 1
    }

    fn dtype(&self, value: u32) -> Option<DType> {
        match self.joined.graph.values.get(value as usize)? {
            Value::Tensor(tensor) => Some(tensor.dtype),
            _ => None,
        }
    }

    /// The tensor that a value of the method is now, in a type of the device.
    fn tensor_as(&mut self, id: u32, dtype: DType, at: &str) -> Option<u32> {
        let known = self.tensor(id)?;
        if self.dtype(known)? == dtype {
            return Some(known);
        }
        let Value::Tensor(tensor) = self.joined.graph.values[known as usize].clone() else { return None };
        let converted = self.push(Value::Tensor(TensorValue { dtype, role: Role::Plain, ..tensor }))?;
        self.node("aten._to_copy.default", vec![known], vec![converted], at.to_owned())?;
        Some(converted)
    }

    /// An argument of an operator.
    fn arg(&mut self, id: u32, at: &str) -> Option<u32> {
        let Context { method, facts, caps, .. } = self.context;
        let written = facts.writers[id as usize] > 0 || method.inputs.contains(&id);
        let value = match &method.values[id as usize] {
            ProgramValue::Tensor(tensor) => return self.tensor_as(id, types::on_device(tensor.dtype, caps)?, at),
            ProgramValue::Int(_) if written => return self.symbol(id, at),
            ProgramValue::Null => Value::Null,
            ProgramValue::Int(value) => Value::Int(*value),
            ProgramValue::Double(value) => Value::Double(*value),
            ProgramValue::Bool(value) => Value::Bool(*value),
            ProgramValue::Str(text) => Value::Str(text.clone()),
            ProgramValue::Doubles(values) => Value::Doubles(values.clone()),
            ProgramValue::Bools(values) => Value::Bools(values.clone()),
            ProgramValue::Ints(ids) => Value::List(ids.iter().map(|&id| self.arg(id, at)).collect::<Option<_>>()?),
            ProgramValue::Tensors(ids) => {
                let item = |id: &Option<u32>| match id {
                    Some(id) => self.arg(*id, at),
                    None => self.push(Value::Null),
                };
                Value::List(ids.iter().map(item).collect::<Option<_>>()?)
            }
            ProgramValue::Unknown => return None,
        };
        let known = |graph: &Graph, items: &[u32]| {
            let int = |&item: &u32| match graph.values[item as usize] {
                Value::Int(value) => Some(value),
                _ => None,
            };
            items.iter().map(int).collect::<Option<Vec<_>>>()
        };
        self.push(match value {
            Value::List(items) if matches!(method.values[id as usize], ProgramValue::Ints(_)) => {
                known(&self.joined.graph, &items).map_or(Value::List(items), Value::Ints)
            }
            value => value,
        })
    }

    /// An integer that the host computes with each call, which the graph reads from a tensor of one element.
    fn symbol(&mut self, id: u32, at: &str) -> Option<u32> {
        let id = self.twin(id);
        if let Some(&known) = self.symbols.get(&id) {
            return Some(known);
        }
        let shape = Shape::new(&[1]).ok()?;
        let given = self.push(Value::Tensor(TensorValue { dtype: DType::I32, shape, role: Role::Plain }))?;
        self.take_input(given, id);
        let symbol = SymId(u32::try_from(self.joined.graph.symbols).ok()?);
        self.joined.graph.symbols += 1;
        let (first, symbol) = (self.push(Value::Int(0))?, self.push(Value::Sym(symbol))?);
        self.node("et_vk.select_as_symint.default", vec![given, first, first], vec![symbol], at.to_owned())?;
        self.symbols.insert(id, symbol);
        Some(symbol)
    }

    /// The first of the method's numbers that are the same as one.
    fn twin(&self, id: u32) -> u32 {
        self.context.facts.twins.get(&id).copied().unwrap_or(id)
    }

    /// Makes a value of the graph an input, which takes a value of the method.
    fn take_input(&mut self, given: u32, id: u32) {
        let graph = &mut self.joined.graph;
        let largest = self.context.facts.largest_integers.get(&id);
        graph.largest_integers.extend(largest.map(|&value| (graph.inputs.len(), value)));
        graph.inputs.push(given);
        self.joined.inputs.push(id);
    }

    /// Takes a delegate's graph in.
    fn graph(&mut self, graph: &Graph, inputs: &[u32], outputs: &[u32], numbers: &[u32], at: String) -> Option<()> {
        let mut ids = HashMap::new();
        // Symbolic integers that the graph has already, and those that it reads itself.
        let (mut given_symbols, mut read_symbols) = (HashMap::new(), Vec::new());
        for (&input, &id) in graph.inputs.iter().zip(inputs) {
            let Value::Tensor(taken) = &graph.values[input as usize] else { return None };
            let number = !matches!(self.context.method.values[id as usize], ProgramValue::Tensor(_));
            if let Some(symbol) = graph.symbol_of(input).filter(|_| number) {
                if let Some(&known) = self.symbols.get(&self.twin(id)) {
                    ids.insert(symbol, known);
                    given_symbols
                        .insert(symbol_in(&graph.values, symbol)?, symbol_in(&self.joined.graph.values, known)?);
                    continue;
                }
                read_symbols.push((self.twin(id), symbol));
            }
            let other_type = |known: u32| self.dtype(known) != Some(taken.dtype);
            let given = self.known.get(&id).copied().filter(|known| self.joined.graph.inputs.contains(known));
            // What the caller gives is taken in each type that is asked for. What another graph has left on the device is
            // converted there.
            let from_caller = self.context.method.inputs.contains(&id);
            let in_another = given.is_some_and(other_type) || self.is_input_of(id, taken.dtype);
            let new = if number || (from_caller && in_another) {
                let new = self.push(Value::Tensor(taken.clone()))?;
                self.take_input(new, id);
                self.known.entry(id).or_insert(new);
                new
            } else {
                self.tensor_as(id, taken.dtype, &at)?
            };
            ids.insert(input, new);
        }
        let own = &mut self.joined.graph;
        let (first_value, first_constant, first_symbol) = (own.values.len(), own.constants.len(), own.symbols);
        let shifted = |id: u32| u32::try_from(first_value).ok()?.checked_add(id);
        let place = |id: u32| ids.get(&id).copied().or_else(|| shifted(id));
        let places = |list: &[u32]| list.iter().map(|&id| place(id)).collect::<Option<Vec<_>>>();
        let symbol = |id: SymId| match given_symbols.get(&id) {
            Some(&known) => Some(known),
            None => Some(SymId(u32::try_from(first_symbol).ok()?.checked_add(id.0)?)),
        };
        for value in &graph.values {
            own.values.push(match value {
                Value::List(items) => Value::List(places(items)?),
                Value::Sym(id) => Value::Sym(symbol(*id)?),
                Value::Tensor(tensor) => {
                    let role = match tensor.role {
                        Role::Plain => Role::Plain,
                        Role::Constant(constant) => Role::Constant(first_constant + constant),
                        Role::State(constant) => Role::State(first_constant + constant),
                    };
                    Value::Tensor(TensorValue { role, ..tensor.clone() })
                }
                other => other.clone(),
            });
        }
        own.constants.extend(graph.constants.iter().cloned());
        own.symbols += graph.symbols;
        own.widened |= graph.widened;
        for &(state, computed) in &graph.updates {
            own.updates.push((place(state)?, place(computed)?));
        }
        for (id, read) in read_symbols {
            self.symbols.insert(id, place(read)?);
        }
        for (&id, &(_, number)) in numbers.iter().zip(&graph.numbers) {
            let own = &mut self.joined.graph;
            own.numbers.push((own.numbers.len(), symbol(number)?));
            self.joined.numbers.push(id);
            let (first, value) = (self.twin(id), self.push(Value::Sym(symbol(number)?))?);
            self.symbols.entry(first).or_insert(value);
        }
        let count = graph.nodes.iter().map(|node| node.id.checked_add(1)).max().unwrap_or(Some(0))?;
        let first = self.next;
        let is_given = |node: &&Node| node.outputs.iter().any(|id| ids.contains_key(id));
        for node in graph.nodes.iter().filter(|node| !is_given(node)) {
            let (args, outputs) = (places(&node.args)?, places(&node.outputs)?);
            let node = Node { id: first.checked_add(node.id)?, op: node.op, args, outputs };
            self.joined.graph.nodes.push(node);
        }
        self.part(count, Origin::Graph(graph.name.clone()))?;
        for (&id, &output) in outputs.iter().zip(&graph.outputs) {
            self.known.insert(id, place(output)?);
        }
        Some(())
    }

    /// Whether a value comes with the call, in a type that is not the one which stands for it on the device.
    fn is_input_of(&self, id: u32, dtype: DType) -> bool {
        let Context { method, facts, caps, state } = self.context;
        let Some(declared) = tensor(&method.values, id) else { return false };
        let comes_from_file = facts.is_constant(method, id) && !declared.is_permuted();
        !self.known.contains_key(&id)
            && !state.contains(&id)
            && !comes_from_file
            && types::on_device(declared.dtype, caps) != Some(dtype)
    }

    /// Gives what others read, and keeps what persists.
    fn finish(mut self, steps: &[usize]) -> Option<Joined> {
        let Context { method, facts, state, .. } = self.context;
        let mut written: Vec<u32> = steps.iter().flat_map(|&step| &facts.accesses[step].writes).copied().collect();
        let mut seen = HashSet::new();
        written.retain(|&id| seen.insert(id));
        let inside: HashSet<usize> = steps.iter().copied().collect();
        let read_outside: HashSet<u32> = (0..)
            .zip(&facts.accesses)
            .filter(|(step, _)| !inside.contains(step))
            .flat_map(|(_, access)| access.reads.iter().copied())
            .collect();
        let results: HashSet<u32> = method.outputs.iter().flat_map(|&id| listed(method, id)).collect();
        for id in written.iter().copied().filter(|id| tensor(&method.values, *id).is_some()) {
            let lasts = facts.persistent.contains(&id) && !state.contains(&id);
            if !(lasts || read_outside.contains(&id) || results.contains(&id)) {
                continue;
            }
            let mut value = *self.known.get(&id)?;
            if read_outside.contains(&id) {
                // Another graph takes it in the type that stands for the declared one.
                let dtype = types::on_device(tensor(&method.values, id)?.dtype, self.context.caps)?;
                value = self.tensor_as(id, dtype, &format!("method {}", method.name))?;
            }
            let given = self.joined.graph.inputs.iter().position(|&input| input == value);
            match given.map(|position| self.joined.inputs[position]) {
                Some(from) if !written.contains(&from) => self.joined.moves.push((from, id)),
                _ => {
                    self.joined.graph.outputs.push(value);
                    self.joined.outputs.push(id);
                }
            }
        }
        for (id, value) in self.joined.states.clone() {
            let new = self.tensor_as(id, self.dtype(value)?, &format!("method {}", method.name))?;
            if new != value {
                self.joined.graph.updates.push((value, new));
            }
        }
        Some(self.joined)
    }
}

/// The symbolic integer that a value is.
fn symbol_in(values: &[Value], id: u32) -> Option<SymId> {
    match values.get(id as usize)? {
        Value::Sym(symbol) => Some(*symbol),
        _ => None,
    }
}

/// A value with the tensors that it lists.
fn listed(method: &MethodGraph, id: u32) -> Vec<u32> {
    match &method.values[id as usize] {
        ProgramValue::Tensors(items) => items.iter().copied().flatten().collect(),
        _ => vec![id],
    }
}
