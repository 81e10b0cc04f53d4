//! Reductions and softmax over random shapes and dimensions.

use proptest::prelude::*;
use pteron_runtime::testing::{TestArg, run_op};
use pteron_runtime::{DType, Device, HostTensor, Shape};

use crate::support::{Properties, agree, agree_deeply, agree_if, config_of, floats, gpu, integers, sizes};

const EXTREMES: [&str; 2] = ["aten.amax.default", "aten.amin.default"];
const POSITIONS: [&str; 2] = ["aten.argmax.default", "aten.argmin.default"];
const SUMS: [&str; 2] = ["aten.sum.dim_IntList", "aten.mean.dim"];
const SOFTMAXES: [&str; 2] = ["aten._softmax.default", "aten._log_softmax.default"];

/// A shape of small sizes, or one with a long dimension.
fn shapes(max_rank: usize) -> impl Strategy<Value = Vec<usize>> {
    let long = (prop::collection::vec(1usize..5, 0..3), 200usize..1500, prop::collection::vec(1usize..5, 0..3))
        .prop_map(|(before, long, after)| [before, vec![long], after].concat());
    prop_oneof![3 => sizes(0..=max_rank), 1 => long]
}

/// A shape and some of its dimensions, counted from either end.
fn reductions() -> impl Strategy<Value = (Vec<usize>, Vec<i64>)> {
    shapes(6).prop_flat_map(|dims| {
        let rank = dims.len();
        let chosen = prop::collection::vec(prop::option::of(any::<bool>()), rank);
        (Just(dims), chosen).prop_map(move |(dims, chosen)| {
            let numbers = (0i64..).zip(chosen);
            let count = i64::try_from(rank).expect("a small rank");
            let reduced = numbers.filter_map(|(dim, end)| Some(if end? { dim } else { dim - count }));
            let reduced = reduced.collect();
            (dims, reduced)
        })
    })
}

/// Whether every result has an element to be chosen: the reduced dimensions hold one, or there is no result. No dimension
/// means all.
fn has_choice(dims: &[usize], reduced: &[i64]) -> bool {
    let rank = i64::try_from(dims.len()).expect("a small rank");
    let is_reduced = |d: usize| {
        let dim = i64::try_from(d).expect("a small rank");
        reduced.is_empty() || reduced.iter().any(|&reduced| reduced.rem_euclid(rank) == dim)
    };
    let empty = |wanted: bool| dims.iter().enumerate().any(|(d, &size)| size == 0 && is_reduced(d) == wanted);
    !empty(true) || empty(false)
}

/// Whether a dimension lies within a rank; a scalar counts as one dimension.
fn within(dims: &[usize], dim: i64) -> bool {
    let rank = i64::try_from(dims.len().max(1)).expect("a small rank");
    (-rank..rank).contains(&dim)
}

fn float_type() -> impl Strategy<Value = DType> {
    prop::sample::select(vec![DType::F32, DType::F16])
}

/// Few distinct values, so that ties are common, with NaN and infinities where asked.
fn coarse(dtype: DType, dims: &[usize], special: bool, seed: u64) -> HostTensor {
    let steps = integers(DType::I32, dims, if special { -9..10 } else { -4..5 }, seed).to_i64s();
    let value = |step: i64| match step {
        -9 => f64::NAN,
        -8 => f64::NEG_INFINITY,
        8 => f64::INFINITY,
        9 => -0.0,
        step => step as f64 / 2.0,
    };
    HostTensor::from_f64s(dtype, Shape::new(dims).expect("a small shape"), steps.into_iter().map(value))
        .expect("values fill the shape")
}

