//! Operators that passes make, over random sizes: one row and many, short rows and such as a workgroup shares, with and
//! without a norm before and a sum or gating after the products.

use proptest::prelude::*;
use pteron_runtime::testing::{TestArg, run_op};
use pteron_runtime::{DType, Device, DeviceChoice, DeviceOptions, HostTensor, Shape, Tolerance};

use crate::attention::{Angles, Cached};
use crate::support::{
    Properties, agree, agree_deeply, agree_roughly, agree_rounded, config, floats, gpu, integers, random,
};

const GROUP: usize = 32;
const Q4_ATTENTION: &str = "pteron.q4_attention.default";

fn scales(dtype: DType, dims: &[usize], seed: u64) -> HostTensor {
    let shape = Shape::new(dims).expect("a small shape");
    let values = random(seed).take(shape.numel()).map(|bits| 0.001 + (bits >> 11) as f64 / (1u64 << 53) as f64 * 0.009);
    HostTensor::from_f64s(dtype, shape, values).expect("values fill the shape")
}

/// A weight with as many rows, its scales, and the group size.
fn weight(rows: usize, depth: usize, group_size: usize, dtype: DType, seed: u64) -> [TestArg; 3] {
    [
        TestArg::Constant(integers(DType::U8, &[rows, depth / 2], 0..256, seed)),
        TestArg::Constant(scales(dtype, &[depth / group_size, rows], seed + 1)),
        TestArg::Int(i64::try_from(group_size).expect("a small number")),
    ]
}

/// Weight and epsilon of a norm, where there is one.
fn norm(given: bool, depth: usize, dtype: DType, seed: u64) -> [TestArg; 2] {
    match given {
        true => [TestArg::Constant(floats(dtype, &[depth], seed)), TestArg::Double(1e-5)],
        false => [TestArg::Null, TestArg::Null],
    }
}

#[derive(Clone, Debug)]
pub(crate) enum After {
    Nothing,
    Sum,
    Gating,
    Division(Vec<usize>),
}

pub(crate) fn after() -> impl Strategy<Value = After> {
    let widths = prop::collection::vec(1usize..5, 2..=3);
    prop_oneof![Just(After::Nothing), Just(After::Sum), Just(After::Gating), widths.prop_map(After::Division)]
}

/// Arguments of `pteron.q4_linear` for rows of `blocks` · 32 inputs and 8 · `columns` outputs.
pub(crate) fn linear(
    rows: usize,
    blocks: usize,
    columns: usize,
    after: &After,
    normed: bool,
    dtype: DType,
    seed: u64,
) -> Vec<TestArg> {
    let depth = blocks * GROUP;
    let widths: Vec<usize> = match after {
        After::Division(widths) => widths.iter().map(|width| width * 8).collect(),
        _ => vec![columns * 8],
    };
    let gated = matches!(after, After::Gating);
    let columns: usize = widths.iter().sum();
    let group_size = if blocks.is_multiple_of(2) && seed.is_multiple_of(2) { 2 * GROUP } else { GROUP };
    let mut args = vec![TestArg::Input(floats(dtype, &[1, rows, depth], seed))];
    args.extend(norm(normed, depth, dtype, seed + 1));
    args.push(TestArg::Str(""));
    args.extend(weight(if gated { 2 * columns } else { columns }, depth, group_size, dtype, seed + 2));
    args.push(TestArg::Bool(false));
    args.push(TestArg::Ints(widths.iter().map(|&width| i64::try_from(width).expect("a small number")).collect()));
    args.push(TestArg::Bool(gated));
    args.push(match after {
        After::Sum => TestArg::Input(floats(dtype, &[1, rows, columns], seed + 4)),
        _ => TestArg::Null,
    });
    args
}

/// Roundings of rows to 8 bits.
pub(crate) const ROUNDINGS: [&str; 2] = ["xnnpack", "affine(3089705f)"];

