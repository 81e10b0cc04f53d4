//! Convolutions over random sizes, strides, paddings, dilations, groups and directions.

use proptest::prelude::*;
use pteron_runtime::testing::TestArg;
use pteron_runtime::{DType, HostTensor};

use crate::support::{Properties, activation, agree, agree_if, config, floats};

#[derive(Clone, Debug)]
struct Sizes {
    batch: usize,
    groups: usize,
    in_group: usize,
    out_group: usize,
    /// Input size, kernel size, stride, padding, dilation and output padding of each dimension.
    spatial: Vec<[usize; 6]>,
    transposed: bool,
}

impl Sizes {
    /// Whether the kernel fits into the padded input, or what a transposed one writes is larger than its padding.
    fn fit(&self) -> bool {
        self.spatial.iter().all(|&[input, kernel, stride, padding, dilation, extra]| {
            let reach = dilation * (kernel - 1) + 1;
            match self.transposed {
                true => (input - 1) * stride + reach + extra >= 2 * padding,
                false => input + 2 * padding >= reach,
            }
        })
    }
}

impl Sizes {
    /// The shape of the result where they fit together.
    fn output(&self) -> Vec<usize> {
        let size = |&[input, kernel, stride, padding, dilation, extra]: &[usize; 6]| {
            let reach = dilation * (kernel - 1) + 1;
            match self.transposed {
                true => ((input - 1) * stride + reach + extra).saturating_sub(2 * padding),
                false => (input + 2 * padding).checked_sub(reach).map_or(0, |room| room / stride + 1),
            }
        };
        [self.batch, self.groups * self.out_group].into_iter().chain(self.spatial.iter().map(size)).collect()
    }
}

/// Everything from a single element to a few tiles; sizes that do not fit together are for both engines to refuse.
fn sizes() -> impl Strategy<Value = Sizes> {
    let kernel = prop_oneof![2 => Just(1usize), 3 => Just(3), 1 => 2usize..6];
    let stride = prop_oneof![3 => Just(1usize), 1 => Just(2), 1 => Just(3)];
    let one = (1usize..16, kernel, stride, 0usize..4, prop_oneof![3 => Just(1usize), 1 => 2usize..4], 0usize..2);
    let spatial = prop::collection::vec(one.prop_map(|(a, b, c, d, e, f)| [a, b, c, d, e, f]), 1..=3);
    let group = prop_oneof![
        Just([1, 1]),
        Just([1, 2]),
        [1usize..9, 1usize..7],
        [1usize..20, 8usize..20],
        [1usize..3, 60usize..70]
    ];
    (0usize..4, prop_oneof![2 => Just(1usize), 1 => 2usize..6], group, spatial, any::<bool>()).prop_map(
        |(batch, groups, [in_group, out_group], spatial, transposed)| Sizes {
            batch,
            groups,
            in_group,
            out_group,
            spatial,
            transposed,
        },
    )
}

fn args(sizes: &Sizes, dtype: DType, bias: bool, seed: u64) -> Vec<TestArg> {
    let column = |at: usize| sizes.spatial.iter().map(move |dim| dim[at]);
    let list = |at| TestArg::Ints(column(at).map(|value| i64::try_from(value).expect("a small size")).collect());
    let (inputs, outputs) = (sizes.groups * sizes.in_group, sizes.groups * sizes.out_group);
    let input: Vec<_> = [sizes.batch, inputs].into_iter().chain(column(0)).collect();
    let lines = if sizes.transposed { [inputs, sizes.out_group] } else { [outputs, sizes.in_group] };
    let weight: Vec<_> = lines.into_iter().chain(column(1)).collect();
    vec![
        TestArg::Input(floats(dtype, &input, seed)),
        TestArg::Constant(floats(dtype, &weight, seed + 1)),
        if bias { TestArg::Constant(floats(dtype, &[outputs], seed + 2)) } else { TestArg::Null },
        list(2),
        list(3),
        list(4),
        TestArg::Bool(sizes.transposed),
        list(5),
        TestArg::Int(i64::try_from(sizes.groups).expect("few groups")),
    ]
}

