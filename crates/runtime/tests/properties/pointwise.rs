//! Element-by-element operators over random broadcasts, types and special values.

use proptest::prelude::*;
use pteron_runtime::testing::TestArg;
use pteron_runtime::{DType, HostTensor, Shape};

use crate::support::{Properties, agree, agree_if, config, config_of, floats, integers, random, sizes};

/// Shapes that broadcast: each takes some of the sizes and repeats others.
fn broadcast(operands: usize) -> impl Strategy<Value = Vec<Vec<usize>>> {
    sizes(0..6).prop_flat_map(move |dims| {
        let rank = dims.len();
        let side = (prop::collection::vec(prop::bool::weighted(0.3), rank), prop_oneof![3 => Just(0), 1 => 0..=rank]);
        (Just(dims), prop::collection::vec(side, operands)).prop_map(|(dims, sides)| {
            let shape = |(ones, skip): (Vec<bool>, usize)| {
                let sizes = dims.iter().zip(ones).map(|(&size, one)| if one { 1 } else { size });
                sizes.skip(skip).collect()
            };
            sides.into_iter().map(shape).collect()
        })
    })
}

fn numeric() -> impl Strategy<Value = DType> {
    prop::sample::select(vec![DType::F32, DType::F32, DType::F16, DType::I32, DType::I8, DType::U8])
}

fn any_type() -> impl Strategy<Value = DType> {
    prop::sample::select(vec![DType::F32, DType::F16, DType::I32, DType::I8, DType::U8, DType::Bool])
}

/// Small numbers of any type, of which many are equal.
fn tensor(dtype: DType, dims: &[usize], seed: u64) -> HostTensor {
    match dtype {
        DType::F32 | DType::F16 if seed.is_multiple_of(2) => floats(dtype, dims, seed),
        DType::Bool => integers(dtype, dims, 0..2, seed),
        DType::U8 => integers(dtype, dims, 0..256, seed),
        _ => integers(dtype, dims, -6..7, seed),
    }
}

const SPECIAL: [f64; 16] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    1.5,
    2.5,
    -2.5,
    3.0,
    1e-3,
    20.0,
    -20.0,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
];

/// Floats from everywhere: zeros, whole numbers, halves, tiny and huge ones, infinities and NaN.
pub(crate) fn special(dims: &[usize], seed: u64) -> HostTensor {
    let shape = Shape::new(dims).expect("a small shape");
    let values = random(seed).take(shape.numel()).map(|bits| SPECIAL[usize::try_from(bits % 16).expect("below 16")]);
    HostTensor::from_f64s(DType::F32, shape, values).expect("values fill the shape")
}

const ARITHMETIC: [&str; 5] =
    ["aten.add.Tensor", "aten.sub.Tensor", "aten.mul.Tensor", "aten.minimum.default", "aten.maximum.default"];
/// Operators of a tensor and a number, which integers keep their type under.
const WITH_NUMBER: [&str; 5] =
    ["aten.add.Scalar", "aten.sub.Scalar", "aten.mul.Scalar", "aten.rsub.Scalar", "aten.remainder.Scalar"];
const BITWISE_WITH_NUMBER: [&str; 3] = ["aten.bitwise_and.Scalar", "aten.bitwise_or.Scalar", "aten.bitwise_xor.Scalar"];
/// Operators that make a tensor of one number.
const FILLS: [&str; 10] = [
    "aten.empty.memory_format",
    "dim_order_ops._empty_dim_order.default",
    "aten.full.default",
    "aten.full_like.default",
    "aten.fill.Scalar",
    "aten.scalar_tensor.default",
    "aten.ones.default",
    "aten.ones_like.default",
    "aten.zeros.default",
    "aten.zeros_like.default",
];
/// Operators that give the elements of a tensor as they are, in the type that the program declares.
const COPIES: [&str; 9] = [
    "aten._to_copy.default",
    "dim_order_ops._to_dim_order_copy.default",
    "aten.clone.default",
    "aten.alias_copy.default",
    "aten.detach_copy.default",
    "aten.lift_fresh_copy.default",
    "dim_order_ops._clone_dim_order.default",
    "et_copy._d2h_copy.default",
    "et_copy._h2d_copy.default",
];
const COMPARISONS: [&str; 6] =
    ["aten.eq.Tensor", "aten.ne.Tensor", "aten.lt.Tensor", "aten.le.Tensor", "aten.gt.Tensor", "aten.ge.Tensor"];