/// Arguments of `pteron.q4_linear` on rows that are rounded, none of whose numbers is near the middle of two steps.
pub(crate) fn rounded_linear(
    rows: usize,
    blocks: usize,
    columns: usize,
    after: &After,
    rounding: &'static str,
    seed: u64,
) -> Vec<TestArg> {
    let mut args = linear(rows, blocks, columns, after, false, DType::F32, seed);
    let depth = blocks * GROUP;
    let steps = integers(DType::I32, &[rows, depth], -100..156, seed + 5).to_i64s();
    let off = integers(DType::I32, &[rows, depth], -3..4, seed + 6).to_i64s();
    let value = |(index, (step, off)): (usize, (i64, i64))| match (index % depth, step) {
        (0, _) => -100.0 / 64.0,
        (1, _) => 155.0 / 64.0,
        (_, -100 | 155) => 0.0,
        (_, step) => (step as f64 + off as f64 / 8.0) / 64.0,
    };
    let values = steps.into_iter().zip(off).enumerate().map(value);
    let shape = Shape::new(&[1, rows, depth]).expect("a small shape");
    args[0] = TestArg::Input(HostTensor::from_f64s(DType::F32, shape, values).expect("values fill the shape"));
    args[3] = TestArg::Str(rounding);
    // As in a program for XNNPACK, whose scales have eight bits.
    if seed.is_multiple_of(3)
        && let TestArg::Constant(scales) = &args[5]
    {
        args[5] = TestArg::Constant(scales.cast(DType::BF16).cast(DType::F32));
        args[7] = TestArg::Bool(true);
    }
    args
}

/// What is added to the tolerance of rows of so many blocks.
fn deep(blocks: usize) -> f64 {
    if blocks > 100 { 5e-5 } else { 0.0 }
}

pub(crate) fn outputs(after: &After, dtype: DType) -> Vec<DType> {
    vec![dtype; if let After::Division(widths) = after { widths.len() } else { 1 }]
}

fn float_type(half: bool) -> DType {
    if half { DType::F16 } else { DType::F32 }
}

/// Arguments of `pteron.q4_mlp`, where the row between has 32 · `blocks` numbers.
pub(crate) fn mlp(
    rows: usize,
    depth_blocks: usize,
    blocks: usize,
    columns: usize,
    normed: bool,
    added: bool,
    seed: u64,
) -> Vec<TestArg> {
    let (depth, hidden, dtype) = (depth_blocks * GROUP, blocks * GROUP, DType::F32);
    let mut args = vec![TestArg::Input(floats(dtype, &[rows, depth], seed))];
    args.extend(norm(normed, depth, dtype, seed + 1));
    args.extend(weight(2 * hidden, depth, GROUP, dtype, seed + 2));
    args.extend(weight(8 * columns, hidden, GROUP, dtype, seed + 4));
    args.push(if added { TestArg::Input(floats(dtype, &[rows, 8 * columns], seed + 6)) } else { TestArg::Null });
    args
}

/// Arguments of `pteron.q4_attention`, whose layer has 8 · `columns` outputs.
fn attention_layer(it: &Cached, columns: usize, symbolic: bool, added: bool, tables: DType) -> Vec<TestArg> {
    let &Cached { batch, rows, kv_heads, group, size, dtype, seed, .. } = it;
    let depth = kv_heads * group * size;
    let mut args = it.turned(symbolic, true, &Angles::Whole, tables);
    args.extend(weight(8 * columns, depth, GROUP, dtype, seed + 7));
    args.push(if added { TestArg::Input(floats(dtype, &[batch, rows, 8 * columns], seed + 9)) } else { TestArg::Null });
    args
}

/// A step or a few rows over caches that are one part or several, or more than a layer brings together; heads that fill whole
/// words of codes.
fn attended() -> impl Strategy<Value = Cached> {
    let rows = prop_oneof![6 => Just(1usize), 1 => 0usize..4];
    let context = prop_oneof![1 => 4usize..129, 4 => 129usize..700, 1 => 2000usize..2300];
    let size = prop_oneof![3 => Just(32usize), 2 => Just(64), 1 => Just(96)];
    let sizes = (1usize..3, 1usize..6, size);
    let batch = prop_oneof![7 => Just(1usize), 1 => Just(2)];
    (batch, rows, sizes, context, 0.0f64..1.0, any::<bool>(), 0u64..1 << 40).prop_map(
        |(batch, rows, (kv_heads, group, size), context, at, half, seed)| {
            #[expect(clippy::cast_possible_truncation, reason = "a small number")]
            let start = ((context - rows) as f64 * at).round() as i64;
            Cached { batch, rows, kv_heads, group, size, context, start, dtype: float_type(half), seed }
        },
    )
}

pub(crate) const PROPERTIES: Properties = &[
    (q4_linear, &[&["pteron.q4_linear.default"]]),
    (q4_linear_of_rounded_rows, &[&["pteron.q4_linear.default"]]),
    (q4_mlp, &[&["pteron.q4_mlp.default"]]),
    (q4_attention, &[&[Q4_ATTENTION]]),
];