pub(crate) const PROPERTIES: Properties = &[
    (convolution, &[&["aten.convolution.default"]]),
    (bounds_hold, &[&["et_vk.conv_with_clamp.default"]]),
    (convolution_with_epilogue, &[&["pteron.convolution.default"]]),
    (convolution_of_weighed_channels, &[&["pteron.convolution.default"]]),
];

/// Tests beside those, for sizes that take other kernels.
#[cfg(feature = "fault-injection")]
pub(crate) const LARGER: [fn(); 4] =
    [convolution_of_single_elements, convolution_of_each_channel, deep_convolution, convolution_in_large_tiles];

proptest! {
    #![proptest_config(config())]

    #[test]
    fn convolution(sizes in sizes(), bias: bool, half: bool, seed: u64) {
        let dtype = if half { DType::F16 } else { DType::F32 };
        agree_if(sizes.fit(), "aten.convolution.default", &args(&sizes, dtype, bias, seed), &[dtype])?;
    }

    #[test]
    fn convolution_of_single_elements(
        batch in 0usize..4,
        [inputs, outputs] in [1usize..70, 1usize..70],
        [height, width] in [1usize..9, 1usize..9],
        bias: bool,
        seed: u64,
    ) {
        let spatial = vec![[height, 1, 1, 0, 1, 0], [width, 1, 1, 0, 1, 0]];
        let sizes = Sizes { batch, groups: 1, in_group: inputs, out_group: outputs, spatial, transposed: false };
        agree("aten.convolution.default", &args(&sizes, DType::F32, bias, seed), &[DType::F32])?;
    }

    /// One image whose channels have factors.
    #[test]
    fn convolution_of_weighed_channels(
        [inputs, outputs] in [1usize..70, 1usize..70],
        [height, width] in [1usize..20, 1usize..20],
        [bias, half] in any::<[bool; 2]>(),
        first in activation(),
        seed: u64,
    ) {
        let dtype = if half { DType::F16 } else { DType::F32 };
        let spatial = vec![[height, 1, 1, 0, 1, 0], [width, 1, 1, 0, 1, 0]];
        let sizes = Sizes { batch: 1, groups: 1, in_group: inputs, out_group: outputs, spatial, transposed: false };
        let mut args = args(&sizes, dtype, bias, seed);
        let factors = TestArg::Input(floats(dtype, &[1, inputs, 1, 1], seed + 3));
        args.extend([TestArg::Ints(Vec::new()), first, TestArg::Null, TestArg::Str(""), factors]);
        agree("pteron.convolution.default", &args, &[dtype])?;
    }

    /// Weights as programs have them and as tiles read them, with everything that may follow.
    #[test]
    fn convolution_with_epilogue(
        sizes in sizes(),
        arranged: bool,
        has_bias: bool,
        has_addend: bool,
        [first, last] in [activation(), activation()],
        half: bool,
        seed: u64,
    ) {
        let dtype = if half { DType::F16 } else { DType::F32 };
        let mut args = args(&sizes, dtype, has_bias, seed);
        let mut channels = Vec::new();
        if arranged {
            channels.push(i64::try_from(sizes.in_group).expect("a small size"));
            let outputs = sizes.groups * sizes.out_group;
            let kernel = sizes.spatial.iter().map(|dim| dim[1]);
            let weight: Vec<_> = [outputs].into_iter().chain(kernel).chain([sizes.in_group.next_multiple_of(4)]).collect();
            args[1] = TestArg::Constant(floats(dtype, &weight, seed + 1));
        }
        let addend = TestArg::Input(floats(dtype, &sizes.output(), seed + 3));
        let addend = if has_addend { addend } else { TestArg::Null };
        args.extend([TestArg::Ints(channels), first, addend, last, TestArg::Null]);
        agree_if(sizes.fit(), "pteron.convolution.default", &args, &[dtype])?;
    }

    /// One filter for each channel or few, through the kernels that have their own code for it and others.
    #[test]
    fn convolution_of_each_channel(
        batch in 1usize..3,
        groups in 1usize..20,
        out_group in 1usize..3,
        [height, width] in [1usize..20, 1usize..20],
        kernel in prop::sample::select(vec![3usize, 3, 5, 7, 2]),
        stride in 1usize..4,
        padding in 0usize..5,
        dilation in prop_oneof![4 => Just(1usize), 1 => Just(2)],
        bias: bool,
        half: bool,
        seed: u64,
    ) {
        let dtype = if half { DType::F16 } else { DType::F32 };
        let spatial = [height, width].map(|size| [size, kernel, stride, padding, dilation, 0]).to_vec();
        let sizes = Sizes { batch, groups, in_group: 1, out_group, spatial, transposed: false };
        agree_if(sizes.fit(), "aten.convolution.default", &args(&sizes, dtype, bias, seed), &[dtype])?;
    }

    /// Few places and many channels, whose depth is divided.
    #[test]
    fn deep_convolution(
        batch in 1usize..4,
        [inputs, outputs] in [30usize..90, 8usize..80],
        [height, width] in [1usize..9, 1usize..9],
        kernel in prop::sample::select(vec![1usize, 3]),
        stride in 1usize..3,
        seed: u64,
    ) {
        let spatial = [height, width].map(|size| [size, kernel, stride, kernel / 2, 1, 0]).to_vec();
        let sizes = Sizes { batch, groups: 1, in_group: inputs, out_group: outputs, spatial, transposed: false };
        agree("aten.convolution.default", &args(&sizes, DType::F32, true, seed), &[DType::F32])?;
    }

    #[test]
    fn bounds_hold(
        sizes in sizes(),
        low in prop_oneof![Just(TestArg::Null), Just(TestArg::Int(0)), Just(TestArg::Double(-1.5))],
        high in prop_oneof![Just(TestArg::Null), Just(TestArg::Int(6)), Just(TestArg::Double(f64::MAX))],
        seed: u64,
    ) {
        let args: Vec<_> = args(&sizes, DType::F32, true, seed).into_iter().chain([low, high]).collect();
        agree_if(sizes.fit(), "et_vk.conv_with_clamp.default", &args, &[DType::F32])?;
    }
}

