//! Products of matrices over random sizes, factors and biases.

use proptest::prelude::*;
use pteron_runtime::testing::{TestArg, run_op};
use pteron_runtime::{DType, Device, DeviceChoice, DeviceOptions, HostTensor};

use crate::support::{Properties, activation, agree, agree_deeply, agree_rounded, config, floats};

/// A side of a matrix: none, one, a few, a multiple of four, or past the edge of a tile.
fn side() -> impl Strategy<Value = usize> {
    prop_oneof![1 => Just(0usize), 2 => Just(1), 6 => 2usize..20, 3 => (1usize..9).prop_map(|n| n * 4), 2 => 60usize..140]
}

fn float_type() -> impl Strategy<Value = DType> {
    prop::sample::select(vec![DType::F32, DType::F32, DType::F16])
}

fn input(dtype: DType, dims: &[usize], seed: u64) -> TestArg {
    TestArg::Input(floats(dtype, dims, seed))
}

/// A shape that broadcasts to rows and columns.
fn bias_dims(rows: usize, columns: usize, kind: u8) -> Vec<usize> {
    match kind {
        0 => vec![],
        1 => vec![columns],
        2 => vec![1],
        3 => vec![rows, columns],
        4 => vec![rows, 1],
        _ => vec![1, columns],
    }
}

pub(crate) const PROPERTIES: Properties = &[
    (mm, &[&["aten.mm.default"]]),
    (bmm, &[&["aten.bmm.default"]]),
    (batch_product, &[&["pteron.batch_product.default"]]),
    (addmm, &[&["aten.addmm.default"]]),
    (linear, &[&["aten.linear.default"]]),
    (linear_with_epilogue, &[&["pteron.linear.default"]]),
    (linear_with_norm, &[&["pteron.linear_norm.default"]]),
    (two_layers, &[&["pteron.two_layers.default"]]),
    (linear_weight_gradient, &[&["et_vk.linear_dW.default"]]),
];

/// Tests beside those, for sizes that take other kernels.
#[cfg(feature = "fault-injection")]
pub(crate) const DEEPER: [fn(); 1] = [deep_product];

