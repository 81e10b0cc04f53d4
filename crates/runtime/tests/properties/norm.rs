//! Norms over random shapes, with and without parameters.

use proptest::prelude::*;
use pteron_runtime::DType;
use pteron_runtime::testing::TestArg;

use crate::support::{Properties, agree, agree_if, config, floats, sizes};

fn float_type() -> impl Strategy<Value = DType> {
    prop::sample::select(vec![DType::F32, DType::F16])
}

fn optional(given: bool, dtype: DType, dims: &[usize], seed: u64) -> TestArg {
    if given { TestArg::Constant(floats(dtype, dims, seed)) } else { TestArg::Null }
}

fn int(value: usize) -> TestArg {
    TestArg::Int(i64::try_from(value).expect("a small size"))
}

pub(crate) const PROPERTIES: Properties = &[
    (layer_norm_agrees, &[&["aten.native_layer_norm.default"]]),
    (group_norm_agrees, &[&["aten.native_group_norm.default"]]),
    (instance_norm_agrees, &[&["aten._native_batch_norm_legit.no_stats"]]),
    (batch_norm_agrees, &[&["aten._native_batch_norm_legit_no_training.default"]]),
    (rms_norm_agrees, &[&["et_vk.rms_norm.default"]]),
];

proptest! {
    #![proptest_config(config())]

    #[test]
    fn layer_norm_agrees(outer in sizes(0..4), inner in prop::collection::vec(1usize..30, 1..4), weight: bool, bias: bool,
                         dtype in float_type(), parameters in float_type(), statistics in float_type(), seed: u64) {
        let dims = [outer, inner.clone()].concat();
        let args = [
            TestArg::Input(floats(dtype, &dims, seed)),
            TestArg::Ints(inner.iter().map(|&size| i64::try_from(size).expect("a small size")).collect()),
            optional(weight, parameters, &inner, seed + 1),
            optional(bias, parameters, &inner, seed + 2),
            TestArg::Double(1e-5),
        ];
        agree("aten.native_layer_norm.default", &args, &[dtype, statistics, statistics])?;
    }

    #[test]
    fn group_norm_agrees(batch in 0usize..4, groups in 1usize..5, channels in 1usize..5, inner in sizes(0..3),
                         weight: bool, bias: bool, dtype in float_type(), seed: u64) {
        let all = groups * channels;
        let dims = [vec![batch, all], inner.clone()].concat();
        let args = [
            TestArg::Input(floats(dtype, &dims, seed)),
            optional(weight, dtype, &[all], seed + 1),
            optional(bias, dtype, &[all], seed + 2),
            int(batch),
            int(all),
            int(inner.iter().product()),
            int(groups),
            TestArg::Double(1e-3),
        ];
        // Rows without elements have no mean.
        let valid = batch == 0 || !inner.contains(&0);
        agree_if(valid, "aten.native_group_norm.default", &args, &[dtype; 3])?;
    }

    #[test]
    fn instance_norm_agrees(channels in 1usize..20, inner in sizes(0..3), weight: bool, bias: bool, dtype in float_type(),
                            seed: u64) {
        let dims = [vec![1, channels], inner.clone()].concat();
        let args = [
            TestArg::Input(floats(dtype, &dims, seed)),
            optional(weight, dtype, &[channels], seed + 1),
            optional(bias, dtype, &[channels], seed + 2),
            TestArg::Bool(true),
            TestArg::Double(0.1),
            TestArg::Double(1e-3),
        ];
        if !inner.contains(&0) {
            agree("aten._native_batch_norm_legit.no_stats", &args, &[dtype; 3])?;
        }
    }

    #[test]
    fn batch_norm_agrees(batch in 0usize..4, channels in 1usize..20, inner in sizes(0..4), weight: bool, bias: bool,
                         dtype in float_type(), parameters in float_type(), seed: u64) {
        let dims = [vec![batch, channels], inner].concat();
        let positive = floats(parameters, &[channels], seed + 4).to_f64s().into_iter().map(|x| x.abs() + 0.5);
        let variance = pteron_runtime::HostTensor::from_f64s(
            parameters,
            pteron_runtime::Shape::new(&[channels]).expect("a small shape"),
            positive,
        );
        let args = [
            TestArg::Input(floats(dtype, &dims, seed)),
            optional(weight, parameters, &[channels], seed + 1),
            optional(bias, parameters, &[channels], seed + 2),
            TestArg::Constant(floats(parameters, &[channels], seed + 3)),
            TestArg::Constant(variance.expect("values fill the shape")),
            TestArg::Double(0.1),
            TestArg::Double(1e-5),
        ];
        agree("aten._native_batch_norm_legit_no_training.default", &args, &[dtype, parameters, parameters])?;
    }

    #[test]
    fn rms_norm_agrees(outer in sizes(0..8), width in prop_oneof![0usize..70, 500usize..1100], dtype in float_type(),
                       parameters in float_type(), epsilon in prop::option::of(1e-6f64..1.0), seed: u64) {
        let dims = [outer, vec![width]].concat();
        prop_assume!(dims.iter().product::<usize>() < 300_000);
        let args = [
            TestArg::Input(floats(dtype, &dims, seed)),
            TestArg::Constant(floats(parameters, &[width], seed + 1)),
            epsilon.map_or(TestArg::Null, TestArg::Double),
        ];
        agree("et_vk.rms_norm.default", &args, &[dtype])?;
    }
}

/// Rows far from zero have the variance of their distances from the mean, not of their squares.
#[test]
fn large_means_cancel() {
    let values = floats(DType::F32, &[3, 700], 11).to_f64s().into_iter().map(|x| x + 10_000.0);
    let shape = pteron_runtime::Shape::new(&[3, 700]).unwrap();
    let input = pteron_runtime::HostTensor::from_f64s(DType::F32, shape, values).unwrap();
    let args = [TestArg::Input(input), TestArg::Ints(vec![700]), TestArg::Null, TestArg::Null, TestArg::Double(1e-5)];
    let run = |device: &pteron_runtime::Device| {
        pteron_runtime::testing::run_op(device, "aten.native_layer_norm.default", &args, &[DType::F32; 3]).unwrap()
    };
    let (expected, got) = (run(&pteron_runtime::Device::cpu()), run(crate::support::gpu()));
    // The mean itself has a rounding of this size, which every element is moved by.
    for (expected, got) in expected[0].to_f64s().into_iter().zip(got[0].to_f64s()) {
        assert!((expected - got).abs() < 2e-3, "{got}, expected {expected}");
    }
}

/// Rows that are long and few are divided.
#[test]
fn norms_of_long_rows() {
    for (dtype, rows, width) in [(DType::F32, 2, 9001), (DType::F16, 3, 8192), (DType::F32, 1, 200_000)] {
        let parameters = [2, 3].map(|seed| TestArg::Constant(floats(dtype, &[width], seed)));
        let [weight, bias] = parameters;
        let input = TestArg::Input(floats(dtype, &[rows, width], 1));
        let args =
            [input, TestArg::Ints(vec![i64::try_from(width).expect("a size")]), weight, bias, TestArg::Double(1e-5)];
        agree("aten.native_layer_norm.default", &args, &[dtype; 3]).expect("both engines agree");
    }
    let args = [
        TestArg::Input(floats(DType::F32, &[2, 6, 50, 70], 4)),
        TestArg::Constant(floats(DType::F32, &[6], 5)),
        TestArg::Null,
        int(2),
        int(6),
        int(3500),
        int(2),
        TestArg::Double(1e-5),
    ];
    agree("aten.native_group_norm.default", &args, &[DType::F32; 3]).expect("both engines agree");
}
