//! Graphs and a method's instructions, with every name looked up and every index checked.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use pteron_ops::args::Arg;
use pteron_ops::sym::SymId;
use pteron_ops::{OpDef, OpError};
use pteron_pte::Dynamism;
use pteron_tensor::{DType, Shape};

use crate::append::AppendedPorts;
use crate::error::{Error, NodeError};
use crate::lower::reads_and_writes;

/// A graph of operators that runs as one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Graph {
    /// Where it is, for error messages.
    pub(crate) name: String,
    pub(crate) values: Vec<Value>,
    pub(crate) nodes: Vec<Node>,
    pub(crate) inputs: Vec<u32>,
    pub(crate) outputs: Vec<u32>,
    /// Outputs that are symbolic integers: where they stand among all outputs, which of `outputs` does not count.
    pub(crate) numbers: Vec<(usize, SymId)>,
    /// Distinct constants; values refer to them by index.
    pub(crate) constants: Vec<Constant>,
    /// Number of symbolic integers.
    pub(crate) symbols: usize,
    /// State that takes a computed value when the graph has run: state value, computed value.
    pub(crate) updates: Vec<(u32, u32)>,
    /// Outputs that the next call takes as inputs.
    pub(crate) carried: Vec<Carried>,
    /// Outputs of operators that the caller appended.
    pub(crate) appended: Vec<u32>,
    /// Whether 16-bit floats of the file are 32 bits wide here, because the device has no shorter ones.
    pub(crate) widened: bool,
    /// What it was joined from; empty for a graph that one delegate is.
    pub(crate) parts: Vec<Part>,
    /// Inputs that are integers which the host computes, by number, and what each is where shapes are largest.
    pub(crate) largest_integers: Vec<(usize, i64)>,
}

/// Nodes of a joined graph that come from one place.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    /// The numbers that they have in the joined graph.
    pub(crate) ids: Range<u32>,
    pub(crate) origin: Origin,
}

/// Where nodes of a joined graph come from.
#[derive(Clone, Debug)]
pub(crate) enum Origin {
    /// A graph of this name, whose numbers begin at 0.
    Graph(String),
    /// An instruction, in words.
    Instruction(String),
}

impl Graph {
    /// The symbolic integer that an input of one element is, where that is all the graph reads of it.
    pub(crate) fn symbol_of(&self, input: u32) -> Option<u32> {
        let reads = |id: &u32| match &self.values[*id as usize] {
            Value::List(items) => items.contains(&input),
            _ => *id == input,
        };
        let mut readers = self.nodes.iter().filter(|node| node.args.iter().any(reads));
        let (node, None) = (readers.next()?, readers.next()) else { return None };
        let lasts = self.outputs.contains(&input) || self.updates.iter().any(|&(_, computed)| computed == input);
        let first = |id: &u32| matches!(self.values[*id as usize], Value::Int(0));
        let is_read = node.op.name == "et_vk.select_as_symint.default" && node.args[1..].iter().all(first);
        (is_read && !lasts).then(|| node.outputs.first().copied())?
    }

    /// The arguments of a node; `tensor` gives those that are tensors.
    pub(crate) fn args<T>(&self, node: &Node, tensor: impl Fn(u32) -> Option<T>) -> Vec<Arg<T>> {
        node.args.iter().map(|&id| self.arg(id, &tensor)).collect()
    }

    fn arg<T>(&self, id: u32, tensor: &impl Fn(u32) -> Option<T>) -> Arg<T> {
        match &self.values[id as usize] {
            Value::Null | Value::Unknown(_) => Arg::Null,
            Value::Int(value) => Arg::Int(*value),
            Value::Double(value) => Arg::Double(*value),
            Value::Bool(value) => Arg::Bool(*value),
            Value::Str(text) => Arg::Str(text.clone()),
            Value::Ints(items) => Arg::List(items.iter().map(|&item| Arg::Int(item)).collect()),
            Value::Doubles(items) => Arg::List(items.iter().map(|&item| Arg::Double(item)).collect()),
            Value::Bools(items) => Arg::List(items.iter().map(|&item| Arg::Bool(item)).collect()),
            Value::List(items) => Arg::List(items.iter().map(|&item| self.arg(item, tensor)).collect()),
            Value::Sym(id) => Arg::Sym(*id),
            Value::Tensor(_) => tensor(id).map_or(Arg::Null, Arg::Tensor),
        }
    }