/// What fills a large device is computed in large tiles.
#[test]
fn convolution_in_large_tiles() {
    for (places, groups) in [(131, 1), (90, 2)] {
        let spatial = vec![[places, 3, 1, 1, 1, 0]; 2];
        let sizes = Sizes { batch: 1, groups, in_group: 5, out_group: 60, spatial, transposed: false };
        agree("aten.convolution.default", &args(&sizes, DType::F32, true, 11), &[DType::F32])
            .expect("both engines agree");
    }
}

/// Bounds leave NaN as it is, whichever kernel the sizes ask for, and infinities stay where there is no bound.
#[test]
fn nan_and_infinities_pass_the_bounds_as_in_pytorch() {
    for (outputs, kernel) in [(4, 1), (4, 3), (16, 3)] {
        let sizes = Sizes {
            batch: 1,
            groups: 1,
            in_group: 2,
            out_group: outputs,
            spatial: vec![[9, kernel, 1, 0, 1, 0]],
            transposed: false,
        };
        let mut values = floats(DType::F32, &[1, 2, 9], 3).as_slice::<f32>().expect("floats").to_vec();
        values[2] = f32::NAN;
        values[7] = f32::INFINITY;
        let mut args = args(&sizes, DType::F32, true, 5);
        args[0] = TestArg::Input(HostTensor::from_slice(&values, &[1, 2, 9]).expect("18 values"));
        args.extend([TestArg::Int(0), TestArg::Double(f64::MAX)]);
        agree("et_vk.conv_with_clamp.default", &args, &[DType::F32]).expect("both engines agree");
    }
}