const SCALAR_COMPARISONS: [&str; 6] =
    ["aten.eq.Scalar", "aten.ne.Scalar", "aten.lt.Scalar", "aten.le.Scalar", "aten.gt.Scalar", "aten.ge.Scalar"];
const LOGICAL: [&str; 3] = ["aten.logical_and.default", "aten.logical_or.default", "aten.logical_xor.default"];
const BITWISE: [&str; 3] = ["aten.bitwise_and.Tensor", "aten.bitwise_or.Tensor", "aten.bitwise_xor.Tensor"];
const SHIFTS: [[&str; 2]; 2] = [
    ["aten.bitwise_left_shift.Tensor", "aten.bitwise_right_shift.Tensor"],
    ["aten.bitwise_left_shift.Tensor_Scalar", "aten.bitwise_right_shift.Tensor_Scalar"],
];
const DIVISIONS: [(&str, TestArg); 5] = [
    ("aten.div.Tensor_mode", TestArg::Str("floor")),
    ("aten.div.Tensor_mode", TestArg::Str("trunc")),
    ("aten.floor_divide.default", TestArg::Null),
    ("aten.remainder.Tensor", TestArg::Null),
    ("aten.fmod.Tensor", TestArg::Null),
];
/// Operators that integers have too.
const UNARY: [&str; 9] = [
    "aten.abs.default",
    "aten.neg.default",
    "aten.relu.default",
    "aten.square.default",
    "aten.round.default",
    "aten.floor.default",
    "aten.ceil.default",
    "aten.trunc.default",
    "aten.sign.default",
];
pub(crate) fn input(tensor: HostTensor) -> TestArg {
    TestArg::Input(tensor)
}

/// Whether a shape can be repeated to another.
fn repeats_to(from: &[usize], to: &[usize]) -> bool {
    from.len() <= to.len() && from.iter().rev().zip(to.iter().rev()).all(|(&from, &to)| from == 1 || from == to)
}

pub(crate) const PROPERTIES: Properties = &[
    (arithmetic_broadcasts, &[&ARITHMETIC]),
    (numbers_stand_for_tensors, &[&ARITHMETIC, &WITH_NUMBER]),
    (numbers_divide_and_are_raised, &[&["aten.div.Scalar", "aten.div.Scalar_mode", "aten.pow.Scalar"]]),
    (comparisons_give_truth_values, &[&COMPARISONS]),
    (comparisons_take_numbers, &[&SCALAR_COMPARISONS]),
    (logic_reads_any_type, &[&LOGICAL, &["aten.logical_not.default"]]),
    (bits_move, &[&SHIFTS[0], &SHIFTS[1]]),
    (angles_of_points, &[&["aten.atan2.default"]]),
    (bounds_may_differ, &[&["aten.clamp.Tensor"]]),
    (bits_combine, &[&BITWISE, &BITWISE_WITH_NUMBER, &["aten.bitwise_not.default"]]),
    (
        quotients_round,
        &[&["aten.div.Tensor_mode", "aten.floor_divide.default", "aten.remainder.Tensor", "aten.fmod.Tensor"]],
    ),
    (one_operand, &[&UNARY]),
    (types_convert, &[&COPIES]),
    (division_makes_floats_of_integers, &[&["aten.div.Tensor", "aten.div.Tensor_mode"]]),
    (powers_of_any_base, &[&["aten.pow.Tensor_Tensor", "aten.pow.Tensor_Scalar"]]),
    (gelu_has_two_forms, &[&["aten.gelu.default"]]),
    (bounds, &[&["aten.clamp.default", "aten.hardtanh.default"]]),
    (slopes_are_tensors, &[&["aten._prelu_kernel.default"]]),
    (where_chooses, &[&["aten.where.self"]]),
    (masks_fill, &[&["aten.masked_fill.Scalar"]]),
    (one_element_fills, &[&["aten.fill.Tensor"]]),
    (fills, &[&FILLS]),
    (ranges, &[&["aten.arange.default", "aten.arange.start", "aten.arange.start_step"]]),
    (copies_repeat, &[&["aten.copy.default", "aten.copy_.default"]]),
    (odd_numbers_are_found, &[&["aten.isnan.default", "aten.isinf.default"]]),
];