/// What `any`, and what finds the best of a dimension, and the rest of its kind are called.
const ANY: [&str; 3] = ["aten.any.default", "aten.any.dim", "aten.any.dims"];
const BEST: [&str; 2] = ["aten.max.dim", "aten.min.dim"];
const BEST_OF_ALL: [&str; 2] = ["aten.max.default", "aten.min.default"];
const SCANS: [&str; 2] = ["aten.cumsum.default", "aten.cumprod.default"];
const SORTS: [&str; 3] = ["aten.sort.default", "aten.sort.stable", "aten.topk.default"];
const VARIANCES: [&str; 3] = ["aten.var.correction", "aten.var.dim", "aten.var_mean.correction"];

fn any_type() -> impl Strategy<Value = DType> {
    prop::sample::select(vec![DType::F32, DType::F16, DType::I32, DType::U8, DType::I8, DType::Bool])
}

/// Small numbers of any type, of which many are equal.
fn small(dtype: DType, dims: &[usize], seed: u64) -> HostTensor {
    integers(dtype, dims, if matches!(dtype, DType::Bool | DType::U8) { 0..2 } else { -3..4 }, seed)
}

pub(crate) const PROPERTIES: Properties = &[
    (some_are_true, &[&ANY]),
    (the_best_are_found, &[&BEST, &BEST_OF_ALL]),
    (products_agree, &[&["aten.prod.default", "aten.prod.dim_int", "aten.mean.default"]]),
    (variances_agree, &[&VARIANCES]),
    (scans_agree, &[&SCANS]),
    (lines_are_sorted, &[&SORTS]),
    (long_lines_are_sorted, &[&["aten.sort.default", "aten.topk.default"]]),
    (sums_agree, &[&SUMS]),
    (extremes_agree, &[&EXTREMES]),
    (positions_agree, &[&POSITIONS]),
    (softmax_agrees, &[&SOFTMAXES]),
];

