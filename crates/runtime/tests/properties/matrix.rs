//! Kernels for matrix units against plain tiles and the reference, wherever an adapter has such units.
//!
//! They run without the driver's bounds checks, so sizes end anywhere within a tile, and are large enough for every size
//! of tile. Each test says on standard error whether it ran.

use std::io::Write as _;
use std::sync::OnceLock;

use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;
use pteron_runtime::testing::{TestArg, run_op, run_op_async};
use pteron_runtime::{DType, Device, DeviceChoice, DeviceOptions, HostTensor, Precision, Tolerance};

use crate::attention::{Cached, SDPA, WITH_CACHE};
use crate::fused::{After, ROUNDINGS, after, linear, mlp, outputs, rounded_linear};
use crate::support::{config, floats, gpu};

const LINEAR: &str = "pteron.q4_linear.default";
const MLP: &str = "pteron.q4_mlp.default";

/// A few products of floats, all other tests but those of attention, and those.
#[cfg(feature = "fault-injection")]
pub(crate) const PRODUCTS: [fn(); 1] = [products_that_end_within_tiles];
#[cfg(feature = "fault-injection")]
pub(crate) const LINEAR_LAYERS: [fn(); 4] =
    [linear_layers, every_tile_of_linear_layers, every_tile_of_few_rows, gated_layers_and_the_one_after_them];
#[cfg(feature = "fault-injection")]
pub(crate) const ATTENTION: [fn(); 3] = [attention_over_a_cache, attention_over_any_keys, attention_of_many_heads];

/// The adapter without its matrix units, if it has any; says so once for each test.
fn plain_tiles(test: &str) -> Option<&'static Device> {
    static PLAIN: OnceLock<Device> = OnceLock::new();
    let verdict = if gpu().caps().matrix { "on" } else { "not run: there are none on" };
    // The test harness holds back only what the print macros write, and a closed stderr is no reason to fail.
    let _ = writeln!(std::io::stderr(), "matrix units, {test}: {verdict} {}", gpu().name());
    gpu().caps().matrix.then(|| {
        PLAIN.get_or_init(|| {
            let options = DeviceOptions::new(DeviceChoice::Gpu).with_matrix(false);
            Device::open(options).expect("the adapter opens again")
        })
    })
}

/// Runs a property where there are matrix units.
fn check<S: Strategy>(test: &str, strategy: &S, property: impl Fn(S::Value, &Device) -> TestCaseResult) {
    if let Some(plain) = plain_tiles(test) {
        let mut runner = proptest::test_runner::TestRunner::new(config());
        runner.run(strategy, |value| property(value, plain)).unwrap_or_else(|error| panic!("{error}"));
    }
}

/// Checks that matrix units give what plain tiles and the reference give: as close as 32-bit arithmetic is, and closely
/// where they may round to 16 bits.
fn agree(plain: &Device, op: &str, args: &[TestArg], types: &[DType]) -> TestCaseResult {
    let fail = |error: pteron_runtime::Error| TestCaseError::fail(format!("{op}: {error}"));
    let reference = run_op(&Device::cpu(), op, args, types).map_err(fail)?;
    let tiles = run_op(plain, op, args, types).map_err(fail)?;
    let accuracy = pteron_ops::catalogue::lookup(op).expect("the operator exists").accuracy.tolerance();
    for (precision, floor) in [(Precision::Exact, 0.0), (Precision::Fast, 1e-2)] {
        let got = pteron_runtime::block_on(run_op_async(gpu(), precision, op, args, types)).map_err(fail)?;
        for (expected, name) in [(&reference, "the reference"), (&tiles, "plain tiles")] {
            prop_assert_eq!(expected.len(), got.len());
            for (expected, got) in expected.iter().zip(&got) {
                // Plain tiles round products to 16 bits before they are finished.
                let half: f64 = if got.dtype() == DType::F16 { 4e-3 } else { 0.0 };
                let tolerance =
                    Tolerance { atol: (accuracy.atol + half).max(floor), rtol: (accuracy.rtol + half).max(floor) };
                let comparison = tolerance.compare(got, expected).map_err(TestCaseError::fail)?;
                prop_assert!(comparison.passed(), "{op}, {precision:?}, against {name}: {comparison:?}");
            }
        }
    }
    Ok(())
}

