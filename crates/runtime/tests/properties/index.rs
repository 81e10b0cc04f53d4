//! Look-ups by index over random shapes, indices and every width of element.

use proptest::prelude::*;
use pteron_runtime::testing::{TestArg, run_op};
use pteron_runtime::{DType, Device, DeviceChoice, DeviceOptions, HostTensor, Shape};

use crate::support::{Properties, agree, agree_if, config, floats, gpu, integers, sizes};

fn any_type() -> impl Strategy<Value = DType> {
    prop::sample::select(vec![DType::F32, DType::F16, DType::I32, DType::U8, DType::I8, DType::Bool])
}

fn tensor(dtype: DType, dims: &[usize], seed: u64) -> HostTensor {
    let range = if dtype == DType::Bool { 0..2 } else { -100..100 };
    integers(dtype, dims, range, seed)
}

fn integer(value: usize) -> i64 {
    i64::try_from(value).expect("a small number")
}

/// Indices into a dimension of `size`, counted from either end where `signed`.
fn indices(dims: &[usize], size: usize, signed: bool, seed: u64) -> HostTensor {
    let size = integer(size);
    integers(DType::I32, dims, if signed { -size } else { 0 }..size, seed)
}

pub(crate) const PROPERTIES: Properties = &[
    (embedding_takes_rows, &[&["aten.embedding.default"]]),
    (index_select_takes_slices, &[&["aten.index_select.default"]]),
    (gather_picks_along_a_dimension, &[&["aten.gather.default"]]),
    (index_looks_dimensions_up, &[&["aten.index.Tensor"]]),
    (numbers_fall_between_boundaries, &[&["aten.bucketize.Tensor", "aten.bucketize.Scalar"]]),
    (values_are_put, &[&["aten.index_put.default", "aten.index_put_.default"]]),
    (values_scatter, &[&["aten.scatter.src", "aten.scatter.value", "aten.scatter_add.default"]]),
    (
        quantized_rows_have_zero_points,
        &[&[
            "quantized_decomposed.embedding_2bit.default",
            "quantized_decomposed.embedding_2bit.dtype",
            "quantized_decomposed.embedding_4bit.default",
            "quantized_decomposed.embedding_4bit.dtype",
            "quantized_decomposed.embedding_byte.default",
            "quantized_decomposed.embedding_byte.dtype",
        ]],
    ),
];

