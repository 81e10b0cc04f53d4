//! What XNNPACK computes in integers, and rows that are rounded when a graph runs, over random sizes and ranges.

use proptest::prelude::*;
use pteron_runtime::testing::TestArg;
use pteron_runtime::{DType, HostTensor, Shape};

use crate::fused::ROUNDINGS;
use crate::support::{Properties, agree, agree_if, config, floats, integers, random, sizes};

fn bytes(dims: &[usize], seed: u64) -> HostTensor {
    integers(DType::I8, dims, -128..128, seed)
}

/// Positive numbers from a thousandth to a hundredth.
fn scales(channels: usize, seed: u64) -> HostTensor {
    let values = random(seed).take(channels).map(|bits| 0.001 + (bits >> 11) as f64 / (1u64 << 53) as f64 * 0.009);
    HostTensor::from_f64s(DType::F32, Shape::new(&[channels]).expect("a small shape"), values).expect("as many")
}

fn pair(values: [usize; 2]) -> TestArg {
    TestArg::Ints(values.map(|value| i64::try_from(value).expect("a small number")).to_vec())
}

/// The least and the greatest byte of a result.
fn range() -> impl Strategy<Value = [i64; 2]> {
    prop_oneof![Just([-128, 127]), (-128i64..0, 0i64..128).prop_map(|(low, high)| [low, high])]
}

fn scale() -> impl Strategy<Value = f64> {
    (5u32..400).prop_map(|scale| f64::from(scale) / 1000.0)
}

pub(crate) const PROPERTIES: Properties = &[
    (rows_are_rounded, &[&["pteron.round_rows.default"]]),
    (layers_of_bytes, &[&["pteron.bytes_linear.default"]]),
    (layers_with_weights_of_bytes, &[&["pteron.linear_q8csw.default"]]),
    (
        convolutions_of_bytes,
        &[&[
            "pteron.bytes_convolution.default",
            "pteron.bytes_convolution_depthwise.default",
            "pteron.bytes_convolution_transposed.default",
        ]],
    ),
    (
        sums_and_products_of_bytes,
        &[&["pteron.bytes_add.default", "pteron.bytes_sub.default", "pteron.bytes_mul.default"]],
    ),
    (means_of_bytes, &[&["pteron.bytes_mean.default"]]),
];