proptest! {
    #![proptest_config(config_of(4))]

    #[test]
    fn arithmetic_broadcasts(shapes in broadcast(2), dtype in numeric(), seed: u64) {
        let args = [input(tensor(dtype, &shapes[0], seed)), input(tensor(dtype, &shapes[1], seed ^ 7))];
        for op in ARITHMETIC {
            agree(op, &args, &[dtype])?;
        }
    }

    #[test]
    fn slopes_are_tensors(shapes in broadcast(2), dtype in prop::sample::select(vec![DType::F32, DType::F16]), seed: u64) {
        let args = [input(tensor(dtype, &shapes[0], seed)), input(tensor(dtype, &shapes[1], seed ^ 7))];
        agree("aten._prelu_kernel.default", &args, &[dtype])?;
    }

    #[test]
    fn integers_wrap(shapes in broadcast(2), seed: u64) {
        let range = i64::from(i32::MIN)..i64::from(i32::MAX);
        let args = [
            input(integers(DType::I32, &shapes[0], range.clone(), seed)),
            input(integers(DType::I32, &shapes[1], range, seed ^ 1)),
        ];
        for op in ARITHMETIC {
            agree(op, &args, &[DType::I32])?;
        }
    }

    #[test]
    fn numbers_stand_for_tensors(
        dims in sizes(0..4),
        number in prop_oneof![(-9i64..9).prop_map(TestArg::Int), (-3.0f64..3.0).prop_map(TestArg::Double)],
        first: bool,
        dtype in prop::sample::select(vec![DType::F32, DType::I32]),
        seed: u64,
    ) {
        let whole = matches!(number, TestArg::Int(_));
        let output = if whole { dtype } else { DType::F32 };
        let tensor = input(tensor(dtype, &dims, seed));
        for op in WITH_NUMBER {
            agree(op, &[tensor.clone(), number.clone()], &[output])?;
        }
        let args = if first { [number, tensor] } else { [tensor, number] };
        for op in ARITHMETIC {
            agree(op, &args, &[output])?;
        }
    }

    #[test]
    fn numbers_divide_and_are_raised(dims in sizes(0..4), whole in 1i64..7, negative: bool, seed: u64) {
        let number = if negative { -whole } else { whole };
        for dtype in [DType::F32, DType::I32] {
            let x = input(tensor(dtype, &dims, seed));
            agree("aten.div.Scalar", &[x.clone(), TestArg::Int(number)], &[DType::F32])?;
            for mode in ["floor", "trunc"] {
                let args = [x.clone(), TestArg::Int(number), TestArg::Str(mode)];
                agree("aten.div.Scalar_mode", &args, &[dtype])?;
            }
        }
        let x = input(floats(DType::F32, &dims, seed));
        agree("aten.div.Scalar", &[x.clone(), TestArg::Double(number as f64 / 4.0)], &[DType::F32])?;
        agree("aten.pow.Scalar", &[TestArg::Double(whole as f64 / 2.0), x], &[DType::F32])?;
        let whole_exponents = input(integers(DType::F32, &dims, -4..6, seed));
        agree("aten.pow.Scalar", &[TestArg::Int(number), whole_exponents], &[DType::F32])?;
    }

    #[test]
    fn comparisons_give_truth_values(
        shapes in broadcast(2),
        types in prop_oneof![any_type().prop_map(|dtype| (dtype, dtype)), (any_type(), any_type())],
        seed: u64,
    ) {
        let args = [input(tensor(types.0, &shapes[0], seed)), input(tensor(types.1, &shapes[1], seed ^ 3))];
        for op in COMPARISONS {
            agree(op, &args, &[DType::Bool])?;
        }
    }

    #[test]
    fn special_values_compare_as_ieee_says(shapes in broadcast(2), seed: u64) {
        let args = [input(special(&shapes[0], seed)), input(special(&shapes[1], seed ^ 3))];
        for op in COMPARISONS.iter().chain(&LOGICAL) {
            agree(op, &args, &[DType::Bool])?;
        }
    }

    #[test]
    fn comparisons_take_numbers(
        dims in sizes(0..5),
        number in prop_oneof![
            (-6i64..7).prop_map(TestArg::Int),
            prop::sample::select(vec![0.1, 0.5, 2.0, 1e30, f64::INFINITY, f64::NAN]).prop_map(TestArg::Double),
        ],
        dtype in any_type(),
        seed: u64,
    ) {
        for op in SCALAR_COMPARISONS {
            agree(op, &[input(tensor(dtype, &dims, seed)), number.clone()], &[DType::Bool])?;
        }
    }

    #[test]
    fn logic_reads_any_type(shapes in broadcast(2), types in (any_type(), any_type()), seed: u64) {
        let args = [input(tensor(types.0, &shapes[0], seed)), input(tensor(types.1, &shapes[1], seed ^ 3))];
        for op in LOGICAL {
            agree(op, &args, &[DType::Bool])?;
        }
        agree("aten.logical_not.default", &args[..1], &[DType::Bool])?;
    }

    #[test]
    fn bits_combine(shapes in broadcast(2), dtype in any_type(), number in -9i64..9, seed: u64) {
        // Floats have no bits to combine, and a truth value none but one.
        let valid = !dtype.is_float();
        let number = if dtype == DType::Bool { TestArg::Bool(number > 0) } else { TestArg::Int(number) };
        let args = [input(tensor(dtype, &shapes[0], seed)), input(tensor(dtype, &shapes[1], seed ^ 3))];
        for op in BITWISE {
            agree_if(valid, op, &args, &[dtype])?;
        }
        for op in BITWISE_WITH_NUMBER {
            agree_if(valid, op, &[args[0].clone(), number.clone()], &[dtype])?;
        }
        agree_if(valid, "aten.bitwise_not.default", &args[..1], &[dtype])?;
    }

    #[test]
    fn quotients_round(
        shapes in broadcast(2),
        dtype in prop::sample::select(vec![DType::F32, DType::I32, DType::I8]),
        seed: u64,
    ) {
        for (op, mode) in DIVISIONS {
            let args = [input(tensor(dtype, &shapes[0], seed)), input(tensor(dtype, &shapes[1], seed ^ 3)), mode];
            agree(op, &args, &[dtype])?;
        }
    }

    #[test]
    fn one_operand(dims in sizes(0..5), dtype in numeric(), seed: u64) {
        for op in UNARY {
            agree(op, &[input(tensor(dtype, &dims, seed))], &[dtype])?;
            agree(op, &[input(special(&dims, seed))], &[DType::F32])?;
        }
    }

    #[test]
    fn types_convert(dims in sizes(0..5), from in any_type(), to in any_type(), seed: u64) {
        for op in COPIES {
            agree(op, &[input(tensor(from, &dims, seed))], &[to])?;
        }
        // What is beyond 16 bits need not round alike.
        if to != DType::F16 {
            let far = special(&dims, seed).to_f64s().into_iter().map(|x| x * 1e12);
            let far = HostTensor::from_f64s(DType::F32, Shape::new(&dims).expect("a small shape"), far).expect("as many");
            agree("aten._to_copy.default", &[input(far)], &[to])?;
        }
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn sums_scale_the_second_operand(
        shapes in broadcast(2),
        op in prop::sample::select(&ARITHMETIC[..2]),
        alpha in prop_oneof![(-3i64..4).prop_map(TestArg::Int), (-3.0f64..3.0).prop_map(TestArg::Double)],
        dtype in prop::sample::select(vec![DType::F32, DType::F16]),
        seed: u64,
    ) {
        let args = [input(floats(dtype, &shapes[0], seed)), input(floats(dtype, &shapes[1], seed ^ 1)), alpha];
        agree(op, &args, &[dtype])?;
    }

    #[test]
    fn operands_of_other_types_are_converted(
        shapes in broadcast(2),
        op in prop::sample::select(&ARITHMETIC[..]),
        types in (any_type(), any_type(), any_type()),
        seed: u64,
    ) {
        // Floats do not become integers on the way.
        let valid = types.2.is_float() || !(types.0.is_float() || types.1.is_float());
        let args = [input(tensor(types.0, &shapes[0], seed)), input(tensor(types.1, &shapes[1], seed ^ 3))];
        agree_if(valid, op, &args, &[types.2])?;
    }

    #[test]
    fn copies_repeat(shapes in broadcast(2), (into, from) in (any_type(), any_type()), seed: u64) {
        let valid = repeats_to(&shapes[1], &shapes[0]);
        let args = [input(tensor(into, &shapes[0], seed)), input(tensor(from, &shapes[1], seed ^ 3))];
        agree_if(valid, "aten.copy.default", &args, &[into])?;
        agree_if(valid, "aten.copy_.default", &args, &[into])?;
    }

    #[test]
    fn one_element_fills(dims in sizes(0..4), ones in 0usize..3, (into, from) in (any_type(), any_type()), seed: u64) {
        let args = [input(tensor(into, &dims, seed)), input(tensor(from, &vec![1; ones], seed ^ 3))];
        agree("aten.fill.Tensor", &args, &[into])?;
    }

    #[test]
    fn masks_fill(
        shapes in broadcast(2),
        dtype in any_type(),
        number in prop_oneof![(-9i64..9).prop_map(TestArg::Int), (-3.0f64..3.0).prop_map(TestArg::Double)],
        seed: u64,
    ) {
        let mask = input(integers(DType::Bool, &shapes[1], 0..2, seed));
        agree("aten.masked_fill.Scalar", &[input(tensor(dtype, &shapes[0], seed ^ 1)), mask, number], &[dtype])?;
    }

    #[test]
    fn bits_move(shapes in broadcast(2), dtype in any_type(), places in -3i64..40, seed: u64) {
        // PyTorch shifts no truth values: it makes integers of them first.
        prop_assume!(dtype != DType::Bool);
        let valid = !dtype.is_float();
        let args = [input(tensor(dtype, &shapes[0], seed)), input(tensor(dtype, &shapes[1], seed ^ 3))];
        for [by_tensor, by_number] in [[SHIFTS[0][0], SHIFTS[1][0]], [SHIFTS[0][1], SHIFTS[1][1]]] {
            agree_if(valid, by_tensor, &args, &[dtype])?;
            agree_if(valid, by_number, &[args[0].clone(), TestArg::Int(places)], &[dtype])?;
        }
    }

    #[test]
    fn angles_of_points(shapes in broadcast(2), odd: bool, seed: u64) {
        let tensor = |dims: &[usize], seed| if odd { special(dims, seed) } else { floats(DType::F32, dims, seed) };
        let args = [input(tensor(&shapes[0], seed)), input(tensor(&shapes[1], seed ^ 3))];
        agree("aten.atan2.default", &args, &[DType::F32])?;
    }

    #[test]
    fn bounds_may_differ(shapes in broadcast(3), dtype in numeric(), sides in 0u8..4, odd: bool, seed: u64) {
        let special = |dims: &[usize], seed| {
            if odd && dtype == DType::F32 { special(dims, seed) } else { tensor(dtype, dims, seed) }
        };
        let bound = |side: u8, dims: &[usize], seed| {
            if sides >> side & 1 == 1 { input(special(dims, seed)) } else { TestArg::Null }
        };
        let args = [input(special(&shapes[0], seed)), bound(0, &shapes[1], seed ^ 1), bound(1, &shapes[2], seed ^ 2)];
        agree_if(sides != 0, "aten.clamp.Tensor", &args, &[dtype])?;
    }

    #[test]
    fn remainders_are_exact_at_any_distance(
        dims in sizes(1..3),
        op in prop::sample::select(vec!["aten.remainder.Tensor", "aten.fmod.Tensor"]),
        scale in -20i32..20,
        seed: u64,
    ) {
        let shape = Shape::new(&dims).expect("a small shape");
        let far = floats(DType::F32, &dims, seed).to_f64s().into_iter().map(|x| x * 2f64.powi(scale));
        let far = HostTensor::from_f64s(DType::F32, shape, far).expect("values fill the shape");
        agree(op, &[input(far), input(floats(DType::F32, &dims, seed ^ 1))], &[DType::F32])?;
        agree(op, &[input(special(&dims, seed)), input(special(&dims, seed ^ 1))], &[DType::F32])?;
    }

    #[test]
    fn division_makes_floats_of_integers(shapes in broadcast(2), types in (numeric(), numeric()), seed: u64) {
        let args = [input(tensor(types.0, &shapes[0], seed)), input(tensor(types.1, &shapes[1], seed ^ 3))];
        agree("aten.div.Tensor", &args, &[DType::F32])?;
        agree("aten.div.Tensor_mode", &[args[0].clone(), args[1].clone(), TestArg::Null], &[DType::F32])?;
    }

    #[test]
    fn powers_of_any_base(shapes in broadcast(2), exponent in -6.0f64..6.0, whole: bool, seed: u64) {
        let bases = tensor(DType::F32, &shapes[0], seed);
        let exponents = if whole { integers(DType::F32, &shapes[1], -5..9, seed) } else { floats(DType::F32, &shapes[1], seed) };
        agree("aten.pow.Tensor_Tensor", &[input(bases.clone()), input(exponents)], &[DType::F32])?;
        let exponent = if whole { exponent.round() } else { exponent };
        agree("aten.pow.Tensor_Scalar", &[input(bases), TestArg::Double(exponent)], &[DType::F32])?;
        let whole = |dims, seed| input(integers(DType::I32, dims, -4..8, seed));
        agree("aten.pow.Tensor_Tensor", &[whole(&shapes[0], seed), whole(&shapes[1], seed ^ 1)], &[DType::I32])?;
    }

    #[test]
    fn minimum_keeps_nan(shapes in broadcast(2), op in prop::sample::select(&ARITHMETIC[3..5]), seed: u64) {
        agree(op, &[input(special(&shapes[0], seed)), input(special(&shapes[1], seed ^ 3))], &[DType::F32])?;
    }

    #[test]
    fn gelu_has_two_forms(dims in sizes(0..5), tanh: bool, dtype in numeric(), seed: u64) {
        let output = if dtype == DType::F16 { DType::F16 } else { DType::F32 };
        let args = [input(tensor(dtype, &dims, seed)), TestArg::Str(if tanh { "tanh" } else { "none" })];
        agree("aten.gelu.default", &args, &[output])?;
    }

    #[test]
    fn bounds(
        dims in sizes(0..5),
        low in prop::option::of(-3i64..3),
        high in prop::option::of(-3i64..3),
        dtype in numeric(),
        seed: u64,
    ) {
        let bound = |bound: Option<i64>| bound.map_or(TestArg::Null, TestArg::Int);
        agree("aten.clamp.default", &[input(tensor(dtype, &dims, seed)), bound(low), bound(high)], &[dtype])?;
        agree("aten.clamp.default", &[input(special(&dims, seed)), bound(low), bound(high)], &[DType::F32])?;
        let number = |bound: Option<i64>, other: f64| TestArg::Double(bound.map_or(other, |bound| bound as f64 / 2.0));
        let args = [input(tensor(dtype, &dims, seed)), number(low, f64::MIN), number(high, f64::MAX)];
        agree("aten.hardtanh.default", &args, &[if dtype == DType::F16 { DType::F16 } else { DType::F32 }])?;
    }

    #[test]
    fn where_chooses(shapes in broadcast(3), types in (any_type(), any_type()), mixed: bool, seed: u64) {
        let (dtype, other) = types;
        let valid = dtype.is_float() || !(mixed && other.is_float());
        let args = [
            input(integers(DType::Bool, &shapes[0], 0..2, seed)),
            input(tensor(dtype, &shapes[1], seed ^ 1)),
            input(tensor(if mixed { other } else { dtype }, &shapes[2], seed ^ 2)),
        ];
        agree_if(valid, "aten.where.self", &args, &[dtype])?;
    }

    #[test]
    fn fills(
        dims in prop::collection::vec(0i64..7, 0..5),
        number in prop_oneof![
            any::<bool>().prop_map(TestArg::Bool),
            (-300i64..300).prop_map(TestArg::Int),
            prop::sample::select(vec![0.25, -7.75, 1e20, f64::INFINITY, f64::NEG_INFINITY]).prop_map(TestArg::Double),
        ],
        dtype in any_type(),
        seed: u64,
    ) {
        let sizes: Vec<_> = dims.iter().map(|&size| usize::try_from(size).expect("not negative")).collect();
        let like = input(tensor(DType::F32, &sizes, seed));
        agree("aten.full.default", &[TestArg::Ints(dims.clone()), number.clone()], &[dtype])?;
        agree("aten.full_like.default", &[like.clone(), number.clone()], &[dtype])?;
        agree("aten.fill.Scalar", &[like.clone(), number.clone()], &[dtype])?;
        agree("aten.scalar_tensor.default", &[number], &[dtype])?;
        for op in [FILLS[0], FILLS[1], "aten.ones.default", "aten.zeros.default"] {
            agree(op, &[TestArg::Ints(dims.clone())], &[dtype])?;
        }
        for op in ["aten.ones_like.default", "aten.zeros_like.default"] {
            agree(op, std::slice::from_ref(&like), &[dtype])?;
        }
    }

    #[test]
    fn ranges(start in -20i64..20, end in -20i64..20, step in -4i64..5, whole: bool, long in 0usize..2000) {
        // A range ends where it leads to.
        let leads = |step: i64| step != 0 && (end - start) * step >= 0;
        let numbers = [start, end, step].map(|x| if whole { TestArg::Int(x) } else { TestArg::Double(x as f64 * 0.75) });
        for dtype in [DType::F32, DType::F16, DType::I32] {
            if whole || dtype != DType::I32 {
                agree_if(leads(step), "aten.arange.start_step", &numbers, &[dtype])?;
                agree_if(leads(1), "aten.arange.start", &numbers[..2], &[dtype])?;
            }
        }
        agree("aten.arange.default", &[TestArg::Int(i64::try_from(long).expect("small"))], &[DType::I32])?;
    }
}

#[test]
fn odd_numbers_are_found() {
    for op in ["aten.isnan.default", "aten.isinf.default"] {
        agree(op, &[input(special(&[99], 4))], &[DType::Bool]).expect("both engines agree");
    }
}

/// Every pair of special values.
#[test]
fn powers_end_where_floats_do() {
    let tensor = |dims: &[usize]| {
        HostTensor::from_f64s(DType::F32, Shape::new(dims).expect("a small shape"), SPECIAL).expect("as many")
    };
    let (values, column) = (tensor(&[16]), tensor(&[16, 1]));
    for op in ["aten.pow.Tensor_Tensor", "aten.remainder.Tensor", "aten.fmod.Tensor", "aten.floor_divide.default"] {
        agree(op, &[input(values.clone()), input(column.clone())], &[DType::F32]).expect("both engines agree");
    }
}

/// Divisors so far below what is divided that their distance is no power of two that floats have. What remains is never below the
/// least normal number, which devices may take for 0.
#[test]
fn remainders_of_the_largest_numbers() {
    let of = |values: &[f32]| input(HostTensor::from_slice(values, &[values.len()]).expect("as many"));
    let (far, near) = (of(&[1e30, 3e38, -3e38, 1e20, 5e-38]), of(&[1e-10, 3.3e-38, 7e-30, -3e-20, 1.9e-38]));
    for op in ["aten.remainder.Tensor", "aten.fmod.Tensor"] {
        agree(op, &[far.clone(), near.clone()], &[DType::F32]).expect("both engines agree");
    }
}

/// More workgroups than fit one direction of a grid, whole words and a tail.
#[test]
fn grids_fold_past_the_limit_of_one_direction() {
    for numel in [17_000_000, 17_000_003] {
        let x = integers(DType::I8, &[numel], -9..9, 1);
        agree("aten.lt.Scalar", &[input(x), TestArg::Int(2)], &[DType::Bool]).expect("both engines agree");
    }
}

/// Operators of two operands in each way to go through them: both alike, in fours and not, one that repeats, and a number.
#[test]
fn operands_however_they_lie() {
    const SHAPES: [[&[usize]; 2]; 3] = [[&[4, 8], &[4, 8]], [&[3, 7], &[3, 7]], [&[3, 7], &[7]]];
    for dtype in [DType::F32, DType::F16, DType::I32] {
        for [left, right] in SHAPES {
            // Odd seeds give whole numbers.
            let tensors = [input(tensor(dtype, left, 1)), input(tensor(dtype, right, 3))];
            let number = [tensors[0].clone(), TestArg::Int(3)];
            for args in [tensors.to_vec(), number.to_vec()] {
                let check = |op: &str, args: &[TestArg], to| {
                    agree(op, args, &[to])
                        .unwrap_or_else(|error| panic!("{op} of {dtype}{left:?} and {right:?}: {error}"));
                };
                ARITHMETIC.iter().for_each(|op| check(op, &args, dtype));
                DIVISIONS
                    .iter()
                    .for_each(|(op, mode)| check(op, &[&args[..], std::slice::from_ref(mode)].concat(), dtype));
                if matches!(args[1], TestArg::Input(_)) {
                    COMPARISONS.iter().chain(&LOGICAL).for_each(|op| check(op, &args, DType::Bool));
                    if dtype == DType::I32 {
                        BITWISE.iter().for_each(|op| check(op, &args, dtype));
                    } else {
                        check("aten._prelu_kernel.default", &args, dtype);
                    }
                } else {
                    WITH_NUMBER.iter().for_each(|op| check(op, &args, dtype));
                    SCALAR_COMPARISONS.iter().for_each(|op| check(op, &args, DType::Bool));
                }
            }
        }
    }
}