proptest! {
    #![proptest_config(config())]

    #[test]
    fn embedding_takes_rows(
        [rows, columns] in prop::array::uniform2(1usize..20),
        dims in sizes(0..4),
        dtype in any_type(),
        seed: u64,
    ) {
        let args = [
            TestArg::Constant(tensor(dtype, &[rows, columns], seed)),
            TestArg::Input(indices(&dims, rows, false, seed + 1)),
            TestArg::Int(-1),
            TestArg::Bool(false),
            TestArg::Bool(false),
        ];
        agree("aten.embedding.default", &args, &[dtype])?;
    }

    #[test]
    fn index_select_takes_slices(
        dims in sizes(0..6),
        dim in 0usize..6,
        count in 0usize..7,
        negative: bool,
        dtype in any_type(),
        seed: u64,
    ) {
        let rank = dims.len().max(1);
        let size = dims.get(dim % rank).copied().unwrap_or(1);
        let dim = if negative { integer(dim % rank) - integer(rank) } else { integer(dim % rank) };
        let args = [
            TestArg::Input(tensor(dtype, &dims, seed)),
            TestArg::Int(dim),
            TestArg::Input(indices(&[count], size, false, seed + 1)),
        ];
        // Nothing is selected from nothing, and a scalar is one element.
        let valid = if dims.is_empty() { count == 1 } else { size > 0 || count == 0 };
        agree_if(valid, "aten.index_select.default", &args, &[dtype])?;
    }

    #[test]
    fn gather_picks_along_a_dimension(
        dims in sizes(1..6),
        dim in 0usize..5,
        count in 0usize..9,
        shrink: u8,
        negative: bool,
        dtype in any_type(),
        seed: u64,
    ) {
        let dim = dim % dims.len();
        let shrunk = dims.iter().enumerate().map(|(d, &size)| size.saturating_sub(usize::from(shrink >> d & 1)));
        let mut picked: Vec<_> = shrunk.collect();
        picked[dim] = count;
        let args = [
            TestArg::Input(tensor(dtype, &dims, seed)),
            TestArg::Int(if negative { integer(dim) - integer(dims.len()) } else { integer(dim) }),
            TestArg::Input(indices(&picked, dims[dim], false, seed + 1)),
            TestArg::Bool(false),
        ];
        let valid = dims[dim] > 0 || picked.contains(&0);
        agree_if(valid, "aten.gather.default", &args, &[dtype])?;
    }

    /// Any dimensions looked up, together or apart, by indices that broadcast.
    #[test]
    fn index_looks_dimensions_up(
        dims in sizes(1..6),
        looked_up: u8,
        places in prop::collection::vec(1usize..4, 0..3),
        ones: u16,
        dtype in any_type(),
        seed: u64,
    ) {
        let list = dims.iter().zip(seed..).enumerate().map(|(d, (&size, seed))| {
            let shape = places.iter().enumerate().map(|(p, &size)| if ones >> (d * 3 + p) & 1 == 1 { 1 } else { size });
            (looked_up >> d & 1 == 1).then(|| indices(&shape.collect::<Vec<_>>(), size, true, seed))
        });
        let args = [TestArg::Input(tensor(dtype, &dims, seed)), TestArg::OptionalInputs(list.collect())];
        let looked_up: Vec<_> = dims.iter().enumerate().filter(|(d, _)| looked_up >> d & 1 == 1).collect();
        let valid = !looked_up.is_empty() && looked_up.iter().all(|(_, size)| **size > 0);
        agree_if(valid, "aten.index.Tensor", &args, &[dtype])?;
    }

    #[test]
    fn numbers_fall_between_boundaries(
        dims in sizes(0..4),
        count in 0usize..9,
        types in (any_type(), any_type()),
        right: bool,
        number in -120i64..120,
        seed: u64,
    ) {
        let mut boundaries = tensor(types.1, &[count], seed ^ 5).to_i64s();
        boundaries.sort_unstable();
        let shape = Shape::new(&[count]).expect("a small shape");
        let boundaries = TestArg::Input(HostTensor::from_i64s(types.1, shape, boundaries).expect("as many"));
        let after = [boundaries, TestArg::Bool(true), TestArg::Bool(right)];
        let args = |first| [first].into_iter().chain(after.clone()).collect::<Vec<_>>();
        agree("aten.bucketize.Tensor", &args(TestArg::Input(tensor(types.0, &dims, seed))), &[DType::I32])?;
        agree("aten.bucketize.Scalar", &args(TestArg::Int(number)), &[DType::I32])?;
    }

    /// Places that are named twice, values that repeat, and values that are added.
    #[test]
    fn values_are_put(
        dims in sizes(1..5),
        looked_up: u8,
        places in prop::collection::vec(1usize..4, 0..3),
        ones: u32,
        add: bool,
        dtype in any_type(),
        seed: u64,
    ) {
        let one = |bit: usize, size: usize| if ones >> bit & 1 == 1 { 1 } else { size };
        let list = dims.iter().zip(seed..).enumerate().map(|(d, (&size, seed))| {
            let shape: Vec<_> = places.iter().enumerate().map(|(p, &size)| one(d * 3 + p, size)).collect();
            (looked_up >> d & 1 == 1).then(|| indices(&shape, size, true, seed))
        });
        let list: Vec<_> = list.collect();
        let named: Vec<_> = (0..dims.len()).filter(|d| looked_up >> d & 1 == 1).collect();
        let valid = !named.is_empty() && named.iter().all(|&d| dims[d] > 0);
        // The shape of what is named: that of the places, where the dimensions that are looked up are, or first.
        let shared = (0..places.len()).map(|p| named.iter().map(|d| one(d * 3 + p, places[p])).max().unwrap_or(1));
        let together = named.windows(2).all(|pair| pair[1] == pair[0] + 1);
        let at = if together { named.first().copied().unwrap_or(0) } else { 0 };
        let kept: Vec<_> = (0..dims.len()).filter(|d| !named.contains(d)).map(|d| dims[d]).collect();
        let (before, after) = kept.split_at(at.min(kept.len()));
        let shape = before.iter().copied().chain(shared).chain(after.iter().copied());
        let shape: Vec<_> = shape.enumerate().map(|(d, size)| one(12 + d, size)).collect();
        let args = [
            TestArg::Input(tensor(dtype, &dims, seed)),
            TestArg::OptionalInputs(list),
            TestArg::Input(tensor(dtype, &shape, seed ^ 9)),
            TestArg::Bool(add),
        ];
        for op in ["aten.index_put.default", "aten.index_put_.default"] {
            agree_if(valid, op, &args, &[dtype])?;
        }
    }

    #[test]
    fn values_scatter(
        dims in sizes(1..5),
        dim in 0usize..4,
        count in 0usize..9,
        shrink: u8,
        number in -50i64..50,
        dtype in any_type(),
        seed: u64,
    ) {
        let dim = dim % dims.len();
        let shrunk = dims.iter().enumerate().map(|(d, &size)| size.saturating_sub(usize::from(shrink >> d & 1)));
        let mut picked: Vec<_> = shrunk.collect();
        picked[dim] = count;
        let valid = dims[dim] > 0 || picked.contains(&0);
        let larger: Vec<_> = picked.iter().enumerate().map(|(d, &size)| size + usize::from(shrink >> (d + 4) & 1)).collect();
        let before = [
            TestArg::Input(tensor(dtype, &dims, seed)),
            TestArg::Int(integer(dim)),
            TestArg::Input(indices(&picked, dims[dim], false, seed + 1)),
        ];
        let with = |last: TestArg| before.iter().cloned().chain([last]).collect::<Vec<_>>();
        let source = with(TestArg::Input(tensor(dtype, &larger, seed + 2)));
        agree_if(valid, "aten.scatter.src", &source, &[dtype])?;
        agree_if(valid, "aten.scatter_add.default", &source, &[dtype])?;
        agree_if(valid, "aten.scatter.value", &with(TestArg::Int(number)), &[dtype])?;
    }

    #[test]
    fn quantized_rows_have_zero_points(
        [rows, groups] in prop::array::uniform2(1usize..8),
        group_size in 1usize..9,
        flat: bool,
        zeros: bool,
        dims in sizes(0..3),
        half: bool,
        signed: bool,
        seed: u64,
    ) {
        let groups = if flat { 1 } else { groups };
        let dtype = if half { DType::F16 } else { DType::F32 };
        let shape = if flat { vec![rows] } else { vec![rows, groups] };
        for (bits, name) in [(2, "2bit"), (4, "4bit"), (8, "byte")] {
            let columns = groups * group_size * (8 / bits);
            let bytes = if bits == 8 && signed { (DType::I8, -128..128) } else { (DType::U8, 0..256) };
            let args = [
                TestArg::Constant(integers(bytes.0, &[rows, columns * bits / 8], bytes.1, seed)),
                TestArg::Constant(floats(dtype, &shape, seed + 1)),
                if zeros { TestArg::Constant(integers(dtype, &shape, -8..8, seed + 2)) } else { TestArg::Null },
                TestArg::Int(-1 << (bits - 1)),
                TestArg::Int((1 << (bits - 1)) - 1),
                TestArg::Input(indices(&dims, rows, false, seed + 3)),
                TestArg::Null,
            ];
            agree(&format!("quantized_decomposed.embedding_{name}.dtype"), &args, &[dtype])?;
            agree(&format!("quantized_decomposed.embedding_{name}.default"), &args[..6], &[dtype])?;
        }
    }
}

