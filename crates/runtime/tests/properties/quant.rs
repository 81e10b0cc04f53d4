//! Quantized weights and activations over random sizes, groups, paddings and types.

use proptest::prelude::*;
use pteron_runtime::testing::{TestArg, run_op};
use pteron_runtime::{DType, Device, DeviceChoice, DeviceOptions, HostTensor, Shape};

use crate::support::{Properties, agree, agree_if, config, config_of, floats, gpu, integers, random, sizes};

/// Positive numbers from a thousandth to a hundredth, so that sums of many products stay small.
fn scales(dtype: DType, dims: &[usize], seed: u64) -> HostTensor {
    let shape = Shape::new(dims).expect("a small shape");
    let values = random(seed).take(shape.numel()).map(|bits| 0.001 + (bits >> 11) as f64 / (1u64 << 53) as f64 * 0.009);
    HostTensor::from_f64s(dtype, shape, values).expect("values fill the shape")
}

fn bytes(dims: &[usize], seed: u64) -> HostTensor {
    integers(DType::I8, dims, -128..128, seed)
}

/// The kinds of quantized convolution, as their names have them.
const CONVOLUTIONS: [&str; 4] = ["", "_pw", "_dw", "_transposed"];

fn float_type(half: bool) -> DType {
    if half { DType::F16 } else { DType::F32 }
}

fn int(value: usize) -> TestArg {
    TestArg::Int(i64::try_from(value).expect("a small number"))
}

fn pair(values: [usize; 2]) -> TestArg {
    TestArg::Ints(values.map(|value| i64::try_from(value).expect("a small number")).to_vec())
}

/// Sizes of a linear layer: rows around the switch between kernels and past a tile, columns that are no multiple of
/// anything.
fn layer() -> impl Strategy<Value = (usize, usize)> {
    (prop_oneof![4 => 0usize..7, 1 => Just(65)], prop_oneof![4 => 1usize..14, 1 => Just(67)])
}

/// A weight in groups with its scales, padded as the exporter does it, and a bias.
fn grouped(columns: usize, depth: usize, group_size: usize, dtype: DType, padded: bool, seed: u64) -> [HostTensor; 3] {
    let row = if padded { depth.next_multiple_of(8) / 2 } else { depth.div_ceil(2) };
    let wide = if padded { columns.next_multiple_of(4) } else { columns };
    [
        integers(DType::U8, &[columns, row], 0..256, seed),
        scales(dtype, &[depth.div_ceil(group_size), wide], seed + 1),
        floats(dtype, &[wide], seed + 2),
    ]
}

pub(crate) const PROPERTIES: Properties = &[
    (linear_q4gsw, &[&["et_vk.linear_q4gsw.default"]]),
    (linear_per_channel, &[&["et_vk.linear_qcs4w.default", "aten._weight_int8pack_mm.default"]]),
    (linear_dq8ca_q4gsw, &[&["et_vk.linear_dq8ca_q4gsw.default"]]),
    (
        per_tensor_numbers,
        &[&["quantized_decomposed.quantize_per_tensor.default", "quantized_decomposed.dequantize_per_tensor.default"]],
    ),
    (
        per_tensor_tensors,
        &[&["quantized_decomposed.quantize_per_tensor.tensor", "quantized_decomposed.dequantize_per_tensor.tensor"]],
    ),
    (
        per_channel,
        &[&[
            "quantized_decomposed.quantize_per_channel.default",
            "quantized_decomposed.dequantize_per_channel.default",
        ]],
    ),
    (
        per_token,
        &[&[
            "quantized_decomposed.quantize_per_token.default",
            "quantized_decomposed.dequantize_per_token.default",
            "quantized_decomposed.choose_qparams_per_token_asymmetric.default",
        ]],
    ),
    (affine_blocks, &[&["torchao.quantize_affine.default", "torchao.dequantize_affine.default"]]),
    (choose_qparams_affine, &[&["torchao.choose_qparams_affine.default"]]),
    (choose_qparams_of_a_tensor, &[&["quantized_decomposed.choose_qparams.tensor"]]),
    (
        q8ta_linear,
        &[&["et_vk.q8ta_linear.default", "et_vk.q8ta_linear_gemv.default", "et_vk.linear_q8ta_q8csw.default"]],
    ),
    (
        q8ta_conv2d,
        &[&[
            "et_vk.q8ta_conv2d.default",
            "et_vk.q8ta_conv2d_dw.default",
            "et_vk.q8ta_conv2d_pw.default",
            "et_vk.q8ta_conv2d_transposed.default",
        ]],
    ),
    (q8ta_pointwise, &[&["et_vk.q8ta_add.default", "et_vk.q8ta_relu.default", "et_vk.q8ta_pixel_shuffle.default"]]),
];