/// The adapter with all products of floats in kernels for matrix units, which without such units compute in plain arithmetic.
fn with_units() -> &'static Device {
    static UNITS: OnceLock<Device> = OnceLock::new();
    if gpu().caps().matrix_always {
        return gpu();
    }
    let options = DeviceOptions::new(DeviceChoice::Gpu).with_matrix_always(true);
    UNITS.get_or_init(|| Device::open(options).expect("the adapter opens again"))
}

/// Checks that kernels for matrix units give what the reference gives, within the class of products or, where they may round
/// to 16 bits, closely.
fn agree_on(device: &Device, op: &str, args: &[TestArg], dtype: DType) {
    let expected = run_op(&Device::cpu(), op, args, &[dtype]).unwrap_or_else(|error| panic!("{op}: {error}"));
    for (precision, floor) in [(Precision::Exact, 5e-5), (Precision::Fast, 4e-2)] {
        let floor: f64 = if dtype == DType::F16 { 1e-2 } else { floor };
        let got = pteron_runtime::block_on(run_op_async(device, precision, op, args, &[dtype]));
        let got = got.unwrap_or_else(|error| panic!("{op}, {precision:?}: {error}"));
        let comparison = Tolerance { atol: floor, rtol: floor }.compare(&got[0], &expected[0]).expect("one shape");
        assert!(comparison.passed(), "{op} on {}, {dtype}, {precision:?}: {comparison:?}", device.name());
    }
}

/// Operands read along the depth, across it and one by one, with what may follow, in tiles of each size, of depths that are
/// whole and divided.
#[test]
fn products_in_every_form() {
    let device = with_units();
    for [rows, columns, depth] in [[70, 66, 40], [72, 68, 41], [6, 130, 300], [250, 252, 8]] {
        // 16-bit floats differ in how they are read.
        let types = if depth > 100 { &[DType::F32][..] } else { &[DType::F32, DType::F16] };
        for &dtype in types {
            let of = |dims: &[usize], seed| floats(dtype, dims, seed);
            let input = |dims: &[usize], seed| TestArg::Input(of(dims, seed));
            agree_on(device, "aten.mm.default", &[input(&[rows, depth], 1), input(&[depth, columns], 2)], dtype);
            agree_on(
                device,
                "et_vk.linear_dW.default",
                &[input(&[depth, rows], 3), input(&[depth, columns], 4)],
                dtype,
            );
            let args = [
                input(&[1, rows, depth], 5),
                TestArg::Constant(of(&[columns, depth], 6)),
                TestArg::Constant(of(&[columns], 7)),
                TestArg::Bool(false),
                TestArg::Str("Relu(0, 0)"),
                input(&[1, rows, columns], 8),
                TestArg::Str(""),
            ];
            agree_on(device, "pteron.linear.default", &args, dtype);
        }
    }
}

/// Products and a convolution that end within a tile, one of each kernel for whole depths and divided ones.
#[cfg(feature = "fault-injection")]
fn products_that_end_within_tiles() {
    let input = |dims: &[usize], seed| TestArg::Input(floats(DType::F32, dims, seed));
    for [rows, columns, depth] in [[70, 66, 41], [6, 130, 300]] {
        agree_on(with_units(), "aten.mm.default", &[input(&[rows, depth], 1), input(&[depth, columns], 2)], DType::F32);
    }
    let list = |value| TestArg::Ints(vec![value; 2]);
    let args = [
        input(&[2, 7, 9, 11], 3),
        TestArg::Constant(floats(DType::F32, &[66, 7, 3, 3], 4)),
        TestArg::Null,
        list(1),
        list(1),
        list(1),
        TestArg::Bool(false),
        list(0),
        TestArg::Int(1),
    ];
    agree_on(with_units(), "aten.convolution.default", &args, DType::F32);
}

