//! Copies that walk their input, over random shapes and every width of element.

use proptest::prelude::*;
use pteron_runtime::testing::TestArg;
use pteron_runtime::{DType, HostTensor};

use crate::support::{agree, config, integers, sizes};

fn any_type() -> impl Strategy<Value = DType> {
    prop::sample::select(vec![DType::F32, DType::F16, DType::I32, DType::U8, DType::I8, DType::Bool])
}

fn tensor(dtype: DType, dims: &[usize], seed: u64) -> HostTensor {
    let range = if dtype == DType::Bool { 0..2 } else { -100..100 };
    integers(dtype, dims, range, seed)
}

/// One of the dimensions from either end; now and then one too many.
fn with_dim(dims: Vec<usize>) -> impl Strategy<Value = (Vec<usize>, i64)> {
    let rank = integer(dims.len().max(1));
    (Just(dims), prop_oneof![15 => -rank..rank, 1 => rank..rank + 2])
}

fn integer(value: usize) -> i64 {
    i64::try_from(value).expect("a small number")
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn permute_reorders(
        (dims, order) in sizes(1..7).prop_flat_map(|dims| {
            let order: Vec<i64> = (0i64..).take(dims.len()).collect();
            (Just(dims), Just(order).prop_shuffle())
        }),
        dtype in any_type(),
        seed: u64,
    ) {
        let args = [TestArg::Input(tensor(dtype, &dims, seed)), TestArg::Ints(order)];
        agree("aten.permute_copy.default", &args, &[dtype])?;
    }

    #[test]
    fn slice_takes_ranges(
        (dims, dim) in sizes(1..5).prop_flat_map(with_dim),
        start in -20i64..20,
        end in -20i64..20,
        step in 1i64..5,
        dtype in any_type(),
        seed: u64,
    ) {
        let numbers = [dim, start, end, step].map(TestArg::Int);
        let args: Vec<_> = [TestArg::Input(tensor(dtype, &dims, seed))].into_iter().chain(numbers).collect();
        agree("aten.slice_copy.Tensor", &args, &[dtype])?;
    }

    #[test]
    fn select_takes_one(
        (dims, dim) in sizes(1..5).prop_flat_map(with_dim),
        index in -4i64..4,
        dtype in any_type(),
        seed: u64,
    ) {
        let args = [TestArg::Input(tensor(dtype, &dims, seed)), TestArg::Int(dim), TestArg::Int(index)];
        agree("aten.select_copy.int", &args, &[dtype])?;
    }

    #[test]
    fn flip_reverses(dims in sizes(0..6), mask: u8, negative: bool, dtype in any_type(), seed: u64) {
        let rank = i64::try_from(dims.len()).expect("a small rank");
        let named = (0..rank).filter(|dim| mask >> dim & 1 == 1).map(|dim| if negative { dim - rank } else { dim });
        let args = [TestArg::Input(tensor(dtype, &dims, seed)), TestArg::Ints(named.collect())];
        agree("aten.flip.default", &args, &[dtype])?;
    }

    #[test]
    fn expand_repeats_ones(
        dims in sizes(0..5),
        ones: u8,
        keep: u8,
        added in prop::collection::vec(0i64..4, 0..3),
        dtype in any_type(),
        seed: u64,
    ) {
        let own: Vec<_> = dims.iter().enumerate().map(|(d, &size)| if ones >> d & 1 == 1 { 1 } else { size }).collect();
        let kept = |d: usize| keep >> d & 1 == 1 && own[d] == dims[d];
        let sizes = dims.iter().enumerate().map(|(d, &size)| if kept(d) { -1 } else { integer(size) });
        let sizes = added.into_iter().chain(sizes).collect();
        let args = [TestArg::Input(tensor(dtype, &own, seed)), TestArg::Ints(sizes), TestArg::Bool(false)];
        agree("aten.expand_copy.default", &args, &[dtype])?;
    }

    #[test]
    fn repeat_tiles(
        dims in sizes(0..4),
        repeats in prop::collection::vec(0i64..4, 0..6),
        dtype in any_type(),
        seed: u64,
    ) {
        let args = [TestArg::Input(tensor(dtype, &dims, seed)), TestArg::Ints(repeats)];
        agree("aten.repeat.default", &args, &[dtype])?;
    }

    #[test]
    fn unfold_slides(
        (dims, dim) in sizes(0..4).prop_flat_map(with_dim),
        size in 0i64..5,
        step in prop_oneof![1 => Just(0i64), 9 => 1i64..5],
        dtype in any_type(),
        seed: u64,
    ) {
        let numbers = [dim, size, step].map(TestArg::Int);
        let args: Vec<_> = [TestArg::Input(tensor(dtype, &dims, seed))].into_iter().chain(numbers).collect();
        agree("aten.unfold_copy.default", &args, &[dtype])?;
    }

    #[test]
    fn diagonals_cross_two_dimensions(
        dims in sizes(2..5),
        above in -5i64..6,
        (row, column) in (0i64..4, -4i64..4),
        dtype in any_type(),
        seed: u64,
    ) {
        let rank = integer(dims.len());
        let numbers = [above, row % rank, column % rank].map(TestArg::Int);
        let args: Vec<_> = [TestArg::Input(tensor(dtype, &dims, seed))].into_iter().chain(numbers).collect();
        agree("aten.diagonal_copy.default", &args, &[dtype])?;
    }

    #[test]
    fn strides_of_any_kind(
        (sizes, steps) in prop::collection::vec((0i64..5, 0i64..9), 0..4).prop_map(|axes| axes.into_iter().unzip()),
        first in 0i64..20,
        dtype in any_type(),
        seed: u64,
    ) {
        let input = TestArg::Input(tensor(dtype, &[7, 11], seed));
        let args = [input, TestArg::Ints(sizes), TestArg::Ints(steps), TestArg::Int(first)];
        agree("aten.as_strided_copy.default", &args, &[dtype])?;
    }

    #[test]
    fn pixels_shuffle_and_back(
        batch in sizes(0..3),
        [channels, height, width] in prop::array::uniform3(0usize..5),
        factor in 1usize..4,
        back: bool,
        dtype in any_type(),
        seed: u64,
    ) {
        let (op, own) = if back {
            ("aten.pixel_unshuffle.default", [channels, height * factor, width * factor])
        } else {
            ("aten.pixel_shuffle.default", [channels * factor * factor, height, width])
        };
        let dims = [&batch[..], &own].concat();
        let args = [TestArg::Input(tensor(dtype, &dims, seed)), TestArg::Int(integer(factor))];
        agree(op, &args, &[dtype])?;
    }

    #[test]
    fn pieces_split(
        dims in sizes(1..5),
        dim in 0usize..4,
        pieces in prop::collection::vec(0usize..9, 1..7),
        dtype in any_type(),
        seed: u64,
    ) {
        let mut dims = dims;
        let dim = dim % dims.len();
        dims[dim] = pieces.iter().sum();
        let sizes = pieces.iter().copied().map(integer).collect();
        let input = TestArg::Input(tensor(dtype, &dims, seed));
        let args = [input.clone(), TestArg::Ints(sizes), TestArg::Int(integer(dim))];
        agree("aten.split_with_sizes_copy.default", &args, &vec![dtype; pieces.len()])?;
        let args = [input.clone(), TestArg::Int(integer(dim))];
        agree("aten.unbind_copy.int", &args, &vec![dtype; dims[dim]])?;
        let size = pieces[0].max(1);
        let args = [input, TestArg::Int(integer(size)), TestArg::Int(integer(dim) - integer(dims.len()))];
        agree("aten.split_copy.Tensor", &args, &vec![dtype; dims[dim].div_ceil(size).max(1)])?;
    }

    #[test]
    fn parts_join(
        dims in sizes(1..4),
        dim in 0usize..4,
        parts in prop::collection::vec(0usize..9, 1..14),
        dtype in any_type(),
        seed: u64,
    ) {
        let mut dims = dims;
        let dim = dim % dims.len();
        let tensors = parts.iter().zip(seed..).map(|(&part, seed)| {
            dims[dim] = part;
            tensor(dtype, &dims, seed)
        });
        let args = [TestArg::Inputs(tensors.collect()), TestArg::Int(integer(dim))];
        agree("aten.cat.default", &args, &[dtype])?;
        let tensors = (seed..).take(parts.len()).map(|seed| tensor(dtype, &dims, seed));
        let args = [TestArg::Inputs(tensors.collect()), TestArg::Int(-1 - integer(dim))];
        agree("aten.stack.default", &args, &[dtype])?;
    }

    #[test]
    fn padding_surrounds_and_cuts(
        (dims, amounts) in sizes(0..6).prop_flat_map(|dims| {
            // One amount is now and then lacking, or one dimension too many.
            let count = prop_oneof![8 => (0..=dims.len()).prop_map(|pairs| pairs * 2), 1 => 0..2 * dims.len() + 3];
            (Just(dims), count.prop_flat_map(|count| prop::collection::vec(-1i64..5, count)))
        }),
        value in prop::sample::select(vec![
            TestArg::Null,
            TestArg::Int(1),
            TestArg::Double(-2.5),
            TestArg::Double(f64::NEG_INFINITY),
        ]),
        dtype in any_type(),
        seed: u64,
    ) {
        let args = [TestArg::Input(tensor(dtype, &dims, seed)), TestArg::Ints(amounts), value];
        agree("aten.constant_pad_nd.default", &args, &[dtype])?;
    }

    #[test]
    fn priors_lie_on_a_grid(dims in sizes(2..5), stride in 1i64..33, offset in 0.0f64..1.0, half: bool) {
        let dtype = if half { DType::F16 } else { DType::F32 };
        let args = [TestArg::Input(tensor(dtype, &dims, 0)), TestArg::Int(stride), TestArg::Double(offset)];
        agree("et_vk.grid_priors.default", &args, &[dtype])?;
    }

    #[test]
    fn views_keep_elements((dims, dim) in sizes(0..6).prop_flat_map(with_dim), dtype in any_type(), seed: u64) {
        let input = TestArg::Input(tensor(dtype, &dims, seed));
        agree("aten.unsqueeze_copy.default", &[input.clone(), TestArg::Int(dim)], &[dtype])?;
        agree("aten.squeeze_copy.dim", &[input.clone(), TestArg::Int(dim)], &[dtype])?;
        agree("aten.squeeze_copy.dims", &[input.clone(), TestArg::Ints(vec![dim, 0])], &[dtype])?;
        agree("aten.squeeze_copy.default", std::slice::from_ref(&input), &[dtype])?;
        agree("aten.t_copy.default", std::slice::from_ref(&input), &[dtype])?;
        agree("aten.transpose_copy.int", &[input, TestArg::Int(dim), TestArg::Int(0)], &[dtype])?;
    }
}

