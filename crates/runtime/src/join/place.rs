//! Where each step of a method runs: with the delegates on the device, or on the host, and why.

use std::collections::HashSet;

use pteron_ops::args::Arg;
use pteron_ops::plan::{Place as TensorPlace, Sharing, Tensor};
use pteron_ops::sym::SymId;
use pteron_ops::{Accuracy, Body, Caps, OpDef, OpError, PlanContext, catalogue};
use pteron_tensor::DType;

use super::access::{Facts, assignment, tensor};
use super::bounds::IntegerBounds;
use crate::graph::{Graph, MethodGraph, ProgramValue, Role, Step, TensorValue, Value};
use crate::types;

/// Where a step runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// In a graph with others.
    Device,
    /// In a graph of its own.
    Alone,
    /// On the host, and why.
    Host(String),
}

/// What may be done with a step, as far as it alone tells.
enum Choice {
    /// Where it must be.
    Fixed(Place),
    /// On the device, since it is much work.
    Heavy,
    /// On the device or on the host.
    Light,
}

/// The operator that computes on a device what a portable kernel does.
pub(super) fn on_device(op: &'static OpDef) -> Option<&'static OpDef> {
    match (op.body, op.portable) {
        (Body::Tensor { .. }, _) => Some(op),
        (_, Some("executorch_prim::et_view.default")) => catalogue::lookup("aten.view_copy.default"),
        _ => None,
    }
}

/// Decides where every step runs. Those of `kept` stay on the host, as they would be wrong in a graph.
pub(super) fn decide(
    method: &MethodGraph,
    facts: &Facts,
    bounds: &IntegerBounds,
    caps: &Caps,
    kept: &HashSet<usize>,
) -> Vec<Place> {
    let choices: Vec<Choice> = (0..)
        .zip(&method.steps)
        .map(|(number, step)| {
            if kept.contains(&number) {
                return Choice::Fixed(Place::Host("it writes state that the host looks at too".to_owned()));
            }
            choice(method, facts, bounds, caps, step)
        })
        .collect();
    let from_device = reached_from_device(&choices, facts);
    let for_host = needed_on_host(method, &choices, facts, &from_device);
    let place = |(choice, access): (Choice, &super::access::Access)| match choice {
        Choice::Fixed(place) => place,
        Choice::Heavy => Place::Device,
        Choice::Light => {
            let computed = access.reads.iter().any(|id| from_device.contains(id));
            if !computed && access.writes.iter().any(|id| for_host.contains(id)) {
                Place::Host("the host needs its result, and has all that it takes".to_owned())
            } else {
                Place::Device
            }
        }
    };
    choices.into_iter().zip(&facts.accesses).map(place).collect()
}

fn choice(method: &MethodGraph, facts: &Facts, bounds: &IntegerBounds, caps: &Caps, step: &Step) -> Choice {
    let host = |reason: &str| Choice::Fixed(Place::Host(reason.to_owned()));
    let tensors = |ids: [u32; 2]| ids.iter().all(|&id| types_on_device(method, id, caps).is_ok_and(|some| some));
    if let Some((from, to)) = assignment(step, &method.values) {
        return if tensors([from, to]) { Choice::Light } else { host("it moves what no device holds") };
    }
    match step {
        Step::View { from, to } if tensors([*from, *to]) => Choice::Light,
        Step::View { .. } | Step::Move { .. } => host("it moves what no device holds"),
        Step::JumpFalse { .. } | Step::Free { .. } => host("the host decides what runs next"),
        Step::Delegate { index, .. } => {
            let calls = |other: &&Step| matches!(other, Step::Delegate { index: called, .. } if called == index);
            let once = method.steps.iter().filter(calls).count() == 1;
            let joins = once && method.delegates.get(*index).is_some_and(keeps_its_inputs);
            Choice::Fixed(if joins { Place::Device } else { Place::Alone })
        }
        Step::Kernel { op, args, outputs } => match operator(method, facts, bounds, caps, step, (op, args, outputs)) {
            Ok(op) if op.accuracy == Accuracy::Accumulated => Choice::Heavy,
            Ok(_) => Choice::Light,
            Err(reason) => Choice::Fixed(Place::Host(reason)),
        },
    }
}

/// Whether a graph changes nothing in place but its own state, and takes each input once.
fn keeps_its_inputs(graph: &Graph) -> bool {
    let state =
        |&id: &u32| matches!(&graph.values[id as usize], Value::Tensor(TensorValue { role: Role::State(_), .. }));
    let distinct: HashSet<_> = graph.inputs.iter().collect();
    distinct.len() == graph.inputs.len()
        && graph.nodes.iter().all(|node| node.op.writes.iter().filter_map(|&arg| node.args.get(arg)).all(state))
}

/// Whether a value is a tensor that a device holds as it is, or with 32 bits in the place of 64-bit integers.
fn types_on_device(method: &MethodGraph, id: u32, caps: &Caps) -> Result<bool, String> {
    let Some(tensor) = tensor(&method.values, id) else { return Ok(false) };
    match tensor.dtype {
        // Arithmetic of other precision than the program asks for.
        DType::F64 | DType::BF16 => Err(format!("no device computes in {}", tensor.dtype)),
        dtype => types::on_device(dtype, caps).map(|_| true).ok_or_else(|| format!("no device has {dtype} elements")),
    }
}

/// The operator that computes a kernel's results on a device, or why none does.
fn operator(
    method: &MethodGraph,
    facts: &Facts,
    bounds: &IntegerBounds,
    caps: &Caps,
    step: &Step,
    (op, args, outputs): (&'static OpDef, &[u32], &[u32]),
) -> Result<&'static OpDef, String> {
    let op = on_device(op).ok_or("it has no kernel for a GPU")?;
    // What persists can become state of a graph, which its nodes change.
    let mut changed = op.writes.iter().filter_map(|&index| args.get(index));
    if !changed.all(|id| facts.persistent.contains(id)) {
        return Err("it changes its argument in place".to_owned());
    }
    let mut trial = Trial { method, facts, caps, symbols: 0 };
    let planned = args.iter().map(|&id| trial.arg(id)).collect::<Result<Vec<_>, _>>()?;
    let mut output_types = Vec::with_capacity(outputs.len());
    for &id in outputs {
        if !types_on_device(method, id, caps)? {
            return Err("it gives no tensor".to_owned());
        }
        output_types.push(trial.tensor(id).dtype);
    }
    bounds.check(method, facts, step)?;
    let symbols = vec![0; trial.symbols as usize];
    match PlanContext::run(op, planned, &symbols, &output_types, caps, 0, Sharing::default()) {
        Ok(_) => Ok(op),
        // Only a call knows the sizes that numbers decide.
        Err(error) if trial.symbols > 0 && !is_lasting(&error) => Ok(op),
        Err(error) => Err(error.to_string()),
    }
}

/// Whether an operator is refused whatever the sizes are.
fn is_lasting(error: &OpError) -> bool {
    matches!(error, OpError::Argument { .. } | OpError::DType { .. } | OpError::Unsupported(_))
}

/// Arguments as a plan sees them before any call.
struct Trial<'a> {
    method: &'a MethodGraph,
    facts: &'a Facts,
    caps: &'a Caps,
    /// Integers that only a call knows.
    symbols: u32,
}

