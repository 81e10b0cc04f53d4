//! Indices and positions of an attacker: given by the host they are refused, and those that only the device knows lead to no
//! element outside their tensors.

use pteron_runtime::testing::device::{Guard, check_guards};
use pteron_runtime::testing::{LoadedOp, TestArg, load_op};
use pteron_runtime::{DType, Device, HostTensor, Value};

use crate::neighbours::guarded;
use crate::support::{floats, integers};

/// Rows that indices choose from.
const ROWS: usize = 5;
const HOSTILE: [i64; 13] =
    [5, 6, 7, 64, 4096, -6, -7, -4096, 1 << 20, 1 << 30, (1 << 31) - 4096, (1 << 31) - 1, -(1 << 31)];

/// An operator, its arguments, and which of its inputs are indices.
struct Call {
    op: &'static str,
    args: Vec<TestArg>,
    indices: usize,
}

fn ones(dims: &[usize]) -> HostTensor {
    integers(DType::I32, dims, 1..2, 0)
}

fn constant(dims: &[usize]) -> TestArg {
    TestArg::Constant(floats(DType::F32, dims, 3))
}

fn input(dims: &[usize]) -> TestArg {
    TestArg::Input(floats(DType::F32, dims, 4))
}

fn cache() -> TestArg {
    TestArg::State(floats(DType::F32, &[1, ROWS, 2, 8], 7))
}

/// Calls with indices into five rows.
fn look_ups() -> Vec<Call> {
    let (ids, wide) = (|| TestArg::Input(ones(&[4])), || TestArg::Input(ones(&[4, 8])));
    let first = || TestArg::OptionalInputs(vec![Some(ones(&[4])), None]);
    let second = || TestArg::OptionalInputs(vec![None, Some(ones(&[4]))]);
    let (zero, no) = (|| TestArg::Int(0), || TestArg::Bool(false));
    let table = || TestArg::Constant(integers(DType::U8, &[ROWS, 8], 0..256, 5));
    let scales = || TestArg::Constant(floats(DType::F32, &[ROWS, 1], 6));
    let call = |op, indices, args| Call { op, args, indices };
    let mut calls = vec![
        call("aten.embedding.default", 0, vec![constant(&[ROWS, 8]), ids(), TestArg::Int(-1), no(), no()]),
        call("aten.index_select.default", 1, vec![input(&[ROWS, 8]), zero(), ids()]),
        call("aten.gather.default", 1, vec![input(&[ROWS, 8]), zero(), wide(), no()]),
        call("aten.index.Tensor", 1, vec![input(&[ROWS, 8]), first()]),
        call("aten.index.Tensor", 1, vec![input(&[8, ROWS]), second()]),
        call("aten.index_put.default", 1, vec![input(&[ROWS, 8]), first(), input(&[4, 8]), no()]),
        call("aten.index_put.default", 1, vec![input(&[ROWS, 8]), first(), input(&[4, 8]), TestArg::Bool(true)]),
        call("aten.scatter.src", 1, vec![input(&[ROWS, 8]), zero(), wide(), input(&[4, 8])]),
        call("aten.scatter_add.default", 1, vec![input(&[ROWS, 8]), zero(), wide(), input(&[4, 8])]),
        call("aten.scatter.value", 1, vec![input(&[ROWS, 8]), zero(), wide(), TestArg::Int(3)]),
        call("et_vk.embedding_q4gsw.default", 0, vec![table(), scales(), TestArg::Int(16), ids(), TestArg::Bool(true)]),
        call(
            "update_cache_with_indices.default",
            1,
            vec![
                input(&[1, 2, 2, 8]),
                cache(),
                zero(),
                TestArg::Input(integers(DType::I32, &[1, 2], 0..ROWS as i64, 8)),
            ],
        ),
    ];
    for (bits, op) in [
        (2u32, "quantized_decomposed.embedding_2bit.default"),
        (4, "quantized_decomposed.embedding_4bit.default"),
        (8, "quantized_decomposed.embedding_byte.default"),
    ] {
        let (low, high) = (TestArg::Int(-1 << (bits - 1)), TestArg::Int((1 << (bits - 1)) - 1));
        calls.push(call(op, 0, vec![table(), scales(), TestArg::Null, low, high, ids()]));
    }
    calls
}

/// Calls with a position, of which five are in range.
fn positions() -> Vec<Call> {
    let (row, null) = (|| input(&[1, 1, 2, 8]), || TestArg::Null);
    let attention =
        || vec![row(), row(), row(), cache(), cache(), TestArg::Sym(1), TestArg::Int(1), null(), TestArg::Int(0)];
    let mut with_cache = attention();
    with_cache.extend([TestArg::Bool(true), null()]);
    let mut turned = with_cache.clone();
    turned.extend([constant(&[1, 4]), constant(&[1, 4]), null(), null()]);
    // A layer of eight columns.
    let mut layered = turned.clone();
    let codes = TestArg::Constant(integers(DType::U8, &[8, 8], 0..256, 8));
    layered.extend([codes, constant(&[1, 8]), TestArg::Int(32), null()]);
    let caches = || input(&[1, ROWS, 2, 8]);
    let call = |op, indices, args| Call { op, args, indices };
    vec![
        call("sdpa_with_kv_cache.default", 3, with_cache),
        call("pteron.rope_attention.default", 3, turned),
        call("pteron.q4_attention.default", 3, layered),
        call("update_cache.default", 1, vec![row(), cache(), TestArg::Sym(1)]),
        call(
            "custom_sdpa.default",
            3,
            vec![row(), caches(), caches(), TestArg::Sym(1), null(), TestArg::Double(0.0), TestArg::Bool(true), null()],
        ),
        call(
            "et_vk.apply_rotary_emb_hf.default",
            2,
            vec![row(), row(), constant(&[ROWS, 8]), constant(&[ROWS, 8]), TestArg::Sym(1)],
        ),
    ]
}