proptest! {
    #![proptest_config(config())]

    #[test]
    fn linear_q4gsw(
        (rows, columns) in layer(),
        groups in 1usize..5,
        group_size in prop_oneof![1usize..12, Just(16), Just(24), Just(32)],
        outer in 0usize..3,
        (padded, bias, half) in any::<(bool, bool, bool)>(),
        seed: u64,
    ) {
        let (depth, dtype) = (groups * group_size, float_type(half));
        let [weight, scales, offsets] = grouped(columns, depth, group_size, dtype, padded, seed);
        let mut dims = vec![1; outer];
        dims.extend([rows, depth]);
        let args = [
            TestArg::Input(floats(dtype, &dims, seed + 3)),
            TestArg::Constant(weight),
            TestArg::Constant(scales),
            int(group_size),
            if bias { TestArg::Constant(offsets) } else { TestArg::Null },
        ];
        agree("et_vk.linear_q4gsw.default", &args, &[dtype])?;
    }

    #[test]
    fn linear_per_channel((rows, columns) in layer(), depth in 1usize..70, half: bool, seed: u64) {
        let dtype = float_type(half);
        let step = scales(dtype, &[columns], seed + 1).to_f64s().into_iter().map(|scale| scale / 16.0);
        let scales = HostTensor::from_f64s(dtype, Shape::new(&[columns]).expect("a shape"), step).expect("as many");
        let four_bits = integers(DType::U8, &[columns, depth.div_ceil(2)], 0..256, seed);
        let eight_bits = bytes(&[columns, depth], seed);
        for (op, weight) in
            [("et_vk.linear_qcs4w.default", four_bits), ("aten._weight_int8pack_mm.default", eight_bits)]
        {
            let args = [
                TestArg::Input(floats(dtype, &[rows, depth], seed + 2)),
                TestArg::Constant(weight),
                TestArg::Constant(scales.clone()),
            ];
            agree(op, &args, &[dtype])?;
        }
    }

    #[test]
    fn linear_dq8ca_q4gsw(
        (rows, columns) in layer(),
        groups in 1usize..4,
        group_size in prop_oneof![Just(4usize), Just(8), Just(32)],
        (bias, half) in any::<(bool, bool)>(),
        seed: u64,
    ) {
        let (depth, dtype) = (groups * group_size, float_type(half));
        let [weight, weight_scales, offsets] = grouped(columns, depth, group_size, dtype, true, seed);
        let args = [
            TestArg::Input(floats(dtype, &[rows, depth], seed + 3)),
            TestArg::Input(scales(dtype, &[rows], seed + 4)),
            TestArg::Input(bytes(&[rows], seed + 5)),
            TestArg::Constant(weight),
            TestArg::Constant(integers(DType::I32, &[groups, columns.next_multiple_of(8)], 0..1, 0)),
            TestArg::Constant(weight_scales),
            int(group_size),
            if bias { TestArg::Constant(offsets) } else { TestArg::Null },
        ];
        agree("et_vk.linear_dq8ca_q4gsw.default", &args, &[dtype])?;
    }

    #[test]
    fn per_tensor_numbers(
        dims in sizes(0..6),
        scale in 0.001f64..0.5,
        zero in -20i64..20,
        quantized in prop::sample::select(vec![DType::I8, DType::U8, DType::I32]),
        half: bool,
        seed: u64,
    ) {
        let limits = if quantized == DType::U8 { [0, 255] } else { [-128, 127] };
        let numbers = [TestArg::Double(scale), TestArg::Int(zero), TestArg::Int(limits[0]), TestArg::Int(limits[1])];
        let args = |tensor| [vec![TestArg::Input(tensor)], numbers.to_vec(), vec![TestArg::Null]].concat();
        let input = floats(float_type(half), &dims, seed);
        agree("quantized_decomposed.quantize_per_tensor.default", &args(input), &[quantized])?;
        let steps = integers(quantized, &dims, limits[0]..limits[1] + 1, seed);
        agree("quantized_decomposed.dequantize_per_tensor.default", &args(steps), &[float_type(half)])?;
    }

    #[test]
    fn per_tensor_tensors(dims in sizes(0..4), narrow_zero: bool, seed: u64) {
        let zero = if narrow_zero { DType::I8 } else { DType::I32 };
        let args = |tensor| vec![
            TestArg::Input(tensor),
            TestArg::Input(scales(DType::F32, &[1], seed + 1)),
            TestArg::Input(integers(zero, &[1], -30..30, seed + 2)),
            TestArg::Int(-128),
            TestArg::Int(127),
            TestArg::Null,
        ];
        let input = floats(DType::F32, &dims, seed);
        agree("quantized_decomposed.quantize_per_tensor.tensor", &args(input), &[DType::I8])?;
        agree("quantized_decomposed.dequantize_per_tensor.tensor", &args(bytes(&dims, seed)), &[DType::F32])?;
    }

    #[test]
    fn per_channel(
        dims in sizes(1..5),
        axis in prop_oneof![4 => -1i64..1, 1 => -4i64..4],
        (zeros, half) in any::<(bool, bool)>(),
        seed: u64,
    ) {
        let rank = i64::try_from(dims.len()).expect("a small rank");
        let within = (-rank..rank).contains(&axis);
        let at = usize::try_from(axis.rem_euclid(rank)).expect("not negative");
        let (channels, dtype) = (dims[at], float_type(half));
        let zero_points = TestArg::Constant(integers(DType::I32, &[channels], -30..30, seed + 2));
        let args = |tensor, zero_points| vec![
            TestArg::Input(tensor),
            TestArg::Constant(scales(DType::F32, &[channels], seed + 1)),
            zero_points,
            TestArg::Int(axis),
            TestArg::Int(-127),
            TestArg::Int(127),
            TestArg::Null,
        ];
        let input = floats(dtype, &dims, seed);
        let given = args(input, zero_points.clone());
        agree_if(within, "quantized_decomposed.quantize_per_channel.default", &given, &[DType::I8])?;
        let zero_points = if zeros { zero_points } else { TestArg::Null };
        let args = args(bytes(&dims, seed), zero_points);
        agree_if(within, "quantized_decomposed.dequantize_per_channel.default", &args, &[dtype])?;
    }

    #[test]
    fn per_token(dims in sizes(1..5), seed: u64) {
        let mut rows = dims.clone();
        *rows.last_mut().expect("at least one dimension") = 1;
        let args = |tensor| vec![
            TestArg::Input(tensor),
            TestArg::Input(scales(DType::F32, &rows, seed + 1)),
            TestArg::Input(integers(DType::I32, &rows, -30..30, seed + 2)),
            TestArg::Int(-128),
            TestArg::Int(127),
            TestArg::Null,
            TestArg::Null,
        ];
        let input = floats(DType::F32, &dims, seed);
        agree("quantized_decomposed.quantize_per_token.default", &args(input.clone()), &[DType::I8])?;
        agree("quantized_decomposed.dequantize_per_token.default", &args(bytes(&dims, seed)), &[DType::F32])?;
        let choose = [TestArg::Input(input), TestArg::Null];
        // A row without elements has no least and greatest one.
        let valid = rows.contains(&0) || !dims.contains(&0);
        let op = "quantized_decomposed.choose_qparams_per_token_asymmetric.default";
        agree_if(valid, op, &choose, &[DType::F32, DType::I32])?;
    }

    #[test]
    fn affine_blocks(
        blocks in prop::collection::vec((1usize..5, 1usize..4), 1..5),
        zero in prop::sample::select(vec![None, Some(DType::I8), Some(DType::I32)]),
        quantized in prop::sample::select(vec![DType::I8, DType::U8]),
        seed: u64,
    ) {
        let dims: Vec<_> = blocks.iter().map(|(size, count)| size * count).collect();
        let count = blocks.iter().map(|block| block.1).product();
        let sizes: Vec<_> = blocks.iter().map(|block| i64::try_from(block.0).expect("a small size")).collect();
        let args = |tensor| vec![
            TestArg::Input(tensor),
            TestArg::Ints(sizes.clone()),
            TestArg::Input(scales(DType::F32, &[count], seed + 1)),
            zero.map_or(TestArg::Null, |zero| TestArg::Input(integers(zero, &[count], 0..60, seed + 2))),
            TestArg::Null,
            TestArg::Null,
            TestArg::Int(if quantized == DType::U8 { 200 } else { 100 }),
            TestArg::Null,
        ];
        agree("torchao.quantize_affine.default", &args(floats(DType::F32, &dims, seed)), &[quantized])?;
        let steps = integers(quantized, &dims, 0..100, seed);
        agree("torchao.dequantize_affine.default", &args(steps), &[DType::F32])?;
    }

    #[test]
    fn choose_qparams_affine(
        blocks in prop::collection::vec((1usize..5, 1usize..4), 1..5),
        mapping in prop::sample::select(vec!["ASYMMETRIC", "SYMMETRIC", "SYMMETRIC_NO_CLIPPING_ERR"]),
        zero in prop::sample::select(vec![DType::I8, DType::I32]),
        (keep, whole) in any::<(bool, bool)>(),
        seed: u64,
    ) {
        let dims: Vec<_> = blocks.iter().map(|(size, count)| size * count).collect();
        let sizes = blocks.iter().zip(&dims).map(|(block, &dim)| if whole { dim } else { block.0 });
        let sizes: Vec<_> = sizes.map(|size| i64::try_from(size).expect("a small size")).collect();
        let args = [
            TestArg::Input(floats(DType::F32, &dims, seed)),
            TestArg::Str(mapping),
            TestArg::Ints(sizes),
            TestArg::Null,
            TestArg::Int(-128),
            TestArg::Int(127),
            TestArg::Null,
            TestArg::Null,
            TestArg::Null,
            TestArg::Bool(keep),
        ];
        agree("torchao.choose_qparams_affine.default", &args, &[DType::F32, zero])?;
    }

    #[test]
    fn choose_qparams_of_a_tensor(dims in sizes(0..4), seed: u64) {
        let args = [
            TestArg::Input(floats(DType::F32, &dims, seed)),
            TestArg::Int(0),
            TestArg::Int(255),
            TestArg::Double(1e-5),
            TestArg::Null,
        ];
        agree_if(!dims.contains(&0), "quantized_decomposed.choose_qparams.tensor", &args, &[DType::F32, DType::I32])?;
    }

    #[test]
    fn q8ta_linear(
        (rows, columns) in layer(),
        depth in prop_oneof![1usize..20, Just(64)],
        (bias, relu) in any::<(bool, bool)>(),
        zero in -20i64..20,
        seed: u64,
    ) {
        let wide = columns.next_multiple_of(4);
        let offsets = if bias { TestArg::Constant(floats(DType::F32, &[wide], seed + 3)) } else { TestArg::Null };
        let common = [
            TestArg::Input(bytes(&[rows, depth], seed)),
            TestArg::Double(0.02),
            TestArg::Int(zero),
            TestArg::Constant(bytes(&[columns, depth], seed + 1)),
            TestArg::Constant(integers(DType::I32, &[wide], 0..1, 0)),
            TestArg::Constant(scales(DType::F32, &[wide], seed + 2)),
        ];
        let end = [TestArg::Double(0.11), TestArg::Int(-zero), offsets.clone()];
        let end = [&end[..], &[TestArg::Str(if relu { "relu" } else { "none" })]].concat();
        for op in ["et_vk.q8ta_linear.default", "et_vk.q8ta_linear_gemv.default"] {
            agree(op, &[&common[..], &end].concat(), &[DType::I8])?;
        }
        agree("et_vk.linear_q8ta_q8csw.default", &[&common[..], &[offsets]].concat(), &[DType::F32])?;
    }

    #[test]
    fn q8ta_pointwise(dims in sizes(0..6), ones in prop::collection::vec(any::<bool>(), 6), r in 1usize..4, seed: u64) {
        let other: Vec<_> = dims.iter().zip(ones).map(|(&size, one)| if one { 1 } else { size }).collect();
        let add = [
            TestArg::Input(bytes(&dims, seed)),
            TestArg::Input(bytes(&other, seed + 1)),
            TestArg::Double(0.05),
            TestArg::Int(3),
            TestArg::Double(0.03),
            TestArg::Int(-9),
            TestArg::Double(0.07),
            TestArg::Int(4),
            TestArg::Double(1.5),
        ];
        agree("et_vk.q8ta_add.default", &add, &[DType::I8])?;
        let numbers = [TestArg::Double(0.05), TestArg::Int(-3), TestArg::Double(0.04), TestArg::Int(-100)];
        let relu = [&[TestArg::Input(bytes(&dims, seed))], &numbers[..]].concat();
        agree("et_vk.q8ta_relu.default", &relu, &[DType::I8])?;
        let mut shuffled = dims.clone();
        if let [.., channels, _, _] = &mut shuffled[..] {
            *channels *= r * r;
        }
        let numbers = [TestArg::Double(0.05), TestArg::Int(-3), TestArg::Double(21.0), TestArg::Int(-10), int(r)];
        let shuffle = [&[TestArg::Input(bytes(&shuffled, seed))], &numbers[..]].concat();
        agree_if(dims.len() >= 3, "et_vk.q8ta_pixel_shuffle.default", &shuffle, &[DType::I8])?;
    }
}

