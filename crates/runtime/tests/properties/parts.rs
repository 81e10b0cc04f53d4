//! Tensors that are larger than a binding of the device, which are bound in parts.

use pteron_runtime::testing::{TestArg, run_op};
use pteron_runtime::{DType, Device, DeviceChoice, DeviceOptions, Tolerance};

use crate::support::{floats, integers};

fn input(dims: &[usize], seed: u64) -> TestArg {
    TestArg::Input(floats(DType::F32, dims, seed))
}

fn constant(dims: &[usize], seed: u64) -> TestArg {
    TestArg::Constant(floats(DType::F32, dims, seed))
}

fn ints(list: &[i64]) -> TestArg {
    TestArg::Ints(list.to_vec())
}

/// Image, weight, bias, stride, padding, dilation, transposed, padding of the output, groups.
fn convolution(image: &[usize], weight: &[usize], outputs: usize, transposed: bool, groups: i64) -> Vec<TestArg> {
    vec![
        input(image, 1),
        constant(weight, 2),
        constant(&[outputs], 3),
        ints(&[1, 1]),
        ints(&[1, 1]),
        ints(&[1, 1]),
        TestArg::Bool(transposed),
        ints(&[0, 0]),
        TestArg::Int(groups),
    ]
}

#[track_caller]
fn same_in_parts(device: &Device, op: &str, args: &[TestArg], outputs: &[DType]) {
    let expected = run_op(&Device::cpu(), op, args, outputs).unwrap_or_else(|e| panic!("{op} on the reference: {e}"));
    let got = run_op(device, op, args, outputs).unwrap_or_else(|e| panic!("{op} in parts: {e}"));
    let tolerance = Tolerance { atol: 2e-5, rtol: 2e-5 };
    for (got, expected) in got.iter().zip(&expected) {
        let comparison = tolerance.compare(got, expected).expect("the same shape");
        assert!(comparison.passed(), "{op}: {comparison:?}");
    }
}

