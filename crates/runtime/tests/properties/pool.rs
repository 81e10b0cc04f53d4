//! Pooling and resampling over random images, windows and grids.

use proptest::prelude::*;
use pteron_runtime::testing::TestArg;
use pteron_runtime::{DType, HostTensor, Shape};

use crate::support::{Properties, agree, agree_if, config, floats, integers};

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
fn pair(range: std::ops::Range<i64>) -> impl Strategy<Value = Vec<i64>> {
    prop::collection::vec(range, 1..=2)
}

/// Windows that slide over height and width.
#[derive(Clone, Debug)]
struct Windows {
    size: Vec<i64>,
    /// None for those of the windows.
    stride: Vec<i64>,
    padding: Vec<i64>,
    dilation: Vec<i64>,
    ceil: bool,
}

fn windows() -> impl Strategy<Value = Windows> {
    let stride = prop_oneof![3 => pair(1..4), 1 => Just(vec![])];
    let padding = prop_oneof![2 => Just(vec![0]), 1 => pair(0..3)];
    (pair(1..5), stride, padding, prop_oneof![2 => Just(vec![1]), 1 => pair(1..3)], any::<bool>())
        .prop_map(|(size, stride, padding, dilation, ceil)| Windows { size, stride, padding, dilation, ceil })
}

impl Windows {
    /// Whether the padding is at most half a window, and a window fits the padded image or, rounded up, what is left of it.
    fn fit(&self, dims: &[usize]) -> bool {
        self.fit_last(dims, 2)
    }

    /// [`Windows::fit`] for so many of the last dimensions.
    fn fit_last(&self, dims: &[usize], count: usize) -> bool {
        let of = |list: &[i64], d: usize| if list.len() == 1 { list[0] } else { list[d] };
        let image = &dims[dims.len() - count..];
        (0..count).all(|d| {
            let length = i64::try_from(image[d]).expect("a small size");
            let reach = (of(&self.size, d) - 1) * of(&self.dilation, d) + 1;
            let stride = of(if self.stride.is_empty() { &self.size } else { &self.stride }, d);
            let padding = of(&self.padding, d);
            let room = length + 2 * padding + if self.ceil { stride - 1 } else { 0 };
            padding <= reach / 2 && room >= reach
        })
    }

    /// The arguments after the image, up to the padding.
    fn args(&self) -> [TestArg; 3] {
        [&self.size, &self.stride, &self.padding].map(|list| TestArg::Ints(list.clone()))
    }
}