proptest! {
    #![proptest_config(config_of(4))]

    #[test]
    fn q8ta_conv2d(
        (batch, groups, group_inputs, group_outputs) in (1usize..3, 1usize..4, 1usize..4, 1usize..4),
        size in prop::array::uniform2(1usize..8),
        kernel in prop::array::uniform2(1usize..4),
        (stride, padding, dilation) in (
            prop::array::uniform2(1usize..3), prop::array::uniform2(0usize..3), prop::array::uniform2(1usize..3),
        ),
        (bias, relu) in any::<(bool, bool)>(),
        seed: u64,
    ) {
        for kind in CONVOLUTIONS {
            let depthwise = kind == "_dw";
            let (group_inputs, group_outputs) = if depthwise { (1, 1) } else { (group_inputs, group_outputs) };
            let outputs = groups * group_outputs;
            let wide = outputs.next_multiple_of(4);
            let weight = if depthwise {
                bytes(&[kernel[0], kernel[1], groups], seed + 1)
            } else {
                bytes(&[outputs, (kernel[0] * kernel[1] * group_inputs).next_multiple_of(4)], seed + 1)
            };
            let mut args = vec![
                TestArg::Input(bytes(&[batch, groups * group_inputs, size[0], size[1]], seed)),
                TestArg::Double(0.02),
                TestArg::Int(-7),
                TestArg::Constant(weight),
                TestArg::Constant(integers(DType::I32, &[wide], 0..1, 0)),
                TestArg::Constant(scales(DType::F32, &[wide], seed + 2)),
                TestArg::Double(0.07),
                TestArg::Int(5),
                if bias { TestArg::Constant(floats(DType::F32, &[wide], seed + 3)) } else { TestArg::Null },
                pair(kernel),
                pair(stride),
                pair(padding),
            ];
            if kind == "_transposed" {
                args.push(pair([stride[0] - 1, 0]));
            }
            args.extend([pair(dilation), int(groups), TestArg::Str(if relu { "relu" } else { "none" })]);
            let fits = (0..2).all(|d| {
                let reach = dilation[d] * (kernel[d] - 1) + 1;
                match kind {
                    "_transposed" => (size[d] - 1) * stride[d] + reach + [stride[0] - 1, 0][d] >= 2 * padding[d],
                    _ => size[d] + 2 * padding[d] >= reach,
                }
            });
            agree_if(fits, &format!("et_vk.q8ta_conv2d{kind}.default"), &args, &[DType::I8])?;
        }
    }
}

