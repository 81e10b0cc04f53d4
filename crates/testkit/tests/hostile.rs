//! Files that are well formed and meant badly: each is an error in bounded time and memory, at any number of nodes, values, sizes
//! and names, with segments that overlap or lie elsewhere, cycles, and any kind of value in every slot of an operator.

#[path = "../../pte/tests/counting/mod.rs"]
mod counting;
#[path = "../../pte/src/samples.rs"]
mod samples;

use std::mem::discriminant;
use std::panic::AssertUnwindSafe;
use std::sync::Mutex;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use counting::{ALLOCATED, PEAK};
use pteron_pte::delegate::Delegate;
use pteron_pte::generated::{graph, program};
use pteron_runtime::{Caps, Device, Error, HostTensor, Limit, Limits, Program, Result, Spec, Value};

use samples::{finish, instruction, tensor, value, with_header};

/// One test at a time counts allocations.
static COUNTED: Mutex<()> = Mutex::new(());

/// What a file may take beside its own size, a few times over.
const MOST_BYTES: usize = 128 << 20;
const MOST_TIME: Duration = Duration::from_secs(20);

/// Does something with a file of so many bytes, and complains where that takes long or takes much memory.
fn bounded<T>(bytes: usize, work: impl FnOnce() -> T) -> T {
    let (started, before) = (Instant::now(), ALLOCATED.load(Ordering::Relaxed));
    PEAK.store(before, Ordering::Relaxed);
    let result = work();
    let (taken, peak) = (started.elapsed(), PEAK.load(Ordering::Relaxed).saturating_sub(before));
    assert!(taken < MOST_TIME, "it took {taken:?}");
    assert!(peak < MOST_BYTES + 8 * bytes, "a file of {bytes} bytes took {peak}");
    result
}

fn alone() -> std::sync::MutexGuard<'static, ()> {
    COUNTED.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// A program of one method.
fn file(plan: program::ExecutionPlan, delegates: Vec<Vec<u8>>) -> Vec<u8> {
    finish(&of(plan, delegates), b"ET12")
}

fn of(plan: program::ExecutionPlan, delegates: Vec<Vec<u8>>) -> program::Program {
    let data = delegates.into_iter().map(|data| program::InlineData { data: Some(data) }).collect();
    program::Program {
        execution_plan: Some(vec![plan]),
        constant_buffer: Some(vec![program::Buffer::default()]),
        backend_delegate_data: Some(data),
        ..Default::default()
    }
}

fn plan(values: Vec<program::EValue>, instructions: Vec<program::Instruction>) -> program::ExecutionPlan {
    let chain = program::Chain { instructions: Some(instructions), inputs: Some(vec![]), outputs: Some(vec![]) };
    program::ExecutionPlan {
        name: Some("forward".into()),
        values: Some(values),
        inputs: Some(vec![0]),
        outputs: Some(vec![0]),
        chains: Some(vec![chain]),
        operators: Some(vec![]),
        delegates: Some(vec![]),
        non_const_buffer_sizes: Some(vec![0]),
        ..Default::default()
    }
}

fn floats(sizes: &[i32]) -> program::EValue {
    value(program::KernelTypes::Tensor(Box::new(tensor(6, sizes))))
}

fn free(value: i32) -> program::Instruction {
    let call = program::FreeCall { value_index: value };
    instruction(program::InstructionArguments::FreeCall(Box::new(call)))
}

/// Loads and runs a file on the reference engine, with one small input.
fn run(bytes: Vec<u8>) -> Result<Vec<Value>> {
    run_within(bytes, Limits::default())
}

fn run_within(bytes: Vec<u8>, limits: Limits) -> Result<Vec<Value>> {
    bounded(bytes.len(), || {
        let program = Program::from_bytes(bytes)?.with_limits(limits).on(&Device::cpu());
        program.check("forward", &Caps::webgpu_minimum())?;
        program.method("forward")?.run(&[HostTensor::from_slice(&[1.0f32], &[1])?.into()])
    })
}