proptest! {
    #![proptest_config(config())]

    /// The range of each row is 255 steps of a power of two, so that no engine meets an edge between two steps.
    #[test]
    fn rows_are_rounded(
        (rows, width) in (0usize..6, prop_oneof![4 => 2usize..40, 1 => Just(300usize)]),
        inner in 1usize..3,
        power in -6i32..3,
        half: bool,
        seed: u64,
    ) {
        let dtype = if half { DType::F16 } else { DType::F32 };
        let steps = integers(DType::I32, &[rows, width], -100..156, seed).to_i64s();
        let off = integers(DType::I32, &[rows, width], -3..4, seed + 1).to_i64s();
        let value = |(index, (step, off)): (usize, (i64, i64))| {
            let place = match (index % width, step) {
                (0, _) => -100.0,
                (1, _) => 155.0,
                (_, -100 | 155) => 0.0,
                (_, step) => step as f64 + off as f64 / 8.0,
            };
            place * f64::from(power).exp2()
        };
        let values = steps.into_iter().zip(off).enumerate().map(value);
        let dims = if inner == 1 { vec![rows, width] } else { vec![rows, 1, width] };
        let input = HostTensor::from_f64s(dtype, Shape::new(&dims).expect("a shape"), values).expect("as many");
        let inner = TestArg::Int(i64::try_from(inner).expect("a small number"));
        for rounding in ROUNDINGS {
            let args = [TestArg::Input(input.clone()), inner.clone(), TestArg::Str(rounding)];
            agree("pteron.round_rows.default", &args, &[dtype])?;
        }
    }

    #[test]
    fn layers_of_bytes(
        (rows, columns, depth) in (0usize..7, 1usize..14, prop_oneof![1usize..20, Just(64usize)]),
        bias: bool,
        (zero, output_zero) in (-20i64..20, -20i64..20),
        scale in scale(),
        [low, high] in range(),
        seed: u64,
    ) {
        let offsets = TestArg::Constant(integers(DType::I32, &[columns], -3000..3000, seed + 3));
        let args = [
            TestArg::Input(bytes(&[rows, depth], seed)),
            TestArg::Double(0.02),
            TestArg::Int(zero),
            TestArg::Constant(bytes(&[columns, depth], seed + 1)),
            TestArg::Constant(scales(columns, seed + 2)),
            TestArg::Double(scale),
            TestArg::Int(output_zero),
            if bias { offsets } else { TestArg::Null },
            TestArg::Int(low),
            TestArg::Int(high),
        ];
        agree("pteron.bytes_linear.default", &args, &[DType::I8])?;
    }

    #[test]
    fn layers_with_weights_of_bytes(
        (rows, columns, depth) in (0usize..7, 1usize..14, 1usize..70),
        (bias, half) in any::<(bool, bool)>(),
        seed: u64,
    ) {
        let dtype = if half { DType::F16 } else { DType::F32 };
        let step = scales(columns, seed + 1).to_f64s().into_iter().map(|scale| scale / 16.0);
        let step = HostTensor::from_f64s(dtype, Shape::new(&[columns]).expect("a shape"), step).expect("as many");
        let args = [
            TestArg::Input(floats(dtype, &[rows, depth], seed + 2)),
            TestArg::Constant(bytes(&[columns, depth], seed)),
            TestArg::Constant(step),
            if bias { TestArg::Constant(floats(dtype, &[columns], seed + 3)) } else { TestArg::Null },
        ];
        agree("pteron.linear_q8csw.default", &args, &[dtype])?;
    }

    #[test]
    fn convolutions_of_bytes(
        kind in 0usize..3,
        (batch, groups, inputs, outputs) in (0usize..3, 1usize..4, 1usize..4, 1usize..4),
        image in prop::array::uniform2(4usize..9),
        kernel in prop::array::uniform2(1usize..4),
        stride in prop::array::uniform2(1usize..3),
        padding in prop::array::uniform4(0i64..3),
        dilation in prop::array::uniform2(1usize..2),
        bias: bool,
        (zero, scale, [low, high]) in (-20i64..20, scale(), range()),
        seed: u64,
    ) {
        let inputs = if kind == 1 { 1 } else { inputs };
        let channels = groups * outputs;
        let weight = match kind {
            1 => vec![1, kernel[0], kernel[1], channels],
            _ => vec![channels, kernel[0], kernel[1], inputs],
        };
        let op = [
            "pteron.bytes_convolution.default",
            "pteron.bytes_convolution_depthwise.default",
            "pteron.bytes_convolution_transposed.default",
        ][kind];
        let offsets = TestArg::Constant(integers(DType::I32, &[channels], -3000..3000, seed + 3));
        let args = [
            TestArg::Input(bytes(&[batch, groups * inputs, image[0], image[1]], seed)),
            TestArg::Double(0.02),
            TestArg::Int(zero),
            TestArg::Constant(bytes(&weight, seed + 1)),
            TestArg::Constant(scales(channels, seed + 2)),
            TestArg::Double(scale),
            TestArg::Int(3),
            if bias { offsets } else { TestArg::Null },
            pair(kernel),
            pair(stride),
            TestArg::Ints(padding.to_vec()),
            pair(dilation),
            pair([0, usize::from(kind == 2)]),
            TestArg::Int(i64::try_from(groups).expect("a small number")),
            TestArg::Int(low),
            TestArg::Int(high),
        ];
        // A transposed one may have padding for all of its result.
        let size = |d: usize| (image[d] - 1) * stride[d] + kernel[d] + d;
        let around = |d: usize| usize::try_from(padding[d] + padding[d + 2]).expect("a small number");
        let fits = kind != 2 || (0..2).all(|d| size(d) >= around(d));
        agree_if(fits, op, &args, &[DType::I8])?;
    }

    #[test]
    fn sums_and_products_of_bytes(
        dims in sizes(0..5),
        shared in prop::collection::vec(any::<bool>(), 5),
        steps in prop::array::uniform3(scale()),
        zeros in prop::array::uniform3(-20i64..20),
        [low, high] in range(),
        seed: u64,
    ) {
        let other: Vec<_> = dims.iter().zip(&shared).map(|(&size, &one)| if one { 1 } else { size }).collect();
        let args = [
            TestArg::Input(bytes(&dims, seed)),
            TestArg::Input(bytes(&other, seed + 1)),
            TestArg::Double(steps[0]),
            TestArg::Int(zeros[0]),
            TestArg::Double(steps[1]),
            TestArg::Int(zeros[1]),
            TestArg::Double(steps[2]),
            TestArg::Int(zeros[2]),
            TestArg::Int(low),
            TestArg::Int(high),
        ];
        for op in ["pteron.bytes_add.default", "pteron.bytes_sub.default", "pteron.bytes_mul.default"] {
            agree(op, &args, &[DType::I8])?;
        }
    }

    #[test]
    fn means_of_bytes(
        dims in sizes(4..5),
        keep: bool,
        (zero, output_zero, scale, [low, high]) in (-20i64..20, -20i64..20, scale(), range()),
        seed: u64,
    ) {
        let args = [
            TestArg::Input(bytes(&dims, seed)),
            TestArg::Double(0.05),
            TestArg::Int(zero),
            TestArg::Double(scale),
            TestArg::Int(output_zero),
            TestArg::Bool(keep),
            TestArg::Int(low),
            TestArg::Int(high),
        ];
        agree_if(!dims[2..].contains(&0), "pteron.bytes_mean.default", &args, &[DType::I8])?;
    }
}
