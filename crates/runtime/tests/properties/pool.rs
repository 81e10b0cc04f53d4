//! Pooling and resampling over random images, windows and grids.

use proptest::prelude::*;
use pteron_runtime::testing::TestArg;
use pteron_runtime::{DType, HostTensor, Shape};

use crate::support::{agree, config, floats, integers};

fn float_type() -> impl Strategy<Value = DType> {
    prop::sample::select(vec![DType::F32, DType::F16])
}

/// An image or a batch of them.
fn image() -> impl Strategy<Value = Vec<usize>> {
    let sides = || prop_oneof![1 => Just(1usize), 8 => 2usize..14];
    (prop::option::of(0usize..3), 1usize..4, sides(), sides())
        .prop_map(|(batch, channels, height, width)| batch.into_iter().chain([channels, height, width]).collect())
}

/// One or two numbers.
fn pair(range: std::ops::Range<i64>) -> impl Strategy<Value = TestArg> {
    prop::collection::vec(range, 1..=2).prop_map(TestArg::Ints)
}

/// Strides, or none for those of the window.
fn strides() -> impl Strategy<Value = TestArg> {
    prop_oneof![3 => pair(1..4), 1 => Just(TestArg::Ints(vec![]))]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..config() })]

    #[test]
    fn averages_agree(dims in image(), size in pair(1..5), stride in strides(), padding in pair(0..3), ceil: bool,
                      count_padding: bool, divisor in prop::option::of(1i64..9), dtype in float_type(), seed: u64) {
        let args = [
            TestArg::Input(floats(dtype, &dims, seed)),
            size,
            stride,
            padding,
            TestArg::Bool(ceil),
            TestArg::Bool(count_padding),
            divisor.map_or(TestArg::Null, TestArg::Int),
        ];
        agree("aten.avg_pool2d.default", &args, &[dtype])?;
    }

    #[test]
    fn maxima_agree(dims in image(), size in pair(1..5), stride in strides(), padding in pair(0..3),
                    dilation in pair(1..3), ceil: bool, dtype in float_type(), special: bool, seed: u64) {
        // Few distinct values, so that ties are common.
        let steps = integers(DType::I32, &dims, -4..5, seed).to_i64s().into_iter();
        let value = |step| if special && step == -4 { f64::NAN } else { step as f64 };
        let shape = Shape::new(&dims).expect("a small shape");
        let input = HostTensor::from_f64s(dtype, shape, steps.map(value)).expect("values fill the shape");
        let args = [TestArg::Input(input), size, stride, padding, dilation, TestArg::Bool(ceil)];
        agree("aten.max_pool2d_with_indices.default", &args, &[dtype, DType::I32])?;
        agree("aten.max_pool2d.default", &args, &[dtype])?;
    }

    #[test]
    fn upsampling_agrees(batch in 0usize..3, channels in 1usize..4, height in 1usize..9, width in 1usize..9,
                         sizes in prop::option::of((1i64..20, 1i64..20)), factors in (0.4f64..3.5, 0.4f64..3.5),
                         align: bool, dtype in float_type(), seed: u64) {
        let input = TestArg::Input(floats(dtype, &[batch, channels, height, width], seed));
        let (sizes, factors) = match sizes {
            Some((height, width)) => (TestArg::Ints(vec![height, width]), TestArg::Null),
            None => (TestArg::Null, TestArg::Doubles(vec![factors.0, factors.1])),
        };
        let args = [input.clone(), sizes.clone(), TestArg::Bool(align), factors.clone()];
        agree("aten.upsample_bilinear2d.vec", &args, &[dtype])?;
        agree("aten.upsample_nearest2d.vec", &[input, sizes, factors], &[dtype])?;
    }

    #[test]
    fn sampling_agrees(batch in 1usize..3, channels in 1usize..4, height in 1usize..9, width in 1usize..9,
                       rows in 0usize..6, columns in 1usize..6, mode in 0i64..3, padding in 0i64..3, align: bool,
                       seed: u64) {
        let args = [
            TestArg::Input(floats(DType::F32, &[batch, channels, height, width], seed)),
            TestArg::Input(floats(DType::F32, &[batch, rows, columns, 2], seed + 1)),
            TestArg::Int(mode),
            TestArg::Int(padding),
            TestArg::Bool(align),
        ];
        agree("aten.grid_sampler_2d.default", &args, &[DType::F32])?;
    }
}

/// Points far outside, infinite or not a number stay within the image.
#[test]
fn wild_points_are_contained() {
    let wild = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e30, -1e30, 3.0, -3.0, 0.3];
    let points: Vec<f32> = wild.iter().flat_map(|&x| wild.iter().flat_map(move |&y| [x, y])).collect();
    let grid = HostTensor::from_slice(&points, &[1, wild.len(), wild.len(), 2]).unwrap();
    for (mode, padding, align) in [(0, 0, true), (0, 1, true), (0, 1, false), (1, 0, false), (1, 1, true)] {
        let args = [
            TestArg::Input(floats(DType::F32, &[1, 2, 5, 7], 3)),
            TestArg::Input(grid.clone()),
            TestArg::Int(mode),
            TestArg::Int(padding),
            TestArg::Bool(align),
        ];
        agree("aten.grid_sampler_2d.default", &args, &[DType::F32]).expect("both engines agree");
    }
}
