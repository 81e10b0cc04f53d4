//! Chains of pointwise operators, over random links, and shapes that broadcast.

use proptest::prelude::*;
use pteron_ops::{Chain, ChainArg};
use pteron_runtime::testing::TestArg;
use pteron_runtime::{DType, HostTensor};

use crate::support::{Properties, agree, config, floats};

/// Links of two tensors, and of one with its numbers.
const BINARY: &[&str] = &["aten.add.Tensor", "aten.sub.Tensor", "aten.mul.Tensor", "aten.maximum.default"];
const UNARY: &[(&str, &[f64])] = &[
    ("aten.sigmoid.default", &[]),
    ("aten.relu.default", &[]),
    ("aten.tanh.default", &[]),
    ("aten.hardswish.default", &[]),
    ("aten.clamp.default", &[-0.5, 0.75]),
    ("aten.mul.Scalar", &[0.5]),
    ("aten.silu.default", &[]),
];

pub(crate) const PROPERTIES: Properties =
    &[(links_follow_each_other, &[&[Chain::NAME]]), (choices_take_any_operand, &[&[Chain::NAME]])];

/// The chain of operators that take what came before, which is the second operand where a link is turned.
fn chain(links: &[(bool, bool, usize)]) -> Chain {
    let mut chain = Chain::of("aten.neg.default", &[ChainArg::Tensor(0)]).expect("a link");
    for (number, &(binary, turned, choice)) in (0u32..).zip(links) {
        let (before, other) = (ChainArg::Tensor(100 + number), ChainArg::Tensor(number % 3));
        let next = if binary {
            let args = if turned { [other, before] } else { [before, other] };
            Chain::of(BINARY[choice % BINARY.len()], &args)
        } else {
            let (op, numbers) = UNARY[choice % UNARY.len()];
            let numbers = numbers.iter().map(|&number| ChainArg::Number(number));
            Chain::of(op, &[before].into_iter().chain(numbers).collect::<Vec<_>>())
        };
        chain = next.expect("a link").after(100 + number, &chain).expect("a chain");
    }
    chain
}

/// The arguments of a chain whose inputs are these tensors, by value.
fn arguments(chain: &Chain, tensors: &[HostTensor]) -> Vec<TestArg> {
    let (words, numbers) = chain.write();
    let inputs = chain.inputs.iter().map(|&input| tensors[input as usize].clone()).collect();
    vec![TestArg::Inputs(inputs), TestArg::Ints(words), TestArg::Doubles(numbers)]
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn links_follow_each_other(
        links in prop::collection::vec((any::<bool>(), any::<bool>(), 0usize..100), 1..4),
        (rows, columns) in (1usize..7, prop_oneof![Just(0usize), Just(1), 2usize..40]),
        repeated: bool,
        seed: u64,
    ) {
        let column = if repeated { [rows, 1] } else { [rows, columns] };
        let tensors = [
            floats(DType::F32, &[2, rows, columns], seed),
            floats(DType::F32, &column, seed.wrapping_add(1)),
            floats(DType::F32, &[1], seed.wrapping_add(2)),
        ];
        agree(Chain::NAME, &arguments(&chain(&links), &tensors), &[DType::F32])?;
    }

    #[test]
    fn choices_take_any_operand(columns in 1usize..40, operand in 0u32..3, truth: bool, seed: u64) {
        use ChainArg::Tensor;
        let tensors: Vec<_> = (0..4).map(|number| floats(DType::F32, &[3, columns], seed.wrapping_add(number))).collect();
        let choice = Chain::of("aten.where.self", &[Tensor(10), Tensor(11), Tensor(12)]).expect("a link");
        let compared = Chain::of("aten.ge.Tensor", &[Tensor(0), Tensor(1)]).expect("a link");
        let chain = choice.after(10 + operand, &compared).expect("a chain");
        let tensors: Vec<_> = (0..13)
            .map(|value| {
                let tensor = tensors[value % 4].clone();
                if value == 10 || (truth && value > 10) { tensor.cast(DType::Bool) } else { tensor }
            })
            .collect();
        // What a choice gives is of the type of what it chooses from.
        let output = if truth { DType::Bool } else { DType::F32 };
        agree(Chain::NAME, &arguments(&chain, &tensors), &[output])?;
    }
}