/// Plain convolutions, with steps, in groups and transposed, and of single elements whose channels have factors.
#[test]
fn convolutions_in_every_form() {
    let list = |value| TestArg::Ints(vec![value; 2]);
    let device = with_units();
    for (channels, outputs, groups, step, transposed) in
        [(20, 40, 1, 1, false), (7, 66, 1, 2, false), (32, 40, 2, 1, false), (12, 20, 1, 2, true)]
    {
        let weight = if transposed { [channels, outputs / groups] } else { [outputs, channels / groups] };
        for dtype in [DType::F32, DType::F16] {
            let args = [
                TestArg::Input(floats(dtype, &[2, channels, 9, 11], 1)),
                TestArg::Constant(floats(dtype, &[weight[0], weight[1], 3, 3], 2)),
                TestArg::Constant(floats(dtype, &[outputs], 3)),
                list(step),
                list(1),
                list(1),
                TestArg::Bool(transposed),
                list(0),
                TestArg::Int(i64::try_from(groups).expect("few groups")),
            ];
            agree_on(device, "aten.convolution.default", &args, dtype);
        }
    }
    for dtype in [DType::F32, DType::F16] {
        let [channels, outputs] = [36, 70];
        let args = [
            TestArg::Input(floats(dtype, &[1, channels, 8, 9], 1)),
            TestArg::Constant(floats(dtype, &[outputs, channels, 1, 1], 2)),
            TestArg::Null,
            list(1),
            list(0),
            list(1),
            TestArg::Bool(false),
            list(0),
            TestArg::Int(1),
            TestArg::Ints(Vec::new()),
            TestArg::Str(""),
            TestArg::Null,
            TestArg::Str(""),
            TestArg::Input(floats(dtype, &[1, channels, 1, 1], 4)),
        ];
        agree_on(device, "pteron.convolution.default", &args, dtype);
    }
}

/// Lines whose elements grow along the depth, begin with zeros, are tiny or huge, or not finite: each has a power of two of its
/// own, which follows them.
#[test]
fn elements_that_grow() {
    const DEPTH: usize = 260;
    let size = |line: usize, k: usize| match line % 8 {
        0 => (k as f64 / 8.0 - 16.0).exp2(),
        1 => {
            if k < 100 {
                1e-9
            } else {
                8.0
            }
        }
        2 => {
            if k < 70 {
                0.0
            } else {
                1e25
            }
        }
        3 => 1e-18,
        4 => 1e18,
        5 => 0.0,
        6 => (10.0 - k as f64 / 32.0).exp2(),
        _ => 1.0,
    };
    let device = with_units();
    let [rows, columns] = [70, 72];
    // Huge lines only on one side, so that products are floats.
    let lines = |count: usize, seed, kinds: usize| {
        let plain = floats(DType::F32, &[count, DEPTH], seed);
        let scaled = plain.to_f64s().into_iter().enumerate().map(|(i, x)| x * size(i / DEPTH % kinds, i % DEPTH));
        HostTensor::from_f64s(DType::F32, *plain.shape(), scaled).expect("as many values").to_f64s()
    };
    let (mut left, right) = (lines(rows, 1, 8), lines(columns, 2, 2));
    left[9 * DEPTH + 5] = f64::INFINITY;
    left[15 * DEPTH + 130] = f64::NAN;
    let across: Vec<f64> = (0..DEPTH * columns).map(|i| right[i % columns * DEPTH + i / columns]).collect();
    let tensor = |values: &[f64], dims: [usize; 2]| {
        let shape = pteron_runtime::Shape::new(&dims).expect("a small shape");
        TestArg::Input(HostTensor::from_f64s(DType::F32, shape, values.iter().copied()).expect("values fill it"))
    };
    for (op, args) in [
        ("aten.linear.default", vec![tensor(&left, [rows, DEPTH]), tensor(&right, [columns, DEPTH]), TestArg::Null]),
        ("aten.mm.default", vec![tensor(&left, [rows, DEPTH]), tensor(&across, [DEPTH, columns])]),
    ] {
        let got = run_op(device, op, &args, &[DType::F32]).expect("it runs");
        for (at, got) in got[0].to_f64s().into_iter().enumerate() {
            let (row, column) = (at / columns, at % columns);
            let terms = (0..DEPTH).map(|k| left[row * DEPTH + k] * right[column * DEPTH + k]);
            let (sum, sizes) = terms.fold((0.0, 0.0), |(sum, sizes), term| (sum + term, sizes + f64::abs(term)));
            let is_near = (got - sum).abs() <= 4e-6 * sizes + 1e-37;
            let agrees = if sum.is_finite() { is_near } else { got.is_nan() == sum.is_nan() && !got.is_finite() };
            assert!(agrees, "{op} on {}, {row}, {column}: {got} for {sum}", device.name());
        }
    }
}