    /// The types that the program declares for a node's outputs.
    pub(crate) fn output_types(&self, node: &Node) -> Vec<DType> {
        let dtype = |&id: &u32| match &self.values[id as usize] {
            Value::Tensor(tensor) => tensor.dtype,
            _ => DType::F32,
        };
        node.outputs.iter().map(dtype).collect()
    }

    /// What is wrong with a node, and where it is; `tensor` gives type and shape of its tensors.
    pub(crate) fn error(&self, node: &Node, source: OpError, tensor: impl Fn(u32) -> Option<(DType, Shape)>) -> Error {
        let describe = |&id: &u32| tensor(id).map(|(dtype, shape)| format!("{dtype}{shape}"));
        Error::Node(Box::new(NodeError {
            at: self.place_of(node),
            op: node.op.name.to_owned(),
            inputs: node.args.iter().filter_map(describe).collect(),
            source,
        }))
    }

    /// Where a node is in the program, in words.
    pub(crate) fn place_of(&self, node: &Node) -> String {
        match self.parts.iter().find(|part| part.ids.contains(&node.id)) {
            Some(Part { ids, origin: Origin::Graph(name) }) => format!("node {} of {name}", node.id - ids.start),
            Some(Part { origin: Origin::Instruction(place), .. }) => place.clone(),
            None => format!("node {} of {}", node.id, self.name),
        }
    }

    /// How many tensors and symbolic integers it gives.
    pub(crate) fn results(&self) -> usize {
        self.outputs.len().saturating_add(self.numbers.len())
    }

    /// Whether a call changes what the next one sees.
    pub(crate) fn has_state(&self) -> bool {
        let state = |value: &Value| matches!(value, Value::Tensor(TensorValue { role: Role::State(_), .. }));
        self.values.iter().any(state)
    }
}

/// An output that the next call takes as an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Carried {
    pub(crate) input: u32,
    pub(crate) output: u32,
}

/// A value of a graph.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Null,
    Int(i64),
    Double(f64),
    Bool(bool),
    Str(String),
    Ints(Vec<i64>),
    Doubles(Vec<f64>),
    Bools(Vec<bool>),
    /// Other values.
    List(Vec<u32>),
    Tensor(TensorValue),
    Sym(SymId),
    /// A kind that this version does not know; an error where it is used.
    Unknown(u8),
}

/// A tensor of a graph.
#[derive(Clone, Debug)]
pub(crate) struct TensorValue {
    /// The type on the device.
    pub(crate) dtype: DType,
    /// The sizes, or their upper bounds.
    pub(crate) shape: Shape,
    pub(crate) role: Role,
}

/// What a tensor of a graph is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Computed by a node, or given by the caller.
    Plain,
    /// An index into [`Graph::constants`].
    Constant(usize),
    /// State that persists between calls, with this constant as its first value.
    State(usize),
}

/// A node: an operator call.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    /// The number that the exporter gave it.
    pub(crate) id: u32,
    pub(crate) op: &'static OpDef,
    /// Value ids by the operator's schema.
    pub(crate) args: Vec<u32>,
    pub(crate) outputs: Vec<u32>,
}

/// A constant: where its bytes are and what they are.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Constant {
    pub(crate) data: DataRef,
    /// The type in the file.
    pub(crate) stored: DType,
    /// The type on the device.
    pub(crate) dtype: DType,
    pub(crate) shape: Shape,
}

impl Constant {
    /// Its types in the file and on the device.
    pub(crate) fn kind(&self) -> (DType, DType) {
        (self.stored, self.dtype)
    }
}

