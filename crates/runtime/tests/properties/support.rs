//! Runs one operator on both engines and compares.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::sync::OnceLock;

use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;
use pteron_runtime::testing::{TestArg, run_op, run_op_async};
use pteron_runtime::{DType, Device, DeviceChoice, DeviceOptions, HostTensor, Precision, Shape, Tolerance};

/// The adapter that the tests run on, with all that it has but what `$PTERON_WITHOUT` names, such as `subgroups,matrix`: other
/// kernel variants are for devices that lack it.
pub(crate) fn gpu() -> &'static Device {
    if let Some(device) = INSTEAD.get() {
        return device;
    }
    static GPU: OnceLock<Device> = OnceLock::new();
    GPU.get_or_init(|| {
        let without = std::env::var("PTERON_WITHOUT").unwrap_or_default();
        let with = without.split(',').filter(|name| !name.is_empty()).fold(
            DeviceOptions::new(DeviceChoice::Gpu),
            |options, name| match name {
                "subgroups" => options.with_subgroups(false),
                "matrix" => options.with_matrix(false),
                _ => panic!("properties cannot run without {name}"),
            },
        );
        Device::open(with).expect("tests need a WebGPU adapter")
    })
}

/// Properties, each with the operators that it runs, in groups.
pub(crate) type Properties = &'static [(fn(), &'static [&'static [&'static str]])];

thread_local! {
    /// Fewer cases per property than usual, where a test asks for them.
    static CASES: Cell<Option<u32>> = const { Cell::new(None) };
    /// The device of this thread, where a test asks for another one.
    static INSTEAD: Cell<Option<&'static Device>> = const { Cell::new(None) };
    /// The operators that this thread has run on both engines.
    static RAN: RefCell<BTreeSet<&'static str>> = const { RefCell::new(BTreeSet::new()) };
}

/// Cases per property: enough to meet odd shapes, few enough for a software adapter.
///
/// The same cases each time, so that a failure is a change. `PROPTEST_RNG_SEED` and `PROPTEST_CASES` look further.
pub(crate) fn config() -> ProptestConfig {
    config_of(1)
}

/// Like [`config`], for properties whose cases run so many operators each.
pub(crate) fn config_of(operators: u32) -> ProptestConfig {
    let default = ProptestConfig::default();
    let chosen = std::env::var_os("PROPTEST_RNG_SEED").is_some();
    let rng_seed = if chosen { default.rng_seed } else { proptest::test_runner::RngSeed::Fixed(2026) };
    let usual = if std::env::var_os("PROPTEST_CASES").is_some() { default.cases } else { 48 };
    let cases = CASES.get().unwrap_or_else(|| usual.div_ceil(operators));
    ProptestConfig { cases, rng_seed, failure_persistence: None, ..default }
}

/// Runs a property with so many cases, and gives the operators that both engines ran.
pub(crate) fn operators_of(property: fn(), cases: u32) -> BTreeSet<&'static str> {
    CASES.set(Some(cases));
    RAN.take();
    property();
    CASES.set(None);
    RAN.take()
}

/// Does something with another device in the place of [`gpu`].
#[cfg(feature = "fault-injection")]
pub(crate) fn on<T>(device: &'static Device, work: impl FnOnce() -> T) -> T {
    INSTEAD.set(Some(device));
    let result = work();
    INSTEAD.set(None);
    result
}

/// Notes that an operator has run on every engine that has it.
pub(crate) fn ran(op: &str) {
    let definition = pteron_ops::catalogue::all().find(|definition| definition.name == op);
    RAN.with_borrow_mut(|ran| ran.insert(definition.expect("the operator exists").name));
}

/// Checks that both engines run the operator, and agree within its accuracy class.
pub(crate) fn agree(op: &str, args: &[TestArg], outputs: &[DType]) -> TestCaseResult {
    // A 16-bit result is rounded once more.
    agree_rounded(1e-3, op, args, outputs)
}

/// Like [`agree`], with more of a tolerance, for sums and products of many terms: matrix units cut off what an addition
/// does not hold, and a GPU's order is another.
pub(crate) fn agree_deeply(more: f64, op: &str, args: &[TestArg], outputs: &[DType]) -> TestCaseResult {
    agree_beyond([more, more + 1e-3], op, args, outputs)
}

/// Like [`agree`], with `f16` added to the tolerance of 16-bit results.
pub(crate) fn agree_rounded(f16: f64, op: &str, args: &[TestArg], outputs: &[DType]) -> TestCaseResult {
    agree_beyond([0.0, f16], op, args, outputs)
}

