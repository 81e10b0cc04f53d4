//! Joins delegates, and operators outside them, to graphs: what needs nothing from the host in between runs as one.
//!
//! Steps that run on a device are moved together as far as what they read and write allows, and become one graph for
//! each straight line of a program. What persists between calls becomes state of its graph where nothing else looks at
//! it. Where a step would give another result on a device than on the host, it stays on the host.

mod access;
mod bounds;
mod build;
mod numbers;
mod place;
mod schedule;

use std::collections::{HashMap, HashSet};

use pteron_ops::Caps;

use self::access::{Facts, tensor};
use self::bounds::IntegerBounds;
use self::build::{Context, Joined};
use self::place::Place;
use self::schedule::{Block, Run};
use crate::data::DataFiles;
use crate::error::Result;
use crate::graph::{MethodGraph, Placement, ProgramValue, Step, Value};
use crate::plan::{Memory, plan_largest};
use crate::types;

/// Joins what can be joined. A method whose joined graphs do not run stays as it is.
pub(crate) async fn join(method: MethodGraph, files: &DataFiles, caps: &Caps) -> Result<MethodGraph> {
    let facts = Facts::of(&method);
    let bounds = IntegerBounds::of(&method, &facts, files).await?;
    let mut kept = HashSet::new();
    loop {
        let places = place::decide(&method, &facts, &bounds, caps, &kept);
        match attempt(&method, &facts, &places, caps) {
            Ok(joined) => return Ok(MethodGraph { placements: placements(&method, &places), ..joined }),
            Err(Obstacle::State(ids)) => {
                let writers = ids.iter().flat_map(|&id| facts.writing(id));
                let writers = writers.filter(|&step| matches!(method.steps[step], Step::Kernel { .. }));
                let before = kept.len();
                kept.extend(writers);
                if kept.len() == before {
                    return Ok(apart(method, "it writes state that cannot be joined"));
                }
            }
            Err(Obstacle::Graph) => return Ok(apart(method, "the joined graph does not run on this device")),
        }
    }
}

/// The method as it is, with every operator outside delegates on the host.
fn apart(method: MethodGraph, reason: &str) -> MethodGraph {
    let host = vec![Place::Host(reason.to_owned()); method.steps.len()];
    MethodGraph { placements: placements(&method, &host), ..method }
}

/// Says for a method that is not joined where its operators run.
pub(crate) fn leave_apart(method: MethodGraph) -> MethodGraph {
    apart(method, "operators outside delegates are not joined")
}

fn placements(method: &MethodGraph, places: &[Place]) -> Vec<Placement> {
    let placement = |(step, place): (&Step, &Place)| {
        let Step::Kernel { op, .. } = step else { return None };
        let on_host = match place {
            Place::Host(reason) => Some(reason.clone()),
            Place::Device | Place::Alone => None,
        };
        Some(Placement { op: op.portable.unwrap_or(op.name), on_host })
    };
    method.steps.iter().zip(places).filter_map(placement).collect()
}

/// What keeps steps from being joined.
enum Obstacle {
    /// State that a graph would not keep as the host does.
    State(Vec<u32>),
    Graph,
}

fn attempt(method: &MethodGraph, facts: &Facts, places: &[Place], caps: &Caps) -> Result<MethodGraph, Obstacle> {
    let blocks = schedule::blocks(method, facts, places);
    let state = state_of_graphs(method, facts, places, &blocks, caps)?;
    let context = Context { method, facts, caps, state: &state };
    let mut result = MethodGraph { steps: Vec::new(), delegates: Vec::new(), ..method.clone() };
    let mut keeper = Keeper { method, moved: HashMap::new() };
    let mut moved_to = vec![usize::MAX; method.steps.len() + 1];
    let mut states = Vec::new();
    for block in &blocks {
        moved_to[block.steps.start] = result.steps.len();
        for run in &block.runs {
            match run {
                Run::Steps(steps) => steps.iter().for_each(|&step| keeper.keep(&mut result, step)),
                Run::Graph(steps) => match &steps[..] {
                    [only] if is_as_declared(method, facts, *only, caps) => keeper.keep(&mut result, *only),
                    _ => {
                        let Joined { graph, inputs, outputs, numbers, moves, states: own } =
                            build::join(context, steps).ok_or(Obstacle::Graph)?;
                        states.extend(own.into_iter().map(|(id, value)| (id, result.delegates.len(), value)));
                        let index = result.delegates.len();
                        result.delegates.push(graph);
                        result.steps.push(Step::Delegate { index, inputs, outputs, numbers });
                        result.steps.extend(moves.into_iter().map(|(from, to)| Step::Move { from, to }));
                    }
                },
            }
        }
    }
    moved_to[method.steps.len()] = result.steps.len();
    for step in &mut result.steps {
        if let Step::JumpFalse { destination, .. } = step {
            *destination = moved_to.get(*destination).copied().unwrap_or(usize::MAX);
        }
    }
    if result.delegates.iter().any(|graph| !graph.parts.is_empty()) {
        check(&result, &states, caps)?;
        forget_data(&mut result);
    }
    Ok(result)
}