proptest! {
    #![proptest_config(config_of(2))]

    #[test]
    fn sums_agree((dims, reduced) in reductions(), keep: bool, from in float_type(), to in float_type(), seed: u64) {
        let args = [TestArg::Input(floats(from, &dims, seed)), TestArg::Ints(reduced), TestArg::Bool(keep)];
        for op in SUMS {
            agree(op, &args, &[to])?;
        }
    }

    #[test]
    fn some_are_true((dims, reduced) in reductions(), keep: bool, rare: bool, dtype in any_type(), seed: u64) {
        let values = integers(DType::I32, &dims, if rare { -1..400 } else { 0..3 }, seed).to_i64s();
        let values = values.into_iter().map(|value| i64::from(value <= 0));
        let input = HostTensor::from_i64s(dtype, Shape::new(&dims).expect("a small shape"), values).expect("as many");
        let args = [TestArg::Input(input), TestArg::Ints(reduced), TestArg::Bool(keep)];
        for (op, args) in ANY.iter().zip([&args[..1], &args, &args]) {
            agree(op, args, &[DType::Bool])?;
        }
    }

    #[test]
    fn the_best_are_found(
        dims in shapes(4),
        dim in -5i64..5,
        keep: bool,
        dtype in any_type(),
        seed: u64,
    ) {
        let input = TestArg::Input(if dtype.is_float() { coarse(dtype, &dims, true, seed) } else { small(dtype, &dims, seed) });
        let valid = within(&dims, dim) && (dims.is_empty() || has_choice(&dims, &[dim]));
        let args = [input.clone(), TestArg::Int(dim), TestArg::Bool(keep)];
        for (along, all) in BEST.iter().zip(BEST_OF_ALL) {
            agree_if(valid, along, &args, &[dtype, DType::I32])?;
            agree_if(has_choice(&dims, &[]), all, std::slice::from_ref(&input), &[dtype])?;
        }
    }

    #[test]
    fn products_agree(dims in shapes(4), dim in -4i64..4, keep: bool, whole: bool, seed: u64) {
        let (from, to) = if whole { (DType::U8, DType::I32) } else { (DType::F32, DType::F32) };
        // Factors near 1, so that products stay within the range of their type.
        let near = floats(DType::F32, &dims, seed).to_f64s().into_iter().map(|x| if whole { x.abs() } else { 1.0 + x / 1e3 });
        let input = HostTensor::from_f64s(from, Shape::new(&dims).expect("a small shape"), near).expect("as many");
        let deep = 1e-9 * input.shape().numel() as f64;
        let input = TestArg::Input(input);
        agree_deeply(deep, "aten.prod.default", &[input.clone(), TestArg::Null], &[to])?;
        agree("aten.mean.default", &[input.clone(), TestArg::Null], &[DType::F32])?;
        agree_if(within(&dims, dim), "aten.prod.dim_int", &[input, TestArg::Int(dim), TestArg::Bool(keep)], &[to])?;
    }

    #[test]
    fn variances_agree(
        (dims, reduced) in reductions(),
        keep: bool,
        unbiased: bool,
        far in prop::sample::select(vec![0.0, 30.0]),
        dtype in float_type(),
        seed: u64,
    ) {
        let values = floats(dtype, &dims, seed).to_f64s().into_iter().map(|x| x + far);
        let input = HostTensor::from_f64s(dtype, Shape::new(&dims).expect("a small shape"), values).expect("as many");
        let valid = has_choice(&dims, &reduced) && dims.iter().all(|&size| size > 0);
        prop_assume!(valid);
        let after = [TestArg::Ints(reduced), TestArg::Int(i64::from(unbiased)), TestArg::Bool(keep)];
        let args: Vec<_> = [TestArg::Input(input)].into_iter().chain(after).collect();
        agree(VARIANCES[0], &args, &[dtype])?;
        agree(VARIANCES[1], &args, &[dtype])?;
        agree(VARIANCES[2], &args, &[dtype, dtype])?;
    }

    #[test]
    fn scans_agree(dims in shapes(3), dim in -4i64..4, dtype in any_type(), seed: u64) {
        let to = if dtype.is_float() { DType::F32 } else { DType::I32 };
        let valid = within(&dims, dim);
        agree_if(valid, SCANS[0], &[TestArg::Input(small(dtype, &dims, seed)), TestArg::Int(dim)], &[to])?;
        let near = floats(DType::F32, &dims, seed).to_f64s().into_iter().map(|x| 1.0 + x / 1e3);
        let near = HostTensor::from_f64s(DType::F32, Shape::new(&dims).expect("a small shape"), near).expect("as many");
        agree_if(valid, SCANS[1], &[TestArg::Input(near), TestArg::Int(dim)], &[DType::F32])?;
        agree_if(valid, SCANS[1], &[TestArg::Input(small(dtype, &dims, seed)), TestArg::Int(dim)], &[to])?;
    }

    #[test]
    fn lines_are_sorted(
        dims in shapes(3),
        dim in -3i64..3,
        share in 0.0f64..1.2,
        descending: bool,
        dtype in any_type(),
        seed: u64,
    ) {
        let input = TestArg::Input(if dtype.is_float() { coarse(dtype, &dims, true, seed) } else { small(dtype, &dims, seed) });
        let (valid, types) = (within(&dims, dim), [dtype, DType::I32]);
        let down = TestArg::Bool(descending);
        agree_if(valid, SORTS[0], &[input.clone(), TestArg::Int(dim), down.clone()], &types)?;
        agree_if(valid, SORTS[1], &[input.clone(), TestArg::Null, TestArg::Int(dim), down.clone()], &types)?;
        let rank = i64::try_from(dims.len()).expect("a small rank");
        let axis = usize::try_from(if dim < 0 { dim + rank } else { dim });
        let size = axis.ok().and_then(|axis| dims.get(axis).copied()).unwrap_or(1);
        let size = i64::try_from(size).expect("a small size");
        #[expect(clippy::cast_possible_truncation, reason = "a part of a small size")]
        let count = (size as f64 * share) as i64;
        let fits = valid && count <= size && (count > 0 || !dims.is_empty());
        let args = [input, TestArg::Int(count), TestArg::Int(dim), down, TestArg::Bool(true)];
        agree_if(fits, SORTS[2], &args, &types)?;
    }

    /// Of few different numbers, so that equals are far apart.
    #[test]
    fn long_lines_are_sorted(
        length in prop_oneof![3 => 2049usize..6000, 1 => 66_000usize..70_000],
        (outer, inner) in (1usize..3, 1usize..3),
        share in 0.0f64..1.0,
        descending: bool,
        dtype in any_type(),
        seed: u64,
    ) {
        let dims = [outer, length, inner];
        let input = TestArg::Input(if dtype.is_float() { coarse(dtype, &dims, true, seed) } else { small(dtype, &dims, seed) });
        let (dim, down) = (TestArg::Int(1), TestArg::Bool(descending));
        agree(SORTS[0], &[input.clone(), dim.clone(), down.clone()], &[dtype, DType::I32])?;
        #[expect(clippy::cast_possible_truncation, reason = "a part of a small size")]
        let count = TestArg::Int((length as f64 * share) as i64);
        agree(SORTS[2], &[input, count, dim, down, TestArg::Bool(true)], &[dtype, DType::I32])?;
    }

    #[test]
    fn integer_sums_wrap((dims, reduced) in reductions(), keep: bool, to_float: bool, seed: u64) {
        let range = if to_float { -1000..1000 } else { i64::from(i32::MIN)..i64::from(i32::MAX) };
        let args = [
            TestArg::Input(integers(DType::I32, &dims, range, seed)),
            TestArg::Ints(reduced),
            TestArg::Bool(keep),
            TestArg::Null,
        ];
        agree(SUMS[0], &args, &[if to_float { DType::F32 } else { DType::I32 }])?;
    }

    #[test]
    fn extremes_agree((dims, reduced) in reductions(), keep: bool, dtype in float_type(), special: bool, seed: u64) {
        let valid = has_choice(&dims, &reduced);
        let args = [TestArg::Input(coarse(dtype, &dims, special, seed)), TestArg::Ints(reduced), TestArg::Bool(keep)];
        for op in EXTREMES {
            agree_if(valid, op, &args, &[dtype])?;
        }
    }

    #[test]
    fn integer_extremes_agree((dims, reduced) in reductions(), seed: u64) {
        let valid = has_choice(&dims, &reduced);
        let range = i64::from(i32::MIN)..i64::from(i32::MAX) + 1;
        let args = [TestArg::Input(integers(DType::I32, &dims, range, seed)), TestArg::Ints(reduced)];
        for op in EXTREMES {
            agree_if(valid, op, &args, &[DType::I32])?;
        }
    }

    #[test]
    fn positions_agree(dims in shapes(6), dim in prop::option::of(prop_oneof![3 => -1i64..1, 1 => -6i64..6]), keep: bool,
                       dtype in prop::sample::select(vec![DType::F32, DType::F16, DType::I32]), special: bool, seed: u64) {
        let special = special && dtype != DType::I32;
        let valid = match dim {
            Some(dim) => within(&dims, dim) && (dims.is_empty() || has_choice(&dims, &[dim])),
            None => has_choice(&dims, &[]),
        };
        let dim = dim.map_or(TestArg::Null, TestArg::Int);
        let args = [TestArg::Input(coarse(dtype, &dims, special, seed)), dim, TestArg::Bool(keep)];
        for op in POSITIONS {
            agree_if(valid, op, &args, &[DType::I32])?;
        }
    }

    #[test]
    fn softmax_agrees(dims in shapes(6), dim in prop_oneof![3 => -1i64..1, 1 => -6i64..6], from in float_type(),
                      to in float_type(), special: bool, seed: u64) {
        let input = if special { coarse(from, &dims, true, seed) } else { floats(from, &dims, seed) };
        let args = [TestArg::Input(input), TestArg::Int(dim), TestArg::Bool(from != to)];
        for op in SOFTMAXES {
            agree_if(within(&dims, dim), op, &args, &[to])?;
        }
    }
}