fn limit(result: Result<Vec<Value>>) -> Limit {
    match result {
        Err(Error::Limit { limit, .. }) => limit,
        other => panic!("{:?}", other.map(|values| values.len())),
    }
}

#[test]
fn a_million_instructions_and_values_are_too_many() {
    let _alone = alone();
    let one = || vec![floats(&[1])];
    run(file(plan(one(), vec![]), vec![])).expect("the smallest program runs");
    run(file(plan(one(), (0..50_000).map(|_| free(0)).collect()), vec![])).expect_err("its output is freed");
    assert_eq!(limit(run(file(plan(one(), (0..1_000_000).map(|_| free(0)).collect()), vec![]))), Limit::Nodes);
    let null = || value(program::KernelTypes::Null(Box::default()));
    let values = one().into_iter().chain((0..1_000_000).map(|_| null())).collect();
    assert_eq!(limit(run(file(plan(values, vec![]), vec![]))), Limit::Values);
}

/// A jump back to where it came from, on a value that is never true.
#[test]
fn a_cycle_of_instructions_ends_when_its_time_is_over() {
    let _alone = alone();
    let never = value(program::KernelTypes::Bool(Box::new(program::Bool { bool_val: false })));
    let jump = program::JumpFalseCall { cond_value_index: 1, destination_instruction: 0 };
    let jump = instruction(program::InstructionArguments::JumpFalseCall(Box::new(jump)));
    let limits = Limits::default().with_call_time(Duration::from_millis(300));
    for instructions in [vec![jump.clone()], vec![free(0), jump.clone()], vec![jump.clone(), jump]] {
        let cycle = plan(vec![floats(&[1]), never.clone()], instructions);
        run_within(file(cycle, vec![]), limits).expect_err("nothing ends it but its time");
    }
}

/// A delegate that adds its input to itself, over and over.
fn sums(count: u32) -> graph::VkGraph {
    let mut values = vec![entry(graph::GraphTypes::Int(Box::new(graph::Int { int_val: 1 }))), floats_of(&[1])];
    values.extend((0..count).map(|_| floats_of(&[1])));
    let add = |node: u32| graph::OperatorCall {
        node_id: node,
        name: Some("aten.add.Tensor".into()),
        args: Some([node + 1, node + 1, 0, node + 2].map(|id| i32::try_from(id).expect("a small number")).to_vec()),
    };
    graph::VkGraph {
        version: Some("0".into()),
        values: Some(values),
        chain: Some((0..count).map(add).collect()),
        input_ids: Some(vec![1]),
        output_ids: Some(vec![count + 1]),
        constants: Some(vec![]),
        ..Default::default()
    }
}

fn entry(value: graph::GraphTypes) -> graph::VkValue {
    graph::VkValue { value: Some(value) }
}

fn floats_of(dims: &[u32]) -> graph::VkValue {
    entry(graph::GraphTypes::VkTensor(Box::new(graph::VkTensor {
        datatype: 5,
        dims: Some(dims.to_vec()),
        constant_id: -1,
        mem_obj_id: -1,
        staging_datatype: 127,
        ..Default::default()
    })))
}

/// A program that calls a delegate.
fn calling(plan: program::ExecutionPlan) -> program::ExecutionPlan {
    let call = program::DelegateCall { delegate_index: 0, args: Some(vec![0, 1]) };
    let call = instruction(program::InstructionArguments::DelegateCall(Box::new(call)));
    let delegate = program::BackendDelegate {
        id: Some("VulkanBackend".into()),
        processed: Some(Box::new(program::DataReference { location: 0, index: 0 })),
        compile_specs: Some(vec![]),
    };
    let chain = program::Chain { instructions: Some(vec![call]), inputs: Some(vec![]), outputs: Some(vec![]) };
    let (outputs, chains) = (Some(vec![1]), Some(vec![chain]));
    program::ExecutionPlan { outputs, chains, delegates: Some(vec![delegate]), ..plan }
}