proptest! {
    #![proptest_config(config())]

    /// Weights of either direction, with everything that may follow.
    #[test]
    fn linear_with_epilogue(
        [rows, columns, depth] in [side(), side(), side()],
        across: bool,
        [has_bias, has_addend] in [any::<bool>(), any::<bool>()],
        [first, last] in [activation(), activation()],
        dtype in float_type(),
        seed: u64,
    ) {
        let weight = if across { [depth, columns] } else { [columns, depth] };
        let args = [
            input(dtype, &[1, rows, depth], seed),
            TestArg::Constant(floats(dtype, &weight, seed + 1)),
            if has_bias { TestArg::Constant(floats(dtype, &[columns], seed + 2)) } else { TestArg::Null },
            TestArg::Bool(across),
            first,
            if has_addend { input(dtype, &[1, rows, columns], seed + 3) } else { TestArg::Null },
            last,
        ];
        agree("pteron.linear.default", &args, &[dtype])?;
    }

    /// Rows with their norm, of depths that are divided and that are not.
    #[test]
    fn linear_with_norm(
        (rows, depth) in (side(), prop_oneof![side(), 300usize..700]),
        columns in prop_oneof![1usize..70, 2040usize..2060],
        [across, has_bias, has_addend] in any::<[bool; 3]>(),
        first in activation(),
        norm in prop_oneof![Just([false, true, false]), any::<[bool; 2]>().prop_map(|[scale, shift]| [true, scale, shift])],
        dtype in float_type(),
        seed: u64,
    ) {
        let [centered, has_scale, has_shift] = norm;
        let weight = if across { [depth, columns] } else { [columns, depth] };
        // Sums of about the size of what is multiplied, however deep they are.
        let scale = (depth.max(1) as f64).sqrt();
        let weight = floats(DType::F32, &weight, seed + 1);
        let weights = weight.to_f64s().into_iter().map(|weight| weight / scale);
        let weight = HostTensor::from_f64s(dtype, *weight.shape(), weights).expect("as many weights");
        let factors = |present, seed| match present {
            true => TestArg::Constant(floats(dtype, &[columns], seed)),
            false => TestArg::Null,
        };
        let args = [
            input(dtype, &[1, rows, depth], seed),
            TestArg::Constant(weight),
            factors(has_bias, seed + 2),
            TestArg::Bool(across),
            first,
            if has_addend { input(dtype, &[1, rows, columns], seed + 3) } else { TestArg::Null },
            TestArg::Str(""),
            factors(has_scale, seed + 4),
            factors(has_shift, seed + 5),
            TestArg::Double(0.01),
            TestArg::Bool(centered),
            TestArg::Bool(true),
        ];
        agree_rounded(5e-3, "pteron.linear_norm.default", &args, &[dtype, dtype])?;
    }

    /// Small layers of few rows, linear or of images of one place.
    #[test]
    fn two_layers(
        (rows, depth) in (0usize..9, prop_oneof![1usize..70, 200usize..220]),
        (width, columns) in (1usize..130, prop_oneof![1usize..70, 500usize..600]),
        [images, has_bias, has_next_bias] in any::<[bool; 3]>(),
        [first, last] in [activation(), activation()],
        dtype in float_type(),
        seed: u64,
    ) {
        let ones: &[usize] = if images { &[1, 1] } else { &[] };
        let sizes = |a: usize, b: usize| [&[a, b], ones].concat();
        // Sums of about the size of what is multiplied.
        let weight = |a: usize, b: usize, seed: u64| {
            let plain = floats(DType::F32, &sizes(a, b), seed);
            let weights = plain.to_f64s().into_iter().map(|weight| weight / (b as f64).sqrt());
            TestArg::Constant(HostTensor::from_f64s(dtype, *plain.shape(), weights).expect("as many weights"))
        };
        let bias = |present: bool, count: usize, seed: u64| match present {
            true => TestArg::Constant(floats(dtype, &[count], seed)),
            false => TestArg::Null,
        };
        let args = [
            TestArg::Input(floats(dtype, &sizes(rows, depth), seed)),
            weight(width, depth, seed + 1),
            bias(has_bias, width, seed + 2),
            first,
            weight(columns, width, seed + 3),
            bias(has_next_bias, columns, seed + 4),
            last,
        ];
        agree_rounded(5e-3, "pteron.two_layers.default", &args, &[dtype])?;
    }

    /// Few outputs of many products each, whose depth is divided.
    #[test]
    fn deep_product(rows in 5usize..40, columns in 2usize..40, depth in 100usize..600, across: bool, seed: u64) {
        let weight = if across { [depth, columns] } else { [columns, depth] };
        let bias = TestArg::Constant(floats(DType::F32, &[columns], seed + 2));
        let (args, op) = if across {
            let ones = [TestArg::Int(1), TestArg::Int(1)];
            let tensors = [bias, input(DType::F32, &[rows, depth], seed), input(DType::F32, &weight, seed + 1)];
            (tensors.into_iter().chain(ones).collect::<Vec<_>>(), "aten.addmm.default")
        } else {
            let tensors = [input(DType::F32, &[rows, depth], seed), input(DType::F32, &weight, seed + 1), bias];
            (tensors.to_vec(), "aten.linear.default")
        };
        agree(op, &args, &[DType::F32])?;
    }

    #[test]
    fn mm(rows in side(), columns in side(), depth in side(), dtype in float_type(), seed: u64) {
        let args = [input(dtype, &[rows, depth], seed), input(dtype, &[depth, columns], seed + 1)];
        agree("aten.mm.default", &args, &[dtype])?;
    }

    #[test]
    fn bmm(batch in 0usize..5, rows in side(), columns in side(), depth in side(), dtype in float_type(), seed: u64) {
        let args = [input(dtype, &[batch, rows, depth], seed), input(dtype, &[batch, depth, columns], seed + 1)];
        agree("aten.bmm.default", &args, &[dtype])?;
    }

    /// Outer dimensions that agree, or a single matrix on one side.
    #[test]
    fn batch_product(
        outer in prop::collection::vec(0usize..4, 0..3),
        (rows, columns, depth) in (side(), side(), side()),
        (single, transposed) in (0u8..3, any::<bool>()),
        dtype in float_type(),
        seed: u64,
    ) {
        let dims = |alone: bool, rows: usize, columns: usize| -> Vec<usize> {
            let outer = outer.iter().map(|&size| if alone { 1 } else { size });
            outer.chain([rows, columns]).collect()
        };
        let right = if transposed { dims(single == 2, columns, depth) } else { dims(single == 2, depth, columns) };
        let args = [
            input(dtype, &dims(single == 1, rows, depth), seed),
            input(dtype, &right, seed + 1),
            TestArg::Bool(transposed),
        ];
        agree("pteron.batch_product.default", &args, &[dtype])?;
    }

    #[test]
    fn addmm(
        rows in side(),
        columns in side(),
        depth in side(),
        kind in 0u8..6,
        factors in prop_oneof![Just([1.0, 1.0]), Just([0.0, 1.0]), Just([0.5, -2.0]), Just([2.0, 0.0])],
        dtype in float_type(),
        seed: u64,
    ) {
        let args = [
            input(dtype, &bias_dims(rows, columns, kind), seed),
            input(dtype, &[rows, depth], seed + 1),
            input(dtype, &[depth, columns], seed + 2),
            TestArg::Double(factors[0]),
            TestArg::Double(factors[1]),
        ];
        agree("aten.addmm.default", &args, &[dtype])?;
    }

    #[test]
    fn linear(
        outer in prop::collection::vec(prop_oneof![1 => Just(0usize), 8 => 1usize..7], 0..4),
        columns in side(),
        depth in side(),
        bias: bool,
        dtype in float_type(),
        seed: u64,
    ) {
        let dims: Vec<_> = outer.into_iter().chain([depth]).collect();
        let bias = if bias { TestArg::Constant(floats(dtype, &[columns], seed + 2)) } else { TestArg::Null };
        let weight = TestArg::Constant(floats(dtype, &[columns, depth], seed + 1));
        agree("aten.linear.default", &[input(dtype, &dims, seed), weight, bias], &[dtype])?;
    }

    #[test]
    fn linear_weight_gradient(
        outer in prop::collection::vec(1usize..7, 1..4),
        rows in side(),
        columns in side(),
        dtype in float_type(),
        seed: u64,
    ) {
        let dims = |last: usize| outer.iter().copied().chain([last]).collect::<Vec<_>>();
        let args = [input(dtype, &dims(rows), seed), input(dtype, &dims(columns), seed + 1)];
        agree("et_vk.linear_dW.default", &args, &[dtype])?;
    }
}

