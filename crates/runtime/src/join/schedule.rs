//! The order in which steps run: as many as possible in one graph, each after all that it depends on.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::access::Facts;
use super::place::Place;
use crate::graph::{MethodGraph, ProgramValue, Step};

/// Steps that run one after the other.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Run {
    /// One by one.
    Steps(Vec<usize>),
    /// As one graph.
    Graph(Vec<usize>),
}

/// The runs of a straight line of steps.
#[derive(Debug)]
pub(super) struct Block {
    /// Its steps in the program.
    pub(super) steps: Range<usize>,
    pub(super) runs: Vec<Run>,
}

/// Cuts a method where the host decides what runs next, and puts the steps between into runs.
pub(super) fn blocks(method: &MethodGraph, facts: &Facts, places: &[Place]) -> Vec<Block> {
    let count = method.steps.len();
    let mut starts = vec![0, count];
    for (at, step) in method.steps.iter().enumerate() {
        if let Step::JumpFalse { destination, .. } = step {
            starts.extend([at, at + 1, (*destination).min(count)]);
        }
    }
    starts.sort_unstable();
    starts.dedup();
    let block = |bounds: &[usize]| {
        let steps = bounds[0]..bounds[1];
        Block { runs: runs(method, facts, places, steps.clone()), steps }
    };
    starts.windows(2).map(block).collect()
}

/// What a step waits for.
#[derive(Debug, Default)]
struct Dependencies {
    /// Steps that must come before it.
    after: HashSet<usize>,
    /// Those of them whose numbers it needs, which the host hands on.
    numbers: HashSet<usize>,
}

fn dependencies(method: &MethodGraph, facts: &Facts, steps: Range<usize>) -> HashMap<usize, Dependencies> {
    let mut all: HashMap<usize, Dependencies> = HashMap::new();
    let mut last_write: HashMap<usize, usize> = HashMap::new();
    let mut reads_since: HashMap<usize, Vec<usize>> = HashMap::new();
    for number in steps {
        let access = &facts.accesses[number];
        let mut own = Dependencies::default();
        for &id in &access.reads {
            let value = id as usize;
            if let Some(&writer) = last_write.get(&value) {
                own.after.insert(writer);
                if !matches!(method.values[value], ProgramValue::Tensor(_)) && !is_handed_on(method, writer, number, id)
                {
                    own.numbers.insert(writer);
                }
            }
            reads_since.entry(value).or_default().push(number);
        }
        let state = match &method.steps[number] {
            Step::Delegate { index, .. } => Some(method.values.len() + index),
            _ => None,
        };
        for value in access.writes.iter().map(|&id| id as usize).chain(state) {
            own.after.extend(last_write.insert(value, number));
            own.after.extend(reads_since.remove(&value).into_iter().flatten());
        }
        own.after.remove(&number);
        all.insert(number, own);
    }
    all
}

/// Whether a step that reads a number which another computes can do so within a graph: a delegate gives it, and the step takes
/// it as a symbolic integer.
fn is_handed_on(method: &MethodGraph, writer: usize, reader: usize, id: u32) -> bool {
    let given = matches!(&method.steps[writer], Step::Delegate { numbers, .. } if numbers.contains(&id));
    given
        && match &method.steps[reader] {
            Step::Kernel { .. } => true,
            Step::Delegate { index, inputs, .. } => {
                let graph = &method.delegates[*index];
                let taken = inputs.iter().zip(&graph.inputs).filter(|(given, _)| **given == id);
                taken.into_iter().all(|(_, &input)| graph.symbol_of(input).is_some())
            }
            _ => false,
        }
}

/// Alternates between steps on the host and graphs, each run with all steps that are ready.
fn runs(method: &MethodGraph, facts: &Facts, places: &[Place], steps: Range<usize>) -> Vec<Run> {
    let dependencies = dependencies(method, facts, steps.clone());
    let mut waiting: Vec<usize> = steps.collect();
    let mut done: HashSet<usize> = HashSet::new();
    let mut runs = Vec::new();
    while !waiting.is_empty() {
        let host = take(&mut waiting, &mut done, &dependencies, false, |step| matches!(places[step], Place::Host(_)));
        if !host.is_empty() {
            runs.push(Run::Steps(host));
        }
        let graph = take(&mut waiting, &mut done, &dependencies, true, |step| places[step] == Place::Device);
        if graph.iter().any(|&step| is_computed(method, step)) {
            runs.push(Run::Graph(graph));
        } else if !graph.is_empty() {
            runs.push(Run::Steps(graph));
        } else {
            let alone = take(&mut waiting, &mut done, &dependencies, false, |step| places[step] == Place::Alone);
            runs.push(Run::Steps(alone));
        }
    }
    runs.retain(|run| !matches!(run, Run::Steps(steps) if steps.is_empty()));
    runs
}

/// Whether a step does more than pass tensors on.
fn is_computed(method: &MethodGraph, step: usize) -> bool {
    let step = &method.steps[step];
    matches!(step, Step::Delegate { .. })
        || matches!(step, Step::Kernel { .. } if super::access::assignment(step, &method.values).is_none())
}