fn delegated(graph: &graph::VkGraph) -> Vec<u8> {
    file(calling(plan(vec![floats(&[1]), floats(&[1])], vec![])), vec![samples::delegate(graph, &[])])
}

#[test]
fn delegates_of_many_nodes_run_or_are_too_many() {
    let _alone = alone();
    let outputs = run(delegated(&sums(3))).expect("three sums run");
    assert_eq!(outputs[0].tensor().expect("a tensor").to_f64s(), [8.0]);
    run(delegated(&sums(5_000))).expect("five thousand sums run");
    assert_eq!(limit(run(delegated(&sums(1_000_000)))), Limit::Nodes);
}

#[test]
fn nodes_that_feed_each_other_are_errors() {
    let _alone = alone();
    let arguments = |node: usize, args: [i32; 4]| {
        let mut graph = sums(3);
        graph.chain.as_mut().expect("there are nodes")[node].args = Some(args.to_vec());
        graph
    };
    // A node that reads what it writes, what is written later, and what nobody writes.
    for graph in [arguments(0, [2, 2, 0, 2]), arguments(0, [4, 4, 0, 2]), arguments(1, [4, 2, 0, 3])] {
        run(delegated(&graph)).expect_err("there is no order to compute it in");
    }
    // Two that write one value.
    let _ = run(delegated(&arguments(1, [2, 2, 0, 2])));
    for ids in [[-1, 2, 0, 3], [i32::MAX, 2, 0, 3], [2, 2, 0, i32::MIN], [2, 2, 0, 1 << 20]] {
        run(delegated(&arguments(1, ids))).expect_err("there is no such value");
    }
}

#[test]
fn sizes_that_overflow_are_errors() {
    let _alone = alone();
    for sizes in [
        &[i32::MAX, i32::MAX][..],
        &[i32::MAX, i32::MAX, i32::MAX],
        &[i32::MAX; 8],
        &[-1],
        &[i32::MIN],
        &[1; 40],
        &[1 << 20, 1 << 20, 1 << 20, 0],
    ] {
        run(file(plan(vec![floats(sizes)], vec![]), vec![])).expect_err("no input has such a shape");
    }
    for dims in [
        &[u32::MAX][..],
        &[u32::MAX, u32::MAX],
        &[u32::MAX; 4],
        &[1 << 31, 2, 1],
        &[1 << 16, 1 << 16, 1 << 16, 1 << 16],
        &[1; 64],
    ] {
        let mut graph = sums(2);
        graph.values.as_mut().expect("there are values")[2] = floats_of(dims);
        // What an operator computes says its shape; a plan that trusts the file would not come to its end.
        let _ = run(delegated(&graph));
        graph.values.as_mut().expect("there are values")[1] = floats_of(dims);
        run(delegated(&graph)).expect_err("no input has such a shape");
    }
}