/// Like [`agree`], with something added to the tolerance of 32-bit results, and of 16-bit ones.
fn agree_beyond([more, f16]: [f64; 2], op: &str, args: &[TestArg], outputs: &[DType]) -> TestCaseResult {
    let expected = run_op(&Device::cpu(), op, args, outputs);
    let got = run_op(gpu(), op, args, outputs);
    let (expected, got) = match (expected, got) {
        (Ok(expected), Ok(got)) => (expected, got),
        (expected, got) => {
            return Err(TestCaseError::fail(format!("{op}: reference gives {expected:?}, GPU gives {got:?}")));
        }
    };
    let definition = pteron_ops::catalogue::lookup(op).expect("the operator exists");
    ran(op);
    prop_assert_eq!(expected.len(), got.len());
    let accuracy = definition.accuracy.tolerance();
    for (expected, got) in expected.iter().zip(&got) {
        let more = if got.dtype() == DType::F16 { f16 } else { more };
        let tolerance = Tolerance { atol: accuracy.atol + more, rtol: accuracy.rtol + more };
        let comparison = tolerance.compare(got, expected).map_err(TestCaseError::fail)?;
        prop_assert!(comparison.passed(), "{op}: {:?}", comparison);
    }
    Ok(())
}

/// Checks that a GPU that may round to 16 bits stays close to the reference.
pub(crate) fn agree_roughly(op: &str, args: &[TestArg], outputs: &[DType]) -> TestCaseResult {
    let fail = |error: pteron_runtime::Error| TestCaseError::fail(format!("{op}: {error}"));
    let expected = run_op(&Device::cpu(), op, args, outputs).map_err(fail)?;
    let got = pollster::block_on(run_op_async(gpu(), Precision::Fast, op, args, outputs)).map_err(fail)?;
    prop_assert_eq!(expected.len(), got.len());
    for (expected, got) in expected.iter().zip(&got) {
        let tolerance = Tolerance { atol: 1e-2, rtol: 1e-2 };
        let comparison = tolerance.compare(got, expected).map_err(TestCaseError::fail)?;
        prop_assert!(comparison.passed(), "{op}: {:?}", comparison);
    }
    Ok(())
}

/// Checks that both engines refuse what the arguments ask for, and give the same kind of error.
pub(crate) fn refuse(op: &str, args: &[TestArg], outputs: &[DType]) -> TestCaseResult {
    let (expected, got) = (run_op(&Device::cpu(), op, args, outputs), run_op(gpu(), op, args, outputs));
    match (&expected, &got) {
        (Err(expected), Err(got)) if expected.kind() == got.kind() => Ok(()),
        _ => Err(TestCaseError::fail(format!("{op}: reference gives {expected:?}, GPU gives {got:?}"))),
    }
}

/// [`agree`] where the arguments are `valid`, and [`refuse`] where they are not.
pub(crate) fn agree_if(valid: bool, op: &str, args: &[TestArg], outputs: &[DType]) -> TestCaseResult {
    if valid { agree(op, args, outputs) } else { refuse(op, args, outputs) }
}

/// A tensor of floats between −2 and 2, from a seed.
pub(crate) fn floats(dtype: DType, dims: &[usize], seed: u64) -> HostTensor {
    let shape = Shape::new(dims).expect("a small shape");
    let values = random(seed).take(shape.numel()).map(|bits| (bits >> 40) as f64 / f64::from(1 << 22) - 2.0);
    HostTensor::from_f64s(dtype, shape, values).expect("values fill the shape")
}

/// A tensor of integers in a range, from a seed.
pub(crate) fn integers(dtype: DType, dims: &[usize], range: std::ops::Range<i64>, seed: u64) -> HostTensor {
    let shape = Shape::new(dims).expect("a small shape");
    let span = range.end.abs_diff(range.start).max(1);
    let values = random(seed).take(shape.numel()).map(|bits| range.start + i64::try_from(bits % span).unwrap_or(0));
    HostTensor::from_i64s(dtype, shape, values).expect("values fill the shape")
}

/// Sizes of a tensor of some rank, small and often awkward: 0, 1, primes.
pub(crate) fn sizes(rank: impl Into<prop::collection::SizeRange>) -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(prop_oneof![1 => Just(0usize), 3 => Just(1), 8 => 2usize..8, 2 => Just(13)], rank)
}

/// An endless sequence of pseudo-random words (splitmix64).
pub(crate) fn random(seed: u64) -> impl Iterator<Item = u64> {
    (1u64..).map(move |i| {
        let mut z = seed.wrapping_add(i.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    })
}

/// What products and convolutions may do with their sums before and after an addend, as their operators take it.
pub(crate) fn activation() -> impl Strategy<Value = TestArg> {
    prop::sample::select(vec![
        "",
        "",
        "Relu(0, 0)",
        "Clamp(bfe0000000000000, 3fe8000000000000)",
        "Hardtanh(bff0000000000000, 3ff0000000000000)",
        "LeakyRelu(3fb999999999999a, 0)",
        "Hardsigmoid(0, 0)",
        "Hardswish(0, 0)",
        "Sigmoid(0, 0)",
        "Silu(0, 0)",
        "Tanh(0, 0)",
        "Gelu(0, 0)",
        "GeluTanh(0, 0)",
        "Elu(3ff0000000000000, 3ff0000000000000)",
    ])
    .prop_map(TestArg::Str)
}