/// Where bytes are.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum DataRef {
    /// In memory.
    Bytes(Bytes),
    /// A range of the program's file (0) or of a data file.
    File(usize, Range<u64>),
    /// Several matrices side by side.
    Joined(Arc<Joined>),
    /// A tensor with its dimensions in another order.
    Permuted(Arc<Permuted>),
    /// A tensor with its channels multiplied.
    Scaled(Arc<Scaled>),
}

/// Matrices of equally many rows, joined row by row. With one row they simply follow each other.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Joined {
    pub(crate) rows: u64,
    /// Each matrix, and the bytes of one of its rows.
    pub(crate) parts: Vec<(DataRef, u64)>,
}

/// A tensor with its dimensions in another order, and the innermost filled up with zeros.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Permuted {
    pub(crate) data: DataRef,
    /// Bytes of an element.
    pub(crate) element: usize,
    pub(crate) sizes: Vec<usize>,
    /// The dimensions from outermost to innermost.
    pub(crate) order: Vec<usize>,
    /// The size of the innermost dimension with what fills it up.
    pub(crate) padded: usize,
}

/// A tensor of 32-bit floats, each channel of which is multiplied by a factor.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Scaled {
    pub(crate) data: DataRef,
    /// Groups of channels, how often each group comes in the tensor, channels of a group, and elements of a channel.
    pub(crate) sizes: [usize; 4],
    /// The bits of each channel's factor.
    pub(crate) factors: Vec<u32>,
}

/// A method: values and instructions.
#[derive(Clone, Debug, Default)]
pub struct MethodGraph {
    pub(crate) name: String,
    pub(crate) values: Vec<ProgramValue>,
    pub(crate) inputs: Vec<u32>,
    pub(crate) outputs: Vec<u32>,
    pub(crate) steps: Vec<Step>,
    pub(crate) delegates: Vec<Graph>,
    /// The delegates as the program has them, where passes have changed them.
    pub(crate) written: Vec<Graph>,
    /// Where the ports of operators are that the caller appended.
    pub(crate) appended: Vec<AppendedPorts>,
    /// Where each operator outside delegates runs, in the order of the program.
    pub(crate) placements: Vec<Placement>,
}

impl MethodGraph {
    /// Where each operator outside the program's delegates runs, in the order of the program.
    pub fn placements(&self) -> &[Placement] {
        &self.placements
    }

    /// Whether the tensors of every call have the sizes that the program says.
    pub(crate) fn has_fixed_sizes(&self) -> bool {
        self.values.iter().all(|value| match value {
            ProgramValue::Tensor(tensor) => tensor.dynamism == Dynamism::Static,
            _ => true,
        })
    }

    /// The step that computes a value, where it is the one call of a delegate, which every call of the method makes, and
    /// where nothing on the host can change the value.
    pub(crate) fn computed_by(&self, value: u32) -> Option<usize> {
        let computes = |step: &Step| matches!(step, Step::Delegate { outputs, .. } if outputs.contains(&value));
        let leaves_alone = |step: &Step| match step {
            Step::Delegate { .. } => true,
            Step::Kernel { args, outputs, .. } => !args.contains(&value) && !outputs.contains(&value),
            Step::Move { to, .. } | Step::View { to, .. } => *to != value,
            Step::Free { value: freed } => *freed != value,
            Step::JumpFalse { .. } => false,
        };
        let at = self.steps.iter().position(computes)?;
        let Step::Delegate { index, .. } = &self.steps[at] else { return None };
        let calls = |step: &Step| matches!(step, Step::Delegate { index: called, .. } if called == index);
        let once = self.steps.iter().filter(|step| computes(step) || calls(step)).count() == 1;
        (once && self.steps.iter().all(leaves_alone)).then_some(at)
    }