/// Constants whose segments overlap, are the same, lie past the end, or end past what 64 bits count.
#[test]
fn segments_that_lie_wrongly_are_errors() {
    let _alone = alone();
    let constant = |sizes: &[i32]| {
        value(program::KernelTypes::Tensor(Box::new(program::Tensor { data_buffer_idx: 1, ..tensor(6, sizes) })))
    };
    let with = |segments: &[(u64, u64)], offsets: &[u64], sizes: &[i32]| {
        let mut plan = plan(vec![floats(&[1]), constant(sizes)], vec![]);
        plan.outputs = Some(vec![1]);
        let segment = |&(offset, size): &(u64, u64)| program::DataSegment { offset, size };
        let of = program::Program {
            segments: Some(segments.iter().map(segment).collect()),
            constant_segment: Some(Box::new(program::SubsegmentOffsets {
                segment_index: 0,
                offsets: Some(offsets.to_vec()),
            })),
            ..of(plan, vec![])
        };
        with_header(&of, &[0; 64])
    };
    let outputs = run(with(&[(0, 64)], &[0, 16], &[2])).expect("a constant is given back");
    assert_eq!(outputs[0].tensor().expect("a tensor").to_f64s(), [0.0, 0.0]);
    // Shared and overlapping ones are only bytes that are read twice.
    run(with(&[(0, 64), (0, 64), (32, 32)], &[0, 0], &[2])).expect("a constant is given back");
    for (segments, offsets, sizes) in [
        (&[(0, 64)][..], &[0, 60][..], &[2][..]),
        (&[(0, 64)], &[0, 64], &[1]),
        (&[(0, 64)], &[0, u64::MAX], &[1]),
        (&[(0, 64)], &[0, u64::MAX - 3], &[1]),
        (&[(0, u64::MAX)], &[0, 1 << 40], &[1]),
        (&[(u64::MAX, 64)], &[0, 16], &[1]),
        (&[(1 << 63, 1 << 63)], &[0, 16], &[1]),
        (&[(60, 64)], &[0, 16], &[1]),
        (&[(0, 0)], &[0, 0], &[1]),
        (&[], &[0, 0], &[1]),
        (&[(0, 64)], &[0], &[1]),
        (&[(0, 64)], &[0, 0], &[1 << 30, 1 << 10]),
    ] {
        run(with(segments, offsets, sizes)).expect_err(&format!("{segments:?} {offsets:?} {sizes:?}"));
    }
}

#[test]
fn wrong_kinds_of_values_are_errors_or_what_is_computed() {
    let _alone = alone();
    let kinds = [
        value(program::KernelTypes::Null(Box::default())),
        value(program::KernelTypes::Int(Box::new(program::Int { int_val: i64::MIN }))),
        value(program::KernelTypes::IntList(Box::new(program::IntList { items: Some(vec![i64::MAX; 4]) }))),
        value(program::KernelTypes::TensorList(Box::new(program::TensorList { items: Some(vec![0; 1000]) }))),
        program::EValue { val: None },
    ];
    for kind in kinds {
        let plan = calling(plan(vec![floats(&[1]), kind], vec![]));
        // A delegate gives a tensor, whatever the program has declared.
        if let Ok(outputs) = run(file(plan, vec![samples::delegate(&sums(2), &[])])) {
            assert_eq!(outputs[0].tensor().expect("a tensor").to_f64s(), [4.0]);
        }
    }
}

/// The bytes of an operator's arguments in a file, where they are found once.
fn arguments_at(file: &[u8], args: &[u8]) -> Option<usize> {
    let mut found = file.windows(args.len()).enumerate().filter(|(_, window)| *window == args);
    let (at, _) = found.next()?;
    found.next().is_none().then_some(at)
}

/// Every argument of the operators of a program, replaced by a value of each other kind that its graph has.
fn with_wrong_arguments(file: &[u8]) -> Vec<Vec<u8>> {
    let mut wrong = Vec::new();
    let starts = file.windows(4).enumerate().filter(|(_, window)| *window == b"VH00");
    for (at, _) in starts {
        let Some(delegate) = at.checked_sub(4).and_then(|start| Delegate::parse(&file[start..]).ok()) else { continue };
        let values: Vec<_> =
            (0u32..).take(delegate.values()).filter_map(|id| Some((id, delegate.value(id).ok()?))).collect();
        for node in delegate.nodes().flatten() {
            let ids: Vec<u32> = node.args.iter().collect();
            let count = u32::try_from(ids.len()).expect("few arguments");
            let bytes: Vec<u8> = std::iter::once(count).chain(ids.iter().copied()).flat_map(u32::to_le_bytes).collect();
            let Some(at) = arguments_at(file, &bytes) else { continue };
            for (slot, id) in ids.iter().enumerate() {
                let Some((_, own)) = values.iter().find(|(other, _)| other == id) else { continue };
                let mut kinds = vec![discriminant(own)];
                for (other, kind) in &values {
                    if kinds.contains(&discriminant(kind)) {
                        continue;
                    }
                    kinds.push(discriminant(kind));
                    let mut changed = file.to_vec();
                    changed[at + 4 + 4 * slot..][..4].copy_from_slice(&other.to_le_bytes());
                    wrong.push(changed);
                }
            }
        }
    }
    wrong
}