/// Rows up to several tiles, with any rest.
fn rows() -> impl Strategy<Value = usize> {
    prop_oneof![3 => 2usize..64, 3 => 64usize..140, 1 => Just(128usize), 1 => 200usize..300]
}

#[test]
fn linear_layers() {
    let strategy = (
        rows(),
        prop_oneof![6 => 1usize..9, 1 => Just(32usize), 1 => Just(64)],
        prop_oneof![6 => 1usize..20, 1 => Just(33usize)],
        after(),
        any::<(bool, bool)>(),
        0..u64::MAX - 8,
    );
    check("linear layers", &strategy, |(rows, blocks, columns, after, (normed, half), seed), plain| {
        let dtype = if half { DType::F16 } else { DType::F32 };
        let args = linear(rows, blocks, columns, &after, normed, dtype, seed);
        agree(plain, LINEAR, &args, &outputs(&after, dtype))
    });
}

#[test]
fn linear_layers_of_rounded_rows() {
    let strategy = (
        rows(),
        prop_oneof![6 => 1usize..9, 1 => Just(64usize)],
        prop_oneof![6 => 1usize..20, 1 => Just(33usize)],
        after(),
        prop::sample::select(&ROUNDINGS[..]),
        0..u64::MAX - 8,
    );
    check("linear layers of rounded rows", &strategy, |(rows, blocks, columns, after, rounding, seed), plain| {
        let args = rounded_linear(rows, blocks, columns, &after, rounding, seed);
        agree(plain, LINEAR, &args, &outputs(&after, DType::F32))
    });
}

/// So many tiles that each size of them is worth its while: of 64 and 128 rows, and of 64 and 128 columns.
#[test]
fn every_tile_of_linear_layers() {
    let Some(plain) = plain_tiles("every tile of linear layers") else { return };
    for (rows, columns, after) in [
        (1000, 257, After::Nothing),
        (1030, 250, After::Sum),
        (900, 130, After::Gating),
        (500, 244, After::Nothing),
        (450, 260, After::Sum),
        (90, 40, After::Gating),
        (60, 129, After::Nothing),
        (300, 100, After::Division(vec![40, 25, 70])),
    ] {
        let args = linear(rows, 3, columns, &after, false, DType::F32, 5);
        agree(plain, LINEAR, &args, &outputs(&after, DType::F32))
            .unwrap_or_else(|error| panic!("{rows} rows, 8 · {columns} columns, {after:?}: {error}"));
    }
}

/// Few rows: one, two and four tiles of them, narrow and wide workgroups, and depths that are divided.
#[test]
fn every_tile_of_few_rows() {
    let Some(plain) = plain_tiles("every tile of few rows") else { return };
    for (rows, blocks, columns, after) in [
        (16, 4, 40, After::Nothing),
        (2, 8, 260, After::Sum),
        (32, 6, 420, After::Sum),
        (17, 64, 35, After::Division(vec![20, 5, 10])),
        (9, 128, 30, After::Sum),
        (20, 132, 9, After::Nothing),
        (5, 3, 40, After::Nothing),
        (30, 5, 1030, After::Sum),
        (3, 2, 17, After::Gating),
        (31, 9, 30, After::Gating),
        (64, 4, 33, After::Gating),
    ] {
        let args = linear(rows, blocks, columns, &after, true, DType::F32, 7);
        agree(plain, LINEAR, &args, &outputs(&after, DType::F32))
            .unwrap_or_else(|error| panic!("{rows} rows, {blocks} blocks, 8 · {columns} columns, {after:?}: {error}"));
    }
}