proptest! {
    #![proptest_config(config())]

    #[test]
    fn q4_linear(
        rows in prop_oneof![4 => Just(1usize), 2 => 0usize..7, 1 => Just(70)],
        blocks in prop_oneof![8 => 1usize..9, 1 => Just(259)],
        columns in prop_oneof![8 => 1usize..6, 1 => Just(17)],
        after in after(),
        (normed, half) in any::<(bool, bool)>(),
        seed in 0..u64::MAX - 8,
    ) {
        let dtype = float_type(half);
        let args = linear(rows, blocks, columns, &after, normed, dtype, seed);
        agree_deeply(deep(blocks), "pteron.q4_linear.default", &args, &outputs(&after, dtype))?;
        agree_roughly("pteron.q4_linear.default", &args, &outputs(&after, dtype))?;
    }

    #[test]
    fn q4_linear_of_rounded_rows(
        rows in prop_oneof![4 => Just(1usize), 2 => 0usize..7, 1 => Just(70)],
        blocks in prop_oneof![8 => 1usize..9, 1 => Just(259)],
        columns in prop_oneof![8 => 1usize..6, 1 => Just(17)],
        after in after(),
        rounding in prop::sample::select(&ROUNDINGS[..]),
        seed in 0..u64::MAX - 8,
    ) {
        let args = rounded_linear(rows, blocks, columns, &after, rounding, seed);
        agree_deeply(deep(blocks), "pteron.q4_linear.default", &args, &outputs(&after, DType::F32))?;
    }

    #[test]
    fn q4_mlp(
        rows in prop_oneof![3 => Just(1usize), 1 => 0usize..7],
        depth in 1usize..5,
        hidden in prop_oneof![4 => 1usize..9, 1 => Just(257)],
        columns in 1usize..4,
        (normed, added) in any::<(bool, bool)>(),
        seed in 0..u64::MAX - 8,
    ) {
        let args = mlp(rows, depth, hidden, columns, normed, added, seed);
        agree("pteron.q4_mlp.default", &args, &[DType::F32])?;
        agree_roughly("pteron.q4_mlp.default", &args, &[DType::F32])?;
    }

    /// The grid is made for more keys than there are, so that some parts have none.
    #[test]
    fn q4_attention(
        it in attended(),
        columns in prop_oneof![4 => 1usize..6, 1 => Just(40)],
        (symbolic, added, wide_tables) in any::<(bool, bool, bool)>(),
    ) {
        let tables = if wide_tables { DType::F32 } else { it.dtype };
        let args = attention_layer(&it, columns, symbolic, added, tables);
        if it.dtype == DType::F32 {
            agree(Q4_ATTENTION, &args, &[it.dtype])?;
            agree_roughly(Q4_ATTENTION, &args, &[it.dtype])?;
        } else {
            agree_rounded(1e-2, Q4_ATTENTION, &args, &[it.dtype])?;
        }
    }
}

/// The smallest device stages less and has neither subgroups nor products of packed bytes.
#[test]
fn the_smallest_device_agrees() {
    let small = DeviceOptions::new(DeviceChoice::Gpu).with_webgpu_minimum();
    let device = Device::open(small).expect("there is an adapter");
    let plain = [(3, After::Nothing), (300, After::Sum), (64, After::Gating), (5, After::Division(vec![2, 1]))]
        .map(|(blocks, after)| (linear(1, blocks, 5, &after, true, DType::F32, 7), after));
    let rounded = [(3, After::Nothing), (300, After::Sum), (64, After::Gating)]
        .map(|(blocks, after)| (rounded_linear(1, blocks, 5, &after, "xnnpack", 7), after));
    for (args, after) in plain.into_iter().chain(rounded) {
        let types = outputs(&after, DType::F32);
        let got = run_op(&device, "pteron.q4_linear.default", &args, &types).expect("it runs");
        let expected = run_op(&Device::cpu(), "pteron.q4_linear.default", &args, &types).expect("the reference runs");
        for (got, expected) in got.iter().zip(&expected) {
            let tolerance = Tolerance { atol: 1e-4, rtol: 1e-4 };
            let comparison = tolerance.compare(got, expected).expect("shapes agree");
            assert!(comparison.worst.is_none(), "{after:?}: {comparison:?}");
        }
    }
}