/// Runs every method with zeros; whether one came to its end.
fn run_with_zeros(bytes: Vec<u8>) -> bool {
    let limits = Limits::default().with_host_bytes(64 << 20).with_call_time(Duration::from_secs(2));
    let Ok(program) = Program::from_bytes(bytes) else { return false };
    let program = program.with_limits(limits).on(&Device::cpu());
    let mut ran = false;
    for name in program.methods().unwrap_or_default() {
        let _ = program.check(&name, &Caps::webgpu_minimum());
        let Ok(mut method) = program.method(&name) else { continue };
        let zeros = |spec: &Spec| match spec {
            Spec::Tensor { dtype, shape, .. } => HostTensor::zeros(*dtype, *shape).into(),
            _ => Value::Int(1),
        };
        let inputs: Vec<_> = method.inputs().iter().map(zeros).collect();
        ran |= method.run(&inputs).is_ok();
    }
    ran
}

/// `PTERON_LONG=1` takes every case of every operator; otherwise one of each.
#[test]
fn any_kind_of_value_in_any_slot_is_an_error_or_a_result() {
    let _alone = alone();
    let is_long = std::env::var_os("PTERON_LONG").is_some();
    let (mut folders, mut tried, mut ran) = (0, 0, 0);
    for folder in std::fs::read_dir(pteron_testkit::fixtures().join("ops")).expect("fixtures are readable") {
        let folder = folder.expect("fixtures are readable").path();
        let cases = pteron_testkit::discover(&folder).expect("fixtures are readable");
        let cases = cases.iter().filter(|case| case.rejected.is_none() && case.data.is_empty());
        folders += 1;
        for case in cases.take(if is_long { usize::MAX } else { 1 }) {
            let file = std::fs::read(&case.program).expect("fixtures are readable");
            for wrong in with_wrong_arguments(&file) {
                tried += 1;
                let size = wrong.len();
                let outcome = std::panic::catch_unwind(AssertUnwindSafe(|| bounded(size, || run_with_zeros(wrong))));
                ran += usize::from(outcome.unwrap_or_else(|_| panic!("{}", case.path.display())));
            }
        }
    }
    eprintln!("{tried} wrong arguments of {folders} operators: {ran} ran nevertheless");
    assert!(folders > 100 && tried > 10 * folders / 2, "{tried} of {folders}");
}

#[test]
fn long_names_cost_no_more_than_their_file() {
    let _alone = alone();
    let name: String = "n".repeat(1 << 20);
    let plan = program::ExecutionPlan {
        name: Some(name.clone()),
        operators: Some(vec![program::Operator { name: Some(name.clone()), overload: Some(name.clone()) }]),
        ..plan(vec![floats(&[1])], vec![])
    };
    let bytes = file(plan, vec![]);
    bounded(bytes.len(), || {
        let program = Program::from_bytes(bytes).expect("it opens");
        assert_eq!(program.methods().expect("it has names")[0].len(), name.len());
        program.on(&Device::cpu()).method(&name).expect("it loads");
    });
    let mut graph = sums(3);
    graph.chain.as_mut().expect("there are nodes")[1].name = Some(name);
    let error = run(delegated(&graph)).expect_err("there is no such operator").to_string();
    assert!(error.len() < 4 << 20, "an error of {} bytes", error.len());
}