impl Trial<'_> {
    fn arg(&mut self, id: u32) -> Result<Arg<Tensor>, String> {
        let written = self.facts.writers[id as usize] > 0 || self.method.inputs.contains(&id);
        Ok(match &self.method.values[id as usize] {
            ProgramValue::Tensor(_) => {
                types_on_device(self.method, id, self.caps)?;
                Arg::Tensor(self.tensor(id))
            }
            ProgramValue::Int(_) if written && self.facts.integers.contains(&id) => {
                self.symbols += 1;
                Arg::Sym(SymId(self.symbols - 1))
            }
            _ if written => {
                return Err("it takes a number that only the call knows and that may be no integer".to_owned());
            }
            ProgramValue::Null => Arg::Null,
            ProgramValue::Int(value) => Arg::Int(*value),
            ProgramValue::Double(value) => Arg::Double(*value),
            ProgramValue::Bool(value) => Arg::Bool(*value),
            ProgramValue::Str(text) => Arg::Str(text.clone()),
            ProgramValue::Doubles(values) => Arg::List(values.iter().map(|&value| Arg::Double(value)).collect()),
            ProgramValue::Bools(values) => Arg::List(values.iter().map(|&value| Arg::Bool(value)).collect()),
            ProgramValue::Ints(ids) => Arg::List(ids.iter().map(|&id| self.arg(id)).collect::<Result<_, _>>()?),
            ProgramValue::Tensors(ids) => {
                let item = |id: &Option<u32>| id.map_or(Ok(Arg::Null), |id| self.arg(id));
                Arg::List(ids.iter().map(item).collect::<Result<_, _>>()?)
            }
            ProgramValue::Unknown => return Err("an argument is of an unknown kind".to_owned()),
        })
    }

    /// A tensor at the sizes that the program declares.
    fn tensor(&self, id: u32) -> Tensor {
        let declared = tensor(&self.method.values, id);
        let dtype = declared.and_then(|tensor| types::on_device(tensor.dtype, self.caps)).unwrap_or(DType::F32);
        let shape = declared.map_or(pteron_tensor::Shape::SCALAR, |tensor| tensor.shape);
        Tensor { place: TensorPlace::Value(id), dtype, shape, window: None }
    }
}

/// The values that follow from what must be computed on the device.
fn reached_from_device(choices: &[Choice], facts: &Facts) -> HashSet<u32> {
    let mut reached = HashSet::new();
    loop {
        let before = reached.len();
        for (choice, access) in choices.iter().zip(&facts.accesses) {
            let follows = match choice {
                Choice::Fixed(Place::Host(_)) => false,
                Choice::Fixed(_) | Choice::Heavy => true,
                Choice::Light => access.reads.iter().any(|id| reached.contains(id)),
            };
            if follows {
                reached.extend(&access.writes);
            }
        }
        if reached.len() == before {
            return reached;
        }
    }
}

/// The values that the host looks at, or that it can compute such values from.
fn needed_on_host(method: &MethodGraph, choices: &[Choice], facts: &Facts, from_device: &HashSet<u32>) -> HashSet<u32> {
    let mut needed = HashSet::new();
    loop {
        let before = needed.len();
        for ((choice, step), access) in choices.iter().zip(&method.steps).zip(&facts.accesses) {
            let needs = match choice {
                Choice::Fixed(Place::Host(_)) => !matches!(step, Step::Kernel { op, .. } if op.reads_shapes_only()),
                Choice::Light => {
                    let possible = !access.reads.iter().any(|id| from_device.contains(id));
                    possible && access.writes.iter().any(|id| needed.contains(id))
                }
                Choice::Fixed(_) | Choice::Heavy => false,
            };
            if needs {
                needed.extend(&access.reads);
            }
        }
        if needed.len() == before {
            return needed;
        }
    }
}