/// Takes the steps of a kind that are ready, and those that are so once these have run. Steps of one graph do not see
/// the numbers of each other that the host hands on.
fn take(
    waiting: &mut Vec<usize>,
    done: &mut HashSet<usize>,
    dependencies: &HashMap<usize, Dependencies>,
    one_graph: bool,
    fits: impl Fn(usize) -> bool,
) -> Vec<usize> {
    let before = done.clone();
    let mut taken = Vec::new();
    loop {
        let count = taken.len();
        waiting.retain(|&step| {
            let own = &dependencies[&step];
            let ready = own.after.is_subset(done) && (!one_graph || own.numbers.is_subset(&before));
            if ready && fits(step) {
                done.insert(step);
                taken.push(step);
                return false;
            }
            true
        });
        if taken.len() == count {
            return taken;
        }
    }
}

#[cfg(test)]
mod tests {
    use pteron_ops::catalogue;
    use pteron_ops::sym::SymId;
    use pteron_pte::Dynamism;
    use pteron_tensor::{DType, Shape};

    use super::*;
    use crate::graph::{Graph, Node, ProgramTensor, Role, TensorValue, Value};

    /// The runs of steps on six tensors and a number, where calls of delegates are on the device and kernels on the host.
    fn runs_of(steps: Vec<Step>) -> Vec<Run> {
        let tensor = || {
            let (shape, dynamism) = (Shape::new(&[2]).unwrap(), Dynamism::Static);
            let (dtype, data, order, allocation) = (DType::F32, None, None, None);
            ProgramValue::Tensor(ProgramTensor { dtype, shape, dynamism, data, order, allocation })
        };
        let places: Vec<_> = steps
            .iter()
            .map(|step| match step {
                Step::Kernel { .. } | Step::JumpFalse { .. } => Place::Host(String::new()),
                _ => Place::Device,
            })
            .collect();
        // Each reads one symbolic integer, where its input is a number.
        let one = TensorValue { dtype: DType::I32, shape: Shape::new(&[1]).unwrap(), role: Role::Plain };
        let read = Node {
            id: 0,
            op: catalogue::lookup("et_vk.select_as_symint.default").unwrap(),
            args: vec![0, 1, 1],
            outputs: vec![2],
        };
        let values = vec![Value::Tensor(one), Value::Int(0), Value::Sym(SymId(0))];
        let graph = Graph { values, nodes: vec![read], inputs: vec![0], symbols: 1, ..Graph::default() };
        let delegates = vec![graph; 4];
        let values = (0..6).map(|_| tensor()).chain([ProgramValue::Int(0)]).collect();
        let method = MethodGraph { values, inputs: vec![0], steps, delegates, ..MethodGraph::default() };
        let facts = Facts::of(&method);
        blocks(&method, &facts, &places).into_iter().flat_map(|block| block.runs).collect()
    }

    fn delegate(index: usize, from: u32, to: u32) -> Step {
        Step::Delegate { index, inputs: vec![from], outputs: vec![to], numbers: Vec::new() }
    }

    fn kernel(from: u32, to: u32) -> Step {
        let op = catalogue::lookup_portable("aten::nonzero.out").unwrap();
        Step::Kernel { op, args: vec![from], outputs: vec![to] }
    }

    #[test]
    fn what_the_host_computes_apart_cuts_no_graph() {
        let runs = runs_of(vec![delegate(0, 0, 1), kernel(0, 2), delegate(1, 1, 3)]);
        assert_eq!(runs, [Run::Steps(vec![1]), Run::Graph(vec![0, 2])]);
    }

    #[test]
    fn what_the_host_computes_in_between_cuts_a_graph() {
        let runs = runs_of(vec![delegate(0, 0, 1), kernel(1, 2), delegate(1, 2, 3), delegate(2, 1, 4)]);
        assert_eq!(runs, [Run::Graph(vec![0, 3]), Run::Steps(vec![1]), Run::Graph(vec![2])]);
    }

    #[test]
    fn a_number_of_a_delegate_is_handed_on_within_a_graph() {
        let gives = Step::Delegate { index: 0, inputs: vec![0], outputs: vec![1], numbers: vec![6] };
        let runs = runs_of(vec![gives.clone(), delegate(1, 6, 2)]);
        assert_eq!(runs, [Run::Graph(vec![0, 1])]);
        // What the host makes of it is not.
        let runs = runs_of(vec![gives, kernel(6, 2), delegate(1, 2, 3)]);
        assert_eq!(runs, [Run::Graph(vec![0]), Run::Steps(vec![1]), Run::Graph(vec![2])]);
    }

    #[test]
    fn a_value_is_read_before_it_is_written_again() {
        let runs = runs_of(vec![delegate(0, 0, 1), kernel(1, 2), delegate(1, 0, 1), kernel(1, 3)]);
        assert_eq!(runs, [Run::Graph(vec![0]), Run::Steps(vec![1]), Run::Graph(vec![2]), Run::Steps(vec![3])]);
    }

    #[test]
    fn a_branch_ends_a_graph_and_its_end_begins_one() {
        let jump = Step::JumpFalse { condition: 0, destination: 3 };
        let runs = runs_of(vec![delegate(0, 0, 1), jump, delegate(1, 1, 2), delegate(2, 1, 3)]);
        assert_eq!(runs, [Run::Graph(vec![0]), Run::Steps(vec![1]), Run::Graph(vec![2]), Run::Graph(vec![3])]);
    }
}