/// A model that computes nonsense is not to write text: digits hold no NaN, and their unit must.
#[test]
fn what_is_not_finite_stays_so() {
    let (dtype, seed) = (DType::F32, 3);
    let in_parts = Cached { batch: 1, rows: 1, kv_heads: 1, group: 4, size: 64, context: 512, start: 300, dtype, seed };
    let cases = [
        ("pteron.q4_linear.default", linear(1, 8, 4, &After::Nothing, false, DType::F32, 3)),
        ("pteron.q4_linear.default", linear(1, 8, 4, &After::Sum, true, DType::F32, 3)),
        ("pteron.q4_linear.default", linear(40, 8, 4, &After::Nothing, false, DType::F32, 3)),
        ("pteron.q4_mlp.default", mlp(1, 4, 8, 4, false, true, 3)),
        (Q4_ATTENTION, attention_layer(&in_parts, 4, false, true, DType::F32)),
    ];
    for (op, mut args) in cases {
        let TestArg::Input(input) = args[0].clone() else { panic!("the first argument is the input") };
        for spoilt in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let mut values = input.to_f64s();
            values.iter_mut().step_by(97).for_each(|value| *value = spoilt);
            args[0] = TestArg::Input(HostTensor::from_f64s(DType::F32, *input.shape(), values).expect("same size"));
            for device in [gpu(), &Device::cpu()] {
                let output = run_op(device, op, &args, &[DType::F32]).expect("it runs").remove(0);
                assert!(!output.to_f64s().iter().any(|value| value.is_finite()), "{op} of {spoilt} gives {output:?}");
            }
        }
    }
}

/// In whichever part of the keys it is: the new one, or one that the cache has.
#[test]
fn a_key_that_is_no_number_leaves_none_after_attention() {
    let (dtype, seed) = (DType::F32, 3);
    let it = Cached { batch: 1, rows: 1, kv_heads: 1, group: 4, size: 64, context: 512, start: 300, dtype, seed };
    const NEW_KEY: usize = 1;
    const CACHE: usize = 3;
    for (argument, at) in [(NEW_KEY, 7), (CACHE, 7), (CACHE, 290 * 64)] {
        let mut args = attention_layer(&it, 4, false, true, dtype);
        let (TestArg::Input(given) | TestArg::State(given)) = &mut args[argument] else { panic!("it is a tensor") };
        let mut values = given.to_f64s();
        values[at] = f64::NAN;
        *given = HostTensor::from_f64s(dtype, *given.shape(), values).expect("same size");
        for device in [gpu(), &Device::cpu()] {
            let output = run_op(device, Q4_ATTENTION, &args, &[dtype]).expect("it runs").remove(0);
            assert!(output.to_f64s().iter().all(|value| value.is_nan()), "{}: {output:?}", device.name());
        }
    }
}

/// Without matrix units: few rows and several tiles of them, each also where workgroups walk several chunks of the depth and
/// the last of them fewer.
#[test]
fn rows_are_multiplied_in_blocks() {
    let device = Device::open(DeviceOptions::new(DeviceChoice::Gpu).with_matrix(false)).expect("there is an adapter");
    for (rows, blocks, columns, after) in [
        (2, 259, 113, After::Nothing),
        (2, 259, 257, After::Sum),
        (8, 5, 40, After::Gating),
        (9, 259, 113, After::Sum),
        (17, 6, 35, After::Division(vec![20, 5, 10])),
        (24, 131, 200, After::Nothing),
        (64, 12, 33, After::Gating),
    ] {
        for dtype in [DType::F32, DType::F16] {
            let (args, types) = (linear(rows, blocks, columns, &after, true, dtype, 6), outputs(&after, dtype));
            let run = |device| run_op(device, "pteron.q4_linear.default", &args, &types).expect("it runs");
            let tolerance = if dtype == DType::F16 { 1e-2 } else { 1e-4 };
            for (got, expected) in run(&device).iter().zip(&run(&Device::cpu())) {
                let comparison = Tolerance { atol: tolerance, rtol: tolerance }.compare(got, expected);
                let comparison = comparison.expect("shapes agree");
                assert!(comparison.passed(), "{rows} rows of {blocks} blocks, {after:?}, {dtype}: {comparison:?}");
            }
        }
    }
}

/// Numbers of very different size in one row, as large activations make them, keep their precision.
#[test]
fn wide_ranges_keep_their_precision() {
    for (rows, after) in [(1, After::Nothing), (1, After::Gating), (40, After::Nothing), (40, After::Sum)] {
        let mut args = linear(rows, 8, 4, &after, false, DType::F32, 11);
        if let TestArg::Input(input) = &args[0] {
            let spread = |(index, value): (usize, f64)| value * [1.0, 1e-3, 3e4, 30.0][index % 4] / 3e4;
            let values = input.to_f64s().into_iter().enumerate().map(spread);
            args[0] = TestArg::Input(HostTensor::from_f64s(DType::F32, *input.shape(), values).expect("same size"));
        }
        agree("pteron.q4_linear.default", &args, &[DType::F32])
            .unwrap_or_else(|e| panic!("{rows} rows, {after:?}: {e}"));
    }
}
