//! Copies that walk their input, over random shapes and every width of element.

use proptest::prelude::*;
use pteron_runtime::testing::TestArg;
use pteron_runtime::{DType, HostTensor};

use crate::support::{Properties, agree, agree_if, config, integers, sizes};

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

/// Whether a dimension lies within a rank; a scalar counts as one dimension.
fn within(dims: &[usize], dim: i64) -> bool {
    let rank = integer(dims.len().max(1));
    (-rank..rank).contains(&dim)
}

/// The size of a dimension from either end.
fn size_of(dims: &[usize], dim: i64) -> i64 {
    let at = usize::try_from(dim.rem_euclid(integer(dims.len().max(1)))).expect("not negative");
    dims.get(at).map_or(1, |&size| integer(size))
}

fn integer(value: usize) -> i64 {
    i64::try_from(value).expect("a small number")
}

pub(crate) const PROPERTIES: Properties = &[
    (permute_reorders, &[&["aten.permute_copy.default", "aten.permute.default"]]),
    (slice_takes_ranges, &[&["aten.slice_copy.Tensor"]]),
    (select_takes_one, &[&["aten.select_copy.int"]]),
    (slices_are_replaced, &[&["aten.slice_scatter.default", "aten.select_scatter.default"]]),
    (flip_reverses, &[&["aten.flip.default"]]),
    (expand_repeats_ones, &[&["aten.expand_copy.default"]]),
    (repeat_tiles, &[&["aten.repeat.default"]]),
    (unfold_slides, &[&["aten.unfold_copy.default"]]),
    (diagonals_cross_two_dimensions, &[&["aten.diagonal_copy.default"]]),
    (strides_of_any_kind, &[&["aten.as_strided_copy.default"]]),
    (pixels_shuffle_and_back, &[&["aten.pixel_shuffle.default", "aten.pixel_unshuffle.default"]]),
    (
        pieces_split,
        &[&[
            "aten.split_with_sizes_copy.default",
            "aten.unbind_copy.int",
            "aten.split_copy.Tensor",
            "aten.chunk.default",
        ]],
    ),
    (parts_join, &[&["aten.cat.default", "aten.stack.default"]]),
    (padding_surrounds_and_cuts, &[&["aten.constant_pad_nd.default"]]),
    (
        padding_takes_what_is_there,
        &[&[
            "aten.reflection_pad1d.default",
            "aten.reflection_pad2d.default",
            "aten.reflection_pad3d.default",
            "aten.replication_pad1d.default",
            "aten.replication_pad2d.default",
            "aten.replication_pad3d.default",
        ]],
    ),
    (rolling_begins_again, &[&["aten.roll.default"]]),
    (priors_lie_on_a_grid, &[&["et_vk.grid_priors.default"]]),
    (
        views_keep_elements,
        &[&[
            "aten.unsqueeze_copy.default",
            "aten.squeeze_copy.dim",
            "aten.squeeze_copy.dims",
            "aten.squeeze_copy.default",
            "aten.t_copy.default",
            "aten.transpose_copy.int",
        ]],
    ),
];