/// Every dimension of the largest rank both repeated and walked: twice as many axes as dimensions.
#[test]
fn repeat_of_the_largest_rank() {
    for dtype in [DType::F32, DType::U8] {
        let args = [TestArg::Input(tensor(dtype, &[2; 8], 5)), TestArg::Ints(vec![2; 8])];
        agree("aten.repeat.default", &args, &[dtype]).expect("both engines agree");
    }
}

/// Rows of whole fours are copied four elements at a time, from wherever they begin.
#[test]
fn fours_are_copied_together() {
    for dtype in [DType::F32, DType::F16, DType::I32, DType::U8, DType::Bool] {
        for (start, end) in [(0, 8), (4, 12), (8, 12), (2, 10), (3, 12)] {
            let input = TestArg::Input(tensor(dtype, &[5, 3, 12], 7));
            let args = [input.clone(), TestArg::Int(2), TestArg::Int(start), TestArg::Int(end), TestArg::Int(1)];
            agree("aten.slice_copy.Tensor", &args, &[dtype]).expect("both engines agree");
            let args = [input, TestArg::Ints(vec![1, 0, 2])];
            agree("aten.permute_copy.default", &args, &[dtype]).expect("both engines agree");
        }
    }
}

/// More invocations than fit one direction of a grid.
#[test]
fn copies_fold_past_the_limit_of_one_direction() {
    let args = [TestArg::Input(tensor(DType::U8, &[2_100_001, 3], 6)), TestArg::Ints(vec![1, 0])];
    agree("aten.permute_copy.default", &args, &[DType::U8]).expect("both engines agree");
}