/// A bias that is not read is not a term: its NaN does not spread.
#[test]
fn a_factor_of_zero_leaves_the_bias_out() {
    let nan = pteron_runtime::HostTensor::from_slice(&[f32::NAN; 6], &[6]).expect("six values");
    let args = [
        TestArg::Input(nan),
        input(DType::F32, &[5, 3], 1),
        input(DType::F32, &[3, 6], 2),
        TestArg::Int(0),
        TestArg::Int(1),
    ];
    agree("aten.addmm.default", &args, &[DType::F32]).expect("both engines agree");
    let result = run_on(&Device::cpu(), "aten.addmm.default", &args);
    assert!(result.as_slice::<f32>().unwrap().iter().all(|value| value.is_finite()));
}

#[test]
fn infinities_and_nan_spread_as_in_arithmetic() {
    let left = [1.0, f32::INFINITY, f32::NAN, 2.0, 0.0, -1.0, f32::NEG_INFINITY, 3.0, 5.0f32];
    let left = pteron_runtime::HostTensor::from_slice(&left, &[3, 3]).expect("nine values");
    let args = [TestArg::Input(left), input(DType::F32, &[3, 7], 4)];
    agree("aten.mm.default", &args, &[DType::F32]).expect("both engines agree");
}

/// A device whose bindings are far smaller than the weight multiplies it in windows of columns.
#[test]
fn weights_larger_than_a_binding_are_split() {
    let options = DeviceOptions::new(DeviceChoice::Gpu).with_max_binding_bytes(64 << 10);
    let small = Device::open(options).expect("an adapter");
    for rows in [1, 9] {
        let args = [
            input(DType::F32, &[rows, 23], 1),
            TestArg::Constant(floats(DType::F32, &[1500, 23], 2)),
            TestArg::Constant(floats(DType::F32, &[1500], 3)),
        ];
        let expected = run_on(&Device::cpu(), "aten.linear.default", &args);
        let got = run_on(&small, "aten.linear.default", &args);
        let tolerance = pteron_runtime::Tolerance { atol: 1e-5, rtol: 1e-5 };
        assert!(tolerance.compare(&got, &expected).expect("the same shape").passed());
    }
}