/// Families of operators on a device whose bindings take 64 KiB, with tensors of two or three times as much.
#[test]
fn tensors_larger_than_a_binding_are_bound_in_parts() {
    let options = DeviceOptions::new(DeviceChoice::Gpu).with_max_binding_bytes(64 << 10);
    let small = Device::open(options).expect("an adapter");
    let (f32, i32) = (DType::F32, DType::I32);
    let (all, image) = ([3, 50, 256], [1, 12, 61, 53]);
    let condition = || TestArg::Input(integers(DType::Bool, &[3, 150, 256], 0..2, 5));
    let flag = TestArg::Bool;
    let cases: Vec<(&str, Vec<TestArg>, Vec<DType>)> = vec![
        ("aten.relu.default", vec![input(&all, 1)], vec![f32]),
        ("aten.add.Tensor", vec![input(&all, 1), input(&all, 2), TestArg::Int(1)], vec![f32]),
        ("aten.mul.Tensor", vec![input(&[3, 50, 257], 1), input(&[257], 2)], vec![f32]),
        ("aten.gt.Tensor", vec![input(&[3, 150, 256], 1), input(&[1], 2)], vec![DType::Bool]),
        ("aten.where.self", vec![condition(), input(&[3, 150, 256], 1), input(&[256], 2)], vec![f32]),
        ("aten._to_copy.default", vec![input(&all, 1)], vec![DType::F16]),
        ("aten._to_copy.default", vec![input(&[3, 150, 256], 1)], vec![DType::Bool]),
        ("aten.convolution.default", convolution(&image, &[8, 12, 3, 3], 8, false, 1), vec![f32]),
        ("aten.convolution.default", convolution(&image, &[12, 1, 3, 3], 12, false, 12), vec![f32]),
        ("aten.convolution.default", convolution(&image, &[12, 6, 3, 3], 6, true, 1), vec![f32]),
        ("aten.mm.default", vec![input(&[301, 70], 1), input(&[70, 203], 2)], vec![f32]),
        ("aten.mm.default", vec![input(&[31, 701], 1), input(&[701, 43], 2)], vec![f32]),
        ("aten.bmm.default", vec![input(&[5, 90, 60], 1), input(&[5, 60, 81], 2)], vec![f32]),
        ("aten._softmax.default", vec![input(&all, 1), TestArg::Int(-1), flag(false)], vec![f32]),
        ("aten._softmax.default", vec![input(&[5, 70, 101], 1), TestArg::Int(1), flag(false)], vec![f32]),
        (
            "aten.native_layer_norm.default",
            vec![input(&all, 1), ints(&[256]), constant(&[256], 2), constant(&[256], 3), TestArg::Double(1e-5)],
            vec![f32; 3],
        ),
        (
            "aten.native_group_norm.default",
            [vec![input(&image, 1), TestArg::Null, TestArg::Null], [1, 12, 3233, 3].map(TestArg::Int).to_vec()]
                .concat()
                .into_iter()
                .chain([TestArg::Double(1e-5)])
                .collect(),
            vec![f32; 3],
        ),
        ("aten.permute_copy.default", vec![input(&all, 1), ints(&[2, 0, 1])], vec![f32]),
        (
            "aten.cat.default",
            vec![TestArg::Inputs([1, 2].map(|s| floats(f32, &all, s)).to_vec()), TestArg::Int(1)],
            vec![f32],
        ),
        (
            "aten.slice_copy.Tensor",
            [vec![input(&all, 1)], [1, 3, 47, 1].map(TestArg::Int).to_vec()].concat(),
            vec![f32],
        ),
        ("aten.expand_copy.default", vec![input(&[1, 50, 1], 1), ints(&[9, 50, 100])], vec![f32]),
        ("aten.constant_pad_nd.default", vec![input(&all, 1), ints(&[1, 2]), TestArg::Int(3)], vec![f32]),
        ("aten.sum.dim_IntList", vec![input(&all, 1), ints(&[1]), flag(false)], vec![f32]),
        ("aten.mean.dim", vec![input(&all, 1), ints(&[-1]), flag(true)], vec![f32]),
        ("aten.amax.default", vec![input(&all, 1), ints(&[0]), flag(false)], vec![f32]),
        (
            "aten.max_pool2d_with_indices.default",
            [
                vec![input(&image, 1)],
                [[3, 3], [1, 1], [1, 1], [1, 1]].map(|list| ints(&list)).to_vec(),
                vec![flag(false)],
            ]
            .concat(),
            vec![f32, i32],
        ),
        (
            "aten.avg_pool2d.default",
            vec![input(&image, 1), ints(&[2, 2]), ints(&[1, 1]), ints(&[0, 0]), flag(false), flag(true), TestArg::Null],
            vec![f32],
        ),
        (
            "aten.upsample_bilinear2d.vec",
            vec![input(&image, 1), ints(&[80, 60]), flag(false), TestArg::Null],
            vec![f32],
        ),
        (
            "aten.embedding.default",
            vec![constant(&[900, 40], 1), TestArg::Input(integers(i32, &[901], 0..900, 2))],
            vec![f32],
        ),
    ];
    for (op, args, outputs) in &cases {
        same_in_parts(&small, op, args, outputs);
    }
}

/// A layer of 48 channels for an image of 1024 × 1024 has 192 MiB, which is more than browsers bind at once.
#[test]
fn a_convolution_of_a_large_image() {
    let device = Device::open(DeviceOptions::new(DeviceChoice::Gpu).with_webgpu_minimum()).expect("an adapter");
    let mut args = convolution(&[1, 1, 1024, 1024], &[48, 1, 1, 1], 48, false, 1);
    args[4] = ints(&[0, 0]);
    same_in_parts(&device, "aten.convolution.default", &args, &[DType::F32]);
}

/// The scores of 2,048 tokens under 16 heads have 256 MiB.
#[test]
fn attention_of_many_tokens() {
    let device = Device::open(DeviceOptions::new(DeviceChoice::Gpu).with_webgpu_minimum()).expect("an adapter");
    let args = [input(&[16, 2048, 2], 1), input(&[16, 2, 2048], 2)];
    same_in_parts(&device, "aten.bmm.default", &args, &[DType::F32]);
    let scores = input(&[16, 2048, 2048], 1);
    same_in_parts(&device, "aten._softmax.default", &[scores, TestArg::Int(-1), TestArg::Bool(false)], &[DType::F32]);
}