pub(crate) const PROPERTIES: Properties = &[
    (averages_agree, &[&["aten.avg_pool2d.default"]]),
    (maxima_agree, &[&["aten.max_pool2d.default", "aten.max_pool2d_with_indices.default"]]),
    (maxima_have_places, &[&["pteron.arg_max_pool2d.default"]]),
    (volumes_agree, &[&["aten.avg_pool3d.default", "aten.max_pool3d_with_indices.default"]]),
    (
        windows_adapt,
        &[&[
            "aten._adaptive_avg_pool2d.default",
            "aten._adaptive_avg_pool3d.default",
            "aten.adaptive_max_pool2d.default",
            "aten.adaptive_max_pool3d.default",
        ]],
    ),
    (upsampling_agrees, &[&["aten.upsample_bilinear2d.vec", "aten.upsample_nearest2d.vec"]]),
    (sampling_agrees, &[&["aten.grid_sampler_2d.default"]]),
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..config() })]

    #[test]
    fn averages_agree(dims in image(), windows in windows(), count_padding: bool, divisor in prop::option::of(1i64..9),
                      dtype in float_type(), seed: u64) {
        let windows = Windows { dilation: vec![1], ..windows };
        let [size, stride, padding] = windows.args();
        let args = [
            TestArg::Input(floats(dtype, &dims, seed)),
            size,
            stride,
            padding,
            TestArg::Bool(windows.ceil),
            TestArg::Bool(count_padding),
            divisor.map_or(TestArg::Null, TestArg::Int),
        ];
        agree_if(windows.fit(&dims), "aten.avg_pool2d.default", &args, &[dtype])?;
    }

    #[test]
    fn maxima_agree(dims in image(), windows in windows(), dtype in float_type(), special: bool, seed: u64) {
        // Few distinct values, so that ties are common.
        let steps = integers(DType::I32, &dims, -4..5, seed).to_i64s().into_iter();
        let value = |step| if special && step == -4 { f64::NAN } else { step as f64 };
        let shape = Shape::new(&dims).expect("a small shape");
        let input = HostTensor::from_f64s(dtype, shape, steps.map(value)).expect("values fill the shape");
        let [size, stride, padding] = windows.args();
        let (dilation, ceil) = (TestArg::Ints(windows.dilation.clone()), TestArg::Bool(windows.ceil));
        let args = [TestArg::Input(input), size, stride, padding, dilation, ceil];
        agree_if(windows.fit(&dims), "aten.max_pool2d_with_indices.default", &args, &[dtype, DType::I32])?;
        agree_if(windows.fit(&dims), "aten.max_pool2d.default", &args, &[dtype])?;
    }

    /// Values that differ, so that only one place is right.
    #[test]
    fn maxima_have_places(dims in image(), size in prop::array::uniform2(1i64..5), dtype in float_type(), seed: u64) {
        let fits = (0..2).all(|d| dims[dims.len() - 2 + d] as i64 >= size[d]);
        let shape = Shape::new(&dims).expect("a small shape");
        let order = floats(DType::F32, &dims, seed).to_f64s();
        let mut ranks: Vec<usize> = (0..order.len()).collect();
        ranks.sort_by(|&a, &b| order[a].total_cmp(&order[b]));
        let mut values = vec![0.0; order.len()];
        ranks.iter().enumerate().for_each(|(rank, &at)| values[at] = rank as f64);
        let input = HostTensor::from_f64s(dtype, shape, values).expect("as many");
        let args = [TestArg::Input(input), TestArg::Ints(size.to_vec())];
        agree_if(fits, "pteron.arg_max_pool2d.default", &args, &[dtype, DType::I32])?;
    }

    /// As many windows as the output has elements, fewer or more than the input has.
    #[test]
    fn windows_adapt(
        outer in prop::collection::vec(1usize..3, 1..3),
        sides in [(1usize..12, 1i64..9), (1usize..12, 1i64..9), (1usize..12, 1i64..9)],
        dtype in float_type(),
        seed: u64,
    ) {
        for count in [2, 3] {
            let sides = &sides[..count];
            let dims = [&outer[..], &sides.iter().map(|side| side.0).collect::<Vec<_>>()].concat();
            let wanted = TestArg::Ints(sides.iter().map(|side| side.1).collect());
            let args = [TestArg::Input(floats(dtype, &dims, seed)), wanted];
            agree(&format!("aten._adaptive_avg_pool{count}d.default"), &args, &[dtype])?;
            agree(&format!("aten.adaptive_max_pool{count}d.default"), &args, &[dtype, DType::I32])?;
        }
    }

    #[test]
    fn volumes_agree(
        dims in (prop::option::of(0usize..3), prop::collection::vec(1usize..7, 4))
            .prop_map(|(batch, sizes)| batch.into_iter().chain(sizes).collect::<Vec<_>>()),
        (sizes, strides, paddings, dilations) in (
            prop::collection::vec(1i64..4, 3),
            prop::collection::vec(1i64..4, 3),
            prop::collection::vec(0i64..2, 3),
            prop_oneof![2 => Just(vec![1i64]), 1 => prop::collection::vec(1i64..3, 3)],
        ),
        (ceil, count_padding) in (any::<bool>(), any::<bool>()),
        divisor in prop::option::of(1i64..9),
        dtype in float_type(),
        seed: u64,
    ) {
        let windows = Windows { size: sizes, stride: strides, padding: paddings, dilation: vec![1], ceil };
        let input = TestArg::Input(floats(dtype, &dims, seed));
        let [size, stride, padding] = windows.args();
        let mean = [
            input.clone(),
            size.clone(),
            stride.clone(),
            padding.clone(),
            TestArg::Bool(ceil),
            TestArg::Bool(count_padding),
            divisor.map_or(TestArg::Null, TestArg::Int),
        ];
        agree_if(windows.fit_last(&dims, 3), "aten.avg_pool3d.default", &mean, &[dtype])?;
        // A window may step over all of a short side, and is refused.
        let steps_over = dims[dims.len() - 3..].iter().zip(dilations.iter().cycle()).any(|(&size, &step)| step > size as i64);
        prop_assume!(!steps_over);
        let windows = Windows { dilation: dilations, ..windows };
        let most = [input, size, stride, padding, TestArg::Ints(windows.dilation.clone()), TestArg::Bool(ceil)];
        agree_if(windows.fit_last(&dims, 3), "aten.max_pool3d_with_indices.default", &most, &[dtype, DType::I32])?;
    }

    #[test]
    fn upsampling_agrees(batch in 0usize..3, channels in 1usize..4, height in 1usize..9, width in 1usize..9,
                         sizes in prop::option::of((1i64..20, 1i64..20)), factors in (0.4f64..3.5, 0.4f64..3.5),
                         align: bool, dtype in float_type(), seed: u64) {
        let input = TestArg::Input(floats(dtype, &[batch, channels, height, width], seed));
        // Nothing may be left of an image that is made smaller.
        let valid = sizes.is_some() || (height as f64 * factors.0 >= 1.0 && width as f64 * factors.1 >= 1.0);
        let (sizes, factors) = match sizes {
            Some((height, width)) => (TestArg::Ints(vec![height, width]), TestArg::Null),
            None => (TestArg::Null, TestArg::Doubles(vec![factors.0, factors.1])),
        };
        let args = [input.clone(), sizes.clone(), TestArg::Bool(align), factors.clone()];
        agree_if(valid, "aten.upsample_bilinear2d.vec", &args, &[dtype])?;
        agree_if(valid, "aten.upsample_nearest2d.vec", &[input, sizes, factors], &[dtype])?;
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