#[test]
fn an_empty_dimension_has_no_pieces() -> Result<(), TestCaseError> {
    let args = [TestArg::Input(tensor(DType::F32, &[2, 0, 3], 1)), TestArg::Int(1)];
    agree("aten.unbind_copy.int", &args, &[])
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
        for op in ["aten.permute_copy.default", "aten.permute.default"] {
            agree(op, &args, &[dtype])?;
        }
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
        agree_if(within(&dims, dim), "aten.slice_copy.Tensor", &args, &[dtype])?;
    }

    #[test]
    fn select_takes_one(
        (dims, dim) in sizes(1..5).prop_flat_map(with_dim),
        index in prop_oneof![3 => -1i64..1, 1 => -4i64..4],
        dtype in any_type(),
        seed: u64,
    ) {
        let args = [TestArg::Input(tensor(dtype, &dims, seed)), TestArg::Int(dim), TestArg::Int(index)];
        let size = size_of(&dims, dim);
        let valid = within(&dims, dim) && (-size..size).contains(&index);
        agree_if(valid, "aten.select_copy.int", &args, &[dtype])?;
    }

    #[test]
    fn slices_are_replaced(
        (dims, dim) in sizes(1..5).prop_flat_map(with_dim),
        (start, end) in (-9i64..9, -9i64..15),
        step in 1i64..4,
        symbolic: bool,
        dtype in any_type(),
        seed: u64,
    ) {
        let valid = within(&dims, dim);
        let size = size_of(&dims, dim);
        let clamped = |bound: i64| if bound < 0 { bound + size } else { bound }.clamp(0, size);
        let length = (clamped(end) - clamped(start)).max(0);
        let mut slice = dims.clone();
        let axis = usize::try_from(if dim < 0 { dim + i64::try_from(dims.len()).expect("small") } else { dim });
        let Some(axis) = axis.ok().filter(|&axis| axis < dims.len()) else { return Ok(()) };
        slice[axis] = usize::try_from((length + step - 1) / step).expect("not negative");
        let at = |bound: i64| if symbolic { TestArg::Sym(bound) } else { TestArg::Int(bound) };
        let args = [
            TestArg::Input(tensor(dtype, &dims, seed)),
            TestArg::Input(tensor(dtype, &slice, seed ^ 1)),
            TestArg::Int(dim),
            at(start),
            at(end),
            TestArg::Int(step),
        ];
        agree_if(valid, "aten.slice_scatter.default", &args, &[dtype])?;
        let mut mixed = args.clone();
        mixed[0] = TestArg::Input(tensor(DType::F32, &dims, seed));
        agree_if(valid, "aten.slice_scatter.default", &mixed, &[DType::F32])?;
        slice.remove(axis);
        let chosen = [args[0].clone(), TestArg::Input(tensor(dtype, &slice, seed)), TestArg::Int(dim), TestArg::Int(start)];
        agree_if(valid && (-size..size).contains(&start), "aten.select_scatter.default", &chosen, &[dtype])?;
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
        let valid = repeats.len() >= dims.len();
        let args = [TestArg::Input(tensor(dtype, &dims, seed)), TestArg::Ints(repeats)];
        agree_if(valid, "aten.repeat.default", &args, &[dtype])?;
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
        let valid = within(&dims, dim) && step > 0 && size <= size_of(&dims, dim);
        agree_if(valid, "aten.unfold_copy.default", &args, &[dtype])?;
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
        let crosses = row.rem_euclid(rank) != column.rem_euclid(rank);
        let numbers = [above, row % rank, column % rank].map(TestArg::Int);
        let args: Vec<_> = [TestArg::Input(tensor(dtype, &dims, seed))].into_iter().chain(numbers).collect();
        agree_if(crosses, "aten.diagonal_copy.default", &args, &[dtype])?;
    }

    #[test]
    fn strides_of_any_kind(
        (sizes, steps) in prop::collection::vec((0i64..5, 0i64..9), 0..4)
            .prop_map(|axes| axes.into_iter().unzip::<_, _, Vec<_>, Vec<_>>()),
        first in 0i64..20,
        dtype in any_type(),
        seed: u64,
    ) {
        let input = TestArg::Input(tensor(dtype, &[7, 11], seed));
        let last = |sizes: &[i64], steps: &[i64]| first + sizes.iter().zip(steps).map(|(n, step)| (n - 1) * step).sum::<i64>();
        let valid = sizes.contains(&0) || last(&sizes, &steps) < 77;
        let args = [input, TestArg::Ints(sizes), TestArg::Ints(steps), TestArg::Int(first)];
        agree_if(valid, "aten.as_strided_copy.default", &args, &[dtype])?;
    }

    #[test]
    fn pixels_shuffle_and_back(
        batch in sizes(0..3),
        [channels, height, width] in prop::array::uniform3(0usize..5),
        factor in 1usize..4,
        dtype in any_type(),
        seed: u64,
    ) {
        for (op, own) in [
            ("aten.pixel_unshuffle.default", [channels, height * factor, width * factor]),
            ("aten.pixel_shuffle.default", [channels * factor * factor, height, width]),
        ] {
            let dims = [&batch[..], &own].concat();
            let args = [TestArg::Input(tensor(dtype, &dims, seed)), TestArg::Int(integer(factor))];
            agree(op, &args, &[dtype])?;
        }
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
        let args = [input.clone(), TestArg::Int(integer(size)), TestArg::Int(integer(dim) - integer(dims.len()))];
        agree("aten.split_copy.Tensor", &args, &vec![dtype; dims[dim].div_ceil(size).max(1)])?;
        // Chunks are as even as whole elements allow, so there may be fewer than asked for.
        let count = pieces.len();
        let chunk = dims[dim].div_ceil(count).max(1);
        let args = [input, TestArg::Int(integer(count)), TestArg::Int(integer(dim))];
        agree("aten.chunk.default", &args, &vec![dtype; dims[dim].div_ceil(chunk).max(1)])?;
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
        let types = [dtype, DType::I32, DType::Bool, DType::F16];
        let tensors = types.into_iter().cycle().zip(seed..).take(parts.len());
        let tensors = tensors.map(|(dtype, seed)| tensor(dtype, &dims, seed));
        let args = [TestArg::Inputs(tensors.collect()), TestArg::Int(integer(dim))];
        agree("aten.cat.default", &args, &[DType::F32])?;
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
        // Pairs, from the last dimension on, that leave no size below zero.
        let left = |(size, pair): (&usize, &[i64])| integer(*size) + pair.iter().sum::<i64>() >= 0;
        let valid = amounts.len() % 2 == 0
            && amounts.len() <= 2 * dims.len()
            && dims.iter().rev().zip(amounts.chunks(2)).all(left);
        let args = [TestArg::Input(tensor(dtype, &dims, seed)), TestArg::Ints(amounts), value];
        agree_if(valid, "aten.constant_pad_nd.default", &args, &[dtype])?;
    }

    #[test]
    fn padding_takes_what_is_there(
        outer in sizes(1..3),
        inner in [(1usize..7, 0i64..9, 0i64..9), (1usize..7, 0i64..9, 0i64..9), (1usize..7, 0i64..9, 0i64..9)],
        dtype in any_type(),
        seed: u64,
    ) {
        let dims = [outer, inner.iter().map(|it| it.0).collect()].concat();
        for count in 1..=inner.len() {
            let sides = inner.iter().rev().take(count);
            // What is mirrored is less than what is there.
            let less = sides.clone().flat_map(|&(size, before, after)| [before % integer(size), after % integer(size)]);
            let any = sides.flat_map(|&(_, before, after)| [before, after]);
            for (kind, amounts) in [("reflection", less.collect()), ("replication", any.collect())] {
                let args = [TestArg::Input(tensor(dtype, &dims, seed)), TestArg::Ints(amounts)];
                agree(&format!("aten.{kind}_pad{count}d.default"), &args, &[dtype])?;
            }
        }
    }

    #[test]
    fn rolling_begins_again(dims in sizes(1..5), shifts in [-20i64..20, -20i64..20], flat: bool, dtype in any_type(), seed: u64) {
        let last = integer(dims.len()) - 1;
        let (shifts, over) = if flat { (vec![shifts[0]], vec![]) } else { (shifts.to_vec(), vec![0, last]) };
        let args = [TestArg::Input(tensor(dtype, &dims, seed)), TestArg::Ints(shifts), TestArg::Ints(over)];
        agree("aten.roll.default", &args, &[dtype])?;
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
        let (valid, rank) = (within(&dims, dim), integer(dims.len()));
        let one_more = (-rank - 1..=rank).contains(&dim);
        agree_if(one_more, "aten.unsqueeze_copy.default", &[input.clone(), TestArg::Int(dim)], &[dtype])?;
        agree_if(valid, "aten.squeeze_copy.dim", &[input.clone(), TestArg::Int(dim)], &[dtype])?;
        agree_if(valid, "aten.squeeze_copy.dims", &[input.clone(), TestArg::Ints(vec![dim, 0])], &[dtype])?;
        agree("aten.squeeze_copy.default", std::slice::from_ref(&input), &[dtype])?;
        agree_if(dims.len() <= 2, "aten.t_copy.default", std::slice::from_ref(&input), &[dtype])?;
        agree_if(valid, "aten.transpose_copy.int", &[input, TestArg::Int(dim), TestArg::Int(0)], &[dtype])?;
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