#[test]
fn gated_layers_and_the_one_after_them() {
    let strategy = (rows(), 1usize..5, 1usize..9, 1usize..6, any::<(bool, bool)>(), 0..u64::MAX - 8);
    check("gated layers", &strategy, |(rows, depth, hidden, columns, (normed, added), seed), plain| {
        agree(plain, MLP, &mlp(rows, depth, hidden, columns, normed, added, seed), &[DType::F32])
    });
}

#[test]
fn attention_over_a_cache() {
    let strategy = (
        (1usize..3, 9usize..200, 1usize..4, 1usize..4),
        (0usize..150, 0usize..90),
        any::<(bool, bool)>(),
        any::<bool>(),
        0u64..1 << 40,
    );
    check(
        "attention over a cache",
        &strategy,
        |((batch, rows, kv_heads, group), (start, left), (symbolic, causal), half, seed), plain| {
            let dtype = if half { DType::F16 } else { DType::F32 };
            let (context, start) = (start + rows + left, i64::try_from(start).expect("a small number"));
            let it = Cached { batch, rows, kv_heads, group, size: 64, context, start, dtype, seed };
            agree(plain, WITH_CACHE, &it.args(symbolic, TestArg::Null, causal, TestArg::Null), &[dtype])
        },
    );
}

#[test]
fn attention_over_any_keys() {
    let strategy = ((1usize..3, 1usize..4), (9usize..200, 1usize..300), any::<bool>(), 0u64..1 << 40);
    check("attention over any keys", &strategy, |((batch, heads), (rows, keys), half, seed), plain| {
        let dtype = if half { DType::F16 } else { DType::F32 };
        let tensor = |rows: usize, seed: u64| TestArg::Input(floats(dtype, &[batch, heads, rows, 64], seed));
        let args = [tensor(rows, seed), tensor(keys, seed + 1), tensor(keys, seed + 2), TestArg::Null, TestArg::Null];
        agree(plain, SDPA, &args, &[dtype])
    });
}

/// So many that more subgroups share keys.
#[test]
fn attention_of_many_heads() {
    let strategy = ((140usize..200, 9usize..150, 1usize..100), any::<bool>(), 0u64..1 << 40);
    check("attention of many heads", &strategy, |((heads, rows, keys), half, seed), plain| {
        let dtype = if half { DType::F16 } else { DType::F32 };
        let tensor = |rows: usize, seed: u64| TestArg::Input(floats(dtype, &[1, heads, rows, 64], seed));
        let args = [tensor(rows, seed), tensor(keys, seed + 1), tensor(keys, seed + 2), TestArg::Null, TestArg::Null];
        agree(plain, SDPA, &args, &[dtype])
    });
}

/// Scores that grow and shrink with every tile of keys, and values of which some are tiny, or nothing at all.
#[test]
fn attention_over_keys_and_values_that_are_far_apart() {
    let size = prop_oneof![Just(0.0), Just(1e-36), Just(1e-10), Just(1e-3), Just(1.0)];
    let tiles = prop::collection::vec((prop_oneof![Just(0.0), Just(0.1), Just(4.0)], size), 10);
    let strategy = (tiles, (70usize..100, 200usize..320), 0u64..1 << 40);
    check("attention over keys and values far apart", &strategy, |(tiles, (rows, keys), seed), plain| {
        let tensor = |rows: usize, seed: u64, factor: &dyn Fn(usize) -> f64| {
            let plain = floats(DType::F32, &[1, 2, rows, 64], seed);
            let numbers = plain.to_f64s().into_iter().enumerate().map(|(at, number)| number * factor(at / 64 % rows));
            TestArg::Input(HostTensor::from_f64s(DType::F32, *plain.shape(), numbers).expect("as many numbers"))
        };
        let args = [
            tensor(rows, seed, &|_| 1.0),
            tensor(keys, seed + 1, &|key| tiles[key / 32].0),
            tensor(keys, seed + 2, &|key| tiles[key / 32].1),
            TestArg::Null,
            TestArg::Null,
        ];
        agree(plain, SDPA, &args, &[DType::F32])
    });
}
