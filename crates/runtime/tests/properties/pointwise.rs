//! Operators of two tensors over random broadcasts.

use proptest::prelude::*;
use pteron_runtime::DType;
use pteron_runtime::testing::TestArg;

use crate::support::{agree, config, floats, integers, sizes};

/// Two shapes that broadcast: each takes some of the sizes and repeats others.
fn broadcast() -> impl Strategy<Value = (Vec<usize>, Vec<usize>)> {
    sizes(0..6).prop_flat_map(|dims| {
        let rank = dims.len();
        let side = (prop::collection::vec(any::<bool>(), rank), 0..=rank);
        (Just(dims), side.clone(), side).prop_map(|(dims, a, b)| {
            let shape = |(ones, skip): (Vec<bool>, usize)| {
                let sizes = dims.iter().zip(ones).map(|(&size, one)| if one { 1 } else { size });
                sizes.skip(skip).collect()
            };
            (shape(a), shape(b))
        })
    })
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn add_broadcasts((a, b) in broadcast(), alpha in -3.0f64..3.0, half: bool, seed: u64) {
        let dtype = if half { DType::F16 } else { DType::F32 };
        let args = [
            TestArg::Input(floats(dtype, &a, seed)),
            TestArg::Input(floats(dtype, &b, seed + 1)),
            TestArg::Double(alpha),
        ];
        agree("aten.add.Tensor", &args, &[dtype])?;
    }

    #[test]
    fn integers_wrap((a, b) in broadcast(), seed: u64) {
        let range = i64::from(i32::MIN)..i64::from(i32::MAX);
        let args = [
            TestArg::Input(integers(DType::I32, &a, range.clone(), seed)),
            TestArg::Input(integers(DType::I32, &b, range, seed + 1)),
        ];
        agree("aten.mul.Tensor", &args, &[DType::I32])?;
    }
}