/// Inputs of a call with some or all of its indices replaced.
fn attacks(inputs: &[Value], at: usize) -> Vec<(String, Vec<Value>, HostTensor)> {
    let Value::Tensor(good) = &inputs[at] else { panic!("indices are tensors") };
    let mut attacks = Vec::new();
    for index in HOSTILE {
        for count in [1, good.numel()] {
            let mut elements = good.to_i64s();
            elements.iter_mut().rev().take(count).for_each(|element| *element = index);
            let hostile = HostTensor::from_i64s(DType::I32, *good.shape(), elements).expect("as many");
            let mut given = inputs.to_vec();
            given[at] = hostile.clone().into();
            attacks.push((format!("{count} times {index}"), given, hostile));
        }
    }
    attacks
}

fn load(device: &Device, call: &Call) -> LoadedOp {
    let outputs = if call.op.contains("rotary") { vec![DType::F32; 2] } else { vec![DType::F32] };
    load_op(device, call.op, &call.args, &outputs).unwrap_or_else(|error| panic!("{}: {error}", call.op))
}

fn hostile_indices(guard: Guard) {
    let device = guarded(guard);
    let mut refused = 0;
    for call in look_ups() {
        let op = call.op;
        let LoadedOp { mut method, inputs, .. } = load(device, &call);
        let before = method.run(&inputs).unwrap_or_else(|error| panic!("{op}: {error}"));
        for (what, given, hostile) in attacks(&inputs, call.indices) {
            let error = method.run(&given).err().unwrap_or_else(|| panic!("{op} with {what} is no error"));
            assert!(error.to_string().contains("out of range"), "{op} with {what}: {error}");
            // The same where only the device knows them.
            let mut given = given;
            given[call.indices] = device.upload(&hostile).expect("there is memory").into();
            // What it computed is not read with its status, so that it can be looked at.
            let submitted = method.submit(&given, &[]).unwrap_or_else(|error| panic!("{op} with {what}: {error}"));
            for output in submitted.outputs() {
                let Value::Device(output) = output else { continue };
                let computed = output.to_host().expect("it is read").to_f64s();
                assert!(computed.iter().all(|value| value.is_finite()), "{op} with {what} read a neighbour");
            }
            drop(submitted);
            let error = method.run(&given).err().unwrap_or_else(|| panic!("{op} with {what} on the GPU is no error"));
            assert!(error.to_string().contains("out of range"), "{op} with {what} on the GPU: {error}");
            method.reset().expect("it is reset");
            refused += 2;
        }
        check_guards(device).unwrap_or_else(|error| panic!("{op}: {error}"));
        let after = method.run(&inputs).unwrap_or_else(|error| panic!("{op}, after that: {error}"));
        let bytes =
            |values: &[Value]| values.iter().filter_map(|v| Some(v.tensor()?.bytes().to_vec())).collect::<Vec<_>>();
        assert_eq!(bytes(&before), bytes(&after), "{op} gives something else after hostile calls");
    }
    eprintln!("{guard:?} on {}: {refused} calls with hostile indices were refused", device.name());
}

#[test]
fn hostile_indices_lead_to_no_neighbour() {
    hostile_indices(Guard::Poisoned);
}

#[test]
fn hostile_indices_stay_within_their_tensors() {
    hostile_indices(Guard::Watched);
}

#[test]
fn hostile_positions_are_refused_before_anything_runs() {
    let device = guarded(Guard::Watched);
    let mut refused = 0;
    for call in positions() {
        let op = call.op;
        let LoadedOp { mut method, inputs, .. } = load(device, &call);
        method.run(&inputs).unwrap_or_else(|error| panic!("{op}: {error}"));
        for (what, given, hostile) in attacks(&inputs, call.indices) {
            assert!(method.run(&given).is_err(), "{op} at {what} is no error");
            // A position decides what is launched, so the host must know it.
            let mut given = given;
            given[call.indices] = device.upload(&hostile).expect("there is memory").into();
            assert!(method.run(&given).is_err(), "{op} at {what} on the GPU is no error");
            refused += 2;
        }
        check_guards(device).unwrap_or_else(|error| panic!("{op}: {error}"));
        method.run(&inputs).unwrap_or_else(|error| panic!("{op}, after that: {error}"));
    }
    eprintln!("{refused} calls with hostile positions were refused");
}