/// More workgroups than fit one direction of a grid.
#[test]
fn grids_fold_past_the_limit_of_one_direction() {
    let weight = TestArg::Constant(floats(DType::F32, &[66_000, 3], 2));
    let args = [input(DType::F32, &[1, 3], 1), weight, TestArg::Null];
    agree("aten.linear.default", &args, &[DType::F32]).expect("both engines agree");
}

fn run_on(device: &Device, op: &str, args: &[TestArg]) -> pteron_runtime::HostTensor {
    let results = run_op(device, op, args, &[DType::F32]).expect("the operator runs");
    results.into_iter().next().expect("one output")
}

/// What fills a large device is computed in large tiles, of operands that are read in every way.
#[test]
fn products_in_large_tiles() {
    for (rows, columns, depth) in [(1024, 1024, 32), (1001, 1026, 37)] {
        for dtype in [DType::F32, DType::F16] {
            let across = [input(dtype, &[rows, depth], 1), input(dtype, &[depth, columns], 2)];
            agree("aten.mm.default", &across, &[dtype]).expect("both engines agree");
            let lines = [input(dtype, &[rows, depth], 3), input(dtype, &[columns, depth], 4), TestArg::Null];
            agree("aten.linear.default", &lines, &[dtype]).expect("both engines agree");
            let gradient = [input(dtype, &[depth, rows], 5), input(dtype, &[depth, columns], 6)];
            agree("et_vk.linear_dW.default", &gradient, &[dtype]).expect("both engines agree");
        }
    }
}

/// Every way to read rows and columns, in small tiles and large ones, of depths that are whole and divided, with something after
/// the products and without.
#[test]
fn products_however_they_are_read() {
    const SHAPES: [[usize; 2]; 3] = [[6, 33], [40, 130], [300, 513]];
    for [rows, columns] in SHAPES {
        for (columns, depth) in [columns, columns.next_multiple_of(4)].into_iter().flat_map(|columns| {
            let depths = if rows == 300 { [40, 41] } else { [1200, 1201] };
            depths.map(|depth| (columns, depth))
        }) {
            for (dtype, across, followed) in [DType::F32, DType::F16].into_iter().flat_map(|dtype| {
                [(dtype, false, false), (dtype, false, true), (dtype, true, false), (dtype, true, true)]
            }) {
                let weight = if across { [depth, columns] } else { [columns, depth] };
                let args = [
                    input(dtype, &[1, rows, depth], 1),
                    TestArg::Constant(floats(dtype, &weight, 2)),
                    if followed { TestArg::Constant(floats(dtype, &[columns], 3)) } else { TestArg::Null },
                    TestArg::Bool(across),
                    TestArg::Str(if followed { "Relu(0, 0)" } else { "" }),
                    TestArg::Null,
                    TestArg::Str(""),
                ];
                agree_deeply(5e-5, "pteron.linear.default", &args, &[dtype])
                    .unwrap_or_else(|error| panic!("{rows}, {columns}, {depth}, {across}, {followed}: {error}"));
            }
            let gradient = [input(DType::F32, &[depth, rows], 5), input(DType::F32, &[depth, columns], 6)];
            agree_deeply(5e-5, "et_vk.linear_dW.default", &gradient, &[DType::F32]).expect("both engines agree");
        }
    }
}