/// A long sum of numbers that are no sums of powers of two keeps its small terms.
#[test]
fn long_sums_are_accurate() {
    for dims in [vec![1, 300_007], vec![300_007, 1], vec![3001, 101]] {
        for op in SUMS {
            let input = HostTensor::from_f64s(DType::F32, Shape::new(&dims).unwrap(), vec![0.1; dims[0] * dims[1]]);
            let args = [TestArg::Input(input.unwrap()), TestArg::Ints(vec![]), TestArg::Bool(false)];
            let expected = run_op(&Device::cpu(), op, &args, &[DType::F32]).unwrap()[0].to_f64s()[0];
            let got = run_op(gpu(), op, &args, &[DType::F32]).unwrap()[0].to_f64s()[0];
            assert!((got - expected).abs() <= expected * 1e-6, "{op} of {dims:?}: {got}, expected {expected}");
        }
    }
}

/// Large differences neither overflow nor vanish.
#[test]
fn softmax_is_stable() {
    for scale in [1e4, 1e30] {
        let values = (0..500).map(|i| scale * f64::from(i % 7 - 3));
        let input = HostTensor::from_f64s(DType::F32, Shape::new(&[2, 250]).unwrap(), values).unwrap();
        for op in SOFTMAXES {
            let args = [TestArg::Input(input.clone()), TestArg::Int(-1), TestArg::Bool(false)];
            agree(op, &args, &[DType::F32]).expect("both engines agree");
        }
    }
}