/// A half-way value goes to the even integer, what lies outside the range to its end, and NaN to 0.
#[test]
fn ties_go_to_the_even_step() {
    let values = [0.5f32, 1.5, 2.5, -0.5, -1.5, -2.5, 126.5, 127.5, 1e30, -1e30, f32::INFINITY, f32::NEG_INFINITY];
    let expected = [0i8, 2, 2, 0, -2, -2, 126, 127, 127, -128, 127, -128];
    let input = HostTensor::from_slice(&[&values[..], &[f32::NAN]].concat(), &[13]).expect("a tensor");
    let numbers = [TestArg::Int(1), TestArg::Int(0), TestArg::Int(-128), TestArg::Int(127), TestArg::Null];
    let args = [&[TestArg::Input(input)], &numbers[..]].concat();
    for device in [&Device::cpu(), gpu()] {
        let got =
            run_op(device, "quantized_decomposed.quantize_per_tensor.default", &args, &[DType::I8]).expect("runs");
        assert_eq!(got[0].as_slice::<i8>().expect("bytes"), [&expected[..], &[0]].concat(), "{}", device.name());
    }
}

/// A device whose bindings are far smaller than a weight multiplies window after window of its columns.
#[test]
fn weights_larger_than_a_binding_are_split() {
    let options = DeviceOptions::new(DeviceChoice::Gpu).with_max_binding_bytes(64 << 10);
    let small = Device::open(options).expect("an adapter");
    let (columns, depth, group_size) = (3001, 64, 32);
    for rows in [1, 5] {
        let [weight, scales, bias] = grouped(columns, depth, group_size, DType::F32, true, 7);
        let args = [
            TestArg::Input(floats(DType::F32, &[rows, depth], 8)),
            TestArg::Constant(weight),
            TestArg::Constant(scales),
            int(group_size),
            TestArg::Constant(bias),
        ];
        let run = |device| run_op(device, "et_vk.linear_q4gsw.default", &args, &[DType::F32]);
        let (expected, got) = (run(&Device::cpu()).expect("reference runs"), run(&small).expect("split weight runs"));
        let close = |(a, b): (&f32, &f32)| (a - b).abs() < 1e-4;
        let pairs = |i: usize| expected[i].as_slice::<f32>().unwrap().iter().zip(got[i].as_slice::<f32>().unwrap());
        assert!(pairs(0).all(close), "{rows} rows");
    }
}

/// A row that keeps a workgroup busy, with as many columns as its two sets of rows do not divide.
#[test]
fn long_rows_may_have_any_columns() {
    let (depth, dtype, seed) = (8192, DType::F32, 7);
    for columns in [8, 12, 20] {
        let [weight, weight_scales, _] = grouped(columns, depth, 64, dtype, true, seed);
        let args = [
            TestArg::Input(floats(dtype, &[1, depth], seed + 3)),
            TestArg::Input(scales(dtype, &[1], seed + 4)),
            TestArg::Input(bytes(&[1], seed + 5)),
            TestArg::Constant(weight),
            TestArg::Constant(integers(DType::I32, &[depth / 64, columns.next_multiple_of(8)], 0..1, 0)),
            TestArg::Constant(weight_scales),
            int(64),
            TestArg::Null,
        ];
        agree("et_vk.linear_dq8ca_q4gsw.default", &args, &[dtype]).expect("both engines agree");
    }
}