/// An index outside its dimension is an error that names it, on the host where the host knows it, and flagged by the
/// kernel where not.
#[test]
fn indices_outside_are_errors() {
    let table = TestArg::Constant(tensor(DType::F32, &[5, 3], 1));
    let bad = |index: i64| {
        HostTensor::from_i64s(DType::I32, Shape::new(&[2]).expect("a shape"), [4, index]).expect("two indices")
    };
    for (op, index, before) in [
        ("aten.embedding.default", 5, vec![]),
        ("aten.embedding.default", -1, vec![]),
        ("aten.index_select.default", 7, vec![TestArg::Int(0)]),
        ("aten.index_select.default", -2, vec![TestArg::Int(0)]),
        ("aten.index.Tensor", 5, vec![]),
        ("aten.index.Tensor", -6, vec![]),
    ] {
        for indices in [TestArg::Input(bad(index)), TestArg::Constant(bad(index))] {
            let args: Vec<_> = [table.clone()].into_iter().chain(before.clone()).chain([indices]).collect();
            for device in [&Device::cpu(), gpu()] {
                let error = run_op(device, op, &args, &[DType::F32]).expect_err("the index is outside").to_string();
                assert!(error.contains(&format!("index {index}")), "{op} on {}: {error}", device.name());
            }
        }
    }
}

