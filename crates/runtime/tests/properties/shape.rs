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
        dims in sizes(1..5),
        dim in -4i64..4,
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
    fn select_takes_one(dims in sizes(1..5), dim in -4i64..4, index in -8i64..8, dtype in any_type(), seed: u64) {
        let args = [TestArg::Input(tensor(dtype, &dims, seed)), TestArg::Int(dim), TestArg::Int(index)];
        agree("aten.select_copy.int", &args, &[dtype])?;
    }
}
