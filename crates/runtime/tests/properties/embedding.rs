//! `embedding_q4gsw` over random tables, group sizes, nibble orders and windows.

use proptest::prelude::*;
use pteron_runtime::testing::{TestArg, run_op};
use pteron_runtime::{DType, Device, DeviceChoice, DeviceOptions};

use crate::support::{Properties, agree, config, floats, integers};

const OP: &str = "et_vk.embedding_q4gsw.default";

fn table(rows: usize, groups: usize, group_size: usize, scales: DType, seed: u64) -> [TestArg; 3] {
    let columns = groups * group_size;
    [
        TestArg::Constant(integers(DType::U8, &[rows, columns / 2], 0..256, seed)),
        TestArg::Constant(floats(scales, &[rows, groups], seed + 1)),
        TestArg::Int(i64::try_from(group_size).expect("a small group")),
    ]
}

pub(crate) const PROPERTIES: Properties = &[(agrees_with_the_reference, &[&[OP]])];

proptest! {
    #![proptest_config(config())]

    #[test]
    fn agrees_with_the_reference(
        rows in 1usize..40,
        groups in 1usize..6,
        group_size in prop_oneof![1usize..20, Just(32), Just(64)],
        dims in prop::collection::vec(0usize..5, 0..4),
        low_first: bool,
        half: bool,
        seed: u64,
    ) {
        let group_size = if groups * group_size % 2 == 1 { group_size + 1 } else { group_size };
        let dtype = if half { DType::F16 } else { DType::F32 };
        let [weight, scales, group] = table(rows, groups, group_size, dtype, seed);
        let indices = integers(DType::I32, &dims, 0..i64::try_from(rows).expect("few rows"), seed + 2);
        agree(OP, &[weight, scales, group, TestArg::Input(indices), TestArg::Bool(low_first)], &[dtype])?;
    }
}

/// A device whose bindings are far smaller than a table looks it up in windows of rows.
#[test]
fn tables_larger_than_a_binding_are_split() {
    let options = DeviceOptions::new(DeviceChoice::Gpu).with_max_binding_bytes(64 << 10);
    let small = Device::open(options).expect("an adapter");
    let (rows, groups, group_size) = (3000, 8, 8);
    let [weight, scales, group] = table(rows, groups, group_size, DType::F32, 7);
    let indices = integers(DType::I32, &[200], 0..3000, 9);
    let args = [weight, scales, group, TestArg::Input(indices), TestArg::Bool(true)];
    let expected = run_op(&Device::cpu(), OP, &args, &[DType::F32]).expect("reference runs");
    let got = run_op(&small, OP, &args, &[DType::F32]).expect("split table runs");
    assert_eq!(got[0].as_slice::<f32>().unwrap(), expected[0].as_slice::<f32>().unwrap());
}

/// More workgroups than fit one direction of a grid.
#[test]
fn grids_fold_past_the_limit_of_one_direction() {
    let [weight, scales, group] = table(5, 1, 2, DType::F32, 3);
    let indices = integers(DType::I32, &[70_001], 0..5, 4);
    let args = [weight, scales, group, TestArg::Input(indices), TestArg::Bool(false)];
    agree(OP, &args, &[DType::F32]).expect("both engines agree");
}
