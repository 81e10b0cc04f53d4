//! Reductions and softmax over random shapes and dimensions.

use proptest::prelude::*;
use pteron_runtime::testing::{TestArg, run_op};
use pteron_runtime::{DType, Device, HostTensor, Shape};

use crate::support::{Properties, agree, agree_if, config_of, floats, gpu, integers, sizes};

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

pub(crate) const PROPERTIES: Properties = &[
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