/// Whether a step calls a delegate that exchanges tensors with other steps in the types which stand for the declared ones.
fn is_as_declared(method: &MethodGraph, facts: &Facts, step: usize, caps: &Caps) -> bool {
    let Step::Delegate { index, inputs, outputs, .. } = &method.steps[step] else { return false };
    let graph = &method.delegates[*index];
    let agrees = |id: u32, value: u32| match (&graph.values[value as usize], tensor(&method.values, id)) {
        (Value::Tensor(taken), Some(declared)) => types::on_device(declared.dtype, caps) == Some(taken.dtype),
        _ => true,
    };
    let comes_from_others = |id: u32| !method.inputs.contains(&id) && !facts.is_constant(method, id);
    let goes_to_others = |id: u32| {
        let others = (0..).zip(&facts.accesses).filter(|(other, _)| *other != step);
        others.into_iter().any(|(_, access)| access.reads.contains(&id))
    };
    inputs.iter().zip(&graph.inputs).all(|(&id, &value)| agrees(id, value) || !comes_from_others(id))
        && outputs.iter().zip(&graph.outputs).all(|(&id, &value)| agrees(id, value) || !goes_to_others(id))
}

/// Takes steps over as they are.
struct Keeper<'a> {
    method: &'a MethodGraph,
    /// Where delegates were, and where they are.
    moved: HashMap<usize, usize>,
}

impl Keeper<'_> {
    /// Takes a step over, with the graph that it calls.
    fn keep(&mut self, result: &mut MethodGraph, step: usize) {
        let mut step = self.method.steps[step].clone();
        if let Step::Delegate { index, .. } = &mut step {
            *index = *self.moved.entry(*index).or_insert_with(|| {
                result.delegates.push(self.method.delegates[*index].clone());
                result.delegates.len() - 1
            });
        }
        result.steps.push(step);
    }
}

/// Values that persist and that one graph alone touches, in a method that runs every step once.
fn state_of_graphs(
    method: &MethodGraph,
    facts: &Facts,
    places: &[Place],
    blocks: &[Block],
    caps: &Caps,
) -> Result<HashSet<u32>, Obstacle> {
    let jumps = method.steps.iter().any(|step| matches!(step, Step::JumpFalse { .. }));
    let graphs = || {
        blocks.iter().flat_map(|block| &block.runs).filter_map(|run| match run {
            Run::Graph(steps) => Some(steps),
            Run::Steps(_) => None,
        })
    };
    let (mut state, mut elsewhere) = (HashSet::new(), Vec::new());
    for &id in &facts.persistent {
        let in_one_graph = !jumps && graphs().any(|steps| facts.touching(id).all(|step| steps.contains(&step)));
        let holds = tensor(&method.values, id)
            .is_some_and(|tensor| !tensor.is_permuted() && types::on_device(tensor.dtype, caps).is_some());
        let on_device =
            |step: usize| places[step] == Place::Device && !matches!(method.steps[step], Step::Delegate { .. });
        if in_one_graph && holds && !method.outputs.contains(&id) {
            state.insert(id);
        } else if facts.writing(id).any(on_device) {
            elsewhere.push(id);
        }
    }
    if elsewhere.is_empty() { Ok(state) } else { Err(Obstacle::State(elsewhere)) }
}

/// Refuses what does not run, and state that is shown to others after it has taken its new contents.
fn check(method: &MethodGraph, states: &[(u32, usize, u32)], caps: &Caps) -> Result<(), Obstacle> {
    let plans = plan_largest(method, caps).map_err(|error| {
        tracing::debug!(%error, "a method is not joined");
        Obstacle::Graph
    })?;
    let mut shown = Vec::new();
    for &(id, graph, value) in states {
        let Some(plan) = &plans[graph] else {
            shown.push(id);
            continue;
        };
        let results = plan.outputs.iter().chain(plan.updates.iter().map(|(_, computed)| computed));
        if results.into_iter().any(|result| result.memory == Memory::State(value)) {
            shown.push(id);
        }
    }
    if shown.is_empty() { Ok(()) } else { Err(Obstacle::State(shown)) }
}

/// Lets go of constants that no step reads any more: they are those of graphs.
fn forget_data(method: &mut MethodGraph) {
    let facts = Facts::of(method);
    let outputs = method.outputs.iter().chain(&method.inputs);
    let read: HashSet<u32> = facts
        .accesses
        .iter()
        .flat_map(|access| access.reads.iter().chain(&access.writes))
        .chain(outputs)
        .copied()
        .collect();
    for (id, value) in (0u32..).zip(&mut method.values) {
        if let ProgramValue::Tensor(tensor) = value
            && !read.contains(&id)
        {
            tensor.data = None;
        }
    }
}
