//! The operators of training over random sizes.

use proptest::prelude::*;
use pteron_runtime::testing::{TestArg, run_op};
use pteron_runtime::{DType, Device, HostTensor, Shape};

use crate::support::{Properties, agree, config, floats, gpu, integers, sizes};

fn positive(dtype: DType, dims: &[usize], seed: u64) -> HostTensor {
    let values = floats(DType::F32, dims, seed).to_f64s().into_iter().map(|value| value.abs() / 10.0 + 0.01);
    HostTensor::from_f64s(dtype, Shape::new(dims).expect("a small shape"), values).expect("values fill the shape")
}

pub(crate) const PROPERTIES: Properties = &[
    (adamw_step, &[&["et_vk.adamw_step.default"]]),
    (fused_ce, &[&["et_vk.fused_ce.default"]]),
    (linear_q4gsw_backward, &[&["et_vk.linear_q4gsw_backward.default"]]),
    (q4gsw_requant, &[&["et_vk.q4gsw_requant.default"]]),
];

proptest! {
    #![proptest_config(config())]

    #[test]
    fn adamw_step(dims in sizes(0..5), half: bool, rate in 0.0f64..0.1, decay in 0.0f64..0.1, seed: u64) {
        let dtype = if half { DType::F16 } else { DType::F32 };
        let mut args = vec![
            TestArg::State(floats(dtype, &dims, seed)),
            TestArg::State(floats(dtype, &dims, seed + 1)),
            TestArg::State(positive(dtype, &dims, seed + 2)),
            TestArg::Input(floats(dtype, &dims, seed + 3)),
        ];
        args.extend([rate, 0.9, 0.99, 1e-6, decay, 0.5, 0.1].map(TestArg::Double));
        agree("et_vk.adamw_step.default", &args, &[dtype; 3])?;
    }

    #[test]
    fn fused_ce(rows in 0usize..9, width in prop_oneof![1usize..20, Just(300)], half: bool, seed: u64) {
        let dtype = if half { DType::F16 } else { DType::F32 };
        let limit = i64::try_from(width).expect("a small width");
        let args = [
            TestArg::Input(floats(dtype, &[rows, width], seed)),
            TestArg::Input(integers(DType::I32, &[rows], -3..limit, seed + 1)),
            TestArg::Double(3.0),
        ];
        agree("et_vk.fused_ce.default", &args, &[dtype; 2])?;
    }

    #[test]
    fn linear_q4gsw_backward(
        rows in prop_oneof![0usize..7, Just(65)],
        columns in prop_oneof![1usize..20, Just(70)],
        (groups, group_size) in (1usize..4, prop_oneof![Just(2usize), Just(6), Just(8), Just(32)]),
        half: bool,
        seed: u64,
    ) {
        let dtype = if half { DType::F16 } else { DType::F32 };
        let scales = positive(dtype, &[groups, columns.next_multiple_of(4)], seed + 1);
        let small = scales.to_f64s().into_iter().map(|scale| scale / 16.0);
        let scales = HostTensor::from_f64s(dtype, *scales.shape(), small).expect("as many");
        let args = [
            TestArg::Input(floats(dtype, &[rows, columns], seed)),
            TestArg::Constant(integers(DType::U8, &[columns, groups * group_size / 2], 0..256, seed + 2)),
            TestArg::Constant(scales),
            TestArg::Int(i64::try_from(group_size).expect("a small group")),
        ];
        agree("et_vk.linear_q4gsw_backward.default", &args, &[dtype])?;
    }

    #[test]
    fn q4gsw_requant(rows in 0usize..6, columns in 1usize..40, group_size in 1usize..20, half: bool, seed: u64) {
        let dtype = if half { DType::F16 } else { DType::F32 };
        // Powers of two, and zero: every quotient is exact, ties included.
        let groups = columns.div_ceil(group_size);
        let powers = integers(DType::I32, &[groups, rows], -3..2, seed + 1).to_i64s();
        let steps = powers.into_iter().map(|power| if power == 1 { 0.0 } else { (power as f64).exp2() });
        let latent = integers(DType::I32, &[rows, columns], -40..40, seed).to_f64s().into_iter().map(|x| x / 16.0);
        let tensor = |dims: [usize; 2], values: Vec<f64>| {
            HostTensor::from_f64s(dtype, Shape::new(&dims).expect("a small shape"), values).expect("as many")
        };
        let args = [
            TestArg::Input(tensor([rows, columns], latent.collect())),
            TestArg::Input(tensor([groups, rows], steps.collect())),
            TestArg::Int(i64::try_from(group_size).expect("a small group")),
        ];
        agree("et_vk.q4gsw_requant.default", &args, &[DType::U8])?;
    }
}

/// A label past the last logit is an error on both engines, and names the label.
#[test]
fn labels_out_of_range_are_errors() {
    let args = [
        TestArg::Input(floats(DType::F32, &[2, 4], 1)),
        TestArg::Input(HostTensor::from_slice(&[-1i32, 4], &[2]).expect("a tensor")),
        TestArg::Double(1.0),
    ];
    for device in [&Device::cpu(), gpu()] {
        let error = run_op(device, "et_vk.fused_ce.default", &args, &[DType::F32; 2]).expect_err("label 4 of 4");
        assert!(error.to_string().contains("index 4"), "{}: {error}", device.name());
    }
}