    /// Whether a call may submit work before it comes to its end: since the host needs a result, or because a delegate
    /// runs again.
    pub(crate) fn submits_early(&self) -> bool {
        let mut called = HashSet::new();
        let runs_again = |step: &Step| matches!(step, Step::Delegate { index, .. } if !called.insert(*index));
        if self.steps.iter().any(runs_again) || self.jumps_back() {
            return !called.is_empty();
        }
        let computed = self.computed_on_device();
        self.steps.iter().any(|step| match step {
            Step::Kernel { op, .. } if op.reads_shapes_only() => false,
            Step::Kernel { .. } | Step::JumpFalse { .. } => {
                reads_and_writes(step, &self.values).0.iter().any(|id| computed.contains(id))
            }
            _ => false,
        })
    }

    /// Whether steps may run more than once in a call.
    pub(crate) fn jumps_back(&self) -> bool {
        let leads_back =
            |(at, step): (usize, &Step)| matches!(step, Step::JumpFalse { destination, .. } if *destination <= at);
        self.steps.iter().enumerate().any(leads_back)
    }

    /// Values that a delegate may have computed.
    fn computed_on_device(&self) -> HashSet<u32> {
        let mut computed = HashSet::new();
        loop {
            let before = computed.len();
            for step in &self.steps {
                match step {
                    Step::Delegate { outputs, .. } => computed.extend(outputs),
                    Step::Move { from, to } | Step::View { from, to } if computed.contains(from) => {
                        computed.insert(*to);
                    }
                    _ => {}
                }
            }
            if computed.len() == before {
                return computed;
            }
        }
    }
}

/// Where an operator outside the program's delegates runs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Placement {
    /// Its portable name, such as `aten::mean.out`.
    pub op: &'static str,
    /// Why it runs on the host; nothing where it runs on the device, with the delegates around it.
    pub on_host: Option<String>,
}

/// A value of a program.
#[derive(Clone, Debug)]
pub(crate) enum ProgramValue {
    Null,
    Int(i64),
    Double(f64),
    Bool(bool),
    Str(String),
    /// Integers, by value id.
    Ints(Vec<u32>),
    Doubles(Vec<f64>),
    Bools(Vec<bool>),
    /// Tensors, by value id.
    Tensors(Vec<Option<u32>>),
    Tensor(ProgramTensor),
    /// A kind that this version does not know; an error where it is used.
    Unknown,
}

/// A tensor of a program.
#[derive(Clone, Debug)]
pub(crate) struct ProgramTensor {
    pub(crate) dtype: DType,
    /// The sizes, or their upper bounds.
    pub(crate) shape: Shape,
    pub(crate) dynamism: Dynamism,
    /// Its constant, or the first value of state.
    pub(crate) data: Option<DataRef>,
    /// The dimensions from outermost to innermost in the file, where they are not in order. A tensor that is loaded is.
    pub(crate) order: Option<Vec<u8>>,
    /// Where the exporter planned it.
    pub(crate) allocation: Option<Allocation>,
}

impl ProgramTensor {
    /// Whether its elements come in another order in memory than here. With one long dimension at most they do not.
    pub(crate) fn is_permuted(&self) -> bool {
        self.order.is_some() && self.shape.iter().filter(|&&size| size > 1).count() > 1
    }
}

/// A place in the memory that the exporter planned. Values that live at different times share one, and so do a tensor and
/// its views.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Allocation {
    pub(crate) memory: u32,
    pub(crate) offset: u64,
}

/// An instruction of a program.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    Kernel {
        op: &'static OpDef,
        args: Vec<u32>,
        outputs: Vec<u32>,
    },
    Delegate {
        index: usize,
        inputs: Vec<u32>,
        outputs: Vec<u32>,
        /// Take the graph's symbolic outputs.
        numbers: Vec<u32>,
    },
    Move {
        from: u32,
        to: u32,
    },
    /// The elements of a tensor in the shape of another.
    View {
        from: u32,
        to: u32,
    },
    JumpFalse {
        condition: u32,
        destination: usize,
    },
    Free {
        value: u32,
    },
}