/// More rows than fit one direction of a grid.
#[test]
fn many_rows_fold() {
    let input = floats(DType::F32, &[70_001, 33], 5);
    agree("aten.amax.default", &[TestArg::Input(input.clone()), TestArg::Ints(vec![1])], &[DType::F32]).unwrap();
    agree("aten._softmax.default", &[TestArg::Input(input), TestArg::Int(1), TestArg::Bool(false)], &[DType::F32])
        .unwrap();
}

/// A long row is reduced in parts, whose results are then reduced.
#[test]
fn long_rows_are_reduced_in_parts() {
    for (dims, dim) in [(vec![2, 100_003], 1), (vec![40_000, 3], 0), (vec![1, 3_000_000], 1)] {
        let ints = TestArg::Ints(vec![dim]);
        let positions = if dims[1] == 3_000_000 {
            vec![coarse(DType::F32, &dims, false, 1)]
        } else {
            vec![coarse(DType::F32, &dims, true, 1), coarse(DType::F16, &dims, false, 2), floats(DType::F32, &dims, 3)]
        };
        for input in positions {
            for op in POSITIONS {
                agree(op, &[TestArg::Input(input.clone()), TestArg::Int(dim)], &[DType::I32]).unwrap();
            }
            for op in EXTREMES {
                agree(op, &[TestArg::Input(input.clone()), ints.clone()], &[input.dtype()]).unwrap();
            }
        }
        for op in SUMS {
            // Sums of numbers of both signs lose what cancels, so these are positive.
            let values = floats(DType::F32, &dims, 4).to_f64s().into_iter().map(f64::abs);
            let input = HostTensor::from_f64s(DType::F32, Shape::new(&dims).unwrap(), values).unwrap();
            agree(op, &[TestArg::Input(input), ints.clone()], &[DType::F32]).unwrap();
        }
        let integers = integers(DType::I32, &dims, i64::from(i32::MIN)..i64::from(i32::MAX), 5);
        agree(SUMS[0], &[TestArg::Input(integers), ints], &[DType::I32]).unwrap();
    }
}

/// Distances whose squares are no floats any more, of terms that are all the same.
#[test]
fn variances_of_large_numbers() {
    let values = HostTensor::from_slice(&[1e20f32; 300], &[3, 100]).expect("as many");
    let args = [TestArg::Input(values), TestArg::Ints(vec![1]), TestArg::Int(1), TestArg::Bool(false)];
    agree("aten.var.correction", &args, &[DType::F32]).expect("both engines agree");
}