#[test]
fn masks_are_refused() {
    let args = [
        TestArg::Input(tensor(DType::F32, &[5], 1)),
        TestArg::OptionalInputs(vec![Some(tensor(DType::Bool, &[5], 2))]),
    ];
    for device in [&Device::cpu(), gpu()] {
        let error = run_op(device, "aten.index.Tensor", &args, &[DType::F32]).expect_err("a mask").to_string();
        assert!(error.contains("mask"), "{error}");
    }
}

/// A device whose bindings are smaller than the input looks it up in windows, whatever their borders cut.
#[test]
fn inputs_larger_than_a_binding_are_split() {
    let options = DeviceOptions::new(DeviceChoice::Gpu).with_max_binding_bytes(64 << 10);
    let small = Device::open(options).expect("an adapter");
    for (dtype, rows, columns) in
        [(DType::F32, 3000, 7), (DType::F32, 3000, 8), (DType::U8, 30_000, 5), (DType::I8, 9000, 12)]
    {
        let args =
            [TestArg::Constant(tensor(dtype, &[rows, columns], 7)), TestArg::Input(indices(&[203], rows, false, 9))];
        let op = "aten.embedding.default";
        let expected = run_op(&Device::cpu(), op, &args, &[dtype]).expect("reference runs");
        let got = run_op(&small, op, &args, &[dtype]).expect("split table runs");
        assert_eq!(got[0].bytes(), expected[0].bytes(), "{dtype} {rows} × {columns}");
    }
}

/// A device whose bindings are far smaller than a quantized table looks it up in windows of rows.
#[test]
fn quantized_tables_larger_than_a_binding_are_split() {
    let options = DeviceOptions::new(DeviceChoice::Gpu).with_max_binding_bytes(64 << 10);
    let small = Device::open(options).expect("an adapter");
    let op = "quantized_decomposed.embedding_byte.default";
    let args = [
        TestArg::Constant(integers(DType::I8, &[3000, 64], -128..128, 7)),
        TestArg::Constant(floats(DType::F32, &[3000, 2], 8)),
        TestArg::Null,
        TestArg::Int(-128),
        TestArg::Int(127),
        TestArg::Input(indices(&[200], 3000, false, 9)),
    ];
    let expected = run_op(&Device::cpu(), op, &args, &[DType::F32]).expect("reference runs");
    let got = run_op(&small, op, &args, &[DType::F32]).expect("split table runs");
    assert_eq!(got[0].as_slice::<f32>().unwrap(), expected[0].as_slice::<f32>().unwrap());
}
